//! Our streams beside recorded ones of real servers, where the recordings are at hand.
//!
//! Compared are the order of events and the fields they have. Own samples stand in the snapshots of `anthropic`
//! and `openai`; these tests have nothing to do where there are no recordings.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use luminos_model_server::{Answer, Block, EventFault, ModelServer, Refusal, Script, Turn};
use serde_json::{Value, json};

use crate::client::{Answered, ask, ask_chat, chat_question, question, take_apart};

/// The folder of recordings: beside the repository, or one level above when this is a work tree.
fn recordings() -> Option<PathBuf> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let places = ["../../../shared/transcripts", "../../../../shared/transcripts"];
    places.iter().map(|place| here.join(place)).find(|place| place.is_dir())
}

/// A recorded answer by the beginning of its name; `None`, said aloud, where there are no recordings at all.
fn recorded(name: &str) -> Option<Answered> {
    let Some(recordings) = recordings() else {
        println!("nothing to do: there are no recordings beside the project");
        return None;
    };
    let mut files = fs::read_dir(recordings).unwrap().map(Result::unwrap);
    let file = files.find(|file| {
        let known = file.file_name().into_string().unwrap_or_default();
        known.starts_with(name) && known.ends_with(".resp.http")
    });
    let file = file.unwrap_or_else(|| panic!("no recording is called {name}…"));
    Some(take_apart(&fs::read(file.path()).unwrap()))
}

/// Names of events in a row, repeated ones once, pings apart: they may come anywhere.
fn order(answered: &Answered) -> Vec<String> {
    let text = answered.text();
    let names = text.lines().filter_map(|line| line.strip_prefix("event: "));
    let mut names: Vec<String> = names.filter(|name| *name != "ping").map(str::to_owned).collect();
    names.dedup();
    names
}

/// All fields as paths, list places left out.
fn fields(values: &[Value]) -> BTreeSet<String> {
    fn walk(value: &Value, path: &str, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(object) => {
                for (key, value) in object {
                    let path = format!("{path}/{key}");
                    found.insert(path.clone());
                    walk(value, &path, found);
                }
            }
            Value::Array(values) => values.iter().for_each(|value| walk(value, path, found)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let mut found = BTreeSet::new();
    values.iter().for_each(|value| walk(value, "", &mut found));
    found
}

async fn ours(turn: Turn) -> [Answered; 2] {
    let server = ModelServer::start(Script::new().always(turn)).await.unwrap();
    [ask(&server, &question(true)).await, ask_chat(&server, &chat_question(true)).await]
}

fn call() -> Block {
    Block::call("get_weather", &json!({ "city": "Paris" }))
}

#[tokio::test]
async fn messages_have_the_order_and_the_fields_of_recorded_ones() {
    let rows = [
        ("30-", Turn::text("Hello, I am here.")),
        ("31-", Turn::of(vec![call()])),
        ("50-", Turn::of(vec![call()])),
        ("51-anthropic-sdk-2.8.0-via-llamacpp-conn1", Turn::of(vec![call()])),
    ];
    for (name, turn) in rows {
        let Some(recorded) = recorded(name) else { return };
        let [ours, _] = ours(turn).await;
        // Of several answers on one connection only the first is looked at.
        assert_eq!(order(&ours), order(&recorded), "{name}");
        let unknown: Vec<String> =
            fields(&recorded.data()).difference(&fields(&ours.data())).cloned().collect();
        assert_eq!(unknown, Vec::<String>::new(), "{name}");
    }
}

#[tokio::test]
async fn chat_completions_have_the_fields_of_recorded_ones() {
    let rows = [
        ("10-", Turn::text("Hello.")),
        ("11-", Turn::of(vec![call()])),
        ("12-", Turn::of(vec![call(), call()])),
    ];
    for (name, turn) in rows {
        let Some(recorded) = recorded(name) else { return };
        let [_, ours] = ours(turn).await;
        let unknown = fields(&recorded.data()).difference(&fields(&ours.data())).cloned().collect::<Vec<_>>();
        let unknown: Vec<String> = unknown.into_iter().filter(|path| !path.starts_with("/timings")).collect();
        assert_eq!(unknown, Vec::<String>::new(), "{name}");
        assert!(recorded.text().ends_with("data: [DONE]\n\n") && ours.text().ends_with("data: [DONE]\n\n"));
    }
}

#[tokio::test]
async fn an_error_in_a_stream_looks_like_a_recorded_one() {
    let Some(recorded) = recorded("63-") else { return };
    let answer = Answer::text("Hello").with(EventFault::Error(4, Refusal::Overloaded));
    let server = ModelServer::start(Script::new().always(answer)).await.unwrap();
    let ours = ask(&server, &question(true)).await;
    assert_eq!(order(&ours), order(&recorded));
    assert_eq!(ours.data().last(), recorded.data().last());
}
