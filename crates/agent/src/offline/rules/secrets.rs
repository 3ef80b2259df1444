//! Keys and tokens that should not lie in a file.

use std::sync::LazyLock;

use luminos_core::flag::Severity;
use regex::Regex;

use super::{Found, pattern};
use crate::offline::eyes::FileText;

/// A kind of token with a shape of its own.
struct Shape {
    rule: &'static str,
    what: &'static str,
    /// What every one of them contains: most files are done with after looking for it.
    hint: &'static str,
    pattern: Option<Regex>,
}

static SHAPES: LazyLock<Vec<Shape>> = LazyLock::new(|| {
    let shape = |rule, what, hint, words: &str| Shape { rule, what, hint, pattern: pattern(words) };
    vec![
        shape("secret.aws-key", "an AWS access key id", "AKIA", r"\bAKIA[0-9A-Z]{16}\b"),
        shape("secret.github-token", "a GitHub token", "gh", r"\bgh[pousr]_[A-Za-z0-9]{36,}\b"),
        shape("secret.gitlab-token", "a GitLab token", "glpat-", r"\bglpat-[A-Za-z0-9_-]{20,}\b"),
        shape("secret.slack-token", "a Slack token", "xox", r"\bxox[abprs]-[0-9A-Za-z-]{20,}\b"),
        shape("secret.google-key", "a Google API key", "AIza", r"\bAIza[0-9A-Za-z_-]{35}\b"),
        shape("secret.stripe-key", "a live Stripe key", "_live_", r"\b[rs]k_live_[0-9A-Za-z]{20,}\b"),
    ]
});

static ASSIGNED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    pattern(
        r#"(?i)\b[\w.-]*(?:passw(?:or)?d|secret|api[_-]?key|auth[_-]?token|access[_-]?token)["']?\s*[:=]\s*["']([^"'\s]{16,})["']"#,
    )
});

pub(super) fn look(file: &FileText) -> Vec<Found> {
    let mut found = Vec::new();
    found.extend(private_key(file));
    for shape in SHAPES.iter() {
        let Some(pattern) = &shape.pattern else { continue };
        if !file.text.contains(shape.hint) {
            continue;
        }
        for (number, line) in file.lines() {
            let Some(token) = pattern.find(line) else { continue };
            if is_placeholder(token.as_str()) {
                continue;
            }
            found.push(secret(
                file,
                number,
                shape.rule,
                shape.what,
                Severity::Critical,
                &line[..token.start() + 4],
            ));
            break;
        }
    }
    if found.is_empty() {
        found.extend(assigned(file));
    }
    found
}

fn secret(
    file: &FileText,
    line: usize,
    rule: &'static str,
    what: &str,
    severity: Severity,
    quote: &str,
) -> Found {
    Found {
        rule,
        severity,
        finding: format!(
            "Line {line} holds what looks like {what}. If it is real, revoke it: it stays in the history even after it is removed."
        ),
        evidence: vec![file.cite_words(line, quote.trim_start())],
    }
}

/// A private key: its first line alone is often only an example, so the next one must look like one, too.
fn private_key(file: &FileText) -> Option<Found> {
    if !file.text.contains("PRIVATE KEY-----") {
        return None;
    }
    let begins = |line: &str| {
        line.trim()
            .strip_prefix("-----BEGIN ")
            .is_some_and(|rest| rest.trim_end().ends_with("PRIVATE KEY-----"))
    };
    let is_base64 = |line: &str| {
        let line = line.trim();
        40 <= line.len()
            && line.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
    };
    let is_key = |number: usize| (number + 1..number + 5).any(|next| is_base64(file.line(next)));
    let (number, line) = file.lines().find(|(number, line)| begins(line) && is_key(*number))?;
    Some(secret(file, number, "secret.private-key", "a private key", Severity::Critical, line))
}

/// A value that is assigned to a name like `password`, and looks as if chance had made it.
fn assigned(file: &FileText) -> Option<Found> {
    let pattern = ASSIGNED.as_ref()?;
    for (number, line) in file.lines() {
        if 400 < line.len() {
            continue;
        }
        let Some(captures) = pattern.captures(line) else { continue };
        let Some(value) = captures.get(1) else { continue };
        let text = value.as_str();
        let has = |test: fn(&u8) -> bool| text.as_bytes().iter().any(test);
        let is_mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
        let is_code = text.contains(['$', '{', '(', '<', '%', '/', '[', ' ', '.']);
        if is_mixed && !is_code && !is_placeholder(text) && 3.6 <= entropy(text) {
            let quote = &line[..value.start() + 3];
            let what = "a password or key";
            return Some(secret(file, number, "secret.assigned", what, Severity::Concern, quote));
        }
    }
    None
}

fn is_placeholder(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let words = [
        "example",
        "placeholder",
        "changeme",
        "your",
        "xxxx",
        "test",
        "dummy",
        "sample",
        "fake",
        "0000",
        "1234567",
        "abcdef",
    ];
    words.iter().any(|word| lower.contains(word))
}

/// Bits per character.
fn entropy(text: &str) -> f64 {
    let mut counts = [0u32; 256];
    text.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let all = text.len() as f64;
    let part = |count: &u32| {
        let share = f64::from(*count) / all;
        -share * share.log2()
    };
    counts.iter().filter(|count| 0 < **count).map(part).sum()
}
