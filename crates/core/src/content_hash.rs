//! The sha256 of some content.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A sha256: of a file's bytes, or of a directory's entries. Displays as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ContentHash(pub [u8; 32]);

impl ContentHash {
    /// The first eight hexadecimal digits: enough to tell hashes apart by eye.
    pub fn short(&self) -> String {
        self.0[..4].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // By hand: a report may hold a million of these, and with the formatter it takes much longer.
        let mut digits = String::with_capacity(64);
        for byte in self.0 {
            for half in [byte >> 4, byte & 0xf] {
                digits.push(char::from(b"0123456789abcdef"[usize::from(half)]));
            }
        }
        f.write_str(&digits)
    }
}

/// A text that is no hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a hash has 64 hexadecimal digits")]
pub struct NotAHash;

impl FromStr for ContentHash {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, NotAHash> {
        let digits = text.as_bytes();
        if digits.len() != 64 {
            return Err(NotAHash);
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks(2)) {
            for &digit in pair {
                let digit = char::from(digit).to_digit(16).ok_or(NotAHash)?;
                *byte = *byte << 4 | u8::try_from(digit).map_err(|_| NotAHash)?;
            }
        }
        Ok(Self(bytes))
    }
}

impl Serialize for ContentHash {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ContentHash {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ContentHash({})", self.short())
    }
}

#[cfg(test)]
mod tests {
    use super::ContentHash;

    #[test]
    fn a_hash_shows_as_hexadecimal_digits() {
        let mut bytes = [0; 32];
        bytes[..4].copy_from_slice(&[0x01, 0x9a, 0xef, 0xff]);
        let hash = ContentHash(bytes);
        assert_eq!(hash.to_string(), format!("019aefff{}", "0".repeat(56)));
        assert_eq!(hash.short(), "019aefff");
        assert_eq!(hash.to_string().parse(), Ok(hash));
    }

    #[test]
    fn what_is_no_hash_is_refused() {
        assert!("019aefff".parse::<ContentHash>().is_err());
        assert!("g".repeat(64).parse::<ContentHash>().is_err());
        assert!("é".repeat(32).parse::<ContentHash>().is_err());
    }
}
