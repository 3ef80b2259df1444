//! Text that came from the target, and the safe ways out of it.
//!
//! A file name may hold escape sequences, bidirectional overrides or bytes that are no UTF-8. Nothing of
//! that may reach a terminal as it is. The type has no `Display`: whoever prints must say for whom.

use std::fmt::Write as _;

/// Bytes nobody vouches for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Untrusted<'a>(&'a [u8]);

impl<'a> Untrusted<'a> {
    /// Wraps bytes of the target.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Text that is inert on a terminal and in a log: control characters, escape sequences, bidirectional
    /// and invisible characters show as `\n`, `\u{202e}` and the like, other bytes as `\xff`.
    pub fn for_terminal(self) -> String {
        let mut out = String::with_capacity(self.0.len());
        for chunk in self.0.utf8_chunks() {
            for character in chunk.valid().chars() {
                match character {
                    '\n' => out.push_str("\\n"),
                    '\r' => out.push_str("\\r"),
                    '\t' => out.push_str("\\t"),
                    character if Self::is_treacherous(character) => {
                        let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
                    }
                    character => out.push(character),
                }
            }
            for byte in chunk.invalid() {
                let _ = write!(out, "\\x{byte:02x}");
            }
        }
        out
    }

    /// Whether a character can change how its surroundings look, or cannot be seen at all.
    pub fn is_treacherous(character: char) -> bool {
        character.is_control()
            || matches!(character,
                '\u{ad}' | '\u{61c}' | '\u{180e}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{fff9}'..='\u{fffb}'
                | '\u{e0000}'..='\u{e007f}')
    }
}

#[cfg(test)]
mod tests {
    use super::Untrusted;

    #[track_caller]
    fn check(bytes: &[u8], expected: &str) {
        assert_eq!(Untrusted::new(bytes).for_terminal(), expected);
    }

    #[test]
    fn plain_names_stay_as_they_are() {
        check(b"main.rs", "main.rs");
        check("Größe 数.txt".as_bytes(), "Größe 数.txt");
    }

    #[test]
    fn nothing_that_steers_a_terminal_gets_out() {
        check(b"a\nb\rc\td", "a\\nb\\rc\\td");
        check(b"\x1b[2J\x1b]52;c;x\x07", "\\u{1b}[2J\\u{1b}]52;c;x\\u{7}");
        check("\u{9b}31m".as_bytes(), "\\u{9b}31m");
        check(b"\x9b31m\xff\xfe", "\\x9b31m\\xff\\xfe");
        check("abc\u{202e}txt.exe".as_bytes(), "abc\\u{202e}txt.exe");
        check("\u{2066}a\u{200d}b\u{e0041}".as_bytes(), "\\u{2066}a\\u{200d}b\\u{e0041}");
    }
}
