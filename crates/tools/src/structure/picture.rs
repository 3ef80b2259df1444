//! Pictures: how large, by their headers. Nothing is decoded.

mod boxes;
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
    /// Whether it says where it was taken.
    #[serde(default)]
    pub is_located: bool,
}

/// The bytes of a file that were read: its beginning, and a piece further behind.
pub(super) struct View<'b> {
    head: &'b [u8],
    far_at: Option<usize>,
    far: &'b [u8],
}

impl<'b> View<'b> {
    fn get(&self, at: usize, length: usize) -> Option<&'b [u8]> {
        let end = at.checked_add(length)?;
        let far = || {
            let start = self.far_at?;
            self.far.get(at.checked_sub(start)?..end.checked_sub(start)?)
        };
        self.head.get(at..end).or_else(far)
    }
}

/// Where a piece of a picture or a film stands that tells more than its beginning, of which the beginning is given;
/// `None` where nothing more is known of it.
pub fn far(head: &[u8]) -> Option<u64> {
    if exif::is_tiff(Some(head)) {
        let is_big_endian = head.starts_with(b"MM");
        let at: [u8; 4] = head.get(4..8)?.try_into().ok()?;
        let at = u64::from(if is_big_endian { u32::from_be_bytes(at) } else { u32::from_le_bytes(at) });
        // What a directory points to often stands before it.
        return (head.len() as u64 <= at.saturating_add(4096)).then(|| at.saturating_sub(8192));
    }
    boxes::far(head)
}

/// A picture by its beginning and a piece further behind.
pub fn picture(head: &[u8], far: Option<(u64, &[u8])>) -> Option<Picture> {
    let (far_at, far) = far.map_or((None, &[][..]), |(at, far)| (usize::try_from(at).ok(), far));
    read(&View { head, far_at, far })?.ok()
}

/// Reads the header of a picture; `None` if the bytes are no picture that is known.
pub(super) fn outline(bytes: &[u8]) -> Option<Result<Picture, NotParsed>> {
    read(&View { head: bytes, far_at: None, far: &[] })
}

fn read(view: &View<'_>) -> Option<Result<Picture, NotParsed>> {
    let bytes = view.head;
    let none = exif::Details::default;
    let (format, size, details) = match bytes {
        [0x89, b'P', b'N', b'G', ..] => ("PNG", be32(bytes, 16).zip(be32(bytes, 20)), none()),
        [b'G', b'I', b'F', b'8', ..] => ("GIF", le16(bytes, 6).zip(le16(bytes, 8)), none()),
        [b'B', b'M', _, _, _, _, 0, 0, 0, 0, ..] => ("BMP", bitmap(bytes), none()),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => ("WebP", webp(bytes), none()),
        [0xff, 0xd8, 0xff, ..] => ("JPEG", jpeg(bytes), exif::inside(view)),
        [0, 0, 1, 0, ..] if bytes.len() < 1 << 20 => ("ICO", icon(bytes), none()),
        _ if bytes.starts_with(b"FUJIFILMCCD-RAW") => {
            let details = exif::inside(view);
            ("RAF", be32(bytes, 84).and_then(|at| jpeg(bytes.get(usize::try_from(at).ok()?..)?)), details)
        }
        _ if exif::is_tiff(Some(bytes)) => {
            let details = exif::of_tiff(view, 0);
            ("TIFF", details.size, details)
        }
        _ => {
            let format = boxes::format(bytes)?;
            let (size, details) = boxes::read(format, view);
            (format, size, details)
        }
    };
    let Some((width, height)) = size else {
        return Some(Err(NotParsed::Malformed {
            what: format!("a {format} picture without its size"),
            line: 0,
        }));
    };
    let exif::Details { taken, camera, is_located, .. } = details;
    Some(Ok(Picture { format: format.to_owned(), width, height, taken, camera, is_located }))
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
