use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

fn charge(dollars: u64, tokens: u64) -> Charge {
    Charge { money: Some(Money::from_dollars(dollars)), tokens: Tokens(tokens) }
}

fn at(seconds: u64) -> Moment {
    Moment(Duration::from_secs(seconds))
}

fn limits() -> Limits {
    Limits {
        money: Some(Money::from_dollars(10)),
        tokens: Some(Tokens(1000)),
        calls: Some(5),
        deadline: Some(at(60)),
    }
}

#[test]
fn a_call_settles_at_what_it_used() {
    let mut ledger = Ledger::new(limits());
    let id = ledger.reserve(charge(4, 400), at(0)).unwrap();
    let settled = ledger.settle(id, Outcome::Used(charge(1, 100))).unwrap();
    assert_eq!(settled, Settled { charged: charge(1, 100), exceeded: false });
    assert_eq!(ledger.spent(), Totals { money: Money::from_dollars(1), tokens: Tokens(100), calls: 1 });
    assert_eq!(ledger.reserved(), Totals::default());
    assert_eq!(ledger.settle(id, Outcome::Unknown), None, "a reservation settles once");
}

#[test]
fn a_call_that_died_counts_in_full_and_one_that_was_not_sent_not_at_all() {
    let mut ledger = Ledger::new(limits());
    let died = ledger.reserve(charge(4, 400), at(0)).unwrap();
    let unsent = ledger.reserve(charge(4, 400), at(0)).unwrap();
    ledger.settle(unsent, Outcome::NotSent);
    ledger.settle(died, Outcome::Unknown);
    assert_eq!(ledger.spent(), Totals { money: Money::from_dollars(4), tokens: Tokens(400), calls: 1 });
}

#[test]
fn a_report_of_more_than_possible_is_booked_at_the_worst_case_and_told() {
    let mut ledger = Ledger::new(limits());
    let id = ledger.reserve(charge(4, 400), at(0)).unwrap();
    let settled = ledger.settle(id, Outcome::Used(charge(400, u64::MAX)));
    assert_eq!(settled, Some(Settled { charged: charge(4, 400), exceeded: true }));
}

#[test]
fn each_limit_refuses_in_words_and_says_whether_waiting_helps() {
    let mut ledger = Ledger::new(limits());
    let first = ledger.reserve(charge(8, 100), at(0)).unwrap();
    let by_money = ledger.reserve(charge(3, 1), at(0)).unwrap_err();
    assert_eq!(
        by_money.to_string(),
        "the money limit of $10.00 leaves $2.00, and the next call can cost $3.00"
    );
    assert!(matches!(by_money, Refusal::Money { wait: Wait::ForOthers, .. }));
    let by_tokens = ledger.reserve(charge(1, 1001), at(0)).unwrap_err();
    assert_eq!(by_tokens.to_string(), "the limit of 1000 tokens leaves 900, and the next call can use 1001");
    assert!(matches!(by_tokens, Refusal::Tokens { wait: Wait::InVain, .. }));

    ledger.settle(first, Outcome::Unknown);
    let later = ledger.reserve(charge(3, 1), at(0)).unwrap_err();
    assert!(matches!(later, Refusal::Money { wait: Wait::InVain, .. }));

    assert_eq!(ledger.reserve(charge(0, 0), at(60)).unwrap_err().to_string(), "the time limit is reached");
    let unpriced = Charge { money: None, tokens: Tokens(1) };
    assert_eq!(ledger.reserve(unpriced, at(0)), Err(Refusal::UnknownPrice));

    for _ in 0..4 {
        ledger.reserve(charge(0, 0), at(0)).unwrap();
    }
    let by_calls = ledger.reserve(charge(0, 0), at(0)).unwrap_err();
    assert_eq!(by_calls.to_string(), "the limit of 5 model calls is reached");
}

#[test]
fn without_a_money_limit_no_price_is_needed() {
    let mut ledger = Ledger::new(Limits { money: None, ..limits() });
    let id = ledger.reserve(Charge { money: None, tokens: Tokens(7) }, at(0)).unwrap();
    ledger.settle(id, Outcome::Used(Charge { money: None, tokens: Tokens(5) }));
    assert_eq!(ledger.spent(), Totals { money: Money::default(), tokens: Tokens(5), calls: 1 });
}

const CALLERS: usize = 64;

#[derive(Debug, Clone)]
enum Step {
    Reserve { caller: usize, worst: Charge, at: u64 },
    Settle { caller: usize, outcome: Outcome },
}

fn any_charge() -> impl Strategy<Value = Charge> {
    let amount = prop_oneof![4 => 0..300_u64, 1 => Just(u64::MAX), 1 => any::<u64>()];
    (proptest::option::weighted(0.9, amount.clone()), amount).prop_map(|(money, tokens)| Charge {
        money: money.map(Money::from_nanodollars),
        tokens: Tokens(tokens),
    })
}

fn any_step() -> impl Strategy<Value = Step> {
    let outcome = prop_oneof![3 => any_charge().prop_map(Outcome::Used), 1 => Just(Outcome::NotSent), 1 => Just(Outcome::Unknown)];
    prop_oneof![
        (0..CALLERS, any_charge(), 0..80_u64).prop_map(|(caller, worst, at)| Step::Reserve {
            caller,
            worst,
            at
        }),
        (0..CALLERS, outcome).prop_map(|(caller, outcome)| Step::Settle { caller, outcome }),
    ]
}

fn any_limits() -> impl Strategy<Value = Limits> {
    (proptest::option::of(0..5000_u64), proptest::option::of(0..5000_u64), proptest::option::of(0..40_u64))
        .prop_map(|(money, tokens, calls)| Limits {
            money: money.map(Money::from_nanodollars),
            tokens: tokens.map(Tokens),
            calls,
            deadline: Some(at(70)),
        })
}

proptest! {
    #[test]
    fn no_interleaving_passes_a_limit_or_leaks(limits in any_limits(), steps in vec(any_step(), 0..400)) {
        let mut ledger = Ledger::new(limits);
        let mut held: Vec<Option<ReservationId>> = vec![None; CALLERS];
        for step in steps {
            match step {
                // A caller that reserves again without settling was cancelled: its call died on the way.
                Step::Reserve { caller, worst, at: seconds } => {
                    if let Some(abandoned) = held[caller].take() {
                        prop_assert!(ledger.settle(abandoned, Outcome::Unknown).is_some());
                    }
                    held[caller] = ledger.reserve(worst, at(seconds)).ok();
                }
                Step::Settle { caller, outcome } => {
                    if let Some(id) = held[caller].take() {
                        prop_assert!(ledger.settle(id, outcome).is_some());
                        prop_assert_eq!(ledger.settle(id, outcome), None);
                    }
                }
            }
            let (spent, reserved) = (ledger.spent(), ledger.reserved());
            prop_assert!(limits.money.is_none_or(|limit| spent.money.plus(reserved.money) <= limit));
            prop_assert!(limits.tokens.is_none_or(|limit| spent.tokens + reserved.tokens <= limit));
            prop_assert!(limits.calls.is_none_or(|limit| spent.calls + reserved.calls <= limit));
            prop_assert_eq!(held.iter().flatten().count() as u64, reserved.calls);
        }
        for id in held.into_iter().flatten() {
            ledger.settle(id, Outcome::Unknown);
        }
        prop_assert_eq!(ledger.reserved(), Totals::default());
    }
}
