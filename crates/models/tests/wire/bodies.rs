//! Each request as it is sent.

use luminos_core::config::CacheTime;
use luminos_core::spend::Tokens;
use luminos_models::{
    Anthropic, AnthropicSettings, Arguments, AssistantBlock, Message, Model, OpaqueBlock, OutputSchema, Pass,
    Provider, Request, Secret, ToolCall, ToolResult, ToolSpec, UserBlock,
};
use serde_json::{Value, json};

use luminos_model_server::{ModelServer, Policy};

use crate::{CANARY, anthropic, blank, json as answer, openai, patient, plays, send, text};

fn conversation() -> Request {
    let Value::Object(schema) = json!({
        "type": "object",
        "properties": { "path": { "type": "string" }, "deep": { "type": "boolean" } },
        "required": ["path"],
        "additionalProperties": false,
    }) else {
        unreachable!()
    };
    let call = |id: &str, arguments: &str| {
        AssistantBlock::ToolCall(ToolCall {
            id: id.to_owned(),
            name: "list".to_owned(),
            arguments: Arguments::parse(arguments),
        })
    };
    let result = |id: &str, text: &str, failed| {
        UserBlock::ToolResult(ToolResult { call_id: id.to_owned(), text: text.to_owned(), failed })
    };
    Request {
        pass: Pass::Dir,
        system: vec!["You look at directories.".to_owned(), "This one is `src`.".to_owned()],
        messages: vec![
            Message::user("What is in it?"),
            Message::Assistant(vec![
                AssistantBlock::Opaque(OpaqueBlock {
                    provider: Provider::Anthropic,
                    json: json!({ "type": "thinking", "thinking": "Hm.", "signature": "c2ln" }),
                }),
                AssistantBlock::Text("I look.".to_owned()),
                call("c1", r#"{"path":"src"}"#),
                call("c2", r#"{"path":"#),
            ]),
            Message::User(vec![
                UserBlock::Text("Be quick.".to_owned()),
                result("c1", "main.rs\nlib.rs", false),
                result("c2", "the arguments are no valid JSON", true),
            ]),
        ],
        tools: vec![ToolSpec {
            name: "list".to_owned(),
            description: "List a directory.".to_owned(),
            schema,
        }],
        output: Some(OutputSchema {
            name: "entry".to_owned(),
            schema: json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": false }),
        }),
        max_output: 2000,
        stop_sequences: Vec::new(),
    }
}

async fn sent(ask: impl AsyncFn(&ModelServer)) -> String {
    let server = plays([send(answer("400 Bad Request", r#"{"error":{"message":"no"}}"#))]).await;
    ask(&server).await;
    let request = text(&server.requests()[0]);
    let (head, body) = request.split_once("\n\n").unwrap();
    let body: Value = serde_json::from_str(body).unwrap();
    let head = blank(&server, head).replace(CANARY, "KEY");
    format!("{head}\n\n{}", serde_json::to_string_pretty(&body).unwrap())
}

#[tokio::test]
async fn a_conversation_for_the_messages_api() {
    insta::assert_snapshot!(
        sent(async |server| {
            anthropic(server).complete(&conversation()).await.unwrap_err();
        })
        .await
    );
}

#[tokio::test]
async fn a_conversation_for_chat_completions() {
    insta::assert_snapshot!(
        sent(async |server| {
            openai(server).complete(&conversation()).await.unwrap_err();
        })
        .await
    );
}

#[tokio::test]
async fn a_plain_question_needs_little() {
    let question = Request::question(Pass::Ask, "Hello?", 50);
    let anthropic_body = sent(async |server| {
        anthropic(server).complete(&question).await.unwrap_err();
    })
    .await;
    insta::assert_snapshot!("question_for_the_messages_api", anthropic_body.split_once("\n\n").unwrap().1);
    let openai_body = sent(async |server| {
        openai(server).complete(&question).await.unwrap_err();
    })
    .await;
    insta::assert_snapshot!("question_for_chat_completions", openai_body.split_once("\n\n").unwrap().1);
}

#[tokio::test]
async fn both_servers_are_told_where_to_stop() {
    let stops = ["END", " ", "", "---", "three", "four", "five"].map(str::to_owned);
    let question = Request { stop_sequences: stops.to_vec(), ..Request::question(Pass::Ask, "Hello?", 50) };
    let body = |sent: String| -> Value { serde_json::from_str(sent.split_once("\n\n").unwrap().1).unwrap() };
    let messages = sent(async |server| {
        anthropic(server).complete(&question).await.unwrap_err();
    });
    assert_eq!(body(messages.await)["stop_sequences"], json!(["END", "---", "three", "four", "five"]));
    let completions = sent(async |server| {
        openai(server).complete(&question).await.unwrap_err();
    });
    assert_eq!(body(completions.await)["stop"], json!(["END", " ", "---", "three"]));
    // The server that counts knows nothing of answers.
    let server = ModelServer::start(Policy::default()).await.unwrap();
    anthropic(&server).count_tokens(&question).await.unwrap();
    assert!(!text(&server.requests()[0]).contains("stop_sequences"));
}

#[tokio::test]
async fn tokens_are_counted_without_what_only_an_answer_needs() {
    let server = ModelServer::start(Policy::default()).await.unwrap();
    let question = Request::question(Pass::Ask, "Hello?", 50);
    let counted = anthropic(&server).count_tokens(&question).await.unwrap();
    // The server says how many tokens there were when it is really asked.
    let used = anthropic(&server).complete(&question).await.unwrap().usage.unwrap();
    assert_eq!(counted, used.prompt());
    let request = text(&server.requests()[0]);
    assert!(request.starts_with("POST /v1/messages/count_tokens "), "{request}");
    assert!(!request.contains("max_tokens") && !request.contains("stream"), "{request}");
    assert_eq!(server.counters().invalid, 0);
}

#[tokio::test]
async fn version_betas_and_cache_time_are_settings() {
    let server = ModelServer::start(Policy::default()).await.unwrap();
    let settings = AnthropicSettings {
        base_url: server.url(),
        version: "2026-10-21".to_owned(),
        betas: vec!["one-2026-01-01".to_owned(), "two-2026-02-02".to_owned()],
        cache_time: CacheTime::Hour,
        ..AnthropicSettings::new("claude-sonnet-5-5", Secret::new(CANARY.to_owned()))
    };
    let model = Anthropic::new(patient(), settings).unwrap();
    let question = Request::question(Pass::Ask, "word ".repeat(1000), 50);
    let usage = model.complete(&question).await.unwrap().usage.unwrap();
    assert!(1000 < usage.cache_write_1h.0 && usage.cache_write_5m.0 == 0, "{usage:?}");
    let request = &server.requests()[0].request;
    assert_eq!(request.header("anthropic-version"), Some("2026-10-21"));
    assert_eq!(request.header("anthropic-beta"), Some("one-2026-01-01,two-2026-02-02"));
    assert_eq!(server.counters().invalid, 0);
}

#[tokio::test]
async fn a_server_can_be_asked_for_its_models() {
    let server = ModelServer::start(Policy::default()).await.unwrap();
    let served = anthropic(&server).models().await.unwrap();
    let haiku = served.iter().find(|model| model.id == "claude-haiku-4-5").unwrap();
    assert_eq!((haiku.max_input, haiku.max_output), (Some(Tokens(200_000)), Some(Tokens(64_000))));
    let served = openai(&server).models().await.unwrap();
    assert_eq!(served[0].id, "local-small");
    assert!(server.requests().iter().all(|received| received.request.path == "/v1/models"));
}
