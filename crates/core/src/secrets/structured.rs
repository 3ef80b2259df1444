//! Secrets that are known by where they stand: in an address, in a column, in the data of a manifest.

use std::ops::Range;

use super::find::{line_after, line_before, line_end, line_start};
use super::value::{is_login_in_base64, is_reference};
use super::{Class, Kind, Secret};

const LOGIN: Kind =
    Kind { name: "url-credentials", words: "an address with a password", class: Class::Login };
const ENCODED: Kind = Kind { name: "encoded-login", words: "a login in base64", class: Class::Masked };
const CELL: Kind = Kind { name: "password-cell", words: "a password in a table", class: Class::Masked };
const DATA: Kind = Kind { name: "kubernetes-secret", words: "data of a Secret", class: Class::Masked };
const FILE: Kind = Kind { name: "password-file", words: "a password of a database", class: Class::Masked };

/// A table has no more columns than are looked at.
const MOST_COLUMNS: usize = 1_000;
/// What is looked at around the kind of a manifest.
const LONGEST_MANIFEST: usize = 64 << 10;
/// Longest name of a user in an address, and longest password.
const LONGEST_USER: usize = 101;
const LONGEST_PASSWORD: usize = 201;

/// The password in `scheme://user:password@host`.
pub(super) fn login(text: &[u8], place: Range<usize>) -> Option<Secret> {
    let is_blank = |byte: u8| byte.is_ascii_whitespace() || byte == 0x0b;
    let scheme = place.start.checked_sub(2).map(|at| &text[at..place.start])?;
    if !scheme.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')) {
        return None;
    }
    let rest = &text[place.end..];
    let ends_name = |byte: &u8| matches!(byte, b':' | b'/' | b'@' | b'"' | b'\'') || is_blank(*byte);
    let ends_password = |byte: &u8| matches!(byte, b'/' | b'@' | b'"' | b'\'') || is_blank(*byte);
    let name = rest.iter().take(LONGEST_USER).position(ends_name)?;
    if rest.get(name) != Some(&b':') {
        return None;
    }
    let password = &rest[name + 1..];
    let end = password.iter().take(LONGEST_PASSWORD).position(ends_password)?;
    if end == 0 || password[end] != b'@' || is_reference(&password[..end]) {
        return None;
    }
    let start = place.end + name + 1;
    Some(Secret { kind: LOGIN, start, end: start + end, whole: start })
}

/// `Basic …` of a request, `"auth": "…"` of Docker, `_auth=…` of npm: a name and a password in base64.
pub(super) fn encoded_login(text: &[u8], place: Range<usize>) -> Option<Secret> {
    let skipped = text[place.end..]
        .iter()
        .take(8)
        .take_while(|byte| matches!(byte, b' ' | b':' | b'"' | b'\'' | b'=' | b'\\'))
        .count();
    let start = place.end + skipped;
    let is_part =
        |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_');
    let length = text[start..].iter().take(512).take_while(is_part).count();
    let value = &text[start..start + length];
    (6 <= length && is_login_in_base64(value)).then_some(Secret {
        kind: ENCODED,
        start,
        end: start + length,
        whole: start,
    })
}

/// `host:port:database:user:password` of PostgreSQL's clients.
pub(super) fn password_file(text: &[u8], place: Range<usize>) -> Option<Secret> {
    // The password may be long, and what stands before it is not.
    let start = place.start - line_before(text, place.start).len();
    // The mark at the beginning of a file, or the sign of a diff.
    let is_lead = |byte: &&u8| matches!(byte, b'+' | b'-' | 0xef | 0xbb | 0xbf);
    let start = start + text[start..].iter().take_while(is_lead).count();
    let line = start..place.end + line_after(text, place.end).len();
    let fields: Vec<&[u8]> = text[line.clone()].splitn(5, |byte| *byte == b':').collect();
    let [host, port, base, user, password] = fields.as_slice() else { return None };
    let is_field = |field: &[u8]| {
        !field.is_empty()
            && field
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'*' | b'.' | b'_' | b'-'))
    };
    let is_port = *port == b"*" || port.iter().all(u8::is_ascii_digit) && !port.is_empty();
    let password = password.trim_ascii_end();
    let is_value =
        3 <= password.len() && !password.iter().any(|byte| matches!(byte, b' ' | b'/' | b'"' | b'\''));
    if !is_port || !is_value || ![*host, *base, *user].into_iter().all(is_field) || is_reference(password) {
        return None;
    }
    let start = line.start + host.len() + port.len() + base.len() + user.len() + 4;
    Some(Secret { kind: FILE, start, end: start + password.len(), whole: start })
}

/// Manifests of Secrets, of which each is gone through once, however often it says what it is.
#[derive(Debug, Default)]
pub(super) struct Manifests {
    seen_to: usize,
}

impl Manifests {
    /// The values below `data` and `stringData` in a manifest of a Secret.
    pub(super) fn at(&mut self, text: &[u8], place: Range<usize>, found: &mut Vec<Secret>) {
        // `kind: SecretStore` keeps none.
        let is_other = text.get(place.end).is_some_and(|next| next.is_ascii_alphanumeric());
        if is_other || place.start < self.seen_to {
            return;
        }
        let mut from = line_start(text, place.start);
        while self.seen_to < from {
            let above = line_start(text, from - 1);
            if text[above..from].starts_with(b"---") || LONGEST_MANIFEST < place.start - above {
                break;
            }
            from = above;
        }
        let whole = from;
        // In a diff every line has a sign before it.
        let at = line_start(text, place.start);
        let signs = usize::from(matches!(text[at], b'+' | b'-'));
        let mut inside: Option<usize> = None;
        while from < text.len() && from < place.end + LONGEST_MANIFEST {
            let end = line_end(text, from);
            let first = from + signs.min(end - from);
            let line = &text[first..end];
            if whole < from && line.starts_with(b"---") {
                break;
            }
            let indent = line.iter().take_while(|byte| **byte == b' ').count();
            let words = line[indent..].trim_ascii_end();
            let opens =
                [b"data:".as_slice(), b"stringData:", b"\"data\": {", b"\"stringData\": {"].contains(&words);
            match inside {
                _ if words.is_empty() => {}
                _ if opens => inside = Some(indent),
                Some(above) if indent <= above => inside = None,
                Some(_) => found.extend(of_line(line, first, whole)),
                None => {}
            }
            from = end + 1;
        }
        self.seen_to = from.min(text.len());
    }
}

/// The value of a line of a manifest, or the whole line where it is a part of a value.
fn of_line(line: &[u8], from: usize, whole: usize) -> Option<Secret> {
    let colon = line.windows(2).position(|pair| pair == b": ");
    let start = match colon {
        Some(colon) => colon + 2,
        None if line.ends_with(b":") => return None,
        None => 0,
    };
    let is_edge = |byte: &u8| matches!(byte, b'"' | b'\'' | b' ' | b',' | b'\r');
    let first = start + line[start..].iter().take_while(|byte| is_edge(byte)).count();
    let last = line.iter().rposition(|byte| !is_edge(byte)).map_or(first, |at| at + 1);
    let value = line.get(first..last)?;
    let is_mark = matches!(value, b"|" | b"|-" | b">" | b">-" | b"|+" | b"}" | b"{");
    (2 <= value.len() && !is_mark && !is_reference(value)).then_some(Secret {
        kind: DATA,
        start: from + first,
        end: from + last,
        whole,
    })
}

/// The cells of columns whose names say that they are secret.
pub(super) fn columns(text: &[u8], found: &mut Vec<Secret>) {
    let head = &text[..line_end(text, 0)];
    let mark = [b',', b';', b'\t', b'|']
        .into_iter()
        .max_by_key(|mark| head.iter().filter(|byte| *byte == mark).count());
    let Some(mark) = mark.filter(|mark| head.contains(mark)) else { return };
    let is_secret = |cell: &[u8]| {
        let name = cell.to_ascii_lowercase();
        let names: [&[u8]; 16] = [
            b"password",
            b"passwd",
            b"pwd",
            b"pass",
            b"passwort",
            b"passphrase",
            b"secret",
            b"token",
            b"api_key",
            b"apikey",
            b"api key",
            b"access_token",
            b"secret_key",
            b"private_key",
            b"login_password",
            b"pin",
        ];
        names.contains(&name.as_slice())
            || name.ends_with(b"_password")
            || name.ends_with(b"_secret")
            || name.ends_with(b"_token")
    };
    let secret: Vec<bool> = cells(head, mark).take(MOST_COLUMNS).map(|cell| is_secret(&head[cell])).collect();
    if !secret.contains(&true) {
        return;
    }
    let mut from = head.len() + 1;
    while from < text.len() {
        let end = line_end(text, from);
        let line = &text[from..end];
        for (cell, _) in cells(line, mark).zip(&secret).filter(|(_, is_secret)| **is_secret) {
            if 2 <= cell.len() && !is_reference(&line[cell.clone()]) {
                let (start, end) = (from + cell.start, from + cell.end);
                found.push(Secret { kind: CELL, start, end, whole: start });
            }
        }
        from = end + 1;
    }
}

/// The cells of a line, without the quotes around them.
fn cells(line: &[u8], mark: u8) -> impl Iterator<Item = Range<usize>> {
    let mut at = Some(0);
    std::iter::from_fn(move || {
        let start = at?;
        let mut is_quoted = false;
        let length = line[start..].iter().take_while(|byte| {
            is_quoted ^= **byte == b'"';
            is_quoted || **byte != mark
        });
        let end = start + length.count();
        at = (end < line.len()).then_some(end + 1);
        let is_edge = |byte: &u8| matches!(byte, b'"' | b' ' | b'\r');
        let cell = &line[start..end];
        let first = cell.iter().take_while(|byte| is_edge(byte)).count();
        let last = cell.iter().rposition(|byte| !is_edge(byte)).map_or(first, |at| at + 1);
        Some(start + first..start + last)
    })
}
