//! Keys of a document: what is there, never what it says. Values of configuration files are often secrets.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};

use super::outline::Lines;
use super::tree::{Node, Syntax, Value};

/// Deepest key that is listed.
const MOST_DEEP: usize = 3;

/// Most keys that are listed.
const MOST_KEYS: usize = 400;

/// The keys of a document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Data {
    /// What it is written in.
    pub format: Format,
    /// What the whole document is.
    pub root: ValueKind,
    /// Its keys, the outer ones first where not all fit.
    pub keys: Vec<Key>,
    /// How many keys of the listed depth were left out.
    pub left_out: usize,
}

/// What a document of keys and values is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are the formats' own")]
pub enum Format {
    Json,
    Toml,
    Xml,
    Yaml,
}

/// A key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// The key with those above it: `server.ports`.
    pub path: String,
    /// What its value is.
    pub kind: ValueKind,
    /// Where it stands, with its value.
    pub lines: Lines,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
#[expect(missing_docs, reason = "the words say it")]
pub enum ValueKind {
    Null,
    Boolean,
    Number,
    Text,
    Moment,
    List { length: usize },
    Map { length: usize },
}

impl Format {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "JSON",
            Self::Toml => "TOML",
            Self::Xml => "XML",
            Self::Yaml => "YAML",
        }
    }
}

impl From<Syntax> for Format {
    fn from(syntax: Syntax) -> Self {
        match syntax {
            Syntax::Json => Self::Json,
            Syntax::Toml => Self::Toml,
            Syntax::Xml => Self::Xml,
            Syntax::Yaml => Self::Yaml,
        }
    }
}

/// The keys of a document.
pub(super) fn outline(syntax: Syntax, root: &Node) -> Data {
    let mut keys = Vec::new();
    let mut left_out = 0;
    let mut seen = HashSet::new();
    let mut level: Vec<(String, &Node)> = vec![(String::new(), root)];
    for _ in 0..MOST_DEEP {
        let mut next = Vec::new();
        for (path, node) in level {
            // Of a list of alike things, the first one tells what they are.
            let (node, path) = match &node.value {
                Value::List(items, _) => match items.first() {
                    Some(first) => (first, format!("{path}[]")),
                    None => continue,
                },
                Value::Null
                | Value::Bool
                | Value::Number
                | Value::Text(_)
                | Value::Moment(_)
                | Value::Map(..) => (node, path),
            };
            for (key, value) in node.entries() {
                if MOST_KEYS <= keys.len() {
                    left_out += 1;
                    continue;
                }
                let path = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
                // Elements of XML come again and again: once is enough.
                if !seen.insert(path.clone()) {
                    continue;
                }
                keys.push(Key { path: path.clone(), kind: kind(value), lines: value.lines });
                next.push((path, value));
            }
        }
        level = next;
    }
    keys.sort_by(|one, other| (one.lines.first, &one.path).cmp(&(other.lines.first, &other.path)));
    Data { format: syntax.into(), root: kind(root), keys, left_out }
}

fn kind(node: &Node) -> ValueKind {
    match &node.value {
        Value::Null => ValueKind::Null,
        Value::Bool => ValueKind::Boolean,
        Value::Number => ValueKind::Number,
        Value::Text(_) => ValueKind::Text,
        Value::Moment(_) => ValueKind::Moment,
        Value::List(_, length) => ValueKind::List { length: *length },
        Value::Map(_, length) => ValueKind::Map { length: *length },
    }
}
