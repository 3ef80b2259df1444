//! What a server says when it fails, and which kind of failure that is.
//!
//! Servers of both interfaces answer in the shape of either, so one reader knows all shapes. Types and codes
//! decide; the words of a message only where a proxy has hidden the type inside them.

use luminos_core::Untrusted;
use serde_json::Value;

use crate::error::Kind;
use crate::sse::EventTooLarge;

/// A failure, before it is known whose it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) kind: Kind,
    pub(crate) message: String,
}

impl Fault {
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }
}

impl From<EventTooLarge> for Fault {
    fn from(error: EventTooLarge) -> Self {
        Self::new(Kind::AnswerTooLarge, error.to_string())
    }
}

/// The failure that a status and a body tell.
pub(crate) fn fault_of(status: u16, body: &[u8]) -> Fault {
    match serde_json::from_slice::<Value>(body) {
        Ok(json) => fault_in(Some(status), &json),
        Err(_) => {
            let text = String::from_utf8_lossy(body);
            let what = if text.trim_start().starts_with('<') { "a web page" } else { text.trim() };
            Fault::new(kind_of_status(status), format!("status {status} {what}").trim_end())
        }
    }
}

/// The failure that a JSON document tells, in a body or in the middle of a stream.
pub(crate) fn fault_in(status: Option<u16>, json: &Value) -> Fault {
    let error = match json.get("error") {
        Some(error @ (Value::Object(_) | Value::String(_))) => error,
        Some(_) | None => json,
    };
    let field = |name: &str| error.get(name).and_then(Value::as_str).unwrap_or_default();
    let message = [
        error.as_str(),
        error.get("message").and_then(Value::as_str),
        error.get("detail").and_then(Value::as_str),
    ]
    .into_iter()
    .flatten()
    .next()
    .unwrap_or_default();
    let error_code = error.pointer("/details/error_code").and_then(Value::as_str).unwrap_or_default();
    let numeric_code = error.get("code").and_then(Value::as_u64).and_then(|code| u16::try_from(code).ok());
    let status = status.or(numeric_code.filter(|code| (400..600).contains(code)));
    let marks = [field("type"), field("code"), error_code];
    let kind = marked(&marks, status, message).or(status.map(kind_of_status)).unwrap_or(Kind::ServerFailed);
    let message = match (message, status) {
        ("", Some(status)) => format!("status {status}"),
        (message, _) => message.to_owned(),
    };
    Fault::new(kind, message)
}

/// The provider's name for the call, where the body tells it.
pub(super) fn request_id(body: &[u8]) -> Option<String> {
    let json: Value = serde_json::from_slice(body).ok()?;
    let id = json.get("request_id")?.as_str()?;
    Some(Untrusted::new(&id.as_bytes()[..id.len().min(100)]).for_terminal())
}

/// The kind that a type or code names, or that a proxy has wrapped into a message.
fn marked(marks: &[&str], status: Option<u16>, message: &str) -> Option<Kind> {
    let is_any = |names: &[&str]| marks.iter().any(|mark| names.contains(mark));
    let says = |words: &str| message.contains(words);
    let is_client_fault = status.is_none_or(|status| status < 500);
    if is_any(&["enforced_spend_limit_reached"]) || says("enforced_spend_limit_reached") {
        return Some(Kind::SpendLimitReached);
    }
    if is_any(&["insufficient_quota", "billing_error"]) {
        return Some(Kind::PaymentRequired);
    }
    if is_any(&["exceed_context_size_error", "context_length_exceeded"])
        || is_client_fault && (says("ContextWindowExceededError") || says("prompt is too long"))
    {
        return Some(Kind::ContextTooLong);
    }
    let is_server_fault = status.is_none_or(|status| 500 <= status);
    if is_any(&["overloaded_error", "unavailable_error"]) || is_server_fault && says("overloaded_error") {
        return Some(Kind::Overloaded);
    }
    let named = [
        (Kind::RateLimited, ["rate_limit_error", "rate_limit_exceeded"].as_slice()),
        // The last is what a proxy says that would have to look the key up and has no place to do so.
        (Kind::KeyRefused, &["authentication_error", "auth_error", "invalid_api_key", "no_db_connection"]),
        (Kind::Forbidden, &["permission_error"]),
        (Kind::NotFound, &["not_found_error", "model_not_found"]),
        (Kind::RequestTooLarge, &["request_too_large"]),
        (Kind::ServerFailed, &["timeout_error", "api_error", "server_error"]),
    ];
    let named = named.into_iter().find(|(_, names)| is_any(names)).map(|(kind, _)| kind);
    // A bad request is the most general type there is: the status, where there is one, may know better.
    let is_bad_request = status.is_none() && is_any(&["invalid_request_error"]);
    named.or(is_bad_request.then_some(Kind::BadRequest))
}

fn kind_of_status(status: u16) -> Kind {
    match status {
        401 => Kind::KeyRefused,
        402 => Kind::PaymentRequired,
        403 => Kind::Forbidden,
        404 => Kind::NotFound,
        408 | 409 => Kind::ServerFailed,
        413 => Kind::RequestTooLarge,
        429 => Kind::RateLimited,
        503 | 529 => Kind::Overloaded,
        500.. => Kind::ServerFailed,
        300..=399 => Kind::Misconfigured,
        _ => Kind::BadRequest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(status: u16, body: &str, kind: Kind, message: &str) {
        assert_eq!(fault_of(status, body.as_bytes()), Fault::new(kind, message), "{status} {body}");
    }

    #[test]
    fn both_shapes_are_understood() {
        let body = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
        check(529, body, Kind::Overloaded, "Overloaded");
        let body = r#"{"error":{"message":"bad key","type":"authentication_error","code":401}}"#;
        check(401, body, Kind::KeyRefused, "bad key");
        let body = r#"{"error":{"message":"no","type":"auth_error","param":"None","code":"401"}}"#;
        check(401, body, Kind::KeyRefused, "no");
        let body = r#"{"error":{"message":"No connected db.","type":"no_db_connection","code":"400"}}"#;
        check(400, body, Kind::KeyRefused, "No connected db.");
        check(404, r#"{"error":"model 'x' not found"}"#, Kind::NotFound, "model 'x' not found");
        check(404, r#"{"detail":"Not Found"}"#, Kind::NotFound, "Not Found");
    }

    #[test]
    fn what_a_proxy_wrapped_is_unwrapped() {
        let body = r#"{"error":{"type":"api_error","message":"x {\"type\": \"overloaded_error\"}"}}"#;
        check(500, body, Kind::Overloaded, r#"x {"type": "overloaded_error"}"#);
        let body = r#"{"error":{"type":"rate_limit_error","message":"enforced_spend_limit_reached"}}"#;
        check(429, body, Kind::SpendLimitReached, "enforced_spend_limit_reached");
        let body = r#"{"error":{"type":"invalid_request_error","message":"ContextWindowExceededError: y"}}"#;
        check(400, body, Kind::ContextTooLong, "ContextWindowExceededError: y");
    }

    #[test]
    fn codes_count_more_than_statuses() {
        let body = r#"{"error":{"type":"rate_limit_error","message":"m","details":{"error_code":"enforced_spend_limit_reached"}}}"#;
        check(429, body, Kind::SpendLimitReached, "m");
        let body = r#"{"error":{"message":"quota","type":"insufficient_quota","code":"insufficient_quota"}}"#;
        check(429, body, Kind::PaymentRequired, "quota");
        let body = r#"{"error":{"code":400,"message":"long","type":"exceed_context_size_error"}}"#;
        check(400, body, Kind::ContextTooLong, "long");
    }

    #[test]
    fn a_body_that_is_no_json_leaves_the_status() {
        check(502, "<html>Bad gateway</html>", Kind::ServerFailed, "status 502 a web page");
        check(429, "", Kind::RateLimited, "status 429");
        check(500, r#"{"error":{"message":""}}"#, Kind::ServerFailed, "status 500");
        check(302, "", Kind::Misconfigured, "status 302");
    }
}
