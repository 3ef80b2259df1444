//! Faults of events and of turns, through both interfaces.

use luminos_model_server::{
    Answer, Block, ByteFault, EventFault, LineEnd, ModelServer, Refusal, Script, Turn, TurnFault, Usage,
};
use serde_json::{Value, json};

use crate::client::{Answered, ask, ask_chat, chat_question, question};

/// The answer through both interfaces: messages, then chat completions.
async fn both(answer: Answer) -> [Answered; 2] {
    let server = ModelServer::start(Script::new().always(answer)).await.unwrap();
    let answers = [ask(&server, &question(true)).await, ask_chat(&server, &chat_question(true)).await];
    assert_eq!((answers[0].status, answers[1].status), (200, 200));
    answers
}

fn hello() -> Answer {
    Answer::text("Hello")
}

fn call() -> Turn {
    Turn::call("read", &json!({ "path": "größe.rs" }))
}

/// The arguments that the fragments of the first call make.
fn arguments(answered: &Answered) -> String {
    let fragment = |data: &Value| {
        let messages = data.pointer("/delta/partial_json");
        let chat = data.pointer("/choices/0/delta/tool_calls/0/function/arguments");
        messages.or(chat).and_then(Value::as_str).map(str::to_owned)
    };
    answered.data().iter().filter_map(fragment).collect()
}

#[tokio::test]
async fn calls_come_in_fragments_that_make_a_whole() {
    for answered in both(call().into()).await {
        assert_eq!(arguments(&answered), r#"{"path":"größe.rs"}"#);
        assert!(8 < answered.data().len());
    }
}

#[tokio::test]
async fn arguments_can_be_cut_or_of_the_wrong_type() {
    for answered in both(Answer::from(call()).with(TurnFault::TruncatedArguments)).await {
        assert_eq!(arguments(&answered), r#"{"path":"g"#);
    }
    for answered in both(Answer::from(call()).with(TurnFault::WrongTypes)).await {
        assert_eq!(arguments(&answered), r#"{"path":17}"#);
    }
}

#[tokio::test]
async fn there_can_be_two_hundred_calls_all_with_the_same_id() {
    let answer = Answer::from(call()).with(TurnFault::ManyCalls(200)).with(TurnFault::SameIds);
    for answered in both(answer).await {
        assert_eq!(answered.text().matches("\"id\":\"call_always_the_same\"").count(), 200);
    }
    let [messages, chat] = both(Answer::from(call()).with(TurnFault::ManyCalls(3))).await;
    for (answered, begin) in [(messages, "\"id\":\"toolu_"), (chat, "\"id\":\"call_")] {
        let text = answered.text();
        let mut ids: Vec<&str> = text.match_indices(begin).map(|(at, _)| &text[at + 6..at + 36]).collect();
        ids.dedup();
        assert_eq!(ids.len(), 3);
    }
    let [messages, _] =
        both(Answer::from(call()).with(TurnFault::ManyCalls(3)).with(EventFault::SameIndex)).await;
    assert!(messages.data().iter().all(|data| data.get("index").is_none_or(|index| index == 0)));
}

#[tokio::test]
async fn usage_lies_are_told_through_both_interfaces() {
    let rows = [
        (Usage::Zero, Some(json!(0))),
        (Usage::Negative, Some(json!(-7))),
        (Usage::Huge, Some(json!(u64::MAX))),
        (Usage::Missing, None),
    ];
    for (usage, expected) in rows {
        let [messages, chat] = both(hello().with(TurnFault::Usage(usage))).await;
        let all = |answered: &Answered, pointer: &str| {
            answered.data().iter().filter_map(|data| data.pointer(pointer).cloned()).next_back()
        };
        assert_eq!(all(&messages, "/usage/output_tokens"), expected, "{usage:?}");
        assert_eq!(all(&chat, "/usage/completion_tokens"), expected, "{usage:?}");
    }
}

#[tokio::test]
async fn broken_and_unknown_events_stand_among_good_ones() {
    let clean = both(hello()).await;
    for (answered, clean) in both(hello().with(EventFault::Malformed(3))).await.iter().zip(&clean) {
        let broken: Vec<String> = answered
            .text()
            .lines()
            .filter_map(|line| line.strip_prefix("data: "))
            .filter(|data| *data != "[DONE]" && serde_json::from_str::<Value>(data).is_err())
            .map(str::to_owned)
            .collect();
        assert_eq!(broken.len(), 1);
        assert_eq!(answered.data(), clean.data());
    }
    for (answered, clean) in both(hello().with(EventFault::Unknown)).await.iter().zip(&clean) {
        let data = answered.data();
        assert!(clean.data().iter().all(|known| data.contains(known)));
        assert!(answered.text().contains("hologram") && answered.text().contains("weather"));
    }
}

#[tokio::test]
async fn a_stream_can_end_without_its_end_or_with_an_error() {
    for answered in both(hello().with(EventFault::WithoutEnd)).await {
        assert!(answered.is_complete);
        let text = answered.text();
        let end = ["message_stop", "[DONE]", "\"finish_reason\":\""];
        assert!(end.iter().all(|end| !text.contains(end)), "{text}");
    }
    let [messages, chat] = both(hello().with(EventFault::Error(3, Refusal::Overloaded))).await;
    let error = "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n";
    assert!(messages.text().ends_with(error));
    assert!(chat.data().last().unwrap().pointer("/error/type").is_some());
    for answered in both(hello().with(EventFault::PingsOnly(3))).await {
        assert_eq!(answered.data().len(), 3);
    }
}

#[tokio::test]
async fn lines_end_in_every_way_and_comments_stand_between_them() {
    let clean = both(hello()).await;
    for (end, mark) in [(LineEnd::CrLf, "\r\n"), (LineEnd::Cr, "\r")] {
        for (answered, clean) in both(hello().with(ByteFault::LineEnds(end))).await.iter().zip(&clean) {
            assert_eq!(answered.text(), clean.text().replace('\n', mark));
        }
    }
    for (answered, clean) in both(hello().with(ByteFault::Bom)).await.iter().zip(&clean) {
        assert_eq!(answered.text(), format!("\u{feff}{}", clean.text()));
    }
    for (answered, clean) in both(hello().with(EventFault::Comments)).await.iter().zip(&clean) {
        assert_eq!(answered.data(), clean.data());
        assert!(answered.text().contains(": still working\n"));
    }
    for answered in both(hello().with(EventFault::Huge(5 << 20))).await {
        assert!(5 << 20 < answered.body.len());
    }
}

#[tokio::test]
async fn blocks_can_stay_open_and_numbers_come_late() {
    let answer = Answer::from(call())
        .with(TurnFault::ManyCalls(2))
        .with(EventFault::LateStops)
        .with(EventFault::BareStarts)
        .with(TurnFault::Usage(Usage::OnlyAtEnd));
    let [messages, _] = both(answer).await;
    let data = messages.data();
    let kinds: Vec<&str> = data.iter().filter_map(|data| data["type"].as_str()).collect();
    let end = ["content_block_stop", "content_block_stop", "message_delta", "message_stop"];
    assert!(kinds.ends_with(&end), "{kinds:?}");
    assert!(!messages.text().contains("\"input\""));
    assert_eq!(data[0].pointer("/message/usage/input_tokens"), Some(&json!(0)));
    assert!(data.iter().any(|data| data.pointer("/usage/input_tokens").is_some_and(|count| *count != 0)));
}

#[tokio::test]
async fn thinking_is_signed_or_sent_as_reasoning() {
    let turn = Turn::of(vec![Block::Thinking("let me see".to_owned()), Block::Text("Yes.".to_owned())]);
    let [messages, chat] = both(turn.into()).await;
    let kinds: Vec<Value> =
        messages.data().iter().filter_map(|data| data.pointer("/delta/type").cloned()).collect();
    let signature = kinds.iter().position(|kind| kind == "signature_delta").unwrap();
    assert!(kinds[..signature].iter().all(|kind| kind == "thinking_delta"));
    assert!(chat.text().contains("reasoning_content"));
}
