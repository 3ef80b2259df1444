//! A turn in the words of chat completions, in several dialects.

use serde_json::Value;

use super::whole;
use crate::cache::Account;
use crate::digest::digest;
use crate::event::Event;
use crate::exchange::{Body, Exchange};
use crate::json::{Json, object};
use crate::service::Asked;
use crate::settings::Dialect;
use crate::turn::{Block, Stop, Turn, arguments_value, fragments};

/// The same moment for everything, so that answers can be compared.
pub(super) const CREATED: u64 = 1_790_000_000;

/// The answer, streamed or whole as it was asked for.
pub(crate) fn exchange(asked: &Asked, turn: &Turn, account: Account, dialect: Dialect) -> Exchange {
    let writer = Writer { asked, turn, account, dialect };
    if asked.stream {
        return Exchange { status: 200, headers: Vec::new(), body: Body::Events(writer.events()) };
    }
    whole(&writer.whole())
}

struct Writer<'a> {
    asked: &'a Asked,
    turn: &'a Turn,
    account: Account,
    dialect: Dialect,
}

/// A call with its place among the calls.
struct Call<'a> {
    at: usize,
    id: String,
    name: &'a str,
    arguments: &'a str,
}

impl Writer<'_> {
    fn id(&self) -> String {
        format!("chatcmpl-{}", digest(&["completion", &self.asked.binding]))
    }

    fn calls(&self) -> Vec<Call<'_>> {
        let calls = self.turn.blocks.iter().filter_map(|block| match block {
            Block::Call { id, name, arguments } => Some((id, name, arguments)),
            Block::Text(_) | Block::Thinking(_) => None,
        });
        let calls = calls.enumerate().map(|(at, (id, name, arguments))| {
            let made_up = || format!("call_{}", digest(&["call", &self.asked.binding, &at.to_string()]));
            Call { at, id: id.clone().unwrap_or_else(made_up), name, arguments }
        });
        calls.collect()
    }

    fn finish_reason(&self) -> &'static str {
        match self.turn.stop {
            Stop::Natural if self.turn.has_calls() && self.dialect != Dialect::WholeCalls => "tool_calls",
            Stop::Natural | Stop::StopSequence | Stop::Pause => "stop",
            Stop::MaxTokens | Stop::ContextExceeded => "length",
            Stop::Refusal => "content_filter",
        }
    }

    fn usage(&self) -> Option<Json> {
        let thought = self.turn.blocks.iter().filter(|block| matches!(block, Block::Thinking(_)));
        let thought: u64 = thought.map(Block::tokens).sum();
        let (input, output) = (self.account.total(), self.turn.tokens());
        let counts = [input, output, input + output, self.account.read, thought];
        let [input, output, total, cached, thought] = self.turn.usage.report(counts)?;
        Some(object! {
            "prompt_tokens": input, "completion_tokens": output, "total_tokens": total,
            "prompt_tokens_details": object! { "cached_tokens": cached },
            "completion_tokens_details": object! { "reasoning_tokens": thought },
        })
    }

    fn whole(&self) -> Json {
        let joined = |wanted: fn(&Block) -> Option<&str>| -> Option<String> {
            let parts: Vec<&str> = self.turn.blocks.iter().filter_map(wanted).collect();
            (!parts.is_empty()).then(|| parts.concat())
        };
        let mut message = object! { "role": "assistant", "content": joined(text_of) };
        if let Some(reasoning) = joined(thought_of) {
            message.push("reasoning_content", reasoning);
        }
        let calls: Vec<Json> = self
            .calls()
            .iter()
            .map(|call| {
                let arguments = match self.dialect {
                    Dialect::WholeCalls => arguments_value(call.arguments),
                    Dialect::Plain | Dialect::Repeating | Dialect::EmptyNames | Dialect::Unnumbered => {
                        Value::from(call.arguments)
                    }
                };
                let function = object! { "name": call.name, "arguments": arguments };
                object! { "id": call.id.as_str(), "type": "function", "function": function }
            })
            .collect();
        if !calls.is_empty() {
            message.push("tool_calls", Json::List(calls));
        }
        let choice = object! {
            "index": 0, "message": message, "logprobs": Value::Null, "finish_reason": self.finish_reason(),
        };
        let mut json = object! {
            "id": self.id(), "object": "chat.completion", "created": CREATED, "model": self.asked.facts.id.as_str(),
            "choices": Json::List(vec![choice]),
        };
        if let Some(usage) = self.usage() {
            json.push("usage", usage);
        }
        json
    }

    fn chunk(&self, choices: Vec<Json>) -> Json {
        object! {
            "id": self.id(), "object": "chat.completion.chunk", "created": CREATED,
            "model": self.asked.facts.id.as_str(), "system_fingerprint": "fp_luminos", "choices": Json::List(choices),
        }
    }

    fn delta(&self, delta: Json, finish: Option<&str>) -> Event {
        let mut choice = object! { "index": 0, "delta": delta };
        if finish.is_some() || self.dialect != Dialect::EmptyNames {
            choice.push("finish_reason", finish);
        }
        let mut chunk = self.chunk(vec![choice]);
        if self.asked.include_usage && self.dialect == Dialect::Plain {
            chunk.push("usage", Value::Null);
        }
        Event::unnamed(chunk.text())
    }

    fn events(&self) -> Vec<Event> {
        let first = if self.turn.has_calls() { Value::Null } else { Value::from("") };
        let mut events = vec![self.delta(object! { "role": "assistant", "content": first }, None)];
        for block in &self.turn.blocks {
            if let Some(text) = thought_of(block) {
                let parts = fragments(text).into_iter();
                events.extend(parts.map(|part| self.delta(object! { "reasoning_content": part }, None)));
            }
            if let Some(text) = text_of(block) {
                let parts = fragments(text).into_iter();
                events.extend(parts.map(|part| self.delta(object! { "content": part }, None)));
            }
        }
        for call in self.calls() {
            events.extend(self.call_deltas(&call).into_iter().map(|delta| {
                let delta = object! { "tool_calls": Json::List(vec![delta]) };
                self.delta(delta, None)
            }));
        }
        events.push(self.delta(object! {}, Some(self.finish_reason())));
        events.extend(self.usage_event());
        events.push(Event::unnamed("[DONE]"));
        events
    }

    fn usage_event(&self) -> Option<Event> {
        if !self.asked.include_usage || self.dialect == Dialect::Repeating {
            return None;
        }
        let choices = match self.dialect {
            Dialect::EmptyNames => vec![object! { "index": 0, "delta": object! {} }],
            Dialect::Plain | Dialect::WholeCalls | Dialect::Repeating | Dialect::Unnumbered => Vec::new(),
        };
        let mut chunk = self.chunk(choices);
        chunk.push("usage", self.usage()?);
        Some(Event::unnamed(chunk.text()))
    }

    /// What goes into `tool_calls`, one chunk each.
    fn call_deltas(&self, call: &Call<'_>) -> Vec<Json> {
        let Call { at, id, name, arguments } = call;
        let function = |arguments: Json| object! { "name": *name, "arguments": arguments };
        let only = |arguments: &str| object! { "arguments": arguments };
        let parts = fragments(arguments);
        match self.dialect {
            Dialect::Plain => {
                let start = object! { "index": *at, "id": id.as_str(), "type": "function", "function": function("".into()) };
                let rest = parts.into_iter().map(|part| object! { "index": *at, "function": only(part) });
                [start].into_iter().chain(rest).collect()
            }
            Dialect::WholeCalls => {
                let function = function(arguments_value(arguments).into());
                vec![object! { "index": 0, "id": id.as_str(), "type": "function", "function": function }]
            }
            Dialect::Repeating => {
                let repeat = |part: &str| {
                    object! {
                        "index": *at, "id": id.as_str(), "type": "function", "function": function(part.into()),
                    }
                };
                parts.into_iter().map(repeat).collect()
            }
            Dialect::EmptyNames => {
                let start = object! { "index": *at, "id": id.as_str(), "type": "function", "function": function("".into()) };
                let rest = parts.into_iter().map(|part| object! {
                    "index": *at, "id": "", "type": "function", "function": object! { "name": "", "arguments": part },
                });
                [start].into_iter().chain(rest).collect()
            }
            Dialect::Unnumbered => {
                vec![object! { "type": "function", "function": function((*arguments).into()) }]
            }
        }
    }
}

fn text_of(block: &Block) -> Option<&str> {
    match block {
        Block::Text(text) => Some(text),
        Block::Thinking(_) | Block::Call { .. } => None,
    }
}

fn thought_of(block: &Block) -> Option<&str> {
    match block {
        Block::Thinking(text) => Some(text),
        Block::Text(_) | Block::Call { .. } => None,
    }
}
