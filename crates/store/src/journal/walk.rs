//! From the first line of a journal to its last good one.

use std::io::{BufRead, BufReader, Read};

use serde::Deserialize;

use super::line::{self, Line};
use super::{Kind, LONGEST_LINE, Strictness, mend};
use crate::error::{LineFault, Why};

/// How a journal looked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Walked {
    /// The number of the line to come; 0 for a journal without a header.
    pub(crate) next: u64,
    /// How many bytes are whole lines.
    pub(crate) whole: u64,
    /// Whether the last of these lacks nothing but its end.
    pub(crate) open_end: bool,
    /// How many lines could not be used.
    pub(crate) skipped: u64,
    /// How many lines are not as they were written, but it is known what they were.
    pub(crate) mended: u64,
    /// The first thing that is wrong with it.
    pub(crate) fault: Option<Why>,
    /// The format that its header tells; 0 without one.
    pub(crate) format: u64,
    /// How many lines since the last good one could not be used.
    bad_before: u64,
}

impl Walked {
    fn blame(&mut self, number: u64, fault: LineFault) {
        self.fault.get_or_insert(Why::Line { line: number, fault });
    }
}

/// So many damaged stretches of a journal are tried to be mended: it takes time, and damage that is more than a turned bit
/// does not come alone.
const TRIES: u32 = 2;

#[derive(Deserialize)]
struct Header {
    kind: String,
    format: u64,
    #[serde(default)]
    about: String,
}

/// Reads all lines of a journal and hands the good ones over with their place in the file, from 1.
///
/// A bad line is one less, whatever it was. Whether anything can rest on what is left, its reader decides.
pub(crate) fn walk(
    file: impl Read,
    kind: Kind,
    about: &str,
    each: impl FnMut(u64, &Line<'_>) -> Result<(), Why>,
) -> Result<Walked, Why> {
    let unreadable = |error: std::io::Error| Why::Unreadable(error.to_string());
    let mut reader = BufReader::with_capacity(64 << 10, file);
    let mut walk = Walk { kind, about, each, walked: Walked::default(), stretch: Vec::new(), tries: TRIES };
    let mut bytes = Vec::new();
    let mut number = 0;
    loop {
        bytes.clear();
        let most = LONGEST_LINE as u64 + 1;
        let length = reader.by_ref().take(most).read_until(b'\n', &mut bytes).map_err(unreadable)? as u64;
        if length == 0 {
            return walk.end(number);
        }
        number += 1;
        let is_ended = bytes.ends_with(b"\n");
        if !is_ended && length == most {
            let skipped = reader.skip_until(b'\n').map_err(unreadable)? as u64;
            walk.walked.blame(number, LineFault::TooLong);
            walk.walked.bad_before += 1;
            walk.walked.whole += length + skipped;
            continue;
        }
        match line::parse(bytes.strip_suffix(b"\n").unwrap_or(&bytes)) {
            Ok(line) => {
                walk.settle(number)?;
                walk.take(number, &line)?;
                walk.walked.whole += length;
                // Nothing of it is missing but its end: it counts, and whoever writes next ends it.
                walk.walked.open_end = !is_ended;
            }
            Err(fault) if is_ended => {
                walk.bad(number, fault, &bytes);
                walk.walked.whole += length;
            }
            Err(_) if has_damaged_end(&bytes) => walk.bad(number, LineFault::Checksum, &bytes),
            // It was never finished, and nobody was told that it was kept.
            Err(_) => {}
        }
        if !is_ended {
            return walk.end(number);
        }
    }
}

/// A journal that is being read.
struct Walk<'a, E> {
    kind: Kind,
    about: &'a str,
    each: E,
    walked: Walked,
    /// The lines since the last good one that cannot be used; none where they are too many.
    stretch: Vec<u8>,
    /// How many more stretches are tried to be mended.
    tries: u32,
}

impl<E: FnMut(u64, &Line<'_>) -> Result<(), Why>> Walk<'_, E> {
    fn bad(&mut self, number: u64, fault: LineFault, bytes: &[u8]) {
        self.walked.blame(number, fault);
        self.walked.bad_before += 1;
        if self.stretch.len() <= mend::LONGEST {
            self.stretch.extend_from_slice(bytes);
        }
    }

    /// Mends what could not be used so far, where that can be done.
    fn settle(&mut self, number: u64) -> Result<(), Why> {
        let stretch = std::mem::take(&mut self.stretch);
        if stretch.is_empty() || self.kind.strictness() == Strictness::Lenient || self.tries == 0 {
            return Ok(());
        }
        self.tries -= 1;
        let Some(lines) = mend::undo_one_bit(&stretch) else { return Ok(()) };
        self.walked.bad_before = 0;
        for line in lines.strip_suffix(b"\n").unwrap_or(&lines).split(|byte| *byte == b'\n') {
            self.walked.mended += 1;
            if let Ok(line) = line::parse(line) {
                self.take(number, &line)?;
            }
        }
        Ok(())
    }

    /// Judges a good line by its number.
    fn take(&mut self, number: u64, line: &Line<'_>) -> Result<(), Why> {
        let bad_before = std::mem::take(&mut self.walked.bad_before);
        let wanted = self.walked.next;
        if line.seq == 0 && wanted == 0 {
            self.walked.skipped += bad_before;
            self.walked.next = 1;
            self.walked.format = check_header(line, self.kind, self.about)?;
            return Ok(());
        }
        // A log that was rotated goes on with its numbers, so the first one after the header can be any.
        let can_begin_anywhere = self.kind.strictness() == Strictness::Lenient && wanted <= 1;
        let missing = if can_begin_anywhere { 0 } else { line.seq.saturating_sub(wanted) };
        if line.seq < wanted || bad_before < missing {
            self.walked.blame(number, LineFault::Number { found: line.seq, wanted });
        }
        if line.seq < wanted {
            self.walked.skipped += bad_before + 1;
            return Ok(());
        }
        self.walked.skipped += bad_before.max(missing);
        self.walked.next = line.seq.saturating_add(1);
        (self.each)(number, line)
    }

    fn end(mut self, number: u64) -> Result<Walked, Why> {
        self.settle(number)?;
        self.walked.skipped += std::mem::take(&mut self.walked.bad_before);
        Ok(self.walked)
    }
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
