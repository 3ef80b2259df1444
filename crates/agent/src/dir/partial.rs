//! What a model had noted of a directory whose loop ended without a report.

use std::collections::BTreeMap;

use luminos_core::RelPath;
use luminos_core::entry::FileEntry;
use luminos_core::job::{Assignment, DirReport};

use crate::prompt::cut;

/// Bytes of one file's summary, and of all together.
const EACH: usize = 400;
const ALL: usize = 8 * 1024;

/// What a model left behind besides its entries of files.
#[derive(Debug, Default)]
pub(super) struct Notes {
    /// What it said it had learned.
    pub(super) learned: Option<String>,
    /// Its words in its last turn, where it submitted nothing.
    pub(super) last_words: Option<String>,
    /// A report that could not be taken.
    pub(super) leftover: Option<DirReport>,
}

/// All of it as a report. Its summary is empty where nothing was noted.
pub(super) fn noted(
    assignment: &Assignment,
    files: &BTreeMap<RelPath, FileEntry>,
    notes: Notes,
) -> DirReport {
    let mut report = notes.leftover.unwrap_or_default();
    let words = [notes.learned, notes.last_words];
    let mut parts: Vec<String> = words
        .into_iter()
        .flatten()
        .map(|words| cut(words.trim(), ALL / 2))
        .filter(|words| !words.is_empty())
        .collect();
    if !files.is_empty() {
        parts.push(of_files(assignment, files));
    }
    report.summary = parts.join("\n\n");
    report
}

fn of_files(assignment: &Assignment, files: &BTreeMap<RelPath, FileEntry>) -> String {
    let all = assignment.file_count.max(assignment.files.len() as u64);
    let mut text = format!("{} of {all} files were summarised.", files.len());
    let mut shown = 0;
    for (path, entry) in files {
        let line = format!("\n{}: {}", path.to_word(), cut(&entry.summary, EACH));
        if ALL / 2 < text.len() + line.len() {
            break;
        }
        text.push_str(&line);
        shown += 1;
    }
    if shown < files.len() {
        text.push_str(&format!("\nThere are entries for {} more files.", files.len() - shown));
    }
    text
}
