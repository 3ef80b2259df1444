//! The bytes of a file that are shown: cut where a line ends if that is near, and never inside a character.

use luminos_core::secrets::Secret;

use crate::blobs::{Encoding, Facts, Lines, decode_redacted};
use crate::session::char_boundary;

/// Bytes of a file.
pub(super) struct Piece<'a> {
    bytes: &'a [u8],
    /// Where they start in the file.
    pub(super) start: u64,
    /// Where what was asked for ends in the file.
    stop: u64,
    /// How many of them are shown.
    take: usize,
    encoding: Encoding,
    lines: Option<&'a Lines>,
}

impl<'a> Piece<'a> {
    pub(super) fn new(bytes: &'a [u8], start: u64, stop: u64, facts: &'a Facts) -> Self {
        let encoding = facts.encoding;
        // An offset may point into the middle of a character: the rest of that one is left out.
        let skipped = match encoding {
            Encoding::Utf8 { .. } if 0 < start => {
                bytes.iter().take(3).take_while(|&&byte| byte & 0xc0 == 0x80).count()
            }
            Encoding::Utf16Le | Encoding::Utf16Be => usize::from(start % 2 == 1).min(bytes.len()),
            Encoding::Utf8 { .. } | Encoding::Latin1 | Encoding::Binary => 0,
        };
        let bytes = &bytes[skipped..];
        let start = start + skipped as u64;
        let mut piece = Self { bytes, start, stop, take: bytes.len(), encoding, lines: facts.lines.as_ref() };
        piece.trim();
        piece
    }

    /// One past the last byte that is shown.
    pub(super) fn end(&self) -> u64 {
        self.start + self.take as u64
    }

    /// The number of the last line that is shown.
    pub(super) fn last_line(&self, first_line: u64) -> u64 {
        let ends = self.lines.map_or(0, |lines| lines.ends_in(&self.bytes[..self.take]));
        first_line + ends - u64::from(self.ends_with_line() && 0 < ends)
    }

    /// Whether it ends where a line ends.
    pub(super) fn ends_with_line(&self) -> bool {
        self.last_end() == Some(self.take)
    }

    fn last_end(&self) -> Option<usize> {
        let shown = &self.bytes[..self.take];
        match self.lines {
            Some(lines) => lines.each_end(shown).next_back(),
            None if self.encoding.unit() == 1 => memchr::memrchr(b'\n', shown).map(|at| at + 1),
            None => None,
        }
    }

    /// Takes less, because what is shown of it became too long; false if there is nothing left to take away.
    pub(super) fn shrink(&mut self, room: usize, length: usize) -> bool {
        if self.take <= self.encoding.unit() {
            return false;
        }
        let less = (self.take * room / length).min(self.take - 1).max(1);
        self.take = less;
        self.trim();
        0 < self.take
    }

    fn trim(&mut self) {
        if self.end() == self.stop {
            return;
        }
        if let Some(end) = self.last_end().filter(|end| self.take / 2 < *end) {
            self.take = end;
            return;
        }
        self.take = match self.encoding {
            Encoding::Utf8 { .. } if self.take < self.bytes.len() => char_boundary(self.bytes, self.take),
            Encoding::Utf8 { .. } => whole_characters(self.bytes),
            Encoding::Utf16Le | Encoding::Utf16Be => self.take & !1,
            Encoding::Latin1 | Encoding::Binary => self.take,
        };
    }

    /// What is shown, as UTF-8 and without secrets; with numbers before the lines if there is a first one.
    pub(super) fn text(&self, encoding: Encoding, first_line: Option<u64>, secrets: &[Secret]) -> Vec<u8> {
        let mut text = decode_redacted(&self.bytes[..self.take], self.start, encoding, secrets);
        if self.start == 0 && text.starts_with("\u{feff}".as_bytes()) {
            text.drain(..3);
        }
        let Some(first_line) = first_line.filter(|&line| 0 < line) else { return text };
        let mut numbered = Vec::with_capacity(text.len() + text.len() / 8);
        for (number, line) in (first_line..).zip(text.split_inclusive(|&byte| byte == b'\n')) {
            numbered.extend_from_slice(format!("{number}\t").as_bytes());
            numbered.extend_from_slice(line);
        }
        numbered
    }
}

/// How many bytes there are without a character at the end that was cut off.
fn whole_characters(bytes: &[u8]) -> usize {
    let last = (1..=bytes.len().min(3)).find(|&back| 0xc0 <= bytes[bytes.len() - back]);
    match last {
        Some(back) => {
            let length = match bytes[bytes.len() - back] {
                0xc0..=0xdf => 2,
                0xe0..=0xef => 3,
                _ => 4,
            };
            if back < length { bytes.len() - back } else { bytes.len() }
        }
        None => bytes.len(),
    }
}
