//! The journal of spending: what survives a kill of what calls may have cost.
//!
//! A try is written down with its worst case before it is sent, and with what it cost when that is known. Whatever has
//! no second line counts in full: nobody knows what became of it. So the limits of a run hold over all its lives.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::{Charge, Money, Tokens, Totals, Usage};

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
        /// The pass that it is for.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        pass: String,
    },
    /// It is known what the last try of a call cost. A try that never reached a model has cost nothing.
    Settle {
        /// The call.
        call: String,
        /// What was booked; `None` for a try that reached nobody.
        charged: Option<Charge>,
        /// The tokens of the answer, if there was one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
}

/// What the calls of one pass came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PassSpend {
    /// Tries that reached a model.
    pub calls: u64,
    /// The tokens of all answers.
    pub usage: Usage,
    /// What was booked: answers, and what died on the way at its worst.
    pub tokens: Tokens,
    /// What was booked in money, as far as prices are known.
    pub money: Money,
    /// Tries without a known price.
    #[serde(default)]
    pub unpriced: u64,
}

impl PassSpend {
    fn add(&mut self, charge: Charge, usage: Option<Usage>) {
        self.calls = self.calls.saturating_add(1);
        self.usage = self.usage + usage.unwrap_or_default();
        self.tokens += charge.tokens;
        self.money = self.money.plus(charge.money.unwrap_or_default());
        self.unpriced += u64::from(charge.money.is_none());
    }

    /// The sums of two.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            usage: self.usage + other.usage,
            tokens: self.tokens + other.tokens,
            money: self.money.plus(other.money),
            unpriced: self.unpriced + other.unpriced,
        }
    }

    /// What it cost; `None` where a price is not known.
    pub fn cost(&self) -> Option<Money> {
        (self.unpriced == 0).then_some(self.money)
    }
}

/// The books of one run: what its journal tells, by pass. Lines of other runs do not count.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Books {
    run: String,
    settled: BTreeMap<String, PassSpend>,
    open: HashMap<String, (String, Charge)>,
}

impl Books {
    /// The books of a run, as its journal tells.
    pub fn of(run: &str, postings: impl IntoIterator<Item = SpendPosting>) -> Self {
        let mut books = Self { run: run.to_owned(), ..Self::default() };
        postings.into_iter().for_each(|posting| books.post(posting));
        books
    }

    /// Takes up a line.
    pub fn post(&mut self, posting: SpendPosting) {
        match posting {
            SpendPosting::Reserve { run: whose, call, worst, pass } => {
                let before = if whose == self.run {
                    self.open.insert(call, (pass, worst))
                } else {
                    self.open.remove(&call)
                };
                // Asked again without an end: its process died under it.
                if let Some((pass, worst)) = before {
                    self.settled.entry(pass).or_default().add(worst, None);
                }
            }
            SpendPosting::Settle { call, charged, usage } => {
                if let Some((pass, _)) = self.open.remove(&call)
                    && let Some(charged) = charged
                {
                    self.settled.entry(pass).or_default().add(charged, usage);
                }
            }
        }
    }

    /// Whether it is not known yet what a call cost.
    pub fn is_open(&self, call: &str) -> bool {
        self.open.contains_key(call)
    }

    /// What each pass came to. What has no end yet counts in full.
    pub fn by_pass(&self) -> BTreeMap<String, PassSpend> {
        let mut passes = self.settled.clone();
        for (pass, worst) in self.open.values() {
            passes.entry(pass.clone()).or_default().add(*worst, None);
        }
        passes
    }

    /// All passes together.
    pub fn total(&self) -> PassSpend {
        self.by_pass().into_values().fold(PassSpend::default(), PassSpend::plus)
    }
}

/// What a run has spent, as its journal tells. Lines of other runs do not count.
pub fn spent_by(run: &str, postings: impl IntoIterator<Item = SpendPosting>) -> Totals {
    let PassSpend { calls, tokens, money, .. } = Books::of(run, postings).total();
    Totals { money, tokens, calls }
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
        let (run, call, pass) = (run.to_owned(), call.to_owned(), "dir".to_owned());
        SpendPosting::Reserve { run, call, worst: charge(worst), pass }
    }

    fn settle(call: &str, tokens: Option<u64>) -> SpendPosting {
        SpendPosting::Settle { call: call.to_owned(), charged: tokens.map(charge), usage: None }
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

    #[test]
    fn each_pass_has_its_own_sum_and_together_they_are_all() {
        let pass = |pass: &str, call: &str, worst| match reserve("r", call, worst) {
            SpendPosting::Reserve { run, call, worst, .. } => {
                SpendPosting::Reserve { run, call, worst, pass: pass.to_owned() }
            }
            settle @ SpendPosting::Settle { .. } => settle,
        };
        let usage = Usage { input: Tokens(3), output: Tokens(4), ..Usage::default() };
        let answered =
            SpendPosting::Settle { call: "a".to_owned(), charged: Some(charge(7)), usage: Some(usage) };
        let free = Some(Charge { money: None, tokens: Tokens(2) });
        let unpriced = SpendPosting::Settle { call: "b".to_owned(), charged: free, usage: None };
        let books = Books::of(
            "r",
            [pass("survey", "a", 100), answered, pass("dir", "b", 50), unpriced, pass("dir", "c", 9)],
        );
        let told = books.by_pass();
        assert_eq!((told["survey"].calls, told["survey"].usage), (1, usage));
        assert_eq!((told["dir"].calls, told["dir"].tokens, told["dir"].cost()), (2, Tokens(11), None));
        let total = books.total();
        assert_eq!((total.calls, total.tokens, total.money), (3, Tokens(18), Money::from_nanodollars(160)));
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
