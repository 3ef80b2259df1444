//! The central directory of a zip file.

use super::{Archive, ArchiveFormat};

/// The list at the end of a zip file.
pub(super) fn list(bytes: &[u8]) -> Option<Archive> {
    let mut archive = Archive::new(ArchiveFormat::Zip);
    let tail = bytes.len().saturating_sub(66_000);
    let end = tail + memchr::memmem::rfind(bytes.get(tail..)?, b"PK\x05\x06")?;
    let mut at = usize::try_from(le(bytes, end + 16, 4)?).ok()?;
    if at == 0xffff_ffff {
        // More than four gigabytes: another record says where the list begins.
        let locator = end.checked_sub(20).filter(|at| bytes.get(*at..*at + 4) == Some(b"PK\x06\x07"))?;
        let record = usize::try_from(le(bytes, locator + 8, 8)?).ok()?;
        at = usize::try_from(le(bytes, record.checked_add(48)?, 8)?).ok()?;
    }
    while bytes.get(at..at.checked_add(4)?) == Some(b"PK\x01\x02") {
        let size = le(bytes, at + 24, 4)?;
        let length = usize::try_from(le(bytes, at + 28, 2)?).ok()?;
        let extra = usize::try_from(le(bytes, at + 30, 2)?).ok()?;
        let comment = usize::try_from(le(bytes, at + 32, 2)?).ok()?;
        let Some(name) = bytes.get(at + 46..at + 46 + length) else {
            archive.is_partial = true;
            break;
        };
        let extra_bytes = bytes.get(at + 46 + length..at + 46 + length + extra).unwrap_or_default();
        let size = if size == 0xffff_ffff { large_size(extra_bytes).unwrap_or(size) } else { size };
        archive.push(name, size, name.ends_with(b"/"));
        at += 46 + length + extra + comment;
    }
    Some(archive)
}

/// The size of an entry of more than four gigabytes.
fn large_size(extra: &[u8]) -> Option<u64> {
    let mut at = 0;
    loop {
        let (id, length) = (le(extra, at, 2)?, usize::try_from(le(extra, at + 2, 2)?).ok()?);
        if id == 1 {
            return le(extra, at + 4, 8);
        }
        at += 4 + length;
    }
}

/// A number of so many bytes, the lowest first.
fn le(bytes: &[u8], at: usize, length: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(length)?)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}
