//! PDF files: how many pages, and what they are called.
//!
//! Tolerant: the table of objects is not followed, the file is searched. Streams of objects are unpacked within a limit, because
//! that is where newer files keep their pages.

mod text;

use std::io::Read;

use flate2::read::ZlibDecoder;
use serde::{Deserialize, Serialize};

use super::source::one_line;

/// Most bytes that are unpacked in all.
const MOST_UNPACKED: usize = 16 << 20;

/// Most streams that are looked into.
const MOST_STREAMS: usize = 2_000;

/// A PDF file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pdf {
    /// How many pages it has, where that could be found out.
    pub pages: Option<u32>,
    /// Its title.
    pub title: Option<String>,
    /// What its first page says in its largest letters, where it has no title.
    #[serde(default)]
    pub heading: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// Whether it is encrypted: then titles cannot be read.
    pub is_encrypted: bool,
}

/// Searches a PDF file.
pub(super) fn outline(bytes: &[u8]) -> Pdf {
    let hidden = object_streams(bytes);
    let is_encrypted = memchr::memmem::find(bytes, b"/Encrypt").is_some();
    let parts = [bytes, &hidden];
    let text = |key: &[u8]| {
        let found = parts.iter().find_map(|part| value(part, key));
        found.filter(|_| !is_encrypted).map(|text| one_line(&text, 200)).filter(|text| !text.is_empty())
    };
    let counts = parts.iter().filter_map(|part| largest_count(part)).max();
    let single = parts.iter().map(|part| single_pages(part)).sum::<u32>();
    let title = text(b"/Title").or_else(|| bytes_between(bytes, b"<dc:title>", b"</dc:title>"));
    let is_untitled = title.as_ref().is_none_or(|title| title.eq_ignore_ascii_case("untitled"));
    let heading = (is_untitled && !is_encrypted).then(|| text::heading(bytes)).flatten();
    Pdf {
        pages: counts.or(Some(single).filter(|pages| 0 < *pages)),
        title,
        heading,
        author: text(b"/Author"),
        is_encrypted,
    }
}

/// The text of all streams of objects, one after the other.
fn object_streams(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    for at in memchr::memmem::find_iter(bytes, b"/ObjStm").take(MOST_STREAMS) {
        let rest = bytes.get(at..).unwrap_or_default();
        let near = rest.get(..2_000).unwrap_or(rest);
        let Some(start) = memchr::memmem::find(near, b"stream") else { continue };
        let data = rest.get(start + b"stream".len()..).unwrap_or_default();
        let data = data.strip_prefix(b"\r\n").or_else(|| data.strip_prefix(b"\n")).unwrap_or(data);
        let room = MOST_UNPACKED.saturating_sub(out.len()) as u64;
        // What could be unpacked before a mistake still counts.
        let _ = ZlibDecoder::new(data).take(room).read_to_end(&mut out);
        out.push(b'\n');
    }
    out
}

/// The largest `/Count` beside a `/Type /Pages`: the root of the tree of pages counts all of them.
fn largest_count(bytes: &[u8]) -> Option<u32> {
    let nodes = memchr::memmem::find_iter(bytes, b"/Pages").take(100_000);
    let counts = nodes.filter_map(|at| {
        let start = at.saturating_sub(400);
        let around = bytes.get(start..(at + 2_000).min(bytes.len()))?;
        let here = at - start;
        let first = memchr::memmem::rfind(around.get(..here)?, b"<<").unwrap_or(0);
        let last =
            memchr::memmem::find(around.get(here..)?, b"endobj").map_or(around.len(), |end| here + end);
        let object = around.get(first..last)?;
        let count = memchr::memmem::find(object, b"/Count")?;
        let digits = object.get(count + b"/Count".len()..)?.trim_ascii_start();
        let length = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
        std::str::from_utf8(digits.get(..length)?).ok()?.parse::<u32>().ok()
    });
    counts.filter(|count| *count < 1_000_000).max()
}

/// Objects that say they are a page.
fn single_pages(bytes: &[u8]) -> u32 {
    let pages = memchr::memmem::find_iter(bytes, b"/Type").filter(|at| {
        let rest = bytes.get(at + b"/Type".len()..).unwrap_or_default().trim_ascii_start();
        rest.strip_prefix(b"/Page").is_some_and(|rest| !rest.first().is_some_and(u8::is_ascii_alphanumeric))
    });
    u32::try_from(pages.count()).unwrap_or(u32::MAX)
}

/// The text of a key: `(…)` or `<hexadecimal digits>`.
fn value(bytes: &[u8], key: &[u8]) -> Option<String> {
    for at in memchr::memmem::find_iter(bytes, key).take(100) {
        let rest = bytes.get(at + key.len()..)?.trim_ascii_start();
        let rest = rest.get(..2_000).unwrap_or(rest);
        let raw = match rest.first() {
            Some(b'(') => literal(rest),
            Some(b'<') if rest.get(1) != Some(&b'<') => hexadecimal(rest),
            _ => continue,
        };
        let text = decoded(&raw);
        if !text.trim().is_empty() {
            return Some(text);
        }
    }
    None
}

fn literal(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut depth = 0_u32;
    let mut rest = bytes.iter().copied();
    while let Some(byte) = rest.next() {
        match byte {
            b'(' if depth == 0 => depth = 1,
            b'(' => {
                depth += 1;
                out.push(byte);
            }
            b')' if depth == 1 => break,
            b')' => {
                depth -= 1;
                out.push(byte);
            }
            b'\\' => match rest.next() {
                Some(b'n' | b'r' | b't' | b'b' | b'f') => out.push(b' '),
                Some(digit @ b'0'..=b'7') => {
                    let mut code = u32::from(digit - b'0');
                    let mut ahead = rest.clone();
                    for _ in 0..2 {
                        let Some(digit @ b'0'..=b'7') = ahead.next() else { break };
                        code = code * 8 + u32::from(digit - b'0');
                        rest = ahead.clone();
                    }
                    out.push(u8::try_from(code & 0xff).unwrap_or(b'?'));
                }
                Some(other) => out.push(other),
                None => break,
            },
            byte => out.push(byte),
        }
    }
    out
}

fn hexadecimal(bytes: &[u8]) -> Vec<u8> {
    let digits: Vec<u32> = bytes
        .iter()
        .skip(1)
        .take_while(|byte| **byte != b'>')
        .filter_map(|byte| char::from(*byte).to_digit(16))
        .collect();
    digits
        .chunks(2)
        .filter_map(|pair| u8::try_from(pair.iter().fold(0, |code, digit| code * 16 + digit)).ok())
        .collect()
}

/// Text is UTF-16 if it says so, otherwise one byte a character.
fn decoded(raw: &[u8]) -> String {
    if let Some(units) = raw.strip_prefix(b"\xfe\xff") {
        let units: Vec<u16> = units
            .chunks_exact(2)
            .filter_map(|pair| Some(u16::from_be_bytes(pair.try_into().ok()?)))
            .collect();
        return String::from_utf16_lossy(&units);
    }
    let raw = raw.strip_prefix(b"\xef\xbb\xbf").unwrap_or(raw);
    std::str::from_utf8(raw)
        .map_or_else(|_| raw.iter().map(|byte| char::from(*byte)).collect(), str::to_owned)
}

/// The text of an element of the metadata, the tags inside it left away.
fn bytes_between(bytes: &[u8], from: &[u8], to: &[u8]) -> Option<String> {
    let start = memchr::memmem::find(bytes, from)? + from.len();
    let rest = bytes.get(start..)?;
    let inside = rest.get(..memchr::memmem::find(rest.get(..2_000).unwrap_or(rest), to)?)?;
    let inside = String::from_utf8_lossy(inside);
    let text: String =
        inside.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect();
    Some(one_line(&text, 200)).filter(|text| !text.is_empty())
}
