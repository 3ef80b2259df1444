//! A plain archive (ustar): every machine can list and unpack it. Only regular files with short names.

use std::io;

const BLOCK: usize = 512;
/// No file that is read from an archive is larger than this.
const LARGEST: usize = 1 << 30;

/// An archive of these files, in this order. Times and owners are nobody's.
pub(super) fn pack<'a>(files: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> io::Result<Vec<u8>> {
    let mut archive = Vec::new();
    for (name, content) in files {
        archive.extend(header(name, content.len())?);
        archive.extend_from_slice(content);
        archive.resize(archive.len().next_multiple_of(BLOCK), 0);
    }
    archive.resize(archive.len() + 2 * BLOCK, 0);
    Ok(archive)
}

fn header(name: &str, size: usize) -> io::Result<[u8; BLOCK]> {
    let mut header = [0; BLOCK];
    let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
    if 100 < name.len() || LARGEST < size {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a file of a bundle is too large"));
    }
    put(0, name.as_bytes());
    put(100, b"0000600\0");
    put(108, b"0000000\0");
    put(116, b"0000000\0");
    put(124, format!("{size:011o}\0").as_bytes());
    put(136, b"00000000000\0");
    put(148, b"        ");
    put(156, b"0");
    put(257, b"ustar\x0000");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(header)
}

/// The content of a file in an archive; `None` if it is no archive, is broken, or has no such file.
pub(super) fn find<'a>(archive: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let mut rest = archive;
    while BLOCK <= rest.len() && rest[0] != 0 {
        let (header, after) = rest.split_at(BLOCK);
        if &header[257..262] != b"ustar" {
            return None;
        }
        let size = std::str::from_utf8(&header[124..135]).ok()?;
        let size = usize::from_str_radix(size.trim_end_matches('\0').trim(), 8).ok()?;
        let content = after.get(..size)?;
        let end = header[..100].iter().position(|byte| *byte == 0).unwrap_or(100);
        if &header[..end] == name.as_bytes() {
            return Some(content);
        }
        rest = after.get(size.next_multiple_of(BLOCK)..)?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_can_be_found() {
        let long = vec![7; 1_300];
        let archive = pack([("a.json", &b"{}"[..]), ("b/c.txt", &long[..]), ("empty", &[][..])]).unwrap();
        assert_eq!(archive.len() % BLOCK, 0);
        assert_eq!(find(&archive, "a.json"), Some(&b"{}"[..]));
        assert_eq!(find(&archive, "b/c.txt"), Some(&long[..]));
        assert_eq!(find(&archive, "empty"), Some(&[][..]));
        assert_eq!(find(&archive, "d"), None);
        assert!(pack([("x".repeat(101).as_str(), &[][..])]).is_err());
    }

    #[test]
    fn what_is_broken_is_no_archive() {
        let archive = pack([("a.json", &[1; 600][..])]).unwrap();
        for end in 0..archive.len() {
            let found = find(&archive[..end], "a.json");
            assert!(found.is_none() || 1_112 <= end, "cut at {end}");
        }
        assert_eq!(find(&[b'x'; 4_096], "a.json"), None);
    }
}
