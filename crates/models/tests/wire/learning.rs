//! Servers that cannot do everything.

use luminos_models::{Model, Note, OutputSchema, Pass, Request, StopReason, ToolSpec};
use serde_json::{Map, json};

use crate::server::{Act, Server, events, json as answer};
use crate::{anthropic, openai};

fn text(content: &str) -> Vec<u8> {
    let chunk = json!({ "choices": [{ "delta": { "content": content }, "finish_reason": "stop" }] });
    events(&format!("data: {chunk}\n\ndata: [DONE]\n\n"))
}

#[tokio::test]
async fn a_server_without_tools_gets_them_in_words_from_then_on() {
    let refusal = answer("400 Bad Request", r#"{"error":{"message":"some-model does not support tools"}}"#);
    let call = text("<tool_call>{\"name\": \"list\", \"arguments\": {\"path\": \".\"}}</tool_call>");
    let scripts = [refusal, call.clone(), call].map(|bytes| vec![Act::Send(bytes)]);
    let server = Server::start(scripts).await;
    let model = openai(&server);
    let mut request = Request::question(Pass::Dir, "What is here?", 100);
    request.tools =
        vec![ToolSpec { name: "list".to_owned(), description: "List.".to_owned(), schema: Map::new() }];
    for _ in 0..2 {
        let reply = model.complete(&request).await.unwrap();
        assert_eq!(reply.tool_calls().map(|call| call.name.as_str()).collect::<Vec<_>>(), ["list"]);
        assert_eq!(reply.stop, StopReason::ToolUse);
        assert_eq!(reply.notes, [Note::ToolsInPrompt]);
    }
    let requests = server.requests();
    assert_eq!(requests.len(), 3, "the second call does not try again");
    assert!(requests[0].contains("\"tools\"") && !requests[1].contains("\"tools\""));
    assert!(requests[1].contains("You can call tools."));
}

#[tokio::test]
async fn a_server_without_schemas_gets_them_in_words() {
    let refusal = answer("400 Bad Request", r#"{"error":{"message":"response_format is not supported"}}"#);
    let server = Server::start([refusal, text("{}")].map(|bytes| vec![Act::Send(bytes)])).await;
    let mut request = Request::question(Pass::Plan, "Plan.", 100);
    request.output = Some(OutputSchema { name: "plan".to_owned(), schema: json!({ "type": "object" }) });
    let reply = openai(&server).complete(&request).await.unwrap();
    assert_eq!((reply.text().as_str(), reply.notes.as_slice()), ("{}", [Note::SchemaInPrompt].as_slice()));
    assert!(server.requests()[1].contains("valid against this JSON schema"));
}

#[tokio::test]
async fn an_older_model_of_the_messages_api_gets_schemas_in_words_from_then_on() {
    let refusal = answer(
        "400 Bad Request",
        r#"{"type":"error","error":{"type":"invalid_request_error","message":"output_config.format: not supported"}}"#,
    );
    let whole = r#"{"content":[{"type":"text","text":"{}"}],"stop_reason":"end_turn","usage":{"input_tokens":5,"output_tokens":1}}"#;
    let scripts = [refusal, answer("200 OK", whole), answer("200 OK", whole)];
    let server = Server::start(scripts.map(|bytes| vec![Act::Send(bytes)])).await;
    let model = anthropic(&server);
    let mut request = Request::question(Pass::Plan, "Plan.", 100);
    request.output = Some(OutputSchema { name: "plan".to_owned(), schema: json!({ "type": "object" }) });
    for _ in 0..2 {
        let reply = model.complete(&request).await.unwrap();
        assert_eq!(reply.notes, [Note::NotStreamed, Note::SchemaInPrompt]);
    }
    let requests = server.requests();
    assert_eq!(requests.len(), 3);
    assert!(requests[0].contains("output_config") && !requests[2].contains("output_config"));
}

#[tokio::test]
async fn other_refusals_are_not_mistaken_for_a_lack() {
    let refusal = answer("400 Bad Request", r#"{"error":{"message":"messages must not be empty"}}"#);
    let server = Server::once(refusal).await;
    let request = Request::question(Pass::Dir, "?", 100);
    openai(&server).complete(&request).await.unwrap_err();
    assert_eq!(server.requests().len(), 1);
}
