//! Documents: headings, the first words that mean something, links.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use serde::{Deserialize, Serialize};

use super::outline::{Lines, Note};
use super::source::one_line;
use super::tree::LineStarts;

/// Most headings, and most links.
const MOST: usize = 1_000;

/// Marks that a document is read up to. Each can take a hundred bytes of memory and more, and a document may consist of
/// nothing else.
const MOST_MARKS: usize = 1 << 19;

/// A document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Document {
    /// Its headings, in order.
    pub headings: Vec<Heading>,
    /// The first paragraph that is not only badges, images or links.
    pub first_paragraph: Option<Paragraph>,
    /// Where it points to.
    pub links: Vec<Link>,
    /// How many pieces of code it shows, by what they are written in; the empty word is «not said».
    pub code: Vec<(String, u32)>,
    /// How many words it has.
    pub words: u32,
    /// How many headings were left out.
    pub headings_left_out: u32,
    /// How many links were left out.
    pub links_left_out: u32,
    /// How many bytes at its end were not read, because there are too many marks before them.
    #[serde(default)]
    pub bytes_left_out: u64,
}

/// A heading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// From 1 for the title to 6.
    pub level: u8,
    /// Its words.
    pub text: String,
    /// Where it stands.
    pub line: u32,
}

/// A paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Paragraph {
    /// Its words, cut where it is long.
    pub text: String,
    /// Where it stands.
    pub lines: Lines,
}

/// A link or an image.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// What is written for people.
    pub text: String,
    /// Where it goes.
    pub target: String,
    /// Whether it is an image.
    pub is_image: bool,
    /// Where it stands.
    pub line: u32,
}

/// Reads Markdown.
pub(super) fn markdown(text: &str) -> Document {
    let text_start = front_matter(text);
    let body = text.get(text_start..).unwrap_or_default();
    let body = up_to_marks(body);
    let starts = LineStarts::new(text);
    let mut reader =
        Reader { starts, offset: text_start, document: Document::default(), block: None, links: Vec::new() };
    for (event, range) in Parser::new_ext(body, Options::ENABLE_TABLES).into_offset_iter() {
        reader.event(&event, range.start + text_start, range.end + text_start);
    }
    reader.document.bytes_left_out = (text.len() - text_start - body.len()) as u64;
    reader.document
}

/// As much of a text as has not too many marks.
fn up_to_marks(text: &str) -> &str {
    let is_mark = |byte: &u8| byte.is_ascii_punctuation() && !matches!(byte, b'.' | b',' | b';' | b'?');
    let most = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n' || is_mark(byte)).nth(MOST_MARKS);
    most.map_or(text, |(end, _)| &text[..end])
}

/// Where a document begins whose first lines are settings between `---`.
fn front_matter(text: &str) -> usize {
    let Some(rest) = text.strip_prefix("---\n") else { return 0 };
    rest.find("\n---\n").map_or(0, |at| at + "---\n\n---\n".len())
}

/// A heading or paragraph whose end has not been reached.
struct Block {
    level: Option<u8>,
    text: String,
    /// How much of the text is not part of a link or an image.
    own: usize,
    depth: u32,
}

struct Reader {
    starts: LineStarts,
    offset: usize,
    document: Document,
    block: Option<Block>,
    links: Vec<Link>,
}

impl Reader {
    fn event(&mut self, event: &Event<'_>, start: usize, end: usize) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => self.open(Some(depth(*level))),
            Event::Start(Tag::Paragraph) if self.block.is_none() => self.open(None),
            Event::End(TagEnd::Heading(_) | TagEnd::Paragraph) => self.close(start, end),
            Event::Start(Tag::Link { dest_url, .. }) => self.open_link(dest_url, false, start),
            Event::Start(Tag::Image { dest_url, .. }) => self.open_link(dest_url, true, start),
            Event::End(TagEnd::Link | TagEnd::Image) => self.close_link(),
            Event::Start(Tag::CodeBlock(kind)) => {
                let language = match kind {
                    pulldown_cmark::CodeBlockKind::Fenced(words) => {
                        words.split([' ', ',']).next().unwrap_or_default()
                    }
                    pulldown_cmark::CodeBlockKind::Indented => "",
                };
                let language = one_line(language, 40);
                let code = &mut self.document.code;
                match code.iter().position(|(known, _)| *known == language) {
                    Some(index) => code[index].1 += 1,
                    None if code.len() < 100 => code.push((language, 1)),
                    None => {}
                }
            }
            Event::Text(text) | Event::Code(text) => self.text(text),
            Event::SoftBreak | Event::HardBreak => self.text(" "),
            Event::Start(_)
            | Event::End(_)
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::Html(_)
            | Event::InlineHtml(_)
            | Event::FootnoteReference(_)
            | Event::Rule
            | Event::TaskListMarker(_) => {}
        }
    }

    fn open(&mut self, level: Option<u8>) {
        self.block = Some(Block { level, text: String::new(), own: 0, depth: 0 });
    }

    fn text(&mut self, text: &str) {
        let words = text.split_whitespace().count();
        self.document.words = self.document.words.saturating_add(u32::try_from(words).unwrap_or(u32::MAX));
        if let Some(link) = self.links.last_mut().filter(|link| link.text.len() < 200) {
            link.text.push_str(super::tree::cut(text, 200));
        }
        if let Some(block) = self.block.as_mut().filter(|block| block.text.len() < 2_000) {
            let text = super::tree::cut(text, 2_000);
            block.text.push_str(text);
            if block.depth == 0 {
                block.own += text.chars().filter(|character| character.is_alphabetic()).count();
            }
        }
    }

    fn close(&mut self, start: usize, end: usize) {
        let Some(block) = self.block.take() else { return };
        let lines = Lines {
            first: self.starts.line(start),
            last: self.starts.line(end.saturating_sub(1).max(start)),
        };
        let text = one_line(&block.text, 600);
        if let Some(level) = block.level {
            if self.document.headings.len() < MOST {
                self.document.headings.push(Heading { level, text, line: lines.first });
            } else {
                self.document.headings_left_out += 1;
            }
        } else if self.document.first_paragraph.is_none() && 20 <= block.own {
            self.document.first_paragraph = Some(Paragraph { text, lines });
        }
    }

    fn open_link(&mut self, target: &str, is_image: bool, start: usize) {
        if let Some(block) = &mut self.block {
            block.depth += 1;
        }
        let line = self.starts.line(start.max(self.offset));
        self.links.push(Link { text: String::new(), target: one_line(target, 300), is_image, line });
    }

    fn close_link(&mut self) {
        if let Some(block) = &mut self.block {
            block.depth = block.depth.saturating_sub(1);
        }
        let Some(mut link) = self.links.pop() else { return };
        link.text = one_line(&link.text, 200);
        if self.document.links.len() < MOST {
            self.document.links.push(link);
        } else {
            self.document.links_left_out += 1;
        }
    }
}

fn depth(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// Marks that underline headings of reStructuredText.
const UNDERLINES: &[char] = &['=', '-', '~', '^', '"', '\'', '*', '+', '#', '`', ':', '.'];

/// Reads reStructuredText: headings are underlined, and the order of the marks gives their level.
pub(super) fn restructured(text: &str) -> Document {
    let mut document = Document::default();
    let lines: Vec<&str> = text.lines().collect();
    let mut marks: Vec<char> = Vec::new();
    let mut paragraph: Option<(usize, String)> = None;
    for (row, line) in lines.iter().enumerate() {
        document.words =
            document.words.saturating_add(u32::try_from(line.split_whitespace().count()).unwrap_or(0));
        let below = lines.get(row + 1).copied().unwrap_or_default();
        let number = u32::try_from(row + 1).unwrap_or(u32::MAX);
        if let Some(mark) = underline(line, below) {
            let level = marks.iter().position(|known| *known == mark).unwrap_or_else(|| {
                marks.push(mark);
                marks.len() - 1
            });
            let level = u8::try_from(level + 1).unwrap_or(6).min(6);
            if document.headings.len() < MOST {
                document.headings.push(Heading { level, text: one_line(line, 300), line: number });
            } else {
                document.headings_left_out += 1;
            }
            paragraph = None;
            continue;
        }
        let is_prose =
            !line.starts_with([' ', '.', '|', ':', '=', '-', '~', '^', '+', '*']) && !line.trim().is_empty();
        if document.first_paragraph.is_some() {
            continue;
        }
        match (&mut paragraph, is_prose) {
            (Some((_, words)), true) => {
                words.push(' ');
                words.push_str(super::tree::cut(line, 600));
            }
            (None, true) => paragraph = Some((row, super::tree::cut(line, 600).to_owned())),
            (Some((first, words)), false) if line.trim().is_empty() && 40 <= words.len() => {
                let first = u32::try_from(*first + 1).unwrap_or(u32::MAX);
                let text = one_line(words, 600);
                document.first_paragraph =
                    Some(Paragraph { text, lines: Lines { first, last: number.saturating_sub(1) } });
            }
            (_, false) => paragraph = None,
        }
    }
    document
}

fn underline(line: &str, below: &str) -> Option<char> {
    let below = below.trim_end();
    let mark = below.chars().next().filter(|mark| UNDERLINES.contains(mark))?;
    let is_line = below.chars().all(|character| character == mark);
    let is_text = line.chars().any(char::is_alphanumeric) && !line.starts_with(' ');
    (is_line && is_text && line.trim_end().chars().count() <= below.len() && 3 <= below.len()).then_some(mark)
}

/// The title of a document: its first heading of the first level, else its first heading.
impl Document {
    /// What the document is called.
    pub fn title(&self) -> Option<Note> {
        let first =
            self.headings.iter().find(|heading| heading.level == 1).or_else(|| self.headings.first())?;
        Some(Note { text: first.text.clone(), line: first.line })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A parser needs a hundred bytes for each mark, and a document may consist of nothing else.
    #[test]
    fn a_document_of_nothing_but_marks_is_read_up_to_so_many() {
        for mark in [">", "[", "*_", "`", "- ", "~", "|"] {
            let text = mark.repeat(1 << 20);
            let marks = text.bytes().filter(u8::is_ascii_punctuation).count();
            let read = text.len() as u64 - markdown(&text).bytes_left_out;
            assert!(0 < read && read <= (MOST_MARKS * mark.len()) as u64, "{mark}: {read}");
            assert!(MOST_MARKS < marks);
        }
        let usual = format!("# Title\n\n{}\n", "Some words, and [more](x.md).\n".repeat(1_000));
        assert_eq!(markdown(&usual).bytes_left_out, 0);
        assert_eq!(markdown(&usual).headings.len(), 1);
    }
}
