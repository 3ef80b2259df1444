//! What the headers of an answer say: how long to stay away, what is left of the limits.

use std::time::Duration;

use jiff::Timestamp;
use luminos_core::Untrusted;
use luminos_core::rate::{Allowance, Signals};
use reqwest::header::HeaderMap;

fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok().map(str::trim)
}

/// Whether the body is one JSON document.
pub(super) fn is_json(headers: &HeaderMap) -> bool {
    text(headers, "content-type").is_some_and(|kind| kind.starts_with("application/json"))
}

/// Whether the body is not what its type says, but has to be unpacked first.
pub(super) fn is_encoded(headers: &HeaderMap) -> bool {
    text(headers, "content-encoding").is_some_and(|coding| !coding.is_empty() && coding != "identity")
}

/// The provider's name for the call.
pub(super) fn request_id(headers: &HeaderMap) -> Option<String> {
    let id = text(headers, "request-id").or_else(|| text(headers, "x-request-id"))?;
    Some(Untrusted::new(&id.as_bytes()[..id.len().min(100)]).for_terminal())
}

/// Whether the provider says that another try can help.
pub(super) fn should_retry(headers: &HeaderMap) -> Option<bool> {
    match text(headers, "x-should-retry")? {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

/// How long to stay away. More than an hour is taken for an hour.
pub(super) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    const LONGEST: Duration = Duration::from_secs(3600);
    let in_units = |name, unit: f64| {
        let amount: f64 = text(headers, name)?.parse().ok()?;
        Duration::try_from_secs_f64(amount * unit).ok()
    };
    let wait = in_units("retry-after-ms", 0.001)
        .or_else(|| in_units("retry-after", 1.0))
        .or_else(|| in_units("llm_provider-retry-after", 1.0))
        .or_else(|| {
            let until = jiff::fmt::rfc2822::parse(text(headers, "retry-after")?).ok()?.timestamp();
            Some(time_until(until, headers))
        })?;
    Some(wait.min(LONGEST))
}

/// What is left of the provider's limits.
pub(super) fn signals(headers: &HeaderMap) -> Signals {
    let kinds = ["tokens", "input-tokens", "output-tokens"];
    let tokens =
        kinds.into_iter().filter_map(|kind| anthropic(headers, kind)).min_by_key(|left| left.remaining);
    Signals {
        requests: anthropic(headers, "requests").or_else(|| openai(headers, "requests")),
        tokens: tokens.or_else(|| openai(headers, "tokens")),
    }
}

fn anthropic(headers: &HeaderMap, kind: &str) -> Option<Allowance> {
    let part = |part: &str| text(headers, &format!("anthropic-ratelimit-{kind}-{part}"));
    let reset: Timestamp = part("reset")?.parse().ok()?;
    Some(Allowance {
        limit: part("limit")?.parse().ok()?,
        remaining: part("remaining")?.parse().ok()?,
        resets_in: time_until(reset, headers),
    })
}

fn openai(headers: &HeaderMap, kind: &str) -> Option<Allowance> {
    let part = |part: &str| text(headers, &format!("x-ratelimit-{part}-{kind}"));
    Some(Allowance {
        limit: part("limit")?.parse().ok()?,
        remaining: part("remaining")?.parse().ok()?,
        resets_in: compound_duration(part("reset")?)?,
    })
}

/// The time until a moment, by the server's own clock where it tells, so that a wrong clock here does no harm.
fn time_until(moment: Timestamp, headers: &HeaderMap) -> Duration {
    let date = text(headers, "date").and_then(|date| jiff::fmt::rfc2822::parse(date).ok());
    let now = date.map_or_else(Timestamp::now, |date| date.timestamp());
    Duration::try_from(moment.duration_since(now)).unwrap_or(Duration::ZERO)
}

/// Reads `6m0s`, `1.5s`, `20ms`, `1h2m3s`.
fn compound_duration(mut text: &str) -> Option<Duration> {
    let mut total = Duration::ZERO;
    while !text.is_empty() {
        let number = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let amount: f64 = text[..number].parse().ok()?;
        text = &text[number..];
        let unit_end = text.find(|c: char| c.is_ascii_digit()).unwrap_or(text.len());
        let seconds = match &text[..unit_end] {
            "ms" => 0.001,
            "s" => 1.0,
            "m" => 60.0,
            "h" => 3600.0,
            "d" => 86_400.0,
            _ => return None,
        };
        total = total.checked_add(Duration::try_from_secs_f64(amount * seconds).ok()?)?;
        text = &text[unit_end..];
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqwest::header::{HeaderName, HeaderValue};

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let pairs = pairs
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_str(value).unwrap()));
        pairs.collect()
    }

    #[track_caller]
    fn waits(pairs: &[(&'static str, &str)], milliseconds: Option<u64>) {
        assert_eq!(retry_after(&headers(pairs)), milliseconds.map(Duration::from_millis), "{pairs:?}");
    }

    #[test]
    fn the_wait_may_be_written_in_many_ways() {
        waits(&[], None);
        waits(&[("retry-after", "7")], Some(7000));
        waits(&[("retry-after", "1.5")], Some(1500));
        waits(&[("retry-after-ms", "250"), ("retry-after", "7")], Some(250));
        waits(&[("llm_provider-retry-after", "60")], Some(60_000));
        waits(&[("retry-after", "1e9")], Some(3_600_000));
        for nonsense in ["-1", "soon", "NaN", ""] {
            waits(&[("retry-after", nonsense)], None);
        }
        let date = ("date", "Mon, 16 Nov 2026 00:40:03 GMT");
        waits(&[date, ("retry-after", "Mon, 16 Nov 2026 00:40:10 GMT")], Some(7000));
        waits(&[date, ("retry-after", "Mon, 16 Nov 2026 00:00:00 GMT")], Some(0));
    }

    #[test]
    fn the_tightest_limit_of_tokens_counts() {
        let found = signals(&headers(&[
            ("date", "Mon, 16 Nov 2026 00:40:00 GMT"),
            ("anthropic-ratelimit-requests-limit", "50"),
            ("anthropic-ratelimit-requests-remaining", "0"),
            ("anthropic-ratelimit-requests-reset", "2026-11-16T00:40:07Z"),
            ("anthropic-ratelimit-input-tokens-limit", "40000"),
            ("anthropic-ratelimit-input-tokens-remaining", "300"),
            ("anthropic-ratelimit-input-tokens-reset", "2026-11-16T00:40:30Z"),
            ("anthropic-ratelimit-output-tokens-limit", "8000"),
            ("anthropic-ratelimit-output-tokens-remaining", "8000"),
            ("anthropic-ratelimit-output-tokens-reset", "2026-11-16T00:39:00Z"),
        ]));
        let allowance = |limit, remaining, seconds| {
            Some(Allowance { limit, remaining, resets_in: Duration::from_secs(seconds) })
        };
        assert_eq!(found, Signals { requests: allowance(50, 0, 7), tokens: allowance(40_000, 300, 30) });
    }

    #[test]
    fn durations_in_words_are_read() {
        for (text, milliseconds) in [("6m0s", 360_000), ("20ms", 20), ("1.5s", 1500), ("1h2m3s", 3_723_000)] {
            assert_eq!(compound_duration(text), Some(Duration::from_millis(milliseconds)), "{text}");
        }
        assert_eq!(compound_duration("soon"), None);
    }
}
