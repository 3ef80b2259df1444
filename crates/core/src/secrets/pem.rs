//! Bodies of private keys: whole, cut, quoted, in a diff, behind line numbers, on one line with `\n` in it.
//!
//! The first and the last line say only that there is a key, and stay. What is masked is every row of base64 between
//! them, line by line, with whatever stands before and behind it left as it is.

use std::ops::Range;

use super::find::{line_end, line_start};
use super::{Class, Kind, Secret};

const KEY: Kind = Kind { name: "private-key", words: "a private key", class: Class::PrivateKey };

/// No key is longer.
const LONGEST: usize = 32 << 10;
/// So many lines without a row of base64 end a body.
const MISSES: usize = 3;
/// A shorter row may be a word.
const LEAST_ROW: usize = 16;

/// At the words `PRIVATE KEY`: what follows `BEGIN`, or what stands before `END` where no `BEGIN` was seen.
pub(super) fn at_mark(text: &[u8], place: Range<usize>, found: &mut Vec<Secret>) {
    let before = &text[place.start.saturating_sub(48)..place.start];
    let after = &text[place.end..text.len().min(place.end + 24)];
    let dashes = after.windows(4).position(|part| part == b"----");
    let Some(dashes) = dashes.filter(|at| *at <= 7) else { return };
    let last = |word: &[u8]| before.windows(word.len()).rposition(|part| part == word);
    match (last(b"BEGIN "), last(b"END ")) {
        (Some(begin), end) if end.is_none_or(|end| end < begin) => {
            let whole = place.start - (before.len() - begin);
            let marks = after[dashes..].iter().take_while(|byte| **byte == b'-').count();
            follow(text, place.end + dashes + marks, whole, found);
        }
        (_, Some(_)) => precede(text, line_start(text, place.start), found),
        (Some(_), None) | (None, None) => {}
    }
}

/// Masks the rows of base64 from a place on, up to the mark of the end or to something else.
fn follow(text: &[u8], from: usize, whole: usize, found: &mut Vec<Secret>) {
    let limit = text.len().min(from + LONGEST);
    let secret = |row: Range<usize>| Secret { kind: KEY, start: row.start, end: row.end, whole };
    let (mut at, mut misses, mut has_row) = (from, 0, false);
    // Short rows count only if the end follows: the last one of a body, and a check sum.
    let mut short: Vec<Range<usize>> = Vec::new();
    while at < limit && misses <= MISSES {
        let (end, next) = next_break(text, at, limit);
        let is_mark = text[end..].starts_with(b"----");
        let rows = rows(text, at..end);
        let long: Vec<Range<usize>> = rows.iter().filter(|row| is_long(&text[(*row).clone()])).cloned().collect();
        if !long.is_empty() {
            found.extend(short.drain(..).filter(|_| has_row).map(secret));
            found.extend(long.into_iter().map(secret));
            (has_row, misses) = (true, 0);
        } else if !is_mark && !is_attribute(&text[at..end]) && rows.iter().any(|row| 2 <= row.len()) {
            misses += 1;
            short.extend(rows.last().cloned());
        }
        if is_mark {
            if has_row && misses <= 2 {
                found.extend(short.drain(..).map(secret));
            }
            return;
        }
        at = next;
    }
}

/// Masks the rows of base64 that stand before a place.
fn precede(text: &[u8], end: usize, found: &mut Vec<Secret>) {
    let mut at = end;
    let mut lines = Vec::new();
    while 0 < at && end - at < LONGEST {
        let start = line_start(text, at - 1);
        let line = start..at - 1;
        let rows = rows(text, line.clone());
        let longest = rows.into_iter().max_by_key(ExactSizeIterator::len);
        let Some(row) = longest.filter(|row| is_long(&text[row.clone()]) || (lines.is_empty() && 2 <= row.len())) else {
            break;
        };
        if text[line].windows(4).any(|part| part == b"----") {
            break;
        }
        lines.push(row);
        at = start;
    }
    let is_body = lines.iter().any(|row| 40 <= row.len());
    let is_known = |row: &Range<usize>| found.iter().rev().take(lines.len() + 4).any(|it| it.start <= row.start && row.end <= it.end);
    if !is_body || lines.last().is_some_and(is_known) {
        return;
    }
    let whole = lines.last().map_or(end, |row| row.start);
    found.extend(lines.into_iter().map(|row| Secret { kind: KEY, start: row.start, end: row.end, whole }));
}

/// At words that only the base64 of a private key has, where there is no mark around it.
pub(super) fn at_bare_key(text: &[u8], place: Range<usize>, found: &mut Vec<Secret>) {
    let lead = text[..place.start].iter().rev().take(16).take_while(|byte| is_base64(**byte)).count();
    let start = place.start - lead;
    let is_key = text[start..].starts_with(b"MI") || text[start..].starts_with(b"b3BlbnNzaC1rZXktdjE");
    let is_known = found.iter().rev().take(40).any(|it| it.start <= start && start < it.end);
    if !is_key || is_known {
        return;
    }
    let length = text[start..].iter().take(LONGEST).take_while(|byte| is_base64(**byte)).count();
    if length < 40 {
        return;
    }
    found.push(Secret { kind: KEY, start, end: start + length, whole: start });
    follow(text, start + length, start, found);
}

/// At the parts of a key of PuTTY that are private.
pub(super) fn at_putty(text: &[u8], place: Range<usize>, found: &mut Vec<Secret>) {
    let end = line_end(text, place.end);
    let value = text[place.end..end].trim_ascii();
    let kind = Kind { words: "a private key of PuTTY", ..KEY };
    let whole = line_start(text, place.start);
    if text[place.clone()].eq_ignore_ascii_case(b"Private-MAC:") {
        let start = place.end + text[place.end..end].len() - text[place.end..end].trim_ascii_start().len();
        found.push(Secret { kind, start, end: start + value.len(), whole });
        return;
    }
    let Some(lines) = std::str::from_utf8(value).ok().and_then(|lines| lines.parse::<usize>().ok()) else { return };
    let mut at = end + 1;
    for _ in 0..lines.min(400) {
        if text.len() <= at {
            return;
        }
        let end = line_end(text, at);
        let row = rows(text, at..end).into_iter().max_by_key(ExactSizeIterator::len);
        let Some(row) = row.filter(|row| text[at..end].trim_ascii().len() <= row.len() + 1) else { return };
        found.push(Secret { kind, start: row.start, end: row.end, whole });
        at = end + 1;
    }
}

/// Where a line ends, and where the next begins: at the end of a line, at an escape that stands for one, or at a mark.
fn next_break(text: &[u8], from: usize, limit: usize) -> (usize, usize) {
    let mut at = from;
    while at < limit {
        match text[at] {
            b'\n' => return (at, at + 1),
            b'-' if text[at..].starts_with(b"----") => return (at, at),
            b'\\' if matches!(text.get(at + 1), Some(b'n' | b'r')) => return (at, at + 2),
            _ => at += 1,
        }
    }
    (limit, limit)
}

/// Rows of characters of base64.
fn rows(text: &[u8], range: Range<usize>) -> Vec<Range<usize>> {
    let mut rows = Vec::new();
    let mut at = range.start;
    while at < range.end {
        if !is_base64(text[at]) {
            at += 1;
            continue;
        }
        let length = text[at..range.end].iter().take_while(|byte| is_base64(**byte)).count();
        // The sign of a diff is none of the key's.
        let is_sign = at == range.start && text[at] == b'+';
        let start = at + usize::from(is_sign);
        if start < at + length {
            rows.push(start..at + length);
        }
        at += length;
    }
    rows
}

fn is_long(row: &[u8]) -> bool {
    let has = |test: fn(&u8) -> bool| row.iter().any(test);
    LEAST_ROW <= row.len() && has(u8::is_ascii_uppercase) && (has(u8::is_ascii_lowercase) || 40 <= row.len())
}

/// `Proc-Type: 4,ENCRYPTED` and the like.
fn is_attribute(line: &[u8]) -> bool {
    let colon = line.windows(2).position(|part| part == b": ");
    colon.is_some_and(|colon| {
        colon <= 40 && line[..colon].iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b' ' | b'"' | b'+' | b'#'))
    })
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}
