//! Which patterns may find a secret in a text.
//!
//! Every pattern contains one of a few words. One automaton looks for all of them at once; at each place a few bytes of
//! what stands around the word are compared with what the pattern needs there.
//!
//! **Guarantee**: a pattern that finds something is suspected. The other way round it need not be so.

use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};

/// A word, the patterns that contain it, and what must stand around it there.
struct Clue {
    word: &'static str,
    patterns: &'static [&'static str],
    company: Company,
}

/// What a pattern needs around its word.
#[derive(Debug, Clone, Copy)]
enum Company {
    /// The word itself, at the beginning of a longer one, and at least so many bytes of this kind.
    Key(fn(u8) -> bool, usize),
    /// The word itself.
    Any,
    /// A user's name, a colon, a password and `@`.
    Login,
    /// In whatever case: the rest of a setting's name, and a value.
    Setting,
}

const fn key(
    word: &'static str,
    patterns: &'static [&'static str],
    is_part: fn(u8) -> bool,
    least: usize,
) -> Clue {
    Clue { word, patterns, company: Company::Key(is_part, least) }
}

const fn setting(word: &'static str) -> Clue {
    Clue { word, patterns: &["quoted-secret", "dotenv-secret"], company: Company::Setting }
}

const CLUES: &[Clue] = &[
    Clue { word: "-----BEGIN ", patterns: &["private-key"], company: Company::Any },
    key("AKIA", &["aws-key"], is_capital, 16),
    key("ASIA", &["aws-key"], is_capital, 16),
    key("AROA", &["aws-key"], is_capital, 16),
    key("AIDA", &["aws-key"], is_capital, 16),
    key("ghp_", &["github-token"], is_alphanumeric, 36),
    key("gho_", &["github-token"], is_alphanumeric, 36),
    key("ghu_", &["github-token"], is_alphanumeric, 36),
    key("ghs_", &["github-token"], is_alphanumeric, 36),
    key("ghr_", &["github-token"], is_alphanumeric, 36),
    key("github_pat_", &["github-token"], is_token, 22),
    key("glpat-", &["gitlab-token"], is_token, 20),
    key("sk-", &["anthropic-key", "api-key"], is_token, 20),
    key("xox", &["slack-token"], is_token, 12),
    key("AIza", &["google-key"], is_token, 35),
    key("rk_", &["stripe-key"], is_token, 21),
    key("sk_", &["stripe-key"], is_token, 21),
    key("npm_", &["npm-token"], is_alphanumeric, 36),
    key("eyJ", &["jwt"], is_token, 8),
    Clue { word: "://", patterns: &["url-credentials"], company: Company::Login },
    setting("password"),
    setting("passwd"),
    setting("secret"),
    setting("token"),
    setting("apikey"),
    setting("api_key"),
    setting("accesskey"),
    setting("access_key"),
    setting("privatekey"),
    setting("private_key"),
];

/// `None` if it could not be made; then every pattern is suspected.
static WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let mut words = AhoCorasick::builder();
    // One table for all states: it is small, and twice as fast as the way that would be chosen.
    words.match_kind(MatchKind::Standard).ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA));
    words.build(CLUES.iter().map(|clue| clue.word)).ok()
});

/// The patterns that may find something.
pub(super) enum Suspected {
    All,
    These(Vec<&'static str>),
}

impl Suspected {
    pub(super) fn contains(&self, name: &str) -> bool {
        match self {
            Self::All => true,
            Self::These(names) => names.contains(&name),
        }
    }
}

/// Which patterns may find something in a text.
pub(super) fn of(text: &[u8]) -> Suspected {
    let Some(words) = &*WORDS else { return Suspected::All };
    let mut names: Vec<&str> = Vec::new();
    for found in words.find_overlapping_iter(text) {
        let Some(clue) = CLUES.get(found.pattern().as_usize()) else { continue };
        let is_news = clue.patterns.iter().any(|name| !names.contains(name));
        if is_news && is_suspicious(clue, text, found.start(), found.end()) {
            names.extend(clue.patterns);
        }
    }
    Suspected::These(names)
}

#[cfg(test)]
pub(super) fn can_name(pattern: &str) -> bool {
    CLUES.iter().any(|clue| clue.patterns.contains(&pattern))
}

fn is_suspicious(clue: &Clue, text: &[u8], start: usize, end: usize) -> bool {
    let rest = text.get(end..).unwrap_or_default();
    let is_exact = || text.get(start..end) == Some(clue.word.as_bytes());
    match clue.company {
        Company::Any => is_exact(),
        Company::Key(is_part, least) => {
            let before = start.checked_sub(1).and_then(|at| text.get(at));
            is_exact()
                && before.is_none_or(|byte| !is_word(*byte))
                && rest.get(..least).is_some_and(|part| part.iter().all(|byte| is_part(*byte)))
        }
        Company::Login => is_login(rest),
        Company::Setting => is_setting(rest),
    }
}

/// Whether `name:password@` follows.
fn is_login(rest: &[u8]) -> bool {
    let ends_name = |byte: &u8| matches!(byte, b':' | b'/' | b'@' | b'"' | b'\'') || is_blank(*byte);
    let ends_password = |byte: &u8| matches!(byte, b'/' | b'@' | b'"' | b'\'') || is_blank(*byte);
    let Some(name) = rest.iter().take(101).position(ends_name) else { return false };
    if rest.get(name) != Some(&b':') {
        return false;
    }
    let password = rest.get(name + 1..).unwrap_or_default();
    let end = password.iter().take(201).position(ends_password);
    end.is_some_and(|end| 0 < end && password.get(end) == Some(&b'@'))
}

/// Whether the rest of a name, a sign and a value follow, quoted or as in a file of variables.
fn is_setting(rest: &[u8]) -> bool {
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    let Some(name) = rest.iter().take(21).position(|byte| !is_name(byte)) else { return false };
    let rest = rest.get(name..).unwrap_or_default();
    let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
    let blanks = rest.iter().take_while(|byte| is_blank(**byte)).count();
    let rest = rest.get(blanks..).unwrap_or_default();
    if !matches!(rest.first(), Some(b'=' | b':')) {
        return false;
    }
    let value = rest.get(1..).unwrap_or_default();
    let is_variable = blanks == 0 && rest.first() == Some(&b'=');
    let starts = |byte: &u8| !is_blank(*byte) && !matches!(byte, b'"' | b'\'' | b'$' | b'[');
    if is_variable && value.iter().take(8).filter(|byte| starts(byte)).count() == 8 {
        return true;
    }
    let sign = value.iter().take_while(|byte| matches!(byte, b'=' | b'>') || is_blank(**byte)).count();
    matches!(value.get(sign), Some(b'"' | b'\''))
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_capital(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

fn is_token(byte: u8) -> bool {
    is_word(byte) || byte == b'-'
}

/// What `\s` means without Unicode.
fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}
