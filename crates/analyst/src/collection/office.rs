//! Documents of office programs: packed XML. What they are called, their headings, their sheets.
//!
//! The list of contents at the end of the file names the parts; one or two of them are unpacked, up to a limit, and read
//! for a few marks. Nothing here needs the XML to be right.

use std::io::Read as _;

use flate2::read::DeflateDecoder;

/// No part is unpacked further.
const LARGEST: u64 = 4 << 20;
/// So many headings or sheets are told.
const HEADINGS: usize = 3;
/// A longer text is no title.
const LONGEST: usize = 120;
/// So many of its first words are kept.
const READ: usize = 8 << 10;

/// What a document says of itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Office {
    /// What it is called, or how it begins.
    pub(super) title: Option<String>,
    /// Its first headings.
    pub(super) headings: Vec<String>,
    /// The names of its sheets.
    pub(super) sheets: Vec<String>,
    /// How many slides it has.
    pub(super) slides: u64,
    /// Its first words.
    pub(super) text: String,
}

/// Reads a document; `None` for what is none.
pub(super) fn read(bytes: &[u8]) -> Option<Office> {
    let names = parts(bytes)?;
    let part = |name: &str| {
        names.iter().find(|part| part.name == name).and_then(|part| unpacked(bytes, part, LARGEST))
    };
    let mut office = Office::default();
    let about = part("docProps/core.xml").or_else(|| part("meta.xml")).unwrap_or_default();
    office.title = between(&about, "<dc:title", "</dc:title>");
    if let Some(text) = part("word/document.xml") {
        let mut first = None;
        for paragraph in text.split("<w:p ").flat_map(|piece| piece.split("<w:p>")).skip(1) {
            let words = texts(paragraph, "<w:t");
            if words.is_empty() {
                continue;
            }
            office.hear(&words);
            let style = attribute(paragraph, "<w:pStyle w:val=\"").to_ascii_lowercase();
            if style.starts_with("title") && office.title.is_none() {
                office.title = Some(words.clone());
            } else if style.starts_with("heading") && office.headings.len() < HEADINGS {
                office.headings.push(words.clone());
            }
            first.get_or_insert(words);
        }
        office.title = office.title.or_else(|| office.headings.first().cloned()).or(first);
    } else if let Some(slide) = part("ppt/slides/slide1.xml") {
        let is_slide = |name: &str| {
            name.strip_prefix("ppt/slides/slide")
                .is_some_and(|rest| rest.ends_with(".xml") && !rest.contains('/'))
        };
        office.slides = names.iter().filter(|part| is_slide(&part.name)).count() as u64;
        let first =
            slide.split("<a:p>").skip(1).map(|piece| texts(piece, "<a:t")).find(|words| !words.is_empty());
        // Programs call every set of slides the same.
        let is_own = |title: &String| !title.starts_with("PowerPoint");
        office.title = office.title.filter(is_own).or(first);
    } else if let Some(text) = part("xl/workbook.xml") {
        let sheets = text.split("<sheet ").skip(1).map(|sheet| clean(attribute(sheet, "name=\"")));
        office.sheets = sheets.filter(|name| !name.is_empty()).take(HEADINGS * 2).collect();
    } else if let Some(text) = part("content.xml") {
        let heads = text
            .split("<text:h")
            .skip(1)
            .filter_map(|head| head.split_once('>')?.1.split("</text:h>").next());
        office.headings = heads.map(clean).filter(|head| !head.is_empty()).take(HEADINGS).collect();
        for paragraph in text.split("<text:p").skip(1).take(200) {
            let words = paragraph.split_once('>').and_then(|(_, rest)| rest.split("</text:p>").next());
            office.hear(&clean(words.unwrap_or_default()));
        }
        let sheets =
            text.split("<table:table ").skip(1).map(|sheet| clean(attribute(sheet, "table:name=\"")));
        office.sheets = sheets.filter(|name| !name.is_empty()).take(HEADINGS * 2).collect();
        let first =
            text.split("<text:p").nth(1).and_then(|first| first.split_once('>')?.1.split("</text:p>").next());
        office.title = office.title.or_else(|| office.headings.first().cloned()).or_else(|| first.map(clean));
    }
    let fits = |text: &String| !text.is_empty() && text.chars().count() <= LONGEST;
    office.title = office.title.filter(fits);
    office.headings.retain(fits);
    Some(office)
}

impl Office {
    fn hear(&mut self, words: &str) {
        if self.text.len() < READ {
            self.text.push_str(words);
            self.text.push('\n');
        }
    }
}

/// A packed file whose parts are read one after the other.
pub(super) struct Package<'b> {
    bytes: &'b [u8],
    parts: Vec<Part>,
}

impl<'b> Package<'b> {
    /// `None` for what is no packed file.
    pub(super) fn open(bytes: &'b [u8]) -> Option<Self> {
        Some(Self { bytes, parts: parts(bytes)? })
    }

    /// A part by its name, as text, up to a limit.
    pub(super) fn part(&self, name: &str, most: u64) -> Option<String> {
        unpacked(self.bytes, self.parts.iter().find(|part| part.name == name)?, most)
    }
}

/// A part of a packed file by its name, as text.
pub(super) fn part_of(bytes: &[u8], name: &str) -> Option<String> {
    unpacked(bytes, parts(bytes)?.iter().find(|part| part.name == name)?, LARGEST)
}

/// A part of a packed file.
struct Part {
    name: String,
    method: u16,
    packed: usize,
    at: usize,
}

/// The list of contents of a ZIP file.
fn parts(bytes: &[u8]) -> Option<Vec<Part>> {
    let tail = bytes.len().saturating_sub(66_000);
    let end = tail + memchr::memmem::rfind(&bytes[tail..], b"PK\x05\x06")?;
    let u16_at = |at: usize| Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
    let u32_at = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?) as usize);
    let mut at = u32_at(end + 16)?;
    let mut parts = Vec::new();
    for _ in 0..u16_at(end + 10)? {
        if bytes.get(at..at.checked_add(4)?)? != b"PK\x01\x02" {
            break;
        }
        let length = usize::from(u16_at(at + 28)?);
        let name = String::from_utf8_lossy(bytes.get(at + 46..at + 46 + length)?).into_owned();
        parts.push(Part { name, method: u16_at(at + 10)?, packed: u32_at(at + 20)?, at: u32_at(at + 42)? });
        at += 46 + length + usize::from(u16_at(at + 30)?) + usize::from(u16_at(at + 32)?);
    }
    Some(parts)
}

/// A part as text, up to the limit.
fn unpacked(bytes: &[u8], part: &Part, most: u64) -> Option<String> {
    let head = bytes.get(part.at..part.at.checked_add(30)?)?;
    let length = |at: usize| usize::from(u16::from_le_bytes([head[at], head[at + 1]]));
    let start = part.at + 30 + length(26) + length(28);
    let packed = bytes.get(start..start.checked_add(part.packed)?)?;
    let mut out = Vec::new();
    match part.method {
        0 => out.extend_from_slice(packed.get(..packed.len().min(most as usize))?),
        8 => drop(DeflateDecoder::new(packed).take(most).read_to_end(&mut out).ok()?),
        _ => return None,
    }
    Some(String::from_utf8_lossy(&out).into_owned())
}

/// The value of an attribute, by what stands before it.
pub(super) fn attribute<'t>(text: &'t str, before: &str) -> &'t str {
    text.split_once(before).and_then(|(_, rest)| rest.split('"').next()).unwrap_or_default()
}

/// What stands inside of an element.
pub(super) fn between(text: &str, open: &str, close: &str) -> Option<String> {
    let (tag, rest) = text.split_once(open)?.1.split_once('>')?;
    // An element without content has no end of its own: what follows it is another.
    if tag.ends_with('/') {
        return None;
    }
    Some(clean(rest.split(close).next()?)).filter(|text| !text.is_empty())
}

/// All texts inside of an element, one after the other.
fn texts(text: &str, open: &str) -> String {
    let pieces = text.split(open).skip(1).filter(|piece| piece.starts_with(['>', ' ']));
    let pieces: Vec<&str> = pieces.filter_map(|piece| piece.split_once('>')?.1.split("</").next()).collect();
    clean(&pieces.concat())
}

/// Text without tags and with its signs: `&amp;` is one.
pub(super) fn clean(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for character in text.chars() {
        match character {
            '<' => inside = true,
            '>' => inside = false,
            character if !inside => out.push(character),
            _ => {}
        }
    }
    for (sign, means) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
        out = out.replace(sign, means);
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ").replace('`', "'")
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::DeflateEncoder;
    use proptest::prelude::*;

    use super::*;

    /// A packed file with these parts.
    pub(crate) fn zip(parts: &[(&str, &str)]) -> Vec<u8> {
        let (mut bytes, mut list) = (Vec::new(), Vec::new());
        for (name, text) in parts {
            let mut packer = DeflateEncoder::new(Vec::new(), Compression::default());
            packer.write_all(text.as_bytes()).unwrap();
            let packed = packer.finish().unwrap();
            let at = bytes.len() as u32;
            let name_length = (name.len() as u16).to_le_bytes();
            let sizes = [(packed.len() as u32).to_le_bytes(), (text.len() as u32).to_le_bytes()].concat();
            bytes.extend(b"PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0\0\0\0\0");
            bytes.extend(&sizes);
            bytes.extend(name_length);
            bytes.extend([0, 0]);
            bytes.extend(name.as_bytes());
            bytes.extend(&packed);
            list.extend(b"PK\x01\x02\x14\0\x14\0\0\0\x08\0\0\0\0\0\0\0\0\0");
            list.extend(&sizes);
            list.extend(name_length);
            list.extend([0; 12]);
            list.extend(at.to_le_bytes());
            list.extend(name.as_bytes());
        }
        let (at, count) = (bytes.len() as u32, parts.len() as u16);
        bytes.extend(&list);
        bytes.extend(b"PK\x05\x06\0\0\0\0");
        bytes.extend(count.to_le_bytes());
        bytes.extend(count.to_le_bytes());
        bytes.extend((list.len() as u32).to_le_bytes());
        bytes.extend(at.to_le_bytes());
        bytes.extend([0, 0]);
        bytes
    }

    #[test]
    fn titles_headings_and_sheets_are_found() {
        let text = "<w:document><w:p><w:pPr><w:pStyle w:val=\"Title\"/></w:pPr><w:r><w:t>Lease &amp; rent</w:t></w:r></w:p><w:p w:x=\"1\"><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr><w:r><w:t xml:space=\"preserve\">The </w:t><w:t>flat</w:t></w:r></w:p></w:document>";
        let lease = read(&zip(&[("word/document.xml", text)])).unwrap();
        assert_eq!(lease.title.as_deref(), Some("Lease & rent"));
        assert_eq!(lease.headings, ["The flat"]);
        let notes = read(&zip(&[
            ("meta.xml", "<office:meta><dc:title>Garden</dc:title></office:meta>"),
            ("content.xml", "<text:h text:outline-level=\"1\">Beds</text:h><text:p>Soil.</text:p>"),
        ]));
        let notes = notes.unwrap();
        assert_eq!((notes.title.as_deref(), notes.headings.len()), (Some("Garden"), 1));
        let book =
            read(&zip(&[("xl/workbook.xml", "<sheets><sheet name=\"Costs\" sheetId=\"1\"/></sheets>")]));
        assert_eq!(book.unwrap().sheets, ["Costs"]);
        assert_eq!(read(b"no archive"), None);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_fail(at in 0_usize..400, with in proptest::collection::vec(any::<u8>(), 1..8)) {
            let mut bytes = zip(&[("meta.xml", "<dc:title>x</dc:title>"), ("content.xml", "<text:h>y</text:h>")]);
            for (place, byte) in bytes.iter_mut().skip(at).zip(with) {
                *place = byte;
            }
            let _ = read(&bytes);
        }
    }
}
