//! A text without its secrets: with a mark in the place of each, or with as many other bytes.

use std::ops::Range;

use super::{Secret, TextKind, count_secrets, find_secrets};

/// How every mark begins.
pub(super) const MARK: &str = "[redacted ";
/// What stands for a secret where its length must stay.
const BLANK: &[u8] = b"REDACTED";

/// A text without the secrets that were found in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redaction {
    /// The text.
    pub bytes: Vec<u8>,
    /// How many secrets were taken out.
    pub count: usize,
}

/// The text with a mark in the place of each secret; `None` if there is none.
pub fn redact(text: &[u8], kind: TextKind) -> Option<Redaction> {
    let secrets = find_secrets(text, kind);
    if secrets.is_empty() {
        return None;
    }
    Some(Redaction { bytes: redact_part(text, 0, &secrets), count: count_secrets(&secrets) })
}

/// A part of a text with a mark in the place of each secret, or piece of one. `secrets` are those of the whole text, in
/// which the part begins at `start`.
pub fn redact_part(part: &[u8], start: usize, secrets: &[Secret]) -> Vec<u8> {
    let end = start + part.len();
    let mut out = Vec::with_capacity(part.len());
    let mut at = start;
    for secret in secrets.iter().filter(|secret| start < secret.end && secret.start < end) {
        let (from, to) = (secret.start.max(start), secret.end.min(end));
        if from < at {
            continue;
        }
        out.extend_from_slice(&part[at - start..from - start]);
        out.extend_from_slice(format!("{MARK}{}]", secret.kind.name).as_bytes());
        at = to;
    }
    out.extend_from_slice(&part[at - start..]);
    out
}

/// Where words with marks in them stand in a range of a text, once its secrets are replaced by marks.
pub fn find_redacted(
    text: &[u8],
    range: Range<usize>,
    secrets: &[Secret],
    words: &[u8],
) -> Option<Range<usize>> {
    let shown = redact_part(&text[range.clone()], range.start, secrets);
    let start = shown.windows(words.len().max(1)).position(|part| part == words)?;
    let end = start + words.len();
    // Both texts are gone through side by side; what begins or ends in a mark takes in the whole secret.
    let (mut at, mut shown_at, mut found) = (range.start, 0, None);
    let inside = secrets.iter().filter(|secret| range.start < secret.end && secret.start < range.end);
    for secret in inside {
        let (from, to) = (secret.start.max(range.start), secret.end.min(range.end));
        let plain = shown_at + (from - at);
        if found.is_none() && start < plain {
            found = Some(at + (start - shown_at));
        }
        if end <= plain {
            return found.map(|first| first..at + (end - shown_at));
        }
        let mark = plain + MARK.len() + secret.kind.name.len() + 1;
        if found.is_none() && start < mark {
            found = Some(from);
        }
        if end <= mark {
            return found.map(|first| first..to);
        }
        (at, shown_at) = (to, mark);
    }
    let first = found.unwrap_or(at + (start - shown_at.min(start)));
    Some(first..at + (end - shown_at))
}

/// Whether a text with marks can have been made from these words: what stands around its marks stands there, in that order.
pub fn is_made_from(marked: &str, words: &str) -> bool {
    let mut plain = Vec::new();
    let mut rest = marked;
    while let Some((before, after)) = rest.split_once(MARK) {
        let Some((_, after)) = after.split_once(']') else { return false };
        plain.push(before);
        rest = after;
    }
    let Some((first, between)) = plain.split_first() else { return marked == words };
    let Some(mut left) = words.strip_prefix(first).and_then(|left| left.strip_suffix(rest)) else {
        return false;
    };
    // What a mark stands for is not empty.
    let behind_secret = |left: &str| left.char_indices().nth(1).map_or(left.len(), |(at, _)| at);
    for piece in between {
        let from = behind_secret(left);
        let Some(at) = left[from..].find(piece) else { return false };
        left = &left[from + at + piece.len()..];
    }
    !left.is_empty()
}

/// How many secrets were taken out of a text before: rows of marks such as those of a private key count once.
pub fn count_marks(text: &str) -> usize {
    let mut count = 0;
    let mut last: Option<(usize, &str)> = None;
    for (at, _) in text.match_indices(MARK) {
        let rest = &text[at + MARK.len()..];
        let name = &rest[..rest.find(']').unwrap_or(0)];
        let is_more = last.is_some_and(|(end, before)| {
            before == name && name == "private-key" && text[end..at].matches('\n').count() <= 1
        });
        count += usize::from(!is_more);
        last = Some((at + MARK.len() + name.len(), name));
    }
    count
}

/// Whether there is a mark in a text.
pub fn has_mark(text: &str) -> bool {
    text.contains(MARK)
}

/// Writes over the secrets of a text, and leaves every other byte where it was. What it writes is a word wherever one may
/// stand, so that whoever parses the text still can.
pub fn blank_out(text: &mut [u8], secrets: &[Secret]) {
    for secret in secrets {
        let Some(bytes) = text.get_mut(secret.range()) else { continue };
        // A number stays one.
        if bytes.iter().all(u8::is_ascii_digit) {
            bytes.fill(b'0');
            continue;
        }
        let is_short = bytes.len() < BLANK.len();
        for (at, byte) in bytes.iter_mut().enumerate() {
            *byte = match at {
                0 if is_short => b'x',
                _ if is_short => b'*',
                at => BLANK.get(at).copied().unwrap_or(b'*'),
            };
        }
    }
}
