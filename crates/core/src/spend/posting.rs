//! The journal of spending: what survives a kill of what calls may have cost.
//!
//! A try is written down with its worst case before it is sent, and with what it cost when that is known. Whatever has
//! no second line counts in full: nobody knows what became of it. So the limits of a run hold over all its lives.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{Charge, Totals};

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "post", rename_all = "snake_case")]
pub enum SpendPosting {
    /// A try is about to be sent.
    Reserve {
        /// The run that it is for, all its lives together.
        run: String,
        /// The call.
        call: String,
        /// The most that it can cost.
        worst: Charge,
    },
    /// It is known what the last try of a call cost. A try that never reached a model has cost nothing.
    Settle {
        /// The call.
        call: String,
        /// What was booked; `None` for a try that reached nobody.
        charged: Option<Charge>,
    },
}

/// What a run has spent, as its journal tells. Lines of other runs do not count.
pub fn spent_by(run: &str, postings: impl IntoIterator<Item = SpendPosting>) -> Totals {
    let mut spent = Totals::default();
    let mut open: HashMap<String, Charge> = HashMap::new();
    for posting in postings {
        match posting {
            SpendPosting::Reserve { run: whose, call, worst } => {
                let before = if whose == run { open.insert(call, worst) } else { open.remove(&call) };
                // Asked again without an end: its process died under it.
                if let Some(worst) = before {
                    spent.add(worst);
                }
            }
            SpendPosting::Settle { call, charged } => {
                if open.remove(&call).is_some()
                    && let Some(charged) = charged
                {
                    spent.add(charged);
                }
            }
        }
    }
    open.into_values().for_each(|worst| spent.add(worst));
    spent
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::super::{Money, Tokens};
    use super::*;

    fn charge(tokens: u64) -> Charge {
        Charge { money: Some(Money::from_nanodollars(tokens * 10)), tokens: Tokens(tokens) }
    }

    fn reserve(run: &str, call: &str, worst: u64) -> SpendPosting {
        SpendPosting::Reserve { run: run.to_owned(), call: call.to_owned(), worst: charge(worst) }
    }

    fn settle(call: &str, tokens: Option<u64>) -> SpendPosting {
        SpendPosting::Settle { call: call.to_owned(), charged: tokens.map(charge) }
    }

    #[track_caller]
    fn check(postings: &[SpendPosting], tokens: u64, calls: u64) {
        let spent = spent_by("r", postings.to_vec());
        let expected = Totals { money: Money::from_nanodollars(tokens * 10), tokens: Tokens(tokens), calls };
        assert_eq!(spent, expected, "{postings:?}");
    }

    #[test]
    fn what_was_on_its_way_counts_in_full() {
        check(&[], 0, 0);
        check(&[reserve("r", "a", 100), settle("a", Some(30))], 30, 1);
        check(&[reserve("r", "a", 100)], 100, 1);
        // A try that reached nobody, and the next one.
        check(
            &[reserve("r", "a", 100), settle("a", None), reserve("r", "a", 100), settle("a", Some(7))],
            7,
            1,
        );
        // Killed on its way, and asked again in the next life.
        check(&[reserve("r", "a", 100), reserve("r", "a", 100), settle("a", Some(30))], 130, 2);
        // Another run's, and a word too late.
        check(&[reserve("q", "a", 100), settle("a", Some(30)), settle("b", Some(5))], 0, 0);
    }

    proptest! {
        /// A journal that ends early never tells less than the whole one: a kill cannot make room.
        #[test]
        fn a_kill_makes_no_room(calls in vec((0..5_u8, 1..1_000_u64, 0..=100_u64), 0..40), kept in 0..80_usize) {
            let lines = calls.iter().flat_map(|(call, worst, part)| {
                let name = call.to_string();
                [reserve("r", &name, *worst), settle(&name, Some(worst * part / 100))]
            });
            let lines: Vec<_> = lines.collect();
            let cut = kept.min(lines.len());
            let really: u64 = calls.iter().take(cut.div_ceil(2)).map(|(_, worst, part)| worst * part / 100).sum();
            let told = spent_by("r", lines[..cut].to_vec());
            prop_assert!(really <= told.tokens.0);
        }
    }
}
