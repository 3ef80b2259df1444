//! What a call's end means for those who let it start: the ledger, the rate limiter, the next try.

use std::time::Duration;

use luminos_core::Moment;
use luminos_core::rate::{End, Signals};
use luminos_core::spend::{CallEnd, Tokens, Usage};

use crate::charge::{Booked, UsageDoubt};
use crate::error::{Error, backoff};
use crate::prices::Models;
use crate::reply::Reply;
use luminos_core::talk::Request;

/// How the reservation of a call settles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settlement {
    /// How it ended, for the ledger.
    pub end: CallEnd,
    /// The tokens of what is booked for it.
    pub usage: Usage,
    /// What was wrong with what the provider said about usage.
    pub doubt: Option<UsageDoubt>,
}

impl Settlement {
    /// Of a call that used nothing, or of which nobody knows what it used.
    pub fn without_usage(end: CallEnd) -> Self {
        Self { end, usage: Usage::default(), doubt: None }
    }
}

/// What was set aside for a call, and how much of its answer came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sent {
    /// The most that its input has.
    pub input: Tokens,
    /// The most that its answer can have.
    pub max_output: Tokens,
    /// What was received of the answer.
    pub received: Tokens,
}

impl Models {
    /// How a call ended, as `luminos_core::spend::book` wants to know it.
    pub fn settlement(
        &self,
        id: &str,
        request: &Request,
        sent: Sent,
        result: &Result<Reply, Error>,
    ) -> Settlement {
        match result {
            Ok(reply) => {
                let Booked { usage, charge, doubt } = self.book(id, request, sent, reply);
                let reported = doubt.is_none().then_some(charge);
                Settlement { end: CallEnd::Answered { reported, estimated: charge }, usage, doubt }
            }
            Err(error) if error.may_have_cost() => self.broken_off(id, sent),
            Err(_) => Settlement::without_usage(CallEnd::Refused),
        }
    }

    /// How a call ended that was sent and has no whole answer.
    pub fn broken_off(&self, id: &str, sent: Sent) -> Settlement {
        let output = sent.received.min(sent.max_output);
        let usage = Usage { input: sent.input, output, ..Usage::default() };
        Settlement { end: CallEnd::BrokenOff { estimated: self.charge(id, &usage) }, usage, doubt: None }
    }
}

/// What the rate limiter learns from a call.
pub fn rate_end(result: &Result<Reply, Error>) -> (End, Signals) {
    match result {
        Ok(reply) => (End::Answered, reply.signals),
        Err(error) => {
            let end = if error.is_put_off() {
                End::Throttled { retry_after: error.provider_wait() }
            } else {
                End::Failed
            };
            (end, error.rate_signals())
        }
    }
}

/// When a failed call is tried again; `None` if it is not, because of its kind, because it was tried often
/// enough, because the deadline comes first, or because the provider has put it off for so long that no patience is left.
/// `random` is any number.
pub fn next_try(
    error: &Error,
    retries_before: u32,
    random: u32,
    now: Moment,
    deadline: Option<Moment>,
    patience: Duration,
) -> Option<Moment> {
    let mut wait = backoff(error, retries_before, random)?;
    if error.is_put_off() {
        let asked = error.provider_wait().unwrap_or_default();
        if patience.is_zero() || patience < asked {
            return None;
        }
        wait = wait.min(patience);
    }
    let moment = now.after(wait);
    deadline.is_none_or(|deadline| moment < deadline).then_some(moment)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Kind;
    use luminos_core::talk::Pass;

    fn error(kind: Kind) -> Error {
        Error::new(kind, "m")
    }

    const SENT: Sent = Sent { input: Tokens(900), max_output: Tokens(10), received: Tokens(4) };

    fn settled(sent: Sent, result: &Result<Reply, Error>) -> Settlement {
        let request = Request::question(Pass::Ask, "Hello?", 10);
        Models::read(None).unwrap().settlement("claude-sonnet-5-5", &request, sent, result)
    }

    #[test]
    fn what_a_provider_reports_is_told_from_what_is_estimated() {
        let usage =
            |input, output| Usage { input: Tokens(input), output: Tokens(output), ..Usage::default() };
        let reply = |usage| Reply { usage, ..Reply::of_text("Hi.") };
        let is_reported = |usage| match settled(SENT, &Ok(reply(usage))).end {
            CallEnd::Answered { reported, .. } => reported.map(|charge| charge.tokens),
            end @ (CallEnd::NotSent | CallEnd::Refused | CallEnd::BrokenOff { .. } | CallEnd::Died) => {
                panic!("{end:?}")
            }
        };
        assert_eq!(is_reported(Some(usage(12, 3))), Some(Tokens(15)));
        assert_eq!(is_reported(Some(usage(12_000, 3))), Some(Tokens(12_003)), "whatever was reserved");
        assert_eq!(is_reported(Some(usage(0, 0))), None);
        assert_eq!(is_reported(None), None);
    }

    #[test]
    fn failures_cost_what_was_sent_and_received_or_nothing() {
        for (failed, expected) in [
            (error(Kind::Unreachable), None),
            (error(Kind::RateLimited), None),
            (error(Kind::Overloaded), None),
            (error(Kind::ServerFailed), None),
            (error(Kind::BadRequest), None),
            (error(Kind::ServerFailed).midway(), Some(904)),
            (error(Kind::Overloaded).midway(), Some(904)),
            (error(Kind::BrokenOff), Some(904)),
            (error(Kind::IdleTimeout), Some(904)),
            (error(Kind::TotalTimeout), Some(904)),
            (error(Kind::NotUnderstood), Some(904)),
        ] {
            let words = failed.to_string();
            let settlement = settled(SENT, &Err(failed));
            let booked = match settlement.end {
                CallEnd::Refused => None,
                CallEnd::BrokenOff { estimated } => Some(estimated.tokens.0),
                end @ (CallEnd::NotSent | CallEnd::Answered { .. } | CallEnd::Died) => {
                    panic!("{words}: {end:?}")
                }
            };
            assert_eq!(booked, expected, "{words}");
            assert_eq!(settlement.usage.total().0, expected.unwrap_or_default(), "{words}");
        }
        // More than was allowed was not bought.
        let much = settled(Sent { received: Tokens(5000), ..SENT }, &Err(error(Kind::BrokenOff)));
        assert_eq!(much.usage.total(), Tokens(910));
    }

    #[test]
    fn only_too_much_slows_everybody_down() {
        let wait = Some(Duration::from_secs(7));
        let limited = error(Kind::RateLimited).provider_advice(wait, None);
        assert_eq!(rate_end(&Err(limited)).0, End::Throttled { retry_after: wait });
        assert_eq!(rate_end(&Err(error(Kind::Overloaded))).0, End::Throttled { retry_after: None });
        assert_eq!(rate_end(&Err(error(Kind::ServerFailed))).0, End::Failed);
        assert_eq!(rate_end(&Ok(Reply::of_text("Hi."))).0, End::Answered);
    }

    #[test]
    fn nothing_is_tried_again_after_the_deadline() {
        let at = |milliseconds| Moment(Duration::from_millis(milliseconds));
        let failed = error(Kind::ServerFailed);
        let next = |failed: &Error, retries, now, deadline| {
            next_try(failed, retries, 0, at(now), deadline, Duration::ZERO)
        };
        assert_eq!(next(&failed, 0, 1000, None), Some(at(1500)), "patience is for those who put us off");
        assert_eq!(next(&failed, 0, 1000, Some(at(1501))), Some(at(1500)));
        assert_eq!(next(&failed, 0, 1000, Some(at(1500))), None);
        assert_eq!(next(&failed, 9, 1000, None), None);
        assert_eq!(next(&error(Kind::SpendLimitReached), 0, 0, None), None);
    }

    #[test]
    fn nobody_waits_longer_for_a_provider_than_patience_lasts() {
        let seconds = Duration::from_secs;
        let next = |failed: &Error, retries, patience| {
            next_try(failed, retries, 0, Moment(seconds(100)), None, seconds(patience)).map(|moment| moment.0)
        };
        for kind in [Kind::RateLimited, Kind::Overloaded] {
            let failed = error(kind);
            // An own wait ends with the patience: there is one last try then.
            assert_eq!(next(&failed, 4, 600), Some(seconds(116)));
            assert_eq!(next(&failed, 4, 7), Some(seconds(107)));
            assert_eq!(next(&failed, 4, 0), None);
            // Whoever asks for more than is left is not waited for.
            let asks = |wait| error(kind).provider_advice(Some(seconds(wait)), None);
            assert_eq!(next(&asks(600), 0, 600), Some(seconds(700)));
            assert_eq!(next(&asks(601), 0, 600), None);
            assert_eq!(next(&asks(86_400), 0, 600), None);
        }
    }
}
