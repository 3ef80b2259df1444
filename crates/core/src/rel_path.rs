//! A path inside the target.

use std::borrow::Borrow;
use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Untrusted;

/// What the word of a path begins with that is written as hexadecimal digits.
const HEX: &str = "hex:";

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

    /// The path as a word that names it and no other: in documents, on the wire, to and from models. `.` is the
    /// target itself; what is no UTF-8 (or looks as if it were such a word) is `hex:` and the digits of its bytes.
    pub fn to_word(&self) -> String {
        match std::str::from_utf8(&self.0) {
            Ok("") => ".".to_owned(),
            Ok(text) if !text.starts_with(HEX) && text != "." => text.to_owned(),
            Ok(_) | Err(_) => {
                let digits = self.0.iter().map(|byte| format!("{byte:02x}"));
                std::iter::once(HEX.to_owned()).chain(digits).collect()
            }
        }
    }

    /// The path that a word names; `None` for `hex:` without proper digits.
    pub fn from_word(word: &str) -> Option<Self> {
        let Some(digits) = word.strip_prefix(HEX) else {
            return Some(if word == "." { Self::root() } else { Self::from(word) });
        };
        let nibble = |digit: u8| char::from(digit).to_digit(16);
        let pairs = digits.as_bytes().chunks(2).map(|pair| match *pair {
            [high, low] => u8::try_from(nibble(high)? << 4 | nibble(low)?).ok(),
            _ => None,
        });
        Some(Self(pairs.collect::<Option<Vec<u8>>>()?.into()))
    }

    /// The directory it lies in; `None` for the target itself.
    pub fn parent(&self) -> Option<Self> {
        if self.is_root() {
            return None;
        }
        let end = self.0.iter().rposition(|&byte| byte == b'/').unwrap_or(0);
        Some(Self(self.0[..end].into()))
    }

    /// Whether it lies somewhere below a directory. Nothing lies below itself.
    pub fn is_below(&self, dir: &RelPath) -> bool {
        if dir.is_root() {
            return !self.is_root();
        }
        self.0.strip_prefix(&*dir.0).is_some_and(|rest| rest.first() == Some(&b'/'))
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

impl Serialize for RelPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_word())
    }
}

impl<'de> Deserialize<'de> for RelPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        let bad =
            || serde::de::Error::custom("a path that begins with `hex:` needs pairs of hexadecimal digits");
        Self::from_word(&word).ok_or_else(bad)
    }
}

#[cfg(test)]
mod tests {
    use super::RelPath;

    #[track_caller]
    fn there_and_back(bytes: &[u8], word: &str) {
        let path = RelPath::new(bytes);
        assert_eq!(path.to_word(), word);
        assert_eq!(RelPath::from_word(word), Some(path));
    }

    #[test]
    fn a_word_names_one_path() {
        there_and_back(b"", ".");
        there_and_back(b"src/main.rs", "src/main.rs");
        there_and_back(b".", "hex:2e");
        there_and_back(b"a\xff/b", "hex:61ff2f62");
        there_and_back(b"hex:61", "hex:6865783a3631");
        assert_eq!(RelPath::from_word("hex:6"), None);
        assert_eq!(RelPath::from_word("hex:zz"), None);
    }

    #[test]
    fn parents_and_what_lies_below() {
        let path = RelPath::from("a/b/c");
        assert_eq!(path.parent(), Some(RelPath::from("a/b")));
        assert_eq!(RelPath::from("a").parent(), Some(RelPath::root()));
        assert_eq!(RelPath::root().parent(), None);
        assert!(path.is_below(&RelPath::from("a/b")));
        assert!(path.is_below(&RelPath::root()));
        assert!(!path.is_below(&path));
        assert!(!RelPath::from("ab").is_below(&RelPath::from("a")));
        assert!(!RelPath::root().is_below(&RelPath::root()));
    }
}
