use serde_json::json;

use super::*;
use crate::cache::Account;
use crate::event::LineEnd;
use crate::settings::Dialect;
use crate::turn::{Block, Turn};

fn request(body: &Value) -> Request {
    Request { body: body.to_string().into_bytes(), ..Request::default() }
}

fn tool(name: &str) -> Value {
    json!({ "type": "function", "function": { "name": name, "parameters": { "type": "object" } } })
}

fn with(changes: Value) -> Value {
    let mut body = json!({
        "model": "local-small", "messages": [{ "role": "user", "content": "hi" }], "tools": [tool("read")],
    });
    for (key, value) in changes.as_object().unwrap() {
        body[key] = value.clone();
    }
    body
}

fn ask(changes: Value) -> Result<Asked, Refusal> {
    check(&request(&with(changes)), &Settings::default())
}

#[track_caller]
fn refused(changes: Value, part: &str) {
    match ask(changes.clone()) {
        Err(Refusal::Invalid(message)) => assert!(message.contains(part), "{message}"),
        other => panic!("{changes}: {other:?}"),
    }
}

#[test]
fn nonsense_is_refused() {
    assert!(ask(json!({})).is_ok());
    assert!(matches!(ask(json!({ "model": "none" })), Err(Refusal::NotFound(_))));
    refused(json!({ "surprise": 1 }), "Unrecognized request argument supplied: surprise");
    refused(json!({ "max_tokens": 0 }), "at least 1");
    refused(json!({ "max_tokens": 1_000_000 }), "too large");
    refused(json!({ "stream_options": { "include_usage": true } }), "only allowed when 'stream'");
    refused(json!({ "tools": [] }), "not empty");
    refused(json!({ "tools": [tool("a b")] }), "function.name");
    refused(json!({ "tools": [tool("a"), tool("a")] }), "twice");
    refused(json!({ "tool_choice": "always" }), "tool_choice");
    refused(json!({ "messages": [] }), "empty array");
    refused(json!({ "messages": [{ "role": "robot", "content": "x" }] }), "robot");
    refused(json!({ "messages": [{ "role": "user", "content": null }] }), "content");
    refused(json!({ "model": "gpt-reasoning", "max_tokens": 5 }), "max_completion_tokens");
    assert!(ask(json!({ "model": "gpt-reasoning", "max_completion_tokens": 5 })).is_ok());
    let mut strict = tool("a");
    strict["function"]["strict"] = json!(true);
    refused(json!({ "tools": [strict] }), "additionalProperties");
}

#[test]
fn every_call_has_its_result() {
    let user = json!({ "role": "user", "content": "a" });
    let call = |id: Value, arguments: Value| {
        json!({ "role": "assistant", "content": null, "tool_calls": [
            { "id": id, "type": "function", "function": { "name": "read", "arguments": arguments } }] })
    };
    let result = |id: &str| json!({ "role": "tool", "tool_call_id": id, "content": "x" });
    let good = call(json!("c1"), json!("{}"));
    assert!(ask(json!({ "messages": [user, good, result("c1")] })).is_ok());
    refused(json!({ "messages": [user, good, user] }), "did not have response messages: c1");
    refused(json!({ "messages": [user, good] }), "did not have response messages: c1");
    refused(json!({ "messages": [user, result("c1")] }), "must be a response to a preceding message");
    refused(json!({ "messages": [user, good, result("c1"), result("c1")] }), "must be a response");
    refused(json!({ "messages": [user, call(json!(null), json!("{}")), result("c1")] }), "expected a string");
    refused(json!({ "messages": [user, call(json!("c1"), json!({})), result("c1")] }), "expected a string");
}

#[test]
fn servers_without_tools_refuse_or_pass_over_them() {
    let as_server =
        |tools: ToolSupport| check(&request(&with(json!({}))), &Settings { tools, ..Settings::default() });
    assert!(
        matches!(as_server(ToolSupport::Refused), Err(Refusal::Invalid(text)) if text.contains("not support"))
    );
    assert_eq!(as_server(ToolSupport::Ignored).unwrap().conversation.tools, []);
    assert_eq!(as_server(ToolSupport::Native).unwrap().conversation.tools.len(), 1);
}

fn stream(dialect: Dialect) -> String {
    let asked = ask(json!({ "stream": true, "stream_options": { "include_usage": true } })).unwrap();
    let call = |id: &str, arguments: &str| Block::Call {
        id: Some(id.to_owned()),
        name: "read".to_owned(),
        arguments: arguments.to_owned(),
    };
    let turn =
        Turn::of(vec![Block::Thinking("so".to_owned()), call("call_1", r#"{"p":1}"#), call("call_2", "{}")]);
    let account = Account { fresh: 5, read: 1024, ..Account::default() };
    let Body::Events(events) = exchange(&asked, &turn, account, dialect).body else {
        panic!("asked for a stream");
    };
    events.iter().map(|event| String::from_utf8(event.to_bytes(LineEnd::Lf)).unwrap()).collect()
}

#[test]
fn a_stream_has_this_form_byte_by_byte() {
    insta::assert_snapshot!(stream(Dialect::Plain));
}

#[test]
fn dialects_differ_in_their_calls() {
    for dialect in [Dialect::WholeCalls, Dialect::Repeating, Dialect::EmptyNames, Dialect::Unnumbered] {
        let stream = stream(dialect);
        let parts = stream.lines().filter_map(|line| line.split_once("\"choices\":").map(|(_, rest)| rest));
        let parts: Vec<&str> = parts.collect();
        insta::assert_snapshot!(format!("{dialect:?}"), parts.join("\n"));
    }
}

#[test]
fn an_answer_in_one_piece_has_the_same_content() {
    let asked = ask(json!({})).unwrap();
    let turn = Turn::of(vec![Block::Text("See.".to_owned()), Block::call("read", &json!({ "p": 1 }))]);
    let Body::Whole { bytes, .. } = exchange(&asked, &turn, Account::default(), Dialect::Plain).body else {
        panic!("not asked for a stream");
    };
    let json: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(json["choices"][0]["message"]["content"], "See.");
    assert_eq!(json["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"], r#"{"p":1}"#);
    assert_eq!(json["choices"][0]["finish_reason"], "tool_calls");
    assert_eq!(json["usage"]["completion_tokens"], turn.tokens());
}
