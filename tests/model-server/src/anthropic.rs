//! The messages interface: checks requests as the service does, and writes its answers.

mod fields;
mod history;
mod prompt;
mod render;
mod signature;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value, json};

use self::history::MovedThoughts;
use crate::exchange::{Body, Exchange};
use crate::facts::ModelFacts;
use crate::http::Request;
use crate::json::{Json, object};
use crate::refusal::Refusal;
use crate::service::Asked;
use crate::settings::{Keys, Settings};

pub(crate) use fields::is_name;
pub(crate) use render::exchange;

/// The versions that the service knows.
const VERSIONS: [&str; 2] = ["2023-06-01", NEWEST];

/// Under this one sampling parameters are refused altogether.
const NEWEST: &str = "2026-10-21";

/// Checks a request for a turn.
pub(crate) fn check(request: &Request, settings: &Settings) -> Result<Asked, Refusal> {
    let version = check_headers(request, settings)?;
    let body = body(request)?;
    let facts = facts(&body, settings)?;
    let max_tokens = fields::check(&body, &facts, version)?;
    let moved = moved_thoughts(request, &body)?;
    let messages = history::check(&body, &facts, version, moved)?;
    let segments = prompt::segments(&body, &messages)?;
    let tokens = segments.iter().map(|segment| segment.tokens).sum();
    if facts.window < tokens {
        return Err(Refusal::ContextTooLong { tokens, window: facts.window });
    }
    Ok(Asked {
        conversation: prompt::conversation(&body, &messages),
        segments,
        max_tokens,
        stream: body.get("stream").and_then(Value::as_bool).unwrap_or_default(),
        include_usage: true,
        binding: signature::binding(&messages),
        facts,
    })
}

/// Answers how many tokens a prompt has.
pub(crate) fn count_tokens(request: &Request, settings: &Settings) -> Result<Exchange, Refusal> {
    let version = check_headers(request, settings)?;
    let mut body = body(request)?;
    for name in ["max_tokens", "stream"] {
        if body.contains_key(name) {
            return Err(invalid(format!("{name}: Extra inputs are not permitted")));
        }
    }
    body.insert("max_tokens".to_owned(), json!(1));
    let facts = facts(&body, settings)?;
    fields::check(&body, &facts, version)?;
    let moved = moved_thoughts(request, &body)?;
    let messages = history::check(&body, &facts, version, moved)?;
    let tokens: u64 = prompt::segments(&body, &messages)?.iter().map(|segment| segment.tokens).sum();
    Ok(whole(&object! { "input_tokens": tokens }))
}

/// Lists the models, or tells about one.
pub(crate) fn models(request: &Request, settings: &Settings, id: Option<&str>) -> Result<Exchange, Refusal> {
    check_headers(request, settings)?;
    let tell = |facts: &ModelFacts| {
        object! {
            "type": "model", "id": facts.id.as_str(), "display_name": facts.id.as_str(),
            "created_at": "2026-01-01T00:00:00Z", "max_input_tokens": facts.window, "max_tokens": facts.max_output,
        }
    };
    let Some(id) = id else {
        let data: Vec<Json> = settings.messages_models.iter().map(tell).collect();
        let first = settings.messages_models.first().map(|facts| facts.id.clone());
        let last = settings.messages_models.last().map(|facts| facts.id.clone());
        let list =
            object! { "data": Json::List(data), "has_more": false, "first_id": first, "last_id": last };
        return Ok(whole(&list));
    };
    let facts = settings.messages_models.iter().find(|facts| facts.id == id);
    facts.map(|facts| whole(&tell(facts))).ok_or_else(|| Refusal::NotFound(format!("model: {id}")))
}

fn check_headers<'a>(request: &'a Request, settings: &Settings) -> Result<&'a str, Refusal> {
    let bearer = request.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
    let key = match (request.header("x-api-key"), bearer) {
        (Some(key), None) | (None, Some(key)) if !key.is_empty() => key,
        // Both at once are refused as well: the service cannot know which one is meant.
        _ => return Err(Refusal::Unauthorized),
    };
    if let Keys::Only(right) = &settings.keys
        && right != key
    {
        return Err(Refusal::Unauthorized);
    }
    let version = request.header("anthropic-version");
    let version = version.ok_or_else(|| invalid("anthropic-version: header is required"))?;
    if !VERSIONS.contains(&version) {
        return Err(invalid(format!("anthropic-version: \"{version}\" is not a valid version")));
    }
    Ok(version)
}

/// What to do with thinking whose messages before it have changed. To choose is a beta.
fn moved_thoughts(request: &Request, body: &Map<String, Value>) -> Result<MovedThoughts, Refusal> {
    const BETA: &str = "thinking-binding-controls-2026-08-01";
    let Some(binding) = body.get("thinking").and_then(|thinking| thinking.get("block_binding")) else {
        return Ok(MovedThoughts::Refused);
    };
    let mut betas = request.header("anthropic-beta").unwrap_or_default().split(',').map(str::trim);
    if !betas.any(|beta| beta == BETA) {
        return Err(invalid("thinking.block_binding: Extra inputs are not permitted"));
    }
    match binding.get("prefix_mismatch_behavior").and_then(Value::as_str) {
        Some("drop_block") => Ok(MovedThoughts::Dropped),
        _ => Ok(MovedThoughts::Refused),
    }
}

fn body(request: &Request) -> Result<Map<String, Value>, Refusal> {
    let is_json = request.header("content-type").is_some_and(|kind| kind.starts_with("application/json"));
    if !is_json {
        return Err(invalid("content-type must be application/json"));
    }
    match serde_json::from_slice(&request.body) {
        Ok(Value::Object(body)) => Ok(body),
        Ok(_) => Err(invalid("the request body must be an object")),
        Err(error) => Err(invalid(format!("the request body is not valid JSON: {error}"))),
    }
}

fn facts(body: &Map<String, Value>, settings: &Settings) -> Result<ModelFacts, Refusal> {
    let id = body.get("model").ok_or_else(|| invalid("model: Field required"))?;
    let id = id.as_str().ok_or_else(|| invalid("model: Input should be a valid string"))?;
    let facts = settings.messages_models.iter().find(|facts| facts.id == id);
    facts.cloned().ok_or_else(|| Refusal::NotFound(format!("model: {id}")))
}

fn invalid(message: impl Into<String>) -> Refusal {
    Refusal::Invalid(message.into())
}

fn whole(json: &Json) -> Exchange {
    let body = Body::Whole { content_type: "application/json".to_owned(), bytes: json.text().into_bytes() };
    Exchange { status: 200, headers: Vec::new(), body }
}
