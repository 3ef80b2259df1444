//! A file as lines of text.

use std::borrow::Cow;
use std::ops::Range;

use super::Exhibit;

/// A file as text: as it is stored where that is UTF-8, else converted the way tools show it.
pub(crate) struct Text<'a> {
    text: Cow<'a, str>,
    is_as_stored: bool,
}

impl<'a> Text<'a> {
    pub(crate) fn of(exhibit: &'a Exhibit) -> Self {
        let (text, is_as_stored): (Cow<'a, str>, bool) = match std::str::from_utf8(&exhibit.bytes) {
            Ok(text) => (text.into(), true),
            Err(_) => (convert(&exhibit.bytes).into(), false),
        };
        Self { text, is_as_stored }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn is_as_stored(&self) -> bool {
        self.is_as_stored
    }

    pub(super) fn line_count(&self) -> usize {
        self.starts().count()
    }

    /// Where each line starts, from the first on: a claim is about a few lines, and most files have many.
    fn starts(&self) -> impl Iterator<Item = usize> {
        let ends = self.text.match_indices('\n').map(|(end, _)| end + 1);
        std::iter::once(0).chain(ends).take_while(|start| *start < self.text.len())
    }

    /// Where some lines stand, without the last line's end.
    pub(crate) fn lines(&self, first: u64, last: u64) -> Option<Range<usize>> {
        let (first, last) = (usize::try_from(first).ok()?, usize::try_from(last).ok()?);
        let mut starts = self.starts();
        let start = starts.nth(first.checked_sub(1)?)?;
        if first < last {
            starts.nth(last - first - 1)?;
        }
        let end = starts.next().unwrap_or(self.text.len());
        let trimmed = self.text[start..end].trim_end_matches(['\n', '\r']).len();
        Some(start..start + trimmed)
    }

    pub(crate) fn line_of(&self, byte: usize) -> usize {
        self.starts().take_while(|start| *start <= byte).count()
    }
}

fn convert(bytes: &[u8]) -> String {
    let wide = |bytes: &[u8], join: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| join([pair[0], pair[1]]));
        char::decode_utf16(units).map(|unit| unit.unwrap_or('\u{fffd}')).collect()
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ => bytes.iter().map(|byte| char::from(*byte)).collect(),
    }
}
