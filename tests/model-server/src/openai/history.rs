//! Checks of the messages: roles, content, and that every call has its result.

use serde_json::{Map, Value};

use super::invalid;
use crate::conversation::{Message, Said};
use crate::refusal::Refusal;
use crate::turn::arguments_value;

/// Checks the messages; gives the system prompt and the rest.
pub(super) fn check(body: &Map<String, Value>) -> Result<(String, Vec<Message>), Refusal> {
    let messages = body.get("messages").and_then(Value::as_array);
    let messages = messages.ok_or_else(|| invalid("Missing required parameter: 'messages'."))?;
    if messages.is_empty() {
        return Err(invalid("Invalid 'messages': empty array."));
    }
    let mut system = Vec::new();
    let mut result: Vec<Message> = Vec::new();
    let mut waiting: Vec<String> = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        let role = message.get("role").and_then(Value::as_str).unwrap_or_default();
        if role != "tool" {
            check_none_waits(&waiting)?;
            waiting.clear();
        }
        match role {
            "system" | "developer" => system.push(content(at, message)?),
            "user" => result.push(Message::User(vec![Said::Text(content(at, message)?)])),
            "assistant" => {
                let said = assistant(at, message)?;
                waiting.extend(said.iter().filter_map(call_id));
                result.push(Message::Assistant(said));
            }
            "tool" => {
                let id = message.get("tool_call_id").and_then(Value::as_str);
                let id =
                    id.ok_or_else(|| invalid(format!("Missing parameter 'messages[{at}].tool_call_id'.")))?;
                let place = waiting.iter().position(|waiting| waiting == id);
                let place = place.ok_or_else(|| {
                    invalid("messages with role 'tool' must be a response to a preceding message with 'tool_calls'.")
                })?;
                waiting.remove(place);
                let said = Said::Result { id: id.to_owned(), text: content(at, message)? };
                match result.last_mut() {
                    Some(Message::User(results)) => results.push(said),
                    Some(Message::Assistant(_)) | None => result.push(Message::User(vec![said])),
                }
            }
            other => return Err(invalid(format!("Invalid value: '{other}' for 'messages[{at}].role'."))),
        }
    }
    check_none_waits(&waiting)?;
    Ok((system.join("\n\n"), result))
}

fn check_none_waits(waiting: &[String]) -> Result<(), Refusal> {
    if waiting.is_empty() {
        return Ok(());
    }
    Err(invalid(format!(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. \
         The following tool_call_ids did not have response messages: {}",
        waiting.join(", ")
    )))
}

fn call_id(said: &Said) -> Option<String> {
    match said {
        Said::Call { id, .. } => Some(id.clone()),
        Said::Text(_) | Said::Result { .. } => None,
    }
}

fn content(at: usize, message: &Value) -> Result<String, Refusal> {
    let texts = |parts: &[Value]| -> Option<String> {
        parts.iter().map(|part| Some(part.get("text")?.as_str()?.to_owned())).collect()
    };
    let text = match message.get("content") {
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Array(parts)) => texts(parts),
        _ => None,
    };
    text.ok_or_else(|| {
        invalid(format!("Invalid value for 'content' of messages[{at}]: expected a string or parts."))
    })
}

fn assistant(at: usize, message: &Value) -> Result<Vec<Said>, Refusal> {
    let calls = message.get("tool_calls").filter(|calls| !calls.is_null());
    let calls = match calls {
        None => Vec::new(),
        Some(calls) => calls.as_array().cloned().unwrap_or_default(),
    };
    let mut said = Vec::new();
    match message.get("content") {
        None | Some(Value::Null) if !calls.is_empty() => {}
        _ => {
            let text = content(at, message)?;
            said.extend((!text.is_empty()).then_some(Said::Text(text)));
        }
    }
    for (number, call) in calls.iter().enumerate() {
        let place = format!("messages[{at}].tool_calls[{number}]");
        let text = |pointer: &str| {
            let value = call.pointer(pointer).and_then(Value::as_str);
            value.ok_or_else(|| invalid(format!("Invalid type for '{place}{pointer}': expected a string.")))
        };
        if text("/type")? != "function" {
            return Err(invalid(format!("Invalid value for '{place}.type'.")));
        }
        said.push(Said::Call {
            id: text("/id")?.to_owned(),
            name: text("/function/name")?.to_owned(),
            arguments: arguments_value(text("/function/arguments")?),
        });
    }
    Ok(said)
}
