//! Why a call failed, and whether trying again can help.
//!
//! An error is a kind, which decides, and details, which explain. The table of retries is in `retry`.
//! No error holds a key: what a server says is cut short, made inert and searched for keys first.

mod retry;
#[cfg(test)]
mod tests;

use std::error::Error as StdError;
use std::fmt;
use std::time::Duration;

use luminos_core::rate::Signals;

pub use retry::backoff;

/// What kind of failure it is. One kind for each thing that somebody can do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// No connection.
    Unreachable,
    /// No connection in time.
    ConnectTimeout,
    /// Nothing came for too long.
    IdleTimeout,
    /// The answer took too long as a whole.
    TotalTimeout,
    /// The answer ended before its end.
    BrokenOff,
    /// The answer makes no sense.
    NotUnderstood,
    /// The answer is larger than any answer should be.
    AnswerTooLarge,
    /// Too many calls, or too many tokens, for now.
    RateLimited,
    /// The provider has too much to do.
    Overloaded,
    /// The provider failed.
    ServerFailed,
    /// The key is missing, wrong or revoked.
    KeyRefused,
    /// The key may not do this.
    Forbidden,
    /// Nobody pays.
    PaymentRequired,
    /// The spend limit that the user set at the provider is reached.
    SpendLimitReached,
    /// The model, or the address, does not exist.
    NotFound,
    /// The conversation does not fit into the model's window.
    ContextTooLong,
    /// The request has too many bytes.
    RequestTooLarge,
    /// The provider does not accept the request.
    BadRequest,
    /// The settings of the provider cannot work.
    Misconfigured,
    /// The program cannot be started.
    ProgramMissing,
    /// The program ended with an error.
    ProgramFailed,
    /// The program took too long and was ended.
    ProgramTimeout,
    /// The program does not know who its user is.
    ProgramLoggedOut,
    /// The program has no options that keep it from what it is to know only in parts.
    ProgramUnprotected,
    /// This machine cannot confine programs.
    ProgramUnconfined,
    /// No recorded exchange answers the request.
    NotRecorded,
    /// The script has no more answers.
    ScriptEnded,
}

/// Why a call failed.
#[derive(Debug)]
pub struct Error {
    kind: Kind,
    /// In a box, so that the results of calls stay small.
    details: Box<Details>,
}

#[derive(Debug, Default)]
struct Details {
    subject: String,
    message: Option<String>,
    request_id: Option<String>,
    wait: Option<Duration>,
    should_retry: Option<bool>,
    signals: Signals,
    /// Whether an answer had begun.
    had_begun: bool,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl Error {
    /// An error of a kind, concerning a server, program or recording.
    pub fn new(kind: Kind, subject: impl Into<String>) -> Self {
        Self { kind, details: Box::new(Details { subject: subject.into(), ..Details::default() }) }
    }

    /// With what was said about it. It must be inert and free of keys.
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.details.message = Some(message.into()).filter(|message| !message.is_empty());
        self
    }

    /// With the provider's name for the call.
    pub(crate) fn request_id(mut self, id: Option<String>) -> Self {
        self.details.request_id = id;
        self
    }

    /// With what the provider says about trying again.
    pub(crate) fn provider_advice(mut self, wait: Option<Duration>, should_retry: Option<bool>) -> Self {
        self.details.wait = wait;
        self.details.should_retry = should_retry;
        self
    }

    /// With what the provider says about its limits.
    pub(crate) fn signals(mut self, signals: Signals) -> Self {
        self.details.signals = signals;
        self
    }

    /// Of an answer that had begun to come.
    pub(crate) fn midway(mut self) -> Self {
        self.details.had_begun = true;
        self
    }

    /// With its cause.
    pub(crate) fn source_error(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.details.source = Some(source.into());
        self
    }

    /// What kind of failure it is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// What the provider said about its limits.
    pub fn rate_signals(&self) -> Signals {
        self.details.signals
    }

    /// The words that are the same however often a call fails so: without the provider's name for the call.
    pub fn in_general(&self) -> String {
        let words = self.to_string();
        match &self.details.request_id {
            Some(id) => words.trim_end_matches(&format!(" (request {id})")).to_owned(),
            None => words,
        }
    }

    /// How long to wait before the first try after this; `None` if trying again is pointless.
    pub fn retry_after(&self) -> Option<Duration> {
        backoff(self, 0, 0)
    }

    /// How long the provider asked to stay away.
    pub fn provider_wait(&self) -> Option<Duration> {
        self.details.wait
    }

    /// Whether the provider only said that it has too much to do for now.
    pub fn is_put_off(&self) -> bool {
        matches!(self.kind, Kind::RateLimited | Kind::Overloaded)
    }

    /// Whether it is the same failure as another: who failed, how, and in which words; not which call it was.
    pub fn is_like(&self, other: &Self) -> bool {
        let words = |error: &Self| (error.kind, error.details.subject.clone(), error.details.message.clone());
        words(self) == words(other)
    }

    /// What the server said, made inert.
    pub(crate) fn said(&self) -> Option<&str> {
        self.details.message.as_deref()
    }

    /// Whether the call may have cost something: it was sent, and the server did not refuse it or fail before the first
    /// byte of an answer.
    pub fn may_have_cost(&self) -> bool {
        if self.details.had_begun {
            return true;
        }
        match self.kind {
            Kind::IdleTimeout
            | Kind::TotalTimeout
            | Kind::BrokenOff
            | Kind::NotUnderstood
            | Kind::AnswerTooLarge
            | Kind::ProgramFailed
            | Kind::ProgramTimeout => true,
            Kind::Unreachable
            | Kind::ConnectTimeout
            | Kind::RateLimited
            | Kind::Overloaded
            | Kind::ServerFailed
            | Kind::KeyRefused
            | Kind::Forbidden
            | Kind::PaymentRequired
            | Kind::SpendLimitReached
            | Kind::NotFound
            | Kind::ContextTooLong
            | Kind::RequestTooLarge
            | Kind::BadRequest
            | Kind::Misconfigured
            | Kind::ProgramMissing
            | Kind::ProgramLoggedOut
            | Kind::ProgramUnprotected
            | Kind::ProgramUnconfined
            | Kind::NotRecorded
            | Kind::ScriptEnded => false,
        }
    }

    /// A way out, where there is one.
    pub fn hint(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Unreachable | Kind::ConnectTimeout => {
                Some("check the address, and whether a server runs there")
            }
            Kind::KeyRefused => {
                Some("check the key; it is read from the environment, a file or a credential")
            }
            Kind::PaymentRequired => Some("look at the billing page of the provider"),
            Kind::SpendLimitReached => {
                Some("raise the spend limit at the provider, or wait for the next month")
            }
            Kind::NotFound => {
                Some("check the model's id and the address; `luminosctl models` asks the server")
            }
            Kind::BadRequest if self.is_about_the_model() => {
                Some("check the model's id; `luminosctl models` asks the server what it offers")
            }
            Kind::ProgramFailed if self.is_about_a_file() => Some(
                "programs see little but themselves; the setting `models.program-read` adds what they may read",
            ),
            Kind::ContextTooLong => Some("use a model with a larger window"),
            Kind::ProgramMissing => Some("install the program, or write its whole path"),
            Kind::ProgramLoggedOut => {
                Some("start the program by hand and log in; variables that hold keys are not handed on to it")
            }
            Kind::ProgramUnprotected => Some("update the program, or ask a model server"),
            Kind::ProgramUnconfined => Some(
                "use a kernel with Landlock (Linux 6.2 or newer), or ask a model server; --allow-unconfined-program runs \
                 the program with all your rights, on text that others may have written to steer it",
            ),
            Kind::RateLimited | Kind::Overloaded => {
                Some("the setting `models.provider-patience` says how long a provider is waited for")
            }
            Kind::NotRecorded => Some("record the exchange again"),
            Kind::IdleTimeout
            | Kind::TotalTimeout
            | Kind::BrokenOff
            | Kind::NotUnderstood
            | Kind::AnswerTooLarge
            | Kind::ServerFailed
            | Kind::Forbidden
            | Kind::RequestTooLarge
            | Kind::BadRequest
            | Kind::Misconfigured
            | Kind::ProgramFailed
            | Kind::ProgramTimeout
            | Kind::ScriptEnded => None,
        }
    }
}

impl Error {
    /// Whether a program says that it may not open a file.
    fn is_about_a_file(&self) -> bool {
        let said = self.said().unwrap_or_default();
        ["ermission denied", "EACCES"].iter().any(|words| said.contains(words))
    }

    /// Whether the server says that there is no such model. Some say so with the status of a bad request.
    pub fn is_about_the_model(&self) -> bool {
        let said = self.said().unwrap_or_default().to_lowercase();
        ["invalid model", "unknown model", "no such model", "model not found", "model_not_found"]
            .iter()
            .any(|words| said.contains(words))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details { subject, message, request_id, .. } = &*self.details;
        match self.kind {
            Kind::Unreachable => write!(f, "cannot reach {subject}"),
            Kind::ConnectTimeout => write!(f, "{subject} did not accept a connection in time"),
            Kind::IdleTimeout => write!(f, "{subject} stopped sending"),
            Kind::TotalTimeout => write!(f, "the answer of {subject} took too long"),
            Kind::BrokenOff => write!(f, "the answer of {subject} broke off before its end"),
            Kind::NotUnderstood => write!(f, "the answer of {subject} is not understood"),
            Kind::AnswerTooLarge => write!(f, "the answer of {subject} is too large"),
            Kind::RateLimited => write!(f, "{subject} accepts no more calls for now"),
            Kind::Overloaded => write!(f, "{subject} is overloaded"),
            Kind::ServerFailed => write!(f, "{subject} failed"),
            Kind::KeyRefused => write!(f, "{subject} does not accept the key"),
            Kind::Forbidden => write!(f, "{subject} does not allow this with the key"),
            Kind::PaymentRequired => write!(f, "{subject} wants to be paid first"),
            Kind::SpendLimitReached => write!(f, "the spend limit set at {subject} is reached"),
            Kind::NotFound => write!(f, "{subject} does not know the model or the address"),
            Kind::ContextTooLong => write!(f, "the conversation is too long for the model at {subject}"),
            Kind::RequestTooLarge => write!(f, "the request is too large for {subject}"),
            Kind::BadRequest => write!(f, "{subject} does not accept the request"),
            Kind::Misconfigured => write!(f, "{subject} cannot be used as it is set up"),
            Kind::ProgramMissing => write!(f, "cannot start {subject}"),
            Kind::ProgramFailed => write!(f, "{subject} failed"),
            Kind::ProgramTimeout => write!(f, "{subject} took too long and was ended"),
            Kind::ProgramLoggedOut => write!(f, "{subject} is not logged in"),
            Kind::ProgramUnprotected => write!(f, "{subject} cannot be told to leave files and tools alone"),
            Kind::ProgramUnconfined => write!(f, "{subject} cannot be confined here"),
            Kind::NotRecorded => write!(f, "no exchange in {subject} answers the request"),
            Kind::ScriptEnded => write!(f, "{subject} has no more answers"),
        }?;
        if let Some(message) = message {
            write!(f, ": {message}")?;
        }
        if let Some(id) = request_id {
            write!(f, " (request {id})")?;
        }
        Ok(())
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.details.source.as_deref().map(|source| source as &(dyn StdError + 'static))
    }
}
