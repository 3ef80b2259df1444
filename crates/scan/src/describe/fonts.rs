//! Fonts that are not text.

use luminos_core::scan::Category::Media;

use super::Description;
use super::head::Endian::{Big, Little};
use super::head::Head;
use super::signature::{Signature, read, words};

pub(super) const SIGNATURES: &[Signature] = &[
    read(b"\0\x01\0\0", true_type),
    read(b"true\0", true_type),
    words(b"OTTO\0", Media, "OpenType font data"),
    read(b"ttcf\0", collection),
    read(b"wOFF", web),
    read(b"wOF2", web),
    read(b"LP", embedded).at(34),
    words(b"\x01fcp", Media, "X11 Portable Compiled Font data"),
    read(b"\x36\x04", console_1),
    read(b"\x72\xb5\x4a\x86", console_2),
    words(b"%!PS-AdobeFont-", Media, "PostScript Type 1 font program data").at(6),
    words(b"%!FontType1-", Media, "PostScript Type 1 font program data").at(6),
];

fn true_type(head: Head<'_>) -> Option<Description> {
    let tables = head.u16(4, Big)?;
    let first = head.word(12, 4);
    // Version 1.0 is hardly a magic number. The tables are sorted, so the first has one of few names.
    if !(1..=48).contains(&tables) || first.len() != 4 {
        return None;
    }
    let signed = if first == "DSIG" { ", digitally signed" } else { "" };
    let text = format!("TrueType Font data{signed}, {tables} tables, 1st \"{first}\"");
    Some(Description::new(Media, text))
}

fn collection(head: Head<'_>) -> Option<Description> {
    let (major, minor, fonts) = (head.u16(4, Big)?, head.u16(6, Big)?, head.u32(8, Big)?);
    let text = format!("TrueType font collection data, {major}.{minor}, {fonts} fonts");
    Some(Description::new(Media, text))
}

fn web(head: Head<'_>) -> Option<Description> {
    let version = if head.u8(3)? == b'2' { " (Version 2)" } else { "" };
    let outlines = match head.slice(4, 4) {
        b"OTTO" => "CFF",
        b"\0\x01\0\0" | b"true" => "TrueType",
        _ => return None,
    };
    let length = head.u32(8, Big)?;
    // The second form has one more length before its version.
    let at = if version.is_empty() { 20 } else { 24 };
    let (major, minor) = (head.u16(at, Big)?, head.u16(at + 2, Big)?);
    let text = format!("Web Open Font Format{version}, {outlines}, length {length}, version {major}.{minor}");
    Some(Description::new(Media, text))
}

fn console_1(head: Head<'_>) -> Option<Description> {
    let (mode, height) = (head.u8(2)?, head.u8(3)?);
    let characters = if mode & 1 == 0 { 256 } else { 512 };
    (mode < 6 && 0 < height && height <= 64).then(|| {
        let directory = if mode & 2 == 0 { "no directory" } else { "Unicode directory" };
        let text =
            format!("Linux/i386 PC Screen Font v1 data, {characters} characters, {directory}, 8x{height}");
        Description::new(Media, text)
    })
}

fn console_2(head: Head<'_>) -> Option<Description> {
    let directory = if head.u32(12, Little)? & 1 == 0 { "no directory" } else { "Unicode directory" };
    let (characters, height, width) = (head.u32(16, Little)?, head.u32(24, Little)?, head.u32(28, Little)?);
    let text =
        format!("Linux/i386 PC Screen Font v2 data, {characters} characters, {directory}, {width}x{height}");
    Some(Description::new(Media, text))
}

/// Two letters prove little: the version before them is one of three.
fn embedded(head: Head<'_>) -> Option<Description> {
    let known = matches!(head.u32(8, Little)?, 0x0001_0000 | 0x0002_0001 | 0x0002_0002);
    known.then(|| Description::new(Media, "Embedded OpenType (EOT)"))
}
