//! Checks of the messages: roles, blocks, and that every call has its result.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{NEWEST, invalid, signature};
use crate::facts::{Allowed, ModelFacts};
use crate::refusal::Refusal;

/// A message in its full form: content as blocks, neighbours of the same role joined.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Turned {
    pub(super) role: Role,
    pub(super) blocks: Vec<Value>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    User,
    Assistant,
}

impl Role {
    pub(super) fn name(self) -> &'static str {
        match self {
            Role::User => "user",
            Role::Assistant => "assistant",
        }
    }
}

/// What becomes of thinking when the messages before it have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MovedThoughts {
    Refused,
    Dropped,
}

/// Checks the messages and brings them into their full form.
pub(super) fn check(
    body: &Map<String, Value>,
    facts: &ModelFacts,
    version: &str,
    moved: MovedThoughts,
) -> Result<Vec<Turned>, Refusal> {
    let messages = body.get("messages").ok_or_else(|| invalid("messages: Field required"))?;
    let messages = messages.as_array().ok_or_else(|| invalid("messages: Input should be a valid list"))?;
    let mut turned: Vec<Turned> = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        let (role, blocks) = check_message(at, message, version)?;
        match turned.last_mut() {
            Some(last) if last.role == role => last.blocks.extend(blocks),
            _ => turned.push(Turned { role, blocks }),
        }
    }
    match turned.first() {
        None => return Err(invalid("messages: at least one message is required")),
        Some(first) if first.role == Role::Assistant => {
            return Err(invalid("messages: first message must use the \"user\" role"));
        }
        Some(_) => {}
    }
    if turned.last().is_some_and(|last| last.role == Role::Assistant) && facts.prefill == Allowed::No {
        return Err(invalid("messages: the conversation must end with a user message: no prefill"));
    }
    check_calls(&turned)?;
    check_thoughts(&turned, facts, moved)?;
    Ok(turned)
}

fn check_message(at: usize, message: &Value, version: &str) -> Result<(Role, Vec<Value>), Refusal> {
    let role = match message.get("role").and_then(Value::as_str) {
        Some("user") => Role::User,
        Some("assistant") => Role::Assistant,
        _ => return Err(invalid(format!("messages.{at}.role: Input should be 'user' or 'assistant'"))),
    };
    let blocks = match message.get("content") {
        Some(Value::String(text)) => vec![json!({ "type": "text", "text": text })],
        Some(Value::Array(blocks)) => blocks.clone(),
        _ => return Err(invalid(format!("messages.{at}.content: Field required"))),
    };
    if blocks.is_empty() {
        return Err(invalid(format!("messages.{at}: all messages must have non-empty content")));
    }
    let mut results_over = false;
    for (number, block) in blocks.iter().enumerate() {
        let place = format!("messages.{at}.content.{number}");
        check_block(&place, role, block, version)?;
        let is_result = kind(block) == "tool_result";
        if is_result && results_over {
            return Err(invalid(format!("{place}: tool_result blocks must come before other content")));
        }
        results_over |= !is_result;
    }
    Ok((role, blocks))
}

fn check_block(place: &str, role: Role, block: &Value, version: &str) -> Result<(), Refusal> {
    let text_of = |key: &str| block.get(key).and_then(Value::as_str);
    let needs = |key: &str| text_of(key).ok_or_else(|| invalid(format!("{place}.{key}: Field required")));
    match (kind(block), role) {
        ("text", _) => {
            if needs("text")?.is_empty() {
                return Err(invalid(format!("{place}: text content blocks must be non-empty")));
            }
            let has_citations =
                block.get("citations").and_then(Value::as_array).is_some_and(|list| !list.is_empty());
            if has_citations && role == Role::User && version == NEWEST {
                return Err(invalid(format!("{place}.citations: not permitted on user text")));
            }
        }
        ("image" | "document", Role::User) => {}
        ("document", Role::Assistant) if version != NEWEST => {}
        ("tool_use", Role::Assistant) => {
            needs("id")?;
            needs("name")?;
            if !block.get("input").is_some_and(Value::is_object) {
                return Err(invalid(format!("{place}.input: Input should be a valid dictionary")));
            }
        }
        ("tool_result", Role::User) => {
            needs("tool_use_id")?;
            match block.get("content") {
                None | Some(Value::String(_) | Value::Array(_)) => {}
                Some(_) => {
                    return Err(invalid(format!("{place}.content: Input should be a string or a list")));
                }
            }
        }
        ("thinking", Role::Assistant) => {
            needs("thinking")?;
            needs("signature")?;
        }
        ("redacted_thinking", Role::Assistant) => {
            needs("data")?;
        }
        (other, _) => {
            let role = role.name();
            return Err(invalid(format!(
                "{place}.type: \"{other}\" is not expected in a message of role {role}"
            )));
        }
    }
    Ok(())
}

/// Every call has its result in the next message, and every result its call in the one before.
fn check_calls(messages: &[Turned]) -> Result<(), Refusal> {
    let ids = |message: Option<&Turned>, wanted: &str, key: &str| -> Vec<String> {
        let blocks = message.map(|message| message.blocks.as_slice()).unwrap_or_default();
        let wanted = blocks.iter().filter(|block| kind(block) == wanted);
        wanted.filter_map(|block| block.get(key)?.as_str().map(str::to_owned)).collect()
    };
    let mut all = BTreeSet::new();
    for at in 0..=messages.len() {
        let before = at.checked_sub(1).and_then(|before| messages.get(before));
        let calls = ids(before, "tool_use", "id");
        let results = ids(messages.get(at), "tool_result", "tool_use_id");
        if let Some(twice) = calls.iter().find(|id| !all.insert((*id).clone())) {
            return Err(invalid(format!("messages: `tool_use` ids must be unique, found {twice} twice")));
        }
        if let Some(id) = results.iter().find(|id| !calls.contains(id)) {
            return Err(invalid(format!(
                "messages.{at}: unexpected `tool_use_id` found in `tool_result` blocks: {id}. Each `tool_result` \
                 block must have a corresponding `tool_use` block in the previous message."
            )));
        }
        let distinct: BTreeSet<&String> = results.iter().collect();
        if distinct.len() < results.len() {
            return Err(invalid(format!("messages.{at}: each `tool_use` must have a single result")));
        }
        let missing: Vec<&str> =
            calls.iter().filter(|id| !results.contains(id)).map(String::as_str).collect();
        if !missing.is_empty() {
            return Err(invalid(format!(
                "messages.{}: `tool_use` ids were found without `tool_result` blocks immediately after: {}",
                at.saturating_sub(1),
                missing.join(", ")
            )));
        }
    }
    Ok(())
}

/// Thinking comes back as it was sent, and where it was.
fn check_thoughts(messages: &[Turned], facts: &ModelFacts, moved: MovedThoughts) -> Result<(), Refusal> {
    let last_answer = messages.iter().rposition(|message| message.role == Role::Assistant);
    for (at, message) in messages.iter().enumerate() {
        let binding = signature::binding(&messages[..at]);
        for (number, block) in message.blocks.iter().enumerate() {
            if kind(block) == "thinking" && !signature::is_right(block, &binding, facts, moved) {
                return Err(invalid(format!(
                    "messages.{at}.content.{number}: Invalid `signature` in `thinking` block"
                )));
            }
        }
        let thought = message.blocks.iter().any(|block| kind(block).ends_with("thinking"));
        let came_with_thought = message.blocks.iter().any(|block| {
            block.get("id").and_then(Value::as_str).is_some_and(|id| id.starts_with(signature::THOUGHT_CALL))
        });
        if Some(at) == last_answer && came_with_thought && !thought {
            return Err(invalid(format!(
                "messages.{at}.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`"
            )));
        }
    }
    Ok(())
}

pub(super) fn kind(block: &Value) -> &str {
    block.get("type").and_then(Value::as_str).unwrap_or_default()
}
