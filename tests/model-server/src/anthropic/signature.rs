//! Signatures of thinking blocks: they show whether a block came back as it was, and where it was.

use serde_json::Value;

use super::history::{MovedThoughts, Turned};
use super::prompt::without_breakpoint;
use crate::digest::digest;
use crate::facts::ModelFacts;

/// Ids of calls that were made after thinking begin so: the thinking must come back with them.
pub(super) const THOUGHT_CALL: &str = "toolu_t";

/// Ids of calls that were not.
pub(super) const PLAIN_CALL: &str = "toolu_p";

/// What a block that follows these messages is bound to.
pub(super) fn binding(messages: &[Turned]) -> String {
    let mut parts = Vec::new();
    for message in messages {
        parts.push(message.role.name().to_owned());
        parts.extend(message.blocks.iter().map(|block| without_breakpoint(block).to_string()));
    }
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    digest(&parts)
}

/// The signature of a block.
pub(super) fn sign(thinking: &str, binding: &str, facts: &ModelFacts) -> String {
    format!("sig.{}.{}", digest(&[thinking]), digest(&[&facts.id, binding]))
}

/// Whether a block is what was sent; on models that bind blocks, also whether all before it is the same.
pub(super) fn is_right(block: &Value, binding: &str, facts: &ModelFacts, moved: MovedThoughts) -> bool {
    let text = |key: &str| block.get(key).and_then(Value::as_str).unwrap_or_default();
    let (thinking, signature) = (text("thinking"), text("signature"));
    if facts.thinking.binds_blocks() && moved == MovedThoughts::Refused {
        return signature == sign(thinking, binding, facts);
    }
    signature.starts_with(&format!("sig.{}.", digest(&[thinking])))
}
