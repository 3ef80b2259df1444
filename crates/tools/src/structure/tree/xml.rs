//! XML: elements as keys, attributes as keys with `@`, repeated elements one after the other.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::super::NotParsed;
use super::super::outline::Lines;
use super::{Builder, LineStarts, Node, cut};

/// Deepest nesting that is read.
const MOST_DEEP: usize = 2_000;

/// Reads a document. Entities of its own are not expanded.
pub(super) fn read(text: &str) -> Result<Option<Node>, NotParsed> {
    let starts = LineStarts::new(text);
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    let mut builder = Builder::default();
    builder.open_map(1);
    // For each open element, whether something is in it.
    let mut open: Vec<Element> = Vec::new();
    loop {
        let at = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let line = starts.line(at.min(text.len().saturating_sub(1)));
        let event = reader
            .read_event()
            .map_err(|_| NotParsed::Malformed { what: "XML with a mistake".to_owned(), line })?;
        let end = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let end = starts.line(end.saturating_sub(1));
        match event {
            Event::Start(start) => {
                if MOST_DEEP < open.len() {
                    return Err(NotParsed::Malformed {
                        what: "XML that is nested too deep".to_owned(),
                        line,
                    });
                }
                close_text(&mut builder, &mut open, line);
                begin(&mut builder, &start, line);
                open.push(Element {
                    has_children: start.attributes().next().is_some(),
                    is_open: false,
                    text: String::new(),
                    line,
                });
                if let Some(element) = open.last_mut()
                    && element.has_children
                {
                    element.is_open = true;
                    builder.open_map(line);
                    attributes(&mut builder, &start, line);
                }
            }
            Event::Empty(start) => {
                close_text(&mut builder, &mut open, line);
                begin(&mut builder, &start, line);
                builder.open_map(line);
                attributes(&mut builder, &start, line);
                builder.close(end);
            }
            Event::Text(words) => {
                push_text(&mut open, &words);
            }
            Event::CData(words) => {
                push_text(&mut open, &words);
            }
            Event::GeneralRef(name) => {
                let known = [("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'")];
                let found = known.iter().find(|(known, _)| **known == *name);
                push_text(&mut open, found.map_or("?", |(_, text)| text));
            }
            Event::End(_) => {
                let Some(element) = open.pop() else { continue };
                let words = element.text.trim();
                if element.is_open {
                    if !words.is_empty() {
                        builder.key("#text", element.line);
                        builder.text(words, Lines { first: element.line, last: end });
                    }
                    builder.close(end);
                } else {
                    builder.text(words, Lines { first: element.line, last: end });
                }
            }
            Event::Eof => return Ok(builder.finish(end)),
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
        }
    }
}

struct Element {
    has_children: bool,
    /// Whether it is a map in the builder by now.
    is_open: bool,
    text: String,
    line: u32,
}

/// An element that has another inside is a map.
fn close_text(builder: &mut Builder, open: &mut [Element], line: u32) {
    if let Some(element) = open.last_mut()
        && !element.is_open
    {
        element.is_open = true;
        builder.open_map(line.min(element.line));
    }
}

fn push_text(open: &mut [Element], words: &str) {
    if let Some(element) = open.last_mut()
        && element.text.len() < 4_000
    {
        element.text.push_str(cut(words, 4_000));
    }
}

fn begin(builder: &mut Builder, start: &BytesStart<'_>, line: u32) {
    builder.key(start.name().as_ref(), line);
}

fn attributes(builder: &mut Builder, start: &BytesStart<'_>, line: u32) {
    for attribute in start.attributes().with_checks(false).flatten().take(200) {
        let key = format!("@{}", attribute.key.as_ref());
        builder.key(&key, line);
        builder.text(&attribute.value, Lines::one(line));
    }
}
