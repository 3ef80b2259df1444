//! What can be said of a directory whose loop ended without a report.

use std::collections::BTreeMap;

use luminos_core::RelPath;
use luminos_core::entry::FileEntry;
use luminos_core::job::{Assignment, DirResult};

use crate::end::EndReason;
use crate::prompt::cut;

/// Bytes of one file's summary, and of all together.
const EACH: usize = 400;
const ALL: usize = 8 * 1024;

/// The result of a loop that gave no report.
pub(super) fn partial(
    assignment: &Assignment,
    files: &BTreeMap<RelPath, FileEntry>,
    learned: Option<&str>,
    reason: &EndReason,
) -> DirResult {
    DirResult::Partial { reason: reason.to_string(), summary: summary(assignment, files, learned, reason) }
}

fn summary(
    assignment: &Assignment,
    files: &BTreeMap<RelPath, FileEntry>,
    learned: Option<&str>,
    reason: &EndReason,
) -> String {
    let mut parts: Vec<String> = learned.map(|learned| cut(learned, ALL)).into_iter().collect();
    if !files.is_empty() {
        let all = assignment.file_count.max(assignment.files.len() as u64);
        let mut text = format!("{} of {all} files were summarised.", files.len());
        let mut shown = 0;
        for (path, entry) in files {
            let line = format!("\n{}: {}", path.to_word(), cut(&entry.summary, EACH));
            if ALL < text.len() + line.len() {
                break;
            }
            text.push_str(&line);
            shown += 1;
        }
        if shown < files.len() {
            text.push_str(&format!("\nThere are entries for {} more files.", files.len() - shown));
        }
        parts.push(text);
    }
    if parts.is_empty() {
        return format!("The model noted nothing about this directory: {reason}. {}", reason.way_on());
    }
    parts.join("\n\n")
}
