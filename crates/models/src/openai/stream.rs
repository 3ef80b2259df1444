//! The stream of an answer, put together.
//!
//! An answer is complete if the server gave a reason for its end or said that it is done; the tool calls that
//! came decide whether tools are wanted, not the reason, which servers get wrong.

mod calls;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use luminos_core::spend::{Tokens, Usage};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::Kind;
use crate::http::{Decoder, Fault, fault_in};
use crate::reply::{Event, Listener, Note, Reply};
use crate::sse::SseParser;
use calls::{CallPart, Calls};
use luminos_core::talk::StopReason;
use luminos_core::talk::{AssistantBlock, OpaqueBlock, Provider};

/// Puts an answer together from its bytes.
#[derive(Debug)]
pub(crate) struct ChatDecoder {
    parser: SseParser,
    answer: Answer,
}

#[derive(Debug)]
struct Answer {
    text: String,
    reasoning: String,
    calls: Calls,
    usage: Option<Usage>,
    finish: Option<String>,
    is_done: bool,
    notes: Vec<Note>,
    calls_before: usize,
}

#[derive(Deserialize)]
struct Chunk<'a> {
    #[serde(borrow, default)]
    choices: Option<Vec<Choice<'a>>>,
    #[serde(default)]
    usage: Option<Value>,
    #[serde(borrow, default)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Choice<'a> {
    #[serde(default)]
    index: Option<u64>,
    #[serde(borrow, default, alias = "message")]
    delta: Option<Delta<'a>>,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Delta<'a> {
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    refusal: Option<&'a RawValue>,
    #[serde(borrow, default)]
    reasoning_content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    reasoning: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tool_calls: Option<Vec<CallPart<'a>>>,
}

impl ChatDecoder {
    /// A decoder. `calls_before` are in the conversation already: calls without an id are numbered from there.
    pub(crate) fn new(calls_before: usize) -> Self {
        let answer = Answer {
            text: String::new(),
            reasoning: String::new(),
            calls: Calls::default(),
            usage: None,
            finish: None,
            is_done: false,
            notes: Vec::new(),
            calls_before,
        };
        Self { parser: SseParser::new(), answer }
    }
}

impl Decoder for ChatDecoder {
    fn feed(&mut self, bytes: &[u8], listener: &mut Listener<'_>) -> Result<(), Fault> {
        let answer = &mut self.answer;
        self.parser.push(bytes, |event| {
            // What follows the end may or may not be read, so it must not count.
            answer.is_done |= event.data == b"[DONE]";
            if answer.is_done {
                return Ok(());
            }
            answer.chunk(event.data, listener)
        })
    }

    fn whole(&mut self, body: &[u8], listener: &mut Listener<'_>) -> Result<(), Fault> {
        self.answer.notes.push(Note::NotStreamed);
        self.answer.chunk(body, listener)
    }

    fn is_complete(&self) -> bool {
        self.answer.is_done
    }

    fn finish(self) -> Result<Reply, Fault> {
        let answer = self.answer;
        if !answer.is_done && answer.finish.is_none() {
            return Err(Fault::new(Kind::BrokenOff, "the last event is missing"));
        }
        let mut content = Vec::new();
        if !answer.reasoning.is_empty() {
            let json = serde_json::json!({ "reasoning_content": answer.reasoning });
            content.push(AssistantBlock::Opaque(OpaqueBlock { provider: Provider::OpenAi, json }));
        }
        if !answer.text.is_empty() {
            content.push(AssistantBlock::Text(answer.text));
        }
        let calls = answer.calls.finish(answer.calls_before);
        let stop = stop_reason(answer.finish, !calls.is_empty());
        content.extend(calls.into_iter().map(AssistantBlock::ToolCall));
        let usage = answer.usage;
        Ok(Reply { content, stop, usage, notes: answer.notes, request_id: None, signals: Default::default() })
    }
}

impl Answer {
    fn chunk(&mut self, data: &[u8], listener: &mut Listener<'_>) -> Result<(), Fault> {
        let chunk: Chunk<'_> = serde_json::from_slice(data).map_err(not_understood)?;
        if chunk.error.is_some() {
            let json: Value = serde_json::from_slice(data).map_err(not_understood)?;
            return Err(fault_in(None, &json));
        }
        // A total of zero is a placeholder that some servers send with every chunk.
        self.usage = chunk.usage.as_ref().and_then(usage).or(self.usage);
        let first_choice =
            chunk.choices.into_iter().flatten().find(|choice| choice.index.is_none_or(|index| index == 0));
        let Some(choice) = first_choice else { return Ok(()) };
        if let Some(finish) = choice.finish_reason.filter(|reason| !reason.is_empty()) {
            self.finish = Some(finish);
        }
        let Some(delta) = choice.delta else { return Ok(()) };
        for reasoning in [delta.reasoning_content, delta.reasoning].into_iter().flatten().take(1) {
            let more = text_of(reasoning);
            self.reasoning.push_str(&more);
            if !more.is_empty() {
                listener(Event::Thinking(&more));
            }
        }
        for text in [delta.content, delta.refusal].into_iter().flatten() {
            let more = text_of(text);
            self.text.push_str(&more);
            if !more.is_empty() {
                listener(Event::Text(&more));
            }
        }
        for part in delta.tool_calls.into_iter().flatten() {
            self.calls.add(part, listener);
        }
        Ok(())
    }
}

/// The text that a field holds: a string, or a list of parts that hold strings.
fn text_of(raw: &RawValue) -> Cow<'_, str> {
    if let Some(plain) = calls::string_of(raw) {
        return plain;
    }
    match serde_json::from_str(raw.get()) {
        Ok(Value::Array(parts)) => {
            let texts = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str));
            Cow::Owned(texts.collect())
        }
        Ok(_) | Err(_) => Cow::Borrowed(""),
    }
}

fn not_understood(error: serde_json::Error) -> Fault {
    Fault::new(Kind::NotUnderstood, error.to_string())
}

fn usage(usage: &Value) -> Option<Usage> {
    let count = |pointer: &str| usage.pointer(pointer).and_then(Value::as_u64);
    let (prompt, output) = (count("/prompt_tokens")?, count("/completion_tokens").unwrap_or(0));
    let cached = count("/prompt_tokens_details/cached_tokens").unwrap_or(0).min(prompt);
    let usage = Usage {
        input: Tokens(prompt - cached),
        cache_read: Tokens(cached),
        output: Tokens(output),
        ..Usage::default()
    };
    (usage != Usage::default()).then_some(usage)
}

fn stop_reason(finish: Option<String>, calls_tools: bool) -> StopReason {
    match finish.as_deref() {
        Some("length") => StopReason::MaxOutput,
        Some("content_filter") => StopReason::Refusal { category: Some("content_filter".to_owned()) },
        _ if calls_tools => StopReason::ToolUse,
        Some("stop" | "tool_calls" | "function_call") | None => StopReason::EndTurn,
        Some(other) => StopReason::Other(other.chars().take(100).collect()),
    }
}
