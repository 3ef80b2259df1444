//! A request as a row of segments for the cache, and as a conversation for a policy.

use serde_json::{Map, Value};

use super::history::{Role, Turned, kind};
use super::invalid;
use crate::cache::{Segment, Ttl};
use crate::conversation::{Conversation, Message, Said, Tool};
use crate::refusal::Refusal;
use crate::turn::tokens;

/// The prompt in its order: tools, system, messages.
pub(super) fn segments(body: &Map<String, Value>, messages: &[Turned]) -> Result<Vec<Segment>, Refusal> {
    let mut segments: Vec<Segment> = list(body, "tools").iter().map(|tool| segment("tool", tool)).collect();
    for (at, block) in system(body)?.iter().enumerate() {
        let text = block.get("text").and_then(Value::as_str).unwrap_or_default();
        if kind(block) != "text" || text.is_empty() {
            return Err(invalid(format!("system.{at}: text content blocks must be non-empty")));
        }
        segments.push(segment("system", block));
    }
    // Another choice of tools or way of thinking leaves the cached tools and system as they are, and voids
    // the messages.
    let manner = ["tool_choice", "thinking"].map(|name| body.get(name).cloned().unwrap_or_default());
    segments.push(Segment { bytes: format!("{manner:?}").into_bytes(), tokens: 0, breakpoint: None });
    for message in messages {
        segments.extend(message.blocks.iter().map(|block| segment(message.role.name(), block)));
    }
    if let (Some(control), Some(last)) = (body.get("cache_control"), segments.last_mut()) {
        last.breakpoint = last.breakpoint.or(Some(ttl(control)));
    }
    Ok(segments)
}

fn segment(part: &str, block: &Value) -> Segment {
    let text = without_breakpoint(block).to_string();
    Segment {
        tokens: tokens(text.len()),
        bytes: format!("{part} {text}").into_bytes(),
        breakpoint: block.get("cache_control").filter(|control| !control.is_null()).map(ttl),
    }
}

fn ttl(control: &Value) -> Ttl {
    match control.get("ttl").and_then(Value::as_str) {
        Some("1h") => Ttl::OneHour,
        _ => Ttl::FiveMinutes,
    }
}

/// A block as it counts: where breakpoints are is no part of what is said.
pub(super) fn without_breakpoint(block: &Value) -> Value {
    let mut block = block.clone();
    if let Some(object) = block.as_object_mut() {
        object.remove("cache_control");
    }
    block
}

fn list<'a>(body: &'a Map<String, Value>, name: &str) -> &'a [Value] {
    body.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

fn system(body: &Map<String, Value>) -> Result<Vec<Value>, Refusal> {
    match body.get("system") {
        None => Ok(Vec::new()),
        Some(Value::String(text)) if text.is_empty() => Ok(Vec::new()),
        Some(Value::String(text)) => Ok(vec![serde_json::json!({ "type": "text", "text": text })]),
        Some(Value::Array(blocks)) => Ok(blocks.clone()),
        Some(_) => Err(invalid("system: Input should be a string or a list of text blocks")),
    }
}

/// The same for a policy.
pub(super) fn conversation(body: &Map<String, Value>, messages: &[Turned]) -> Conversation {
    let text =
        |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let choice = body.get("tool_choice").map(|choice| text(choice, "type"));
    let tools = if choice.as_deref() == Some("none") { &[] } else { list(body, "tools") };
    let system: Vec<String> =
        system(body).unwrap_or_default().iter().map(|block| text(block, "text")).collect();
    Conversation {
        model: body.get("model").and_then(Value::as_str).unwrap_or_default().to_owned(),
        system: system.join("\n\n"),
        tools: tools
            .iter()
            .map(|tool| Tool {
                name: text(tool, "name"),
                schema: tool.get("input_schema").cloned().unwrap_or_default(),
            })
            .collect(),
        messages: messages.iter().map(message).collect(),
        output: body.get("output_config").and_then(|config| config.pointer("/format/schema")).cloned(),
    }
}

fn message(message: &Turned) -> Message {
    let said = message.blocks.iter().filter_map(said).collect();
    match message.role {
        Role::User => Message::User(said),
        Role::Assistant => Message::Assistant(said),
    }
}

fn said(block: &Value) -> Option<Said> {
    let text = |key: &str| block.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    match kind(block) {
        "text" => Some(Said::Text(text("text"))),
        "tool_use" => Some(Said::Call {
            id: text("id"),
            name: text("name"),
            arguments: block.get("input").cloned().unwrap_or_default(),
        }),
        "tool_result" => {
            let content = match block.get("content") {
                Some(Value::Array(blocks)) => {
                    let texts = blocks.iter().filter_map(|block| block.get("text")?.as_str());
                    texts.collect::<Vec<_>>().join("\n")
                }
                _ => text("content"),
            };
            Some(Said::Result { id: text("tool_use_id"), text: content })
        }
        _ => None,
    }
}
