//! Keys and tokens that should not lie in a file. What they are and where they stand `luminos_core::secrets` says; here it is
//! decided which of them somebody should be told of. What is quoted of one is what stands before it, and a mark.

use luminos_core::flag::Severity;
use luminos_core::secrets::{Class, Secret, entropy, is_placeholder, is_published, is_random};

use super::check::{Check, Hit, LONGEST_LINE, Place};
use super::table::{ASSIGNED, CARD, PRIVATE_KEY, Rule, TOKEN, URL_PASSWORD};
use crate::eyes::FileText;

/// A run of so many letters and digits is what tokens are made of.
const LEAST_RUN: usize = 16;
/// So many digits of a card are shown: they tell who issued it.
const SHOWN: usize = 4;
/// Shorter values of settings are words, as a rule.
const LEAST_VALUE: usize = 16;
/// So many letters of a private key are no example of its first line.
const LEAST_ROW: usize = 40;

/// Whether a line stands in an example of a document: between fences, as what a program prints.
fn is_fenced(file: &FileText, line: usize) -> bool {
    let is_document = [".md", ".markdown"].iter().any(|ending| file.name.ends_with(ending));
    let fences = (1..line).filter(|number| file.line(*number).trim_start().starts_with("```")).count();
    is_document && fences % 2 == 1
}

pub(super) const CHECKS: &[Check] = &[Check {
    hints: &["visa", "mastercard", "amex", "american express", "card", "karte", "carte", "cvc", "cvv"],
    pattern: r"(?i)(?:visa|mastercard|amex|american express|card|karte|carte|cvc|cvv).*?\b(\d{4}[ -]?\d{4,6}[ -]?\d{4,5}(?:[ -]?\d{4})?)\b",
    ..Check::new(&CARD, Place::Anywhere, "the number of a payment card")
}];

/// Words in names of files and directories that hold keys for trying out.
const FOR_TRIALS: &[&str] = &[
    "localhost",
    "snakeoil",
    "dummy",
    "fake",
    "mock",
    "mirage",
    "selfsigned",
    "self-signed",
    "self_signed",
    "sample",
    "demo",
];
/// The same, as whole names.
const TRIALS: &[&str] = &["t", "unit", "integration", "itest", "e2e"];
/// Words that begin or end with `test`, and are about something else.
const NO_TESTS: &[&str] =
    &["latest", "contest", "attest", "greatest", "protest", "fastest", "testimonials", "testament"];

/// Whether a path says that what lies there is for trying out: there a key is one that everybody may have.
fn is_for_trials(path: &str) -> bool {
    let path = path.to_ascii_lowercase();
    let names = || path.split('/');
    let words = path.split(['/', '.', '-', '_']);
    let is_test = |word: &str| {
        (word.starts_with("test") || word.ends_with("test") || word.ends_with("tests"))
            && !NO_TESTS.iter().any(|other| word.starts_with(other) || word.ends_with(other))
    };
    FOR_TRIALS.iter().any(|word| path.contains(word))
        || names().rev().skip(1).any(|name| TRIALS.contains(&name))
        || words.into_iter().any(is_test)
}

/// Whether a program is about the shapes of secrets, and holds examples of them: a scanner, or its tests.
fn is_scanner(file: &FileText) -> bool {
    let lower = file.text.to_ascii_lowercase();
    lower.contains("regex")
        && ["keywords", "detector", "scanner", "redact", "true positive", "false positive"]
            .iter()
            .any(|word| lower.contains(word))
}

/// A secret that somebody should be told of.
pub(super) struct Leak {
    pub(super) rule: &'static Rule,
    /// What it is called in a sentence.
    pub(super) words: &'static str,
    pub(super) line: usize,
    /// Where a quotation of the line ends.
    pub(super) end: usize,
    /// Less than what the rule says.
    pub(super) less: Option<Severity>,
}

/// The secrets of a file that are worth a flag.
pub(super) fn leaks(file: &FileText) -> Vec<Leak> {
    let mut leaks: Vec<Leak> = Vec::new();
    let mut last = None;
    for secret in file.secrets() {
        // A private key has many rows.
        if last == Some(secret.whole) {
            continue;
        }
        if let Some(leak) = leak(file, secret) {
            last = Some(secret.whole);
            leaks.push(leak);
        }
    }
    let is_example = |leak: &Leak| is_fenced(file, leak.line);
    let is_side = !leaks.is_empty() && (is_for_trials(&file.word) || is_scanner(file));
    for leak in leaks.iter_mut().filter(|leak| is_side || is_example(leak)) {
        leak.less = Some(Severity::Info);
    }
    leaks
}

fn leak(file: &FileText, secret: &Secret) -> Option<Leak> {
    let value = file.true_words(secret.range());
    let line = file.line_at(secret.whole);
    let text = file.line(line);
    let leak = |rule| Some(Leak { rule, words: secret.kind.words, line, end: secret.end, less: None });
    if is_published(value.as_bytes()) {
        return None;
    }
    match secret.kind.class {
        Class::PrivateKey => {
            let is_key = !value.contains(' ') && LEAST_ROW <= value.len() && 3.5 <= entropy(value);
            let line_end = file.start_of(line) + text.len();
            let end = if secret.start == secret.whole { secret.end } else { secret.start.min(line_end) };
            // What is encrypted opens nothing by itself.
            let head: String = (line..line + 3).map(|line| file.line(line)).collect();
            let less = head.contains("ENCRYPTED").then_some(Severity::Concern);
            let rule = &PRIVATE_KEY;
            is_key.then_some(Leak { rule, words: secret.kind.words, line, end, less })
        }
        // Keys for trials say so themselves: `sk_test_…`.
        Class::Token => {
            leak(&TOKEN).filter(|_| is_drawn(value) && !is_placeholder(value) && !is_name_of_role(value))
        }
        // Pages and apps carry theirs to everybody.
        Class::WebKey => leak(&TOKEN)
            .filter(|_| is_drawn(value) && !is_placeholder(value))
            .map(|leak| Leak { less: Some(Severity::Info), ..leak }),
        Class::Assigned => leak(&ASSIGNED).filter(|_| {
            text.len() <= LONGEST_LINE
                && (LEAST_VALUE..=200).contains(&value.len())
                && is_random(value)
                && !is_placeholder(value)
                && !names_something(text)
        }),
        Class::Login => leak(&URL_PASSWORD).filter(|_| is_login(text, value)),
        Class::Masked => None,
    }
}

/// Whether there is a run of letters and digits in it that nobody made up.
fn is_drawn(value: &str) -> bool {
    let runs = value.split(|letter: char| !letter.is_ascii_alphanumeric());
    let has = |run: &str, test: fn(&u8) -> bool| run.as_bytes().iter().any(test);
    runs.filter(|run| LEAST_RUN <= run.len()).any(|run| {
        has(run, u8::is_ascii_digit)
            && has(run, u8::is_ascii_alphabetic)
            && 3.0 <= entropy(run)
            && !is_counted(run)
    })
}

/// Whether letters or digits follow one another as in the alphabet: `abcdefgh`, `12345678`.
fn is_counted(run: &str) -> bool {
    let steps = run.as_bytes().windows(2).map(|pair| pair[1].wrapping_sub(pair[0]) == 1);
    let (longest, _) = steps.fold((0, 0), |(longest, now): (usize, usize), is_next| {
        let now = if is_next { now + 1 } else { 0 };
        (longest.max(now), now)
    });
    5 <= longest
}

/// Ids of users and roles of AWS, which are no keys.
fn is_name_of_role(value: &str) -> bool {
    value.starts_with("AROA") || value.starts_with("AIDA")
}

/// An address that opens something for whoever has it.
fn is_login(line: &str, password: &str) -> bool {
    let schemes = ["postgres", "mysql", "mariadb", "mongodb", "redis", "amqp", "ftp", "smtp", "ldap", "http"];
    let lower = line.to_ascii_lowercase();
    let is_near = [
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
    ];
    6 <= password.len()
        && schemes.iter().any(|scheme| lower.contains(scheme))
        && !is_near.iter().any(|word| lower.contains(word))
        && !password.contains(['$', '%', '*', '<', '{'])
        && !is_placeholder(password)
        && !is_word(password)
}

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

/// Whether digits are the number of a card, and no example of one.
pub(super) fn is_real(check: &Check, file: &FileText, hit: &Hit) -> bool {
    check.rule.id != CARD.id || is_card(&file.line(hit.line)[hit.heart..hit.end])
}

/// How far a quotation of the line may go.
pub(super) fn shown(hit: &Hit) -> usize {
    (hit.heart + SHOWN).min(hit.end)
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
