//! Pictures: how large, by their headers. Nothing is decoded.

mod exif;

use serde::{Deserialize, Serialize};

use super::NotParsed;

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// What it is stored as: `PNG`, `JPEG`, …
    pub format: String,
    /// Its width in pixels.
    pub width: u32,
    /// Its height in pixels.
    pub height: u32,
    /// When it was taken, by the camera's account: `2024:05:17 10:31:07`.
    pub taken: Option<String>,
    /// The camera.
    pub camera: Option<String>,
}

/// Reads the header of a picture; `None` if the bytes are no picture that is known.
pub(super) fn outline(bytes: &[u8]) -> Option<Result<Picture, NotParsed>> {
    let (format, size) = match bytes {
        [0x89, b'P', b'N', b'G', ..] => ("PNG", be32(bytes, 16).zip(be32(bytes, 20))),
        [b'G', b'I', b'F', b'8', ..] => ("GIF", le16(bytes, 6).zip(le16(bytes, 8))),
        [b'B', b'M', _, _, _, _, 0, 0, 0, 0, ..] => ("BMP", bitmap(bytes)),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => ("WebP", webp(bytes)),
        [0xff, 0xd8, 0xff, ..] => ("JPEG", jpeg(bytes)),
        [0, 0, 1, 0, ..] if bytes.len() < 1 << 20 => ("ICO", icon(bytes)),
        _ => return None,
    };
    let Some((width, height)) = size else {
        return Some(Err(NotParsed::Malformed {
            what: format!("a {format} picture without its size"),
            line: 0,
        }));
    };
    let (taken, camera) = if format == "JPEG" { exif::read(bytes) } else { (None, None) };
    Some(Ok(Picture { format: format.to_owned(), width, height, taken, camera }))
}

fn be32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn be16(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?)))
}

fn le16(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?)))
}

fn le32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn bitmap(bytes: &[u8]) -> Option<(u32, u32)> {
    // A picture stored from the top has a negative height.
    let height = i32::from_le_bytes(bytes.get(22..26)?.try_into().ok()?);
    Some((le32(bytes, 18)?, height.unsigned_abs()))
}

fn icon(bytes: &[u8]) -> Option<(u32, u32)> {
    let side = |at: usize| bytes.get(at).map(|side| if *side == 0 { 256 } else { u32::from(*side) });
    side(6).zip(side(7))
}

fn webp(bytes: &[u8]) -> Option<(u32, u32)> {
    match bytes.get(12..16)? {
        b"VP8 " => Some((le16(bytes, 26)? & 0x3fff, le16(bytes, 28)? & 0x3fff)),
        b"VP8L" => {
            let bits = le32(bytes, 21)?;
            Some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
        }
        b"VP8X" => Some(((le32(bytes, 24)? & 0xff_ffff) + 1, (le32(bytes, 27)? & 0xff_ffff) + 1)),
        _ => None,
    }
}

/// The size stands in the frame header, which may come after any number of other segments.
fn jpeg(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        while bytes.get(at)? == &0xff && bytes.get(at + 1)? == &0xff {
            at += 1;
        }
        let marker = *bytes.get(at + 1)?;
        let length = usize::try_from(be16(bytes, at + 2)?).ok()?;
        let is_frame = (0xc0..=0xcf).contains(&marker) && !matches!(marker, 0xc4 | 0xc8 | 0xcc);
        if is_frame {
            return be16(bytes, at + 7).zip(be16(bytes, at + 5));
        }
        if *bytes.get(at)? != 0xff || marker == 0xda {
            return None;
        }
        at += 2 + length.max(2);
    }
}
