//! Whether models are worth asking, by what became of the calls so far.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use luminos_models::{Error, Kind};

use crate::gateway::CallError;

/// So many calls in a row that fail, whatever was asked, are as good as a server that is gone.
const MOST_FAILURES: u32 = 3;

/// Why a model cannot be asked at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub(crate) struct Unreachable {
    /// What its server said, or did not say.
    pub error: String,
    /// A way out, where there is one.
    pub hint: Option<String>,
}

impl Unreachable {
    /// All of it in one sentence.
    pub(crate) fn words(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{} (hint: {hint})", self.error),
            None => self.error.clone(),
        }
    }
}

impl From<&Error> for Unreachable {
    fn from(error: &Error) -> Self {
        let causes = std::iter::successors(std::error::Error::source(error), |cause| cause.source());
        let words = causes.fold(error.to_string(), |words, cause| format!("{words}: {cause}"));
        Self { error: words, hint: error.hint().map(str::to_owned) }
    }
}

/// Whether a model is worth asking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Standing {
    /// As far as anybody knows.
    Answers,
    /// It has never answered, and asking again will not help. Why.
    NeverAnswered(String),
    /// It has answered before, and asking again will not help. Why.
    Gone(String),
}

/// What is known of one model.
#[derive(Debug, Default)]
struct Known {
    has_answered: bool,
    /// Calls that failed since the last answer.
    failures: u32,
    /// Why it is given up.
    hopeless: Option<String>,
}

/// What is known of all models, by their names.
#[derive(Debug, Default)]
pub(super) struct Health {
    models: Mutex<BTreeMap<String, Known>>,
}

impl Health {
    /// Takes note of what became of a call.
    pub(super) fn note(&self, name: &str, error: Option<&CallError>) {
        let mut models = self.models.lock().unwrap_or_else(PoisonError::into_inner);
        let known = models.entry(name.to_owned()).or_default();
        match error {
            None => *known = Known { has_answered: true, ..Known::default() },
            Some(CallError::Failed(error)) => {
                known.failures += u32::from(is_general(error));
                if is_hopeless(error) || MOST_FAILURES <= known.failures {
                    known.hopeless = Some(Unreachable::from(&**error).words());
                }
            }
            // Limits and vetoes say nothing about the model.
            Some(
                CallError::NoModel { .. }
                | CallError::Refused { .. }
                | CallError::IdReused { .. }
                | CallError::Vetoed { .. }
                | CallError::Gone,
            ) => {}
        }
    }

    /// Whether a model is worth asking.
    pub(super) fn standing(&self, name: &str) -> Standing {
        let models = self.models.lock().unwrap_or_else(PoisonError::into_inner);
        match models.get(name) {
            Some(Known { hopeless: Some(why), has_answered: true, .. }) => Standing::Gone(why.clone()),
            Some(Known { hopeless: Some(why), .. }) => Standing::NeverAnswered(why.clone()),
            Some(_) | None => Standing::Answers,
        }
    }
}

/// Whether a server that says so when it is asked what it serves need not be asked anything else. Not every server has
/// such a list; only what concerns all questions counts.
pub(super) fn is_out_of_reach(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Unreachable
            | Kind::ConnectTimeout
            | Kind::KeyRefused
            | Kind::Misconfigured
            | Kind::ProgramMissing
    )
}

/// Whether the same would be said to every question. Who was overloaded has been waited for already.
fn is_hopeless(error: &Error) -> bool {
    is_out_of_reach(error.kind())
        || error.is_about_the_model()
        || matches!(
            error.kind(),
            Kind::NotFound
                | Kind::PaymentRequired
                | Kind::SpendLimitReached
                | Kind::RateLimited
                | Kind::Overloaded
                | Kind::ProgramFailed
        )
}

/// Whether it says something about the model, rather than about what was asked.
fn is_general(error: &Error) -> bool {
    !matches!(
        error.kind(),
        Kind::ContextTooLong
            | Kind::RequestTooLarge
            | Kind::BadRequest
            | Kind::NotUnderstood
            | Kind::AnswerTooLarge
    )
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn failed(kind: Kind) -> CallError {
        CallError::Failed(Arc::new(Error::new(kind, "the server")))
    }

    #[test]
    fn a_model_that_cannot_be_asked_is_given_up_at_once() {
        for kind in [Kind::Unreachable, Kind::KeyRefused, Kind::NotFound, Kind::SpendLimitReached] {
            let health = Health::default();
            assert_eq!(health.standing("m"), Standing::Answers);
            health.note("m", Some(&failed(kind)));
            assert!(matches!(health.standing("m"), Standing::NeverAnswered(_)), "{kind:?}");
            assert_eq!(health.standing("other"), Standing::Answers);
        }
    }

    #[test]
    fn what_may_pass_is_given_up_when_it_does_not() {
        let health = Health::default();
        health.note("m", None);
        for _ in 0..2 {
            health.note("m", Some(&failed(Kind::ServerFailed)));
            assert_eq!(health.standing("m"), Standing::Answers);
        }
        health.note("m", None);
        for _ in 0..9 {
            health.note("m", Some(&failed(Kind::ContextTooLong)));
        }
        assert_eq!(health.standing("m"), Standing::Answers, "that was about what was asked");
        for _ in 0..3 {
            health.note("m", Some(&failed(Kind::ServerFailed)));
        }
        assert!(matches!(health.standing("m"), Standing::Gone(_)));
    }
}
