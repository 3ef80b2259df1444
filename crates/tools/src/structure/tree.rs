//! A document of keys and values, whatever it is written in: JSON, YAML, TOML or XML.
//!
//! The readers feed a `Builder`, which holds every limit: how deep, how many, how long. What does not fit is counted and
//! dropped, so a document of ten million zeros costs no more memory than one of a thousand. Aliases are not expanded.

mod json;
mod toml;
mod xml;
mod yaml;

use super::outline::Lines;
use super::source::one_line;
use super::{Limits, NotParsed};

/// Deepest nesting that is kept.
const MOST_DEEP: usize = 48;

/// Most entries of one list or map that are kept.
const MOST_ENTRIES: usize = 2_000;

/// Most values that are kept in all.
const MOST_VALUES: usize = 60_000;

/// Longest text that is kept, in bytes.
const MOST_TEXT: usize = 4_000;

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Node {
    pub(super) value: Value,
    pub(super) lines: Lines,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Null,
    Bool,
    Number,
    Text(String),
    /// A date, in the languages that have them.
    Moment(String),
    /// The entries that are kept, and how many there are.
    List(Vec<Node>, usize),
    Map(Vec<(String, Node)>, usize),
}

/// What a document is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syntax {
    Json,
    Toml,
    Xml,
    Yaml,
}

/// Reads a document.
pub(super) fn read(syntax: Syntax, text: &str, limits: &Limits) -> Result<Node, NotParsed> {
    let node = match syntax {
        Syntax::Json => json::read(text)?,
        Syntax::Toml => toml::read(text, limits)?,
        Syntax::Xml => xml::read(text)?,
        Syntax::Yaml => yaml::read(text)?,
    };
    node.ok_or(NotParsed::Empty)
}

impl Node {
    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.entries().find(|(name, _)| *name == key).map(|(_, node)| node)
    }

    /// The value at the end of several keys.
    pub(super) fn at(&self, keys: &[&str]) -> Option<&Node> {
        keys.iter().try_fold(self, |node, key| node.get(key))
    }

    /// The entries of a map.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&str, &Node)> {
        let entries = if let Value::Map(entries, _) = &self.value { entries.as_slice() } else { &[] };
        entries.iter().map(|(key, node)| (key.as_str(), node))
    }

    /// The entries of a list; of another value, the value itself: many formats allow both.
    pub(super) fn items(&self) -> &[Node] {
        match &self.value {
            Value::List(items, _) => items,
            Value::Null => &[],
            Value::Bool | Value::Number | Value::Text(_) | Value::Moment(_) | Value::Map(..) => {
                std::slice::from_ref(self)
            }
        }
    }

    /// The text of a value.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) | Value::Moment(text) => Some(text),
            Value::Null | Value::Bool | Value::Number | Value::List(..) | Value::Map(..) => None,
        }
    }

    /// The text of a value in one line.
    pub(super) fn line_of_text(&self) -> Option<String> {
        self.text().map(|text| one_line(text, 300)).filter(|text| !text.is_empty())
    }
}

/// A list or map whose end has not been reached.
struct Open {
    node: Node,
    key: Option<String>,
}

/// Puts a document together from what a reader meets, in order.
#[derive(Default)]
pub(super) struct Builder {
    open: Vec<Open>,
    /// How many levels below the deepest that is kept we are.
    too_deep: usize,
    key: Option<(String, u32)>,
    values: usize,
    root: Option<Node>,
}

impl Builder {
    /// The key of the next value.
    pub(super) fn key(&mut self, key: &str, line: u32) {
        if self.too_deep == 0 {
            self.key = Some((cut(key, 300).to_owned(), line));
        }
    }

    /// A value without parts.
    pub(super) fn scalar(&mut self, value: Value, lines: Lines) {
        if self.too_deep == 0 {
            self.add(Node { value, lines });
        }
    }

    pub(super) fn text(&mut self, text: &str, lines: Lines) {
        let is_kept = self.too_deep == 0 && self.values < MOST_VALUES;
        self.scalar(
            Value::Text(if is_kept { cut(text, MOST_TEXT).to_owned() } else { String::new() }),
            lines,
        );
    }

    pub(super) fn open_map(&mut self, line: u32) {
        self.open(Value::Map(Vec::new(), 0), line);
    }

    pub(super) fn open_list(&mut self, line: u32) {
        self.open(Value::List(Vec::new(), 0), line);
    }

    fn open(&mut self, value: Value, line: u32) {
        if 0 < self.too_deep || MOST_DEEP <= self.open.len() {
            self.too_deep += 1;
            return;
        }
        let (key, first) = match self.key.take() {
            Some((key, first)) => (Some(key), first),
            None => (None, line),
        };
        self.open.push(Open { node: Node { value, lines: Lines { first, last: line } }, key });
    }

    /// The end of the list or map that was opened last.
    pub(super) fn close(&mut self, line: u32) {
        if 0 < self.too_deep {
            self.too_deep -= 1;
            if self.too_deep == 0 {
                // The value that was too deep still counts as one.
                self.add(Node { value: Value::Null, lines: Lines::one(line) });
            }
            return;
        }
        if let Some(mut open) = self.open.pop() {
            open.node.lines.last = line.max(open.node.lines.first);
            self.key = open.key.map(|key| (key, open.node.lines.first));
            self.add(open.node);
        }
    }

    fn add(&mut self, mut node: Node) {
        let key = self.key.take();
        if let Some((_, first)) = &key {
            node.lines.first = node.lines.first.min(*first);
        }
        self.values += 1;
        let is_kept = self.values <= MOST_VALUES;
        match self.open.last_mut().map(|open| &mut open.node.value) {
            None => {
                self.root.get_or_insert(node);
            }
            Some(Value::List(items, total)) => {
                *total += 1;
                if is_kept && items.len() < MOST_ENTRIES {
                    items.push(node);
                }
            }
            Some(Value::Map(entries, total)) => {
                *total += 1;
                if is_kept && entries.len() < MOST_ENTRIES {
                    entries.push((key.map(|(key, _)| key).unwrap_or_default(), node));
                }
            }
            Some(_) => {}
        }
    }

    /// The document; what was not closed is closed at this line.
    pub(super) fn finish(mut self, line: u32) -> Option<Node> {
        self.too_deep = 0;
        while !self.open.is_empty() {
            self.close(line);
        }
        self.root
    }
}

/// At most so many bytes of a text.
pub(super) fn cut(text: &str, most: usize) -> &str {
    text.get(..text.floor_char_boundary(most)).unwrap_or(text)
}

/// Where the lines of a text begin, for readers that count bytes.
pub(super) struct LineStarts(Vec<usize>);

impl LineStarts {
    pub(super) fn new(text: &str) -> Self {
        Self(std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|at| at + 1)).collect())
    }

    /// The line of a byte, from 1.
    pub(super) fn line(&self, byte: usize) -> u32 {
        u32::try_from(self.0.partition_point(|start| *start <= byte)).unwrap_or(u32::MAX)
    }
}
