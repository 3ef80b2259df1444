//! Archives, packages and compressed files.

use luminos_core::scan::Category::{Archive, Data};

use super::Description;
use super::head::Endian::Little;
use super::head::Head;
use super::signature::{Signature, read, words};
use super::zip;

pub(super) const SIGNATURES: &[Signature] = &[
    read(b"PK\x03\x04", zip::read),
    words(b"PK\x05\x06", Archive, "Zip archive data (empty)"),
    words(b"PK\x07\x08PK\x03\x04", Archive, "Zip multi-volume archive data, at least PKZIP v2.50 to extract"),
    words(b"PK00PK\x03\x04", Archive, "Zip archive data"),
    read(b"\x1f\x8b", gzip),
    read(b"BZh", bzip2),
    read(b"\xfd7zXZ\0", xz),
    read(b"\x5d\0\0", lzma),
    read(b"\x28\xb5\x2f\xfd", zstandard),
    words(b"\x37\xa4\x30\xec", Archive, "Zstandard dictionary"),
    words(b"\x04\x22\x4d\x18", Archive, "LZ4 compressed data (v1.4+)"),
    words(b"\x03\x21\x4c\x18", Archive, "LZ4 compressed data (v1.0-v1.3)"),
    words(b"\x02\x21\x4c\x18", Archive, "LZ4 compressed data (v0.1-v0.9)"),
    read(b"\x1f\x9d", compress),
    words(b"\x1f\xa0", Archive, "SCO compress -H (LZH) data"),
    words(b"\x1f\x1e", Archive, "packed data"),
    words(b"LZIP\x01", Archive, "lzip compressed data, version: 1"),
    words(b"LZIP\0", Archive, "lzip compressed data, version: 0"),
    words(b"\x89LZO\0\r\n\x1a\n", Archive, "lzop compressed data"),
    words(b"LRZI", Archive, "LRZIP compressed data"),
    words(b"\xff\x06\0\0sNaPpY", Archive, "snappy framed data"),
    words(b"mozLz40\0", Archive, "Mozilla lz4 compressed data"),
    read(b"\x78", zlib),
    read(b"7z\xbc\xaf\x27\x1c", seven_zip),
    words(b"Rar!\x1a\x07\x01\0", Archive, "RAR archive data, v5"),
    words(b"Rar!\x1a\x07\0", Archive, "RAR archive data"),
    words(b"MSCF\0\0\0\0", Archive, "Microsoft Cabinet archive data"),
    words(b"ISc(", Archive, "InstallShield CAB"),
    words(b"MSWIM\0\0\0", Archive, "Windows imaging (WIM) image"),
    words(b"xar!\0\x1c", Archive, "xar archive"),
    words(b"**ACE**", Archive, "ACE archive data").at(7),
    words(b"\xdc\xa7\xc4\xfd", Archive, "Zoo archive data").at(20),
    words(b"StuffIt (c)1997-", Archive, "StuffIt Archive"),
    words(b"SIT!", Archive, "StuffIt Archive (data)"),
    read(b"-lh", lha).at(2),
    read(b"070701", ascii_cpio),
    read(b"070702", ascii_cpio),
    read(b"070707", ascii_cpio),
    words(b"\xc7\x71", Archive, "cpio archive"),
    words(b"\x71\xc7", Archive, "byte-swapped cpio archive"),
    words(b"!<arch>\ndebian", Archive, "Debian binary package (format 2.0)"),
    words(b"!<arch>\n", Archive, "current ar archive"),
    words(b"!<thin>\n", Archive, "thin archive with"),
    words(b"<bigaf>\n", Archive, "archive (big format)"),
    read(b"\xed\xab\xee\xdb", rpm),
    words(b"Cr24\x02\0\0\0", Archive, "Google Chrome extension, version 2"),
    words(b"Cr24\x03\0\0\0", Archive, "Google Chrome extension, version 3"),
    read(b"ustar", tar).at(257),
    read(b"", old_tar).at(512),
    words(b"d8:announce", Data, "BitTorrent file"),
    words(b"d13:announce-list", Data, "BitTorrent file"),
    words(b"d7:comment", Data, "BitTorrent file"),
    words(b"d4:infod", Data, "BitTorrent file"),
];

fn packed(text: impl Into<std::borrow::Cow<'static, str>>) -> Option<Description> {
    Some(Description::new(Archive, text))
}

/// The original's name, time and length are the file's own and left out; how it was packed is a kind.
fn gzip(head: Head<'_>) -> Option<Description> {
    if head.u8(2)? != 8 {
        return packed("gzip compressed data, unknown method");
    }
    let effort = match head.u8(8)? {
        2 => ", max compression",
        4 => ", max speed",
        _ => "",
    };
    let system = match head.u8(9)? {
        0 => ", from FAT filesystem (MS-DOS, OS/2, NT)",
        3 => ", from Unix",
        7 => ", from MacOS",
        11 => ", from NTFS filesystem (NT)",
        _ => "",
    };
    match (effort, system) {
        ("", "") => packed("gzip compressed data"),
        ("", ", from Unix") => packed("gzip compressed data, from Unix"),
        (", max compression", ", from Unix") => packed("gzip compressed data, max compression, from Unix"),
        _ => packed(format!("gzip compressed data{effort}{system}")),
    }
}

fn bzip2(head: Head<'_>) -> Option<Description> {
    match head.u8(3)? {
        size @ b'1'..=b'9' if head.starts_binary() => {
            packed(format!("bzip2 compressed data, block size = {}00k", char::from(size)))
        }
        _ => None,
    }
}

fn xz(head: Head<'_>) -> Option<Description> {
    packed(match head.u8(7)? {
        0 => "XZ compressed data, checksum NONE",
        1 => "XZ compressed data, checksum CRC32",
        4 => "XZ compressed data, checksum CRC64",
        10 => "XZ compressed data, checksum SHA-256",
        _ => "XZ compressed data",
    })
}

/// Three bytes prove little. The rest of the header is the length: unknown, or less than a terabyte.
fn lzma(head: Head<'_>) -> Option<Description> {
    match head.u64(5, Little)? {
        u64::MAX => packed("LZMA compressed data, streamed"),
        length if length < 1 << 40 && 0 < length && head.u8(13)? == 0 => {
            packed("LZMA compressed data, non-streamed")
        }
        _ => None,
    }
}

fn zstandard(head: Head<'_>) -> Option<Description> {
    // The lowest two bits tell how long the number of the dictionary is.
    match head.u8(4)? & 3 {
        0 => packed("Zstandard compressed data (v0.8+), Dictionary ID: None"),
        _ => packed("Zstandard compressed data (v0.8+), with a dictionary"),
    }
}

fn compress(head: Head<'_>) -> Option<Description> {
    let flags = head.u8(2)?;
    let block = if flags & 0x80 != 0 { "" } else { "not block-compressed " };
    packed(format!("compress'd data {block}{} bits", flags & 31))
}

/// The two bytes of a zlib header are a multiple of 31; a text that begins with `x` has printable ones.
fn zlib(head: Head<'_>) -> Option<Description> {
    match head.u8(1)? {
        0x01 | 0x9c | 0xda if head.starts_binary() => packed("zlib compressed data"),
        0x5e if head.bytes.contains(&0) => packed("zlib compressed data"),
        _ => None,
    }
}

fn seven_zip(head: Head<'_>) -> Option<Description> {
    packed(format!("7-zip archive data, version {}.{}", head.u8(6)?, head.u8(7)?))
}

fn lha(head: Head<'_>) -> Option<Description> {
    (head.u8(6)? == b'-')
        .then(|| Description::new(Archive, format!("LHa archive data [{}]", head.word(3, 3))))
}

/// The whole header is printable: nothing but digits tells it from a text.
fn ascii_cpio(head: Head<'_>) -> Option<Description> {
    let digits = head.slice(6, 70);
    (digits.len() == 70 && digits.iter().all(u8::is_ascii_hexdigit)).then_some(())?;
    packed(match head.u8(5)? {
        b'1' => "ASCII cpio archive (SVR4 with no CRC)",
        b'2' => "ASCII cpio archive (SVR4 with CRC)",
        _ => "ASCII cpio archive (pre-SVR4 or odc)",
    })
}

fn rpm(head: Head<'_>) -> Option<Description> {
    let (major, minor) = (head.u8(4)?, head.u8(5)?);
    let form = if head.u8(7)? == 1 { "src" } else { "bin" };
    packed(format!("RPM v{major}.{minor} {form}"))
}

fn tar(head: Head<'_>) -> Option<Description> {
    packed(if head.has(257, b"ustar  \0") { "POSIX tar archive (GNU)" } else { "POSIX tar archive" })
}

/// Before 1988 a tar archive had no magic number: the check sum over its first header must do.
fn old_tar(head: Head<'_>) -> Option<Description> {
    let header = head.slice(0, 512);
    let (before, rest) = header.split_at_checked(148)?;
    let (field, after) = rest.split_at_checked(8)?;
    if header[0] == 0 || !matches!(field[7], 0 | b' ') {
        return None;
    }
    let digits = std::str::from_utf8(field).ok()?.trim_matches(['\0', ' ']);
    let claimed = u32::from_str_radix(digits, 8).ok()?;
    let spaces = 8 * u32::from(b' ');
    let sum = before.iter().chain(after).map(|byte| u32::from(*byte)).sum::<u32>() + spaces;
    (sum == claimed).then(|| Description::new(Archive, "tar archive"))
}
