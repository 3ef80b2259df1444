//! The body of a request.

use serde_json::{Map, Value, json};

use super::{MaxOutputName, OpenAiSettings};
use luminos_core::talk::{AssistantBlock, Message, Request, UserBlock};

/// How many stop sequences a server takes.
const MOST_STOPS: usize = 4;

pub(super) fn build(settings: &OpenAiSettings, request: &Request) -> Value {
    let mut body = Map::new();
    let mut put = |name: &str, value: Value| {
        body.insert(name.to_owned(), value);
    };
    put("model", json!(settings.model));
    let max_output = match settings.max_output_name {
        MaxOutputName::MaxTokens => "max_tokens",
        MaxOutputName::MaxCompletionTokens => "max_completion_tokens",
    };
    put(max_output, json!(request.max_output));
    put("stream", json!(true));
    put("stream_options", json!({ "include_usage": true }));
    // More than four are refused.
    let stops: Vec<&String> =
        request.stop_sequences.iter().filter(|stop| !stop.is_empty()).take(MOST_STOPS).collect();
    if !stops.is_empty() {
        put("stop", json!(stops));
    }
    if !request.tools.is_empty() {
        let tools = request.tools.iter().map(|tool| {
            let function =
                json!({ "name": tool.name, "description": tool.description, "parameters": tool.schema });
            json!({ "type": "function", "function": function })
        });
        put("tools", tools.collect());
    }
    if let Some(output) = &request.output {
        let schema = json!({ "name": output.name, "strict": true, "schema": output.schema });
        put("response_format", json!({ "type": "json_schema", "json_schema": schema }));
    }
    let mut messages = Vec::new();
    let system: Vec<&str> =
        request.system.iter().map(String::as_str).filter(|text| !text.is_empty()).collect();
    if !system.is_empty() {
        // One message: many chat templates know no second one.
        messages.push(json!({ "role": "system", "content": system.join("\n\n") }));
    }
    request.messages.iter().for_each(|message| push_message(message, &mut messages));
    put("messages", Value::Array(messages));
    Value::Object(body)
}

fn push_message(message: &Message, messages: &mut Vec<Value>) {
    match message {
        Message::User(blocks) => {
            let mut texts = Vec::new();
            for block in blocks {
                match block {
                    UserBlock::Text(text) => texts.push(text.as_str()),
                    // Results stand right behind the calls they answer, so before any text.
                    UserBlock::ToolResult(result) => {
                        let content = match result.failed {
                            true => format!("error: {}", result.text),
                            false => result.text.clone(),
                        };
                        messages.push(
                            json!({ "role": "tool", "tool_call_id": result.call_id, "content": content }),
                        );
                    }
                }
            }
            if !texts.is_empty() {
                messages.push(json!({ "role": "user", "content": texts.join("\n\n") }));
            }
        }
        Message::Assistant(blocks) => {
            let mut text = String::new();
            let mut calls = Vec::new();
            for block in blocks {
                match block {
                    AssistantBlock::Text(more) => text.push_str(more),
                    AssistantBlock::ToolCall(call) => {
                        let function = json!({ "name": call.name, "arguments": call.arguments.to_json() });
                        calls.push(json!({ "id": call.id, "type": "function", "function": function }));
                    }
                    // Servers that show their reasoning do not want it back.
                    AssistantBlock::Opaque(_) => {}
                }
            }
            let mut message = json!({ "role": "assistant", "content": text });
            if !calls.is_empty() {
                message["tool_calls"] = Value::Array(calls);
            }
            messages.push(message);
        }
    }
}
