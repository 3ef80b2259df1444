//! The journal of spending: what survives a kill of what calls may have cost.
//!
//! A try is written down with its worst case before it is sent, and with what it is booked at (`book`) when that is known.
//! What a dead process has left without a second line stays booked in full, as lost in flight. So the limits of a run hold
//! over all its lives.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::{Charge, Money, Spending, Tokens, Totals, Usage};

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
        /// The tokens that make up what was booked; none if nobody knows whether anything was used.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
    },
}

/// What the calls of one pass came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PassSpend {
    /// Tries that reached a model.
    pub calls: u64,
    /// Their tokens, by kind.
    pub usage: Usage,
    /// Their tokens together.
    pub tokens: Tokens,
    /// What was booked for them in money, as far as prices are known.
    pub money: Money,
    /// Tries without a known price.
    #[serde(default)]
    pub unpriced: u64,
    /// What was reserved for tries whose process died. It is in none of the sums above.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub lost: Totals,
}

fn is_nothing(totals: &Totals) -> bool {
    *totals == Totals::default()
}

impl PassSpend {
    fn add(&mut self, charge: Charge, usage: Option<Usage>) {
        let Some(usage) = usage else { return self.lost.add(charge) };
        self.calls = self.calls.saturating_add(1);
        self.usage = self.usage + usage;
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
            lost: self.lost.plus(other.lost),
        }
    }

    /// What it cost; `None` where a price is not known.
    pub fn cost(&self) -> Option<Money> {
        (self.unpriced == 0).then_some(self.money)
    }

    /// What was spent.
    pub fn spent(&self) -> Totals {
        Totals { money: self.money, tokens: self.tokens, calls: self.calls }
    }
}

/// The books of one run: what its journal tells, by pass. Lines of other runs do not count.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Books {
    run: String,
    settled: BTreeMap<String, PassSpend>,
    /// Calls of this life without an end.
    open: HashMap<String, (String, Charge)>,
    /// Calls that a dead process has left without one.
    left: HashMap<String, (String, Charge)>,
}

impl Books {
    /// The books of a run, as its journal tells.
    pub fn of(run: &str, postings: impl IntoIterator<Item = SpendPosting>) -> Self {
        let mut books = Self { run: run.to_owned(), ..Self::default() };
        postings.into_iter().for_each(|posting| books.post(posting));
        books
    }

    /// The process that made the open calls is dead: what they may have used is lost, unless their end is found after all.
    #[must_use]
    pub fn after_a_death(mut self) -> Self {
        self.left.extend(self.open.drain());
        self
    }

    /// Takes up a line.
    pub fn post(&mut self, posting: SpendPosting) {
        match posting {
            SpendPosting::Reserve { run: whose, call, worst, pass } => {
                // Asked again without an end: its process died under it.
                let before = self.open.remove(&call).or_else(|| self.left.remove(&call));
                if whose == self.run {
                    self.open.insert(call, (pass, worst));
                }
                if let Some((pass, worst)) = before {
                    self.settled.entry(pass).or_default().add(worst, None);
                }
            }
            SpendPosting::Settle { call, charged, usage } => {
                let open = self.open.remove(&call).or_else(|| self.left.remove(&call));
                if let Some((pass, _)) = open
                    && let Some(charged) = charged
                {
                    self.settled.entry(pass).or_default().add(charged, usage);
                }
            }
        }
    }

    /// Whether it is not known yet what a call cost.
    pub fn is_open(&self, call: &str) -> bool {
        self.open.contains_key(call) || self.left.contains_key(call)
    }

    /// What each pass came to, without what is reserved for calls on their way.
    pub fn by_pass(&self) -> BTreeMap<String, PassSpend> {
        let mut passes = self.settled.clone();
        for (pass, worst) in self.left.values() {
            passes.entry(pass.clone()).or_default().add(*worst, None);
        }
        passes
    }

    /// All passes together.
    pub fn total(&self) -> PassSpend {
        self.by_pass().into_values().fold(PassSpend::default(), PassSpend::plus)
    }

    /// What was spent, what is reserved and what was lost.
    pub fn spending(&self) -> Spending {
        let total = self.total();
        let mut reserved = Totals::default();
        self.open.values().for_each(|(_, worst)| reserved.add(*worst));
        Spending { spent: total.spent(), reserved, lost: total.lost }
    }
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
        let usage = tokens.map(|tokens| Usage { input: Tokens(tokens), ..Usage::default() });
        SpendPosting::Settle { call: call.to_owned(), charged: tokens.map(charge), usage }
    }

    fn totals(tokens: u64, calls: u64) -> Totals {
        Totals { money: Money::from_nanodollars(tokens * 10), tokens: Tokens(tokens), calls }
    }

    /// Tokens and calls that were spent, and those that were lost.
    #[track_caller]
    fn check(postings: &[SpendPosting], spent: (u64, u64), lost: (u64, u64)) {
        let spending = Books::of("r", postings.to_vec()).after_a_death().spending();
        let expected = Spending {
            spent: totals(spent.0, spent.1),
            reserved: Totals::default(),
            lost: totals(lost.0, lost.1),
        };
        assert_eq!(spending, expected, "{postings:?}");
    }

    #[test]
    fn what_was_on_its_way_is_lost_and_counts_in_full() {
        check(&[], (0, 0), (0, 0));
        check(&[reserve("r", "a", 100), settle("a", Some(30))], (30, 1), (0, 0));
        check(&[reserve("r", "a", 100)], (0, 0), (100, 1));
        // A try that reached nobody, and the next one.
        check(
            &[reserve("r", "a", 100), settle("a", None), reserve("r", "a", 100), settle("a", Some(7))],
            (7, 1),
            (0, 0),
        );
        // Killed on its way, and asked again in the next life.
        check(&[reserve("r", "a", 100), reserve("r", "a", 100), settle("a", Some(30))], (30, 1), (100, 1));
        // Another run's, and a word too late.
        check(&[reserve("q", "a", 100), settle("a", Some(30)), settle("b", Some(5))], (0, 0), (0, 0));
        // More than was reserved: the provider said so.
        check(&[reserve("r", "a", 100), settle("a", Some(300))], (300, 1), (0, 0));
        // An older program's line about a call that died on its way.
        let died = SpendPosting::Settle { call: "a".to_owned(), charged: Some(charge(100)), usage: None };
        check(&[reserve("r", "a", 100), died], (0, 0), (100, 1));
    }

    #[test]
    fn what_is_on_its_way_is_reserved_and_not_lost() {
        let mut books =
            Books::of("r", [reserve("r", "a", 100), reserve("r", "b", 50), settle("b", Some(20))]);
        let expected = Spending { spent: totals(20, 1), reserved: totals(100, 1), lost: Totals::default() };
        assert_eq!(books.spending(), expected);
        assert_eq!(books.by_pass()["dir"].lost, Totals::default());
        // Its answer is found after a death: then it is not lost.
        books = books.after_a_death();
        assert_eq!(books.spending().lost, totals(100, 1));
        assert!(books.is_open("a"));
        books.post(settle("a", Some(60)));
        assert_eq!(books.spending(), Spending { spent: totals(80, 2), ..Spending::default() });
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
        let two = Usage { input: Tokens(2), ..Usage::default() };
        let unpriced = SpendPosting::Settle { call: "b".to_owned(), charged: free, usage: Some(two) };
        let books = Books::of(
            "r",
            [pass("survey", "a", 100), answered, pass("dir", "b", 50), unpriced, pass("dir", "c", 9)],
        )
        .after_a_death();
        let told = books.by_pass();
        assert_eq!((told["survey"].calls, told["survey"].usage), (1, usage));
        assert_eq!((told["dir"].calls, told["dir"].tokens, told["dir"].cost()), (1, Tokens(2), None));
        assert_eq!(told["dir"].lost, totals(9, 1));
        let total = books.total();
        assert_eq!((total.calls, total.tokens, total.money), (2, Tokens(9), Money::from_nanodollars(70)));
        assert_eq!(total.tokens, total.usage.total(), "tokens are the sum of their kinds");
        assert_eq!(total.lost, totals(9, 1));
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
            let books = Books::of("r", lines[..cut].to_vec()).after_a_death();
            prop_assert!(really <= books.spending().all().tokens.0);
            prop_assert_eq!(books.total().tokens, books.total().usage.total());
        }
    }
}
