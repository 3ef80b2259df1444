//! Recorded exchanges: what was asked and what came, as one value.
//!
//! Secrets are taken out of the request before it is kept or looked for, so a recording holds none and still
//! answers the request it was made from.

use std::io;

use luminos_core::ContentHash;
use luminos_core::spend::Usage;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::error::{Error, Kind};
use crate::redact::{redact, redact_request};
use crate::reply::{Note, Reply};
use luminos_core::talk::StopReason;
use luminos_core::talk::{AssistantBlock, Request};

/// The format of recordings. Older ones are still read.
pub const EXCHANGE_FORMAT: u32 = 1;

/// One exchange.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// The format.
    pub format: u32,
    /// The model that was asked.
    pub model: String,
    /// What it was asked.
    pub request: Request,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// An answer.
    Reply {
        /// What the model said.
        content: Vec<AssistantBlock>,
        /// Why it stopped.
        stop: StopReason,
        /// What it used.
        usage: Option<Usage>,
        /// What was unusual.
        notes: Vec<Note>,
    },
    /// A failure, in words.
    Failure(String),
}

impl Exchange {
    /// An exchange, without secrets.
    pub fn new(model: &str, request: &Request, result: &Result<Reply, Error>) -> Self {
        let mut request = request.clone();
        redact_request(&mut request);
        let outcome = match result {
            Ok(reply) => Outcome::Reply {
                content: reply.content.iter().map(clean).collect(),
                stop: reply.stop.clone(),
                usage: reply.usage,
                notes: reply.notes.clone(),
            },
            Err(error) => Outcome::Failure(redact(&error.to_string()).text.into_owned()),
        };
        Self { format: EXCHANGE_FORMAT, model: model.to_owned(), request, outcome }
    }

    /// What the request is found by.
    pub fn key(&self) -> ContentHash {
        hash(&canonical(&self.model, &self.request))
    }

    /// The answer again.
    pub(crate) fn replay(&self) -> Result<Reply, Error> {
        match &self.outcome {
            Outcome::Reply { content, stop, usage, notes } => Ok(Reply {
                content: content.clone(),
                stop: stop.clone(),
                usage: *usage,
                notes: notes.clone(),
                request_id: None,
                signals: Default::default(),
            }),
            Outcome::Failure(words) => {
                Err(Error::new(Kind::ServerFailed, "the recorded call").message(words))
            }
        }
    }
}

fn clean(block: &AssistantBlock) -> AssistantBlock {
    let mut block = block.clone();
    let mut change = |text: &mut String| *text = redact(text).text.into_owned();
    match &mut block {
        AssistantBlock::Text(text) => change(text),
        AssistantBlock::ToolCall(call) => call.arguments.each_text(&mut change),
        AssistantBlock::Opaque(_) => {}
    }
    block
}

/// A request in the form that is compared: without secrets, with the keys of all objects in order.
pub(crate) fn canonical(model: &str, request: &Request) -> Value {
    let mut request = request.clone();
    redact_request(&mut request);
    let mut value = serde_json::json!({ "model": model, "request": request });
    value.sort_all_objects();
    value
}

pub(crate) fn hash(canonical: &Value) -> ContentHash {
    ContentHash(Sha256::digest(canonical.to_string()).into())
}

/// What tells one request from another, byte by byte: unlike the key of an exchange, it needs no copy of the
/// request, but the order of the keys in schemas counts.
pub fn fingerprint(model: &str, request: &Request) -> ContentHash {
    struct Hashing(Sha256);

    impl io::Write for Hashing {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.update(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let mut hashing = io::BufWriter::new(Hashing(Sha256::new()));
    // A request has text for all its keys, so that JSON can always be made of it, and hashing cannot fail.
    let _ = serde_json::to_writer(&mut hashing, &(model, request));
    let hashed = hashing.into_inner().map(|Hashing(hasher)| hasher.finalize().into());
    ContentHash(hashed.unwrap_or_default())
}
