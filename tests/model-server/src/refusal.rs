//! Answers that are errors, in the shapes of both interfaces.

use std::time::Duration;

use crate::exchange::{Api, Body, Exchange};
use crate::json::{Json, object};
use crate::limits::Told;

/// Why a request gets no turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// 400: the request itself is wrong.
    Invalid(String),
    /// 400: the prompt does not fit the window.
    ContextTooLong {
        /// Tokens of the prompt.
        tokens: u64,
        /// Tokens of the window.
        window: u64,
    },
    /// 401: no key, or not the right one.
    Unauthorized,
    /// 402: the bill was not paid.
    Billing,
    /// 403: this key may not do this.
    Forbidden,
    /// 404: no such model or address.
    NotFound(String),
    /// 413: the request has too many bytes.
    TooLarge,
    /// 429: too much in too short a time.
    RateLimited(RetryAfter),
    /// 429 without a time to wait for: the spending limit of the month is reached.
    SpendLimit,
    /// 500: something broke.
    Internal,
    /// 500 with the JSON of an overload in its message, as a proxy sends it.
    OverloadInside500,
    /// 504: it took too long.
    Timeout,
    /// 529: too many others.
    Overloaded,
    /// 307 to another address.
    Redirect(String),
    /// A status with a body that is not JSON, as proxies send it.
    Page(u16, String),
}

/// When to come back, in one of the forms in use. The headers about limits say the same; they say nothing when
/// this does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RetryAfter {
    /// Not said.
    Unsaid,
    /// In `retry-after`, in seconds.
    Seconds(u64),
    /// In `retry-after-ms`.
    Millis(u64),
    /// In `retry-after`, as it is written here: a date, a fraction, nonsense.
    Text(String),
}

/// The parts of an error body.
struct Shape {
    status: u16,
    kind: &'static str,
    /// Chat completions name some errors more exactly.
    code: Option<&'static str>,
    message: String,
}

impl Refusal {
    /// The error as an answer.
    pub(crate) fn exchange(&self, api: Api, request_id: &str) -> Exchange {
        match self {
            Refusal::Redirect(location) => {
                let headers = vec![("location".to_owned(), location.clone())];
                return Exchange { status: 307, headers, body: whole("text/plain", String::new()) };
            }
            Refusal::Page(status, body) => {
                return Exchange { status: *status, headers: vec![], body: whole("text/html", body.clone()) };
            }
            Refusal::Invalid(_)
            | Refusal::ContextTooLong { .. }
            | Refusal::Unauthorized
            | Refusal::Billing
            | Refusal::Forbidden
            | Refusal::NotFound(_)
            | Refusal::TooLarge
            | Refusal::RateLimited(_)
            | Refusal::SpendLimit
            | Refusal::Internal
            | Refusal::OverloadInside500
            | Refusal::Timeout
            | Refusal::Overloaded => {}
        }
        let mut headers = self.retry_headers();
        if *self == Refusal::SpendLimit {
            headers.push(("x-should-retry".to_owned(), "false".to_owned()));
        }
        let text = self.json(api, request_id).text();
        Exchange { status: self.shape(api).status, headers, body: whole("application/json", text) }
    }

    /// What the headers about limits say beside it.
    pub(crate) fn told(&self) -> Told {
        let Refusal::RateLimited(retry_after) = self else {
            return Told::Truth;
        };
        match retry_after {
            RetryAfter::Unsaid => Told::Nothing,
            RetryAfter::Seconds(seconds) => Told::NothingLeftFor(Duration::from_secs(*seconds)),
            RetryAfter::Millis(millis) => Told::NothingLeftFor(Duration::from_millis(*millis)),
            RetryAfter::Text(_) => Told::NothingLeftFor(Duration::from_secs(60)),
        }
    }

    /// The error as the data of an event in a stream that has already begun.
    pub(crate) fn event_data(&self, api: Api) -> String {
        match api {
            Api::Messages => object! { "type": "error", "error": self.inner(api) }.text(),
            Api::Chat => object! { "error": self.inner(api) }.text(),
        }
    }

    fn json(&self, api: Api, request_id: &str) -> Json {
        match api {
            Api::Messages => object! { "type": "error", "error": self.inner(api), "request_id": request_id },
            Api::Chat => object! { "error": self.inner(api) },
        }
    }

    fn inner(&self, api: Api) -> Json {
        let shape = self.shape(api);
        match api {
            Api::Messages => {
                let mut inner = object! { "type": shape.kind, "message": shape.message };
                if *self == Refusal::SpendLimit {
                    inner.push("details", object! { "error_code": "enforced_spend_limit_reached" });
                }
                inner
            }
            Api::Chat => object! {
                "message": shape.message, "type": shape.kind, "param": Json::Plain(().into()), "code": shape.code,
            },
        }
    }

    fn retry_headers(&self) -> Vec<(String, String)> {
        let Refusal::RateLimited(retry_after) = self else {
            return Vec::new();
        };
        let header = match retry_after {
            RetryAfter::Unsaid => None,
            RetryAfter::Seconds(seconds) => Some(("retry-after", seconds.to_string())),
            RetryAfter::Millis(millis) => Some(("retry-after-ms", millis.to_string())),
            RetryAfter::Text(text) => Some(("retry-after", text.clone())),
        };
        header.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }

    fn shape(&self, api: Api) -> Shape {
        let by_api = |messages: &'static str, chat: &'static str| match api {
            Api::Messages => messages,
            Api::Chat => chat,
        };
        let (status, kind, code, message) = match self {
            Refusal::Invalid(message) => (400, "invalid_request_error", None, message.clone()),
            Refusal::ContextTooLong { tokens, window } => {
                let message = format!("prompt is too long: {tokens} tokens > {window} maximum");
                (400, "invalid_request_error", Some("context_length_exceeded"), message)
            }
            Refusal::Unauthorized => {
                let kind = by_api("authentication_error", "invalid_request_error");
                (401, kind, Some("invalid_api_key"), "invalid x-api-key".to_owned())
            }
            Refusal::Billing => {
                (402, "billing_error", None, "there is a problem with the payment".to_owned())
            }
            Refusal::Forbidden => {
                (403, "permission_error", None, "this key may not use the resource".to_owned())
            }
            Refusal::NotFound(what) => {
                let kind = by_api("not_found_error", "invalid_request_error");
                (404, kind, Some("model_not_found"), what.clone())
            }
            Refusal::TooLarge => {
                (413, "request_too_large", None, "the request exceeds the largest size".to_owned())
            }
            Refusal::RateLimited(_) => {
                let kind = by_api("rate_limit_error", "requests");
                let message = "the request would exceed the rate limit of the organization".to_owned();
                (429, kind, Some("rate_limit_exceeded"), message)
            }
            Refusal::SpendLimit => {
                let kind = by_api("rate_limit_error", "insufficient_quota");
                (429, kind, Some("insufficient_quota"), "the usage limit of the month is reached".to_owned())
            }
            Refusal::Internal => {
                (500, by_api("api_error", "server_error"), None, "internal error".to_owned())
            }
            Refusal::OverloadInside500 => {
                let inside = Refusal::Overloaded.event_data(Api::Messages);
                (500, by_api("api_error", "server_error"), None, format!("upstream failed: {inside}"))
            }
            Refusal::Timeout => (504, "timeout_error", None, "the request took too long".to_owned()),
            Refusal::Overloaded => (529, "overloaded_error", None, "Overloaded".to_owned()),
            Refusal::Redirect(_) | Refusal::Page(..) => (500, "api_error", None, String::new()),
        };
        Shape { status, kind, code, message }
    }
}

fn whole(content_type: &'static str, text: String) -> Body {
    Body::Whole { content_type: content_type.to_owned(), bytes: text.into_bytes() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(refusal: &Refusal, api: Api, status: u16, expected: &str) {
        let exchange = refusal.exchange(api, "req_1");
        let Body::Whole { bytes, .. } = &exchange.body else {
            panic!("an error is not a stream");
        };
        assert_eq!((exchange.status, String::from_utf8_lossy(bytes).as_ref()), (status, expected));
    }

    #[test]
    fn errors_have_the_shape_of_their_interface() {
        check(
            &Refusal::Overloaded,
            Api::Messages,
            529,
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_1"}"#,
        );
        check(
            &Refusal::SpendLimit,
            Api::Messages,
            429,
            r#"{"type":"error","error":{"type":"rate_limit_error","message":"the usage limit of the month is reached","details":{"error_code":"enforced_spend_limit_reached"}},"request_id":"req_1"}"#,
        );
        check(
            &Refusal::Invalid("bad".to_owned()),
            Api::Chat,
            400,
            r#"{"error":{"message":"bad","type":"invalid_request_error","param":null,"code":null}}"#,
        );
        check(
            &Refusal::OverloadInside500,
            Api::Messages,
            500,
            r#"{"type":"error","error":{"type":"api_error","message":"upstream failed: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}"},"request_id":"req_1"}"#,
        );
        check(&Refusal::Page(502, "<html>".to_owned()), Api::Chat, 502, "<html>");
    }

    #[test]
    fn the_time_to_wait_comes_in_every_form() {
        let header = |retry_after| Refusal::RateLimited(retry_after).exchange(Api::Messages, "r").headers;
        let pair = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
        assert_eq!(header(RetryAfter::Unsaid), []);
        assert_eq!(header(RetryAfter::Seconds(7)), pair("retry-after", "7"));
        assert_eq!(header(RetryAfter::Millis(70)), pair("retry-after-ms", "70"));
        assert_eq!(header(RetryAfter::Text("soon".to_owned())), pair("retry-after", "soon"));
    }
}
