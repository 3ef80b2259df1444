use std::sync::{Arc, Mutex};

use super::*;
use crate::exchange::Outcome;
use crate::model::AnyModel;
use crate::record::Record;
use crate::scripted::{Line, Scripted};
use luminos_core::talk::{Message, Pass};

fn question(text: &str) -> Request {
    let mut request = Request::question(Pass::Dir, text, 100);
    request.system = vec!["Look at things.".to_owned()];
    request
}

async fn record(lines: Vec<Line>, questions: &[Request]) -> Vec<Exchange> {
    let kept: Arc<Mutex<Vec<Exchange>>> = Arc::default();
    let sink = kept.clone();
    let model = Record::new(
        AnyModel::Scripted(Scripted::new(lines)),
        Arc::new(move |exchange| sink.lock().unwrap().push(exchange)),
    );
    for question in questions {
        let _ = model.complete(question).await;
    }
    kept.lock().unwrap().clone()
}

fn text(text: &str) -> Line {
    Line::Reply(Reply::of_text(text))
}

#[tokio::test]
async fn what_was_recorded_plays_again_in_its_order() {
    let asked = [question("a"), question("b"), question("a")];
    let exchanges = record(vec![text("1"), text("2"), text("3")], &asked).await;
    let written = serde_json::to_string(&exchanges).unwrap();
    let read: Vec<Exchange> = serde_json::from_str(&written).unwrap();
    assert_eq!(read, exchanges);
    let replay = Replay::new("scripted", read);
    for (question, expected) in [("b", "2"), ("a", "1"), ("a", "3"), ("a", "3")] {
        assert_eq!(replay.complete(&self::question(question)).await.unwrap().text(), expected);
    }
}

#[tokio::test]
async fn a_request_that_was_not_recorded_is_a_loud_error() {
    let asked = [question("What is in src?"), question("Where do tests live, and which of them are slow?")];
    let replay = Replay::new("scripted", record(vec![text("1"), text("2")], &asked).await);
    let mut other = question("Where do tests live, and which of them are quick?");
    let error = replay.complete(&other).await.unwrap_err();
    insta::assert_snapshot!(error.to_string());
    other.messages.push(Message::user("More."));
    other.messages[0] = asked[1].messages[0].clone();
    let error = replay.complete(&other).await.unwrap_err();
    insta::assert_snapshot!(error.to_string());
    let nothing = Replay::new("m", []).complete(&other).await.unwrap_err();
    assert_eq!(
        nothing.to_string(),
        "no exchange in the recordings of m answers the request: there are no recordings at all"
    );
}

#[tokio::test]
async fn a_recording_holds_no_secret_and_still_answers() {
    let token = format!("ghp_{}", "a1B2".repeat(9));
    let asked = question(&format!("What is {token}?"));
    let failed = Line::Fail(Error::new(Kind::ServerFailed, "m").message(format!("no {token}")));
    let exchanges =
        record(vec![text(&format!("It is {token}.")), failed], &[asked.clone(), asked.clone()]).await;
    let written = serde_json::to_string(&exchanges).unwrap();
    assert!(!written.contains(&token), "{written}");
    assert!(matches!(exchanges[1].outcome, Outcome::Failure(_)));
    let replay = Replay::new("scripted", exchanges);
    assert_eq!(replay.complete(&asked).await.unwrap().text(), "It is [redacted github-token].");
    assert_eq!(replay.complete(&asked).await.unwrap_err().kind(), Kind::ServerFailed);
}
