//! Answers that are JSON documents.
//!
//! One way for every question of the kind "answer with this JSON": the schema is handed over in a form that
//! strict modes accept, the document is found wherever the model put it, checked against the whole schema and
//! by the caller, and if it fails, the model is told why and asked once more.
//!
//! **Guarantee**: a value that did not come from a document the model wrote is marked as degraded, with the
//! reason.
//!
//! Not here: retries of calls that failed; the gateway makes them.

mod extract;
mod spec;
mod strict;
#[cfg(test)]
mod tests;

use luminos_core::spend::Usage;
use serde_json::Value;

use crate::error::Error;
use crate::model::Model;
use crate::prompted::schema_in_system;
use crate::reply::{Note, Reply};
use luminos_core::talk::StopReason;
use luminos_core::talk::{Message, Request};

pub use extract::documents;
pub use spec::{BadSchema, JsonSpec};
pub use strict::{drop_absent, make_strict};

/// How much a document matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// A valid document, or an error.
    Strict,
    /// A valid document, or else one that is made from what the model said.
    #[default]
    Lenient,
    /// No document is asked for or looked for: it is always made from what the model said.
    None,
}

/// A value, and how it came about.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer<T> {
    /// The value.
    pub value: T,
    /// Why it was made here and not by the model; `None` if the model's document was good.
    pub degraded: Option<Degraded>,
    /// How many calls it took.
    pub calls: u32,
    /// What the calls used, as far as the provider said.
    pub usage: Usage,
    /// What was unusual about the calls.
    pub notes: Vec<Note>,
    /// What the model said last.
    pub text: String,
}

/// Why a value is not the model's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Degraded {
    /// No document was asked for.
    NotAsked,
    /// What the model said holds no document that passes; these are the problems of the last one.
    Invalid(Vec<String>),
    /// The second call failed, after the first gave no document that passes.
    CallFailed {
        /// The problems of the first answer.
        problems: Vec<String>,
        /// Why the second call failed.
        error: String,
    },
}

impl Degraded {
    /// The reason in words.
    pub fn words(&self) -> String {
        match self {
            Self::NotAsked => "the model was not asked for a document".to_owned(),
            Self::Invalid(problems) => {
                format!("the model gave no usable document, twice: {}", problems.join("; "))
            }
            Self::CallFailed { problems, error } => format!(
                "the model gave no usable document ({}), and asking again failed: {error}",
                problems.join("; ")
            ),
        }
    }
}

/// Why there is no value.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    /// A call failed.
    #[error(transparent)]
    Call(#[from] Error),
    /// The model declined.
    #[error("the model declined to answer{}", category.as_deref().map(|it| format!(" ({it})")).unwrap_or_default())]
    Declined {
        /// What it was about, where the provider says.
        category: Option<String>,
    },
    /// Two answers held no document that passes.
    #[error("the model gave no usable document, twice: {}", problems.join("; "))]
    Invalid {
        /// What is wrong with the last one.
        problems: Vec<String>,
        /// What the model said last.
        text: String,
        /// What the calls used.
        usage: Usage,
    },
}

/// What was heard so far.
#[derive(Default)]
struct Heard {
    calls: u32,
    usage: Usage,
    notes: Vec<Note>,
    text: String,
}

impl Heard {
    fn add(&mut self, reply: &Reply) -> Result<(), Failed> {
        self.calls += 1;
        self.usage = self.usage + reply.usage.unwrap_or_default();
        for &note in &reply.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        self.text = reply.text();
        match &reply.stop {
            StopReason::Refusal { category } => Err(Failed::Declined { category: category.clone() }),
            StopReason::EndTurn
            | StopReason::ToolUse
            | StopReason::MaxOutput
            | StopReason::StopSequence
            | StopReason::Paused
            | StopReason::WindowFull
            | StopReason::Other(_) => Ok(()),
        }
    }

    fn answer<T>(self, value: T, degraded: Option<Degraded>) -> Answer<T> {
        let Self { calls, usage, notes, text } = self;
        Answer { value, degraded, calls, usage, notes, text }
    }
}

/// Asks for a document.
///
/// `read` turns a document that fits the schema into a value, or says what else is wrong with it, in words
/// that the model can use. `make_up` makes a value from what the model said when no document passes. The
/// request's tools are not offered: a document is the only answer wanted.
pub async fn ask_for_document<M: Model, T>(
    model: &M,
    request: &Request,
    spec: &JsonSpec,
    mode: Mode,
    read: impl Fn(Value) -> Result<T, Vec<String>> + Sync,
    make_up: impl FnOnce(&str) -> T + Send,
) -> Result<Answer<T>, Failed> {
    let mut request = Request { tools: Vec::new(), output: None, ..request.clone() };
    let mut heard = Heard::default();
    if mode == Mode::None {
        heard.add(&model.complete(&request).await?)?;
        let value = make_up(&heard.text);
        return Ok(heard.answer(value, Some(Degraded::NotAsked)));
    }
    request.output = Some(spec.output().clone());
    if !spec.is_native()
        && let Some(described) = schema_in_system(&request)
    {
        request = described;
    }

    let first = model.complete(&request).await?;
    heard.add(&first)?;
    let problems = match spec.read(&heard.text, &read) {
        Ok(value) => return Ok(heard.answer(value, None)),
        Err(problems) => with_cut(problems, &first),
    };

    if !first.content.is_empty() {
        request.messages.push(Message::Assistant(first.content));
    }
    request.messages.push(Message::user(correction(&problems, spec)));
    let degraded = match model.complete(&request).await {
        Ok(second) => {
            heard.add(&second)?;
            match spec.read(&heard.text, &read) {
                Ok(value) => return Ok(heard.answer(value, None)),
                Err(problems) => Degraded::Invalid(with_cut(problems, &second)),
            }
        }
        Err(error) if mode == Mode::Strict => return Err(error.into()),
        Err(error) => Degraded::CallFailed { problems, error: error.to_string() },
    };
    match (mode, degraded) {
        (Mode::Strict, Degraded::Invalid(problems)) => {
            Err(Failed::Invalid { problems, text: heard.text, usage: heard.usage })
        }
        (Mode::Strict | Mode::Lenient | Mode::None, degraded) => {
            let value = make_up(&heard.text);
            Ok(heard.answer(value, Some(degraded)))
        }
    }
}

/// An answer that was cut off has that as its first problem: the others follow from it.
fn with_cut(mut problems: Vec<String>, reply: &Reply) -> Vec<String> {
    if reply.stop == StopReason::MaxOutput {
        problems.insert(0, "the answer was cut off because it is too long".to_owned());
    }
    problems
}

/// The schema is told again: a server may have accepted it and not looked at it, and then the model has never
/// seen it.
fn correction(problems: &[String], spec: &JsonSpec) -> String {
    let mut words = "This answer cannot be used:\n".to_owned();
    for problem in problems {
        words.push_str(&format!("- {problem}\n"));
    }
    words.push_str(&format!(
        "Answer again with the whole corrected JSON document and nothing else. This is its JSON schema:\n{}",
        spec.output().schema
    ));
    words
}
