use serde_json::json;

use super::*;
use crate::cache::Account;
use crate::event::LineEnd;
use crate::turn::{Block, Stop, Turn, Usage};

fn request(body: &Value, headers: &[(&str, &str)]) -> Request {
    let headers = headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Request {
        method: "POST".to_owned(),
        path: "/v1/messages".to_owned(),
        headers: headers.collect(),
        body: body.to_string().into_bytes(),
    }
}

const HEADERS: [(&str, &str); 3] =
    [("x-api-key", "k"), ("anthropic-version", NEWEST), ("content-type", "application/json")];

fn ask_as(version: &str, body: &Value) -> Result<Asked, Refusal> {
    let headers = [("x-api-key", "k"), ("anthropic-version", version), ("content-type", "application/json")];
    check(&request(body, &headers), &Settings::default())
}

fn ask(body: &Value) -> Result<Asked, Refusal> {
    ask_as("2023-06-01", body)
}

/// A request that is in order, with some fields replaced; `null` removes one.
fn with(changes: Value) -> Value {
    let mut body = json!({
        "model": "claude-haiku-5-5", "max_tokens": 2000,
        "messages": [{ "role": "user", "content": "hi" }],
        "tools": [{ "name": "read", "input_schema": { "type": "object" } }],
    });
    for (key, value) in changes.as_object().unwrap() {
        if value.is_null() {
            body.as_object_mut().unwrap().remove(key);
        } else {
            body[key] = value.clone();
        }
    }
    body
}

#[track_caller]
fn refused(changes: Value, part: &str) {
    match ask(&with(changes.clone())) {
        Err(Refusal::Invalid(message)) => assert!(message.contains(part), "{message}"),
        other => panic!("{changes}: {other:?}"),
    }
}

#[track_caller]
fn accepted(changes: Value) {
    ask(&with(changes)).unwrap();
}

fn call(id: &str) -> Value {
    json!({ "role": "assistant", "content": [{ "type": "tool_use", "id": id, "name": "read", "input": {} }] })
}

fn result(id: &str) -> Value {
    json!({ "role": "user", "content": [{ "type": "tool_result", "tool_use_id": id, "content": "x" }] })
}

fn user(text: &str) -> Value {
    json!({ "role": "user", "content": text })
}

#[test]
fn missing_and_unknown_fields_are_refused() {
    accepted(json!({}));
    accepted(json!({ "max_tokens": 0 }));
    refused(json!({ "max_tokens": null }), "max_tokens: Field required");
    refused(json!({ "max_tokens": 1_000_000 }), "which is the maximum");
    refused(json!({ "max_tokens": "9" }), "valid integer");
    refused(json!({ "messages": null }), "messages: Field required");
    refused(json!({ "messages": [] }), "at least one message");
    refused(json!({ "surprise": 1 }), "surprise: Extra inputs are not permitted");
    refused(json!({ "stream": "yes" }), "valid boolean");
    assert!(matches!(ask(&with(json!({ "model": "claude-1" }))), Err(Refusal::NotFound(_))));
}

#[test]
fn sampling_is_refused_by_new_models_and_by_the_new_version() {
    refused(json!({ "temperature": 0 }), "sampling");
    refused(json!({ "top_p": 0.5 }), "sampling");
    accepted(json!({ "temperature": 1.0 }));
    accepted(json!({ "model": "claude-sonnet-4-6", "temperature": 0 }));
    let newest = ask_as(NEWEST, &with(json!({ "model": "claude-sonnet-4-6", "temperature": 1.0 })));
    assert!(matches!(newest, Err(Refusal::Invalid(_))));
    assert!(ask_as("1999-01-01", &with(json!({}))).is_err());
}

#[test]
fn a_forced_choice_is_refused_where_the_model_or_thinking_forbids_it() {
    accepted(json!({ "tool_choice": { "type": "any" } }));
    accepted(json!({ "tool_choice": { "type": "tool", "name": "read" } }));
    refused(json!({ "tool_choice": { "type": "tool", "name": "write" } }), "not found");
    refused(json!({ "tool_choice": { "type": "maybe" } }), "tool_choice.type");
    refused(json!({ "tools": null, "tool_choice": { "type": "auto" } }), "while providing tools");
    for model in ["claude-opus-5-5", "claude-sonnet-5-5", "claude-fable-5-1"] {
        refused(json!({ "model": model, "tool_choice": { "type": "any" } }), "not supported");
        accepted(json!({ "model": model, "tool_choice": { "type": "auto" } }));
    }
    let thinking = json!({ "type": "enabled", "budget_tokens": 1024 });
    let body = json!({ "model": "claude-haiku-4-5", "thinking": thinking, "tool_choice": { "type": "any" } });
    refused(body, "Thinking may not be enabled");
}

#[test]
fn thinking_is_asked_for_in_the_words_of_the_model() {
    refused(json!({ "model": "claude-opus-5-5", "thinking": { "type": "disabled" } }), "not supported");
    refused(json!({ "model": "claude-sonnet-5-5", "thinking": { "type": "disabled" } }), "not supported");
    accepted(json!({ "model": "claude-sonnet-5-5", "thinking": { "type": "between_tools" } }));
    accepted(json!({ "thinking": { "type": "disabled" } }));
    let budget = |tokens: u64| json!({ "model": "claude-haiku-4-5", "thinking": { "type": "enabled", "budget_tokens": tokens } });
    accepted(budget(1024));
    refused(budget(1000), "greater than or equal to 1024");
    refused(budget(2000), "max_tokens must be greater");
}

#[test]
fn every_call_has_its_result_in_the_next_message() {
    accepted(json!({ "messages": [user("a"), call("t1"), result("t1")] }));
    accepted(json!({ "messages": [user("a"), user("b"), call("t1"), result("t1"), user("c")] }));
    refused(json!({ "messages": [user("a"), call("t1"), user("b")] }), "without `tool_result` blocks");
    refused(json!({ "messages": [user("a"), result("t1")] }), "unexpected `tool_use_id`");
    refused(json!({ "messages": [user("a"), call("t1"), result("t2")] }), "unexpected `tool_use_id`");
    let twice = json!({ "messages": [user("a"), call("t1"), result("t1"), call("t1"), result("t1")] });
    refused(twice, "must be unique");
    refused(json!({ "messages": [call("t1"), result("t1")] }), "first message");
    refused(json!({ "messages": [user("a"), { "role": "assistant", "content": "b" }] }), "no prefill");
    refused(json!({ "messages": [{ "role": "tool", "content": "b" }] }), "role");
    refused(json!({ "messages": [user("")] }), "non-empty");
    refused(json!({ "messages": [{ "role": "user", "content": [{ "type": "tool_use" }] }] }), "not expected");
    let late = json!({ "role": "user", "content": [{ "type": "text", "text": "x" },
        { "type": "tool_result", "tool_use_id": "t1" }] });
    refused(json!({ "messages": [user("a"), call("t1"), late] }), "must come before");
}

#[test]
fn breakpoints_are_counted_and_ordered() {
    let block = |ttl: Option<&str>| {
        let mut block = json!({ "type": "text", "text": "x", "cache_control": { "type": "ephemeral" } });
        if let Some(ttl) = ttl {
            block["cache_control"]["ttl"] = json!(ttl);
        }
        block
    };
    accepted(json!({ "system": vec![block(None); 4] }));
    refused(json!({ "system": vec![block(None); 5] }), "maximum of 4");
    refused(json!({ "system": [block(None), block(Some("1h"))] }), "must not come after");
    accepted(json!({ "system": [block(Some("1h")), block(Some("5m"))] }));
    refused(json!({ "system": [block(Some("2h"))] }), "ttl");
    refused(json!({ "system": [{ "type": "text", "text": "" }] }), "non-empty");
}

#[test]
fn tools_and_schemas_are_looked_at() {
    let tool = |name: &str| json!({ "name": name, "input_schema": { "type": "object" } });
    refused(json!({ "tools": [tool("a b")] }), "pattern");
    refused(json!({ "tools": [tool("a"), tool("a")] }), "unique");
    refused(json!({ "tools": [{ "name": "a" }] }), "input_schema: Field required");
    let strict = json!({ "name": "a", "strict": true, "input_schema": { "type": "object" } });
    refused(json!({ "tools": [strict] }), "additionalProperties");
    let format = json!({ "format": { "type": "json_schema", "schema": { "type": "object" } } });
    refused(json!({ "output_config": format }), "additionalProperties");
    refused(json!({ "output_config": { "effort": "extreme" } }), "effort");
}

#[test]
fn keys_and_versions_are_asked_for_first() {
    let body = with(json!({}));
    let version = ("anthropic-version", "2023-06-01");
    let json = ("content-type", "application/json");
    let only = Settings { keys: Keys::Only("right".to_owned()), ..Settings::default() };
    let ask = |headers: &[(&str, &str)]| check(&request(&body, headers), &only);
    assert!(ask(&[version, json, ("x-api-key", "right")]).is_ok());
    assert!(ask(&[version, json, ("authorization", "Bearer right")]).is_ok());
    assert_eq!(ask(&[version, json, ("x-api-key", "wrong")]), Err(Refusal::Unauthorized));
    assert_eq!(ask(&[version, json]), Err(Refusal::Unauthorized));
    let both = [version, json, ("x-api-key", "right"), ("authorization", "Bearer right")];
    assert_eq!(ask(&both), Err(Refusal::Unauthorized));
    assert!(matches!(ask(&[json, ("x-api-key", "right")]), Err(Refusal::Invalid(_))));
    assert!(matches!(ask(&[version, ("x-api-key", "right")]), Err(Refusal::Invalid(_))));
}

#[test]
fn a_prompt_beyond_the_window_is_refused() {
    let long = "x".repeat(900_000);
    let refusal = ask(&with(json!({ "model": "claude-haiku-4-5", "messages": [user(&long)] })));
    assert!(matches!(refusal, Err(Refusal::ContextTooLong { window: 200_000, .. })), "{refusal:?}");
}

/// What the model says to a request, as the blocks that a client sends back.
fn answer(body: &Value, turn: &Turn) -> Value {
    let exchange = exchange(&ask(body).unwrap(), turn, Account::default());
    let Body::Whole { bytes, .. } = exchange.body else {
        panic!("not asked for a stream");
    };
    let message: Value = serde_json::from_slice(&bytes).unwrap();
    json!({ "role": "assistant", "content": message["content"] })
}

#[test]
fn thinking_must_come_back_unchanged_and_in_place() {
    for (model, is_bound) in [("claude-opus-5-5", true), ("claude-haiku-5-5", false)] {
        let turn = Turn::of(vec![Block::Thinking("hm".to_owned()), Block::call("read", &json!({}))]);
        let said = answer(&with(json!({ "model": model })), &turn);
        let id = said["content"][1]["id"].as_str().unwrap().to_owned();
        let back = |first: &str, said: &Value| {
            ask(&with(json!({ "model": model, "messages": [user(first), said.clone(), result(&id)] })))
        };
        assert!(back("hi", &said).is_ok());
        assert_eq!(back("history was edited", &said).is_ok(), !is_bound, "{model}");
        let mut body =
            with(json!({ "model": model, "messages": [user("edited"), said.clone(), result(&id)] }));
        body["thinking"] = json!({ "type": "adaptive",
            "block_binding": { "prefix_mismatch_behavior": "drop_block" } });
        let mut headers = HEADERS.to_vec();
        assert!(check(&request(&body, &headers), &Settings::default()).is_err());
        headers.push(("anthropic-beta", "other, thinking-binding-controls-2026-08-01"));
        assert!(check(&request(&body, &headers), &Settings::default()).is_ok());
        let mut changed = said.clone();
        changed["content"][0]["thinking"] = json!("other");
        assert!(back("hi", &changed).is_err());
        let mut dropped = said.clone();
        dropped["content"].as_array_mut().unwrap().remove(0);
        assert!(back("hi", &dropped).is_err());
    }
}

fn stream(turn: &Turn) -> String {
    let asked = ask(&with(json!({ "stream": true }))).unwrap();
    let account = Account { fresh: 5, read: 1000, written_5m: 20, written_1h: 0 };
    let Body::Events(events) = exchange(&asked, turn, account).body else {
        panic!("asked for a stream");
    };
    events.iter().map(|event| String::from_utf8(event.to_bytes(LineEnd::Lf)).unwrap()).collect()
}

#[test]
fn a_stream_has_this_form_byte_by_byte() {
    let turn = Turn::of(vec![
        Block::Thinking("so".to_owned()),
        Block::Call {
            id: Some("toolu_1".to_owned()),
            name: "read".to_owned(),
            arguments: r#"{"p":1}"#.to_owned(),
        },
    ]);
    insta::assert_snapshot!(stream(&turn));
}

#[test]
fn usage_can_be_anything() {
    let line = |usage: Usage| {
        let turn = Turn { usage, ..Turn::text("12345678901234567890123456789012345678901") };
        let stream = stream(&turn);
        let line = stream.lines().find(|line| line.contains("message_delta\"")).unwrap();
        line.split_once(",\"usage\":").map_or(String::new(), |(_, usage)| usage.to_owned())
    };
    let counts = |fresh: &str, written: &str, read: &str, output: &str| {
        format!(
            "{{\"input_tokens\":{fresh},\"cache_creation_input_tokens\":{written},\
             \"cache_read_input_tokens\":{read},\"output_tokens\":{output}}}}}"
        )
    };
    assert_eq!(line(Usage::True), counts("5", "20", "1000", "11"));
    assert_eq!(line(Usage::TooLow), counts("0", "2", "100", "1"));
    assert_eq!(line(Usage::Zero), counts("0", "0", "0", "0"));
    assert_eq!(line(Usage::Negative), counts("-7", "-7", "-7", "-7"));
    let huge = u64::MAX.to_string();
    assert_eq!(line(Usage::Huge), counts(&huge, &huge, &huge, &huge));
    assert_eq!(line(Usage::Missing), "");
}

#[test]
fn the_stop_reason_follows_the_turn() {
    let reason = |turn: &Turn| {
        let stream = stream(turn);
        stream.split("\"stop_reason\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    assert_eq!(reason(&Turn::text("x")), "end_turn");
    assert_eq!(reason(&Turn::call("read", &json!({}))), "tool_use");
    assert_eq!(reason(&Turn::text("long text").within(1)), "max_tokens");
    assert_eq!(reason(&Turn::text("x").stopped(Stop::Refusal)), "refusal");
}

#[test]
fn counting_takes_the_same_body_without_its_limit() {
    let headers = [("x-api-key", "k"), ("anthropic-version", NEWEST), ("content-type", "application/json")];
    let count = |body: &Value| count_tokens(&request(body, &headers), &Settings::default());
    let exchange = count(&with(json!({ "max_tokens": null }))).unwrap();
    let asked = ask(&with(json!({}))).unwrap();
    let tokens: u64 = asked.segments.iter().map(|segment| segment.tokens).sum();
    assert_eq!(exchange.body, whole(&object! { "input_tokens": tokens }).body);
    assert!(count(&with(json!({}))).is_err());
}
