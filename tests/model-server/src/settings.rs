//! What kind of service the server is.

use crate::facts::{self, ModelFacts};
use crate::limits::Limits;

/// What kind of service the server is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The models of the messages interface.
    pub messages_models: Vec<ModelFacts>,
    /// The models of chat completions.
    pub chat_models: Vec<ModelFacts>,
    /// Which keys are right.
    pub keys: Keys,
    /// What chat completions do with tools.
    pub tools: ToolSupport,
    /// How chat completions look.
    pub dialect: Dialect,
    /// How much may be asked in a minute.
    pub limits: Limits,
    /// The port; 0 for any that is free.
    pub port: u16,
}

/// Which keys are right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keys {
    /// Messages need some key, chat completions need none, as on a local server.
    Any,
    /// Both interfaces need this one.
    Only(String),
}

/// What chat completions do with tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolSupport {
    /// They are called.
    Native,
    /// A request with tools is refused.
    Refused,
    /// They are passed over in silence, as by a server whose template has no place for them.
    Ignored,
}

/// How the chunks of chat completions look: servers differ, and clients must live with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// As documented.
    Plain,
    /// Every call has index 0, arrives whole with its arguments as an object, and the turn ends with `stop`.
    WholeCalls,
    /// Every fragment repeats id, name and type, absent fields are null, and there is never a usage chunk.
    Repeating,
    /// Later fragments have empty ids and names, no finish reason until the end, usage rides on a chunk with a
    /// choice.
    EmptyNames,
    /// Calls have no index and no id.
    Unnumbered,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            messages_models: facts::anthropic_models(),
            chat_models: facts::openai_models(),
            keys: Keys::Any,
            tools: ToolSupport::Native,
            dialect: Dialect::Plain,
            limits: Limits::generous(),
            port: 0,
        }
    }
}
