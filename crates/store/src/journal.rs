//! Journals: one JSON object a line, each with its number and its check.
//!
//! `{"seq":3,"id":"…",…,"check":"…"}`: `check` is the first 64 bits of the sha256 of all bytes
//! before it. A crc would be cheaper by some nanoseconds and one dependency dearer; sha256 is here anyway.
//! Line 0 is the header: what the journal is, its format, and whom it is about.
//!
//! A last line without its end was never acknowledged: it is cut. Any other bad line is damage: it is skipped and counted.
//! Where every line counts (`Strict`), a turned bit is undone, and whoever writes next puts the damaged journal aside and
//! goes on in one that has all the good lines.
//!
//! What cannot be seen from within is that whole lines are missing at the end.

pub(crate) mod line;
mod mend;
mod walk;

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use serde::de::DeserializeOwned;

pub(crate) use line::{header, is_plain, render, words};
pub(crate) use walk::{Walked, walk};

use crate::document::open_trusted;
use crate::error::{LineFault, Problem, Why};

/// A line longer than this was not written by us.
pub(crate) const LONGEST_LINE: usize = 32 << 20;

/// What a journal is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The turn ledger.
    Budget,
    /// What calls may cost, and did.
    Spend,
    /// Events of a run.
    Run,
    /// The turns of a conversation.
    Transcript,
    /// Findings.
    Flags,
    /// Tool calls.
    Log,
    /// What is known of directories, where it costs nothing to find out again.
    Entries,
}

/// What a bad line means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strictness {
    /// Something that was paid for, or a sum, is missing.
    Strict,
    /// One line less.
    Lenient,
}

impl Kind {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Budget => "budget",
            Self::Spend => "spend",
            Self::Run => "run",
            Self::Transcript => "transcript",
            Self::Flags => "flags",
            Self::Log => "log",
            Self::Entries => "entries",
        }
    }

    /// The newest format known.
    pub(crate) fn format(self) -> u32 {
        match self {
            // The first one was the only place of flags; this one is a copy.
            Self::Flags => 2,
            Self::Budget | Self::Spend | Self::Run | Self::Transcript | Self::Log | Self::Entries => 1,
        }
    }

    pub(crate) fn strictness(self) -> Strictness {
        match self {
            Self::Budget | Self::Spend | Self::Run | Self::Transcript => Strictness::Strict,
            Self::Flags | Self::Log | Self::Entries => Strictness::Lenient,
        }
    }
}

/// A line that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record<T> {
    /// Its number, from 1.
    pub seq: u64,
    /// The name under which it was added, if it had one.
    pub id: Option<String>,
    /// What it says.
    pub body: T,
}

/// What a journal holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Records<T> {
    /// Its lines, in order.
    pub records: Vec<Record<T>>,
    /// How many lines could not be used.
    pub skipped: u64,
    /// What is wrong with it, also where what it said is known all the same.
    pub fault: Option<Problem>,
}

impl<T> Default for Records<T> {
    fn default() -> Self {
        Self { records: Vec::new(), skipped: 0, fault: None }
    }
}

impl<T> Records<T> {
    /// What the lines say, without their numbers.
    pub fn into_bodies(self) -> Vec<T> {
        self.records.into_iter().map(|record| record.body).collect()
    }

    /// The same, if no line is missing: for what makes no sense in part.
    pub fn into_all_bodies(mut self) -> Result<Vec<T>, Problem> {
        match self.fault.take() {
            Some(fault) if 0 < self.skipped => Err(fault),
            _ => Ok(self.into_bodies()),
        }
    }
}

/// Whom a journal of this kind says it is about in its first line.
pub(crate) fn subject(path: &Path, kind: Kind) -> Option<String> {
    let (file, _) = open_trusted(path).ok()??;
    let mut first = Vec::new();
    BufReader::new(file.take(LONGEST_LINE as u64)).read_until(b'\n', &mut first).ok()?;
    let header = line::parse(first.strip_suffix(b"\n").unwrap_or(&first)).ok()?;
    walk::subject(&header, kind)
}

/// Reads a journal. One that does not exist is empty.
pub(crate) fn read<T: DeserializeOwned>(path: &Path, kind: Kind, about: &str) -> Result<Records<T>, Problem> {
    let problem = |why| Problem::new(path, why);
    let Some((file, _)) = open_trusted(path).map_err(problem)? else { return Ok(Records::default()) };
    let mut found = Records::default();
    let mut strange = 0;
    let walked =
        walk(file, kind, about, |number, line| match serde_json::from_slice(&line::body(line.fields)) {
            Ok(body) => {
                let id = line.id.map(str::to_owned);
                found.records.push(Record { seq: line.seq, id, body });
                Ok(())
            }
            Err(_) if kind.strictness() == Strictness::Lenient => {
                strange += 1;
                Ok(())
            }
            Err(error) => Err(Why::Line { line: number, fault: LineFault::Shape(error.to_string()) }),
        });
    let walked = walked.map_err(problem)?;
    found.skipped = walked.skipped + strange;
    found.fault = walked.fault.map(problem);
    Ok(found)
}

#[cfg(test)]
mod tests;
