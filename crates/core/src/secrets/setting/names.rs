//! Names of settings: the words that make one secret, where a name ends, and what it promises of its value.

use std::ops::Range;

/// Words in names of settings that are secret.
pub(in crate::secrets) const WORDS: &[&str] = &[
    "password",
    "passwd",
    "passwort",
    "kennwort",
    "passphrase",
    "passcode",
    "pwd",
    "_pass",
    "pass=",
    "pass:",
    "pass\"",
    "pass'",
    "<pass>",
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "api key",
    "accesskey",
    "access_key",
    "access-key",
    "privatekey",
    "private_key",
    "private-key",
    "accountkey",
    "account_key",
    "key-data",
    "_key",
    "-key",
    "signingkey",
    "encryptionkey",
    "masterkey",
    "presharedkey",
    "credential",
    "_salt",
    "requirepass",
    "masterauth",
    "webhook_url",
];
/// Words of people's passwords: their values are short.
const PASSWORDS: &[&str] =
    &["password", "passwd", "passwort", "kennwort", "passphrase", "passcode", "pwd", "pass"];
/// Words of keys and tokens that are nothing else.
const SURE: &[&str] = &[
    "secret",
    "token",
    "apikey",
    "api_key",
    "api-key",
    "api key",
    "accesskey",
    "access_key",
    "access-key",
    "privatekey",
    "private_key",
    "private-key",
    "accountkey",
    "account_key",
    "key-data",
    "presharedkey",
    "masterkey",
];
/// What a name ends in that tells about a secret and is none.
const ABOUT: &[&str] = &[
    "len",
    "length",
    "size",
    "file",
    "path",
    "dir",
    "name",
    "id",
    "ids",
    "uri",
    "url",
    "endpoint",
    "type",
    "kind",
    "policy",
    "field",
    "count",
    "min",
    "max",
    "ttl",
    "expir",
    "expires",
    "age",
    "timeout",
    "regex",
    "pattern",
    "format",
    "prefix",
    "suffix",
    "label",
    "title",
    "hint",
    "placeholder",
    "message",
    "error",
    "help",
    "desc",
    "version",
    "header",
    "param",
    "input",
    "column",
    "enabled",
    "required",
    "store",
    "manager",
    "provider",
    "service",
    "class",
    "arn",
    "ref",
    "rotation",
    "strength",
    "reset",
    "confirm",
    "algorithm",
    "alg",
    "method",
    "scope",
    "location",
    "mount",
    "usage",
    "limit",
    "budget",
    "iz",
    "ize",
    "ise",
    "ary",
    "izer",
    "s_per",
    "ring",
    "env",
    "var",
    "index",
    "idx",
    "pos",
    "kid",
    "less",
    "protected",
    "address",
    "contract",
];
/// No name is longer.
const LONGEST_NAME: usize = 64;

/// What a name promises of its value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Promise {
    /// A password that people type.
    Password,
    /// A key or token.
    Secret,
    /// Perhaps a key: only what looks random is one.
    Perhaps,
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')
}

/// The whole name around a word of it.
pub(super) fn name_around(text: &[u8], word: &Range<usize>) -> Range<usize> {
    let before =
        text[..word.start].iter().rev().take(LONGEST_NAME).take_while(|byte| is_of_name(**byte)).count();
    // Some words of the list end with the sign that follows a name.
    let end = word.start
        + text[word.clone()].iter().take_while(|byte| is_of_name(**byte) || **byte == b' ').count();
    let after = text[end..].iter().take(LONGEST_NAME).take_while(|byte| is_of_name(**byte)).count();
    let mut name = word.start - before..end + after;
    // `--password` of a command line.
    while name.start < word.start && matches!(text[name.start], b'-' | b'.') {
        name.start += 1;
    }
    name
}

/// A name in small letters, in as much room as any name needs.
struct Lower {
    bytes: [u8; 3 * LONGEST_NAME],
    length: usize,
}

impl Lower {
    fn of(name: &[u8]) -> Self {
        let mut bytes = [0; 3 * LONGEST_NAME];
        let length = name.len().min(bytes.len());
        bytes[..length].copy_from_slice(&name[..length]);
        bytes.make_ascii_lowercase();
        Self { bytes, length }
    }

    fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

/// What a name promises, if it is one of a secret.
pub(super) fn promise(text: &[u8], name: &Range<usize>, word: &Range<usize>) -> Option<Promise> {
    let lower = Lower::of(&text[name.clone()]);
    let whole = lower.as_bytes();
    let rest = &whole[(word.end.min(name.end) - name.start).min(whole.len())..];
    let first = rest.iter().take_while(|byte| matches!(byte, b'_' | b'-' | b'.')).count();
    let last = rest.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |at| at + 1);
    let rest = &rest[first..last.max(first)];
    let has = |word: &&str| whole.windows(word.len()).any(|part| part == word.as_bytes());
    let is = |words: &[&str]| words.iter().any(has);
    if ABOUT.iter().any(|about| rest.starts_with(about.as_bytes()))
        || is(&["public", "pubkey", "publishable"])
    {
        return None;
    }
    if is(&PASSWORDS[..PASSWORDS.len() - 1]) || whole == b"requirepass" || whole == b"masterauth" {
        // `passwords: 3`, `password.length`.
        return (!rest.starts_with(b"s") || rest.len() > 1).then_some(Promise::Password);
    }
    if whole.ends_with(b"pass") {
        // `bypass`, `compass`.
        let before = whole.len() - 4;
        let is_own = before == 0 || matches!(whole[before - 1], b'_' | b'-' | b'.');
        let is_camel = name.end.checked_sub(4).is_some_and(|at| text[at] == b'P');
        return (is_own || is_camel).then_some(Promise::Password);
    }
    let is_plural = rest == b"s" || rest.starts_with(b"s_") || rest.starts_with(b"s.");
    if is_plural {
        return None;
    }
    Some(if is(SURE) { Promise::Secret } else { Promise::Perhaps })
}
