//! Servers that cannot do everything.

use luminos_model_server::{ModelServer, Policy, Refusal, Script, Settings, ToolSupport};
use luminos_models::{Model, Note, OutputSchema, Pass, Request, StopReason, ToolSpec};
use serde_json::{Map, json};

use crate::{anthropic, events, failure, json as answer, openai, plays, send, text as sent};

fn document() -> Request {
    let mut request = Request::question(Pass::Plan, "Plan.", 100);
    request.output = Some(OutputSchema { name: "plan".to_owned(), schema: json!({ "type": "object" }) });
    request
}

#[tokio::test]
async fn a_server_without_tools_gets_them_in_words_from_then_on() {
    let settings = Settings { tools: ToolSupport::Refused, ..Settings::default() };
    let server = ModelServer::start_with(Policy::default(), settings).await.unwrap();
    let model = openai(&server);
    let mut request = Request::question(Pass::Dir, "What is here?", 500);
    request.tools =
        vec![ToolSpec { name: "list".to_owned(), description: "List.".to_owned(), schema: Map::new() }];
    for _ in 0..2 {
        let reply = model.complete(&request).await.unwrap();
        assert_eq!(reply.tool_calls().map(|call| call.name.as_str()).collect::<Vec<_>>(), ["list"]);
        assert_eq!(reply.stop, StopReason::ToolUse);
        assert_eq!(reply.notes, [Note::ToolsInPrompt]);
    }
    let requests: Vec<String> = server.requests().iter().map(sent).collect();
    assert_eq!(requests.len(), 3, "the second call does not try again");
    assert!(requests[0].contains("\"tools\"") && !requests[1].contains("\"tools\""));
    assert!(requests[1].contains("You can call tools."));
}

#[tokio::test]
async fn a_server_without_schemas_gets_them_in_words() {
    let refusal = answer("400 Bad Request", r#"{"error":{"message":"response_format is not supported"}}"#);
    let chunk = json!({ "choices": [{ "delta": { "content": "{}" }, "finish_reason": "stop" }] });
    let text = events(&format!("data: {chunk}\n\ndata: [DONE]\n\n"));
    let server = plays([send(refusal), send(text)]).await;
    let reply = openai(&server).complete(&document()).await.unwrap();
    assert_eq!((reply.text().as_str(), reply.notes.as_slice()), ("{}", [Note::SchemaInPrompt].as_slice()));
    assert!(sent(&server.requests()[1]).contains("valid against this JSON schema"));
}

#[tokio::test]
async fn an_older_model_of_the_messages_api_gets_schemas_in_words_from_then_on() {
    let refusal = answer(
        "400 Bad Request",
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"output_config.format: not supported"}}"#,
    );
    let whole = r#"{"content":[{"type":"text","text":"{}"}],"stop_reason":"end_turn","usage":{"input_tokens":5,"output_tokens":1}}"#;
    let server = plays([refusal, answer("200 OK", whole), answer("200 OK", whole)].map(send)).await;
    let model = anthropic(&server);
    for _ in 0..2 {
        let reply = model.complete(&document()).await.unwrap();
        assert_eq!(reply.notes, [Note::NotStreamed, Note::SchemaInPrompt]);
    }
    let requests: Vec<String> = server.requests().iter().map(sent).collect();
    assert_eq!(requests.len(), 3);
    assert!(requests[0].contains("output_config") && !requests[2].contains("output_config"));
}

#[tokio::test]
async fn other_refusals_are_not_mistaken_for_a_lack() {
    let refusal = Refusal::Invalid("messages must not be empty".to_owned());
    let server = ModelServer::start(Script::new().always(refusal)).await.unwrap();
    failure(&openai(&server), &Request::question(Pass::Dir, "?", 100)).await;
    assert_eq!(server.requests().len(), 1);
}
