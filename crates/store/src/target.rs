//! What is investigated, and the name of an investigation.

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::str::FromStr;

use luminos_core::{RelPath, Untrusted};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

/// The name of an investigation. Later ones are greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InvestigationId(Uuid);

impl InvestigationId {
    /// A name that nothing else has.
    pub fn fresh() -> Self {
        Self(Uuid::now_v7())
    }
}

impl fmt::Display for InvestigationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

/// A text that is no name of an investigation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an investigation's name has 32 hexadecimal digits in five groups")]
pub struct NotAnId;

impl FromStr for InvestigationId {
    type Err = NotAnId;

    /// Reads the one way in which names are written, since they are names of directories, too.
    fn from_str(text: &str) -> Result<Self, NotAnId> {
        let id = Self(Uuid::try_parse(text).map_err(|_| NotAnId)?);
        if id.to_string() == text { Ok(id) } else { Err(NotAnId) }
    }
}

impl Serialize for InvestigationId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for InvestigationId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The canonical path of what is investigated. In documents it is a word that names it and no other, even if it is
/// no UTF-8.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target(RelPath);

impl Target {
    /// A target by its path, which must be canonical: the caller has resolved links and dots.
    pub fn new(canonical: &Path) -> Self {
        Self(RelPath::new(canonical.as_os_str().as_bytes()))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        Path::new(OsStr::from_bytes(self.0.as_bytes()))
    }

    /// The word for it in documents.
    pub fn to_word(&self) -> String {
        self.0.to_word()
    }

    pub(crate) fn from_word(word: &str) -> Option<Self> {
        RelPath::from_word(word).map(Self)
    }

    /// What to print.
    pub fn for_terminal(&self) -> String {
        Untrusted::new(self.0.as_bytes()).for_terminal()
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Target({})", self.for_terminal())
    }
}

impl Serialize for Target {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Target {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        RelPath::deserialize(deserializer).map(Self)
    }
}
