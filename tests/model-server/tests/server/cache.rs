//! The prompt cache as a client sees it.

use std::time::Duration;

use luminos_model_server::{Answer, ModelServer, Policy, Script, tokens};
use serde_json::{Value, json};

use crate::client::{ask, ask_chat};

fn block(text: &str, is_breakpoint: bool) -> Value {
    let mut block = json!({ "type": "text", "text": text });
    if is_breakpoint {
        block["cache_control"] = json!({ "type": "ephemeral" });
    }
    block
}

fn body(system: &str, words: &str) -> Value {
    json!({ "model": "claude-haiku-5-5", "max_tokens": 50, "system": [block(system, true)],
        "messages": [{ "role": "user", "content": words }] })
}

/// Fresh, written and read tokens.
async fn usage(server: &ModelServer, body: &Value) -> [u64; 3] {
    let usage = ask(server, body).await.json()["usage"].clone();
    let count = |name: &str| usage[name].as_u64().unwrap();
    [count("input_tokens"), count("cache_creation_input_tokens"), count("cache_read_input_tokens")]
}

#[tokio::test]
async fn the_second_request_reads_what_the_first_wrote() {
    let server = ModelServer::start(Policy::default()).await.unwrap();
    let system = "s".repeat(4000);
    let cached = tokens(json!({ "type": "text", "text": system }).to_string().len());
    let fresh = |words: &str| tokens(json!({ "type": "text", "text": words }).to_string().len());
    assert_eq!(usage(&server, &body(&system, "one")).await, [fresh("one"), cached, 0]);
    assert_eq!(usage(&server, &body(&system, "and two")).await, [fresh("and two"), 0, cached]);
    let other = format!("x{}", &system[1..]);
    assert_eq!(usage(&server, &body(&other, "one")).await, [fresh("one"), cached, 0]);
    let short = usage(&server, &body("too short", "one")).await;
    assert_eq!((short[1], short[2]), (0, 0));
}

#[tokio::test(start_paused = true)]
async fn requests_side_by_side_write_twice_and_an_entry_ends() {
    let slow = Answer::text("x").after(Duration::from_secs(10));
    let server = ModelServer::start(Script::new().always(slow)).await.unwrap();
    let body = body(&"s".repeat(4000), "one");
    let (first, second) = tokio::join!(usage(&server, &body), usage(&server, &body));
    assert_eq!(first, second);
    assert!(0 < first[1]);
    assert_eq!(usage(&server, &body).await[1], 0);
    tokio::time::advance(Duration::from_secs(301)).await;
    assert_eq!(usage(&server, &body).await, first);
}

#[tokio::test]
async fn chat_completions_cache_by_themselves() {
    let server = ModelServer::start(Policy::default()).await.unwrap();
    let ask = async |words: &str| {
        let body = json!({ "model": "local-small", "messages": [
            { "role": "system", "content": "s".repeat(8000) }, { "role": "user", "content": words }] });
        ask_chat(&server, &body).await.json()["usage"]["prompt_tokens_details"]["cached_tokens"].clone()
    };
    assert_eq!(ask("one").await, 0);
    assert_eq!(ask("two").await, 1920);
}
