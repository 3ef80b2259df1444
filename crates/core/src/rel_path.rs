//! A path inside the target.

use std::borrow::Borrow;
use std::fmt;

use crate::Untrusted;

/// A path relative to the target, as raw bytes: names need not be UTF-8. The target itself is empty.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RelPath(Box<[u8]>);

impl RelPath {
    /// A path from raw bytes, without leading or trailing slash.
    pub fn new(bytes: impl Into<Box<[u8]>>) -> Self {
        Self(bytes.into())
    }

    /// The target itself.
    pub fn root() -> Self {
        Self::default()
    }

    /// Whether this is the target itself.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The raw bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The path as UTF-8, where it is.
    pub fn to_utf8(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }

    /// What to print: `.` for the target itself, anything treacherous escaped.
    pub fn for_terminal(&self) -> String {
        if self.is_root() { ".".to_owned() } else { Untrusted::new(&self.0).for_terminal() }
    }
}

impl fmt::Debug for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RelPath({})", self.for_terminal())
    }
}

impl Borrow<[u8]> for RelPath {
    fn borrow(&self) -> &[u8] {
        &self.0
    }
}

impl From<&str> for RelPath {
    fn from(path: &str) -> Self {
        Self(path.as_bytes().into())
    }
}
