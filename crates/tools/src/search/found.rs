//! What was found in a file.

use luminos_core::RelPath;

use crate::address::addressed;
use crate::blobs::Encoding;
use crate::root::Stamp;

/// Lines that were found in a file.
#[derive(Debug)]
pub(super) struct FileHits {
    pub(super) path: RelPath,
    /// What the file was when it was searched.
    pub(super) stamp: Stamp,
    /// Matches, and the lines around them.
    pub(super) lines: Vec<Line>,
}

/// A line, or as much of it as is shown.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) number: u64,
    /// The place of the first byte that is shown, in the file.
    pub(super) start: u64,
    /// How many bytes of the file are shown, the end of the line included.
    pub(super) length: u64,
    pub(super) text: Vec<u8>,
    pub(super) is_match: bool,
    /// What was left out before and after.
    pub(super) cut: (u64, u64),
}

impl FileHits {
    pub(super) fn matches(&self) -> usize {
        self.lines.iter().filter(|line| line.is_match).count()
    }

    pub(super) fn heading(&self) -> Vec<u8> {
        format!("{}\n", addressed(&self.path)).into_bytes()
    }

    /// The lines by match: each with those around it, and none twice.
    pub(super) fn units(&self) -> Vec<&[Line]> {
        let mut units = Vec::new();
        let mut rest = &self.lines[..];
        while let Some(at) = rest.iter().position(|line| line.is_match) {
            // What follows a match is before the next one, if they are neighbours.
            let after =
                rest[at + 1..].windows(2).take_while(|pair| pair[0].number + 1 == pair[1].number).count();
            let tail = &rest[at + 1..];
            let is_near = tail.first().is_some_and(|line| line.number == rest[at].number + 1);
            let run = if is_near { &tail[..after + 1] } else { &[] };
            let end = match run.iter().position(|line| line.is_match) {
                // Half of the lines between two neighbours would be as good; the second one gets them all.
                Some(_) => at + 1,
                None => at + 1 + run.len(),
            };
            let (unit, left) = rest.split_at(end);
            units.push(unit);
            rest = left;
        }
        units
    }
}

impl Line {
    /// A line, cut around the place where it matches if it is too long.
    pub(super) fn new(number: u64, place: u64, bytes: &[u8], matched_at: Option<usize>, most: usize) -> Self {
        let is_match = matched_at.is_some();
        if bytes.len() <= most {
            let length = bytes.len() as u64;
            return Self { number, start: place, length, text: bytes.to_vec(), is_match, cut: (0, 0) };
        }
        // A quarter of what is shown stands before the match.
        let from = matched_at.unwrap_or(0).saturating_sub(most / 4).min(bytes.len() - most);
        let from = crate::session::char_boundary(bytes, from);
        let to = crate::session::char_boundary(bytes, from + most).max(from);
        Self {
            number,
            start: place + from as u64,
            length: (to - from) as u64,
            text: bytes[from..to].to_vec(),
            is_match,
            cut: (from as u64, (bytes.len() - to) as u64),
        }
    }

    /// The place behind the last byte that is shown, in the file.
    pub(super) fn end(&self) -> u64 {
        self.start + self.length
    }

    /// Writes `12: text` for a match, `12- text` for a line around one.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        let mark = if self.is_match { ':' } else { '-' };
        out.extend_from_slice(format!("{}{mark} ", self.number).as_bytes());
        let (before, after) = self.cut;
        if 0 < before {
            out.extend_from_slice(format!("[{before} bytes cut] ").as_bytes());
        }
        let text = self.text.strip_suffix(b"\n").unwrap_or(&self.text);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        match std::str::from_utf8(text) {
            Ok(_) => out.extend_from_slice(text),
            Err(_) => out.extend_from_slice(&Encoding::Latin1.decode(text)),
        }
        if 0 < after {
            out.extend_from_slice(format!(" [{after} bytes cut]").as_bytes());
        }
        out.push(b'\n');
    }
}
