//! How much of what the target says goes into a sentence.
//!
//! Names, values and quotations are the target's choice and may have megabytes. They are cut where they are taken over,
//! with an ellipsis, so that whatever is put together of them stays within what the store keeps: an entry that it
//! refuses would be lost.

use std::borrow::Cow;

use luminos_core::entry::LONGEST_SUMMARY;
use luminos_core::flag::Flag;
use luminos_core::job::DirReport;
use luminos_core::secrets::{TextKind, redact};

use super::statement::Statement;

#[cfg(test)]
mod tests;

/// The longest name or path in a sentence, in bytes.
const LONGEST_NAME: usize = 512;
/// The longest quotation or description, in bytes.
const LONGEST_WORDS: usize = 4 << 10;
/// The same with a word before it, in backticks: what comes from readers as ``struct `Queue` ``.
const LONGEST_NAMED: usize = LONGEST_NAME + 128;
/// What is said of one file in the summary of its directory, in bytes.
const LONGEST_GIST: usize = 2 << 10;
/// All names of a list together, in bytes.
const LONGEST_LIST: usize = 16 << 10;
/// The longest quote that a claim or flag rests on, in bytes.
const LONGEST_QUOTE: usize = 4 << 10;
/// The longest claim and the longest flag, in bytes.
const LONGEST_CLAIM: usize = 24 << 10;
const LONGEST_FLAG: usize = 4 << 10;
/// The longest summary that is written here: the store's limit, less some room for what is added to it.
const LONGEST_OWN_SUMMARY: usize = LONGEST_SUMMARY - (1 << 10);

/// At most so many bytes of a text, with `…` where it was cut.
fn cut(text: &str, most: usize) -> Cow<'_, str> {
    if text.len() <= most {
        return Cow::Borrowed(text);
    }
    let end = text.floor_char_boundary(most - '…'.len_utf8());
    Cow::Owned(format!("{}…", &text[..end]))
}

fn cut_in_place(text: &mut String, most: usize) {
    if most < text.len() {
        *text = cut(text, most).into_owned();
    }
}

/// A name or path of the target, short enough for a sentence.
pub(crate) fn name(text: &str) -> Cow<'_, str> {
    cut(text, LONGEST_NAME)
}

/// Cuts a name or path of the target to what a sentence may have.
pub(crate) fn cut_name(name: &mut String) {
    cut_in_place(name, LONGEST_NAME);
}

/// Words of the target, short enough for a sentence.
pub(crate) fn words(text: &str) -> Cow<'_, str> {
    cut(text, LONGEST_WORDS)
}

/// What a file is, short enough for a line in the summary of its directory.
pub(crate) fn gist(text: &str) -> Cow<'_, str> {
    cut(text, LONGEST_GIST)
}

/// The part of a quotation that is kept as proof: its beginning proves what begins there.
pub(crate) fn quote(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST_QUOTE)]
}

/// As many sentences as a summary may have: one that does not fit is left out, those after it may.
pub(crate) fn summary_of(sentences: Vec<String>) -> String {
    let mut summary = String::new();
    for sentence in sentences {
        if summary.len() + 1 + sentence.len() <= LONGEST_OWN_SUMMARY {
            if !summary.is_empty() {
                summary.push(' ');
            }
            summary.push_str(&sentence);
        }
    }
    summary
}

/// A summary short enough to be kept.
pub(crate) fn summary(text: &str) -> String {
    cut(text, LONGEST_OWN_SUMMARY).into_owned()
}

/// Takes out what is a secret by its form. Of files as they are stored none gets here; what was unpacked or decoded (a
/// document, a page, a name) is seen as text for the first time.
fn mask_in_place(text: &mut String) {
    if let Some(redaction) = redact(text.as_bytes(), TextKind::Program) {
        *text = String::from_utf8_lossy(&redaction.bytes).into_owned();
    }
}

/// Cuts what a report says to lengths that are kept, and looks once more for secrets.
pub(crate) fn bound_report(report: &mut DirReport) {
    mask_in_place(&mut report.summary);
    report.claims.iter_mut().for_each(|claim| mask_in_place(&mut claim.text));
    cut_in_place(&mut report.summary, LONGEST_OWN_SUMMARY);
    if let Some(reason) = &mut report.confidence_reason {
        cut_in_place(reason, LONGEST_WORDS);
    }
    for claim in &mut report.claims {
        cut_in_place(&mut claim.text, LONGEST_CLAIM);
    }
}

/// Cuts what a flag says to a length that is kept.
pub(crate) fn bound_flag(mut flag: Flag) -> Flag {
    mask_in_place(&mut flag.finding);
    cut_in_place(&mut flag.finding, LONGEST_FLAG);
    flag
}

fn bound_names(names: &mut Vec<String>) {
    let mut length = 0;
    names.retain_mut(|name| {
        cut_in_place(name, LONGEST_NAMED);
        length += name.len();
        length <= LONGEST_LIST
    });
}

impl Statement {
    /// The statement with its texts cut to lengths that fit a sentence.
    pub(crate) fn bounded(mut self) -> Self {
        match &mut self {
            Self::Describes { words, .. }
            | Self::Says { words, .. }
            | Self::History { words, .. }
            | Self::Tells { words, .. }
            | Self::Holds { words, .. }
            | Self::Lacks { words, .. } => cut_in_place(words, LONGEST_WORDS),
            Self::Explains { name, words, .. } => {
                cut_in_place(name, LONGEST_NAMED);
                cut_in_place(words, LONGEST_WORDS);
            }
            Self::Declares { name, version, .. } => {
                cut_in_place(name, LONGEST_NAME);
                version.iter_mut().for_each(|version| cut_in_place(version, LONGEST_NAME));
            }
            Self::Named { name, .. } => cut_in_place(name, LONGEST_NAMED),
            Self::Versioned { version: name, .. }
            | Self::Licence { name, .. }
            | Self::Starts { what: name, .. }
            | Self::Requires { what: name, .. }
            | Self::Loads { what: name, .. }
            | Self::Titled { title: name, .. } => cut_in_place(name, LONGEST_NAME),
            Self::Offers { names, .. }
            | Self::Members { names, .. }
            | Self::Needs { names, .. }
            | Self::Defines { names, .. }
            | Self::Runs { commands: names, .. }
            | Self::Develops { names, .. }
            | Self::Listens { ports: names, .. }
            | Self::Starting { names, .. }
            | Self::Takes { names, .. }
            | Self::Imports { names, .. }
            | Self::Refers { names, .. }
            | Self::Columns { names, .. } => bound_names(names),
            Self::Churn { files, .. } => {
                files.iter_mut().for_each(|(file, _)| cut_in_place(file, LONGEST_NAME));
            }
            Self::Spans { from, to, .. } => {
                cut_in_place(from, LONGEST_NAME);
                cut_in_place(to, LONGEST_NAME);
            }
        }
        self
    }
}
