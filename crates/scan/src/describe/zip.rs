//! Zip archives, and the many formats that are zip archives inside.
//!
//! What a zip file is for shows in the names of its first members, so these are read one after the other
//! as long as the head reaches.

use luminos_core::scan::Category::{self, Archive, Data, Document, Media};

use super::Description;
use super::head::Endian::Little;
use super::head::Head;

/// One member of the archive, from the header before its bytes.
struct Member<'a> {
    name: &'a [u8],
    /// Where its bytes start.
    body: usize,
    /// How long they are, unless the archive was written as a stream and tells only afterwards.
    packed: Option<usize>,
    /// The extra field: Java marks its archives there.
    extra: &'a [u8],
}

/// More would tell nothing new: the names that matter come first.
const MOST_MEMBERS: usize = 24;

pub(super) fn read(head: Head<'_>) -> Option<Description> {
    let first = member(head, 0)?;
    if first.name == b"mimetype" {
        return Some(by_mimetype(head, &first).unwrap_or_else(|| plain(head)));
    }
    if first.extra.starts_with(b"\xfe\xca") {
        return Some(Description::new(Archive, "Java archive data (JAR)"));
    }
    let office = first.name == b"[Content_Types].xml"
        || first.name == b"_rels/.rels"
        || first.name == b"docProps/app.xml"
        || first.name == b"docProps/core.xml";
    let mut next = Some(first);
    for _ in 0..MOST_MEMBERS {
        let Some(member) = next else { break };
        if let Some((category, text)) = by_name(member.name, office) {
            return Some(Description::new(category, text));
        }
        next = member.packed.and_then(|packed| self::member(head, member.body.checked_add(packed)?));
    }
    if office {
        return Some(Description::new(Document, "Microsoft OOXML"));
    }
    Some(plain(head))
}

fn member(head: Head<'_>, at: usize) -> Option<Member<'_>> {
    if !head.has(at, b"PK\x03\x04") {
        return None;
    }
    let streamed = head.u16(at + 6, Little)? & 8 != 0;
    let packed = usize::try_from(head.u32(at + 18, Little)?).ok()?;
    let name_len = usize::from(head.u16(at + 26, Little)?);
    let extra_len = usize::from(head.u16(at + 28, Little)?);
    let name = head.slice(at + 30, name_len);
    let extra = head.slice(at + 30 + name_len, extra_len);
    let packed = if streamed && packed == 0 { None } else { Some(packed) };
    Some(Member { name, body: at + 30 + name_len + extra_len, packed, extra })
}

fn by_mimetype(head: Head<'_>, first: &Member<'_>) -> Option<Description> {
    let mimetype = head.word(first.body, first.packed?.min(128));
    let (category, text) = match mimetype {
        "application/epub+zip" => (Document, "EPUB document"),
        "image/openraster" => (Media, "OpenRaster Image"),
        "application/x-krita" => (Media, "Krita document"),
        _ => match mimetype.strip_prefix("application/vnd.oasis.opendocument.")? {
            "text" => (Document, "OpenDocument Text"),
            "text-template" => (Document, "OpenDocument Text Template"),
            "text-master" => (Document, "OpenDocument Master Document"),
            "spreadsheet" => (Document, "OpenDocument Spreadsheet"),
            "spreadsheet-template" => (Document, "OpenDocument Spreadsheet Template"),
            "presentation" => (Document, "OpenDocument Presentation"),
            "presentation-template" => (Document, "OpenDocument Presentation Template"),
            "graphics" => (Document, "OpenDocument Drawing"),
            "graphics-template" => (Document, "OpenDocument Drawing Template"),
            "chart" => (Document, "OpenDocument Chart"),
            "formula" => (Document, "OpenDocument Formula"),
            "database" | "base" => (Data, "OpenDocument Database"),
            "image" => (Media, "OpenDocument Image"),
            _ => return None,
        },
    };
    Some(Description::new(category, text))
}

fn by_name(name: &[u8], office: bool) -> Option<(Category, &'static str)> {
    if office {
        for (prefix, text) in [
            (&b"word/"[..], "Microsoft Word 2007+"),
            (b"xl/", "Microsoft Excel 2007+"),
            (b"ppt/", "Microsoft PowerPoint 2007+"),
            (b"visio/", "Microsoft Visio 2013+"),
        ] {
            if name.starts_with(prefix) {
                return Some((Document, text));
            }
        }
    }
    if name.ends_with(b".dist-info/WHEEL") {
        return Some((Archive, "Python wheel, Zip archive data"));
    }
    match name {
        b"META-INF/MANIFEST.MF" => Some((Archive, "Java archive data (JAR)")),
        b"AndroidManifest.xml" => Some((Archive, "Android package (APK), with AndroidManifest.xml")),
        b"classes.dex" => Some((Archive, "Android package (APK), with classes.dex")),
        b"META-INF/com/android/build/gradle/app-metadata.properties" => {
            Some((Archive, "Android package (APK), with gradle app-metadata.properties"))
        }
        _ => None,
    }
}

/// An archive and nothing else.
fn plain(head: Head<'_>) -> Description {
    let version = head.u8(4).unwrap_or(20);
    let method = match head.u16(8, Little) {
        Some(0) => "store",
        Some(8) => "deflate",
        Some(9) => "deflate64",
        Some(12) => "bzip2",
        Some(14) => "lzma",
        Some(93) => "zstd",
        Some(95) => "xz",
        _ => return Description::new(Archive, "Zip archive data"),
    };
    let (major, minor) = (version / 10, version % 10);
    let text = format!("Zip archive data, at least v{major}.{minor} to extract, compression method={method}");
    Description::new(Archive, text)
}
