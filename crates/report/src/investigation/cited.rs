//! Where a piece of evidence stands, in words: `src/main.rs:10–20`.

use luminos_core::flag::Flag;
use luminos_core::proof::Evidence;

/// A file and its lines.
pub(crate) fn place(evidence: &Evidence) -> String {
    let path = evidence.path.for_terminal();
    let Evidence { start_line, end_line, .. } = *evidence;
    match (start_line, end_line) {
        (0, _) => path,
        (start, end) if end <= start => format!("{path}:{start}"),
        (start, end) => format!("{path}:{start}–{end}"),
    }
}

/// Where to see what a flag is about: its first piece of evidence, or the path alone.
pub(crate) fn place_of(flag: &Flag) -> String {
    flag.evidence.first().map_or_else(|| flag.path.for_terminal(), place)
}
