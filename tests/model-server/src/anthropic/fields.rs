//! Checks of everything in a request but its messages.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::{NEWEST, invalid};
use crate::facts::{Allowed, ModelFacts, ThinkingRule};
use crate::refusal::Refusal;
use crate::schema;

/// What a request may have in it.
const KNOWN: [&str; 20] = [
    "model",
    "messages",
    "max_tokens",
    "system",
    "tools",
    "tool_choice",
    "stream",
    "stop_sequences",
    "metadata",
    "temperature",
    "top_p",
    "top_k",
    "thinking",
    "output_config",
    "cache_control",
    "service_tier",
    "diagnostics",
    "context_management",
    "inference_geo",
    "speed",
];

const MOST_BREAKPOINTS: usize = 4;

/// Checks the fields; gives the most tokens of the answer.
pub(super) fn check(body: &Map<String, Value>, facts: &ModelFacts, version: &str) -> Result<u64, Refusal> {
    if let Some(name) = body.keys().find(|name| !KNOWN.contains(&name.as_str())) {
        return Err(invalid(format!("{name}: Extra inputs are not permitted")));
    }
    let max_tokens = body.get("max_tokens").ok_or_else(|| invalid("max_tokens: Field required"))?;
    let max_tokens =
        max_tokens.as_u64().ok_or_else(|| invalid("max_tokens: Input should be a valid integer"))?;
    if facts.max_output < max_tokens {
        let (id, most) = (&facts.id, facts.max_output);
        return Err(invalid(format!("max_tokens: {max_tokens} > {most}, which is the maximum for {id}")));
    }
    if body.get("stream").is_some_and(|stream| !stream.is_boolean()) {
        return Err(invalid("stream: Input should be a valid boolean"));
    }
    check_sampling(body, facts, version)?;
    check_thinking(body, facts, max_tokens)?;
    check_tools(body)?;
    check_choice(body, facts)?;
    check_output(body)?;
    check_breakpoints(body)?;
    Ok(max_tokens)
}

fn check_sampling(body: &Map<String, Value>, facts: &ModelFacts, version: &str) -> Result<(), Refusal> {
    for (name, default) in [("temperature", Some(1.0)), ("top_p", None), ("top_k", None)] {
        let Some(value) = body.get(name) else { continue };
        let is_default = value.as_f64() == default && default.is_some();
        if version == NEWEST || (facts.sampling == Allowed::No && !is_default) {
            return Err(invalid(format!("{name}: sampling parameters are not supported")));
        }
        if !value.is_number() {
            return Err(invalid(format!("{name}: Input should be a valid number")));
        }
    }
    Ok(())
}

fn check_thinking(body: &Map<String, Value>, facts: &ModelFacts, max_tokens: u64) -> Result<(), Refusal> {
    let Some(thinking) = body.get("thinking") else {
        return Ok(());
    };
    let kind = thinking.get("type").and_then(Value::as_str);
    let kind = kind.ok_or_else(|| invalid("thinking.type: Field required"))?;
    let allowed: &[&str] = match facts.thinking {
        ThinkingRule::Always => &["adaptive"],
        ThinkingRule::BetweenTools => &["adaptive", "between_tools"],
        ThinkingRule::Adaptive => &["adaptive", "disabled"],
        ThinkingRule::Budget => &["adaptive", "enabled", "disabled"],
    };
    if !allowed.contains(&kind) {
        return Err(invalid(format!("thinking.type: \"{kind}\" is not supported by {}", facts.id)));
    }
    if kind == "enabled" {
        let budget = thinking.get("budget_tokens").and_then(Value::as_u64).unwrap_or_default();
        if budget < 1024 {
            return Err(invalid("thinking.budget_tokens: Input should be greater than or equal to 1024"));
        }
        if max_tokens <= budget {
            return Err(invalid("max_tokens must be greater than thinking.budget_tokens"));
        }
    }
    Ok(())
}

fn check_tools(body: &Map<String, Value>) -> Result<(), Refusal> {
    let Some(tools) = body.get("tools") else {
        return Ok(());
    };
    let tools = tools.as_array().ok_or_else(|| invalid("tools: Input should be a valid list"))?;
    let mut names = BTreeSet::new();
    for (at, tool) in tools.iter().enumerate() {
        let name = tool.get("name").and_then(Value::as_str);
        let name = name.ok_or_else(|| invalid(format!("tools.{at}.name: Field required")))?;
        if !is_name(name, 128) {
            return Err(invalid(format!(
                "tools.{at}.name: String should match pattern '^[a-zA-Z0-9_-]{{1,128}}$'"
            )));
        }
        if !names.insert(name) {
            return Err(invalid("tools: Tool names must be unique."));
        }
        let schema = tool.get("input_schema");
        let schema = schema.ok_or_else(|| invalid(format!("tools.{at}.input_schema: Field required")))?;
        if schema.get("type").and_then(Value::as_str) != Some("object") {
            return Err(invalid(format!("tools.{at}.input_schema.type: Input should be 'object'")));
        }
        if tool.get("strict") == Some(&Value::Bool(true)) {
            let problem = schema::strict_problem(schema, schema::Strictness::Closed);
            problem.map_or(Ok(()), |problem| Err(invalid(format!("tools.{at}.input_schema: {problem}"))))?;
        }
    }
    Ok(())
}

/// Whether a text can be the name of a tool.
pub(crate) fn is_name(name: &str, longest: usize) -> bool {
    (1..=longest).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

fn check_choice(body: &Map<String, Value>, facts: &ModelFacts) -> Result<(), Refusal> {
    let Some(choice) = body.get("tool_choice") else {
        return Ok(());
    };
    let tools = body.get("tools").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    if tools.is_empty() {
        return Err(invalid("tool_choice: may only be specified while providing tools"));
    }
    let kind = choice.get("type").and_then(Value::as_str).unwrap_or_default();
    match kind {
        "auto" | "none" => return Ok(()),
        "any" => {}
        "tool" => {
            let name = choice.get("name").and_then(Value::as_str);
            let name = name.ok_or_else(|| invalid("tool_choice.name: Field required"))?;
            if !tools.iter().any(|tool| tool.get("name").and_then(Value::as_str) == Some(name)) {
                return Err(invalid(format!("tool_choice.name: Tool '{name}' not found in provided tools")));
            }
        }
        _ => return Err(invalid("tool_choice.type: should be one of auto, any, tool, none")),
    }
    if facts.forced_choice == Allowed::No {
        return Err(invalid(format!("tool_choice.type: \"{kind}\" is not supported by {}", facts.id)));
    }
    let thinking = body.get("thinking").and_then(|thinking| thinking.get("type")).and_then(Value::as_str);
    if matches!(thinking, Some("enabled" | "adaptive")) {
        return Err(invalid("Thinking may not be enabled when tool_choice forces tool use."));
    }
    Ok(())
}

fn check_output(body: &Map<String, Value>) -> Result<(), Refusal> {
    let Some(config) = body.get("output_config") else {
        return Ok(());
    };
    if let Some(effort) = config.get("effort") {
        let known = ["low", "medium", "high", "xhigh", "max"];
        if !effort.as_str().is_some_and(|effort| known.contains(&effort)) {
            return Err(invalid("output_config.effort: should be one of low, medium, high, xhigh, max"));
        }
    }
    let Some(format) = config.get("format") else {
        return Ok(());
    };
    if format.get("type").and_then(Value::as_str) != Some("json_schema") {
        return Err(invalid("output_config.format.type: Input should be 'json_schema'"));
    }
    let schema = format.get("schema");
    let schema = schema.ok_or_else(|| invalid("output_config.format.schema: Field required"))?;
    let problem = schema::strict_problem(schema, schema::Strictness::Closed);
    problem.map_or(Ok(()), |problem| Err(invalid(format!("output_config.format.schema: {problem}"))))
}

fn check_breakpoints(body: &Map<String, Value>) -> Result<(), Refusal> {
    let mut found = Vec::new();
    for part in ["tools", "system", "messages"] {
        body.get(part).into_iter().for_each(|part| collect_breakpoints(part, &mut found));
    }
    found.extend(body.get("cache_control"));
    if MOST_BREAKPOINTS < found.len() {
        let count = found.len();
        return Err(invalid(format!(
            "A maximum of {MOST_BREAKPOINTS} blocks with cache_control may be provided. Found {count}."
        )));
    }
    let mut short_seen = false;
    for control in found {
        if control.get("type").and_then(Value::as_str) != Some("ephemeral") {
            return Err(invalid("cache_control.type: Input should be 'ephemeral'"));
        }
        match control.get("ttl").map(Value::as_str) {
            None | Some(Some("5m")) => short_seen = true,
            Some(Some("1h")) if short_seen => {
                return Err(invalid("cache_control.ttl: a '1h' block must not come after a '5m' block"));
            }
            Some(Some("1h")) => {}
            Some(_) => return Err(invalid("cache_control.ttl: should be '5m' or '1h'")),
        }
    }
    Ok(())
}

/// Breakpoints in the order of the prompt. Arguments and schemas are the client's own and not looked into.
fn collect_breakpoints<'a>(value: &'a Value, found: &mut Vec<&'a Value>) {
    match value {
        Value::Array(values) => values.iter().for_each(|value| collect_breakpoints(value, found)),
        Value::Object(object) => {
            object.get("content").into_iter().for_each(|content| collect_breakpoints(content, found));
            found.extend(object.get("cache_control").filter(|control| !control.is_null()));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
