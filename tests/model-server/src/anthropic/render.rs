//! A turn in the words of the messages interface.

use serde_json::Value;

use super::signature::{PLAIN_CALL, THOUGHT_CALL, sign};
use super::whole;
use crate::cache::Account;
use crate::digest::digest;
use crate::event::Event;
use crate::exchange::{Body, Exchange};
use crate::json::{Json, object};
use crate::service::Asked;
use crate::turn::{Block, Stop, Turn, Usage, arguments_value, fragments};

/// The answer, streamed or whole as it was asked for.
pub(crate) fn exchange(asked: &Asked, turn: &Turn, account: Account) -> Exchange {
    if asked.stream {
        return Exchange {
            status: 200,
            headers: Vec::new(),
            body: Body::Events(events(asked, turn, account)),
        };
    }
    let blocks = turn.blocks.iter().enumerate().map(|(at, block)| whole_block(asked, turn, at, block));
    let mut message = object! {
        "id": message_id(asked), "type": "message", "role": "assistant", "model": asked.facts.id.as_str(),
        "content": Json::List(blocks.collect()), "stop_reason": stop_reason(turn), "stop_sequence": Value::Null,
    };
    if let Some(usage) = usage(account, turn.tokens(), turn.usage) {
        message.push("usage", usage);
    }
    whole(&message)
}

fn message_id(asked: &Asked) -> String {
    format!("msg_{}", digest(&["message", &asked.binding]))
}

fn stop_reason(turn: &Turn) -> &'static str {
    match turn.stop {
        Stop::Natural if turn.has_calls() => "tool_use",
        Stop::Natural => "end_turn",
        Stop::MaxTokens => "max_tokens",
        Stop::StopSequence => "stop_sequence",
        Stop::Refusal => "refusal",
        Stop::Pause => "pause_turn",
        Stop::ContextExceeded => "model_context_window_exceeded",
    }
}

fn call_id(asked: &Asked, turn: &Turn, at: usize, id: Option<&String>) -> String {
    let thought = turn.blocks.iter().any(|block| matches!(block, Block::Thinking(_)));
    let begin = if thought { THOUGHT_CALL } else { PLAIN_CALL };
    id.cloned().unwrap_or_else(|| format!("{begin}{}", digest(&["call", &asked.binding, &at.to_string()])))
}

fn whole_block(asked: &Asked, turn: &Turn, at: usize, block: &Block) -> Json {
    match block {
        Block::Text(text) => object! { "type": "text", "text": text.as_str() },
        Block::Thinking(text) => {
            let signature = sign(text, &asked.binding, &asked.facts);
            object! { "type": "thinking", "thinking": text.as_str(), "signature": signature }
        }
        Block::Call { id, name, arguments } => object! {
            "type": "tool_use", "id": call_id(asked, turn, at, id.as_ref()), "name": name.as_str(),
            "input": arguments_value(arguments),
        },
    }
}

/// What the turn cost, or what is claimed; `None` where nothing is said.
fn usage(account: Account, output: u64, claim: Usage) -> Option<Json> {
    let counts =
        [account.fresh, account.written(), account.read, account.written_5m, account.written_1h, output];
    let [fresh, written, read, short, long, output] = claim.report(counts)?;
    Some(object! {
        "input_tokens": fresh, "cache_creation_input_tokens": written, "cache_read_input_tokens": read,
        "cache_creation": object! { "ephemeral_5m_input_tokens": short, "ephemeral_1h_input_tokens": long },
        "output_tokens": output, "service_tier": "standard",
    })
}

fn events(asked: &Asked, turn: &Turn, account: Account) -> Vec<Event> {
    let mut message = object! {
        "id": message_id(asked), "type": "message", "role": "assistant", "model": asked.facts.id.as_str(),
        "content": Json::List(vec![]), "stop_reason": Value::Null, "stop_sequence": Value::Null,
    };
    let claim = if turn.usage == Usage::OnlyAtEnd { Usage::Zero } else { turn.usage };
    if let Some(usage) = usage(account, 1, claim) {
        message.push("usage", usage);
    }
    let mut events = vec![event("message_start", &object! { "type": "message_start", "message": message })];
    for (at, block) in turn.blocks.iter().enumerate() {
        events.extend(block_events(asked, turn, at, block));
        if at == 0 {
            events.insert(2, event("ping", &object! { "type": "ping" }));
        }
    }
    let delta = object! { "stop_reason": stop_reason(turn), "stop_sequence": Value::Null };
    let mut last = object! { "type": "message_delta", "delta": delta };
    let counts = [account.fresh, account.written(), account.read, turn.tokens()];
    if let Some([fresh, written, read, output]) = turn.usage.report(counts) {
        last.push(
            "usage",
            object! {
                "input_tokens": fresh, "cache_creation_input_tokens": written, "cache_read_input_tokens": read,
                "output_tokens": output,
            },
        );
    }
    events.push(event("message_delta", &last));
    events.push(event("message_stop", &object! { "type": "message_stop" }));
    events
}

fn block_events(asked: &Asked, turn: &Turn, at: usize, block: &Block) -> Vec<Event> {
    let (start, deltas): (Json, Vec<Json>) = match block {
        Block::Text(text) => {
            let deltas =
                fragments(text).into_iter().map(|part| object! { "type": "text_delta", "text": part });
            (object! { "type": "text", "text": "" }, deltas.collect())
        }
        Block::Thinking(text) => {
            let deltas = fragments(text)
                .into_iter()
                .map(|part| object! { "type": "thinking_delta", "thinking": part });
            let signature = sign(text, &asked.binding, &asked.facts);
            let signature = object! { "type": "signature_delta", "signature": signature };
            let start = object! { "type": "thinking", "thinking": "", "signature": "" };
            (start, deltas.chain([signature]).collect())
        }
        Block::Call { id, name, arguments } => {
            let id = call_id(asked, turn, at, id.as_ref());
            let input = Value::Object(serde_json::Map::new());
            let start = object! { "type": "tool_use", "id": id, "name": name.as_str(), "input": input };
            // The first fragment is always empty.
            let parts = [""].into_iter().chain(fragments(arguments));
            let deltas = parts.map(|part| object! { "type": "input_json_delta", "partial_json": part });
            (start, deltas.collect())
        }
    };
    let start = object! { "type": "content_block_start", "index": at, "content_block": start };
    let deltas = deltas.into_iter().map(|delta| {
        let delta = object! { "type": "content_block_delta", "index": at, "delta": delta };
        event("content_block_delta", &delta)
    });
    let stop = object! { "type": "content_block_stop", "index": at };
    let start = event("content_block_start", &start);
    [start].into_iter().chain(deltas).chain([event("content_block_stop", &stop)]).collect()
}

fn event(name: &str, data: &Json) -> Event {
    Event::named(name, data.text())
}
