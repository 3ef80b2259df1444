//! Secrets of others: taken out of what is sent to a provider.
//!
//! Damage control, no boundary: a key that is encoded or split over lines passes. Byte patterns without
//! Unicode are some hundred times faster than the same with it, so this can run on everything that is sent.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::bytes::{Regex, RegexSet};

use luminos_core::talk::{AssistantBlock, Message, Request, UserBlock};

#[cfg(test)]
mod tests;

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

struct Compiled {
    any: RegexSet,
    each: Vec<(Regex, String)>,
}

#[expect(clippy::expect_used, reason = "the patterns are constants, and a test compiles them")]
static COMPILED: LazyLock<Compiled> = LazyLock::new(|| {
    let sources: Vec<String> = PATTERNS.iter().map(|(_, pattern)| format!("(?-u){pattern}")).collect();
    let each = PATTERNS.iter().zip(&sources).map(|((name, _), source)| {
        // Groups that a pattern does not have are empty.
        (Regex::new(source).expect("a valid pattern"), format!("${{keep}}[redacted {name}]${{end}}"))
    });
    Compiled { each: each.collect(), any: RegexSet::new(&sources).expect("valid patterns") }
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
    let mut bytes = Cow::Borrowed(text.as_bytes());
    let mut count = 0;
    for index in COMPILED.any.matches(text.as_bytes()) {
        let (pattern, replacement) = &COMPILED.each[index];
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
