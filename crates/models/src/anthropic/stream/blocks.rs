//! The blocks of an answer, open and done.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

use serde::de::{Deserialize, Deserializer, Visitor};
use serde_json::{Map, Value};

use crate::reply::{Event, Listener};
use luminos_core::talk::Arguments;
use luminos_core::talk::{AssistantBlock, OpaqueBlock, Provider, ToolCall};

/// A piece of a block.
#[derive(serde::Deserialize)]
pub(super) struct Delta<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    text: Text<'a>,
    #[serde(borrow, default)]
    partial_json: Text<'a>,
    #[serde(borrow, default)]
    thinking: Text<'a>,
    #[serde(borrow, default)]
    signature: Text<'a>,
}

/// A text that is borrowed where it can be, and empty where a server sends null.
#[derive(Default)]
struct Text<'a>(Cow<'a, str>);

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Text<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TextVisitor).map(Self)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Cow<'de, str>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(""))
    }
}

#[derive(Debug)]
enum Block {
    Text(String),
    ToolCall {
        id: String,
        name: String,
        input: Option<Map<String, Value>>,
        json: String,
    },
    /// Thinking, and everything that is newer than this program.
    Opaque(Map<String, Value>),
    /// A block of which a part was not understood. It cannot go back as it came, so it does not count.
    Lost,
}

/// The blocks. A server that gives an index twice means two blocks; what follows belongs to the later one.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    /// In the order of their starts.
    started: Vec<(u64, Block)>,
    /// Where the last block of an index is.
    by_index: BTreeMap<u64, usize>,
}

impl Blocks {
    pub(super) fn start(&mut self, index: u64, block: Value, listener: &mut Listener<'_>) {
        let Value::Object(mut block) = block else { return };
        let mut take = |name: &str| match block.get_mut(name).map(Value::take) {
            Some(Value::String(text)) => text,
            Some(_) | None => String::new(),
        };
        let block = match take("type").as_str() {
            "text" => {
                let text = take("text");
                if !text.is_empty() {
                    listener(Event::Text(&text));
                }
                Block::Text(text)
            }
            "tool_use" => {
                let (id, name) = (take("id"), take("name"));
                listener(Event::ToolCall { name: &name });
                let input = match block.get_mut("input").map(Value::take) {
                    Some(Value::Object(input)) if !input.is_empty() => Some(input),
                    Some(_) | None => None,
                };
                Block::ToolCall { id, name, input, json: String::new() }
            }
            kind => {
                let kind = kind.to_owned();
                block.insert("type".to_owned(), Value::String(kind));
                Block::Opaque(block)
            }
        };
        self.by_index.insert(index, self.started.len());
        self.started.push((index, block));
    }

    pub(super) fn delta(&mut self, index: u64, delta: &Delta<'_>, listener: &mut Listener<'_>) {
        let place = self.by_index.get(&index);
        let Some((_, block)) = place.and_then(|&place| self.started.get_mut(place)) else { return };
        match (&mut *block, &*delta.kind) {
            (Block::Text(text), "text_delta") => {
                text.push_str(&delta.text);
                listener(Event::Text(&delta.text));
            }
            (Block::ToolCall { json, .. }, "input_json_delta") => {
                json.push_str(&delta.partial_json);
                listener(Event::Arguments(&delta.partial_json));
            }
            (Block::Opaque(map), "thinking_delta") => {
                append(map, "thinking", &delta.thinking);
                listener(Event::Thinking(&delta.thinking));
            }
            (Block::Opaque(map), "signature_delta") => append(map, "signature", &delta.signature),
            (Block::Opaque(map), "text_delta") => append(map, "text", &delta.text),
            (Block::Opaque(_), _) => *block = Block::Lost,
            // Citations and the like: the text is complete without them.
            (Block::Text(_) | Block::ToolCall { .. } | Block::Lost, _) => {}
        }
    }

    pub(super) fn finish(mut self) -> Vec<AssistantBlock> {
        self.started.sort_by_key(|(index, _)| *index);
        let blocks = self.started.into_iter().enumerate().filter_map(|(place, (_, block))| match block {
            Block::Text(text) => (!text.is_empty()).then_some(AssistantBlock::Text(text)),
            Block::ToolCall { id, name, input, json } => {
                let arguments = match input {
                    Some(input) if json.is_empty() => Arguments::Object(input),
                    Some(_) | None => Arguments::parse(&json),
                };
                let id = if id.is_empty() { format!("call_{place}") } else { id };
                Some(AssistantBlock::ToolCall(ToolCall { id, name, arguments }))
            }
            Block::Opaque(json) => Some(AssistantBlock::Opaque(OpaqueBlock {
                provider: Provider::Anthropic,
                json: Value::Object(json),
            })),
            Block::Lost => None,
        });
        blocks.collect()
    }
}

fn append(map: &mut Map<String, Value>, name: &str, more: &str) {
    match map.get_mut(name) {
        Some(Value::String(text)) => text.push_str(more),
        Some(_) | None => {
            map.insert(name.to_owned(), Value::String(more.to_owned()));
        }
    }
}
