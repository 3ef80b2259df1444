//! Keys and tokens that should not lie in a file. What is quoted of one is what stands before it, and its first characters:
//! enough to find it, not enough to use it.

use std::sync::LazyLock;

use regex::Regex;

use super::check::{Check, Hit, Place};
use super::table::{ASSIGNED, CARD, PRIVATE_KEY, TOKEN, URL_PASSWORD};
use crate::eyes::FileText;

/// So many characters of a token are shown: its kind stands there.
const SHOWN: usize = 4;

const fn token(words: &'static str, hints: &'static [&'static str], pattern: &'static str) -> Check {
    Check { hints, pattern, ..Check::new(&TOKEN, Place::Anywhere, words) }
}

/// Whether a line stands in an example of a document: between fences, as what a program prints.
pub(super) fn is_fenced(file: &FileText, line: usize) -> bool {
    let is_document = [".md", ".markdown"].iter().any(|ending| file.name.ends_with(ending));
    let fences = (1..line).filter(|number| file.line(*number).trim_start().starts_with("```")).count();
    is_document && fences % 2 == 1
}

pub(super) const CHECKS: &[Check] = &[
    Check {
        hints: &["visa", "mastercard", "amex", "american express", "card", "karte", "carte", "cvc", "cvv"],
        pattern: r"(?i)(?:visa|mastercard|amex|american express|card|karte|carte|cvc|cvv).*?\b(\d{4}[ -]?\d{4,6}[ -]?\d{4,5}(?:[ -]?\d{4})?)\b",
        ..Check::new(&CARD, Place::Anywhere, "the number of a payment card")
    },
    Check {
        hints: &["PRIVATE KEY"],
        pattern: r"^\s*(?:[\w.]+\s*[:=]\s*)?[|>]?-?\s*(-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----)\s*$",
        ..Check::new(&PRIVATE_KEY, Place::Anywhere, "a private key")
    },
    Check {
        hints: &["PuTTY-User-Key-File"],
        pattern: r"^(PuTTY-User-Key-File-\d: )",
        ..Check::new(&PRIVATE_KEY, Place::Anywhere, "a private key of PuTTY")
    },
    Check {
        hints: &["AGE-SECRET-KEY-1"],
        pattern: r"(AGE-SECRET-KEY-1[0-9A-Z]{58})",
        ..Check::new(&PRIVATE_KEY, Place::Anywhere, "a private key of age")
    },
    token("an AWS access key id", &["AKIA", "ASIA"], r"\b((?:AKIA|ASIA)[0-9A-Z]{16})\b"),
    token("a GitHub token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], r"\b(gh[pousr]_[A-Za-z0-9]{36,})\b"),
    token("a GitHub token", &["github_pat_"], r"\b(github_pat_[A-Za-z0-9_]{50,})\b"),
    token("a GitLab token", &["glpat-"], r"\b(glpat-[A-Za-z0-9_-]{20,})\b"),
    token(
        "a Slack token",
        &["xoxa-", "xoxb-", "xoxp-", "xoxr-", "xoxs-"],
        r"\b(xox[abprs]-[0-9]{6,}-[0-9A-Za-z-]{16,})\b",
    ),
    token(
        "a Slack webhook",
        &["hooks.slack.com"],
        r"(hooks\.slack\.com/services/T[0-9A-Z]{6,}/B[0-9A-Z]{6,}/[0-9A-Za-z]{20,})",
    ),
    token("a Google API key", &["AIza"], r"\b(AIza[0-9A-Za-z_-]{35})\b"),
    token("a Google client secret", &["GOCSPX-"], r"\b(GOCSPX-[0-9A-Za-z_-]{28})\b"),
    token("a live Stripe key", &["k_live_"], r"\b([rs]k_live_[0-9A-Za-z]{20,})\b"),
    token("an npm token", &["npm_"], r"\b(npm_[A-Za-z0-9]{36})\b"),
    token("a PyPI token", &["pypi-AgEIcHlwaS5vcmc"], r"\b(pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,})\b"),
    token("a SendGrid key", &["SG."], r"\b(SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43})\b"),
    token(
        "a key of a model service",
        &["sk-proj-", "sk-ant-", "T3BlbkFJ"],
        r"\b(sk-(?:proj|ant)-[A-Za-z0-9_-]{32,}|sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20})\b",
    ),
    token("an Azure storage key", &["AccountKey="], r"(AccountKey=[A-Za-z0-9+/]{86}==)"),
    Check {
        hints: &["://"],
        pattern: r#"\b(?i:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|redis|rediss|amqps?|ftp|smtps?|ldaps?|https?)://[^\s:/@"'<>{}$]{1,60}:([^\s:/@"'<>{}$*%]{6,80})@[\w.-]+"#,
        unless: &[
            "localhost",
            "127.0.0.1",
            "example.com",
            "example.org",
            "example.net",
            "@host",
            "@db/",
            "@db:",
            "@redis/",
            "@redis:",
            "@server",
        ],
        ..Check::new(&URL_PASSWORD, Place::Anywhere, "an address with a password")
    },
    Check {
        hints: &[
            "passw",
            "secret",
            "api_key",
            "api-key",
            "apikey",
            "auth_token",
            "auth-token",
            "authtoken",
            "access_token",
            "access-token",
            "accesstoken",
            "private_key",
            "access_key",
            "access-key",
            "accesskey",
        ],
        pattern: r#"(?i)(?:^|[^\w])["']?[\w.-]*(?:passw(?:or)?d|secret|api[_-]?key|auth[_-]?token|access[_-]?token|access[_-]?key|secret[_-]?key|private_key)["']?\s*(?:=>|:=|[:=])\s*["']([^"'\s]{16,200})["']"#,
        ..Check::new(&ASSIGNED, Place::Anywhere, "a password or key")
    },
    Check {
        hints: &["passw", "secret", "api_key", "apikey", "_token", "access_key"],
        pattern: r#"^\s*(?:export\s+)?[A-Z0-9_]*(?:PASSWORD|PASSWD|SECRET|API_?KEY|TOKEN|ACCESS_KEY|SECRET_KEY)\s*=\s*([A-Za-z0-9+/=_!@#^&*-]{16,200})\s*$"#,
        ..Check::new(&ASSIGNED, Place::Anywhere, "a password or key")
    },
];

/// Numbers that every handbook has, for trying out.
const HANDBOOK: &[&str] = &[
    "4111111111111111",
    "4242424242424242",
    "4012888888881881",
    "4000000000000002",
    "4000056655665556",
    "5555555555554444",
    "5105105105105100",
    "5200828282828210",
    "2223003122003222",
    "378282246310005",
    "371449635398431",
    "6011111111111117",
    "30569309025904",
    "3530111333300000",
];

/// Whether digits can be the number of a card: its length, its first digits and its check digit.
fn is_card(text: &str) -> bool {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let begins = |from: u32, to: u32, length: usize| {
        digits
            .get(..length)
            .and_then(|head| head.parse().ok())
            .is_some_and(|head: u32| (from..=to).contains(&head))
    };
    let is_known = match digits.len() {
        16 => {
            begins(4, 4, 1)
                || begins(51, 55, 2)
                || begins(2221, 2720, 4)
                || begins(65, 65, 2)
                || begins(6011, 6011, 4)
        }
        15 => begins(34, 34, 2) || begins(37, 37, 2),
        _ => false,
    };
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(place, digit)| {
            let digit = u32::from(digit - b'0') * if place % 2 == 1 { 2 } else { 1 };
            if 9 < digit { digit - 9 } else { digit }
        })
        .sum();
    is_known
        && sum.is_multiple_of(10)
        && !HANDBOOK.contains(&digits.as_str())
        && 3 < digits.bytes().collect::<std::collections::BTreeSet<u8>>().len()
}

/// Whether a shape is a secret, and not an example of one.
pub(super) fn is_real(check: &Check, file: &FileText, hit: &Hit) -> bool {
    let line = file.line(hit.line);
    let value = &line[hit.heart..hit.end];
    match check.rule.id {
        id if id == PRIVATE_KEY.id => {
            is_key(file, hit.line) || value.starts_with("AGE") || value.starts_with("PuTTY")
        }
        id if id == ASSIGNED.id => is_random(value) && !is_placeholder(value) && !names_something(line),
        id if id == URL_PASSWORD.id => !is_placeholder(value) && !is_word(value),
        id if id == CARD.id => is_card(value),
        _ => !is_placeholder(value),
    }
}

/// How far a quotation of the line may go.
pub(super) fn shown(check: &Check, hit: &Hit) -> usize {
    match check.rule.id {
        id if id == PRIVATE_KEY.id => hit.end,
        id if id == URL_PASSWORD.id => hit.heart,
        id if id == ASSIGNED.id => hit.heart + 3,
        _ => hit.heart + SHOWN,
    }
    .min(hit.end)
}

/// The first line alone is often only an example, so one of the next must look like a key, too.
fn is_key(file: &FileText, line: usize) -> bool {
    let is_base64 = |line: &str| {
        let line = line.trim().trim_matches(['"', '\'', ',', '+', '\\', 'n']).trim();
        40 <= line.len()
            && line.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
            && 3.5 <= entropy(line)
    };
    (line + 1..line + 7).any(|next| is_base64(file.line(next)))
}

fn is_random(text: &str) -> bool {
    let has = |test: fn(&u8) -> bool| text.as_bytes().iter().any(test);
    let is_hex =
        32 <= text.len() && text.bytes().all(|byte| byte.is_ascii_hexdigit()) && has(u8::is_ascii_digit);
    let is_mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    let is_code = text.contains(['$', '{', '(', '<', '%', '[', ' ', '.', ':', ';', ',']);
    let is_path = text.starts_with(['/', '@', '#']) || text.matches('/').count() > 2;
    let is_camel =
        !text.contains(['+', '/', '=', '!', '@', '#', '^', '&', '*']) && words_in(text) * 5 > text.len();
    (is_mixed && !is_camel || is_hex)
        && !is_code
        && !is_path
        && (if is_hex { 3.0 } else { 3.6 }) <= entropy(text)
}

/// Runs of small letters of four and more: words of a name such as `passwordResetToken2`.
fn words_in(text: &str) -> usize {
    text.split(|character: char| !character.is_ascii_lowercase()).filter(|run| 4 <= run.len()).count()
}

/// Words that say that the value is no secret: a hash to compare with, a public key, a name of something.
fn names_something(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    [
        "public",
        "sha256",
        "sha512",
        "integrity",
        "checksum",
        "digest",
        "fingerprint",
        "hash",
        "label",
        "translation",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

fn is_word(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.bytes().all(|byte| byte.is_ascii_lowercase()) && (text.len() < 12 || entropy(text) < 3.3)
        || ["pass", "secret", "pwd"].iter().any(|word| lower.contains(word))
}

static PLACEHOLDER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)example|placeholder|change.?(?:me|this|it)|your|xxxx|\btest|test\b|_test|dummy|sample|fake|mock|insert|replace|",
        r"redacted|todo|foobar|hello|lorem|0000|11111|1234567|abcdef|abcd1234|deadbeef|s3cr3t|p[a4]ssw[o0]rd|qwerty|xyz|",
        r"not.?a.?(?:real|secret)|insecure|django-insecure|development|secret_?key"
    ))
    .ok()
});

fn is_placeholder(text: &str) -> bool {
    PLACEHOLDER.as_ref().is_some_and(|words| words.is_match(text))
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
