//! The responses interface, as far as agent programs use it: a streamed turn of words and function calls.
//!
//! Requests are checked for what a turn needs. Tools that the service runs itself, and fields that only steer how it
//! thinks, are passed over: no turn here depends on them.

use serde_json::{Map, Value};

use super::{check_key, facts, invalid, render, whole};
use crate::cache::{Account, Segment};
use crate::conversation::{Conversation, Message, Said, Tool};
use crate::digest::digest;
use crate::event::Event;
use crate::exchange::{Body, Exchange};
use crate::http::Request;
use crate::json::{Json, object};
use crate::refusal::Refusal;
use crate::service::Asked;
use crate::settings::Settings;
use crate::turn::{Block, Stop, Turn, arguments_value, fragments, tokens};

/// Checks a request for a turn.
pub(crate) fn check(request: &Request, settings: &Settings) -> Result<Asked, Refusal> {
    check_key(request, settings)?;
    let body: Value = serde_json::from_slice(&request.body)
        .map_err(|error| invalid(format!("the body of the request is not valid JSON: {error}")))?;
    let body = body.as_object().ok_or_else(|| invalid("the body of the request must be an object"))?;
    let facts = facts(body, settings)?;
    let (mut system, messages) = input(body)?;
    if let Some(instructions) = body.get("instructions").and_then(Value::as_str) {
        system.insert(0, instructions.to_owned());
    }
    let segments = segments(body);
    let total = segments.iter().map(|segment| segment.tokens).sum();
    if facts.window < total {
        return Err(Refusal::ContextTooLong { tokens: total, window: facts.window });
    }
    let limit = body.get("max_output_tokens").filter(|limit| !limit.is_null());
    let limit = limit.map(|limit| {
        let limit = limit.as_u64().filter(|limit| 0 < *limit && *limit <= facts.max_output);
        limit.ok_or_else(|| invalid("Invalid value for 'max_output_tokens'."))
    });
    let bytes: Vec<String> =
        segments.iter().map(|segment| String::from_utf8_lossy(&segment.bytes).into_owned()).collect();
    Ok(Asked {
        conversation: Conversation {
            model: facts.id.clone(),
            system: system.join("\n\n"),
            tools: functions(body)?,
            messages,
            output: body.get("text").and_then(|text| text.pointer("/format/schema")).cloned(),
        },
        segments,
        max_tokens: limit.transpose()?.unwrap_or(facts.max_output),
        stream: body.get("stream") == Some(&Value::Bool(true)),
        include_usage: true,
        binding: digest(&bytes.iter().map(String::as_str).collect::<Vec<_>>()),
        facts,
    })
}

/// The functions on offer. Tools of other kinds cannot be called here.
fn functions(body: &Map<String, Value>) -> Result<Vec<Tool>, Refusal> {
    let tools = body.get("tools").filter(|tools| !tools.is_null());
    let Some(tools) = tools else { return Ok(Vec::new()) };
    let tools = tools.as_array().ok_or_else(|| invalid("'tools' must be a list"))?;
    let functions = tools.iter().filter(|tool| tool["type"] == "function").map(|tool| {
        let name =
            tool["name"].as_str().ok_or_else(|| invalid("Missing required parameter: 'tools[].name'."))?;
        Ok(Tool { name: name.to_owned(), schema: tool["parameters"].clone() })
    });
    functions.collect()
}

/// What was said so far: words of system and developer, and the rest.
fn input(body: &Map<String, Value>) -> Result<(Vec<String>, Vec<Message>), Refusal> {
    let (mut system, mut messages) = (Vec::new(), Vec::new());
    let items = match body.get("input") {
        Some(Value::String(text)) => {
            return Ok((system, vec![Message::User(vec![Said::Text(text.clone())])]));
        }
        Some(Value::Array(items)) if !items.is_empty() => items,
        _ => return Err(invalid("Missing required parameter: 'input'.")),
    };
    for (at, item) in items.iter().enumerate() {
        let text = |name: &str| {
            let value = item[name].as_str().map(str::to_owned);
            value.ok_or_else(|| invalid(format!("Missing required parameter: 'input[{at}].{name}'.")))
        };
        match item["type"].as_str().unwrap_or("message") {
            "message" => match text("role")?.as_str() {
                "system" | "developer" => system.push(words(&item["content"])),
                "user" => add(&mut messages, false, Said::Text(words(&item["content"]))),
                "assistant" => add(&mut messages, true, Said::Text(words(&item["content"]))),
                other => return Err(invalid(format!("Invalid value: '{other}' for 'input[{at}].role'."))),
            },
            "function_call" => {
                let arguments = arguments_value(&text("arguments")?);
                let call = Said::Call { id: text("call_id")?, name: text("name")?, arguments };
                add(&mut messages, true, call);
            }
            "function_call_output" => {
                let result = Said::Result { id: text("call_id")?, text: words(&item["output"]) };
                add(&mut messages, false, result);
            }
            _ => {}
        }
    }
    Ok((system, messages))
}

/// The words of content, whether it is a text or parts.
fn words(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => String::new(),
    }
}

fn add(messages: &mut Vec<Message>, is_assistant: bool, said: Said) {
    match (messages.last_mut(), is_assistant) {
        (Some(Message::Assistant(last)), true) | (Some(Message::User(last)), false) => last.push(said),
        (_, true) => messages.push(Message::Assistant(vec![said])),
        (_, false) => messages.push(Message::User(vec![said])),
    }
}

fn segments(body: &Map<String, Value>) -> Vec<Segment> {
    let list = |name: &str| body.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let instructions = body.get("instructions").cloned();
    let parts = list("tools").into_iter().chain(instructions).chain(list("input"));
    let segments = parts.map(|part| {
        let text = part.to_string();
        Segment { tokens: tokens(text.len()), bytes: text.into_bytes(), breakpoint: None }
    });
    segments.collect()
}

/// The answer, streamed or whole as it was asked for.
pub(crate) fn exchange(asked: &Asked, turn: &Turn, account: Account) -> Exchange {
    let items = items(asked, turn);
    let done = response(asked, turn, account, items.iter().map(|(item, _)| item.clone()).collect());
    if !asked.stream {
        return whole(&done);
    }
    let begun = object! { "id": response_id(asked), "object": "response", "status": "in_progress" };
    let mut events = vec![event("response.created", object! { "response": begun })];
    for (at, (item, text)) in items.into_iter().enumerate() {
        events
            .push(event("response.output_item.added", object! { "output_index": at, "item": item.clone() }));
        for part in text.iter().flat_map(|text| fragments(text)) {
            let delta = object! { "output_index": at, "content_index": 0, "item_id": item_id(asked, at), "delta": part };
            events.push(event("response.output_text.delta", delta));
        }
        events.push(event("response.output_item.done", object! { "output_index": at, "item": item }));
    }
    events.push(event("response.completed", object! { "response": done }));
    Exchange { status: 200, headers: Vec::new(), body: Body::Events(events) }
}

/// An event, which has its type in two places.
fn event(name: &'static str, mut data: Json) -> Event {
    if let Json::Object(entries) = &mut data {
        entries.insert(0, ("type", Json::from(name)));
    }
    Event::named(name, data.text())
}

fn response_id(asked: &Asked) -> String {
    format!("resp_{}", digest(&["response", &asked.binding]))
}

fn item_id(asked: &Asked, at: usize) -> String {
    format!("item_{}", digest(&["item", &asked.binding, &at.to_string()]))
}

/// The items of a turn; words come with their text, which is streamed.
fn items(asked: &Asked, turn: &Turn) -> Vec<(Json, Option<String>)> {
    let items = turn.blocks.iter().enumerate().filter_map(|(at, block)| match block {
        Block::Thinking(_) => None,
        Block::Text(text) => {
            let part = object! { "type": "output_text", "text": text.as_str(), "annotations": Json::List(Vec::new()) };
            let message = object! {
                "type": "message", "id": item_id(asked, at), "status": "completed", "role": "assistant",
                "content": Json::List(vec![part]),
            };
            Some((message, Some(text.clone())))
        }
        Block::Call { id, name, arguments } => {
            let made_up = || format!("call_{}", digest(&["call", &asked.binding, &at.to_string()]));
            let call = object! {
                "type": "function_call", "id": item_id(asked, at), "status": "completed",
                "call_id": id.clone().unwrap_or_else(made_up), "name": name.as_str(), "arguments": arguments.as_str(),
            };
            Some((call, None))
        }
    });
    items.collect()
}

fn response(asked: &Asked, turn: &Turn, account: Account, output: Vec<Json>) -> Json {
    let status = match turn.stop {
        Stop::MaxTokens | Stop::ContextExceeded => "incomplete",
        Stop::Natural | Stop::StopSequence | Stop::Pause | Stop::Refusal => "completed",
    };
    let mut response = object! {
        "id": response_id(asked), "object": "response", "created_at": render::CREATED,
        "model": asked.facts.id.as_str(), "status": status, "output": Json::List(output),
    };
    let (input, spent) = (account.total(), turn.tokens());
    if let Some([input, cached, spent, total]) =
        turn.usage.report([input, account.read, spent, input + spent])
    {
        let usage = object! {
            "input_tokens": input, "input_tokens_details": object! { "cached_tokens": cached },
            "output_tokens": spent, "output_tokens_details": object! { "reasoning_tokens": 0 },
            "total_tokens": total,
        };
        response.push("usage", usage);
    }
    response
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn asked(body: &Value) -> Result<Asked, Refusal> {
        let request = Request {
            method: "POST".to_owned(),
            path: "/v1/responses".to_owned(),
            headers: Vec::new(),
            body: body.to_string().into_bytes(),
        };
        check(&request, &Settings::default())
    }

    fn usual() -> Value {
        json!({
            "model": "local-small", "stream": true, "instructions": "Be brief.", "store": false,
            "input": [
                { "type": "message", "role": "developer", "content": [{ "type": "input_text", "text": "Rules." }] },
                { "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "List it." }] },
                { "type": "function_call", "call_id": "c1", "name": "list", "arguments": "{\"path\":\"src\"}" },
                { "type": "function_call_output", "call_id": "c1", "output": "a.rs" }
            ],
            "tools": [
                { "type": "function", "name": "list", "parameters": { "type": "object" } },
                { "type": "web_search" }
            ]
        })
    }

    #[test]
    fn a_conversation_is_read_with_its_calls_and_results() {
        let asked = asked(&usual()).unwrap();
        assert_eq!(asked.conversation.system, "Be brief.\n\nRules.");
        assert_eq!(asked.conversation.all_words(), ["List it.", "a.rs"]);
        let calls = asked.conversation.calls();
        assert_eq!((calls.len(), calls[0].name, calls[0].result), (1, "list", Some("a.rs")));
        assert!(asked.conversation.offers("list") && !asked.conversation.offers("web_search"));
        let refused = super::tests::asked(&json!({ "model": "local-small", "input": [] }));
        assert_eq!(refused, Err(invalid("Missing required parameter: 'input'.")));
    }

    #[test]
    fn a_stream_names_each_event_and_ends_with_the_whole() {
        let asked = asked(&usual()).unwrap();
        let turn =
            Turn::of(vec![Block::Text("Good.".to_owned()), Block::call("list", &json!({ "path": "." }))]);
        let Body::Events(events) = exchange(&asked, &turn, Account::default()).body else {
            panic!("it is no stream")
        };
        let names: Vec<&str> = events.iter().map(|event| event.name.as_deref().unwrap()).collect();
        assert_eq!(names.first().copied(), Some("response.created"));
        assert_eq!(names.iter().filter(|name| **name == "response.output_item.done").count(), 2);
        let last: Value = serde_json::from_str(&events.last().unwrap().data).unwrap();
        assert_eq!(last["type"], "response.completed");
        assert_eq!(last["response"]["output"][0]["content"][0]["text"], "Good.");
        assert_eq!(last["response"]["output"][1]["arguments"], "{\"path\":\".\"}");
        assert_eq!(last["response"]["usage"]["output_tokens"], turn.tokens());
    }
}
