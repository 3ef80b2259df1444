//! What callers hand to the gateway, and what they get back.

use std::sync::Arc;
use std::time::Duration;

use luminos_core::spend::{Charge, Passed, Refusal, Usage};
use luminos_models::{Error, Models, Reply, Request, UsageDoubt};

use super::oversight::Objection;

/// One call.
#[derive(Debug, Clone)]
pub struct Call {
    /// The model, by the name that the gateway knows it by.
    pub model: String,
    /// What it is asked.
    pub request: Request,
    /// What the call is recognised by, should it be made again.
    pub id: Option<CallId>,
    /// Who makes it again if it fails.
    pub retries: Retries,
}

/// Who makes a call again that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Retries {
    /// The gateway, as its table of retries says.
    #[default]
    ByGateway,
    /// The caller, by rules of its own: the gateway tries once.
    ByCaller,
}

impl Call {
    /// A call that is made once.
    pub fn new(model: impl Into<String>, request: Request) -> Self {
        Self { model: model.into(), request, id: None, retries: Retries::ByGateway }
    }

    /// The same, with an id: made again, it attaches to the one that runs, or gets the answer that it got.
    #[must_use]
    pub fn with_id(self, id: CallId) -> Self {
        Self { id: Some(id), ..self }
    }
}

/// What a call is recognised by. Whoever makes calls chooses it; the same id means the same request, and
/// another request under it is refused.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId(pub String);

/// News of a call that is under way.
#[derive(Debug, Clone)]
pub enum News {
    /// The answer begins.
    Started,
    /// More text.
    Text(String),
    /// More thinking, where the provider shows it.
    Thinking(String),
    /// The model begins a tool call.
    ToolCall {
        /// The tool.
        name: String,
    },
    /// The call failed and is tried again: what was heard of its answer is void.
    Retry {
        /// Why it failed.
        because: Arc<Error>,
        /// How long until the next try, at least.
        wait: Duration,
    },
}

/// An answer, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The answer.
    pub reply: Reply,
    /// The usage it was booked at.
    pub usage: Usage,
    /// What was booked for it, its failed tries included.
    pub charged: Charge,
    /// How many tries failed before.
    pub retries: u32,
    /// How many secrets were taken out of the request.
    pub redactions: usize,
    /// What was wrong with what the provider said about usage.
    pub doubt: Option<UsageDoubt>,
    /// Whether the provider reported more usage than was reserved.
    pub exceeded: bool,
    /// The limit that was passed by that.
    pub passed: Option<Passed>,
}

/// Why there is no answer.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CallError {
    /// The gateway has no such model.
    #[error("there is no model `{name}`")]
    NoModel {
        /// The name.
        name: String,
    },
    /// A limit does not allow it.
    #[error("{model} is not asked: {refusal}")]
    Refused {
        /// The model's id, as prices know it.
        model: String,
        /// Which limit, and why.
        refusal: Refusal,
    },
    /// The model failed, and trying again does not help or was tried often enough.
    #[error(transparent)]
    Failed(Arc<Error>),
    /// The id of a call was used before, for something else.
    #[error("the call id `{id}` was used before for another request")]
    IdReused {
        /// The id.
        id: String,
    },
    /// Somebody who oversees calls objects.
    #[error("{stage}: {because}", stage = .stage.words())]
    Vetoed {
        /// When.
        stage: Stage,
        /// Why.
        because: Objection,
    },
    /// The gateway is gone.
    #[error("the gateway to the models has ended")]
    Gone,
}

/// When somebody objected to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Before it was sent. It cost nothing.
    Paying,
    /// When its answer was there. What it cost is booked.
    Answering,
}

impl Stage {
    fn words(self) -> &'static str {
        match self {
            Self::Paying => "the model is not asked",
            Self::Answering => "the answer of the model is withheld",
        }
    }
}

impl CallError {
    /// A way out, where there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Refused { model, refusal: Refusal::UnknownPrice } => {
                Some(format!("drop the money limit, or {}", Models::how_to_price(model)))
            }
            Self::Refused { refusal: Refusal::Money { .. }, .. } => {
                Some("raise the money limit, or allow a shorter answer".to_owned())
            }
            Self::Refused { refusal: Refusal::Tokens { .. }, .. } => {
                Some("raise the limit of tokens, or allow a shorter answer".to_owned())
            }
            Self::Refused { refusal: Refusal::Calls { .. }, .. } => {
                Some("raise the limit of calls".to_owned())
            }
            Self::Refused { refusal: Refusal::Deadline, .. } => Some("raise the time limit".to_owned()),
            Self::Failed(error) => error.hint().map(str::to_owned),
            Self::NoModel { .. } | Self::IdReused { .. } | Self::Vetoed { .. } | Self::Gone => None,
        }
    }
}
