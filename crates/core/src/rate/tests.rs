use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

const QUIET: Signals = Signals { requests: None, tokens: None };

fn at(seconds: u64) -> Moment {
    Moment(Duration::from_secs(seconds))
}

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn limiter(initial: u32) -> Limiter {
    Limiter::new(Concurrency { initial, most: 64 })
}

#[track_caller]
fn go(limiter: &mut Limiter, now: Moment) -> Permit {
    match limiter.admit(Tokens(100), now) {
        Admission::Go(permit) => permit,
        refused @ (Admission::Until(_) | Admission::WhenOneEnds) => panic!("not admitted: {refused:?}"),
    }
}

#[test]
fn only_so_many_calls_are_in_flight() {
    let mut limiter = limiter(2);
    let first = go(&mut limiter, at(0));
    let _second = go(&mut limiter, at(0));
    assert_eq!(limiter.admit(Tokens(1), at(0)), Admission::WhenOneEnds);
    limiter.end(first, End::Failed, QUIET, at(1));
    let _third = go(&mut limiter, at(1));
    assert_eq!(limiter.in_flight(), 2);
}

#[test]
fn the_window_grows_by_one_for_each_round_of_answers() {
    let mut limiter = limiter(4);
    for _ in 0..5 {
        let permit = go(&mut limiter, at(0));
        limiter.end(permit, End::Answered, QUIET, at(0));
    }
    assert_eq!(limiter.concurrency(), 5);
    for _ in 0..10_000 {
        let permit = go(&mut limiter, at(0));
        limiter.end(permit, End::Answered, QUIET, at(0));
    }
    assert_eq!(limiter.concurrency(), 64);
}

#[test]
fn a_crowd_turned_away_together_halves_the_window_once_and_sleeps_once() {
    let mut limiter = limiter(16);
    let crowd: Vec<Permit> = (0..16).map(|_| go(&mut limiter, at(0))).collect();
    for permit in crowd {
        limiter.end(permit, End::Throttled { retry_after: None }, QUIET, at(1));
    }
    assert_eq!(limiter.concurrency(), 8);
    assert_eq!(limiter.admit(Tokens(1), at(1)), Admission::Until(at(2)));
    let permit = go(&mut limiter, at(2));
    limiter.end(permit, End::Throttled { retry_after: None }, QUIET, at(3));
    assert_eq!(limiter.concurrency(), 4);
    assert_eq!(limiter.pause(at(3)), Some(at(5)), "the second pause in a row is longer");
}

#[test]
fn the_provider_decides_how_long_to_stay_away() {
    let mut limiter = limiter(4);
    let (first, second) = (go(&mut limiter, at(0)), go(&mut limiter, at(0)));
    limiter.end(first, End::Throttled { retry_after: Some(seconds(7)) }, QUIET, at(1));
    limiter.end(second, End::Throttled { retry_after: Some(seconds(3)) }, QUIET, at(1));
    assert_eq!(limiter.pause(at(1)), Some(at(8)));
    assert_eq!(limiter.pause(at(8)), None);
}

#[test]
fn own_pauses_double_up_to_a_minute() {
    let mut limiter = limiter(1);
    let mut now = at(0);
    let mut pauses = Vec::new();
    for _ in 0..8 {
        let permit = go(&mut limiter, now);
        limiter.end(permit, End::Throttled { retry_after: None }, QUIET, now);
        let until = limiter.pause(now).unwrap();
        pauses.push(until.since(now).as_secs());
        now = until;
    }
    assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 60, 60]);
}

#[test]
fn headers_steer_calls_and_tokens() {
    let mut limiter = limiter(8);
    let permit = go(&mut limiter, at(0));
    let signals = Signals {
        requests: Some(Allowance { limit: 50, remaining: 1, resets_in: seconds(49) }),
        tokens: Some(Allowance { limit: 40_000, remaining: 10_000, resets_in: seconds(30) }),
    };
    limiter.end(permit, End::Answered, signals, at(0));
    let _one = go(&mut limiter, at(0));
    assert_eq!(limiter.admit(Tokens(100), at(0)), Admission::Until(at(1)), "one more call each second");
    assert_eq!(
        limiter.admit(Tokens(19_900), at(1)),
        Admission::Until(at(10)),
        "a third of the missing 30,000 tokens takes a third of the time"
    );
    assert_eq!(
        limiter.admit(Tokens(1_000_000), at(1)),
        Admission::Until(at(30)),
        "more than the limit waits for all of it"
    );
    assert!(matches!(limiter.admit(Tokens(1_000_000), at(30)), Admission::Until(_) | Admission::Go(_)));
}

proptest! {
    #[test]
    fn nobody_waits_for_ever(events in vec((0..4_u8, 0..100_u64, 0..2000_u64, 0..100_u64), 0..200)) {
        let mut limiter = limiter(4);
        let mut now = at(0);
        let mut flying = Vec::new();
        for (event, amount, remaining, time) in events {
            now = now.after(Duration::from_millis(time * 10));
            let allowance = Some(Allowance { limit: 1000, remaining, resets_in: seconds(time) });
            let signals = Signals { requests: allowance, tokens: allowance };
            match (event, flying.pop()) {
                (0, permit) => {
                    flying.extend(permit);
                    if let Admission::Go(permit) = limiter.admit(Tokens(amount * 20), now) {
                        flying.push(permit);
                    }
                }
                (1, Some(permit)) => limiter.end(permit, End::Answered, signals, now),
                (2, Some(permit)) => {
                    let retry_after = (50 < amount).then_some(seconds(amount));
                    limiter.end(permit, End::Throttled { retry_after }, signals, now);
                }
                (_, Some(permit)) => limiter.end(permit, End::Failed, QUIET, now),
                (_, None) => {}
            }
            prop_assert_eq!(limiter.in_flight(), flying.len() as u64);
            prop_assert!(1 <= limiter.concurrency() && limiter.concurrency() <= 64);
        }
        for permit in flying {
            limiter.end(permit, End::Failed, QUIET, now);
        }
        // Whoever comes back when told to is let in after a few times.
        for _ in 0..4 {
            match limiter.admit(Tokens(5000), now) {
                Admission::Go(_) => return Ok(()),
                Admission::Until(moment) => {
                    prop_assert!(now < moment);
                    now = moment;
                }
                Admission::WhenOneEnds => prop_assert!(false, "nothing is in flight"),
            }
        }
        prop_assert!(false, "still waiting");
    }
}
