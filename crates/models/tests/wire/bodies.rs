//! Each request as it is sent.

use luminos_models::{
    Arguments, AssistantBlock, Message, Model, OpaqueBlock, OutputSchema, Pass, Provider, Request, ToolCall,
    ToolResult, ToolSpec, UserBlock,
};
use serde_json::{Value, json};

use crate::server::{Server, json as answer};
use crate::{CANARY, anthropic, openai};

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
    }
}

async fn sent(ask: impl AsyncFn(&Server)) -> String {
    let server = Server::once(answer("400 Bad Request", r#"{"error":{"message":"no"}}"#)).await;
    ask(&server).await;
    let request = server.requests().remove(0);
    let (head, body) = request.split_once("\r\n\r\n").unwrap();
    let mut head: Vec<&str> = head.lines().collect();
    head[1..].sort_unstable();
    let body: Value = serde_json::from_str(body).unwrap();
    let head = server.blank(&head.join("\n")).replace(CANARY, "KEY");
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
async fn tokens_are_counted_without_what_only_an_answer_needs() {
    let server = Server::once(answer("200 OK", r#"{"input_tokens":284,"extra":1}"#)).await;
    let question = Request::question(Pass::Ask, "Hello?", 50);
    assert_eq!(anthropic(&server).count_tokens(&question).await.unwrap().0, 284);
    let request = server.requests().remove(0);
    assert!(request.starts_with("POST /v1/messages/count_tokens "), "{request}");
    assert!(!request.contains("max_tokens") && !request.contains("stream"), "{request}");
}

#[tokio::test]
async fn a_server_can_be_asked_for_its_models() {
    let list = r#"{"data":[{"id":"m1","max_input_tokens":1000,"max_tokens":100}]}"#;
    let server =
        Server::start([list, list].map(|list| vec![crate::server::Act::Send(answer("200 OK", list))])).await;
    assert_eq!(anthropic(&server).models().await.unwrap()[0].id, "m1");
    assert_eq!(openai(&server).models().await.unwrap()[0].id, "m1");
    assert!(server.requests().iter().all(|request| request.starts_with("GET /v1/models ")));
}
