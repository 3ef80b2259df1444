//! A model server for tests: it speaks both model interfaces over real connections on loopback, checks
//! requests as strictly as the services do, misbehaves on script, and can play a whole investigation.
//!
//! ```no_run
//! use luminos_model_server::{Answer, Cut, ModelServer, Policy, Refusal, Script, WireFault};
//!
//! # async fn example() -> std::io::Result<()> {
//! let script = Script::new()
//!     .times(3, Refusal::Overloaded)
//!     .then(Answer::policy().with(WireFault::Reset(Cut::AfterEvents(4))))
//!     .otherwise(Policy::default());
//! let server = ModelServer::start(script).await?;
//! // … point a client at server.url() …
//! assert_eq!(server.counters().invalid, 0);
//! # Ok(()) }
//! ```
//!
//! From a request to bytes: `service` checks it (`anthropic`, `openai`) and asks the [`Script`], which may
//! leave it to the [`Policy`]; the [`Turn`] that comes out becomes events, the [`Fault`]s are laid over it, and
//! what is left is a list of [`Step`]s that `connection` carries out. All but the last is free of I/O.
//!
//! **Tokens** are four bytes each, so that tests can compute them. **Time** is tokio's: under a paused clock,
//! latencies, limits and the cache follow it.
//!
//! Not here: TLS, HTTP/2, batches, and anything that is true of a real model.

mod anthropic;
mod cache;
mod connection;
mod conversation;
mod digest;
mod event;
mod event_faults;
mod exchange;
mod facts;
mod fault;
mod gate;
mod gzip;
mod http;
mod json;
mod limits;
mod openai;
mod policy;
mod record;
mod refusal;
mod schema;
mod script;
mod server;
mod service;
mod settings;
mod step;
mod turn;
mod turn_faults;

pub use conversation::{Called, Conversation, Message, Said, Tool};
pub use event::LineEnd;
pub use exchange::Framing;
pub use facts::{Allowed, ModelFacts, ThinkingRule};
pub use fault::{ByteFault, Cut, EventFault, Fault, Lasts, TurnFault, WireFault};
pub use gate::Gate;
pub use http::Request;
pub use limits::Limits;
pub use policy::{Honesty, Manner, Obedience, Policy, Submits};
pub use record::{Counters, Outcome, Received};
pub use refusal::{Refusal, RetryAfter};
pub use script::{Answer, Matcher, Script};
pub use server::ModelServer;
pub use settings::{Dialect, Keys, Settings, ToolSupport};
pub use step::{Step, bytes_of, split_at, split_every};
pub use turn::{Block, Stop, Turn, Usage, tokens};
