//! Which directories deserve a second look, and why.
//!
//! An entry is weak when its loop ended early, was not sure (or did not say), claimed what could not be proved, or has
//! seen little of what there was. The weakest go first; each comes with its doubts in words, for whoever looks again.
//!
//! Not here: when to look again (`run`), and with which turns (`turns`).

use std::cmp::Ordering;

use crate::RelPath;
use crate::entry::{DirEntry, LOW_CONFIDENCE, Share};
use crate::proof::Served;

/// With less of a directory looked at, something was probably missed.
const LITTLE: f64 = 0.5;
/// No more directories than this are looked at again in one pass.
const MOST_WEAK: usize = 24;
/// No more doubts than this about one directory.
const MOST_DOUBTS: usize = 12;

/// A directory that deserves a second look.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weak {
    /// The directory.
    pub path: RelPath,
    /// Why, a sentence each.
    pub doubts: Vec<String>,
}

/// The entries that deserve a second look, the least sure first.
pub fn weak<'a>(entries: impl Iterator<Item = &'a DirEntry>) -> Vec<Weak> {
    let mut found: Vec<(f64, Weak)> = entries
        .filter_map(|entry| {
            let doubts = doubts(entry);
            let confidence =
                if entry.partial { Share::NONE } else { entry.confidence.unwrap_or(Share::NONE) };
            (!doubts.is_empty())
                .then(|| (confidence.get(), Weak { path: entry.relative_path.clone(), doubts }))
        })
        .collect();
    let order = |a: &(f64, Weak), b: &(f64, Weak)| {
        a.0.partial_cmp(&b.0).unwrap_or(Ordering::Equal).then_with(|| a.1.path.cmp(&b.1.path))
    };
    found.sort_by(order);
    found.truncate(MOST_WEAK);
    found.into_iter().map(|(_, weak)| weak).collect()
}

fn doubts(entry: &DirEntry) -> Vec<String> {
    let mut doubts = Vec::new();
    if entry.partial {
        let why = entry.partial_reason.as_deref().unwrap_or("nobody knows why");
        doubts.push(format!("the look at it ended early: {why}"));
    }
    match entry.confidence {
        None if !entry.partial => doubts.push("nothing was said about how sure the summary is".to_owned()),
        Some(confidence) if confidence < LOW_CONFIDENCE => {
            let why = entry.confidence_reason.as_deref().map(|why| format!(": {why}")).unwrap_or_default();
            doubts.push(format!("the summary is only {confidence} sure{why}"));
        }
        None | Some(_) => {}
    }
    for claim in entry.claims.iter().filter(|claim| !claim.verified) {
        let why = claim.faults.first().map(|fault| format!(": {fault}")).unwrap_or_default();
        doubts.push(format!("“{}” could not be proved{why}", claim.text));
    }
    if entry.coverage.share().get() < LITTLE {
        let coverage = entry.coverage;
        doubts.push(format!("only {} of {} files were looked at", coverage.files_seen, coverage.files));
    }
    doubts.truncate(MOST_DOUBTS);
    doubts
}

/// Whether something was shown that had not been shown before.
pub fn reads_new(before: &[Served], after: &[Served]) -> bool {
    after.iter().any(|served| !is_covered(served, before))
}

/// Whether other ranges of the same file cover all of a range.
fn is_covered(wanted: &Served, known: &[Served]) -> bool {
    let mut ranges: Vec<(u64, u64)> = known
        .iter()
        .filter(|served| served.path == wanted.path && served.blob == wanted.blob)
        .map(|served| (served.start, served.end))
        .collect();
    ranges.sort_unstable();
    let mut reached = wanted.start;
    for (start, end) in ranges {
        if reached < start {
            break;
        }
        reached = reached.max(end);
    }
    wanted.end <= reached
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entry::{Claim, Coverage, ENTRY_FORMAT, Stamp};
    use crate::proof::ToolCallId;
    use crate::scan::Category;

    fn entry(path: &str) -> DirEntry {
        DirEntry {
            partial_end: None,
            opening: None,
            facts: Vec::new(),
            format: ENTRY_FORMAT,
            path: String::new(),
            relative_path: RelPath::from(path),
            child_count: 2,
            summary: "It is so.".to_owned(),
            dominant_category: Category::Source,
            cached_at: Stamp::default(),
            notable_files: Vec::new(),
            confidence: Share::new(0.9),
            confidence_reason: None,
            completeness: None,
            coverage: Coverage { files: 4, files_seen: 3, bytes: 10, bytes_seen: 9, ..Coverage::default() },
            claims: Vec::new(),
            flags: Vec::new(),
            reads: Vec::new(),
            partial: false,
            partial_reason: None,
            filled_in: None,
            corrections: Vec::new(),
            content_hash: None,
            key: None,
            digest: None,
            epoch: 0,
            run: String::new(),
        }
    }

    #[test]
    fn what_is_sure_and_proved_is_left_alone_and_the_weakest_go_first() {
        let sure = entry("sure");
        let unsure = DirEntry {
            confidence: Share::new(0.4),
            confidence_reason: Some("half of it is binary".to_owned()),
            ..entry("unsure")
        };
        let silent = DirEntry { confidence: None, ..entry("silent") };
        let partial = DirEntry {
            partial: true,
            partial_reason: Some("it ran out of turns".to_owned()),
            ..entry("partial")
        };
        let unproved = DirEntry {
            claims: vec![Claim {
                refuted: false,
                fact: None,
                text: "It parses dates.".to_owned(),
                evidence: Vec::new(),
                entries: Vec::new(),
                faults: vec!["there is no such line".to_owned()],
                verified: false,
            }],
            ..entry("unproved")
        };
        let hasty = DirEntry {
            coverage: Coverage {
                files: 10,
                files_seen: 1,
                bytes: 100,
                bytes_seen: 20,
                ..Coverage::default()
            },
            ..entry("hasty")
        };
        let all = [sure, unproved, unsure, hasty, silent, partial];
        let found: Vec<String> = weak(all.iter())
            .into_iter()
            .map(|weak| format!("{}: {}", weak.path.for_terminal(), weak.doubts.join("; ")))
            .collect();
        insta::assert_snapshot!(found.join("\n"), @"
        partial: the look at it ended early: it ran out of turns
        silent: nothing was said about how sure the summary is
        unsure: the summary is only 40 % sure: half of it is binary
        hasty: only 1 of 10 files were looked at
        unproved: “It parses dates.” could not be proved: there is no such line
        ");
    }

    #[test]
    fn only_bytes_that_nobody_saw_are_new() {
        let served = |path: &str, start, end| Served {
            path: RelPath::from(path),
            blob: None,
            start,
            end,
            first_line: 1,
            last_line: 2,
            call: ToolCallId(String::new()),
        };
        let before = [served("a", 0, 10), served("a", 10, 20), served("b", 5, 9)];
        let check = |after: Served, is_new: bool| {
            assert_eq!(reads_new(&before, std::slice::from_ref(&after)), is_new, "{after:?}");
        };
        check(served("a", 0, 20), false);
        check(served("a", 4, 12), false);
        check(served("a", 19, 21), true);
        check(served("b", 0, 9), true);
        check(served("c", 0, 1), true);
        assert!(!reads_new(&before, &[]));
    }
}
