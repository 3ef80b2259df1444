//! Orders to machine readers that do not stand there in plain words: cut by line ends, spelled in look-alike letters or
//! around invisible ones, encoded, turned round. A model may well read them; whoever looks at the file does not.
//!
//! One question is asked of every way a text can be read: is it an order? What an order looks like is said once, in `text`.
//!
//! Not here: orders in plain sight, which are a shape in a line like others (`text`).

use std::borrow::Cow;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use luminos_core::proof::Evidence;
use regex::Regex;

use super::check::Sightings;
use super::table::ORDERS;
use super::{Found, check, guise, places, text};
use crate::eyes::FileText;

/// Shorter rows of letters and digits are words and numbers.
const SHORTEST_ROW: usize = 24;
/// Encoded texts inside encoded texts are followed so far.
const DEEPEST: u32 = 3;
/// Of a line that is longer, so much on either side of a word is looked at.
const AROUND: usize = 500;
/// Rows that fill a line so far go on in the next one.
const FULL_LINE: usize = 40;

struct Orders {
    pattern: Regex,
    hints: AhoCorasick,
}

static KNOWN: LazyLock<Option<Orders>> = LazyLock::new(|| {
    let checks = || text::CHECKS.iter().filter(|check| check.rule.id == ORDERS.id);
    let patterns: Vec<String> = checks().map(|check| format!("(?:{})", check.pattern)).collect();
    let pattern = Regex::new(&patterns.join("|")).ok()?;
    Some(Orders { pattern, hints: check::automaton(hints())? })
});

/// The words that orders hold.
fn hints() -> impl Iterator<Item = &'static str> {
    let checks = text::CHECKS.iter().filter(|check| check.rule.id == ORDERS.id);
    checks.flat_map(|check| check.hints.iter().copied())
}

/// The same, as they look in orders that are turned round.
pub(super) fn turned_hints() -> impl Iterator<Item = String> {
    hints().flat_map(|hint| [guise::rotated(hint), guise::reversed(hint)])
}

/// Whether a text gives orders to machine readers, in plain words.
fn is_order(text: &str) -> bool {
    KNOWN.as_ref().is_some_and(|known| known.hints.is_match(text) && known.pattern.is_match(text))
}

/// Orders in a file that no single line shows in plain words.
pub(super) fn hidden(file: &FileText, seen: &Sightings) -> Vec<Found> {
    let all: [(&str, Vec<usize>); 4] = [
        ("broken over lines, or in a line that nobody reads to its end", cut(file, &seen.orders)),
        ("spelled in look-alike or invisible characters", spelled(file)),
        ("encoded", encoded(file)),
        ("turned round, letter by letter", turned(file, &seen.turned)),
    ];
    let found = all.into_iter().filter(|(_, lines)| !lines.is_empty());
    found
        .map(|(how, mut lines)| {
            lines.dedup();
            let mut evidence: Vec<Evidence> =
                lines.iter().map(|line| file.cite_lines(*line, *line)).map(short).collect();
            let places = places(&mut evidence);
            let finding = format!(
                "Text here tries to instruct AI readers, {how}{places}. It was treated as data; tools that feed this file to a model may not do that."
            );
            Found::new(&ORDERS, finding, evidence)
        })
        .collect()
}

/// A line that is long is cited without its words.
fn short(mut evidence: Evidence) -> Evidence {
    if evidence.quote.as_ref().is_some_and(|quote| check::LONGEST_LINE < quote.len()) {
        (evidence.quote, evidence.start, evidence.end) = (None, None, None);
    }
    evidence
}

/// How an order stands in bytes that are no text; `None` if there is none.
pub(crate) fn in_bytes(bytes: &[u8]) -> Option<&'static str> {
    if is_any_order(&String::from_utf8_lossy(bytes)) {
        return Some("between bytes that are no text");
    }
    // Two bytes for a letter, whichever comes first.
    let wide = |first: usize| {
        let units = bytes.get(first..)?.chunks_exact(2).map(|pair| pair[0]);
        Some(String::from_utf8_lossy(&units.collect::<Vec<u8>>()).into_owned())
    };
    [0, 1].into_iter().filter_map(wide).any(|text| is_any_order(&text)).then_some("in wide characters")
}

/// Whether the name of a file or directory gives orders to machine readers.
pub(super) fn in_name(name: &str) -> bool {
    let spaced: String =
        name.chars().map(|letter| if "_-+.".contains(letter) { ' ' } else { letter }).collect();
    [name, &spaced].into_iter().any(|name| is_order(name) || is_order(&guise::folded(name)))
}

/// Whether a text is an order in any reading that needs no lines.
fn is_any_order(text: &str) -> bool {
    is_order(text) || is_order(&guise::folded(text)) || holds_encoded(text, DEEPEST)
}

/// Lines that are part of an order which begins or ends elsewhere.
fn cut(file: &FileText, hints: &[usize]) -> Vec<usize> {
    let Some(known) = KNOWN.as_ref() else { return Vec::new() };
    let mut lines = Vec::new();
    let mut last = 0;
    for at in hints.iter().copied() {
        let number = file.line_at(at);
        let line = file.line(number);
        let is_long = check::LONGEST_LINE < line.len();
        let is_done = std::mem::replace(&mut last, number) == number && !is_long;
        if is_done || lines.last() == Some(&number) {
            continue;
        }
        if !is_long && known.pattern.is_match(line) {
            continue;
        }
        let here = if is_long { around(line, at - file.start_of(number)) } else { line };
        let neighbour = |number: usize| around(file.line(number), 0);
        let [before, here, after] =
            [neighbour(number.saturating_sub(1)), here, neighbour(number + 1)].map(squeezed);
        // What a neighbour says alone is its own.
        let is_others = !is_long && [&before, &after].into_iter().any(|line| known.pattern.is_match(line));
        if !is_others && known.pattern.is_match(&format!("{before} {here} {after}")) {
            lines.push(number);
        }
    }
    lines
}

/// As much of a line as stands around one of its bytes.
fn around(line: &str, at: usize) -> &str {
    &line[line.floor_char_boundary(at.saturating_sub(AROUND))
        ..line.ceil_char_boundary((at + AROUND).min(line.len()))]
}

/// Words with one space between them, without what makes the line a comment.
fn squeezed(line: &str) -> String {
    let bare =
        line.trim_start_matches(|letter: char| letter.is_whitespace() || "#/*;>-!<%|\"'".contains(letter));
    bare.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn spelled(file: &FileText) -> Vec<usize> {
    if file.text.is_ascii() {
        return Vec::new();
    }
    let odd = file.lines().filter(|(_, line)| !line.is_ascii());
    odd.filter(|(_, line)| !is_order(line) && is_order(&guise::folded(line)))
        .map(|(number, _)| number)
        .collect()
}

fn turned(file: &FileText, hints: &[usize]) -> Vec<usize> {
    let mut lines = Vec::new();
    for at in hints.iter().copied() {
        let number = file.line_at(at);
        if lines.last() == Some(&number) {
            continue;
        }
        let line = around(file.line(number), at - file.start_of(number));
        if is_order(&guise::rotated(line)) || is_order(&guise::reversed(line)) {
            lines.push(number);
        }
    }
    lines
}

fn encoded(file: &FileText) -> Vec<usize> {
    let mut lines: Vec<usize> = rows(&file.text)
        .filter(|(_, row)| is_encoded_order(row, DEEPEST))
        .map(|(at, _)| file.line_at(at))
        .collect();
    let is_order = |line: &usize| guise::unescaped(file.line(*line)).is_some_and(|text| is_any_order(&text));
    lines.extend(escaped(file).into_iter().filter(is_order));
    lines.sort_unstable();
    lines
}

/// Lines that hold an escape of programs, pages or addresses.
fn escaped(file: &FileText) -> Vec<usize> {
    let bytes = file.text.as_bytes();
    let marks = memchr::memchr3_iter(b'\\', b'&', b'%', bytes).filter(|at| guise::is_mark(&bytes[*at..]));
    let mut lines: Vec<usize> = marks.map(|at| file.line_at(at)).collect();
    lines.dedup();
    lines
}

fn holds_encoded(text: &str, depth: u32) -> bool {
    rows(text).any(|(_, row)| is_encoded_order(&row, depth))
}

fn is_encoded_order(row: &str, depth: u32) -> bool {
    let texts = [guise::from_base64(row), guise::from_hex(row)].into_iter().flatten();
    let mut texts = texts.filter_map(|bytes| String::from_utf8(bytes).ok());
    texts.any(|text| {
        is_order(&text) || is_order(&guise::folded(&text)) || 0 < depth && holds_encoded(&text, depth - 1)
    })
}

/// Which bytes a row is made of.
const PARTS: [bool; 256] = {
    let mut parts = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        parts[byte] =
            (byte as u8).is_ascii_alphanumeric() || matches!(byte as u8, b'+' | b'/' | b'-' | b'_' | b'=');
        byte += 1;
    }
    parts
};

/// Rows of letters and digits that are long enough to be something encoded, over the ends of full lines.
fn rows(text: &str) -> impl Iterator<Item = (usize, Cow<'_, str>)> {
    let is_part = |byte: u8| PARTS[usize::from(byte)];
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + bytes.get(at..)?.iter().position(|byte| is_part(*byte))?;
            let (mut end, mut line_start, mut has_ends) = (start, start, false);
            loop {
                while bytes.get(end).is_some_and(|byte| is_part(*byte)) {
                    end += 1;
                }
                let gap = if bytes.get(end..end + 2) == Some(b"\r\n") { 2 } else { 1 };
                let goes_on = matches!(bytes.get(end), Some(b'\n' | b'\r'))
                    && FULL_LINE <= end - line_start
                    && bytes.get(end + gap).is_some_and(|byte| is_part(*byte));
                if !goes_on {
                    break;
                }
                (end, has_ends) = (end + gap, true);
                line_start = end;
            }
            at = end;
            if SHORTEST_ROW <= end - start {
                let row = &text[start..end];
                let row =
                    if has_ends { Cow::Owned(row.replace(['\n', '\r'], "")) } else { Cow::Borrowed(row) };
                return Some((start, row));
            }
        }
    })
}
