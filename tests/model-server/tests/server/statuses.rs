//! Answers that are errors, and storms of them.

use luminos_model_server::{Answer, Matcher, ModelServer, Refusal, RetryAfter, Script};
use serde_json::{Value, json};

use crate::client::{Answered, ask, ask_chat, chat_question, exchange, post, question, take_apart};

async fn refused(refusal: Refusal) -> [Answered; 2] {
    let server = ModelServer::start(Script::new().always(refusal)).await.unwrap();
    [ask(&server, &question(true)).await, ask_chat(&server, &chat_question(true)).await]
}

#[tokio::test]
async fn every_status_has_its_shape() {
    let rows = [
        (Refusal::Invalid("x".to_owned()), 400, "invalid_request_error", "invalid_request_error"),
        (
            Refusal::ContextTooLong { tokens: 9, window: 8 },
            400,
            "invalid_request_error",
            "invalid_request_error",
        ),
        (Refusal::Unauthorized, 401, "authentication_error", "invalid_request_error"),
        (Refusal::Billing, 402, "billing_error", "billing_error"),
        (Refusal::Forbidden, 403, "permission_error", "permission_error"),
        (Refusal::NotFound("x".to_owned()), 404, "not_found_error", "invalid_request_error"),
        (Refusal::TooLarge, 413, "request_too_large", "request_too_large"),
        (Refusal::RateLimited(RetryAfter::Unsaid), 429, "rate_limit_error", "requests"),
        (Refusal::SpendLimit, 429, "rate_limit_error", "insufficient_quota"),
        (Refusal::Internal, 500, "api_error", "server_error"),
        (Refusal::OverloadInside500, 500, "api_error", "server_error"),
        (Refusal::Timeout, 504, "timeout_error", "timeout_error"),
        (Refusal::Overloaded, 529, "overloaded_error", "overloaded_error"),
    ];
    for (refusal, status, messages_kind, chat_kind) in rows {
        let [messages, chat] = refused(refusal.clone()).await;
        let kind = |answered: &Answered| answered.json().pointer("/error/type").cloned();
        assert_eq!((messages.status, kind(&messages)), (status, Some(json!(messages_kind))), "{refusal:?}");
        assert_eq!((chat.status, kind(&chat)), (status, Some(json!(chat_kind))), "{refusal:?}");
        let id = messages.json()["request_id"].as_str().unwrap().to_owned();
        assert_eq!(messages.header("request-id"), Some(id.as_str()));
        assert!(chat.header("x-request-id").is_some());
        let tells_limits = refusal != Refusal::RateLimited(RetryAfter::Unsaid);
        assert_eq!(messages.header("anthropic-ratelimit-requests-remaining").is_some(), tells_limits);
        assert_eq!(chat.header("x-ratelimit-remaining-requests").is_some(), tells_limits);
    }
}

#[tokio::test]
async fn a_limit_is_told_in_headers_too() {
    let [messages, chat] = refused(Refusal::RateLimited(RetryAfter::Millis(7000))).await;
    assert_eq!(messages.header("retry-after-ms"), Some("7000"));
    assert_eq!(messages.header("anthropic-ratelimit-input-tokens-remaining"), Some("0"));
    assert_eq!(chat.header("x-ratelimit-remaining-tokens"), Some("0"));
    assert_eq!(chat.header("x-ratelimit-reset-requests"), Some("7000ms"));
}

#[tokio::test]
async fn an_overload_hides_in_an_internal_error() {
    let [messages, _] = refused(Refusal::OverloadInside500).await;
    assert!(messages.json()["error"]["message"].as_str().unwrap().contains("overloaded_error"));
}

#[tokio::test]
async fn the_spending_limit_names_no_time_to_wait() {
    let [messages, _] = refused(Refusal::SpendLimit).await;
    assert_eq!(messages.header("retry-after"), None);
    let code = messages.json().pointer("/error/details/error_code").cloned();
    assert_eq!(code, Some(json!("enforced_spend_limit_reached")));
}

#[tokio::test]
async fn a_storm_passes() {
    let script = Script::new()
        .times(50, Refusal::RateLimited(RetryAfter::Seconds(2)))
        .times(20, Refusal::Overloaded)
        .then(Answer::text("at last"));
    let server = ModelServer::start(script).await.unwrap();
    let mut statuses = Vec::new();
    for _ in 0..71 {
        let answered = ask(&server, &question(false)).await;
        assert_eq!(answered.header("retry-after").is_some(), answered.status == 429);
        statuses.push(answered.status);
    }
    assert_eq!(statuses, [vec![429; 50], vec![529; 20], vec![200]].concat());
    assert_eq!(ask(&server, &question(false)).await.status, 400);
    assert_eq!(server.counters().unexpected, 1);
}

#[tokio::test]
async fn proxies_redirect_and_send_pages() {
    let [redirect, _] = refused(Refusal::Redirect("http://127.0.0.1:1/".to_owned())).await;
    assert_eq!((redirect.status, redirect.header("location")), (307, Some("http://127.0.0.1:1/")));
    let [page, _] = refused(Refusal::Page(502, "<h1>Bad gateway</h1>".to_owned())).await;
    assert_eq!((page.status, page.header("content-type")), (502, Some("text/html")));
}

#[tokio::test]
async fn other_routes_answer_and_can_fail_by_rule() {
    let rule = Matcher::any().path("/v1/messages/count_tokens");
    let script = Script::new().when(rule, [Refusal::Internal.into()]).always(Answer::text("x"));
    let server = ModelServer::start(script).await.unwrap();
    let count = json!({ "model": "claude-haiku-5-5", "messages": [{ "role": "user", "content": "hi" }] });
    let count = post("/v1/messages/count_tokens", &count.to_string(), "close");
    assert_eq!(take_apart(&exchange(&server, &count).await.bytes).status, 500);
    let counted = take_apart(&exchange(&server, &count).await.bytes).json();
    assert!(counted["input_tokens"].as_u64().is_some_and(|tokens| 0 < tokens));
    let get = |path: &str, header: &str| format!("GET {path} HTTP/1.1\r\n{header}connection: close\r\n\r\n");
    let chat = take_apart(&exchange(&server, get("/v1/models", "").as_bytes()).await.bytes).json();
    assert_eq!(chat["data"][0]["id"], "local-small");
    let headers = "anthropic-version: 2026-10-21\r\nx-api-key: k\r\n";
    let messages = take_apart(&exchange(&server, get("/v1/models", headers).as_bytes()).await.bytes).json();
    assert_eq!(messages["data"][0]["max_input_tokens"], 1_000_000);
    let one = get("/v1/models/claude-haiku-4-5", headers);
    let one = take_apart(&exchange(&server, one.as_bytes()).await.bytes).json();
    assert_eq!(one["max_tokens"], 64_000);
    let nowhere = take_apart(&exchange(&server, get("/v2/x", "").as_bytes()).await.bytes);
    assert_eq!(
        (nowhere.status, nowhere.json()["error"]["type"].clone()),
        (404, Value::from("invalid_request_error"))
    );
}
