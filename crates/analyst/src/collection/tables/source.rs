//! The file that a table stands in: as it is, or packed.

use std::io::Read as _;

use luminos_core::proof::Evidence;

use super::form::{Letters, text_of};
use crate::eyes::Peek;

/// No more is unpacked of one file.
const MOST_UNPACKED: u64 = 32 << 20;

/// A file with a table, and its text.
pub(super) enum Source<'p> {
    /// As it is.
    Plain(&'p Peek),
    /// Packed: no line can be cited, the file itself can.
    Packed(Evidence),
}

impl<'p> Source<'p> {
    /// The file and what stands in it.
    pub(super) fn of(peek: &'p Peek) -> (Self, String, Letters) {
        let is_packed = peek.bytes.starts_with(b"\x1f\x8b");
        let (text, letters) = if is_packed {
            let mut out = Vec::new();
            // What could be unpacked before a mistake still counts.
            let _ =
                flate2::read::MultiGzDecoder::new(&peek.bytes[..]).take(MOST_UNPACKED).read_to_end(&mut out);
            text_of(&out)
        } else {
            text_of(&peek.bytes)
        };
        let source = if is_packed { Self::Packed(peek.cite_head()) } else { Self::Plain(peek) };
        (source, text, letters)
    }

    /// A line as evidence.
    pub(super) fn cite_line(&self, line: usize) -> Evidence {
        match self {
            Self::Plain(peek) => peek.cite_line(line),
            Self::Packed(cited) => cited.clone(),
        }
    }
}
