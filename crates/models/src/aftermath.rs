//! What a call's end means for those who let it start: the ledger, the rate limiter, the next try.

use luminos_core::Moment;
use luminos_core::rate::{End, Signals};
use luminos_core::spend::{Outcome, Usage};

use crate::charge::{Booked, UsageDoubt};
use crate::error::{Error, Kind, backoff};
use crate::prices::Models;
use crate::reply::Reply;
use luminos_core::talk::Request;

/// How the reservation of a call settles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settlement {
    /// For the ledger.
    pub outcome: Outcome,
    /// The usage that counts; none without an answer.
    pub usage: Usage,
    /// What was wrong with what the provider said about usage.
    pub doubt: Option<UsageDoubt>,
}

impl Settlement {
    /// Of a call without an answer.
    pub fn unanswered(outcome: Outcome) -> Self {
        Self { outcome, usage: Usage::default(), doubt: None }
    }
}

impl Models {
    /// How the reservation of a call settles. An answer settles at what it used; a call that cannot have
    /// cost anything, at nothing; any other failure at its maximum, since nobody knows.
    pub fn settlement(&self, id: &str, request: &Request, result: &Result<Reply, Error>) -> Settlement {
        match result {
            Ok(reply) => {
                let Booked { usage, charge, doubt } = self.book(id, request, reply);
                Settlement { outcome: Outcome::Used(charge), usage, doubt }
            }
            Err(error) if error.may_have_cost() => Settlement::unanswered(Outcome::Unknown),
            Err(_) => Settlement::unanswered(Outcome::NotSent),
        }
    }
}

/// What the rate limiter learns from a call.
pub fn rate_end(result: &Result<Reply, Error>) -> (End, Signals) {
    match result {
        Ok(reply) => (End::Answered, reply.signals),
        Err(error) => {
            let end = if matches!(error.kind(), Kind::RateLimited | Kind::Overloaded) {
                End::Throttled { retry_after: error.provider_wait() }
            } else {
                End::Failed
            };
            (end, error.rate_signals())
        }
    }
}

/// When a failed call is tried again; `None` if it is not, because of its kind, because it was tried often
/// enough, or because the deadline comes first. `random` is any number.
pub fn next_try(
    error: &Error,
    retries_before: u32,
    random: u32,
    now: Moment,
    deadline: Option<Moment>,
) -> Option<Moment> {
    let moment = now.after(backoff(error, retries_before, random)?);
    deadline.is_none_or(|deadline| moment < deadline).then_some(moment)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use luminos_core::talk::Pass;

    fn error(kind: Kind) -> Error {
        Error::new(kind, "m")
    }

    fn settled(result: &Result<Reply, Error>) -> Outcome {
        let request = Request::question(Pass::Ask, "Hello?", 10);
        Models::read(None).unwrap().settlement("claude-sonnet-5-5", &request, result).outcome
    }

    #[test]
    fn reservations_settle_by_how_the_call_ended() {
        assert!(matches!(settled(&Ok(Reply::of_text("Hi."))), Outcome::Used(_)));
        assert_eq!(settled(&Err(error(Kind::BrokenOff))), Outcome::Unknown);
        assert_eq!(settled(&Err(error(Kind::Unreachable))), Outcome::NotSent);
        assert_eq!(settled(&Err(error(Kind::Overloaded))), Outcome::NotSent);
        assert_eq!(settled(&Err(error(Kind::Overloaded).midway())), Outcome::Unknown);
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
        assert_eq!(next_try(&failed, 0, 0, at(1000), None), Some(at(1500)));
        assert_eq!(next_try(&failed, 0, 0, at(1000), Some(at(1501))), Some(at(1500)));
        assert_eq!(next_try(&failed, 0, 0, at(1000), Some(at(1500))), None);
        assert_eq!(next_try(&failed, 9, 0, at(1000), None), None);
        assert_eq!(next_try(&error(Kind::SpendLimitReached), 0, 0, at(0), None), None);
    }
}
