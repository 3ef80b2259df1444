//! The stream of an answer, put together.
//!
//! Blocks are kept by their index, since servers may have several open at once. Counts of tokens that come
//! later replace those that came before. Unknown events, blocks and deltas are skipped; a known event that
//! makes no sense fails the turn, because something of the answer would be missing.

mod blocks;

use std::borrow::Cow;

use luminos_core::spend::{Tokens, Usage};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::error::Kind;
use crate::http::{Decoder, Fault, fault_in};
use crate::reply::{Listener, Note, Reply};
use crate::sse::{SseEvent, SseParser};
use blocks::{Blocks, Delta};
use luminos_core::talk::AssistantBlock;
use luminos_core::talk::StopReason;

/// Puts an answer together from its bytes.
#[derive(Debug, Default)]
pub(crate) struct MessageDecoder {
    parser: SseParser,
    message: Message,
}

#[derive(Debug, Default)]
struct Message {
    blocks: Blocks,
    usage: Counts,
    stop: Option<StopReason>,
    notes: Vec<Note>,
    is_complete: bool,
}

#[derive(Deserialize)]
struct WireEvent<'a> {
    #[serde(borrow, rename = "type")]
    kind: Cow<'a, str>,
    index: Option<u64>,
    #[serde(borrow)]
    delta: Option<&'a RawValue>,
    content_block: Option<Value>,
    message: Option<Value>,
    usage: Option<Value>,
}

/// A piece of a block, which is what nearly every event is: read in one go.
#[derive(Deserialize)]
struct DeltaEvent<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    index: u64,
    #[serde(borrow)]
    delta: Delta<'a>,
}

impl Decoder for MessageDecoder {
    fn feed(&mut self, bytes: &[u8], listener: &mut Listener<'_>) -> Result<(), Fault> {
        let message = &mut self.message;
        self.parser.push(bytes, |event| message.event(event, listener))
    }

    fn whole(&mut self, body: &[u8], listener: &mut Listener<'_>) -> Result<(), Fault> {
        let json: Value = serde_json::from_slice(body).map_err(not_understood)?;
        let Some(blocks) = json.get("content").and_then(Value::as_array) else {
            return Err(fault_in(None, &json));
        };
        for (index, block) in (0..).zip(blocks) {
            self.message.blocks.start(index, block.clone(), listener);
        }
        self.message.usage.update(json.get("usage"));
        self.message.stop = stop_reason(&json);
        self.message.notes.push(Note::NotStreamed);
        self.message.is_complete = true;
        Ok(())
    }

    fn is_complete(&self) -> bool {
        self.message.is_complete
    }

    fn finish(self) -> Result<Reply, Fault> {
        let message = self.message;
        if !message.is_complete {
            return Err(Fault::new(Kind::BrokenOff, "the last event is missing"));
        }
        let content = message.blocks.finish();
        let calls_tools = content.iter().any(|block| matches!(block, AssistantBlock::ToolCall(_)));
        let implied = if calls_tools { StopReason::ToolUse } else { StopReason::EndTurn };
        Ok(Reply {
            content,
            stop: message.stop.unwrap_or(implied),
            usage: message.usage.finish(),
            notes: message.notes,
            request_id: None,
            signals: Default::default(),
        })
    }
}

impl Message {
    fn event(&mut self, event: SseEvent<'_>, listener: &mut Listener<'_>) -> Result<(), Fault> {
        // What follows the end may or may not be read, so it must not count.
        if self.is_complete {
            return Ok(());
        }
        if event.name == b"content_block_delta"
            && let Ok(DeltaEvent { kind: "content_block_delta", index, delta }) =
                serde_json::from_slice(event.data)
        {
            self.blocks.delta(index, &delta, listener);
            return Ok(());
        }
        let wire: WireEvent<'_> = match serde_json::from_slice(event.data) {
            Ok(wire) => wire,
            Err(_) if !is_known(event.name) && !event.name.is_empty() => return Ok(()),
            Err(error) => {
                // An error may come in the shape of the other interface, which has no type at its top.
                return match serde_json::from_slice::<Value>(event.data) {
                    Ok(json) if json.get("error").is_some() => Err(fault_in(None, &json)),
                    Ok(_) | Err(_) => Err(not_understood(error)),
                };
            }
        };
        match &*wire.kind {
            "message_start" => {
                self.usage.update(wire.message.as_ref().and_then(|message| message.get("usage")))
            }
            "content_block_start" => {
                if let (Some(index), Some(block)) = (wire.index, wire.content_block) {
                    self.blocks.start(index, block, listener);
                }
            }
            "content_block_delta" => {
                if let (Some(index), Some(delta)) = (wire.index, wire.delta) {
                    let delta: Delta<'_> = serde_json::from_str(delta.get()).map_err(not_understood)?;
                    self.blocks.delta(index, &delta, listener);
                }
            }
            "message_delta" => {
                self.usage.update(wire.usage.as_ref());
                if let Some(delta) = wire.delta {
                    let delta: Value = serde_json::from_str(delta.get()).map_err(not_understood)?;
                    self.stop = stop_reason(&delta).or(self.stop.take());
                }
            }
            "message_stop" => self.is_complete = true,
            "error" => {
                let json: Value = serde_json::from_slice(event.data).map_err(not_understood)?;
                return Err(fault_in(None, &json));
            }
            // Pings, the ends of blocks, and what is newer than this program.
            _ => {}
        }
        Ok(())
    }
}

fn is_known(name: &[u8]) -> bool {
    let known: [&[u8]; 6] = [
        b"message_start",
        b"content_block_start",
        b"content_block_delta",
        b"message_delta",
        b"message_stop",
        b"error",
    ];
    known.contains(&name)
}

fn not_understood(error: serde_json::Error) -> Fault {
    Fault::new(Kind::NotUnderstood, error.to_string())
}

fn stop_reason(json: &Value) -> Option<StopReason> {
    let category = || json.pointer("/stop_details/category").and_then(Value::as_str).map(str::to_owned);
    Some(match json.get("stop_reason")?.as_str()? {
        // One server says so when it stopped at a word.
        "end_turn" if json.get("stop_sequence").is_some_and(Value::is_string) => StopReason::StopSequence,
        "end_turn" => StopReason::EndTurn,
        "tool_use" => StopReason::ToolUse,
        "max_tokens" => StopReason::MaxOutput,
        "stop_sequence" => StopReason::StopSequence,
        "pause_turn" => StopReason::Paused,
        "refusal" => StopReason::Refusal { category: category() },
        "model_context_window_exceeded" => StopReason::WindowFull,
        other => StopReason::Other(other.chars().take(100).collect()),
    })
}

/// Counts of tokens. Later ones replace earlier ones; what is missing keeps its value.
#[derive(Debug, Default)]
struct Counts {
    input: Option<u64>,
    output: Option<u64>,
    cache_write: Option<u64>,
    cache_write_1h: Option<u64>,
    cache_read: Option<u64>,
}

impl Counts {
    fn update(&mut self, usage: Option<&Value>) {
        let Some(usage) = usage else { return };
        let count = |pointer: &str| usage.pointer(pointer).and_then(Value::as_u64);
        for (kept, told) in [
            (&mut self.input, count("/input_tokens")),
            (&mut self.output, count("/output_tokens")),
            (&mut self.cache_write, count("/cache_creation_input_tokens")),
            (&mut self.cache_write_1h, count("/cache_creation/ephemeral_1h_input_tokens")),
            (&mut self.cache_read, count("/cache_read_input_tokens")),
        ] {
            *kept = told.or(*kept);
        }
    }

    /// What was used. All zeros are no report: every answer uses something.
    fn finish(self) -> Option<Usage> {
        let write_1h = self.cache_write_1h.unwrap_or(0);
        let usage = Usage {
            input: Tokens(self.input?),
            cache_write_5m: Tokens(self.cache_write.unwrap_or(0).saturating_sub(write_1h)),
            cache_write_1h: Tokens(write_1h),
            cache_read: Tokens(self.cache_read.unwrap_or(0)),
            output: Tokens(self.output?),
        };
        (usage != Usage::default()).then_some(usage)
    }
}
