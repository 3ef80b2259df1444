//! The table of retries: by kind of error, how often and after how long.

use std::time::Duration;

use super::{Error, Kind};

/// How a kind of error is retried.
struct Rule {
    /// How many times at most. The deadline of the run may end it earlier.
    times: u32,
    /// The first wait, in milliseconds; each further one is twice as long.
    first: u64,
    /// The longest wait, in milliseconds, unless the provider asks for more.
    longest: u64,
}

fn rule(kind: Kind) -> Option<Rule> {
    let rule = |times, first, longest| Some(Rule { times, first, longest });
    match kind {
        Kind::RateLimited => rule(100, 1000, 60_000),
        Kind::Overloaded => rule(20, 1000, 30_000),
        Kind::ServerFailed => rule(4, 500, 8000),
        Kind::Unreachable | Kind::ConnectTimeout => rule(4, 500, 8000),
        Kind::BrokenOff | Kind::IdleTimeout | Kind::NotUnderstood => rule(2, 500, 8000),
        // The user set this limit, and it holds for the month.
        Kind::SpendLimitReached => None,
        // Another try would take as long again.
        Kind::TotalTimeout | Kind::ProgramTimeout => None,
        Kind::AnswerTooLarge
        | Kind::KeyRefused
        | Kind::Forbidden
        | Kind::PaymentRequired
        | Kind::NotFound
        | Kind::ContextTooLong
        | Kind::RequestTooLarge
        | Kind::BadRequest
        | Kind::Misconfigured
        | Kind::ProgramMissing
        | Kind::ProgramFailed
        | Kind::ProgramLoggedOut
        | Kind::ProgramUnprotected
        | Kind::ProgramUnconfined
        | Kind::NotRecorded
        | Kind::ScriptEnded => None,
    }
}

/// How long to wait before trying again after an error, when so many retries were made before; `None` if it
/// is not to be tried again.
///
/// `random` is any number: it spreads the waits of many callers. What the provider asks for is never cut
/// short; an own wait is shortened by up to a quarter.
pub fn backoff(error: &Error, retries_before: u32, random: u32) -> Option<Duration> {
    let advice = error.details.should_retry;
    let rule = match (rule(error.kind), advice) {
        (_, Some(false)) => return None,
        (None, Some(true)) if error.kind == Kind::BadRequest => Rule { times: 2, first: 500, longest: 8000 },
        (None, _) => return None,
        (Some(rule), _) => rule,
    };
    if rule.times <= retries_before {
        return None;
    }
    let (part, whole) = (u64::from(random), u64::from(u32::MAX));
    if let Some(wait) = error.details.wait {
        let spread = u64::try_from(wait.as_millis()).unwrap_or(u64::MAX).min(10_000) / 10;
        return Some(wait.saturating_add(Duration::from_millis(spread * part / whole)));
    }
    let own = rule.first.saturating_mul(1 << retries_before.min(20)).min(rule.longest);
    Some(Duration::from_millis(own - own / 4 * part / whole))
}
