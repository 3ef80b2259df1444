//! The blocks of an answer, open and done.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::arguments::Arguments;
use crate::reply::{Event, Listener};
use crate::request::{AssistantBlock, OpaqueBlock, Provider, ToolCall};

/// A piece of a block.
#[derive(Deserialize)]
pub(super) struct Delta<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    #[serde(borrow, default)]
    text: Cow<'a, str>,
    #[serde(borrow, default)]
    partial_json: Cow<'a, str>,
    #[serde(borrow, default)]
    thinking: Cow<'a, str>,
    #[serde(borrow, default)]
    signature: Cow<'a, str>,
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

/// The blocks by their index.
#[derive(Debug, Default)]
pub(super) struct Blocks(BTreeMap<u64, Block>);

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
        self.0.insert(index, block);
    }

    pub(super) fn delta(&mut self, index: u64, delta: &Delta<'_>, listener: &mut Listener<'_>) {
        let Some(block) = self.0.get_mut(&index) else { return };
        match (&mut *block, &*delta.kind) {
            (Block::Text(text), "text_delta") => {
                text.push_str(&delta.text);
                listener(Event::Text(&delta.text));
            }
            (Block::ToolCall { json, .. }, "input_json_delta") => json.push_str(&delta.partial_json),
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

    pub(super) fn finish(self) -> Vec<AssistantBlock> {
        let blocks = self.0.into_iter().filter_map(|(index, block)| match block {
            Block::Text(text) => (!text.is_empty()).then_some(AssistantBlock::Text(text)),
            Block::ToolCall { id, name, input, json } => {
                let arguments = match input {
                    Some(input) if json.is_empty() => Arguments::Object(input),
                    Some(_) | None => Arguments::parse(&json),
                };
                let id = if id.is_empty() { format!("call_{index}") } else { id };
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
