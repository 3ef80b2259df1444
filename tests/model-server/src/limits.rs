//! Limits per minute: buckets that fill evenly, and the headers that tell about them.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use crate::exchange::Api;

/// How much may be asked in a minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Requests.
    pub requests: u64,
    /// Tokens of prompts, those read from the cache apart.
    pub input_tokens: u64,
    /// Tokens of answers, counted when they are given.
    pub output_tokens: u64,
}

impl Limits {
    /// So much that nobody reaches them.
    pub const fn generous() -> Limits {
        Limits { requests: 1_000_000, input_tokens: 1_000_000_000, output_tokens: 1_000_000_000 }
    }
}

/// A bucket: full at the beginning, filled evenly over a minute.
#[derive(Debug, Clone, Copy)]
struct Bucket {
    limit: u64,
    level: f64,
    at: Instant,
}

impl Bucket {
    fn new(limit: u64, at: Instant) -> Bucket {
        Bucket { limit, level: limit as f64, at }
    }

    fn per_second(self) -> f64 {
        self.limit as f64 / 60.0
    }

    fn fill(&mut self, now: Instant) {
        let seconds = now.saturating_duration_since(self.at).as_secs_f64();
        self.level = (self.level + seconds * self.per_second()).min(self.limit as f64);
        self.at = now;
    }

    /// How long until so much is in it; no more than it holds at all is waited for.
    fn wait_for(self, amount: u64) -> Duration {
        let missing = (amount.min(self.limit) as f64 - self.level).max(0.0);
        Duration::from_secs_f64(missing / self.per_second().max(f64::MIN_POSITIVE))
    }

    fn until_full(self) -> Duration {
        self.wait_for(self.limit)
    }

    fn remaining(self) -> u64 {
        self.level.max(0.0) as u64
    }
}

/// What headers say about the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    /// Nothing: a proxy on the way took the headers away.
    Nothing,
    /// What is true.
    Truth,
    /// That nothing is left for so long, whatever is true.
    NothingLeftFor(Duration),
}

/// One limit as it is told.
#[derive(Debug, Clone, Copy)]
struct Line {
    name: &'static str,
    limit: u64,
    remaining: u64,
    full_in: Duration,
}

/// The state of all limits.
#[derive(Debug)]
pub(crate) struct Meter {
    requests: Bucket,
    input: Bucket,
    output: Bucket,
}

impl Meter {
    pub(crate) fn new(limits: Limits, now: Instant) -> Meter {
        Meter {
            requests: Bucket::new(limits.requests, now),
            input: Bucket::new(limits.input_tokens, now),
            output: Bucket::new(limits.output_tokens, now),
        }
    }

    /// Takes what a request costs, or says how long to wait.
    pub(crate) fn take(&mut self, input: u64, output: u64, now: Instant) -> Result<(), Duration> {
        for bucket in [&mut self.requests, &mut self.input, &mut self.output] {
            bucket.fill(now);
        }
        let wait = self.requests.wait_for(1).max(self.input.wait_for(input)).max(self.output.wait_for(1));
        if !wait.is_zero() {
            return Err(wait);
        }
        self.requests.level -= 1.0;
        self.input.level -= input as f64;
        self.output.level -= output as f64;
        Ok(())
    }

    /// What an answer says about the limits.
    pub(crate) fn headers(&self, api: Api, told: Told, wall: Timestamp) -> Vec<(String, String)> {
        if told == Told::Nothing {
            return Vec::new();
        }
        let line = |(name, bucket): (&'static str, Bucket)| {
            let (remaining, full_in) = match told {
                Told::NothingLeftFor(wait) => (0, wait),
                Told::Truth | Told::Nothing => (bucket.remaining(), bucket.until_full()),
            };
            Line { name, limit: bucket.limit, remaining, full_in }
        };
        match api {
            Api::Messages => {
                let tokens =
                    if self.input.remaining() < self.output.remaining() { self.input } else { self.output };
                let rows = [
                    ("requests", self.requests),
                    ("tokens", tokens),
                    ("input-tokens", self.input),
                    ("output-tokens", self.output),
                ];
                rows.into_iter().map(line).flat_map(|line| line.for_messages(wall)).collect()
            }
            Api::Chat => {
                let rows = [("requests", self.requests), ("tokens", self.input)];
                rows.into_iter().map(line).flat_map(Line::for_chat).collect()
            }
        }
    }
}

impl Line {
    fn for_messages(self, wall: Timestamp) -> [(String, String); 3] {
        let Line { name, limit, remaining, full_in } = self;
        let reset = SignedDuration::from_secs(full_in.as_secs_f64().ceil() as i64);
        let reset = wall.saturating_add(reset).unwrap_or(wall);
        let reset = Timestamp::from_second(reset.as_second()).unwrap_or(wall);
        [
            (format!("anthropic-ratelimit-{name}-limit"), limit.to_string()),
            (format!("anthropic-ratelimit-{name}-remaining"), remaining.to_string()),
            (format!("anthropic-ratelimit-{name}-reset"), reset.to_string()),
        ]
    }

    fn for_chat(self) -> [(String, String); 3] {
        let Line { name, limit, remaining, full_in } = self;
        [
            (format!("x-ratelimit-limit-{name}"), limit.to_string()),
            (format!("x-ratelimit-remaining-{name}"), remaining.to_string()),
            (format!("x-ratelimit-reset-{name}"), format!("{}ms", full_in.as_millis())),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_that_is_empty_says_when_to_come_back() {
        let start = Instant::now();
        let mut meter = Meter::new(Limits { requests: 2, input_tokens: 600, output_tokens: 60 }, start);
        assert_eq!(meter.take(500, 10, start), Ok(()));
        assert_eq!(meter.take(200, 10, start), Err(Duration::from_secs(10)));
        assert_eq!(meter.take(100, 10, start), Ok(()));
        assert_eq!(meter.take(0, 0, start), Err(Duration::from_secs(30)));
        assert_eq!(meter.take(0, 0, start + Duration::from_secs(30)), Ok(()));
        // More than a minute holds is let through once the bucket is full.
        assert_eq!(meter.take(10_000, 0, start + Duration::from_secs(600)), Ok(()));
    }

    #[test]
    fn both_interfaces_tell_in_their_own_words() {
        let start = Instant::now();
        let mut meter = Meter::new(Limits { requests: 60, input_tokens: 600, output_tokens: 6000 }, start);
        meter.take(60, 0, start).unwrap();
        let wall: Timestamp = "2026-11-16T00:00:00Z".parse().unwrap();
        let text = |api| {
            let lines = meter
                .headers(api, Told::Truth, wall)
                .into_iter()
                .map(|(name, value)| format!("{name}: {value}"));
            lines.collect::<Vec<_>>().join("\n")
        };
        insta::assert_snapshot!(text(Api::Messages), @r"
        anthropic-ratelimit-requests-limit: 60
        anthropic-ratelimit-requests-remaining: 59
        anthropic-ratelimit-requests-reset: 2026-11-16T00:00:01Z
        anthropic-ratelimit-tokens-limit: 600
        anthropic-ratelimit-tokens-remaining: 540
        anthropic-ratelimit-tokens-reset: 2026-11-16T00:00:06Z
        anthropic-ratelimit-input-tokens-limit: 600
        anthropic-ratelimit-input-tokens-remaining: 540
        anthropic-ratelimit-input-tokens-reset: 2026-11-16T00:00:06Z
        anthropic-ratelimit-output-tokens-limit: 6000
        anthropic-ratelimit-output-tokens-remaining: 6000
        anthropic-ratelimit-output-tokens-reset: 2026-11-16T00:00:00Z
        ");
        let empty = meter.headers(Api::Messages, Told::NothingLeftFor(Duration::from_secs(7)), wall);
        assert_eq!(empty[1].1, "0");
        assert_eq!(empty[2].1, "2026-11-16T00:00:07Z");
        assert_eq!(meter.headers(Api::Chat, Told::Nothing, wall), []);
        insta::assert_snapshot!(text(Api::Chat), @r"
        x-ratelimit-limit-requests: 60
        x-ratelimit-remaining-requests: 59
        x-ratelimit-reset-requests: 1000ms
        x-ratelimit-limit-tokens: 600
        x-ratelimit-remaining-tokens: 540
        x-ratelimit-reset-tokens: 6000ms
        ");
    }
}
