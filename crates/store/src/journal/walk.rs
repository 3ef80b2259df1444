//! From the first line of a journal to its last good one.

use std::io::{BufRead, BufReader, Read};

use serde::Deserialize;

use super::line::{self, Line};
use super::{Kind, LONGEST_LINE, Strictness};
use crate::error::{LineFault, Why};

/// How a journal looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Walked {
    /// The number of the line to come; 0 for a journal without a header.
    pub(crate) next: u64,
    /// How many bytes are whole lines.
    pub(crate) whole: u64,
    /// Whether the last of these lacks nothing but its end.
    pub(crate) open_end: bool,
    /// How many lines could not be used.
    pub(crate) skipped: u64,
    /// The format that its header tells; 0 without one.
    pub(crate) format: u64,
}

#[derive(Deserialize)]
struct Header {
    kind: String,
    format: u64,
    #[serde(default)]
    about: String,
}

/// Reads all lines of a journal and hands the good ones over with their place in the file, from 1.
pub(crate) fn walk(
    file: impl Read,
    kind: Kind,
    about: &str,
    mut each: impl FnMut(u64, &Line<'_>) -> Result<(), Why>,
) -> Result<Walked, Why> {
    let unreadable = |error: std::io::Error| Why::Unreadable(error.to_string());
    let mut reader = BufReader::with_capacity(64 << 10, file);
    let mut walked = Walked::default();
    let mut bytes = Vec::new();
    let mut number = 0;
    loop {
        bytes.clear();
        let most = LONGEST_LINE as u64 + 1;
        let length = reader.by_ref().take(most).read_until(b'\n', &mut bytes).map_err(unreadable)? as u64;
        if length == 0 {
            return Ok(walked);
        }
        number += 1;
        let at = |fault| Why::Line { line: number, fault };
        let Some(text) = bytes.strip_suffix(b"\n") else {
            if length < most {
                // Nothing of it is missing but its end: it counts, and whoever writes next ends it.
                if let Ok(line) = line::parse(&bytes) {
                    take(&line, kind, about, &mut walked, at, |line| each(number, line))?;
                    walked.whole += length;
                    walked.open_end = true;
                } else if has_damaged_end(&bytes) {
                    bad(kind, &mut walked, at(LineFault::Checksum))?;
                }
                return Ok(walked);
            }
            let skipped = reader.skip_until(b'\n').map_err(unreadable)? as u64;
            bad(kind, &mut walked, at(LineFault::TooLong))?;
            walked.whole += length + skipped;
            continue;
        };
        match line::parse(text) {
            Ok(line) => take(&line, kind, about, &mut walked, at, |line| each(number, line))?,
            Err(fault) => bad(kind, &mut walked, at(fault))?,
        }
        walked.whole += length;
    }
}

/// Judges a good line by its number.
fn take(
    line: &Line<'_>,
    kind: Kind,
    about: &str,
    walked: &mut Walked,
    at: impl Fn(LineFault) -> Why,
    each: impl FnOnce(&Line<'_>) -> Result<(), Why>,
) -> Result<(), Why> {
    if line.seq == 0 && walked.next == 0 {
        walked.next = 1;
        walked.format = check_header(line, kind, about)?;
        return Ok(());
    }
    // A log that was rotated goes on with its numbers, so the first one after the header can be any.
    let can_begin_anywhere = kind.strictness() == Strictness::Lenient && walked.next <= 1;
    let is_next = line.seq == walked.next || can_begin_anywhere;
    if !is_next {
        bad(kind, walked, at(LineFault::Number { found: line.seq, wanted: walked.next }))?;
        if line.seq < walked.next {
            return Ok(());
        }
    }
    walked.next = line.seq.saturating_add(1);
    each(line)
}

fn check_header(line: &Line<'_>, kind: Kind, about: &str) -> Result<u64, Why> {
    let header = serde_json::from_slice(&line::body(line.fields));
    let header: Header = header.map_err(|error| Why::Shape(error.to_string()))?;
    if header.kind != kind.word() {
        return Err(Why::Kind { found: header.kind, wanted: kind.word() });
    }
    if u64::from(kind.format()) < header.format {
        return Err(Why::TooNew { found: header.format, known: kind.format() });
    }
    if header.about != about { Err(Why::Elsewhere) } else { Ok(header.format) }
}

/// Whom the header of a journal of this kind names.
pub(super) fn subject(line: &Line<'_>, kind: Kind) -> Option<String> {
    let header: Header = serde_json::from_slice(&line::body(line.fields)).ok()?;
    (line.seq == 0 && header.kind == kind.word()).then_some(header.about)
}

/// Whether a last line without an end had one: all of it is there, and then another byte than the end. A line that
/// was never finished has been cut short; this one was acknowledged, and has been damaged since.
fn has_damaged_end(bytes: &[u8]) -> bool {
    bytes.split_last().is_some_and(|(_, bytes)| line::parse(bytes).is_ok())
}

fn bad(kind: Kind, walked: &mut Walked, why: Why) -> Result<(), Why> {
    match kind.strictness() {
        Strictness::Strict => Err(why),
        Strictness::Lenient => {
            walked.skipped += 1;
            Ok(())
        }
    }
}
