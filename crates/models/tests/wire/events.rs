//! The same answer in all the forms in which its bytes can come, and answers with mistakes in them.

use std::time::Duration;

use luminos_core::spend::Tokens;
use luminos_model_server::{
    Answer, Block, ByteFault, Dialect, EventFault, Fault, Framing, LineEnd, ModelServer, Script, Settings,
    Turn, TurnFault, Usage,
};
use luminos_models::{
    Arguments, Kind, Model, Models, Pass, Reply, Request, Sent, ToolSpec, UsageDoubt, decode_stream,
    estimate_input,
};
use serde_json::{Map, Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::{both, failure, patient};

fn tools() -> Vec<ToolSpec> {
    let tool = |name: &str| ToolSpec {
        name: name.to_owned(),
        description: "Does it.".to_owned(),
        schema: Map::from_iter([("type".to_owned(), json!("object"))]),
    };
    vec![tool("read_file"), tool("flag")]
}

fn request() -> Request {
    Request { tools: tools(), ..Request::question(Pass::Dir, "Look at `größe.rs`.", 2000) }
}

/// Words, two calls, letters of several bytes.
fn turn() -> Turn {
    Turn::of(vec![
        Block::Text("Größer als gedacht: 数据 🦀".to_owned()),
        Block::call(
            "read_file",
            &json!({ "path": "src/größe.rs", "lines": [1, 20], "note": "a \"quote\"\n" }),
        ),
        Block::call("flag", &json!({ "severity": "high" })),
    ])
}

async fn serve(answer: impl Into<Answer>) -> ModelServer {
    ModelServer::start(Script::new().always(answer)).await.unwrap()
}

/// What does not differ from call to call: words and calls, but not the ids that the server made up.
fn said(reply: &Reply) -> (String, Vec<(String, Value)>) {
    let calls = reply.tool_calls().map(|call| {
        assert!(!call.id.is_empty());
        (call.name.clone(), call.arguments.to_object())
    });
    (reply.text(), calls.collect())
}

fn expected() -> (String, Vec<(String, Value)>) {
    let calls = turn().blocks.into_iter().filter_map(|block| match block {
        Block::Call { name, arguments, .. } => Some((name, serde_json::from_str(&arguments).unwrap())),
        Block::Text(_) | Block::Thinking(_) => None,
    });
    ("Größer als gedacht: 数据 🦀".to_owned(), calls.collect())
}

#[tokio::test]
async fn an_answer_is_the_same_in_every_form() {
    let forms: Vec<Vec<Fault>> = vec![
        vec![ByteFault::LineEnds(LineEnd::CrLf).into()],
        vec![ByteFault::LineEnds(LineEnd::Cr).into()],
        vec![ByteFault::Bom.into(), EventFault::Comments.into()],
        vec![EventFault::Unknown.into()],
        vec![EventFault::LateStops.into()],
        vec![EventFault::SameIndex.into()],
        vec![EventFault::BareStarts.into()],
        vec![ByteFault::SplitEvery(1, Duration::ZERO).into()],
        vec![ByteFault::LineEnds(LineEnd::CrLf).into(), ByteFault::SplitEvery(7, Duration::ZERO).into()],
    ];
    for faults in forms {
        comes_whole(faults.iter().cloned().fold(Answer::from(turn()), Answer::with)).await;
    }
    for framing in [Framing::Usual, Framing::Length, Framing::UntilClose] {
        comes_whole(Answer::from(turn()).framed(framing)).await;
    }
}

async fn comes_whole(answer: Answer) {
    let server = serve(answer.clone()).await;
    for model in both(&patient(), &server.url()) {
        let reply = model.complete(&request()).await.unwrap();
        assert_eq!(said(&reply), expected(), "{answer:?}");
    }
    assert_eq!(server.counters().invalid, 0);
}

/// Short, because it is decoded once for each of its bytes.
fn short_turn() -> Turn {
    Turn::of(vec![Block::Text("ß🦀".to_owned()), Block::call("flag", &json!({ "a": "ü" }))])
}

/// The body of an answer as it comes, without a client in between.
async fn body(server: &ModelServer, path: &str, request: &Value) -> Vec<u8> {
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    let request = request.to_string();
    let headers = "content-type: application/json\r\nx-api-key: k\r\nanthropic-version: 2023-06-01\r\nconnection: close";
    let head = format!("POST {path} HTTP/1.1\r\n{headers}\r\ncontent-length: {}\r\n\r\n", request.len());
    stream.write_all(format!("{head}{request}").as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 200 "), "{}", String::from_utf8_lossy(&answer));
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n").unwrap();
    answer.split_off(end + 4)
}

#[tokio::test]
async fn an_answer_is_the_same_wherever_it_is_cut() {
    let message = json!([{ "role": "user", "content": "?" }]);
    let tool = json!({ "name": "flag", "input_schema": { "type": "object" } });
    let function = json!({ "name": "flag", "parameters": { "type": "object" } });
    let rows = [
        (
            luminos_models::Dialect::Messages,
            "/v1/messages",
            json!({ "model": "claude-opus-5", "max_tokens": 900, "stream": true, "tools": [tool], "messages": message }),
        ),
        (
            luminos_models::Dialect::Chat,
            "/v1/chat/completions",
            json!({ "model": "local-small", "stream": true, "tools": [{ "type": "function", "function": function }], "messages": message }),
        ),
    ];
    let expected = ("ß🦀".to_owned(), vec![("flag".to_owned(), json!({ "a": "ü" }))]);
    for end in [LineEnd::Lf, LineEnd::CrLf] {
        let answer = Answer::from(short_turn()).framed(Framing::UntilClose).with(ByteFault::LineEnds(end));
        let server = serve(answer).await;
        for (dialect, path, request) in &rows {
            let body = body(&server, path, request).await;
            for cut in 0..=body.len() {
                let (before, after) = body.split_at(cut);
                let reply = decode_stream(*dialect, [before, after]).unwrap();
                assert_eq!(said(&reply), expected, "{dialect:?} {end:?} cut at {cut}");
            }
        }
        assert_eq!(server.counters().invalid, 0);
    }
}

#[tokio::test]
async fn every_dialect_of_chat_completions_is_understood() {
    for dialect in
        [Dialect::Plain, Dialect::WholeCalls, Dialect::Repeating, Dialect::EmptyNames, Dialect::Unnumbered]
    {
        let settings = Settings { dialect, ..Settings::default() };
        let server = ModelServer::start_with(Script::new().always(turn()), settings).await.unwrap();
        let [_, chat] = both(&patient(), &server.url());
        let reply = chat.complete(&request()).await.unwrap();
        assert_eq!(said(&reply), expected(), "{dialect:?}");
        let ids: std::collections::BTreeSet<&str> = reply.tool_calls().map(|call| call.id.as_str()).collect();
        assert_eq!(ids.len(), 2, "{dialect:?}: {ids:?}");
    }
}

#[tokio::test]
async fn events_that_make_no_sense_fail_the_turn() {
    let server = serve(Answer::from(turn()).with(EventFault::Malformed(3))).await;
    let [messages, chat] = both(&patient(), &server.url());
    assert_eq!(failure(&chat, &request()).await.kind(), Kind::NotUnderstood);
    // Here it is a sign of life that is broken. It would say nothing anyway, and so nothing is missing.
    assert_eq!(said(&messages.complete(&request()).await.unwrap()), expected());
    let server = serve(Answer::from(turn()).with(EventFault::PingsOnly(9))).await;
    for model in both(&patient(), &server.url()) {
        assert_eq!(failure(&model, &request()).await.kind(), Kind::BrokenOff);
    }
}

#[tokio::test]
async fn arguments_with_mistakes_reach_the_caller_as_what_they_are() {
    let server = serve(Answer::from(turn()).with(TurnFault::TruncatedArguments)).await;
    for model in both(&patient(), &server.url()) {
        let reply = model.complete(&request()).await.unwrap();
        let last = reply.tool_calls().last().unwrap();
        assert!(
            matches!(&last.arguments, Arguments::Invalid { reason, .. } if reason.contains("no valid JSON"))
        );
        assert!(matches!(reply.tool_calls().next().unwrap().arguments, Arguments::Object(_)));
    }
    let server = serve(Answer::from(turn()).with(TurnFault::WrongTypes)).await;
    for model in both(&patient(), &server.url()) {
        let reply = model.complete(&request()).await.unwrap();
        assert_eq!(said(&reply).1[1], ("flag".to_owned(), json!({ "severity": 17 })));
    }
    // Cut by the limit of the answer in the middle of the arguments.
    let server = serve(turn()).await;
    for model in both(&patient(), &server.url()) {
        let reply = model.complete(&Request { max_output: 15, ..request() }).await.unwrap();
        assert_eq!(reply.stop, luminos_models::StopReason::MaxOutput);
        let last = reply.tool_calls().last().unwrap();
        assert!(matches!(last.arguments, Arguments::Invalid { .. }), "{last:?}");
    }
}

#[tokio::test]
async fn many_calls_and_calls_with_one_id_are_all_there() {
    let server = serve(Answer::from(turn()).with(TurnFault::ManyCalls(40))).await;
    for model in both(&patient(), &server.url()) {
        let reply = model.complete(&Request { max_output: 8000, ..request() }).await.unwrap();
        assert_eq!(reply.tool_calls().count(), 41);
    }
    // An id that stands for two calls is the server's mistake; no call is lost or joined with another.
    let server = serve(Answer::from(turn()).with(TurnFault::SameIds)).await;
    for model in both(&patient(), &server.url()) {
        let reply = model.complete(&request()).await.unwrap();
        assert_eq!(said(&reply), expected());
    }
}

#[tokio::test]
async fn what_cannot_have_been_used_is_doubted() {
    let facts = Models::read(None).unwrap();
    let long = Request { messages: vec![luminos_models::Message::user("word ".repeat(2000))], ..request() };
    for (usage, expected) in [
        (Usage::True, None),
        (Usage::OnlyAtEnd, None),
        (Usage::Missing, Some(UsageDoubt::Missing)),
        (Usage::Zero, Some(UsageDoubt::Missing)),
        (Usage::Negative, Some(UsageDoubt::Missing)),
        (Usage::TooLow, Some(UsageDoubt::TooLow)),
    ] {
        let server = serve(Answer::from(Turn::text("word ".repeat(300))).with(TurnFault::Usage(usage))).await;
        for model in both(&patient(), &server.url()) {
            let reply = model.complete(&long).await.unwrap();
            let sent = Sent { input: estimate_input(&long), max_output: Tokens(500), received: Tokens(0) };
            let booked = facts.book(model.id(), &long, sent, &reply);
            assert_eq!(booked.doubt, expected, "{usage:?} {:?}", reply.usage);
            assert!(2000 <= booked.usage.prompt().0 && 300 <= booked.usage.output.0, "{usage:?} {booked:?}");
        }
    }
    let server = serve(Answer::from(turn()).with(TurnFault::Usage(Usage::Huge))).await;
    for model in both(&patient(), &server.url()) {
        let reply = model.complete(&request()).await.unwrap();
        assert_eq!(reply.usage.unwrap().total().0, u64::MAX);
    }
}
