//! What servers do to tool calls, a rule each; streams of whole answers are in `recordings`.

use luminos_core::spend::{Tokens, Usage};
use luminos_core::talk::{Arguments, StopReason};
use serde_json::{Value, json};

use crate::decode::{Dialect, decode_stream};
use crate::error::Kind;
use crate::reply::Reply;

/// The answer that these chunks make.
#[track_caller]
fn reply(chunks: &[Value]) -> Reply {
    let mut stream: String = chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
    stream.push_str("data: [DONE]\n\n");
    decode_stream(Dialect::Chat, [stream.as_bytes()]).unwrap()
}

/// A chunk with parts of calls.
fn parts(parts: Value) -> Value {
    json!({ "choices": [{ "index": 0, "delta": { "tool_calls": parts }, "finish_reason": null }] })
}

fn end(reason: &str) -> Value {
    json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] })
}

/// Each call as `id name arguments`.
#[track_caller]
fn check(chunks: &[Value], expected: &[&str]) {
    let calls = reply(chunks);
    let calls: Vec<String> = calls
        .tool_calls()
        .map(|call| format!("{} {} {}", call.id, call.name, call.arguments.to_json()))
        .collect();
    assert_eq!(calls, expected);
}

#[test]
fn parts_with_one_number_are_one_call() {
    check(
        &[
            parts(json!([{ "index": 0, "id": "x1", "function": { "name": "read", "arguments": "{\"p\"" } }])),
            parts(json!([{ "index": 1, "id": "x2", "function": { "name": "list", "arguments": "{" } }])),
            parts(json!([{ "index": 0, "function": { "arguments": ":1}" } }])),
            parts(json!([{ "index": 1, "function": { "arguments": "}" } }])),
        ],
        &["x1 read {\"p\":1}", "x2 list {}"],
    );
}

#[test]
fn parts_without_a_number_belong_to_their_id_or_to_the_last_call() {
    check(
        &[
            parts(json!([{ "id": "x1", "function": { "name": "read", "arguments": "{\"p\"" } }])),
            parts(json!([{ "id": "x2", "function": { "name": "list", "arguments": "{\"q\"" } }])),
            parts(json!([{ "id": "x1", "function": { "arguments": ":1}" } }])),
            parts(json!([{ "function": { "arguments": ":2}" } }])),
        ],
        &["x1 read {\"p\":1}", "x2 list {\"q\":2}"],
    );
}

#[test]
fn a_new_id_under_an_old_number_is_a_new_call() {
    check(
        &[
            parts(
                json!([{ "index": 0, "id": "x1", "function": { "name": "read", "arguments": "{\"p\":1}" } }]),
            ),
            parts(json!([{ "index": 0, "id": "x2", "function": { "name": "read", "arguments": "{\"p\"" } }])),
            parts(json!([{ "index": 0, "function": { "arguments": ":2}" } }])),
        ],
        &["x1 read {\"p\":1}", "x2 read {\"p\":2}"],
    );
}

#[test]
fn an_id_is_never_replaced_by_nothing_and_made_up_where_there_is_none() {
    check(
        &[
            parts(json!([{ "index": 0, "id": "9fK2", "function": { "name": "read", "arguments": "{" } }])),
            parts(json!([{ "index": 0, "id": "", "function": { "arguments": "}" } }])),
            parts(json!([{ "index": 0, "id": null, "function": { "arguments": "" } }])),
            parts(json!([{ "index": 0, "id": "9fK2", "function": { "arguments": " " } }])),
            parts(json!([{ "index": 1, "id": "", "function": { "name": "list", "arguments": "{}" } }])),
        ],
        &["9fK2 read {}", "call_1 list {}"],
    );
}

#[test]
fn a_name_that_is_repeated_is_said_once() {
    check(
        &[
            parts(json!([{ "index": 0, "id": "x1", "function": { "name": "read", "arguments": "" } }])),
            parts(
                json!([{ "index": 0, "id": "x1", "function": { "name": "read", "arguments": "{\"p\":" } }]),
            ),
            parts(json!([{ "index": 0, "id": "x1", "function": { "name": "", "arguments": "1}" } }])),
        ],
        &["x1 read {\"p\":1}"],
    );
}

#[test]
fn arguments_may_be_an_object_or_nothing() {
    check(
        &[
            parts(
                json!([{ "index": 0, "id": "x1", "function": { "name": "read", "arguments": { "p": 1 } } }]),
            ),
            parts(json!([{ "index": 1, "id": "x2", "function": { "name": "list", "arguments": "" } }])),
            parts(json!([{ "index": 2, "id": "x3", "function": { "name": "flag", "arguments": null } }])),
            parts(json!([{ "index": 3, "id": "x4", "function": { "name": "think" } }])),
        ],
        &["x1 read {\"p\":1}", "x2 list {}", "x3 flag {}", "x4 think {}"],
    );
}

#[test]
fn arguments_that_are_cut_are_told_and_never_mended() {
    let cut = reply(&[
        parts(json!([{ "index": 0, "id": "x1", "function": { "name": "read", "arguments": "{\"p\":" } }])),
        end("length"),
    ]);
    let call = cut.tool_calls().next().unwrap();
    assert!(matches!(&call.arguments, Arguments::Invalid { raw, .. } if raw == "{\"p\":"), "{call:?}");
    assert_eq!(cut.stop, StopReason::MaxOutput);
}

#[test]
fn calls_decide_what_is_wanted_and_not_the_reason_for_the_end() {
    let call =
        || parts(json!([{ "index": 0, "id": "x1", "function": { "name": "read", "arguments": "{}" } }]));
    assert_eq!(reply(&[call(), end("stop")]).stop, StopReason::ToolUse);
    assert_eq!(reply(&[call()]).stop, StopReason::ToolUse);
    assert_eq!(reply(&[end("tool_calls")]).stop, StopReason::EndTurn);
    // The older way of saying the same, beside it, is no second call.
    let mut doubled = call();
    doubled["choices"][0]["delta"]["function_call"] = json!({ "name": "read", "arguments": "{}" });
    check(&[doubled, end("function_call")], &["x1 read {}"]);
}

#[test]
fn a_reason_may_be_missing_and_usage_may_ride_anywhere() {
    let usage = json!({ "prompt_tokens": 9, "completion_tokens": 2, "prompt_tokens_details": { "cached_tokens": 4 } });
    let text = |reason: Option<&str>| {
        let mut chunk = json!({ "choices": [{ "index": 0, "delta": { "content": "Hi." } }] });
        if let Some(reason) = reason {
            chunk["choices"][0]["finish_reason"] = json!(reason);
        }
        chunk
    };
    let mut riding = text(Some("stop"));
    riding["usage"] = usage.clone();
    let expected = Usage { input: Tokens(5), cache_read: Tokens(4), output: Tokens(2), ..Usage::default() };
    for chunks in [
        vec![text(None), json!({ "choices": [], "usage": usage })],
        vec![text(None), json!({ "choices": [{ "index": 0, "delta": {} }], "usage": usage })],
        vec![riding],
    ] {
        let reply = reply(&chunks);
        assert_eq!((reply.text().as_str(), reply.usage), ("Hi.", Some(expected)), "{chunks:?}");
        assert_eq!(reply.stop, StopReason::EndTurn);
    }
    // Without a reason and without the last event nobody knows whether it was the end.
    let open = format!("data: {}\n\n", text(None));
    let error = decode_stream(Dialect::Chat, [open.as_bytes()]).unwrap_err();
    assert_eq!(error.kind(), Kind::BrokenOff);
}

#[test]
fn what_stands_beside_calls_may_be_null_empty_or_unknown() {
    for beside in [json!(null), json!("")] {
        let mut chunk =
            parts(json!([{ "index": 0, "id": "x1", "function": { "name": "read", "arguments": "{}" } }]));
        chunk["timings"] = json!({ "predicted_ms": 7 });
        chunk["choices"][0]["logprobs"] = json!(null);
        chunk["choices"][0]["delta"]["content"] = beside;
        chunk["choices"][0]["delta"]["reasoning_content"] = json!("Hm.");
        let reply = reply(&[chunk, end("tool_calls")]);
        assert_eq!(reply.text(), "");
        assert_eq!(reply.content.len(), 2, "the thought and the call: {reply:?}");
    }
}
