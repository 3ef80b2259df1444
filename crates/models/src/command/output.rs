//! What a program printed, as an answer. Lines and fields that are not known are skipped.

use luminos_core::spend::{Tokens, Usage};
use serde_json::Value;

use super::program::{self, inert};
use super::{CommandSettings, Prints};
use crate::error::{Error, Kind};
use crate::reply::Reply;
use luminos_core::talk::AssistantBlock;
use luminos_core::talk::StopReason;

pub(super) fn read(settings: &CommandSettings, printed: &[u8]) -> Result<Reply, Error> {
    let (text, usage) =
        read_text(settings.template.prints, printed).map_err(|reason| failed(settings, reason))?;
    if text.is_empty() {
        return Err(failed(settings, "it printed no answer".to_owned()));
    }
    Ok(Reply {
        content: vec![AssistantBlock::Text(text)],
        stop: StopReason::EndTurn,
        usage,
        notes: Vec::new(),
        request_id: None,
        signals: Default::default(),
    })
}

fn read_text(prints: Prints, printed: &[u8]) -> Read {
    let printed = String::from_utf8_lossy(printed);
    match prints {
        Prints::Text => Ok((printed.trim().to_owned(), None)),
        Prints::CodexEvents => codex(&printed),
        Prints::ClaudeEvents => claude(&printed),
    }
}

/// Why a program that failed says that it did, if it says so where its answer would be.
pub(super) fn reason(prints: Prints, printed: &[u8]) -> Option<String> {
    match (prints, read_text(prints, printed)) {
        (_, Err(reason)) => Some(reason).filter(|reason| !reason.is_empty()),
        // It has no other form for it.
        (Prints::Text, Ok((text, _))) => Some(inert(&text)).filter(|text| !text.is_empty()),
        // What is no event was said before there were any, or in their stead.
        (Prints::CodexEvents | Prints::ClaudeEvents, Ok(_)) => {
            let printed = String::from_utf8_lossy(printed);
            let words = printed.lines().filter(|line| serde_json::from_str::<Value>(line).is_err());
            Some(inert(&words.collect::<Vec<_>>().join("\n"))).filter(|words| !words.is_empty())
        }
    }
}

/// Words of programs that do not know who their user is.
const LOGGED_OUT: [&str; 5] =
    ["not logged in", "please run /login", "codex login", "401 unauthorized", "invalid authentication"];

/// An error with a reason that the program gave.
pub(super) fn failed(settings: &CommandSettings, reason: String) -> Error {
    let lower = reason.to_lowercase();
    let is_logged_out = LOGGED_OUT.iter().any(|words| lower.contains(words));
    let kind = if is_logged_out { Kind::ProgramLoggedOut } else { Kind::ProgramFailed };
    program::error(settings, kind).message(reason)
}

type Read = Result<(String, Option<Usage>), String>;

fn events(printed: &str) -> impl Iterator<Item = Value> {
    printed.lines().filter_map(|line| serde_json::from_str(line).ok())
}

/// The text at a place of an event; empty if there is none.
pub(super) fn text<'a>(event: &'a Value, pointer: &str) -> &'a str {
    event.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

fn codex(printed: &str) -> Read {
    let mut messages = Vec::new();
    let mut usage = None;
    let mut complaints: Vec<String> = Vec::new();
    let mut has_failed = false;
    for event in events(printed) {
        match text(&event, "/type") {
            "item.completed" if text(&event, "/item/type") == "agent_message" => {
                messages.push(text(&event, "/item/text").to_owned());
            }
            "turn.completed" => usage = codex_usage(&event).or(usage),
            kind @ ("turn.failed" | "error") => {
                has_failed |= kind == "turn.failed";
                let said = [text(&event, "/error/message"), text(&event, "/message")];
                let said = said.into_iter().find(|said| !said.is_empty()).unwrap_or_default();
                if !complaints.iter().any(|known| known == said) {
                    complaints.push(said.to_owned());
                }
            }
            _ => {}
        }
    }
    if has_failed || messages.is_empty() && !complaints.is_empty() {
        return Err(inert(&complaints.join("; ")));
    }
    // A version that prints no events is taken at its word.
    let has_events = events(printed).next().is_some();
    let answer = if has_events { messages.join("\n\n") } else { printed.trim().to_owned() };
    Ok((answer, usage))
}

fn codex_usage(event: &Value) -> Option<Usage> {
    let count = |pointer: &str| event.pointer(pointer).and_then(Value::as_u64);
    let (input, cached) = (count("/usage/input_tokens")?, count("/usage/cached_input_tokens").unwrap_or(0));
    Some(Usage {
        input: Tokens(input.saturating_sub(cached)),
        cache_read: Tokens(cached),
        output: Tokens(count("/usage/output_tokens")?),
        ..Usage::default()
    })
}

fn claude(printed: &str) -> Read {
    let mut said = Vec::new();
    let mut result = None;
    for event in events(printed) {
        match text(&event, "/type") {
            "assistant" => {
                let blocks = event.pointer("/message/content").and_then(Value::as_array);
                let texts = blocks.into_iter().flatten().filter(|block| text(block, "/type") == "text");
                said.extend(texts.map(|block| text(block, "/text").to_owned()));
            }
            "result" => result = Some(event),
            _ => {}
        }
    }
    let Some(result) = result else { return Ok((said.join("\n\n"), None)) };
    let answer = text(&result, "/result");
    if result.get("is_error").and_then(Value::as_bool).unwrap_or(false) {
        let why = if answer.is_empty() { text(&result, "/subtype") } else { answer };
        return Err(inert(why));
    }
    let said = said.join("\n\n");
    let answer = match result.get("structured_output") {
        // The result is the last of several messages; whoever listened heard them all.
        Some(Value::Null) | None if said.ends_with(answer) => said,
        Some(Value::Null) | None => answer.to_owned(),
        Some(document) => document.to_string(),
    };
    Ok((answer, claude_usage(&result)))
}

fn claude_usage(result: &Value) -> Option<Usage> {
    let count = |name: &str| result.pointer(&format!("/usage/{name}")).and_then(Value::as_u64);
    Some(Usage {
        input: Tokens(count("input_tokens")?),
        cache_write_5m: Tokens(count("cache_creation_input_tokens").unwrap_or(0)),
        cache_read: Tokens(count("cache_read_input_tokens").unwrap_or(0)),
        output: Tokens(count("output_tokens")?),
        ..Usage::default()
    })
}
