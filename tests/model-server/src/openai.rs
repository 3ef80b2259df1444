//! Chat completions and responses: checks requests as the service does, and writes its answers.

mod history;
mod render;
pub(crate) mod responses;
#[cfg(test)]
mod tests;

use serde_json::{Map, Value};

use crate::anthropic::is_name;
use crate::cache::Segment;
use crate::conversation::{Conversation, Tool};
use crate::digest::digest;
use crate::exchange::{Body, Exchange};
use crate::facts::ModelFacts;
use crate::http::Request;
use crate::json::{Json, object};
use crate::refusal::Refusal;
use crate::schema;
use crate::service::Asked;
use crate::settings::{Keys, Settings, ToolSupport};
use crate::turn::tokens;

pub(crate) use render::exchange;

/// What a request may have in it.
const KNOWN: [&str; 25] = [
    "model",
    "messages",
    "max_tokens",
    "max_completion_tokens",
    "stream",
    "stream_options",
    "tools",
    "tool_choice",
    "parallel_tool_calls",
    "response_format",
    "temperature",
    "top_p",
    "n",
    "stop",
    "seed",
    "user",
    "metadata",
    "reasoning_effort",
    "frequency_penalty",
    "presence_penalty",
    "logprobs",
    "store",
    "service_tier",
    "prompt_cache_key",
    "verbosity",
];

/// Models whose name begins so think before they speak, and are stricter.
const REASONING: &str = "gpt-";

/// Checks a request for a turn.
pub(crate) fn check(request: &Request, settings: &Settings) -> Result<Asked, Refusal> {
    check_key(request, settings)?;
    let body: Value = serde_json::from_slice(&request.body)
        .map_err(|error| invalid(format!("the body of the request is not valid JSON: {error}")))?;
    let body = body.as_object().ok_or_else(|| invalid("the body of the request must be an object"))?;
    let facts = facts(body, settings)?;
    let max_tokens = check_fields(body, &facts)?;
    let tools = check_tools(body, settings)?;
    check_choice(body, &tools)?;
    let (system, messages) = history::check(body)?;
    let segments = segments(body);
    let total = segments.iter().map(|segment| segment.tokens).sum();
    if facts.window < total {
        return Err(Refusal::ContextTooLong { tokens: total, window: facts.window });
    }
    let flag = |pointer: &str| Value::Object(body.clone()).pointer(pointer) == Some(&Value::Bool(true));
    let bytes: Vec<String> =
        segments.iter().map(|segment| String::from_utf8_lossy(&segment.bytes).into_owned()).collect();
    let none = body.get("tool_choice").and_then(Value::as_str) == Some("none");
    Ok(Asked {
        conversation: Conversation {
            model: facts.id.clone(),
            system,
            tools: if none || settings.tools == ToolSupport::Ignored { Vec::new() } else { tools },
            messages,
            output: body
                .get("response_format")
                .and_then(|format| format.pointer("/json_schema/schema"))
                .cloned(),
        },
        segments,
        max_tokens,
        stream: flag("/stream"),
        include_usage: flag("/stream_options/include_usage"),
        binding: digest(&bytes.iter().map(String::as_str).collect::<Vec<_>>()),
        facts,
    })
}

/// Lists the models, or tells about one.
pub(crate) fn models(request: &Request, settings: &Settings, id: Option<&str>) -> Result<Exchange, Refusal> {
    check_key(request, settings)?;
    let tell = |facts: &ModelFacts| {
        object! {
            "id": facts.id.as_str(), "object": "model", "created": render::CREATED, "owned_by": "luminos",
            "max_model_len": facts.window,
        }
    };
    let json = match id {
        None => {
            let data = settings.chat_models.iter().map(tell).collect();
            object! { "object": "list", "data": Json::List(data) }
        }
        Some(id) => {
            let facts = settings.chat_models.iter().find(|facts| facts.id == id);
            tell(facts.ok_or_else(|| unknown_model(id))?)
        }
    };
    Ok(whole(&json))
}

fn check_key(request: &Request, settings: &Settings) -> Result<(), Refusal> {
    let key = request.header("authorization").and_then(|value| value.strip_prefix("Bearer "));
    match &settings.keys {
        Keys::Any => Ok(()),
        Keys::Only(right) if key == Some(right) => Ok(()),
        Keys::Only(_) => Err(Refusal::Unauthorized),
    }
}

fn unknown_model(id: &str) -> Refusal {
    Refusal::NotFound(format!("The model `{id}` does not exist or you do not have access to it."))
}

fn facts(body: &Map<String, Value>, settings: &Settings) -> Result<ModelFacts, Refusal> {
    let id = body.get("model").and_then(Value::as_str);
    let id = id.ok_or_else(|| invalid("you must provide a model parameter"))?;
    settings.chat_models.iter().find(|facts| facts.id == id).cloned().ok_or_else(|| unknown_model(id))
}

/// Checks the simple fields; gives the most tokens of the answer.
fn check_fields(body: &Map<String, Value>, facts: &ModelFacts) -> Result<u64, Refusal> {
    if let Some(name) = body.keys().find(|name| !KNOWN.contains(&name.as_str())) {
        return Err(invalid(format!("Unrecognized request argument supplied: {name}")));
    }
    let thinks = facts.id.starts_with(REASONING);
    if thinks && body.contains_key("max_tokens") {
        return Err(invalid(
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        ));
    }
    let temperature = body.get("temperature").and_then(Value::as_f64);
    if thinks && temperature.is_some_and(|value| value < 1.0 || 1.0 < value) {
        return Err(invalid("Unsupported value: 'temperature' does not support this value with this model."));
    }
    let streams = body.get("stream") == Some(&Value::Bool(true));
    if body.get("stream_options").is_some_and(|options| !options.is_null()) && !streams {
        return Err(invalid("The 'stream_options' parameter is only allowed when 'stream' is enabled."));
    }
    let limit = body.get("max_completion_tokens").or(body.get("max_tokens")).filter(|limit| !limit.is_null());
    let Some(limit) = limit else {
        return Ok(facts.max_output);
    };
    let limit = limit.as_u64().filter(|limit| 0 < *limit);
    let limit = limit.ok_or_else(|| invalid("max_tokens must be an integer of at least 1"))?;
    if facts.max_output < limit {
        let most = facts.max_output;
        return Err(invalid(format!(
            "max_tokens is too large: {limit}. This model supports at most {most}."
        )));
    }
    Ok(limit)
}

fn check_tools(body: &Map<String, Value>, settings: &Settings) -> Result<Vec<Tool>, Refusal> {
    let Some(tools) = body.get("tools").filter(|tools| !tools.is_null()) else {
        return Ok(Vec::new());
    };
    let tools = tools.as_array().filter(|tools| !tools.is_empty());
    let tools = tools.ok_or_else(|| invalid("'tools' must be a list that is not empty"))?;
    if settings.tools == ToolSupport::Refused {
        let model = body.get("model").and_then(Value::as_str).unwrap_or_default();
        return Err(invalid(format!("{model} does not support tools")));
    }
    let mut checked: Vec<Tool> = Vec::new();
    for (at, tool) in tools.iter().enumerate() {
        if tool.get("type").and_then(Value::as_str) != Some("function") {
            return Err(invalid(format!("Invalid value: 'tools[{at}].type' must be 'function'")));
        }
        let name = tool.pointer("/function/name").and_then(Value::as_str).unwrap_or_default();
        if !is_name(name, 64) {
            return Err(invalid(format!("Invalid 'tools[{at}].function.name': '{name}'")));
        }
        if checked.iter().any(|tool| tool.name == name) {
            return Err(invalid(format!("Invalid 'tools': the name '{name}' is given twice")));
        }
        let schema = tool.pointer("/function/parameters").cloned().unwrap_or_default();
        if tool.pointer("/function/strict") == Some(&Value::Bool(true))
            && let Some(problem) = schema::strict_problem(&schema, schema::Strictness::ClosedAndComplete)
        {
            return Err(invalid(format!("Invalid schema for function '{name}': {problem}")));
        }
        checked.push(Tool { name: name.to_owned(), schema });
    }
    Ok(checked)
}

fn check_choice(body: &Map<String, Value>, tools: &[Tool]) -> Result<(), Refusal> {
    let Some(choice) = body.get("tool_choice").filter(|choice| !choice.is_null()) else {
        return Ok(());
    };
    if tools.is_empty() {
        return Err(invalid("'tool_choice' is only allowed when 'tools' are specified."));
    }
    let name = choice.pointer("/function/name").and_then(Value::as_str);
    match (choice.as_str(), name) {
        (Some("auto" | "none" | "required"), _) => Ok(()),
        (None, Some(name)) if tools.iter().any(|tool| tool.name == name) => Ok(()),
        _ => Err(invalid("Invalid value for 'tool_choice'")),
    }
}

/// The prompt as the cache sees it.
fn segments(body: &Map<String, Value>) -> Vec<Segment> {
    let list = |name: &str| body.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
    let segments = list("tools").into_iter().chain(list("messages")).map(|part| {
        let text = part.to_string();
        Segment { tokens: tokens(text.len()), bytes: text.into_bytes(), breakpoint: None }
    });
    segments.collect()
}

fn invalid(message: impl Into<String>) -> Refusal {
    Refusal::Invalid(message.into())
}

fn whole(json: &Json) -> Exchange {
    let body = Body::Whole { content_type: "application/json".to_owned(), bytes: json.text().into_bytes() };
    Exchange { status: 200, headers: Vec::new(), body }
}
