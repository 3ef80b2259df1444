//! JSON that is safe to look at.
//!
//! JSON itself lets C1 controls and bidirectional overrides through as they are, and documents do get
//! printed on terminals. Here such characters are written as `\u….`, which every reader turns back: the
//! value is the same.

use std::io::{self, Write};

use luminos_core::Untrusted;
use serde_json::ser::Formatter;

/// Writes compact JSON without a character that could steer a terminal.
pub(super) struct Inert;

impl Formatter for Inert {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        // Nearly all names are plain: one quick look spares a closer one at each character.
        if fragment.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return writer.write_all(fragment.as_bytes());
        }
        let mut rest = fragment;
        while let Some(at) = rest.find(Untrusted::is_treacherous) {
            writer.write_all(&rest.as_bytes()[..at])?;
            let mut characters = rest[at..].chars();
            if let Some(character) = characters.next() {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(writer, "\\u{unit:04x}")?;
                }
            }
            rest = characters.as_str();
        }
        writer.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::Inert;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut written = Vec::new();
        text.serialize(&mut serde_json::Serializer::with_formatter(&mut written, Inert)).unwrap();
        assert_eq!(String::from_utf8(written.clone()).unwrap(), expected);
        assert_eq!(serde_json::from_slice::<String>(&written).unwrap(), text, "the value stays the same");
    }

    #[test]
    fn what_could_steer_a_terminal_is_escaped_and_the_value_stays() {
        check("Größe 数", "\"Größe 数\"");
        check("a\x1b[2J\nb\"", r#""a\u001b[2J\nb\"""#);
        check("\u{9b}31m\u{7f}", r#""\u009b31m\u007f""#);
        check("abc\u{202e}txt.exe", r#""abc\u202etxt.exe""#);
        check("\u{e0041}", r#""\udb40\udc41""#);
    }
}
