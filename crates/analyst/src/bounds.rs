//! How much of what the target says goes into a sentence; into a fact it comes cut already (`luminos_core::fact`).
//!
//! Names, values and quotations are the target's choice and may have megabytes. They are cut where they are taken over,
//! with an ellipsis, so that whatever is put together of them stays within what the store keeps: an entry that it
//! refuses would be lost.

use std::borrow::Cow;

use luminos_core::entry::LONGEST_SUMMARY;
use luminos_core::fact::{LONGEST_NAME, LONGEST_TEXT, cut};
use luminos_core::flag::Flag;
use luminos_core::job::DirReport;
use luminos_core::secrets::{TextKind, redact};

#[cfg(test)]
mod tests;

/// What is said of one file in the summary of its directory, in bytes.
const LONGEST_GIST: usize = 2 << 10;
/// The longest quote that a claim or flag rests on, in bytes.
const LONGEST_QUOTE: usize = 4 << 10;
/// The longest claim and the longest flag, in bytes.
const LONGEST_CLAIM: usize = 24 << 10;
const LONGEST_FLAG: usize = 4 << 10;
/// The longest summary that is written here: the store's limit, less some room for what is added to it.
const LONGEST_OWN_SUMMARY: usize = LONGEST_SUMMARY - (1 << 10);

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
    cut(text, LONGEST_TEXT)
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
        cut_in_place(reason, LONGEST_TEXT);
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
