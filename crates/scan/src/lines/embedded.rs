//! Lines of one language inside another: fenced blocks, scripts in pages, documentation in Rust.

use std::ops::Range;
use std::str::FromStr;
use std::sync::LazyLock;

use luminos_core::scan::LineCounts;
use memchr::{memchr, memmem};
use regex::bytes::Regex;
use tokei::LanguageType;

use super::{Counted, count_into, is_space, trim, trim_start};

/// Lines of another language were found and counted.
pub(super) struct Found {
    /// The lines around them that belong to the outer language.
    pub(super) lines_here: LineCounts,
    /// Where the outer language goes on.
    pub(super) next: usize,
}

/// Whether the text starts with a documentation comment of Rust.
#[inline]
pub(super) fn is_rust_doc(text: &[u8]) -> bool {
    text.starts_with(b"///") || text.starts_with(b"//!")
}

/// Where documentation starts after the end of a line, if nothing but white space stands before it.
#[inline]
pub(super) fn rust_doc_after(text: &[u8], end: usize) -> Option<usize> {
    let rest = &text[end..];
    let blank = rest.iter().position(|&byte| !is_space(byte))?;
    is_rust_doc(&rest[blank..]).then_some(end + blank)
}

/// Counts a block of documentation as the Markdown it is. Blank lines inside belong to it.
pub(super) fn rust_doc(text: &[u8], at: usize, counted: &mut Counted) -> Found {
    let mark = &text[at..at + 3];
    let mut markdown = Vec::new();
    let mut start = at;
    // Where the next thing that is no white space starts; known once for a whole run of blank lines.
    let mut filled = at;
    let mut next = text.len();
    while start < text.len() {
        if filled < start {
            filled = start + text[start..].iter().take_while(|&&byte| is_space(byte)).count();
        }
        if !text[filled..].starts_with(mark) {
            next = start;
            break;
        }
        let end = memchr(b'\n', &text[start..]).map_or(text.len(), |len| start + len + 1);
        if filled < end {
            markdown.extend_from_slice(&text[filled + mark.len()..end]);
        }
        start = end;
        next = end;
    }
    let counts = count_into(LanguageType::Markdown, trim(&markdown), counted);
    counted.add_embedded(LanguageType::Markdown, counts);
    Found { lines_here: LineCounts::default(), next }
}

/// A fenced block's first line: the fence and the word after it.
pub(super) struct Fence(Range<usize>);

/// Counts a fenced block whose fence names a language.
pub(super) fn fenced_block(text: &[u8], Fence(opening): Fence, counted: &mut Counted) -> Option<Found> {
    static CLOSING: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"```\s?").ok());

    let names = &trim(&text[opening.clone()])[3..];
    let language = names
        .split(|&byte| byte == b',')
        .find_map(|name| LanguageType::from_str(&String::from_utf8_lossy(name)).ok())?;
    let rest = &text[opening.end..];
    let closing = CLOSING.as_ref()?.find(rest);
    let block = &rest[..closing.map_or(rest.len(), |fence| fence.start())];
    let counts = count_into(language, trim(block), counted);
    counted.add_embedded(language, counts);
    Some(Found {
        lines_here: LineCounts { comments: if closing.is_some() { 2 } else { 1 }, ..LineCounts::default() },
        next: opening.end + closing.map_or(rest.len(), |fence| fence.end()),
    })
}

/// Tags that hold another language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TagKind {
    Script,
    Style,
    Template,
}

impl TagKind {
    const ALL: [TagKind; 3] = [TagKind::Script, TagKind::Style, TagKind::Template];

    fn opening(self) -> &'static [u8] {
        match self {
            TagKind::Script => b"<script",
            TagKind::Style => b"<style",
            TagKind::Template => b"<template",
        }
    }

    fn closing(self) -> &'static [u8] {
        match self {
            TagKind::Script => b"</script>",
            TagKind::Style => b"</style>",
            TagKind::Template => b"</template>",
        }
    }

    /// The whole opening tag, and the attribute in it that names the language.
    fn pattern(self) -> Option<&'static Regex> {
        static SCRIPT: LazyLock<Option<Regex>> =
            LazyLock::new(|| Regex::new(r#"<script(?:.*type="(.*)")?.*?>"#).ok());
        static STYLE: LazyLock<Option<Regex>> =
            LazyLock::new(|| Regex::new(r#"<style(?:.*lang="(.*)")?.*?>"#).ok());
        static TEMPLATE: LazyLock<Option<Regex>> =
            LazyLock::new(|| Regex::new(r#"<template(?:.*lang="(.*)")?.*?>"#).ok());
        match self {
            TagKind::Script => SCRIPT.as_ref(),
            TagKind::Style => STYLE.as_ref(),
            TagKind::Template => TEMPLATE.as_ref(),
        }
    }

    fn language(self, named: Option<&[u8]>) -> LanguageType {
        let named = named.map(|name| String::from_utf8_lossy(trim(name)).into_owned());
        match self {
            TagKind::Script => {
                named.and_then(|name| LanguageType::from_mime(&name)).unwrap_or(LanguageType::JavaScript)
            }
            TagKind::Style => by_lower_name(named).unwrap_or(LanguageType::Css),
            TagKind::Template => by_lower_name(named).unwrap_or(LanguageType::Html),
        }
    }
}

fn by_lower_name(name: Option<String>) -> Option<LanguageType> {
    LanguageType::from_str(&name?.to_lowercase()).ok()
}

/// An opening tag, and the attribute in it that names a language.
#[derive(Debug, Clone)]
pub(super) struct Tag {
    kind: TagKind,
    range: Range<usize>,
    language: Option<Range<usize>>,
}

/// Where tags open that can hold another language.
#[derive(Debug, Default)]
pub(super) struct OpeningTags {
    /// The first is the last.
    places: Vec<usize>,
}

impl OpeningTags {
    pub(super) fn find(text: &[u8]) -> Self {
        let mut places: Vec<usize> =
            TagKind::ALL.iter().flat_map(|kind| memmem::find_iter(text, kind.opening())).collect();
        places.sort_unstable_by(|a, b| b.cmp(a));
        Self { places }
    }

    /// Whether there is one on the line that starts here. Lines must come in order.
    #[inline]
    pub(super) fn any_on_line(&mut self, text: &[u8], line_start: usize) -> bool {
        while self.places.last().is_some_and(|&place| place < line_start) {
            self.places.pop();
        }
        self.places.last().is_some_and(|&place| memchr(b'\n', &text[line_start..place]).is_none())
    }
}

/// From where on a closing tag is known to be missing, so that it is not searched for again and again.
#[derive(Debug, Default)]
pub(super) struct Unclosed([Option<usize>; 3]);

/// Counts what stands between a tag and its end.
pub(super) fn tagged_block(
    text: &[u8],
    tag: Tag,
    unclosed: &mut Unclosed,
    counted: &mut Counted,
) -> Option<Found> {
    let missing_from = &mut unclosed.0[tag.kind as usize];
    let start = tag.range.end;
    if missing_from.is_some_and(|from| from <= start) {
        return None;
    }
    let rest = &text[start..];
    let Some(len) = memmem::find(rest, tag.kind.closing()) else {
        *missing_from = Some(start);
        return None;
    };
    let block = &rest[..len];
    if trim_start(block).is_empty() {
        return None;
    }
    let language = tag.kind.language(tag.language.map(|range| &text[range]));
    let counts = count_into(language, without_edge_lines(block), counted);
    counted.add_embedded(language, counts);
    Some(Found { lines_here: LineCounts { code: 1, ..LineCounts::default() }, next: start + len })
}

/// Cuts off the rest of the tag's own line and the white space before the closing tag; where there is text on
/// the tag's own line its first character goes too, as it does in tokei.
fn without_edge_lines(block: &[u8]) -> &[u8] {
    let is_edge = |&byte: &u8| byte == b'\n' || !is_space(byte);
    let last = block.len().saturating_sub(1);
    let start = block.iter().position(is_edge).map_or(0, |at| (at + 1).min(last));
    let end = block.iter().rposition(is_edge).map_or(last, |at| {
        let is_crlf = at > 0 && block[at - 1] == b'\r' && block[at] == b'\n';
        if is_crlf { at - 1 } else { at }
    });
    block.get(start..=end).unwrap_or_default()
}

/// What the patterns found in the current line: each is searched for once.
#[derive(Debug, Default)]
pub(super) struct LineMatches {
    /// One more than the start of the line they are about.
    line: usize,
    fence: Option<Range<usize>>,
    /// The first tag of each kind.
    tags: [Option<Tag>; 3],
}

impl LineMatches {
    /// The fence that stands exactly here, if it is the first of the line and a word follows it.
    pub(super) fn fence_at(&mut self, text: &[u8], line_start: usize, at: usize) -> Option<Fence> {
        static OPENING: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"```\S+\s").ok());

        if !text[at..].starts_with(b"```") {
            return None;
        }
        if self.line != line_start + 1 {
            let line = line_at(text, line_start);
            let found = OPENING.as_ref()?.find(line);
            self.line = line_start + 1;
            self.fence = found.map(|fence| line_start + fence.start()..line_start + fence.end());
        }
        self.fence.clone().filter(|fence| fence.start == at).map(Fence)
    }

    /// The tag that stands exactly here, if it is the first of its kind in the line. Where the tag itself led
    /// nowhere, tokei tries again at its attribute, as if that were the tag.
    pub(super) fn tag_at(&mut self, text: &[u8], line_start: usize, at: usize) -> Option<Tag> {
        self.find_tags(text, line_start);
        self.tags.iter().flatten().find_map(|tag| {
            if tag.range.start == at {
                return Some(tag.clone());
            }
            let attribute = tag.language.clone().filter(|attribute| attribute.start == at)?;
            Some(Tag { kind: tag.kind, range: attribute, language: None })
        })
    }

    /// The first attribute of a tag in this line, from a place on.
    pub(super) fn attribute_from(&mut self, text: &[u8], line_start: usize, from: usize) -> Option<usize> {
        self.find_tags(text, line_start);
        let attributes = self.tags.iter().flatten().filter_map(|tag| tag.language.as_ref());
        attributes.map(|attribute| attribute.start).filter(|&start| from <= start).min()
    }

    fn find_tags(&mut self, text: &[u8], line_start: usize) {
        if self.line == line_start + 1 {
            return;
        }
        let line = line_at(text, line_start);
        self.line = line_start + 1;
        self.tags = TagKind::ALL.map(|kind| {
            memmem::find(line, kind.opening())?;
            let found = kind.pattern()?.captures(line)?;
            let range = |range: Range<usize>| line_start + range.start..line_start + range.end;
            Some(Tag {
                kind,
                range: range(found.get(0)?.range()),
                language: found.get(1).map(|group| range(group.range())),
            })
        });
    }
}

/// The line that starts here, with its newline.
fn line_at(text: &[u8], start: usize) -> &[u8] {
    let len = memchr(b'\n', &text[start..]).map_or(text.len() - start, |len| len + 1);
    &text[start..start + len]
}
