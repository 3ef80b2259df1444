//! What directories gave, for passes that come after them.

use luminos_core::Fence;
use luminos_core::entry::{DirEntry, FileEntry};
use luminos_core::flag::Flag;
use luminos_core::report::{Subsystem, worst_first};

use super::{cut, fenced};

/// So many flags are shown.
const FLAGS: usize = 60;

/// Entries of directories, each with at most so many bytes of its summary.
pub(crate) fn dirs(entries: &[&DirEntry], each: usize, fence: &Fence) -> String {
    let lines: Vec<String> = entries.iter().map(|entry| dir_line(entry, each)).collect();
    format!("\nWhat is known of its directories:\n{}\n", fenced(&lines.join("\n"), "directories", fence))
}

/// Entries of files, each with at most so many bytes of its summary.
pub(crate) fn files(entries: &[FileEntry], each: usize, fence: &Fence) -> String {
    if entries.is_empty() {
        return String::new();
    }
    let line =
        |entry: &FileEntry| format!("{}: {}", entry.relative_path.to_word(), cut(&entry.summary, each));
    let lines: Vec<String> = entries.iter().map(line).collect();
    format!("\nWhat is known of its files:\n{}\n", fenced(&lines.join("\n"), "files", fence))
}

/// The subsystems of a large target.
pub(crate) fn subsystems(subsystems: &[Subsystem], fence: &Fence) -> String {
    if subsystems.is_empty() {
        return String::new();
    }
    let line = |subsystem: &Subsystem| {
        let dirs: Vec<String> = subsystem.dirs.iter().take(12).map(luminos_core::RelPath::to_word).collect();
        let more = subsystem.dirs.len().saturating_sub(12);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        format!("{}: {} ({}{more})", subsystem.name, subsystem.description, dirs.join(", "))
    };
    let lines: Vec<String> = subsystems.iter().map(line).collect();
    format!(
        "\nIts subsystems, as an earlier pass saw them:\n{}\n",
        fenced(&lines.join("\n"), "subsystems", fence)
    )
}

/// Flags that were raised, worst first.
pub(crate) fn flags(flags: &[Flag], fence: &Fence) -> String {
    if flags.is_empty() {
        return "No flags were raised.".to_owned();
    }
    let flags = worst_first(flags.to_vec());
    let line = |flag: &Flag| {
        let unproved = if flag.is_unproved() { " (unproved)" } else { "" };
        format!("{}{unproved}  {}: {}", flag.severity.word(), flag.path.to_word(), cut(&flag.finding, 300))
    };
    let lines: Vec<String> = flags.iter().take(FLAGS).map(line).collect();
    let more = match flags.len().saturating_sub(FLAGS) {
        0 => String::new(),
        more => format!(" and {more} more, all no worse"),
    };
    format!("Flags raised so far{more}:\n{}", fenced(&lines.join("\n"), "flags", fence))
}

fn dir_line(entry: &DirEntry, most: usize) -> String {
    let mut marks = Vec::new();
    match entry.filled_in {
        Some(part) => marks.push(part.words().to_owned()),
        None if entry.partial => marks.push("incomplete".to_owned()),
        None => {}
    }
    if let Some(confidence) = entry.confidence {
        marks.push(format!("{confidence} sure"));
    }
    let (verified, claims) = entry.verified_claims();
    if 0 < claims {
        marks.push(format!("{verified} of {claims} claims verified"));
    }
    let marks = if marks.is_empty() { String::new() } else { format!(" ({})", marks.join(", ")) };
    format!("{}/{marks}: {}", entry.relative_path.to_word(), cut(&entry.summary, most))
}

/// An entry of a directory, whole, as text.
pub(crate) fn whole_dir(entry: &DirEntry) -> String {
    let mut text = dir_line(entry, usize::MAX);
    text.push_str(&format!(
        "\nentries: {}; mostly {} files; {} of it was looked at",
        entry.child_count,
        entry.dominant_category.name(),
        entry.coverage.share()
    ));
    if let Some(reason) = &entry.partial_reason {
        text.push_str(&format!("\nincomplete because: {reason}"));
    }
    if let Some(reason) = &entry.confidence_reason {
        text.push_str(&format!("\nconfidence: {reason}"));
    }
    for claim in &entry.claims {
        let verdict = if claim.verified { "verified" } else { "not verified" };
        let places: Vec<String> = claim
            .evidence
            .iter()
            .map(|evidence| {
                format!("{}:{}-{}", evidence.path.to_word(), evidence.start_line, evidence.end_line)
            })
            .collect();
        text.push_str(&format!("\n- {} [{}; {verdict}]", claim.text, places.join(", ")));
    }
    text
}

/// An entry of a file, whole, as text.
pub(crate) fn whole_file(entry: &FileEntry) -> String {
    let mut text = format!(
        "{} ({} bytes, {}): {}",
        entry.relative_path.to_word(),
        entry.size_bytes,
        entry.category.name(),
        entry.summary
    );
    if let Some(reason) = &entry.notable_reason {
        text.push_str(&format!("\nnotable: {reason}"));
    }
    if let Some(confidence) = entry.confidence {
        text.push_str(&format!("\nconfidence: {confidence}"));
    }
    text
}
