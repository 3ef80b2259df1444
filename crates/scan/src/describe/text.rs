//! Text: its encoding, its line ends, and what kind of text it is.

use luminos_core::scan::Category::Document;
use memchr::memmem;

use super::Description;
use super::head::Head;
use super::language::{self, Guess, Place};

mod lines;

use lines::Lines;

/// `file` looks no further for the encoding. A file may turn binary later and still be called text.
const MOST_BYTES: usize = 64 * 1024;

/// Describes a text. `None` when these bytes are no text in any encoding.
pub(super) fn describe(head: Head<'_>) -> Option<Description> {
    let bytes = &head.bytes[..head.bytes.len().min(MOST_BYTES)];
    let bytes = trim_end_nuls(bytes);
    let wide = Encoding::wide(bytes);
    let bytes = if wide.is_some() { bytes } else { bytes.strip_suffix(b"\0").unwrap_or(bytes) };
    let marks = marks(bytes);
    let encoding = wide.or_else(|| Encoding::narrow(bytes, marks))?;
    let guess = if encoding.is_ascii_based() { language::guess(bytes, head.size) } else { None };
    if let Some(Guess { category, name, place: Place::Alone }) = guess {
        return Some(Description { text: name, category });
    }
    let lines = encoding.lines(bytes, marks);
    if guess.is_none() && lines == Lines::PLAIN {
        return Some(Description::new(Document, encoding.text()));
    }
    let (mut text, category) = match guess {
        Some(Guess { category, name, place }) => {
            let executable = if place == Place::BeforeExecutable { " executable" } else { "" };
            (format!("{name}, {}{executable}", encoding.text()), category)
        }
        None => (encoding.text().to_owned(), Document),
    };
    lines.push_to(&mut text);
    Some(Description::new(category, text))
}

/// Padding: a text that was written into blocks of fixed size is still a text. The upper half of the last
/// character of UTF-16 is no padding.
fn trim_end_nuls(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().rposition(|byte| *byte != 0).map_or(1, |last| last + 1);
    let even = bytes.len().is_multiple_of(2);
    &bytes[..if even { end.next_multiple_of(2) } else { end }]
}

/// Which kinds of byte occur at all.
type Marks = u8;
/// A byte no text has.
const CONTROL: Marks = 1;
const ESCAPE: Marks = 2;
const BACKSPACE: Marks = 4;
/// Above ASCII, NEL excepted.
const HIGH: Marks = 8;
/// Next line: 0x85 in the encodings of one byte per character.
const NEXT_LINE: Marks = 16;
/// The second row of control characters, without NEL: no part of ISO 8859.
const HIGH_CONTROL: Marks = 32;

/// Which marks a text has. Most texts have none at all, which a much shorter look can tell.
fn marks(bytes: &[u8]) -> Marks {
    // Bytes that are neither printable ASCII nor tab nor a line end.
    let unusual = |byte: u8| u8::from((byte < 32) & (byte != 9) & (byte != 10) & (byte != 13) | (byte > 126));
    if any_bits(bytes, unusual) == 0 { 0 } else { any_bits(bytes, mark) }
}

/// All bits that any of the bytes has. Many bytes are taken at once, so that this becomes vector code.
fn any_bits(bytes: &[u8], bits: impl Fn(u8) -> u8) -> u8 {
    let (blocks, rest) = bytes.as_chunks::<64>();
    let mut seen = [0; 64];
    for block in blocks {
        for (seen, byte) in seen.iter_mut().zip(block) {
            *seen |= bits(*byte);
        }
    }
    rest.iter().fold(0, |seen, byte| seen | bits(*byte)) | seen.into_iter().fold(0, |all, seen| all | seen)
}

fn mark(byte: u8) -> Marks {
    let control = (byte < 32) & (byte.wrapping_sub(7) > 6) & (byte != 27) | (byte == 127);
    let next_line = byte == 0x85;
    let bit = |set: bool, mark: Marks| u8::from(set) * mark;
    bit(control, CONTROL)
        | bit(byte == 27, ESCAPE)
        | bit(byte == 8, BACKSPACE)
        | bit((byte >= 0x80) & !next_line, HIGH)
        | bit(next_line, NEXT_LINE)
        | bit((byte.wrapping_sub(0x80) < 32) & !next_line, HIGH_CONTROL)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Encoding {
    Ascii,
    Utf8,
    Utf8WithMark,
    Utf16Little,
    Utf16Big,
    Utf32Little,
    Utf32Big,
    Latin,
    Extended,
}

impl Encoding {
    /// The encodings that ASCII is a part of.
    fn narrow(bytes: &[u8], marks: Marks) -> Option<Self> {
        let clean = marks & CONTROL == 0;
        if clean && marks & HIGH == 0 {
            return Some(Encoding::Ascii);
        }
        if clean && is_utf8(bytes) {
            let mark = bytes.starts_with(b"\xef\xbb\xbf") && 3 < bytes.len();
            return Some(if mark { Encoding::Utf8WithMark } else { Encoding::Utf8 });
        }
        match marks & HIGH_CONTROL {
            _ if !clean => None,
            0 => Some(Encoding::Latin),
            _ => Some(Encoding::Extended),
        }
    }

    /// The encodings of two and four bytes per character are known by their mark only.
    fn wide(bytes: &[u8]) -> Option<Self> {
        let encoding = match bytes {
            [0xff, 0xfe, 0, 0, ..] => return Some(Encoding::Utf32Little),
            [0, 0, 0xfe, 0xff, ..] => return Some(Encoding::Utf32Big),
            [0xff, 0xfe, ..] => Encoding::Utf16Little,
            [0xfe, 0xff, ..] => Encoding::Utf16Big,
            _ => return None,
        };
        let is_text = |unit: u32| !matches!(unit, 0..=6 | 14..=26 | 28..=31 | 127 | 0xfffe);
        units(bytes, encoding).all(is_text).then_some(encoding)
    }

    /// Whether words of ASCII can be found in the bytes as they are.
    fn is_ascii_based(self) -> bool {
        !matches!(
            self,
            Encoding::Utf16Little | Encoding::Utf16Big | Encoding::Utf32Little | Encoding::Utf32Big
        )
    }

    fn text(self) -> &'static str {
        match self {
            Encoding::Ascii => "ASCII text",
            Encoding::Utf8 => "Unicode text, UTF-8 text",
            Encoding::Utf8WithMark => "Unicode text, UTF-8 (with BOM) text",
            Encoding::Utf16Little => "Unicode text, UTF-16, little-endian text",
            Encoding::Utf16Big => "Unicode text, UTF-16, big-endian text",
            Encoding::Utf32Little => "Unicode text, UTF-32, little-endian",
            Encoding::Utf32Big => "Unicode text, UTF-32, big-endian",
            Encoding::Latin => "ISO-8859 text",
            Encoding::Extended => "Non-ISO extended-ASCII text",
        }
    }

    fn lines(self, bytes: &[u8], marks: Marks) -> Lines {
        let mut lines = match self {
            Encoding::Utf32Little | Encoding::Utf32Big => return Lines::PLAIN,
            Encoding::Utf16Little | Encoding::Utf16Big => Lines::of_characters(units(bytes, self)),
            // NEL is a line end that the fast search does not know; it is very rare.
            Encoding::Utf8 | Encoding::Utf8WithMark
                if marks & NEXT_LINE != 0 && has_wide_next_line(bytes) =>
            {
                Lines::of_characters(String::from_utf8_lossy(bytes).chars().map(u32::from))
            }
            Encoding::Utf8 | Encoding::Utf8WithMark => Lines::of_bytes(bytes, count_characters),
            _ if marks & NEXT_LINE != 0 => Lines::of_characters(bytes.iter().map(|byte| u32::from(*byte))),
            Encoding::Ascii | Encoding::Latin | Encoding::Extended => Lines::of_bytes(bytes, <[u8]>::len),
        };
        lines.escapes |= marks & ESCAPE != 0;
        lines.overstrikes |= marks & BACKSPACE != 0;
        lines
    }
}

/// Valid UTF-8 with at least one character above ASCII. The last one may be cut off by the end.
fn is_utf8(bytes: &[u8]) -> bool {
    match std::str::from_utf8(bytes) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none() && !bytes[..error.valid_up_to()].is_ascii(),
    }
}

fn has_wide_next_line(bytes: &[u8]) -> bool {
    memmem::find(bytes, "\u{85}".as_bytes()).is_some()
}

fn count_characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| !matches!(byte, 0x80..=0xbf)).count()
}

/// The units of a text of two bytes each, after its mark.
fn units(bytes: &[u8], encoding: Encoding) -> impl Iterator<Item = u32> {
    let (pairs, _) = bytes[2..].as_chunks::<2>();
    let big = encoding == Encoding::Utf16Big;
    pairs
        .iter()
        .map(move |pair| u32::from(if big { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) }))
}
