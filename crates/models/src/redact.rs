//! Secrets of others: taken out of what is sent to a provider.
//!
//! Damage control, no boundary: a key that is encoded or split over lines passes. Everything that is sent comes by
//! here, so what is looked for first are the few words without which no pattern matches (`suspicion`); a pattern is tried
//! only where one of its words was found in the right company.

mod suspicion;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::bytes::Regex;

use luminos_core::talk::{AssistantBlock, Message, Request, UserBlock};

/// What a pattern finds: its name in the replacement, and the expression. The groups `keep` and
/// `end` stay as they are, so that the model still sees which setting is meant.
const PATTERNS: &[(&str, &str)] = &[
    (
        "private-key",
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:\\[rn]|\s)+(?:[A-Za-z-]{1,30}: [^\r\n]{0,100}|[A-Za-z0-9+/=]{1,200}))*(?:(?:\\[rn]|\s)*-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?",
    ),
    ("aws-key", r"\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{16}\b"),
    ("github-token", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{22,255})\b"),
    ("gitlab-token", r"\bglpat-[A-Za-z0-9_-]{20,100}"),
    ("anthropic-key", r"\bsk-ant-[A-Za-z0-9_-]{16,}"),
    ("api-key", r"\bsk-(?:proj-|svcacct-|or-v1-)?[A-Za-z0-9_-]{20,}"),
    ("slack-token", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
    ("google-key", r"\bAIza[A-Za-z0-9_-]{35}"),
    ("stripe-key", r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    ("npm-token", r"\bnpm_[A-Za-z0-9]{36}\b"),
    ("jwt", r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    (
        "url-credentials",
        r"(?P<keep>\b[a-zA-Z][a-zA-Z0-9+.-]{1,20}://[^\s:/@\x22']{0,100}:)[^\s/@\x22']{1,200}(?P<end>@)",
    ),
    // Quotes, or the shape of a dotenv file, are required: `let token = next_token();` is no secret.
    (
        "quoted-secret",
        r"(?P<keep>(?i:\b[a-z0-9_.-]{0,40}(?:password|passwd|secret|token|api_?key|access_?key|private_?key)[a-z0-9_.-]{0,20}[\x22']?\s{0,4}(?:=|:|=>|:=)\s{0,4}[\x22']))[^\x22'\s]{8,200}(?P<end>[\x22'])",
    ),
    (
        "dotenv-secret",
        r"(?P<keep>(?m:^)(?:export )?[A-Z0-9_]{0,40}(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY)[A-Z0-9_]{0,20}=)[^\s\x22'$\[]{8,500}",
    ),
];

/// The patterns in their order, each with what takes the place of what it finds.
#[expect(clippy::expect_used, reason = "the patterns are constants, and a test compiles them")]
static COMPILED: LazyLock<Vec<(Regex, String)>> = LazyLock::new(|| {
    let compiled = PATTERNS.iter().map(|(name, pattern)| {
        // Without Unicode a pattern is some hundred times faster. Groups that it does not have are empty.
        let pattern = Regex::new(&format!("(?-u){pattern}")).expect("a valid pattern");
        (pattern, format!("${{keep}}[redacted {name}]${{end}}"))
    });
    compiled.collect()
});

/// A text without the secrets that were found in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redacted<'a> {
    /// The text. The same text gives the same result, so that caches still recognise it.
    pub text: Cow<'a, str>,
    /// How many secrets were taken out.
    pub count: usize,
}

/// Takes secrets out of a text.
pub fn redact(text: &str) -> Redacted<'_> {
    let suspected = suspicion::of(text.as_bytes());
    redact_by(text, |name| suspected.contains(name))
}

/// Takes out what these patterns find.
fn redact_by(text: &str, is_tried: impl Fn(&str) -> bool) -> Redacted<'_> {
    let mut bytes = Cow::Borrowed(text.as_bytes());
    let mut count = 0;
    let tried = PATTERNS.iter().zip(COMPILED.iter()).filter(|((name, _), _)| is_tried(name));
    for (_, (pattern, replacement)) in tried {
        // What another pattern left in place of a secret is none.
        if !pattern.is_match(text.as_bytes()) {
            continue;
        }
        count += pattern.find_iter(&bytes).count();
        if let Cow::Owned(replaced) = pattern.replace_all(&bytes, replacement.as_bytes()) {
            bytes = Cow::Owned(replaced);
        }
    }
    let text = match bytes {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        // A pattern may end in the middle of a character; what is left of it is no secret.
        Cow::Owned(bytes) => Cow::Owned(
            String::from_utf8(bytes)
                .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()),
        ),
    };
    Redacted { text, count }
}

/// Takes secrets out of everything in a request that a provider would read; returns how many there were.
///
/// A provider's own blocks stay as they are, because they must go back unmodified.
pub fn redact_request(request: &mut Request) -> usize {
    let mut count = 0;
    let mut clean = |text: &mut String| {
        let redacted = redact(text);
        count += redacted.count;
        if let Cow::Owned(clean) = redacted.text {
            *text = clean;
        }
    };
    request.system.iter_mut().for_each(&mut clean);
    for message in &mut request.messages {
        match message {
            Message::User(blocks) => {
                for block in blocks {
                    match block {
                        UserBlock::Text(text) => clean(text),
                        UserBlock::ToolResult(result) => clean(&mut result.text),
                    }
                }
            }
            Message::Assistant(blocks) => {
                for block in blocks {
                    match block {
                        AssistantBlock::Text(text) => clean(text),
                        AssistantBlock::ToolCall(call) => call.arguments.each_text(&mut clean),
                        AssistantBlock::Opaque(_) => {}
                    }
                }
            }
        }
    }
    count
}
