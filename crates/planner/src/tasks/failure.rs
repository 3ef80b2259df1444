//! Failures of whoever does a task: what kind they are, whether to try again, and when.

use std::time::Duration;

use super::roles::has_phrase;
use super::word::words;

words! {
    /// What kind of failure it is.
    FailureKind, "a kind of failure" {
        /// Somebody must allow something.
        Permission = "permission",
        /// Nothing was changed.
        Noop = "noop",
        /// Something was changed that must not be.
        Policy = "policy",
        /// What is needed to begin is missing.
        Setup = "setup",
        /// A service or a variable is missing.
        Env = "env",
        /// Tests fail.
        Test = "test",
        /// It may work the next time.
        Flaky = "flaky",
        /// The model goes round in circles.
        ModelLoop = "model_loop",
        /// Anything else.
        Model = "model",
    }
}

/// Phrases, in whole words, and what they mean. The first that is found decides.
const PHRASES: &[(FailureKind, bool, &[&str])] = &[
    (FailureKind::Permission, false, &["external_directory", "permission prompt"]),
    (FailureKind::Noop, false, &["no changes", "nothing to commit", "no diff"]),
    (FailureKind::Policy, true, &["policy violation", "outside allowed paths", "not allowed to change"]),
    (
        FailureKind::Setup,
        false,
        &[
            "no test files",
            "missing script",
            "no rule to make target",
            "unsupported command",
            "needs a shell",
        ],
    ),
    (FailureKind::Setup, false, &["non-fast-forward", "diverged branch", "branches have diverged"]),
    (
        FailureKind::Setup,
        true,
        &[
            "cannot find module",
            "module not found",
            "no such file or directory",
            "command not found",
            "enoent",
            "authentication failed",
            "permission denied",
            "unresolved import",
        ],
    ),
    (
        FailureKind::Env,
        true,
        &[
            "database_url",
            "redis_url",
            "connection refused",
            "econnrefused",
            "name or service not known",
            "missing environment variable",
            "environment variable is not set",
        ],
    ),
    (FailureKind::ModelLoop, true, &["doom loop", "same call again", "repeated the same"]),
    (
        FailureKind::Flaky,
        true,
        &[
            "rate limit",
            "too many requests",
            "http 429",
            "status 429",
            "http 502",
            "http 503",
            "status 502",
            "status 503",
            "bad gateway",
            "service unavailable",
            "timed out",
            "timeout",
            "econnreset",
            "connection reset",
        ],
    ),
    (
        FailureKind::Test,
        true,
        &[
            "test failed",
            "tests failed",
            "assertion failed",
            "assertionerror",
            "verification commands failed",
            "failures:",
        ],
    ),
];

/// What kind a failure is, and whether trying again can help.
pub fn classify(message: &str) -> (FailureKind, bool) {
    let text = message.to_lowercase();
    for (kind, can_retry, phrases) in PHRASES {
        if phrases.iter().any(|phrase| has_phrase(&text, phrase)) {
            return (*kind, *can_retry);
        }
    }
    (FailureKind::Model, true)
}

impl FailureKind {
    /// How often such a failure is tried again.
    pub fn most_retries(self) -> u32 {
        match self {
            Self::Permission | Self::Noop => 0,
            Self::ModelLoop => 1,
            Self::Policy | Self::Setup | Self::Test | Self::Model => 3,
            Self::Env => 5,
            Self::Flaky => 6,
        }
    }
}

/// How long to wait before asking again, where a message says so: "retry in 30 s", `"retryDelay": "1500ms"`.
pub fn retry_hint(message: &str) -> Option<Duration> {
    let text = message.to_lowercase();
    let marks = [
        "retry in ",
        "retry after ",
        "retry-after: ",
        "try again in ",
        "\"retrydelay\":",
        "retrydelay:",
        "retrydelay=",
    ];
    let hints =
        marks.iter().flat_map(|mark| text.match_indices(mark).map(|(at, found)| &text[at + found.len()..]));
    hints.filter_map(duration).max()
}

/// A number with its unit at the beginning of a text; seconds if it has none. Each number is read once, with its own unit.
fn duration(text: &str) -> Option<Duration> {
    let text = text.trim_start_matches([' ', '"', '\'', ':']);
    let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().ok()?;
    let unit: String =
        text[end..].trim_start().chars().take_while(|letter| letter.is_ascii_alphabetic()).collect();
    let seconds = match unit.as_str() {
        "ms" | "millis" | "milliseconds" => number / 1000.0,
        "m" | "min" | "minute" | "minutes" => number * 60.0,
        "h" | "hour" | "hours" => number * 3600.0,
        _ => number,
    };
    (0.0..=86_400.0).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

/// How long to wait before the next of several tries: what the provider says, else ever longer, never beyond the deadline.
/// `None` if there is no time for another one, or if the provider wants to be left alone for longer than `patience`.
pub fn next_wait(
    failures: u32,
    base: Duration,
    hint: Option<Duration>,
    left: Option<Duration>,
    patience: Duration,
) -> Option<Duration> {
    const LONGEST: Duration = Duration::from_secs(120);
    let factor = 2_u32.saturating_pow(failures.saturating_sub(1).min(16));
    let grown = base.saturating_mul(factor).min(LONGEST);
    if patience.is_zero() || hint.is_some_and(|hint| patience < hint) {
        return None;
    }
    let wait = hint.map_or(grown, |hint| hint.max(base)).min(patience);
    match left {
        Some(left) if left <= wait => None,
        Some(_) | None => Some(wait),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_known_by_whole_phrases() {
        for (message, kind, can_retry) in [
            ("No changes were made", FailureKind::Noop, false),
            ("the development environment is fine, I expected more", FailureKind::Model, true),
            ("error 4290 in line 503", FailureKind::Model, true),
            ("HTTP 429: slow down", FailureKind::Flaky, true),
            ("DATABASE_URL is not set", FailureKind::Env, true),
            ("3 tests failed", FailureKind::Test, true),
            ("bash: jq: command not found", FailureKind::Setup, true),
            ("changed files outside allowed paths", FailureKind::Policy, true),
            ("doom loop detected", FailureKind::ModelLoop, true),
        ] {
            assert_eq!(classify(message), (kind, can_retry), "{message}");
        }
    }

    #[test]
    fn hints_keep_their_unit() {
        for (message, millis) in [
            ("\"retryDelay\":\"1500ms\"", Some(1500)),
            ("{\"retryDelay\": \"2s\"}", Some(2000)),
            ("Please retry in 30 seconds", Some(30_000)),
            ("try again in 2 min, or retry in 5s", Some(120_000)),
            ("retryDelay", None),
            ("it failed", None),
        ] {
            assert_eq!(retry_hint(message), millis.map(Duration::from_millis), "{message}");
        }
    }

    #[test]
    fn waiting_grows_follows_hints_and_ends_before_the_deadline() {
        let s = Duration::from_secs;
        let next = |failures, hint, left| next_wait(failures, s(2), hint, left, s(600));
        assert_eq!(next(1, None, None), Some(s(2)));
        assert_eq!(next(3, None, None), Some(s(8)));
        assert_eq!(next(30, None, None), Some(s(120)));
        assert_eq!(next(1, Some(s(300)), None), Some(s(300)));
        assert_eq!(next(1, Some(s(300)), Some(s(299))), None);
        assert_eq!(next(1, None, Some(s(1))), None);
        assert_eq!(next(1, Some(s(600)), None), Some(s(600)));
        assert_eq!(next(1, Some(s(601)), None), None, "patience is over before");
        assert_eq!(next_wait(9, s(2), None, None, s(3)), Some(s(3)));
        assert_eq!(next_wait(1, s(2), None, None, s(0)), None);
    }
}
