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

fn reported(charge: Charge) -> CallEnd {
    CallEnd::Answered { reported: Some(charge), estimated: charge }
}

fn totals(dollars: u64, tokens: u64, calls: u64) -> Totals {
    Totals { money: Money::from_dollars(dollars), tokens: Tokens(tokens), calls }
}

#[test]
fn a_call_settles_at_what_it_used() {
    let mut ledger = Ledger::new(limits());
    let id = ledger.reserve(charge(4, 400), at(0)).unwrap();
    assert_eq!(ledger.spending(), Spending { reserved: totals(4, 400, 1), ..Spending::default() });
    let booking = ledger.settle(id, reported(charge(1, 100))).unwrap();
    assert_eq!(booking, Booking { charged: charge(1, 100), is_lost: false, exceeded: false });
    assert_eq!(ledger.spending(), Spending { spent: totals(1, 100, 1), ..Spending::default() });
    assert_eq!(ledger.settle(id, CallEnd::Died), None, "a reservation settles once");
}

#[test]
fn spent_reserved_and_lost_are_three_numbers_and_all_count() {
    let mut ledger = Ledger::new(limits());
    let died = ledger.reserve(charge(4, 400), at(0)).unwrap();
    let unsent = ledger.reserve(charge(4, 400), at(0)).unwrap();
    ledger.settle(unsent, CallEnd::NotSent);
    ledger.settle(died, CallEnd::Died);
    let answered = ledger.reserve(charge(3, 300), at(0)).unwrap();
    ledger.settle(answered, reported(charge(1, 100)));
    ledger.reserve(charge(2, 200), at(0)).unwrap();
    let expected =
        Spending { spent: totals(1, 100, 1), reserved: totals(2, 200, 1), lost: totals(4, 400, 1) };
    assert_eq!(ledger.spending(), expected);
    assert_eq!(ledger.left(Wait::ForOthers), (Some(Money::from_dollars(3)), Some(Tokens(300))));
    assert_eq!(ledger.left(Wait::InVain), (Some(Money::from_dollars(5)), Some(Tokens(500))));
    assert!(ledger.reserve(charge(4, 1), at(0)).is_err());
    // In the next life what was reserved is lost.
    let resumed = Ledger::resume(limits(), expected).spending();
    assert_eq!(
        resumed,
        Spending { spent: totals(1, 100, 1), reserved: Totals::default(), lost: totals(6, 600, 2) }
    );
}

#[test]
fn a_report_of_more_than_was_reserved_is_booked_and_passing_a_limit_is_told() {
    let mut ledger = Ledger::new(limits());
    let id = ledger.reserve(charge(4, 400), at(0)).unwrap();
    let booking = ledger.settle(id, reported(charge(9, 900)));
    assert_eq!(booking, Some(Booking { charged: charge(9, 900), is_lost: false, exceeded: true }));
    assert_eq!(limits().passed_by(ledger.spending()), None);
    let id = ledger.reserve(charge(1, 100), at(0)).unwrap();
    ledger.settle(id, reported(charge(2, 100)));
    assert_eq!(ledger.spending().spent, totals(11, 1000, 2));
    let passed = limits().passed_by(ledger.spending()).unwrap().to_string();
    assert_eq!(
        passed,
        "the money limit of $10.00 was passed: $11.00 was spent, as the provider reported more than was reserved"
    );
    assert!(ledger.reserve(charge(0, 0), at(0)).is_ok());
    assert!(matches!(ledger.reserve(charge(1, 0), at(0)), Err(Refusal::Money { wait: Wait::InVain, .. })));
    let tokens = Limits { money: None, tokens: Some(Tokens(999)), ..limits() };
    assert_eq!(
        tokens.passed_by(ledger.spending()).unwrap().to_string(),
        "the limit of 999 tokens was passed: 1000 were used, as the provider reported more than was reserved"
    );
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

    ledger.settle(first, CallEnd::Died);
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
    ledger.settle(id, reported(Charge { money: None, tokens: Tokens(5) }));
    assert_eq!(ledger.spending().spent, Totals { money: Money::default(), tokens: Tokens(5), calls: 1 });
}

const CALLERS: usize = 64;

#[derive(Debug, Clone)]
enum Step {
    Reserve { caller: usize, worst: Charge, at: u64 },
    Settle { caller: usize, end: CallEnd },
}

fn any_charge() -> impl Strategy<Value = Charge> {
    let amount = prop_oneof![4 => 0..300_u64, 1 => Just(u64::MAX), 1 => any::<u64>()];
    (proptest::option::weighted(0.9, amount.clone()), amount).prop_map(|(money, tokens)| Charge {
        money: money.map(Money::from_nanodollars),
        tokens: Tokens(tokens),
    })
}

fn any_step() -> impl Strategy<Value = Step> {
    let end = prop_oneof![
        3 => (any_charge(), any_charge())
            .prop_map(|(reported, estimated)| CallEnd::Answered { reported: Some(reported), estimated }),
        1 => any_charge().prop_map(|estimated| CallEnd::BrokenOff { estimated }),
        1 => Just(CallEnd::NotSent),
        1 => Just(CallEnd::Died),
    ];
    prop_oneof![
        (0..CALLERS, any_charge(), 0..80_u64).prop_map(|(caller, worst, at)| Step::Reserve {
            caller,
            worst,
            at
        }),
        (0..CALLERS, end).prop_map(|(caller, end)| Step::Settle { caller, end }),
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
        let mut has_exceeded = false;
        for step in steps {
            match step {
                // A caller that reserves again without settling was lost: its process died.
                Step::Reserve { caller, worst, at: seconds } => {
                    if let Some(abandoned) = held[caller].take() {
                        prop_assert!(ledger.settle(abandoned, CallEnd::Died).is_some());
                    }
                    held[caller] = ledger.reserve(worst, at(seconds)).ok();
                }
                Step::Settle { caller, end } => {
                    if let Some(id) = held[caller].take() {
                        has_exceeded |= ledger.settle(id, end).is_some_and(|booking| booking.exceeded);
                        prop_assert_eq!(ledger.settle(id, end), None);
                    }
                }
            }
            let spending = ledger.spending();
            let all = spending.all();
            // Only a report of more than was reserved takes a run past a limit.
            prop_assert!(has_exceeded || limits.money.is_none_or(|limit| all.money <= limit));
            prop_assert!(has_exceeded || limits.tokens.is_none_or(|limit| all.tokens <= limit));
            prop_assert!(has_exceeded || limits.passed_by(spending).is_none());
            prop_assert!(limits.calls.is_none_or(|limit| all.calls <= limit));
            prop_assert_eq!(held.iter().flatten().count() as u64, spending.reserved.calls);
        }
        for id in held.into_iter().flatten() {
            ledger.settle(id, CallEnd::Died);
        }
        prop_assert_eq!(ledger.spending().reserved, Totals::default());
    }
}
