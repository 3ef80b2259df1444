//! The sha256 of some content.

use std::fmt;

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
    }
}
