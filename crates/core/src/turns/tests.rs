use proptest::prelude::*;

use super::*;
use crate::plan::Tier;

fn dir(name: &str) -> RelPath {
    RelPath::from(name)
}

/// A ledger with promises that have started as their first attempt.
fn running(total: u32, promised: &[(&str, u32)]) -> Ledger {
    let mut ledger = Ledger::new();
    ledger.post(&Posting::Open { total: Turns(total) }).unwrap();
    for (name, turns) in promised {
        ledger.post(&Posting::Promise { dir: dir(name), turns: Turns(*turns) }).unwrap();
    }
    ledger
}

fn start(ledger: &mut Ledger, name: &str) {
    ledger.post(&Posting::Start { dir: dir(name), attempt: 1 }).unwrap();
}

fn spend(ledger: &mut Ledger, name: &str, turn: u32) -> Result<Vec<Outcome>, Odd> {
    ledger.post(&Posting::Spend { dir: dir(name), attempt: 1, turn })
}

fn end(ledger: &mut Ledger, name: &str) -> Vec<Outcome> {
    ledger.post(&Posting::End { dir: dir(name), attempt: 1 }).unwrap()
}

fn borrow(ledger: &mut Ledger, name: &str, loan: u64, turns: u32, tier: Tier) -> Vec<Outcome> {
    let posting = Posting::Borrow {
        dir: dir(name),
        attempt: 1,
        loan: LoanId(loan),
        turns: Turns(turns),
        band: tier.into(),
    };
    ledger.post(&posting).unwrap()
}

fn granted(loan: u64, turns: u32) -> Outcome {
    Outcome::Granted { loan: LoanId(loan), turns: Turns(turns) }
}

fn refused(loan: u64, because: Refusal) -> Outcome {
    Outcome::Refused { loan: LoanId(loan), because }
}

#[test]
fn a_directory_spends_what_it_has_and_returns_the_rest() {
    let mut ledger = running(20, &[("a", 10), ("b", 10)]);
    start(&mut ledger, "a");
    for turn in 1..=4 {
        spend(&mut ledger, "a", turn).unwrap();
    }
    assert_eq!((ledger.used(), ledger.reserved(), ledger.free()), (Turns(4), Turns(16), Turns(0)));
    end(&mut ledger, "a");
    assert_eq!((ledger.used(), ledger.reserved(), ledger.free()), (Turns(4), Turns(10), Turns(6)));
    let account = ledger.account(&dir("a"));
    assert_eq!(
        account,
        Account { allocated: Turns(10), borrowed: Turns(0), used: Turns(4), returned: Turns(6) }
    );
}

#[test]
fn a_turn_is_booked_once_and_in_order() {
    let mut ledger = running(2, &[("a", 2)]);
    assert_eq!(spend(&mut ledger, "a", 1), Err(Odd::Stale { current: 0 }));
    start(&mut ledger, "a");
    spend(&mut ledger, "a", 1).unwrap();
    assert_eq!(spend(&mut ledger, "a", 1), Err(Odd::SpentAlready));
    assert_eq!(spend(&mut ledger, "a", 3), Err(Odd::OutOfOrder { next: 2 }));
    spend(&mut ledger, "a", 2).unwrap();
    assert_eq!(spend(&mut ledger, "a", 3), Err(Odd::NothingLeft));
    end(&mut ledger, "a");
    assert_eq!(spend(&mut ledger, "a", 3), Err(Odd::HasEnded));
}

#[test]
fn what_is_promised_to_others_is_not_lent() {
    let mut ledger = running(20, &[("a", 10), ("b", 10)]);
    start(&mut ledger, "a");
    assert_eq!(borrow(&mut ledger, "a", 1, 5, Tier::Default), [Outcome::Waits(LoanId(1))]);
    // What comes back from the other serves the one who waits.
    start(&mut ledger, "b");
    assert_eq!(end(&mut ledger, "b"), [granted(1, 5)]);
    assert_eq!(ledger.left(&dir("a")), Turns(15));
    assert_eq!(ledger.free(), Turns(5));
}

#[test]
fn surplus_is_lent_at_once_as_far_as_it_goes() {
    let mut ledger = running(13, &[("a", 10)]);
    start(&mut ledger, "a");
    assert_eq!(borrow(&mut ledger, "a", 1, 5, Tier::Shallow), [granted(1, 3)]);
}

#[test]
fn no_directory_gets_more_than_the_cap() {
    let mut ledger = running(100, &[("a", 20)]);
    start(&mut ledger, "a");
    assert_eq!(borrow(&mut ledger, "a", 1, 50, Tier::Priority), [granted(1, 5)]);
    assert_eq!(borrow(&mut ledger, "a", 2, 1, Tier::Priority), [refused(2, Refusal::Cap)]);
}

#[test]
fn the_important_are_served_first_then_the_first() {
    let mut ledger = running(40, &[("a", 10), ("b", 10), ("c", 10), ("d", 10)]);
    for name in ["a", "b", "c", "d"] {
        start(&mut ledger, name);
    }
    borrow(&mut ledger, "a", 1, 4, Tier::Default);
    borrow(&mut ledger, "b", 2, 4, Tier::Default);
    borrow(&mut ledger, "c", 3, 4, Tier::Priority);
    for turn in 1..=4 {
        spend(&mut ledger, "d", turn).unwrap();
    }
    assert_eq!(end(&mut ledger, "d"), [granted(3, 4), granted(1, 2)]);
    assert_eq!(ledger.waiting(), 1);
}

#[test]
fn who_waits_for_nothing_is_refused() {
    let mut ledger = running(10, &[("a", 10)]);
    start(&mut ledger, "a");
    assert_eq!(borrow(&mut ledger, "a", 1, 1, Tier::Default), [refused(1, Refusal::NothingOut)]);
    let mut ledger = running(20, &[("a", 10), ("b", 10)]);
    start(&mut ledger, "a");
    start(&mut ledger, "b");
    borrow(&mut ledger, "a", 1, 1, Tier::Default);
    for turn in 1..=9 {
        spend(&mut ledger, "b", turn).unwrap();
    }
    assert_eq!(spend(&mut ledger, "b", 10), Ok(vec![refused(1, Refusal::NothingOut)]));
}

#[test]
fn a_wish_that_returns_are_unlikely_to_cover_is_refused_at_once() {
    let mut ledger = running(30, &[("a", 10), ("b", 10), ("c", 10)]);
    for name in ["a", "b", "c"] {
        start(&mut ledger, name);
    }
    for turn in 1..=10 {
        spend(&mut ledger, "a", turn).unwrap();
    }
    end(&mut ledger, "a");
    // Whoever has ended used everything, so nothing is expected back of the ten turns that are out.
    assert_eq!(borrow(&mut ledger, "b", 1, 1, Tier::Default), [refused(1, Refusal::TooLittleComesBack)]);
}

#[test]
fn when_all_wait_for_all_the_least_important_gives_in() {
    let mut ledger = running(30, &[("a", 10), ("b", 10), ("root", 10)]);
    start(&mut ledger, "a");
    start(&mut ledger, "b");
    borrow(&mut ledger, "a", 1, 2, Tier::Shallow);
    borrow(&mut ledger, "b", 2, 2, Tier::Default);
    assert_eq!(ledger.post(&Posting::RefuseOne), Ok(vec![refused(1, Refusal::Stuck)]));
}

#[test]
fn another_attempt_takes_over_what_is_left() {
    let mut ledger = running(10, &[("a", 10)]);
    start(&mut ledger, "a");
    spend(&mut ledger, "a", 1).unwrap();
    ledger.post(&Posting::Start { dir: dir("a"), attempt: 3 }).unwrap();
    assert_eq!(spend(&mut ledger, "a", 2), Err(Odd::Stale { current: 3 }));
    ledger.post(&Posting::Spend { dir: dir("a"), attempt: 3, turn: 2 }).unwrap();
    assert_eq!(ledger.left(&dir("a")), Turns(8));
    ledger.post(&Posting::Refund { dir: dir("a"), attempt: 3 }).unwrap();
    assert_eq!((ledger.left(&dir("a")), ledger.used()), (Turns(10), Turns(0)));
}

#[test]
fn after_the_end_nobody_spends_or_borrows() {
    let mut ledger = running(20, &[("a", 10), ("b", 10)]);
    start(&mut ledger, "a");
    start(&mut ledger, "b");
    borrow(&mut ledger, "a", 1, 2, Tier::Default);
    assert_eq!(ledger.post(&Posting::Close), Ok(vec![refused(1, Refusal::Closed)]));
    assert_eq!(spend(&mut ledger, "a", 1), Err(Odd::Closed));
    assert_eq!(borrow(&mut ledger, "b", 2, 2, Tier::Default), [refused(2, Refusal::Closed)]);
}

#[test]
fn a_resumed_run_may_have_another_limit_but_not_less_than_is_out() {
    let mut ledger = running(20, &[("a", 10)]);
    assert_eq!(ledger.post(&Posting::Limit { total: Turns(9) }), Err(Odd::LessThanOut { out: Turns(10) }));
    ledger.post(&Posting::Limit { total: Turns(12) }).unwrap();
    assert_eq!(ledger.free(), Turns(2));
}

fn any_posting() -> impl Strategy<Value = Posting> {
    let name = || prop::sample::select(vec!["a", "b", "c", "d", "e"]).prop_map(dir);
    let turns = || (0_u32..30).prop_map(Turns);
    let attempt = || 0_u32..3;
    prop_oneof![
        1 => turns().prop_map(|total| Posting::Limit { total }),
        3 => (name(), turns()).prop_map(|(dir, turns)| Posting::Promise { dir, turns }),
        1 => name().prop_map(|dir| Posting::Release { dir }),
        3 => (name(), attempt()).prop_map(|(dir, attempt)| Posting::Start { dir, attempt }),
        8 => (name(), attempt(), 1_u32..12).prop_map(|(dir, attempt, turn)| Posting::Spend { dir, attempt, turn }),
        1 => (name(), attempt()).prop_map(|(dir, attempt)| Posting::Refund { dir, attempt }),
        2 => (name(), attempt()).prop_map(|(dir, attempt)| Posting::End { dir, attempt }),
        5 => (name(), attempt(), 0_u64..200, turns(), 0_u8..3).prop_map(|(dir, attempt, loan, turns, band)| {
            Posting::Borrow { dir, attempt, loan: LoanId(loan), turns, band: Band(band) }
        }),
        1 => (0_u64..200).prop_map(|loan| Posting::Withdraw { loan: LoanId(loan) }),
        1 => Just(Posting::RefuseOne),
    ]
}

/// The sum of what directories hold, counted the long way.
fn held(ledger: &Ledger) -> u32 {
    ledger.holdings.values().map(Holding::left).sum()
}

proptest! {
    /// No order of postings loses or mints a turn, leaves somebody waiting who could be served, answers a wish twice,
    /// or gives a directory more than the cap; and the journal replays to the same ledger.
    #[test]
    fn the_ledger_is_conserved(total in 0_u32..120, postings in prop::collection::vec(any_posting(), 0..120)) {
        let mut ledger = Ledger::new();
        let mut journal = vec![Posting::Open { total: Turns(total) }];
        ledger.post(&journal[0]).unwrap();
        let mut answered = std::collections::BTreeSet::new();
        for posting in postings {
            let before = ledger.clone();
            let promised: u32 =
                before.holdings.values().filter(|holding| holding.attempt == 0).map(Holding::left).sum();
            match ledger.post(&posting) {
                Err(_) => prop_assert_eq!(&ledger, &before, "an odd posting changes nothing"),
                Ok(outcomes) => {
                    for outcome in outcomes {
                        match outcome {
                            Outcome::Granted { loan, turns } => {
                                prop_assert!(answered.insert(loan), "answered twice");
                                prop_assert!(Turns(0) < turns);
                            }
                            Outcome::Refused { loan, .. } => prop_assert!(answered.insert(loan), "answered twice"),
                            Outcome::Waits(_) => {}
                        }
                    }
                    if matches!(posting, Posting::Borrow { .. }) {
                        let still: u32 =
                            ledger.holdings.values().filter(|holding| holding.attempt == 0).map(Holding::left).sum();
                        prop_assert_eq!(promised, still, "what was promised was lent");
                    }
                    journal.push(posting);
                }
            }
            prop_assert_eq!(ledger.used() .0 + held(&ledger) + ledger.free().0, ledger.total().0);
            prop_assert_eq!(held(&ledger), ledger.reserved().0);
            prop_assert!(ledger.waiting() == 0 || ledger.free() == Turns(0), "somebody waits who could be served");
            let within = |holding: &Holding| holding.borrowed == 0 || holding.granted() <= Turns::MOST.0;
            prop_assert!(ledger.holdings.values().all(within));
        }
        let mut replayed = Ledger::new();
        for posting in &journal {
            let line = serde_json::to_string(posting).unwrap();
            replayed.post(&serde_json::from_str(&line).unwrap()).unwrap();
        }
        prop_assert_eq!(replayed, ledger);
    }
}
