//! The same answer in all the forms in which its bytes can come, and answers with mistakes in them.

use std::time::Duration;

use luminos_model_server::{
    Answer, Block, ByteFault, Dialect, EventFault, Fault, Framing, LineEnd, ModelServer, Script, Settings,
    Turn, TurnFault, Usage,
};
use luminos_models::{Arguments, Kind, Model, Models, Pass, Reply, Request, ToolSpec, UsageDoubt};
use serde_json::{Map, Value, json};

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
        for framing in [Framing::Usual, Framing::Length, Framing::UntilClose] {
            let answer = faults.iter().cloned().fold(Answer::from(turn()), Answer::with).framed(framing);
            let server = serve(answer).await;
            for model in both(&patient(), &server.url()) {
                let reply = model.complete(&request()).await.unwrap();
                assert_eq!(said(&reply), expected(), "{faults:?} {framing:?}");
            }
            assert_eq!(server.counters().invalid, 0);
        }
    }
}

/// Short, because it is sent once for each of its bytes.
fn short_turn() -> Turn {
    Turn::of(vec![Block::Text("ß🦀".to_owned()), Block::call("flag", &json!({ "a": "ü" }))])
}

#[tokio::test]
async fn an_answer_is_the_same_wherever_it_is_cut() {
    let whole = serve(short_turn()).await;
    for index in 0..2 {
        let model = &both(&patient(), &whole.url())[index];
        let before = whole.counters().bytes_sent;
        let expected = said(&model.complete(&request()).await.unwrap());
        assert_eq!(expected.1, [("flag".to_owned(), json!({ "a": "ü" }))]);
        let length = usize::try_from(whole.counters().bytes_sent - before).unwrap();
        // Before that there is only the head, which a library reads.
        let places = 300..length;
        let cut = |place| Answer::from(short_turn()).with(ByteFault::SplitAt(vec![place], Duration::ZERO));
        let script = places.clone().fold(Script::new(), |script, place| script.then(cut(place)));
        let server = ModelServer::start(script).await.unwrap();
        let model = &both(&patient(), &server.url())[index];
        for place in places {
            let reply = model.complete(&request()).await.unwrap();
            assert_eq!(said(&reply), expected, "cut at {place}");
        }
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
            let booked = facts.book(model.id(), &long, &reply);
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
