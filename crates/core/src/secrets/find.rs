//! One pass over a text for all words by which secrets are found; only what stands around such a word is looked at.

use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use regex::bytes::Regex;

use super::kinds::{BARE_KEYS, ROWS, Row};
use super::mask::MARK;
use super::{Class, Secret, TextKind, known, pem, setting, structured};

/// No secret with a form of its own is longer.
const LONGEST: usize = 8_192;
/// How far back a secret may begin before the word it is found by.
const LONGEST_LEAD: usize = 48;
/// The mark of a secret is no longer, up to its name's end.
const LONGEST_MARK: usize = 40;
/// How far around a range is looked for what makes something in it a secret.
const AROUND: usize = 16 << 10;

/// How much of a line is looked at on either side of a name.
const NEAR: usize = 160;

/// What a word is a sign of.
#[derive(Debug, Clone, Copy)]
enum Clue {
    Row(usize),
    Setting,
    Login,
    PrivateKey,
    BareKey,
    PuttyKey,
    SecretManifest,
    EncodedLogin,
    PasswordFile,
}

struct Clues {
    automaton: Option<AhoCorasick>,
    /// The words, each with what it is a sign of.
    words: Vec<(Clue, &'static str)>,
    shapes: Vec<OnceLock<Option<Regex>>>,
}

static CLUES: LazyLock<Clues> = LazyLock::new(|| {
    let of_rows = ROWS.iter().enumerate();
    let of_rows =
        of_rows.flat_map(|(index, row)| row.hints.iter().map(move |hint| (Clue::Row(index), *hint)));
    let others = [
        (Clue::Login, "://"),
        (Clue::PrivateKey, "PRIVATE KEY"),
        (Clue::PuttyKey, "Private-Lines:"),
        (Clue::PuttyKey, "Private-MAC:"),
        (Clue::SecretManifest, "kind: Secret"),
        (Clue::SecretManifest, "\"kind\": \"Secret\""),
        (Clue::EncodedLogin, "\"auth\""),
        (Clue::EncodedLogin, "basic "),
        (Clue::EncodedLogin, "_auth="),
        (Clue::EncodedLogin, "_auth ="),
        (Clue::PasswordFile, ":5432:"),
        (Clue::PasswordFile, ":3306:"),
        (Clue::PasswordFile, ":*:"),
    ];
    let bare = BARE_KEYS.iter().map(|word| (Clue::BareKey, *word));
    let settings = setting::WORDS.iter().map(|word| (Clue::Setting, *word));
    let words: Vec<(Clue, &str)> = of_rows.chain(others).chain(bare).chain(settings).collect();
    let mut builder = AhoCorasick::builder();
    // One table for all states: every byte of a target goes through it.
    builder.match_kind(MatchKind::Standard).ascii_case_insensitive(true).kind(Some(AhoCorasickKind::DFA));
    let shapes = ROWS.iter().map(|_| OnceLock::new()).collect();
    Clues { automaton: builder.build(words.iter().map(|(_, word)| word)).ok(), words, shapes }
});

/// All secrets of a text, in order and apart from one another. What everybody knows is none.
pub fn find_secrets(text: &[u8], kind: TextKind) -> Vec<Secret> {
    let mut found = Vec::new();
    let Some(automaton) = &CLUES.automaton else { return found };
    let mut manifests = structured::Manifests::default();
    for hit in automaton.find_overlapping_iter(text) {
        let place = hit.start()..hit.end();
        let (clue, word) = CLUES.words[hit.pattern().as_usize()];
        match clue {
            Clue::Row(index) => found.extend(at_row(text, index, word, place, &found)),
            Clue::Setting if is_inside_of_one(&found, place.start) || is_in_mark(text, place.start) => {}
            Clue::Setting => found.extend(setting::find(text, place, kind)),
            Clue::Login => found.extend(structured::login(text, place)),
            Clue::PrivateKey => pem::at_mark(text, place, &mut found),
            Clue::BareKey => pem::at_bare_key(text, place, &mut found),
            Clue::PuttyKey => pem::at_putty(text, place, &mut found),
            Clue::SecretManifest => manifests.at(text, place, &mut found),
            Clue::EncodedLogin => found.extend(structured::encoded_login(text, place)),
            Clue::PasswordFile => found.extend(structured::password_file(text, place)),
        }
    }
    if kind == TextKind::Table {
        structured::columns(text, &mut found);
    }
    found.retain(|secret| {
        let bytes = &text[secret.range()];
        !bytes.starts_with(b"[redacted") && !known::is_known_to_all(bytes)
    });
    apart(found)
}

/// The secrets that touch a range of a text, found by what stands around it: for whoever has a long text and shows a
/// little of it.
pub fn find_secrets_around(text: &[u8], kind: TextKind, range: Range<usize>) -> Vec<Secret> {
    if text.len() <= 4 * AROUND || kind == TextKind::Table {
        let mut all = find_secrets(text, kind);
        all.retain(|secret| secret.start < range.end && range.start < secret.end);
        return all;
    }
    let from = line_start(text, range.start.saturating_sub(AROUND));
    let to = line_end(text, range.end.saturating_add(AROUND).min(text.len()));
    let mut all = find_secrets(&text[from..to], kind);
    for secret in &mut all {
        (secret.start, secret.end, secret.whole) =
            (secret.start + from, secret.end + from, secret.whole + from);
    }
    all.retain(|secret| secret.start < range.end && range.start < secret.end);
    all
}

/// A secret with a form of its own.
///
/// Every word of a target that has such letters in it comes by here, so what costs least is asked first.
fn at_row(text: &[u8], index: usize, word: &str, place: Range<usize>, found: &[Secret]) -> Option<Secret> {
    let row: &Row = &ROWS[index];
    // Words are looked for in whatever case; of most secrets the case is a part.
    if !row.ignores_case && text[place.clone()] != *word.as_bytes() {
        return None;
    }
    let lead = row.lead.map_or(0, |is_lead| {
        text[..place.start].iter().rev().take(LONGEST_LEAD).take_while(|byte| is_lead(**byte)).count()
    });
    if row.lead.is_some() && lead == 0 {
        return None;
    }
    let start = place.start - lead;
    let is_inside = start.checked_sub(1).is_some_and(|before| is_word(text[before]));
    let is_known = |secret: &Secret| secret.kind == row.kind && place.start < secret.end;
    if (is_inside && !row.is_anywhere && !follows_escape(text, start))
        || has_short_rest(text, place.end, row.least)
        || found.iter().rev().take(2).any(is_known)
    {
        return None;
    }
    let shape = CLUES.shapes[index].get_or_init(|| Regex::new(&format!(r"(?-u)\A(?:{})", row.shape)).ok());
    let piece = &text[start..text.len().min(start + LONGEST)];
    let captures = shape.as_ref()?.captures(piece)?;
    let secret = captures.get(1).or_else(|| captures.get(0))?;
    Some(Secret { kind: row.kind, start: start + secret.start(), end: start + secret.end(), whole: start })
}

/// Whether fewer bytes than a secret needs stand behind its word before one that is part of none.
fn has_short_rest(text: &[u8], place: usize, least: usize) -> bool {
    let rest = text[place..].iter().take(least);
    rest.take_while(|byte| {
        byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'(' | b')' | b',')
    })
    .count()
        < least
}

/// Whether what stands before a place is the letter of an escape such as `\n`, and no letter of a word.
fn follows_escape(text: &[u8], place: usize) -> bool {
    place.checked_sub(2).is_some_and(|at| text[at] == b'\\' && matches!(text[at + 1], b'n' | b'r' | b't'))
}

/// Whether a place is in a secret that was just found: what stands in a value is no name.
fn is_inside_of_one(found: &[Secret], place: usize) -> bool {
    found.iter().rev().take(2).any(|secret| secret.start <= place && place < secret.end)
}

/// Whether a place is in the mark of a secret that was taken out: the names of kinds are words of settings.
fn is_in_mark(text: &[u8], place: usize) -> bool {
    let before = &text[place.saturating_sub(LONGEST_MARK)..place];
    before
        .iter()
        .rposition(|byte| !(byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b' ')))
        .is_some_and(|at| before[at..].starts_with(MARK.as_bytes()))
}

/// Secrets in order, those that overlap made one: of the more telling kind.
fn apart(mut found: Vec<Secret>) -> Vec<Secret> {
    let rank = |class: Class| match class {
        Class::PrivateKey => 0,
        Class::Token | Class::WebKey => 1,
        Class::Login => 2,
        Class::Assigned => 3,
        Class::Masked => 4,
    };
    found.retain(|secret| secret.start < secret.end);
    // Of two that begin at one place the longer word tells more, and that is the one found later: `sk-ant-`, and not `sk-`.
    found.reverse();
    found.sort_by_key(|secret| (secret.start, rank(secret.kind.class)));
    let mut out: Vec<Secret> = Vec::with_capacity(found.len());
    for secret in found {
        match out.last_mut() {
            Some(last) if secret.start < last.end => {
                last.end = last.end.max(secret.end);
                if rank(secret.kind.class) < rank(last.kind.class) {
                    (last.kind, last.whole) = (secret.kind, secret.whole);
                }
            }
            Some(_) | None => out.push(secret),
        }
    }
    out
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// What stands before a place on its line, as far as it matters.
pub(super) fn line_before(text: &[u8], place: usize) -> &[u8] {
    let before = &text[place.saturating_sub(NEAR)..place];
    before.iter().rposition(|byte| *byte == b'\n').map_or(before, |at| &before[at + 1..])
}

/// What stands behind a place on its line, as far as it matters.
pub(super) fn line_after(text: &[u8], place: usize) -> &[u8] {
    let after = &text[place..text.len().min(place + NEAR)];
    after.iter().position(|byte| *byte == b'\n').map_or(after, |at| &after[..at])
}

/// The first byte of the line that a place is in.
pub(super) fn line_start(text: &[u8], place: usize) -> usize {
    text[..place].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)
}

/// The end of the line that a place is in, before its mark.
pub(super) fn line_end(text: &[u8], place: usize) -> usize {
    text[place..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |at| place + at)
}
