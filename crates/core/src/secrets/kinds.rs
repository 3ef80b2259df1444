//! The table of secrets that are known by their form: tokens of services, keys with a mark of their own.
//!
//! A row says what a secret is called in a redaction, what it is called in a flag, the words it is found by, and its
//! shape from such a word on. The first group of a shape is the secret, or the whole shape where it has none. Adding a
//! kind is adding a row (`rows`); a test holds that every shape compiles and finds its own word.

use super::{Class, Kind};

mod rows;

pub(super) use rows::ROWS;

/// A row of the table.
pub(super) struct Row {
    pub(super) kind: Kind,
    /// Words that every such secret contains, in the case in which they are written.
    pub(super) hints: &'static [&'static str],
    /// The shape, from the beginning of the word on, or from what leads to it.
    pub(super) shape: &'static str,
    /// What may stand before the word and belongs to the secret.
    pub(super) lead: Option<fn(u8) -> bool>,
    /// Whether a letter, a digit or `_` may stand directly before it.
    pub(super) is_anywhere: bool,
    /// Whether the word may be written in whatever case.
    pub(super) ignores_case: bool,
    /// So many visible characters stand behind the word at least, before a blank, a quote or a bracket.
    pub(super) least: usize,
}

const fn row(
    name: &'static str,
    words: &'static str,
    hints: &'static [&'static str],
    shape: &'static str,
) -> Row {
    let kind = Kind { name, words, class: Class::Token };
    Row { kind, hints, shape, lead: None, is_anywhere: false, ignores_case: false, least: 8 }
}

/// A row of something that is found and masked, and is no proof of a leak.
const fn quiet(
    name: &'static str,
    words: &'static str,
    hints: &'static [&'static str],
    shape: &'static str,
) -> Row {
    let kind = Kind { name, words, class: Class::Masked };
    Row { kind, hints, shape, lead: None, is_anywhere: true, ignores_case: true, least: 0 }
}

const fn key(
    name: &'static str,
    words: &'static str,
    hints: &'static [&'static str],
    shape: &'static str,
) -> Row {
    let kind = Kind { name, words, class: Class::PrivateKey };
    Row { kind, hints, shape, lead: None, is_anywhere: true, ignores_case: false, least: 8 }
}

const fn led(lead: fn(u8) -> bool, row: Row) -> Row {
    Row { lead: Some(lead), least: 0, ..row }
}

const fn anywhere(row: Row) -> Row {
    Row { is_anywhere: true, ..row }
}

const fn web(row: Row) -> Row {
    Row { kind: Kind { class: Class::WebKey, ..row.kind }, ..row }
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}

fn is_hex(byte: u8) -> bool {
    byte.is_ascii_hexdigit()
}

fn is_alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

/// How the number of a Discord bot begins, in base64: two digits and what follows.
const DISCORD: &[&str] = &[
    "MTA", "MTE", "MTI", "MTM", "MTQ", "MTU", "NDA", "NDE", "NDI", "NDM", "NDQ", "NDU", "NDY", "NDc", "NDg",
    "NDk", "NTA", "NTE", "NTI", "NTM", "NTQ", "NTU", "NTY", "NTc", "NTg", "NTk", "NjA", "NjE", "NjI", "NjM",
    "NjQ", "NjU", "NjY", "Njc", "Njg", "Njk", "NzA", "NzE", "NzI", "NzM", "NzQ", "NzU", "NzY", "Nzc", "Nzg",
    "Nzk", "ODA", "ODE", "ODI", "ODM", "ODQ", "ODU", "ODY", "ODc", "ODg", "ODk", "OTA", "OTE", "OTI", "OTM",
    "OTQ", "OTU", "OTY", "OTc", "OTg", "OTk",
];

/// Headers of keys in base64, as they begin when the line `BEGIN` is not there: PKCS#1, PKCS#8, SEC1, OpenSSH.
pub(super) const BARE_KEYS: &[&str] = &[
    "IBAAKC",
    "ADANBgkqhkiG9w0BAQEFAASC",
    "MHcCAQEEI",
    "MIGkAgEBBD",
    "MIHcAgEBBE",
    "AgEAMBMGByqGSM49",
    "AgEAMBAGByqGSM49",
    "MC4CAQAwBQYDK2VwBCIE",
    "b3BlbnNzaC1rZXktdjE",
];
