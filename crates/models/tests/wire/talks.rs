//! Whole conversations: calls, results, thinking that goes back as it came, and a cache that is used.

use luminos_model_server::{Answer, Block, Manner, ModelServer, Policy, Script, Turn};
use luminos_models::{
    AnyModel, AssistantBlock, Message, Model, Pass, Reply, Request, StopReason, ToolResult, ToolSpec,
    UserBlock,
};
use serde_json::{Map, Value, json};

use crate::{both, failure, patient};

const TOOLS: [&str; 5] = ["list_directory", "read_file", "write_cache", "flag", "submit_report"];

fn tool(name: &str) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: format!("What {name} does, in many words. ").repeat(20),
        schema: Map::from_iter([("type".to_owned(), json!("object"))]),
    }
}

fn first_request() -> Request {
    Request {
        system: vec!["You look into directories. ".repeat(100)],
        tools: TOOLS.map(tool).to_vec(),
        ..Request::question(Pass::Dir, "Directory: src\nInvestigate it.", 4000)
    }
}

fn result(name: &str) -> &'static str {
    match name {
        "list_directory" => "lib.rs  40 B  file\nREADME.md  9 B  file",
        "read_file" => "1\tpub fn answer() -> u32 { 42 }\n2\t// TODO: ask",
        _ => "ok",
    }
}

/// The request that follows a reply.
fn follow(request: &mut Request, reply: &Reply) {
    let results = reply.tool_calls().map(|call| {
        let text = result(&call.name).to_owned();
        UserBlock::ToolResult(ToolResult { call_id: call.id.clone(), text, failed: false })
    });
    let results = results.collect();
    request.messages.push(Message::Assistant(reply.content.clone()));
    request.messages.push(Message::User(results));
}

async fn investigate(model: &AnyModel) -> (Vec<Reply>, Vec<(String, Value)>) {
    let mut request = first_request();
    let (mut replies, mut calls) = (Vec::new(), Vec::new());
    for _ in 0..9 {
        let reply = model.complete(&request).await.unwrap();
        assert_eq!(reply.stop, StopReason::ToolUse);
        calls.extend(reply.tool_calls().map(|call| (call.name.clone(), call.arguments.to_object())));
        let is_over = reply.tool_calls().any(|call| call.name == "submit_report");
        follow(&mut request, &reply);
        replies.push(reply);
        if is_over {
            return (replies, calls);
        }
    }
    panic!("no end: {calls:?}")
}

#[tokio::test]
async fn an_investigation_goes_through_both_interfaces_alike() {
    let policy = Policy { manner: Manner::Thinks, ..Policy::default() };
    let server = ModelServer::start(policy).await.unwrap();
    let [messages, chat] = both(&patient(), &server.url());
    let (replies, calls) = investigate(&messages).await;
    let names: Vec<&str> = calls.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "list_directory",
            "read_file",
            "read_file",
            "write_cache",
            "flag",
            "write_cache",
            "flag",
            "submit_report"
        ]
    );
    assert_eq!(investigate(&chat).await.1, calls);
    // The server checks what stands between: ids, order, signatures of what was thought.
    assert_eq!((server.counters().invalid, server.counters().unexpected), (0, 0));
    let thoughts = |reply: &Reply| {
        reply.content.iter().filter(|block| matches!(block, AssistantBlock::Opaque(_))).count()
    };
    assert!(replies.iter().all(|reply| thoughts(reply) == 1), "{replies:?}");
}

#[tokio::test]
async fn every_turn_reads_from_the_cache_what_the_turn_before_wrote() {
    let server = ModelServer::start(Policy::default()).await.unwrap();
    let [messages, chat] = both(&patient(), &server.url());
    let (replies, _) = investigate(&messages).await;
    let usages: Vec<_> = replies.iter().map(|reply| reply.usage.unwrap()).collect();
    assert_eq!(usages[0].cache_read.0, 0);
    for pair in usages.windows(2) {
        let written = pair[0].cache_read + pair[0].cache_write_5m;
        assert_eq!(pair[1].cache_read, written, "all that was there before, to the last token: {usages:?}");
        assert!(0 < pair[1].cache_write_5m.0);
        assert_eq!(pair[1].input.0, 0, "the end of the prompt is a place to cut: {usages:?}");
    }
    // Chat completions cache by themselves, if the beginning stays the same.
    let (replies, _) = investigate(&chat).await;
    let usages: Vec<_> = replies.iter().map(|reply| reply.usage.unwrap()).collect();
    assert!(usages[1..].iter().all(|usage| usage.input < usage.cache_read), "{usages:?}");
}

#[tokio::test]
async fn a_long_turn_does_not_lose_the_cache() {
    // More blocks than a server looks back over.
    let many: Vec<Block> =
        (0..30).map(|number| Block::call("read_file", &json!({ "path": number }))).collect();
    let script = Script::new().then(Turn::of(many)).then(Turn::text("Done."));
    let server = ModelServer::start(script).await.unwrap();
    let [messages, _] = both(&patient(), &server.url());
    let mut request = first_request();
    let first = messages.complete(&request).await.unwrap();
    follow(&mut request, &first);
    let second = messages.complete(&request).await.unwrap().usage.unwrap();
    assert_eq!(second.cache_read, first.usage.unwrap().prompt());
    assert_eq!(server.counters().invalid, 0);
}

#[tokio::test]
async fn thinking_goes_back_as_it_came_or_is_refused() {
    let thinks = Turn::of(vec![
        Block::Thinking("The file may say more.\n\"Quoted\" and größer.".to_owned()),
        Block::Text("I read on.".to_owned()),
        Block::call("read_file", &json!({ "path": "a" })),
    ]);
    let script =
        Script::new().then(thinks.clone()).then(Answer::text("Seen.")).then(thinks).always(Answer::text("!"));
    let server = ModelServer::start(script).await.unwrap();
    let [messages, chat] = both(&patient(), &server.url());
    let mut request = first_request();
    let reply = messages.complete(&request).await.unwrap();
    follow(&mut request, &reply);
    assert_eq!(messages.complete(&request).await.unwrap().text(), "Seen.");
    assert_eq!(server.counters().invalid, 0);
    let sent = server.requests()[1].request.json();
    assert_eq!(
        sent["messages"][1]["content"][0]["thinking"],
        "The file may say more.\n\"Quoted\" and größer."
    );

    // The server would notice a change: the messages before what was thought belong to it.
    let mut changed = request.clone();
    changed.messages[0] = Message::user("Something else.");
    failure(&messages, &changed).await;
    assert_eq!(server.counters().invalid, 1);

    // What one provider thought is none of another's business.
    let mut request = first_request();
    let reply = messages.complete(&request).await.unwrap();
    follow(&mut request, &reply);
    assert_eq!(chat.complete(&request).await.unwrap().text(), "!");
    let body = String::from_utf8_lossy(&server.requests().last().unwrap().request.body).into_owned();
    assert!(!body.contains("signature") && body.contains("I read on."), "{body}");
    assert_eq!(server.counters().invalid, 1);
}
