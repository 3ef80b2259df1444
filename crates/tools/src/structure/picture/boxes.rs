//! Files made of boxes, one in the other: HEIC and AVIF pictures, raw photos of Canon, films. Each box says how long it is
//! and what it is called.

use super::exif::{self, Details};
use super::{View, be16, be32};

/// Most boxes at the top that are looked at.
const MOST: usize = 200;
/// Most things that a list of contents may have.
const MOST_ITEMS: usize = 5_000;

/// Whether bytes are a picture made of boxes, and what it is stored as.
pub(super) fn format(bytes: &[u8]) -> Option<&'static str> {
    let brand = bytes.get(8..12).filter(|_| bytes.get(4..8) == Some(b"ftyp"))?;
    match brand {
        b"heic" | b"heix" | b"hevc" | b"heim" | b"heis" | b"mif1" | b"msf1" => Some("HEIC"),
        b"avif" | b"avis" => Some("AVIF"),
        b"crx " => Some("CR3"),
        _ => None,
    }
}

/// The size and the details of such a picture.
pub(super) fn read(format: &str, view: &View<'_>) -> (Option<(u32, u32)>, Details) {
    if format == "CR3" {
        let at = |name: &[u8]| memchr::memmem::find(view.head, name).map(|at| at + 4);
        let mut details = at(b"CMT1").map(|at| exif::of_tiff(view, at)).unwrap_or_default();
        let taken = at(b"CMT2").and_then(|at| exif::of_tiff(view, at).taken);
        details.taken = taken.or(details.taken);
        details.is_located = at(b"CMT4").is_some_and(|at| view.get(at, 8).is_some());
        return (details.size, details);
    }
    // Large pictures are made of tiles that have sizes of their own.
    let head = view.head.get(..view.head.len().min(64 << 10)).unwrap_or_default();
    let sizes = memchr::memmem::find_iter(head, b"ispe").take(MOST).filter_map(|at| {
        let size = be32(head, at + 8).zip(be32(head, at + 12));
        size.filter(|(width, height)| 0 < *width && 0 < *height)
    });
    (sizes.max_by_key(|(width, height)| u64::from(*width) * u64::from(*height)), exif::inside(view))
}

/// Where the details of a file stand, if they stand behind what was read.
pub(super) fn far(head: &[u8]) -> Option<u64> {
    if head.get(4..8)? != b"ftyp"
        && !matches!(head.get(4..8)?, b"moov" | b"mdat" | b"wide" | b"free" | b"skip")
    {
        return None;
    }
    let mut at = 0_u64;
    for _ in 0..MOST {
        let here = usize::try_from(at).ok()?;
        let Some(name) = head.get(here.checked_add(4)?..here.checked_add(8)?) else { return Some(at) };
        let length = match be32(head, here)? {
            1 => u64::from_be_bytes(head.get(here + 8..here + 16)?.try_into().ok()?),
            0 => return None,
            length => u64::from(length),
        };
        match name {
            b"moov" => return None,
            b"meta" if format(head).is_some() => {
                let end = here.saturating_add(usize::try_from(length).ok()?).min(head.len());
                return details_at(head.get(here..end)?).filter(|at| head.len() as u64 <= *at);
            }
            _ => at = at.checked_add(length.max(8))?,
        }
    }
    None
}

/// Where the details stand, by the two lists in the box `meta`: what is in the file, and where.
fn details_at(meta: &[u8]) -> Option<u64> {
    let infos = memchr::memmem::find(meta, b"iinf")?;
    let details = memchr::memmem::find_iter(meta.get(infos..)?, b"Exif").find_map(|at| {
        // Before the kind stand its number and a word of protection, behind the name of the box and its version.
        let name = (infos + at).checked_sub(12)?;
        (meta.get(name..name + 4)? == b"infe").then(|| be16(meta, name + 8))?
    })?;
    let list = memchr::memmem::find(meta, b"iloc")? + 4;
    let version = *meta.get(list)?;
    let sizes = be16(meta, list + 4)?;
    let width = |shift: u32| usize::try_from(sizes >> shift & 0xf).unwrap_or(0);
    let (offset, length, base) = (width(12), width(8), width(4));
    let index = if 0 < version { width(0) } else { 0 };
    let number = |at: usize, width: usize| -> Option<u64> {
        let bytes = meta.get(at..at.checked_add(width)?)?;
        Some(bytes.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)))
    };
    let wide = if version < 2 { 2 } else { 4 };
    let count = usize::try_from(number(list + 6, wide)?).ok()?.min(MOST_ITEMS);
    let mut at = list + 6 + wide;
    for _ in 0..count {
        let id = number(at, wide)?;
        at += wide + if 0 < version { 2 } else { 0 } + 2;
        let start = number(at, base)?;
        let extents = usize::try_from(number(at + base, 2)?).ok()?.min(MOST_ITEMS);
        at += base + 2;
        if id == u64::from(details) {
            return start.checked_add(number(at + index, offset)?);
        }
        at += extents * (index + offset + length);
    }
    None
}
