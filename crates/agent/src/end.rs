//! Why a conversation ended without a submission.

use luminos_core::job::NoTurn;

/// Why a conversation ended without a submission. The words become the reason of a partial entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EndReason {
    /// All turns are used.
    #[error("it ran out of turns before it reported")]
    OutOfTurns,
    /// The investigation was stopped.
    #[error("the investigation was stopped")]
    Stopped,
    /// A limit of the whole investigation was reached.
    #[error("{0}")]
    Limit(String),
    /// The model failed.
    #[error("the model failed: {0}")]
    ModelFailed(String),
    /// The model, or its provider, declined.
    #[error("the model declined to go on ({0})")]
    Refused(String),
    /// The prompt outgrew what this loop may use.
    #[error("its prompt had {input} tokens, more than the {budget} of its context budget")]
    ContextBudget {
        /// Tokens of the latest prompt.
        input: u64,
        /// Tokens allowed.
        budget: u64,
    },
    /// The prompt outgrew the model.
    #[error("the model's context window was full")]
    WindowFull,
    /// The model went round in circles.
    #[error("it went round in circles: {0}")]
    Repeating(String),
}

impl EndReason {
    /// What somebody who wants to know more can do.
    pub(crate) fn way_on(&self) -> &'static str {
        match self {
            Self::OutOfTurns => {
                "The next run goes on with it; `--refine 1` looks once more within the same run."
            }
            Self::Stopped => "The next run goes on with it.",
            Self::Limit(_) => "Raise the limit: the next run goes on with it.",
            Self::ModelFailed(_) => {
                "The next run goes on with it; `luminosctl doctor` tells whether the model can be reached."
            }
            Self::Refused(_) => "Ask another model.",
            Self::ContextBudget { .. } | Self::WindowFull => {
                "The model's context window is too small for this directory: ask one with a larger window, or correct \
                 `window` in models.toml."
            }
            Self::Repeating(_) => "The next run looks into it anew; a more able model gets further.",
        }
    }

    /// Whether words that one of these gave tell of an end that more turns, money or time would not have put off.
    pub fn is_final(words: &str) -> bool {
        let beginnings =
            ["the model declined", "its prompt had", "the model's context window", "it went round"];
        beginnings.iter().any(|beginning| words.starts_with(beginning))
    }
}

impl From<NoTurn> for EndReason {
    fn from(no_turn: NoTurn) -> Self {
        match no_turn {
            NoTurn::OutOfTurns => Self::OutOfTurns,
            NoTurn::Limit(limit) => Self::Limit(limit),
            NoTurn::ModelFailed(error) => Self::ModelFailed(error),
            NoTurn::Stopped => Self::Stopped,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_more_turns_would_not_mend_is_final() {
        let words = || "a word".to_owned();
        let all = [
            (EndReason::OutOfTurns, false),
            (EndReason::Stopped, false),
            (EndReason::Limit("the money limit of $1 was reached".to_owned()), false),
            (EndReason::ModelFailed(words()), false),
            (EndReason::Refused(words()), true),
            (EndReason::ContextBudget { input: 2, budget: 1 }, true),
            (EndReason::WindowFull, true),
            (EndReason::Repeating(words()), true),
        ];
        for (reason, is_final) in all {
            assert_eq!(EndReason::is_final(&reason.to_string()), is_final, "{reason}");
        }
    }
}
