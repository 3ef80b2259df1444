//! Models behind one trait.
//!
//! A `Request` goes in, `Event`s come while the answer does, a `Reply` comes out; every provider speaks its
//! own interface behind that. What a model or a server says is data: unknown parts are skipped, broken ones
//! become errors with a kind, and nothing is guessed.
//!
//! Not here: who may call when and for how much (`luminos-core` has the rules, the engine enforces them),
//! where recordings are kept, and what the tools do.

mod aftermath;
mod anthropic;
mod charge;
mod command;
mod connect;
mod decode;
mod error;
mod estimate;
mod exchange;
mod http;
mod json_api;
mod keys;
mod model;
mod openai;
mod prices;
mod prompted;
mod record;
#[cfg(test)]
mod recordings;
mod redact;
mod replay;
mod reply;
mod scripted;
mod secret;
mod served;
mod sse;
mod structured;

pub use aftermath::{Sent, Settlement, next_try, rate_end};
pub use anthropic::{Anthropic, AnthropicSettings, Effort, SchemaSupport};
pub use charge::{Booked, UsageDoubt};
pub use command::{
    Apart, Command, CommandSettings, Launcher, OwnHome, OwnPlace, PROGRAM_VARIABLES, Prints, Protection,
    Template, find_program,
};
pub use connect::{CannotConnect, ConnectSettings, ModelName, NotAModel, Service, connect, model_variables};
pub use decode::{Dialect, decode_stream};
pub use error::{Error, Kind, backoff};
pub use estimate::{estimate_input, estimate_text};
pub use exchange::{EXCHANGE_FORMAT, Exchange, Outcome, fingerprint};
pub use http::{HttpClient, MAX_BODY_BYTES, Network, TimeOuts, server_host};
pub use json_api::JsonApi;
pub use keys::{BadKey, KeySource, find_key, read_key};
pub use luminos_core::talk::{
    Arguments, AssistantBlock, Message, OpaqueBlock, OutputSchema, Pass, Provider, Request, StopReason,
    ToolCall, ToolResult, ToolSpec, UserBlock,
};
pub use model::{AnyModel, Model};
pub use openai::{MaxOutputName, OpenAi, OpenAiSettings, ollama_base_url};
pub use prices::{BadModels, LongPrompt, ModelFacts, Models, Price};
pub use record::{Record, Sink};
pub use redact::{Redacted, redact, redact_request};
pub use replay::{Replay, first_difference};
pub use reply::{Event, Listener, Note, Reply};
pub use scripted::{Line, Scripted};
pub use secret::Secret;
pub use served::ServedModel;
pub use sse::{EventTooLarge, MAX_EVENT_BYTES, SseEvent, SseParser};
pub use structured::{
    Answer, BadSchema, Degraded, Failed, JsonSpec, Mode, ask_for_document, documents, drop_absent,
    make_strict,
};
