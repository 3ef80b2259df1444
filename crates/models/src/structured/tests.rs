use serde_json::json;

use super::*;
use crate::error::Kind;
use crate::scripted::{Line, Scripted};
use luminos_core::talk::{Pass, UserBlock};

fn spec() -> JsonSpec {
    let schema = json!({
        "type": "object",
        "properties": {
            "title": { "type": "string", "minLength": 1, "maxLength": 12 },
            "parent": { "type": "string" },
        },
        "required": ["title"],
        "additionalProperties": false,
    });
    JsonSpec::new("entry", schema).unwrap()
}

fn request() -> Request {
    Request::question(Pass::Plan, "Name it.", 100)
}

/// The caller's own rule: nothing is its own parent.
fn read(document: Value) -> Result<String, Vec<String>> {
    let title = document["title"].as_str().unwrap_or_default().to_owned();
    if document["parent"] == document["title"] {
        Err(vec![format!("{title} is its own parent")])
    } else {
        Ok(title)
    }
}

async fn ask(model: &Scripted, mode: Mode) -> Result<Answer<String>, Failed> {
    ask_for_document(model, &request(), &spec(), mode, read, |text| format!("made up from {text:?}")).await
}

fn told(request: &Request) -> &str {
    match request.messages.last() {
        Some(Message::User(blocks)) => match &blocks[0] {
            UserBlock::Text(text) => text,
            UserBlock::ToolResult(result) => &result.text,
        },
        Some(Message::Assistant(_)) | None => "",
    }
}

#[tokio::test]
async fn a_good_document_is_taken_at_once() {
    let model = Scripted::texts(["Here you are:\n```json\n{\"title\": \"core\", \"parent\": null}\n```"]);
    let answer = ask(&model, Mode::Strict).await.unwrap();
    assert_eq!((answer.value.as_str(), answer.degraded, answer.calls), ("core", None, 1));
    assert_eq!(model.asked()[0].output.as_ref(), Some(spec().output()));
}

#[tokio::test]
async fn a_bad_document_is_asked_for_once_more_with_what_is_wrong() {
    let model = Scripted::texts([r#"{"title": "a title that is too long", "x": 1}"#, r#"{"title":"core"}"#]);
    let answer = ask(&model, Mode::Lenient).await.unwrap();
    assert_eq!((answer.value.as_str(), answer.degraded, answer.calls), ("core", None, 2));
    let asked = model.asked();
    assert_eq!(asked[1].messages.len(), 3);
    insta::assert_snapshot!(told(&asked[1]));
}

#[tokio::test]
async fn the_callers_own_rules_count_as_well() {
    let model = Scripted::texts([r#"{"title":"a","parent":"a"}"#, r#"{"title":"a","parent":"b"}"#]);
    let answer = ask(&model, Mode::Strict).await.unwrap();
    assert_eq!(answer.value, "a");
    assert!(told(&model.asked()[1]).contains("- a is its own parent\n"));
}

#[tokio::test]
async fn strict_fails_and_lenient_makes_do_when_the_second_answer_is_bad_too() {
    let texts = ["no", "{\"title\": 7}"];
    let error = ask(&Scripted::texts(texts), Mode::Strict).await.unwrap_err();
    insta::assert_snapshot!(error.to_string());
    let answer = ask(&Scripted::texts(texts), Mode::Lenient).await.unwrap();
    assert_eq!(answer.value, "made up from \"{\\\"title\\\": 7}\"");
    insta::assert_snapshot!(answer.degraded.unwrap().words());
    assert_eq!(answer.usage.output.0, 5, "both calls count");
}

#[tokio::test]
async fn without_validation_no_document_is_asked_for_even_if_one_comes() {
    let model = Scripted::texts([r#"{"title":"core"}"#]);
    let answer = ask(&model, Mode::None).await.unwrap();
    assert_eq!(answer.degraded, Some(Degraded::NotAsked));
    assert_eq!(answer.value, "made up from \"{\\\"title\\\":\\\"core\\\"}\"");
    assert_eq!(model.asked()[0].output, None);
}

#[tokio::test]
async fn a_call_that_fails_is_an_error_but_a_second_one_can_be_done_without() {
    let fail = || Line::Fail(Error::new(Kind::Overloaded, "m"));
    let no = || Line::Reply(Reply::of_text("no"));
    for mode in [Mode::Strict, Mode::Lenient, Mode::None] {
        assert!(matches!(ask(&Scripted::new([fail()]), mode).await, Err(Failed::Call(_))));
    }
    assert!(matches!(ask(&Scripted::new([no(), fail()]), Mode::Strict).await, Err(Failed::Call(_))));
    let answer = ask(&Scripted::new([no(), fail()]), Mode::Lenient).await.unwrap();
    insta::assert_snapshot!(answer.degraded.unwrap().words());
}

#[tokio::test]
async fn a_model_that_declines_is_not_asked_again() {
    let declined = Reply {
        stop: StopReason::Refusal { category: Some("cyber".to_owned()) },
        ..Reply::of_text("{\"title\":\"x\"}")
    };
    let model = Scripted::new([Line::Reply(declined)]);
    let error = ask(&model, Mode::Lenient).await.unwrap_err();
    assert_eq!(error.to_string(), "the model declined to answer (cyber)");
    assert_eq!(model.asked().len(), 1);
}

#[tokio::test]
async fn an_answer_that_was_cut_off_is_told_so() {
    let cut = Reply { stop: StopReason::MaxOutput, ..Reply::of_text("{\"title\": \"co") };
    let model = Scripted::new([Line::Reply(cut), Line::Reply(Reply::of_text("{\"title\":\"core\"}"))]);
    assert_eq!(ask(&model, Mode::Strict).await.unwrap().value, "core");
    assert!(told(&model.asked()[1]).contains("too long"));
}

#[tokio::test]
async fn a_schema_that_refers_to_itself_is_described() {
    let schema = json!({
        "type": "object",
        "properties": { "children": { "type": "array", "items": { "$ref": "#" } } },
        "required": ["children"],
    });
    let spec = JsonSpec::new("tree", schema).unwrap();
    let model = Scripted::texts([r#"{"children":[{"children":[]}]}"#]);
    let answer =
        ask_for_document(&model, &request(), &spec, Mode::Strict, Ok, |_| Value::Null).await.unwrap();
    assert_eq!(answer.value, json!({ "children": [{ "children": [] }] }));
    let asked = &model.asked()[0];
    assert_eq!(asked.output, None);
    assert!(asked.system[0].contains("JSON schema"));
}

#[test]
fn a_schema_that_is_none_is_refused() {
    let error = JsonSpec::new("x", json!({ "type": "nothing" })).unwrap_err();
    assert!(error.to_string().starts_with("the schema `x` is no JSON schema: "), "{error}");
}
