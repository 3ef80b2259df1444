//! What was seen of each file: the coverage ledger.
//!
//! It is made of what the scan lists and of what tools have served, never of what a model says it has read. Every path
//! of the target stands in it once: files that were seen, files that were not, and what was left out, with the rule
//! that left it out. With the ranges that each loop was shown it is also the read record by which a citation can be
//! checked later, without the investigation that made it.
//!
//! Not here: how much that is for a directory (`entry::Coverage`), and whether a citation holds (`judge`).

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::entry::DirEntry;
use crate::proof::{Served, ToolCallId};
use crate::scan::{FileId, Kind, Reading, Scan, Trouble, home_of};
use crate::{ContentHash, RelPath};

#[cfg(test)]
mod tests;

/// No more paths that were left out are listed one by one.
const MOST_LEFT_OUT: usize = 10_000;

/// How much of a file was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Extent {
    /// All of it.
    Whole,
    /// Parts of it.
    Ranges,
    /// Its name, size and kind, nothing in it.
    Metadata,
    /// Nothing: a rule left it out.
    Skipped,
    /// Nothing: it could not be read.
    Unreadable,
}

impl Extent {
    /// All extents, most first.
    pub const ALL: [Self; 5] = [Self::Whole, Self::Ranges, Self::Metadata, Self::Skipped, Self::Unreadable];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Ranges => "ranges",
            Self::Metadata => "metadata",
            Self::Skipped => "skipped",
            Self::Unreadable => "unreadable",
        }
    }
}

/// A range of a file that a loop was shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Look {
    /// The directory whose loop it was; `None` for the one that the file is investigated with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<RelPath>,
    /// The first byte.
    pub start: u64,
    /// One past the last byte.
    pub end: u64,
    /// The first line, counted from 1; 0 where the file has no lines.
    pub first_line: u64,
    /// The last line.
    pub last_line: u64,
    /// The tool call that showed it.
    pub call: ToolCallId,
}

/// What was seen of a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenFile {
    /// Where it lies.
    pub path: RelPath,
    /// How much was seen.
    pub extent: Extent,
    /// Its size.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub size: u64,
    /// Its lines.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lines: u64,
    /// Bytes that tools showed, each counted once.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub bytes_seen: u64,
    /// Why it was left out or could not be read, or what it is if it is no regular file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The sha256 of the scanned file, of which the ranges are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blob: Option<ContentHash>,
    /// What was shown of it, and to whom.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub looks: Vec<Look>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl SeenFile {
    /// What loops were shown of it, as the tools recorded it: of one directory's loop, or of all.
    pub fn served(&self, to: Option<&RelPath>) -> Vec<Served> {
        let own = home_of(&self.path);
        let looks =
            self.looks.iter().filter(|look| to.is_none_or(|dir| look.dir.as_ref().unwrap_or(&own) == dir));
        let served = looks.map(|look| Served {
            path: self.path.clone(),
            blob: self.blob,
            start: look.start,
            end: look.end,
            first_line: look.first_line,
            last_line: look.last_line,
            call: look.call.clone(),
        });
        served.collect()
    }
}

/// The read record of a loop in as few ranges as say the same: those of one call that touch are one.
pub fn compact(mut served: Vec<Served>) -> Vec<Served> {
    served.sort_by(|a, b| {
        let place = |served: &Served| (served.start, served.end);
        a.path.cmp(&b.path).then_with(|| a.call.cmp(&b.call)).then_with(|| place(a).cmp(&place(b)))
    });
    let mut merged: Vec<Served> = Vec::with_capacity(served.len());
    for piece in served {
        match merged.last_mut() {
            Some(last)
                if last.path == piece.path
                    && last.call == piece.call
                    && last.blob == piece.blob
                    && piece.start <= last.end =>
            {
                last.end = last.end.max(piece.end);
                last.last_line = last.last_line.max(piece.last_line);
                last.first_line = last.first_line.min(piece.first_line);
            }
            Some(_) | None => merged.push(piece),
        }
    }
    merged
}

/// How many bytes ranges cover together.
pub(crate) fn union(ranges: &mut [(u64, u64)]) -> u64 {
    ranges.sort_unstable();
    let mut covered = 0;
    let mut reached = 0;
    for &mut (start, end) in ranges {
        let start = start.max(reached);
        covered += end.saturating_sub(start);
        reached = reached.max(end);
    }
    covered
}

/// The ledger of an investigation, by path; and how many paths that were left out it does not list one by one.
///
/// `not_planned` are directories that the plan skipped, with the reason.
pub fn ledger<'a>(
    scan: &Scan,
    entries: impl IntoIterator<Item = &'a DirEntry>,
    not_planned: &BTreeMap<RelPath, String>,
) -> (Vec<SeenFile>, u64) {
    let mut looks: HashMap<&RelPath, Vec<(&RelPath, &Served)>> = HashMap::new();
    for entry in entries {
        for served in &entry.reads {
            looks.entry(&served.path).or_default().push((&entry.relative_path, served));
        }
    }
    let mut trouble: HashMap<&RelPath, &Trouble> = HashMap::new();
    for problem in &scan.problems {
        if matches!(problem.trouble, Trouble::Unread(_) | Trouble::Changed | Trouble::TooDeep) {
            trouble.insert(&problem.path, &problem.trouble);
        }
    }
    let mut files = Vec::with_capacity(scan.files.len());
    for dir in scan.dir_ids() {
        let path = scan.dir_path(dir);
        let reason = not_planned.get(&path);
        files.extend(scan.files_of(dir).map(|file| {
            let path = scan.file_path(file);
            let looks = looks.get(&path).map(Vec::as_slice).unwrap_or_default();
            let trouble = trouble.get(&path).copied();
            seen(scan, file, path, looks, trouble, reason)
        }));
    }
    files.extend(unlisted(scan));
    let left_out = scan.skipped_counts.total().max(scan.skipped.len() as u64);
    let listed = scan.skipped.iter().take(MOST_LEFT_OUT);
    files.extend(listed.map(|skipped| SeenFile {
        reason: Some(skipped.rule.to_string()),
        ..bare(skipped.path.clone(), Extent::Skipped)
    }));
    let beside = beside_the_scan(&looks, &files);
    let paths: HashSet<RelPath> = beside.iter().map(|file| file.path.clone()).collect();
    files.retain(|file| !paths.contains(&file.path));
    files.extend(beside);
    files.sort_by(|a, b| a.path.cmp(&b.path));
    (files, left_out.saturating_sub(scan.skipped.len().min(MOST_LEFT_OUT) as u64))
}

/// Files that the scan leaves out and somebody was shown all the same: pipelines of build servers, the head of a history.
/// What is cited from them must be in the record like everything else. How large they are nobody knows.
fn beside_the_scan(looks: &HashMap<&RelPath, Vec<(&RelPath, &Served)>>, files: &[SeenFile]) -> Vec<SeenFile> {
    let scanned: HashSet<&RelPath> =
        files.iter().filter(|file| file.extent != Extent::Skipped).map(|file| &file.path).collect();
    let unscanned = looks.iter().filter(|(path, _)| !scanned.contains(*path));
    let rows = unscanned.filter_map(|(path, looks)| {
        let blob = looks.iter().rev().find_map(|(_, served)| served.blob)?;
        let own = home_of(path);
        let current = looks.iter().filter(|(_, served)| served.blob == Some(blob));
        let looks: Vec<Look> = current
            .map(|&(dir, served)| Look {
                dir: (*dir != own).then(|| dir.clone()),
                start: served.start,
                end: served.end,
                first_line: served.first_line,
                last_line: served.last_line,
                call: served.call.clone(),
            })
            .collect();
        let mut ranges: Vec<(u64, u64)> = looks.iter().map(|look| (look.start, look.end)).collect();
        Some(SeenFile {
            size: looks.iter().map(|look| look.end).max().unwrap_or_default(),
            lines: looks.iter().map(|look| look.last_line).max().unwrap_or_default(),
            bytes_seen: union(&mut ranges),
            reason: Some("left out of the scan, and looked at all the same".to_owned()),
            blob: Some(blob),
            looks,
            ..bare((*path).clone(), Extent::Ranges)
        })
    });
    rows.collect()
}

fn bare(path: RelPath, extent: Extent) -> SeenFile {
    SeenFile { path, extent, size: 0, lines: 0, bytes_seen: 0, reason: None, blob: None, looks: Vec::new() }
}

/// Directories whose content could not be listed, each with the reason.
fn unlisted(scan: &Scan) -> impl Iterator<Item = SeenFile> + '_ {
    let problems = scan.problems.iter().filter(|problem| matches!(problem.trouble, Trouble::Unlisted(_)));
    problems.map(|problem| SeenFile {
        reason: Some(problem.trouble.to_string()),
        ..bare(problem.path.clone(), Extent::Unreadable)
    })
}

fn seen(
    scan: &Scan,
    file: FileId,
    path: RelPath,
    looks: &[(&RelPath, &Served)],
    trouble: Option<&Trouble>,
    not_planned: Option<&String>,
) -> SeenFile {
    let record = scan.file(file);
    let scanned = (record.reading == Reading::Whole && record.kind == Kind::File).then_some(record.hash);
    let own = scan.dir_path(record.dir);
    // What was shown of the file in another state proves nothing about this one.
    let current = looks.iter().filter(|(_, served)| scanned.is_none() || served.blob == scanned);
    let looks: Vec<Look> = current
        .map(|&(dir, served)| Look {
            dir: (*dir != own).then(|| dir.clone()),
            start: served.start,
            end: served.end,
            first_line: served.first_line,
            last_line: served.last_line,
            call: served.call.clone(),
        })
        .collect();
    let mut ranges: Vec<(u64, u64)> = looks.iter().map(|look| (look.start, look.end)).collect();
    let bytes_seen = union(&mut ranges).min(record.size);
    let kind = (record.kind != Kind::File).then(|| record.kind.name().to_owned());
    let skipped = not_planned.map(|reason| format!("skipped by the plan: {reason}"));
    let (extent, reason) = match (looks.is_empty(), trouble) {
        (false, _) if record.size <= bytes_seen => (Extent::Whole, None),
        (false, _) => (Extent::Ranges, None),
        (true, Some(trouble)) => (Extent::Unreadable, Some(trouble.to_string())),
        (true, None) if skipped.is_some() => (Extent::Skipped, skipped),
        // There is nothing in it that could be shown.
        (true, None) if record.size == 0 && kind.is_none() => (Extent::Whole, None),
        (true, None) => (Extent::Metadata, kind),
    };
    SeenFile {
        path,
        extent,
        size: if record.kind == Kind::File { record.size } else { 0 },
        lines: u64::from(record.lines),
        bytes_seen,
        reason,
        blob: scanned.filter(|_| !looks.is_empty()),
        looks,
    }
}

/// What tells one ledger from another: a report whose ledger was shortened or changed does not carry its digest any
/// more.
pub fn digest(files: &[SeenFile]) -> ContentHash {
    let mut hash = Sha256::new();
    let mut add = |part: &[u8]| {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    };
    add(b"luminos.seen/1");
    for file in files {
        add(file.path.as_bytes());
        add(file.extent.word().as_bytes());
        add(file.reason.as_deref().unwrap_or_default().as_bytes());
        add(file.blob.map(|blob| blob.to_string()).unwrap_or_default().as_bytes());
        for number in [file.size, file.lines, file.bytes_seen, file.looks.len() as u64] {
            add(&number.to_le_bytes());
        }
        for look in &file.looks {
            add(look.dir.as_ref().map(RelPath::to_word).unwrap_or_default().as_bytes());
            add(look.call.0.as_bytes());
            for number in [look.start, look.end, look.first_line, look.last_line] {
                add(&number.to_le_bytes());
            }
        }
    }
    ContentHash(hash.finalize().into())
}
