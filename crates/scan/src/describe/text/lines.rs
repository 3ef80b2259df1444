//! The lines of a text: how they end, and how long they are.

use memchr::{memchr, memchr_iter, memchr2, memrchr2};

use super::MOST_BYTES;

/// A line is very long when it has more characters than this.
const LONG_LINE: usize = 300;

/// What is worth saying about the lines of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lines {
    crlf: bool,
    cr: bool,
    lf: bool,
    nel: bool,
    /// Characters of the longest line, if that is very long.
    long: Option<usize>,
    pub(super) escapes: bool,
    pub(super) overstrikes: bool,
}

impl Lines {
    /// Nothing worth saying.
    pub(super) const PLAIN: Lines = Lines {
        crlf: false,
        cr: false,
        lf: true,
        nel: false,
        long: None,
        escapes: false,
        overstrikes: false,
    };
    const NONE: Lines = Lines { lf: false, ..Lines::PLAIN };

    /// The fast way: jumps from line end to line end, as far as a line may be long.
    pub(super) fn of_bytes(bytes: &[u8], length: fn(&[u8]) -> usize) -> Self {
        let mut lines = Lines::NONE;
        for at in memchr_iter(b'\r', bytes) {
            match bytes.get(at + 1) {
                Some(b'\n') => lines.crlf = true,
                // The end of a whole buffer may have cut the pair in two.
                None if bytes.len() == MOST_BYTES => {}
                _ => lines.cr = true,
            }
        }
        lines.lf = match lines.crlf {
            true => memchr_iter(b'\n', bytes).any(|at| at == 0 || bytes[at - 1] != b'\r'),
            false => memchr(b'\n', bytes).is_some(),
        };
        let mut rest = bytes;
        while LONG_LINE < rest.len() {
            let window = &rest[..=LONG_LINE];
            if let Some(last) = memrchr2(b'\n', b'\r', window) {
                rest = &rest[last + 1..];
                continue;
            }
            let end = memchr2(b'\n', b'\r', rest).unwrap_or(rest.len());
            let long = length(&rest[..end]);
            if LONG_LINE < long {
                lines.long = lines.long.max(Some(long));
            }
            rest = &rest[end..];
        }
        lines
    }

    /// The slow way, for characters of any width.
    pub(super) fn of_characters(characters: impl Iterator<Item = u32>) -> Self {
        let mut lines = Lines::NONE;
        let mut length = 0;
        let mut after_return = false;
        for character in characters {
            let (newline, next_line) = (character == 10, character == 0x85);
            lines.crlf |= newline && after_return;
            lines.lf |= newline && !after_return;
            lines.cr |= !newline && after_return;
            lines.nel |= next_line;
            lines.escapes |= character == 27;
            lines.overstrikes |= character == 8;
            after_return = character == 13;
            if newline || next_line || after_return {
                length = 0;
            } else {
                length += 1;
                if LONG_LINE < length {
                    lines.long = lines.long.max(Some(length));
                }
            }
        }
        lines.cr |= after_return;
        lines
    }

    /// Adds what is worth saying, in the order of `file`.
    pub(super) fn push_to(self, text: &mut String) {
        if let Some(long) = self.long {
            text.push_str(&format!(", with very long lines ({long})"));
        }
        let ends = [(self.crlf, "CRLF"), (self.cr, "CR"), (self.lf, "LF"), (self.nel, "NEL")];
        if self.crlf || self.cr || self.nel {
            let mut separator = ", with ";
            for (_, name) in ends.iter().filter(|(present, _)| *present) {
                text.push_str(separator);
                text.push_str(name);
                separator = ", ";
            }
            text.push_str(" line terminators");
        } else if !self.lf {
            text.push_str(", with no line terminators");
        }
        if self.escapes {
            text.push_str(", with escape sequences");
        }
        if self.overstrikes {
            text.push_str(", with overstriking");
        }
    }
}
