//! What a model is asked and what it says, in words that every provider's interface can be made of.
//!
//! Here, because three parts must agree on it without knowing one another: the loops that talk, the gateway that
//! keeps transcripts, the providers that send them.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

mod arguments;

pub use arguments::{Arguments, parse_strictly};

/// The part of an investigation that asks. Each can have its own model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pass {
    /// A first look at the whole.
    Survey,
    /// Who gets how many turns.
    Plan,
    /// One directory.
    Dir,
    /// Verdicts on what a directory's loop said.
    Judge,
    /// The report as a whole.
    Synthesis,
    /// The task planner.
    Tasks,
    /// The evolution planner.
    Evolution,
    /// A question typed by a person.
    Ask,
}

impl Pass {
    /// Its name, as in the setting `models.survey`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Survey => "survey",
            Self::Plan => "plan",
            Self::Dir => "dir",
            Self::Judge => "judge",
            Self::Synthesis => "synthesis",
            Self::Tasks => "tasks",
            Self::Evolution => "evolution",
            Self::Ask => "ask",
        }
    }
}

/// One call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Who asks.
    pub pass: Pass,
    /// Instructions, most stable first: their beginning is what caches remember.
    pub system: Vec<String>,
    /// The conversation. It begins and ends with a user's message.
    pub messages: Vec<Message>,
    /// What the model may call.
    pub tools: Vec<ToolSpec>,
    /// The shape that the answer must have, for providers that can enforce one.
    pub output: Option<OutputSchema>,
    /// How long the answer may be, in tokens.
    pub max_output: u32,
    /// Words at which the model stops; they are not part of its answer. Providers take four.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stop_sequences: Vec<String>,
}

impl Request {
    /// A single question without tools.
    pub fn question(pass: Pass, question: impl Into<String>, max_output: u32) -> Self {
        Self {
            pass,
            system: Vec::new(),
            messages: vec![Message::user(question)],
            tools: Vec::new(),
            output: None,
            max_output,
            stop_sequences: Vec::new(),
        }
    }
}

/// One turn of the conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Message {
    /// What the model is told.
    User(Vec<UserBlock>),
    /// What the model said, in its own order.
    Assistant(Vec<AssistantBlock>),
}

impl Message {
    /// A user's message of text alone.
    pub fn user(text: impl Into<String>) -> Self {
        Self::User(vec![UserBlock::Text(text.into())])
    }
}

/// A piece of what the model is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UserBlock {
    /// Text.
    Text(String),
    /// What came of a tool call.
    ToolResult(ToolResult),
}

/// A piece of what the model said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AssistantBlock {
    /// Text.
    Text(String),
    /// The wish to have a tool called.
    ToolCall(ToolCall),
    /// Something of the provider's own, such as thinking. It goes back as it came, and only to the provider
    /// it came from.
    Opaque(OpaqueBlock),
}

/// The wish to have a tool called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// What the result refers to. Never empty.
    pub id: String,
    /// The tool.
    pub name: String,
    /// What it is given.
    pub arguments: Arguments,
}

/// What came of a tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolResult {
    /// The call it answers.
    pub call_id: String,
    /// What the model gets to read.
    pub text: String,
    /// Whether the tool failed.
    pub failed: bool,
}

/// Something of the provider's own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OpaqueBlock {
    /// Whose it is.
    pub provider: Provider,
    /// The block, as it came.
    pub json: Value,
}

/// Whose blocks a conversation may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provider {
    /// The Messages API.
    Anthropic,
    /// Chat completions, as many servers offer them.
    OpenAi,
}

/// A tool, as the model sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// Its name.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// The JSON schema of its arguments: an object.
    pub schema: Map<String, Value>,
}

/// The shape of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OutputSchema {
    /// A name made of letters, digits, `_` and `-`.
    pub name: String,
    /// A JSON schema that a strict mode accepts; see `structured`.
    pub schema: Value,
}

/// Why an answer ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The model had said what it wanted.
    EndTurn,
    /// It waits for tool results.
    ToolUse,
    /// It reached the longest answer that was allowed.
    MaxOutput,
    /// It reached a word at which it was to stop.
    StopSequence,
    /// The provider paused a long turn: send the content back unchanged to go on.
    Paused,
    /// It, or the provider, declined. Asking the same again is pointless.
    Refusal {
        /// What the provider says it was about.
        category: Option<String>,
    },
    /// The context window was full.
    WindowFull,
    /// Something newer than this program.
    Other(String),
}
