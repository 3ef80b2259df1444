//! What a client asked, in no interface's words: what a policy looks at.

use serde_json::Value;

/// A request for the next turn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Conversation {
    /// The model asked.
    pub model: String,
    /// The system prompt, its blocks joined by empty lines.
    pub system: String,
    /// The tools that may be called.
    pub tools: Vec<Tool>,
    /// What was said so far.
    pub messages: Vec<Message>,
    /// The JSON schema that the answer must have.
    pub output: Option<Value>,
}

/// A tool on offer.
#[derive(Debug, Clone, PartialEq)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// The JSON schema of its arguments.
    pub schema: Value,
}

/// One message. Results of tools are the user's words.
#[derive(Debug, Clone, PartialEq)]
pub enum Message {
    /// From the client.
    User(Vec<Said>),
    /// From the model.
    Assistant(Vec<Said>),
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// Words.
    Text(String),
    /// A call of the model.
    Call {
        /// Its id.
        id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        arguments: Value,
    },
    /// What a call gave.
    Result {
        /// The id of the call.
        id: String,
        /// Its text.
        text: String,
    },
}

/// A call with its result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Called<'a> {
    /// The tool.
    pub name: &'a str,
    /// Its arguments.
    pub arguments: &'a Value,
    /// What came back, if it did.
    pub result: Option<&'a str>,
}

impl Conversation {
    /// The schema of a tool on offer.
    pub fn schema(&self, name: &str) -> Option<&Value> {
        self.tools.iter().find(|tool| tool.name == name).map(|tool| &tool.schema)
    }

    /// Whether a tool is on offer.
    pub fn offers(&self, name: &str) -> bool {
        self.schema(name).is_some()
    }

    /// How many turns the model has had.
    pub fn turns(&self) -> usize {
        self.messages.iter().filter(|message| matches!(message, Message::Assistant(_))).count()
    }

    /// All calls so far, in order, with their results.
    pub fn calls(&self) -> Vec<Called<'_>> {
        let said = || {
            self.messages.iter().flat_map(|message| match message {
                Message::User(said) | Message::Assistant(said) => said.iter(),
            })
        };
        let result_of = |wanted: &str| {
            said().find_map(|said| match said {
                Said::Result { id, text } if id == wanted => Some(text.as_str()),
                Said::Result { .. } | Said::Text(_) | Said::Call { .. } => None,
            })
        };
        let calls = said().filter_map(|said| match said {
            Said::Call { id, name, arguments } => Some(Called { name, arguments, result: result_of(id) }),
            Said::Text(_) | Said::Result { .. } => None,
        });
        calls.collect()
    }

    /// Everything that was said to the model, results of tools included, in order.
    pub fn all_words(&self) -> Vec<&str> {
        let said = self.messages.iter().flat_map(|message| match message {
            Message::User(said) => said.as_slice(),
            Message::Assistant(_) => &[],
        });
        let texts = said.filter_map(|said| match said {
            Said::Text(text) | Said::Result { text, .. } => Some(text.as_str()),
            Said::Call { .. } => None,
        });
        texts.collect()
    }

    /// What the user wrote, results apart, in the first message and in the last.
    pub fn first_words(&self) -> String {
        self.messages.first().map(words).unwrap_or_default()
    }

    /// See [`Conversation::first_words`].
    pub fn last_words(&self) -> String {
        self.messages.last().map(words).unwrap_or_default()
    }
}

fn words(message: &Message) -> String {
    let said = match message {
        Message::User(said) => said.as_slice(),
        Message::Assistant(_) => &[],
    };
    let texts = said.iter().filter_map(|said| match said {
        Said::Text(text) => Some(text.as_str()),
        Said::Call { .. } | Said::Result { .. } => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}
