//! What earlier experiments teach a plan: the scores of plans and the failures of evaluations near its base.
//!
//! Each remembered event knows a few commits on its way to the root. It is near a base if one of them is the base or one of
//! the few commits before it, or the other way round: so a try that branched off a little earlier counts as well.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::chain::CommitId;
use super::score::{Score, Verdict};

/// How many commits before a commit count as near.
pub(crate) const NEAR: usize = 32;
/// How many failures a prompt tells, and how many other results.
const FAILURES: usize = 5;
const OTHERS: usize = 3;

/// Something that was tried.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Event {
    /// Seconds since 1970.
    pub at: i64,
    /// The commit it is about, and a few before it.
    pub around: Vec<CommitId>,
    /// What happened.
    pub what: What,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum What {
    /// A plan was scored.
    Scored(Box<Score>),
    /// A commit could not be evaluated.
    EvaluationFailed {
        /// The commit.
        commit: CommitId,
        /// What it says about itself.
        subject: String,
        /// Why.
        why: String,
    },
    /// A commit that could not be evaluated was measured in the end: nothing to learn from.
    Mended {
        /// The commit.
        commit: CommitId,
    },
}

impl Event {
    fn is_failure(&self) -> bool {
        match &self.what {
            What::Scored(score) => matches!(score.verdict, Verdict::Failure | Verdict::Mixed),
            What::EvaluationFailed { .. } => true,
            What::Mended { .. } => false,
        }
    }

    fn words(&self) -> String {
        match &self.what {
            What::Scored(score) => score.lesson(),
            What::EvaluationFailed { commit, subject, why } => {
                format!("the commit {} ({subject}) could not be evaluated: {why}", commit.short())
            }
            What::Mended { commit } => format!("the commit {} was measured in the end", commit.short()),
        }
    }
}

/// What a plan should know: the latest failures near its base, then the latest other results. `near` is the base and the
/// commits before it.
pub(crate) fn lessons(events: &[Event], near: &[CommitId]) -> Vec<String> {
    let near: BTreeSet<&CommitId> = near.iter().take(NEAR).collect();
    let is_near = |event: &&Event| event.around.iter().any(|commit| near.contains(commit));
    let is_mended = |event: &&Event| matches!(event.what, What::Mended { .. });
    let mut close: Vec<&Event> = events.iter().filter(|event| is_near(event) && !is_mended(event)).collect();
    close.sort_by_key(|event| std::cmp::Reverse(event.at));
    let mut told: Vec<String> = Vec::new();
    let mut tell = |wanted: bool, most: usize| {
        let chosen = close.iter().filter(|event| event.is_failure() == wanted).map(|event| event.words());
        let mut left = most;
        for words in chosen {
            if 0 < left && !told.contains(&words) {
                told.push(words);
                left -= 1;
            }
        }
    };
    tell(true, FAILURES);
    tell(false, OTHERS);
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(at: usize) -> CommitId {
        CommitId::new(&format!("c{at}"))
    }

    fn failed(at: i64, around: &[usize], why: &str) -> Event {
        let around: Vec<CommitId> = around.iter().map(|&at| id(at)).collect();
        let what = What::EvaluationFailed {
            commit: around[0].clone(),
            subject: "S".to_owned(),
            why: why.to_owned(),
        };
        Event { at, around, what }
    }

    #[test]
    fn only_what_happened_near_the_base_is_told_newest_first() {
        let events =
            [failed(1, &[90, 41], "old"), failed(3, &[91, 40], "new"), failed(2, &[7, 6], "elsewhere")];
        let near: Vec<CommitId> = (0..=41).rev().map(id).collect();
        assert_eq!(
            lessons(&events, &near),
            [
                "the commit c91 (S) could not be evaluated: new",
                "the commit c90 (S) could not be evaluated: old"
            ],
            "c7 is more than 32 commits before c41"
        );
        assert_eq!(lessons(&events, &[]), Vec::<String>::new());
        let [old, mut new, elsewhere] = events;
        new.what = What::Mended { commit: id(91) };
        assert_eq!(
            lessons(&[old, new, elsewhere], &near),
            ["the commit c90 (S) could not be evaluated: old"],
            "c91 was measured after all"
        );
    }

    #[test]
    fn no_more_than_a_few_are_told_and_none_twice() {
        let events: Vec<Event> = (0..20).map(|at| failed(at, &[1], &format!("why {}", at / 2))).collect();
        let told = lessons(&events, &[id(1)]);
        assert_eq!(told.len(), 5);
        assert!(told[0].ends_with("why 9") && told[4].ends_with("why 5"));
    }
}
