//! Documents, drawings and models: what an office, a printer or a drawing board makes.

use luminos_core::scan::Category::{Config, Data, Document, Media};

use super::Description;
use super::head::Endian::Little;
use super::head::Head;
use super::signature::{Signature, read, words};

pub(super) const SIGNATURES: &[Signature] = &[
    read(b"%PDF-", pdf),
    read(b"%!PS", postscript),
    words(b"\xc5\xd0\xd3\xc6", Document, "DOS EPS Binary File"),
    read(b"{\\rtf", rich_text),
    words(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Document, "Composite Document File V2 Document"),
    words(b"BOOKMOBI", Document, "Mobipocket E-book").at(60),
    words(b"ITSF\x03\0\0\0", Document, "MS Windows HtmlHelp Data"),
    words(b"ITOLITLS", Document, "Microsoft Reader eBook Data"),
    words(b"\xffWPC", Document, "WordPerfect document"),
    words(b"\x78\x9f\x3e\x22", Data, "Transport Neutral Encapsulation Format (TNEF)"),
    words(b"!BDN", Data, "Microsoft Outlook Personal Storage"),
    words(b"\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d", Document, "Microsoft OneNote"),
    words(b"\xf7\x02\x01\x83\x92\xc0\x1c\x3b\0\0\0\0", Document, "TeX DVI file"),
    words(b"\x1bE\x1b", Document, "HP PCL printer data"),
    words(b"\x1b%-12345X", Document, "HP Printer Job Language data"),
    words(b"RaS2", Document, "Cups Raster version 2, Big Endian"),
    words(b"2SaR", Document, "Cups Raster version 2, Little Endian"),
    read(b"AC10", autocad),
    read(b"BLENDER", blender),
    words(b"Kaydara FBX Binary  \0\x1a", Media, "Kaydara FBX model"),
    read(b"glTF", gl_model),
    words(b"PXR-USDC", Media, "Pixar USD crate file"),
    words(b"bplist00", Config, "Apple binary property list"),
    words(b"L\0\0\0\x01\x14\x02\0\0\0\0\0\xc0\0\0\0\0\0\0F", Config, "MS Windows shortcut"),
    words(b"regf", Config, "MS Windows registry file, NT/2000 or above"),
    words(b"ElfFile\0", Data, "MS Windows Event Log"),
    words(b"b0VIM ", Data, "Vim swap file"),
    words(b"Vim\x9fUnDo\xe5", Data, "Vim undo file"),
    words(b"VimCrypt~0", Data, "Vim encrypted file data"),
];

fn pdf(head: Head<'_>) -> Option<Description> {
    let version = head.word(5, 3);
    Some(Description::new(Document, format!("PDF document, version {version}")))
}

fn postscript(head: Head<'_>) -> Option<Description> {
    let line = head.word(4, 64);
    if let Some(font) = line.strip_prefix("-AdobeFont-") {
        let name = font.split_once(": ").map_or("", |(_, name)| name);
        return Some(Description::new(Media, format!("PostScript Type 1 font text ({name})")));
    }
    let Some(level) = line.strip_prefix("-Adobe-") else {
        return Some(Description::new(Document, "PostScript document text"));
    };
    let (level, rest) = level.split_once(' ').unwrap_or((level, ""));
    let form = if rest.starts_with("EPSF") { ", type EPS" } else { "" };
    let text = format!("PostScript document text conforming DSC level {level}{form}");
    Some(Description::new(Document, text))
}

fn rich_text(head: Head<'_>) -> Option<Description> {
    let version = char::from(head.u8(5)?);
    if !version.is_ascii_digit() {
        return None;
    }
    let mut text = format!("Rich Text Format data, version {version}");
    for (word, name) in [("\\ansi", ", ANSI"), ("\\mac", ", Apple Macintosh"), ("\\pc", ", IBM PC")] {
        if head.has(6, word.as_bytes()) {
            text.push_str(name);
        }
    }
    if let Some(page) = head.word(6, 32).strip_prefix("\\ansi\\ansicpg") {
        let digits = page.trim_end_matches(|letter: char| !letter.is_ascii_digit());
        let end = digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
        text.push_str(&format!(", code page {}", &digits[..end]));
    }
    Some(Description::new(Document, text))
}

fn autocad(head: Head<'_>) -> Option<Description> {
    let release = match head.word(4, 2) {
        "09" => "R11/12",
        "12" => "R13",
        "14" => "R14",
        "15" => "2000-2002",
        "18" => "2004-2006",
        "21" => "2007-2009",
        "24" => "2010-2012",
        "27" => "2013-2017",
        "32" => "2018-2021",
        _ => return None,
    };
    let text = format!("DWG AutoDesk AutoCAD {release}");
    head.starts_binary().then(|| Description::new(Media, text))
}

fn blender(head: Head<'_>) -> Option<Description> {
    let bits = match head.u8(7)? {
        b'_' => "32",
        b'-' => "64",
        _ => return None,
    };
    let order = if head.u8(8)? == b'v' { "little" } else { "big" };
    let (major, minor) = (head.word(9, 1), head.word(10, 2));
    let text = format!("Blender3D, saved as {bits}-bits {order} endian with version {major}.{minor}");
    Some(Description::new(Media, text))
}

fn gl_model(head: Head<'_>) -> Option<Description> {
    let version = head.u32(4, Little)?;
    (version < 16).then(|| Description::new(Media, format!("glTF binary model, version {version}")))
}
