//! The body of a request, built the same way each time: caches compare it byte by byte.

use luminos_core::config::CacheTime;
use serde_json::{Map, Value, json};

use super::AnthropicSettings;
use super::cache::{self, Place};
use luminos_core::talk::{AssistantBlock, Message, Provider, Request, ToolResult, UserBlock};

pub(super) fn build(settings: &AnthropicSettings, request: &Request) -> Value {
    let mut body = Map::new();
    body.insert("model".to_owned(), json!(settings.model));
    body.insert("max_tokens".to_owned(), json!(request.max_output));
    body.insert("stream".to_owned(), json!(true));
    // One that is empty, or only blanks, is refused.
    let stops: Vec<&String> = request.stop_sequences.iter().filter(|stop| !stop.trim().is_empty()).collect();
    if !stops.is_empty() {
        body.insert("stop_sequences".to_owned(), json!(stops));
    }
    let mut tools: Vec<Value> = request
        .tools
        .iter()
        .map(
            |tool| json!({ "name": tool.name, "description": tool.description, "input_schema": tool.schema }),
        )
        .collect();
    let mut system: Vec<Value> = request
        .system
        .iter()
        .filter(|text| !text.is_empty())
        .map(|text| json!({ "type": "text", "text": text }))
        .collect();
    let mut messages: Vec<(&str, Vec<Value>)> = request.messages.iter().map(message).collect();
    // A message without content is refused, and says nothing anyway.
    messages.retain(|(_, blocks)| !blocks.is_empty());

    let sizes: Vec<usize> = messages.iter().map(|(_, blocks)| blocks.len()).collect();
    for place in cache::breakpoints(tools.len(), system.len(), &sizes) {
        let block = match place {
            Place::LastTool => tools.last_mut(),
            Place::LastSystem => system.last_mut(),
            Place::EndOfMessage(index) => messages.get_mut(index).and_then(|(_, blocks)| blocks.last_mut()),
        };
        if let Some(Value::Object(block)) = block {
            block.insert("cache_control".to_owned(), cache_control(settings.cache_time));
        }
    }

    if !tools.is_empty() {
        body.insert("tools".to_owned(), Value::Array(tools));
    }
    if !system.is_empty() {
        body.insert("system".to_owned(), Value::Array(system));
    }
    let messages = messages.into_iter().map(|(role, content)| json!({ "role": role, "content": content }));
    body.insert("messages".to_owned(), Value::Array(messages.collect()));
    let mut output = Map::new();
    if let Some(effort) = settings.effort {
        output.insert("effort".to_owned(), json!(effort.word()));
    }
    if let Some(wanted) = &request.output {
        output.insert("format".to_owned(), json!({ "type": "json_schema", "schema": wanted.schema }));
    }
    if !output.is_empty() {
        body.insert("output_config".to_owned(), Value::Object(output));
    }
    Value::Object(body)
}

fn cache_control(time: CacheTime) -> Value {
    match time {
        // What holds without a word; some servers do not know the word.
        CacheTime::FiveMinutes => json!({ "type": "ephemeral" }),
        CacheTime::Hour => json!({ "type": "ephemeral", "ttl": time.word() }),
    }
}

fn message(message: &Message) -> (&'static str, Vec<Value>) {
    match message {
        Message::User(blocks) => {
            // Results must stand before text.
            let results = blocks.iter().filter_map(|block| match block {
                UserBlock::ToolResult(result) => Some(tool_result(result)),
                UserBlock::Text(_) => None,
            });
            let texts = blocks.iter().filter_map(|block| match block {
                UserBlock::Text(text) if !text.is_empty() => Some(json!({ "type": "text", "text": text })),
                UserBlock::Text(_) | UserBlock::ToolResult(_) => None,
            });
            ("user", results.chain(texts).collect())
        }
        Message::Assistant(blocks) => ("assistant", blocks.iter().filter_map(assistant_block).collect()),
    }
}

fn tool_result(result: &ToolResult) -> Value {
    let mut block = json!({ "type": "tool_result", "tool_use_id": result.call_id, "content": result.text });
    if result.failed {
        block["is_error"] = json!(true);
    }
    block
}

fn assistant_block(block: &AssistantBlock) -> Option<Value> {
    match block {
        AssistantBlock::Text(text) => (!text.is_empty()).then(|| json!({ "type": "text", "text": text })),
        AssistantBlock::ToolCall(call) => Some(json!({
            "type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments.to_object(),
        })),
        AssistantBlock::Opaque(block) if block.provider == Provider::Anthropic => Some(block.json.clone()),
        AssistantBlock::Opaque(_) => None,
    }
}
