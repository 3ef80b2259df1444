//! What a model answers, as it comes and as a whole.

use luminos_core::rate::Signals;
use luminos_core::spend::Usage;
use luminos_core::talk::{AssistantBlock, StopReason, ToolCall};
use serde::{Deserialize, Serialize};

/// News from an answer that is still coming.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event<'a> {
    /// The first bytes of the answer are there: what was written to a cache can be read from now on.
    Started,
    /// More text.
    Text(&'a str),
    /// More thinking, where the provider shows it.
    Thinking(&'a str),
    /// The model begins a tool call.
    ToolCall {
        /// The tool.
        name: &'a str,
    },
    /// More of what a tool is called with, as the provider writes it.
    Arguments(&'a str),
}

/// Who is told about an answer while it comes. It must not block.
pub type Listener<'a> = dyn FnMut(Event<'_>) + Send + 'a;

/// A whole answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// What the model said, in its order.
    pub content: Vec<AssistantBlock>,
    /// Why it stopped.
    pub stop: StopReason,
    /// What it used; `None` if the provider did not say.
    pub usage: Option<Usage>,
    /// What is unusual about how this answer came about.
    pub notes: Vec<Note>,
    /// The provider's name for the answer, for asking its support.
    pub request_id: Option<String>,
    /// What the provider said about its limits.
    pub signals: Signals,
}

impl Reply {
    /// All text, in order.
    pub fn text(&self) -> String {
        let texts = self.content.iter().filter_map(|block| match block {
            AssistantBlock::Text(text) => Some(text.as_str()),
            AssistantBlock::ToolCall(_) | AssistantBlock::Opaque(_) => None,
        });
        texts.collect()
    }

    /// The tools it wants called, in order.
    pub fn tool_calls(&self) -> impl Iterator<Item = &ToolCall> {
        self.content.iter().filter_map(|block| match block {
            AssistantBlock::ToolCall(call) => Some(call),
            AssistantBlock::Text(_) | AssistantBlock::Opaque(_) => None,
        })
    }
}

/// What is unusual about how an answer came about. A report shows these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Note {
    /// The server has no tool support: the tools were described in the prompt and the calls read from text.
    ToolsInPrompt,
    /// The server cannot enforce a schema: it was described in the prompt.
    SchemaInPrompt,
    /// The server answered in one piece although a stream was asked for.
    NotStreamed,
}

impl Note {
    /// The note in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::ToolsInPrompt => "the server has no tool support; tools were described in the prompt",
            Self::SchemaInPrompt => {
                "the server cannot enforce the shape of answers; it was described in the prompt"
            }
            Self::NotStreamed => "the server answered in one piece although a stream was asked for",
        }
    }
}
