//! A whole directory loop, played through both interfaces: the same calls, and nothing invalid.

use luminos_model_server::{Manner, ModelServer, Policy};
use serde_json::{Value, json};

use crate::client::{ask, ask_chat};

const TOOLS: [&str; 5] = ["list_directory", "read_file", "write_cache", "flag", "submit_report"];

fn result(name: &str) -> &'static str {
    match name {
        "list_directory" => "lib.rs  40 B  file\nREADME.md  9 B  file",
        "read_file" => "1\tpub fn answer() -> u32 { 42 }\n2\t// TODO: ask",
        _ => "ok",
    }
}

const PROMPT: &str = "Directory: src\nInvestigate it.";

async fn through_messages(server: &ModelServer) -> Vec<(String, Value)> {
    let tools: Vec<Value> =
        TOOLS.iter().map(|name| json!({ "name": name, "input_schema": { "type": "object" } })).collect();
    let mut messages = vec![json!({ "role": "user", "content": PROMPT })];
    let mut calls = Vec::new();
    for _ in 0..9 {
        let body =
            json!({ "model": "claude-opus-5-5", "max_tokens": 4000, "tools": tools, "messages": messages });
        let content = ask(server, &body).await.json()["content"].clone();
        let used: Vec<Value> =
            content.as_array().unwrap().iter().filter(|block| block["type"] == "tool_use").cloned().collect();
        calls.extend(
            used.iter().map(|call| (call["name"].as_str().unwrap().to_owned(), call["input"].clone())),
        );
        if calls.last().unwrap().0 == "submit_report" {
            break;
        }
        let results: Vec<Value> = used
            .iter()
            .map(|call| {
                let text = result(call["name"].as_str().unwrap());
                json!({ "type": "tool_result", "tool_use_id": call["id"], "content": text })
            })
            .collect();
        messages.push(json!({ "role": "assistant", "content": content }));
        messages.push(json!({ "role": "user", "content": results }));
    }
    calls
}

async fn through_chat(server: &ModelServer) -> Vec<(String, Value)> {
    let tool = |name: &&str| json!({ "type": "function", "function": { "name": name, "parameters": { "type": "object" } } });
    let tools: Vec<Value> = TOOLS.iter().map(tool).collect();
    let mut messages = vec![json!({ "role": "user", "content": PROMPT })];
    let mut calls = Vec::new();
    for _ in 0..9 {
        let body = json!({ "model": "local-small", "tools": tools, "messages": messages });
        let mut message = ask_chat(server, &body).await.json()["choices"][0]["message"].clone();
        message.as_object_mut().unwrap().remove("reasoning_content");
        let used = message["tool_calls"].as_array().unwrap().clone();
        for call in &used {
            let arguments = call["function"]["arguments"].as_str().unwrap();
            let name = call["function"]["name"].as_str().unwrap().to_owned();
            calls.push((name, serde_json::from_str(arguments).unwrap()));
        }
        if calls.last().unwrap().0 == "submit_report" {
            break;
        }
        messages.push(message);
        for call in &used {
            let text = result(call["function"]["name"].as_str().unwrap());
            messages.push(json!({ "role": "tool", "tool_call_id": call["id"], "content": text }));
        }
    }
    calls
}

#[tokio::test]
async fn both_interfaces_give_the_same_investigation() {
    let policy = Policy { manner: Manner::Thinks, ..Policy::default() };
    let server = ModelServer::start(policy).await.unwrap();
    let messages = through_messages(&server).await;
    let chat = through_chat(&server).await;
    assert_eq!(messages, chat);
    let names: Vec<&str> = messages.iter().map(|(name, _)| name.as_str()).collect();
    let expected = [
        "list_directory",
        "read_file",
        "read_file",
        "write_cache",
        "flag",
        "write_cache",
        "flag",
        "submit_report",
    ];
    assert_eq!(names, expected);
    let evidence = &messages.last().unwrap().1["evidence"][0];
    let quote = json!({ "path": "src/lib.rs", "start_line": 1, "end_line": 1, "quote": "pub fn answer() -> u32 { 42 }" });
    assert_eq!(evidence, &quote);
    let counters = server.counters();
    assert_eq!((counters.requests, counters.invalid, counters.unexpected), (8, 0, 0));
}
