//! Images, with their dimensions where the header has them.

use luminos_core::scan::Category::{Document, Media};

use super::Description;
use super::head::Endian::{self, Big, Little};
use super::head::Head;
use super::signature::{Signature, read, words};

pub(super) const SIGNATURES: &[Signature] = &[
    read(b"\x89PNG\r\n\x1a\n", png),
    words(b"\x8aMNG\r\n\x1a\n", Media, "MNG video data"),
    read(b"\xff\xd8\xff", jpeg),
    read(b"GIF8", gif),
    read(b"BM", bitmap),
    read(b"II*\0", tiff),
    read(b"MM\0*", tiff),
    words(b"II+\0\x08\0\0\0", Media, "Big TIFF image data, little-endian"),
    words(b"MM\0+\0\x08\0\0", Media, "Big TIFF image data, big-endian"),
    read(b"\0\0\x01\0", icon),
    read(b"\0\0\x02\0", icon),
    read(b"8BPS", photoshop),
    read(b"gimp xcf ", gimp),
    words(b"\0\0\0\x0cJXL \r\n\x87\n", Media, "JPEG XL container"),
    words(b"\xff\x0a", Media, "JPEG XL codestream"),
    words(b"\0\0\0\x0cjP  \r\n\x87\n", Media, "JPEG 2000 Part 1 (JP2)"),
    words(b"\xff\x4f\xff\x51\0", Media, "JPEG 2000 codestream"),
    read(b"DDS |\0\0\0", direct_draw),
    words(b"v/1\x01", Media, "OpenEXR image data, version 2"),
    words(b"#?RADIANCE\n", Media, "Radiance HDR image data"),
    words(b"icns\0", Media, "Mac OS X icon"),
    read(b"qoif", qoi),
    words(b"SDPX", Media, "DPX image data, big-endian"),
    words(b"XPDS", Media, "DPX image data, little-endian"),
    words(b"\xd7\xcd\xc6\x9a\0\0", Media, "Windows metafile"),
    words(b" EMF\0\0", Media, "Windows Enhanced Metafile (EMF) image data version 0x10000").at(40),
    words(b"SIMPLE  =                    T", Media, "FITS image data"),
    words(b"FLIF", Media, "FLIF image data"),
    words(b"BPG\xfb", Media, "BPG (Better Portable Graphics)"),
    words(b"AT&TFORM", Document, "DjVu image or document"),
    words(b"Xcur", Media, "X11 cursor"),
    words(b"farbfeld", Media, "farbfeld image data"),
    words(b"\xabKTX 11\xbb\r\n\x1a\n", Media, "Khronos KTX texture"),
    words(b"\xabKTX 20\xbb\r\n\x1a\n", Media, "Khronos KTX2 texture"),
    read(b"P4", netpbm),
    read(b"P5", netpbm),
    read(b"P6", netpbm),
    words(b"\x0a\x05\x01", Media, "PCX ver. 3.0 image data"),
    words(b"acsp", Media, "color profile").at(36),
];

fn image(text: String) -> Option<Description> {
    Some(Description::new(Media, text))
}

fn png(head: Head<'_>) -> Option<Description> {
    if !head.has(12, b"IHDR") {
        return Some(Description::new(Media, "PNG image data"));
    }
    let (width, height, depth) = (head.u32(16, Big)?, head.u32(20, Big)?, head.u8(24)?);
    let colour = match head.u8(25)? {
        0 => " grayscale",
        2 => "/color RGB",
        3 => " colormap",
        4 => " gray+alpha",
        6 => "/color RGBA",
        _ => "",
    };
    let interlaced = if head.u8(28)? == 0 { "non-interlaced" } else { "interlaced" };
    image(format!("PNG image data, {width} x {height}, {depth}-bit{colour}, {interlaced}"))
}

fn jpeg(head: Head<'_>) -> Option<Description> {
    let mut text = String::from("JPEG image data");
    if head.has(6, b"JFIF\0") {
        let (major, minor) = (head.u8(11)?, head.u8(12)?);
        let unit = match head.u8(13)? {
            0 => "aspect ratio",
            1 => "resolution (DPI)",
            _ => "resolution (DPCM)",
        };
        let (across, down) = (head.u16(14, Big)?, head.u16(16, Big)?);
        let length = head.u16(4, Big)?;
        text.push_str(&format!(
            ", JFIF standard {major}.{minor:02}, {unit}, density {across}x{down}, segment length {length}"
        ));
    } else if head.has(6, b"Exif\0") {
        text.push_str(", Exif standard");
    }
    if let Some(frame) = jpeg_frame(head) {
        text.push_str(&frame);
    }
    image(text)
}

/// Pictures have some tens of segments before the frame; a damaged one may chain thousands.
const MOST_SEGMENTS: usize = 64;

/// Follows the segments up to the one with the dimensions.
fn jpeg_frame(head: Head<'_>) -> Option<String> {
    let mut at = 2;
    for _ in 0..MOST_SEGMENTS {
        if head.u8(at)? != 0xff {
            return None;
        }
        let coding = match head.u8(at + 1)? {
            0xc0 => "baseline",
            0xc1 => "extended sequential",
            0xc2 => "progressive",
            0xc3 => "lossless",
            0xda | 0xd9 => return None,
            _ => {
                at += 2 + usize::from(head.u16(at + 2, Big)?);
                continue;
            }
        };
        let precision = head.u8(at + 4)?;
        let (height, width) = (head.u16(at + 5, Big)?, head.u16(at + 7, Big)?);
        let components = head.u8(at + 9)?;
        return Some(format!(", {coding}, precision {precision}, {width}x{height}, components {components}"));
    }
    None
}

fn gif(head: Head<'_>) -> Option<Description> {
    let version = head.word(3, 3);
    let (width, height) = (head.u16(6, Little)?, head.u16(8, Little)?);
    matches!(version, "87a" | "89a")
        .then(|| Description::new(Media, format!("GIF image data, version {version}, {width} x {height}")))
}

fn bitmap(head: Head<'_>) -> Option<Description> {
    let (name, wide) = match head.u32(14, Little)? {
        12 => ("OS/2 1.x format", false),
        40 => ("Windows 3.x format", true),
        64 => ("OS/2 2.x format", true),
        108 => ("Windows 95/NT4 and newer format", true),
        124 => ("Windows 98/2000 and newer format", true),
        _ => return None,
    };
    let text = if wide {
        let (width, height) = (head.u32(18, Little)?, head.u32(22, Little)?.cast_signed());
        let depth = head.u16(28, Little)?;
        format!("PC bitmap, {name}, {width} x {height} x {depth}")
    } else {
        let (width, height) = (head.u16(18, Little)?, head.u16(20, Little)?);
        let depth = head.u16(24, Little)?;
        format!("PC bitmap, {name}, {width} x {height} x {depth}")
    };
    image(text)
}

fn tiff(head: Head<'_>) -> Option<Description> {
    let (endian, order) = if head.has(0, b"II") { (Little, "little") } else { (Big, "big") };
    let mut text = format!("TIFF image data, {order}-endian");
    if let Some((entries, width, height)) = tiff_directory(head, endian) {
        text.push_str(&format!(", direntries={entries}"));
        if let (Some(width), Some(height)) = (width, height) {
            text.push_str(&format!(", height={height}, width={width}"));
        }
    }
    image(text)
}

/// The number of entries, width and height. The directory may stand at the end of the file, out of reach.
fn tiff_directory(head: Head<'_>, endian: Endian) -> Option<(u16, Option<u32>, Option<u32>)> {
    let start = usize::try_from(head.u32(4, endian)?).ok()?;
    let entries = head.u16(start, endian)?;
    let (mut width, mut height) = (None, None);
    for number in 0..usize::from(entries.min(64)) {
        let at = start + 2 + number * 12;
        let (tag, form) = (head.u16(at, endian)?, head.u16(at + 2, endian)?);
        let value = match form {
            3 => head.u16(at + 8, endian).map(u32::from),
            _ => head.u32(at + 8, endian),
        };
        match tag {
            256 => width = value,
            257 => height = value,
            _ => {}
        }
    }
    Some((entries, width, height))
}

/// Icons and cursors have no magic number worth the name: the first entry must make sense too.
fn icon(head: Head<'_>) -> Option<Description> {
    let count = head.u16(4, Little)?;
    let offset = u64::from(head.u32(18, Little)?);
    let least = 6 + 16 * u64::from(count);
    if count == 0 || offset < least || head.size <= offset || head.u8(9)? != 0 {
        return None;
    }
    let form = if head.u8(2)? == 1 { "icon" } else { "cursor" };
    let plural = if count == 1 { "" } else { "s" };
    let side = |byte: u8| if byte == 0 { 256 } else { u32::from(byte) };
    let (width, height) = (side(head.u8(6)?), side(head.u8(7)?));
    let mut text = format!("MS Windows {form} resource - {count} icon{plural}, {width}x{height}");
    match (form, head.u16(12, Little)?) {
        ("icon", 0) => {}
        ("icon", depth) => text.push_str(&format!(", {depth} bits/pixel")),
        (_, down) => text.push_str(&format!(", hotspot @{}x{down}", head.u16(10, Little)?)),
    }
    image(text)
}

fn photoshop(head: Head<'_>) -> Option<Description> {
    let (channels, height, width) = (head.u16(12, Big)?, head.u32(14, Big)?, head.u32(18, Big)?);
    let depth = head.u16(22, Big)?;
    let mode = match head.u16(24, Big)? {
        0 => "bitmap",
        1 => "grayscale",
        2 => "indexed",
        3 => "RGB",
        4 => "CMYK",
        7 => "multichannel",
        8 => "duotone",
        _ => "lab",
    };
    image(format!("Adobe Photoshop Image, {width} x {height}, {mode}, {channels}x {depth}-bit channels"))
}

fn gimp(head: Head<'_>) -> Option<Description> {
    let version = match head.word(9, 4) {
        "file" => "0",
        version => version.strip_prefix('v')?,
    };
    let (width, height) = (head.u32(14, Big)?, head.u32(18, Big)?);
    let colour = match head.u32(22, Big)? {
        0 => "RGB Color",
        1 => "Greyscale",
        _ => "Indexed Color",
    };
    image(format!("GIMP XCF image data, version {version}, {width} x {height}, {colour}"))
}

fn direct_draw(head: Head<'_>) -> Option<Description> {
    let (height, width) = (head.u32(12, Little)?, head.u32(16, Little)?);
    image(format!("Microsoft DirectDraw Surface (DDS): {width} x {height}"))
}

fn qoi(head: Head<'_>) -> Option<Description> {
    let (width, height) = (head.u32(4, Big)?, head.u32(8, Big)?);
    head.starts_binary().then(|| Description::new(Media, format!("QOI image data {width}x{height}")))
}

/// The portable bitmaps of Unix: a header of words, then raw pixels.
fn netpbm(head: Head<'_>) -> Option<Description> {
    let header = head.slice(2, 64);
    let mut words = header.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let mut number = || std::str::from_utf8(words.next()?).ok()?.parse::<u32>().ok();
    let (width, height) = (number()?, number()?);
    let form = match head.u8(1)? {
        b'4' => "bitmap",
        b'5' => "greymap",
        _ => "pixmap",
    };
    image(format!("Netpbm image data, size = {width} x {height}, rawbits, {form}"))
}
