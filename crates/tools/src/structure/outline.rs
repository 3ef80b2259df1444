//! What a file is made of: the typed result, of which `for_model` is one view.

use serde::{Deserialize, Serialize};

use super::source::Source;

/// The outline of one file, by the form of the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "form", rename_all = "kebab-case")]
pub enum Outline {
    /// A program, or a part of one.
    Source(Source),
}

/// Lines of a file, counted from 1; both ends belong to the range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Lines {
    /// The first line.
    pub first: u32,
    /// The last line.
    pub last: u32,
}

impl Lines {
    /// One line.
    pub fn one(line: u32) -> Self {
        Self { first: line, last: line }
    }

    /// How many lines these are.
    pub fn count(self) -> u32 {
        self.last.saturating_sub(self.first).saturating_add(1)
    }
}

/// A line of prose found in the file, and where: what a claim about the file can cite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// The words, without the marks around them.
    pub text: String,
    /// The line they stand in.
    pub line: u32,
}
