//! Many callers at once, a model that lies, fails and hangs, and a limit that holds.
//!
//! A gateway in miniature: the rules of the ledger and of the limiter with real tasks around them.
#![expect(clippy::unwrap_used, reason = "a test stops when it cannot go on")]

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use luminos_core::Moment;
use luminos_core::rate::{Admission, Concurrency, End, Limiter, Permit, Signals};
use luminos_core::spend::{
    Ledger, Limits, Money, Outcome, Refusal, ReservationId, Tokens, Totals, Usage, Wait,
};
use luminos_models::{Error, Kind, Listener, Model, Models, Pass, Reply, Request, estimate_input, rate_end};
use tokio::sync::Notify;

const CALLERS: u64 = 64;
const CALLS_EACH: u64 = 12;
const MODEL: &str = "claude-sonnet-5-5";

/// Numbers that look random and are the same for the same seed.
struct Dice(AtomicU64);

impl Dice {
    fn roll(&self, sides: u64) -> u64 {
        let mut number = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (number ^ (number >> 31)) % sides
    }
}

/// Lies, fails and hangs.
struct Adversary(Dice);

impl Model for Adversary {
    fn id(&self) -> &str {
        MODEL
    }

    async fn stream(&self, _: &Request, _: &mut Listener<'_>) -> Result<Reply, Error> {
        tokio::time::sleep(Duration::from_micros(self.0.roll(1500))).await;
        let said = |input, output| {
            let usage = Usage { input: Tokens(input), output: Tokens(output), ..Usage::default() };
            Ok(Reply { usage: Some(usage), ..Reply::of_text("Well. ".repeat(20)) })
        };
        match self.0.roll(9) {
            0..=2 => said(60, 30),
            3 => said(u64::MAX, u64::MAX),
            4 => said(0, 0),
            5 => Ok(Reply { usage: None, ..Reply::of_text("Well.") }),
            6 => Err(Error::new(Kind::Overloaded, MODEL)),
            7 => Err(Error::new(Kind::BrokenOff, MODEL)),
            _ => std::future::pending().await,
        }
    }
}

struct Gate {
    model: Adversary,
    models: Models,
    limits: Limits,
    start: Instant,
    state: Mutex<(Ledger, Limiter)>,
    changed: Notify,
}

impl Gate {
    fn now(&self) -> Moment {
        Moment(self.start.elapsed())
    }

    /// Changes the state, and checks what must hold after every change.
    fn change<T>(&self, change: impl FnOnce(&mut Ledger, &mut Limiter) -> T) -> T {
        let mut state = self.state.lock().unwrap();
        let (ledger, limiter) = &mut *state;
        let changed = change(ledger, limiter);
        let (spent, reserved) = (ledger.spent(), ledger.reserved());
        assert!(spent.money.plus(reserved.money) <= self.limits.money.unwrap(), "{spent:?} {reserved:?}");
        assert!(spent.tokens + reserved.tokens <= self.limits.tokens.unwrap(), "{spent:?} {reserved:?}");
        assert!(limiter.in_flight() <= CALLERS);
        changed
    }

    async fn call(&self, request: &Request) -> Result<(), Refusal> {
        let input = estimate_input(request);
        let worst = self.models.worst_case(MODEL, input, Tokens(u64::from(request.max_output)));
        let reservation = loop {
            let notified = self.changed.notified();
            match self.change(|ledger, _| ledger.reserve(worst, self.now())) {
                Ok(id) => break id,
                Err(
                    Refusal::Money { wait: Wait::ForOthers, .. }
                    | Refusal::Tokens { wait: Wait::ForOthers, .. },
                ) => notified.await,
                Err(refusal) => return Err(refusal),
            }
        };
        let mut call = InFlight { gate: self, reservation, permit: None, end: None };
        loop {
            let notified = self.changed.notified();
            match self.change(|_, limiter| limiter.admit(worst.tokens, self.now())) {
                Admission::Go(permit) => break call.permit = Some(permit),
                Admission::Until(moment) => tokio::time::sleep(moment.since(self.now())).await,
                Admission::WhenOneEnds => notified.await,
            }
        }
        let result = self.model.complete(request).await;
        let (outcome, _) = self.models.settlement(MODEL, request, &result);
        let end = match rate_end(&result).0 {
            // Real waits would make the test long.
            End::Throttled { .. } => End::Throttled { retry_after: Some(Duration::from_millis(2)) },
            end @ (End::Answered | End::Failed) => end,
        };
        call.end = Some((outcome, end));
        Ok(())
    }
}

/// A call on its way. However it ends, also by being dropped, its reservation settles and its permit returns.
struct InFlight<'a> {
    gate: &'a Gate,
    reservation: ReservationId,
    permit: Option<Permit>,
    end: Option<(Outcome, End)>,
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        let was_sent = self.permit.is_some();
        let unfinished = if was_sent { Outcome::Unknown } else { Outcome::NotSent };
        let (outcome, end) = self.end.unwrap_or((unfinished, End::Failed));
        let now = self.gate.now();
        self.gate.change(|ledger, limiter| {
            ledger.settle(self.reservation, outcome);
            if let Some(permit) = self.permit.take() {
                limiter.end(permit, end, Signals::default(), now);
            }
        });
        self.gate.changed.notify_waiters();
    }
}

async fn check(seed: u64) {
    let limits =
        Limits { money: Some("0.06".parse().unwrap()), tokens: Some(Tokens(400_000)), ..Limits::default() };
    let gate = Arc::new(Gate {
        model: Adversary(Dice(AtomicU64::new(seed))),
        models: Models::read(None).unwrap(),
        limits,
        start: Instant::now(),
        state: Mutex::new((Ledger::new(limits), Limiter::new(Concurrency { initial: 16, most: 64 }))),
        changed: Notify::new(),
    });
    let callers: Vec<_> = (0..CALLERS)
        .map(|caller| {
            let gate = gate.clone();
            tokio::spawn(async move {
                let dice = Dice(AtomicU64::new(seed ^ (caller << 32)));
                let request = Request::question(Pass::Dir, "word ".repeat(100), 500);
                let mut refusals = 0;
                for _ in 0..CALLS_EACH {
                    // A caller that loses patience drops its call wherever it is.
                    let patience = Duration::from_micros(500 + dice.roll(8000));
                    if let Ok(Err(_)) = tokio::time::timeout(patience, gate.call(&request)).await {
                        refusals += 1;
                    }
                }
                refusals
            })
        })
        .collect();
    let mut refusals = 0;
    for caller in callers {
        refusals += caller.await.unwrap();
    }
    let state = gate.state.lock().unwrap();
    assert_eq!(state.0.reserved(), Totals::default(), "seed {seed}: a reservation leaked");
    assert_eq!(state.1.in_flight(), 0, "seed {seed}: a permit leaked");
    let spent = state.0.spent();
    assert!(Money::default() < spent.money && 0 < spent.calls);
    assert!(0 < refusals, "seed {seed}: the limit was never reached ({spent:?})");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_crowd_of_callers_passes_the_limit_or_leaks() {
    for seed in 1..=8 {
        check(seed * 7919).await;
    }
}
