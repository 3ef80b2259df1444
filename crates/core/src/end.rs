//! Why a conversation ended without a submission.

use crate::job::NoTurn;

/// The way on from a window that is too small.
const TOO_SMALL: &str = "The model's context window is too small for this directory: ask one with a larger window, or \
                         correct `window` in models.toml.";

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
    /// What somebody who wants to know more can do about an end that was told in these words.
    pub fn way_on(words: &str) -> &'static str {
        let ways = [
            (
                "it ran out of turns",
                "The next run goes on with it; `--refine 1` looks once more within the same run.",
            ),
            ("the investigation was stopped", "The next run goes on with it."),
            (
                "the model failed",
                "The next run goes on with it; `luminosctl doctor` tells whether the model can be reached.",
            ),
            ("the model declined", "Ask another model."),
            ("its prompt had", TOO_SMALL),
            ("the model's context window", TOO_SMALL),
            ("it went round", "The next run looks into it anew; a more able model gets further."),
        ];
        let way = ways.iter().find(|(beginning, _)| words.starts_with(beginning));
        way.map_or("Raise the limit: the next run goes on with it.", |(_, way)| way)
    }

    /// The words without what differs from call to call, so that what happened to many is told once.
    pub fn in_general(words: &str) -> String {
        let mut general = words.to_owned();
        while let Some(begin) = general.find(" (request ") {
            let Some(length) = general[begin..].find(')') else { break };
            general.replace_range(begin..=begin + length, "");
        }
        match general.strip_prefix("its prompt had ").and_then(|rest| rest.split_once(" tokens, more than")) {
            Some((_, budget)) => format!("its prompt had more tokens than{budget}"),
            None => general,
        }
    }

    /// Whether words that one of these gave tell of an end that more turns, money or time would not have put off.
    pub fn is_final(words: &str) -> bool {
        let beginnings =
            ["the model declined", "its prompt had", "the model's context window", "it went round"];
        beginnings.iter().any(|beginning| words.starts_with(beginning))
    }

    /// Whether words that one of these gave tell of an end that came from outside: somebody stopped the investigation, a limit
    /// was reached, the model failed or declined. How much was done by then says nothing about how much there is to do.
    pub fn is_cut_off(words: &str) -> bool {
        let own = [
            "it ran out of turns",
            "its prompt had",
            "the model's context window",
            "it went round",
            "not all that was found out can be kept",
        ];
        !own.iter().any(|beginning| words.starts_with(beginning))
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
            (EndReason::OutOfTurns, false, false),
            (EndReason::Stopped, false, true),
            (EndReason::Limit("the money limit of $1 was reached".to_owned()), false, true),
            (EndReason::ModelFailed(words()), false, true),
            (EndReason::Refused(words()), true, true),
            (EndReason::ContextBudget { input: 2, budget: 1 }, true, false),
            (EndReason::WindowFull, true, false),
            (EndReason::Repeating(words()), true, false),
        ];
        for (reason, is_final, is_cut_off) in all {
            assert_eq!(EndReason::is_final(&reason.to_string()), is_final, "{reason}");
            assert_eq!(EndReason::is_cut_off(&reason.to_string()), is_cut_off, "{reason}");
        }
    }
}
