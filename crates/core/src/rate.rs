//! The rate limiter: when the next call to a provider's model may start.
//!
//! A state machine with time as an argument; one for each provider and model. Three things hold a call back:
//! a pause that all callers share after the provider said "too many", the number of calls in flight, which
//! grows slowly and halves at once, and what the provider's headers say is left of its own limits.
//!
//! **Guarantee**: when nothing is in flight and no pause or allowance holds, a call may start. Nobody waits
//! for ever.
//!
//! Not here: waiting, clocks, and retries of a single call.

mod bucket;
#[cfg(test)]
mod tests;

use std::time::Duration;

use crate::Moment;
use crate::spend::Tokens;
use bucket::Bucket;

/// What the headers of an answer say about one limit of the provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// How many fit when nothing is used.
    pub limit: u64,
    /// How many are left.
    pub remaining: u64,
    /// How long until all of it is there again.
    pub resets_in: Duration,
}

/// What an answer says about the provider's limits. All of it may be missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Signals {
    /// Calls.
    pub requests: Option<Allowance>,
    /// Tokens; where the provider limits several kinds, the kind of which least is left.
    pub tokens: Option<Allowance>,
}

/// How a call ended, as far as its rate is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The provider answered.
    Answered,
    /// The provider said that there is too much to do, and perhaps how long to stay away.
    Throttled {
        /// How long to stay away.
        retry_after: Option<Duration>,
    },
    /// It failed for a reason that says nothing about rates, or was cancelled.
    Failed,
}

/// The right to have one call in flight. It must come back through `Limiter::end`.
#[derive(Debug, PartialEq, Eq)]
#[must_use = "a permit that does not come back blocks a place for ever"]
pub struct Permit {
    started: Moment,
}

/// Whether a call may start.
#[derive(Debug, PartialEq, Eq)]
pub enum Admission {
    /// It may start.
    Go(Permit),
    /// Not before this moment; ask again then.
    Until(Moment),
    /// Not before a call in flight ends; ask again then.
    WhenOneEnds,
}

/// How many calls may be in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Concurrency {
    /// At the start.
    pub initial: u32,
    /// At most.
    pub most: u32,
}

/// When the next call may start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limiter {
    most: u64,
    /// How many calls may be in flight, in thousandths, so that growth can be slow.
    window: u64,
    in_flight: u64,
    paused_until: Moment,
    /// Calls that started before this moment belong to a crowd that has been punished already.
    last_throttle: Option<Moment>,
    throttles_in_a_row: u32,
    requests: Option<Bucket>,
    tokens: Option<Bucket>,
}

const ONE_CALL: u64 = 1000;
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_OWN_PAUSE: Duration = Duration::from_secs(60);

impl Limiter {
    /// A limiter that knows nothing about the provider yet.
    pub fn new(concurrency: Concurrency) -> Self {
        let most = u64::from(concurrency.most.max(1)) * ONE_CALL;
        Self {
            most,
            window: (u64::from(concurrency.initial) * ONE_CALL).clamp(ONE_CALL, most),
            in_flight: 0,
            paused_until: Moment::default(),
            last_throttle: None,
            throttles_in_a_row: 0,
            requests: None,
            tokens: None,
        }
    }

    /// How many calls may be in flight at the moment.
    pub fn concurrency(&self) -> u64 {
        self.window / ONE_CALL
    }

    /// How many calls are in flight.
    pub fn in_flight(&self) -> u64 {
        self.in_flight
    }

    /// Until when everybody stays away because the provider said so; `None` if nobody has to.
    pub fn pause(&self, now: Moment) -> Option<Moment> {
        (now < self.paused_until).then_some(self.paused_until)
    }

    /// Asks to start a call that will use about so many tokens.
    pub fn admit(&mut self, tokens: Tokens, now: Moment) -> Admission {
        if let Some(until) = self.pause(now) {
            return Admission::Until(until);
        }
        if self.concurrency() <= self.in_flight {
            return Admission::WhenOneEnds;
        }
        let ready = [(&self.requests, 1), (&self.tokens, tokens.0)]
            .into_iter()
            .filter_map(|(bucket, amount)| Some(bucket.as_ref()?.ready_at(amount, now)))
            .max();
        if let Some(ready) = ready
            && now < ready
        {
            return Admission::Until(ready);
        }
        for (bucket, amount) in [(&mut self.requests, 1), (&mut self.tokens, tokens.0)] {
            if let Some(bucket) = bucket {
                bucket.take(amount);
            }
        }
        self.in_flight += 1;
        Admission::Go(Permit { started: now })
    }

    /// Takes a permit back and learns from how its call ended.
    pub fn end(&mut self, permit: Permit, end: End, signals: Signals, now: Moment) {
        self.in_flight = self.in_flight.saturating_sub(1);
        // What the provider says about the future counts from now on and replaces what was reckoned.
        if let Some(allowance) = signals.requests {
            self.requests = Some(Bucket::new(allowance, self.in_flight, now));
        }
        if let Some(allowance) = signals.tokens {
            self.tokens = Some(Bucket::new(allowance, 0, now));
        }
        match end {
            End::Answered => {
                self.throttles_in_a_row = 0;
                // One more place for each round of answers, as the whole window contributes to it.
                self.window = (self.window + ONE_CALL * ONE_CALL / self.window).min(self.most);
            }
            End::Throttled { retry_after } => self.throttled(&permit, retry_after, now),
            End::Failed => {}
        }
    }

    fn throttled(&mut self, permit: &Permit, retry_after: Option<Duration>, now: Moment) {
        // A crowd that is turned away together is one event: halving for each of its calls would bring the
        // window down to one at the first hint.
        let is_news = self.last_throttle.is_none_or(|last| last < permit.started);
        if is_news {
            self.window = (self.window / 2).max(ONE_CALL);
            self.last_throttle = Some(now);
        }
        let own_pause =
            FIRST_PAUSE.saturating_mul(1 << self.throttles_in_a_row.min(6)).min(LONGEST_OWN_PAUSE);
        if is_news {
            self.throttles_in_a_row += 1;
        }
        let pause = match (retry_after, is_news) {
            (Some(time), _) => time,
            (None, true) => own_pause,
            (None, false) => return,
        };
        self.paused_until = self.paused_until.max(now.after(pause));
    }
}
