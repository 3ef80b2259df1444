//! What changed between two investigations of a target.
//!
//! Directories are compared by path, flags by their fingerprints, so that one that only moved is not news.
//!
//! Not here: how it is told (`luminos-report`).

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::entry::{DirEntry, Share};
use crate::flag::Flag;
use crate::report::Report;
use crate::{ContentHash, RelPath};

/// What changed about a directory.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DirDifference {
    /// Where it lies.
    pub path: RelPath,
    /// Whether what it holds is another.
    pub content: bool,
    /// Whether what is said about it is another.
    pub summary: bool,
    /// Claims that are new.
    pub claims_new: Vec<String>,
    /// Claims that are gone.
    pub claims_gone: Vec<String>,
    /// How much of it was seen, before and after.
    pub coverage: (Share, Share),
}

/// A number before and after.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Change<T> {
    /// Before.
    pub before: T,
    /// After.
    pub after: T,
}

impl<T> Change<T> {
    fn of(before: T, after: T) -> Self {
        Self { before, after }
    }
}

/// What changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference<'a> {
    /// Directories that only the later report knows.
    pub dirs_new: Vec<&'a DirEntry>,
    /// Directories that only the earlier report knows.
    pub dirs_gone: Vec<&'a DirEntry>,
    /// Directories about which something else is said.
    pub dirs_changed: Vec<DirDifference>,
    /// Flags that only the later report has.
    pub flags_new: Vec<&'a Flag>,
    /// Flags that only the earlier report has.
    pub flags_gone: Vec<&'a Flag>,
    /// How many flags both have.
    pub flags_same: u64,
    /// How much was seen.
    pub coverage: Change<Share>,
    /// The share of claims that hold.
    pub verified: Change<Share>,
    /// Claims in all.
    pub claims: Change<u64>,
    /// Turns of directories.
    pub turns: Change<u64>,
    /// Tokens.
    pub tokens: Change<u64>,
    /// Billionths of a dollar, where all prices are known.
    pub nanodollars: Change<Option<u64>>,
}

impl<'a> Difference<'a> {
    /// What changed from one report to another.
    pub fn between(before: &'a Report, after: &'a Report) -> Self {
        let by_path = |report: &'a Report| -> BTreeMap<&RelPath, &DirEntry> {
            report.directories.iter().map(|entry| (&entry.relative_path, entry)).collect()
        };
        let (old, new) = (by_path(before), by_path(after));
        let only = |one: &BTreeMap<&RelPath, &'a DirEntry>, other: &BTreeMap<&RelPath, &DirEntry>| {
            one.iter().filter(|(path, _)| !other.contains_key(*path)).map(|(_, entry)| *entry).collect()
        };
        let both = old.iter().filter_map(|(path, old)| Some((*old, *new.get(path)?)));
        let usd = |report: &Report| report.counters.cost.map(|cost| cost.nanodollars());
        let (flags_new, flags_same) = unmatched(&after.flags, &before.flags);
        Self {
            dirs_new: only(&new, &old),
            dirs_gone: only(&old, &new),
            dirs_changed: both.filter_map(|(old, new)| changed(old, new)).collect(),
            flags_new,
            flags_gone: unmatched(&before.flags, &after.flags).0,
            flags_same,
            coverage: Change::of(before.coverage.share(), after.coverage.share()),
            verified: Change::of(before.verified_share(), after.verified_share()),
            claims: Change::of(before.claims, after.claims),
            turns: Change::of(before.counters.turns, after.counters.turns),
            tokens: Change::of(before.counters.usage.total().0, after.counters.usage.total().0),
            nanodollars: Change::of(usd(before), usd(after)),
        }
    }

    /// Whether both say the same.
    pub fn is_nothing(&self) -> bool {
        self.dirs_new.is_empty()
            && self.dirs_gone.is_empty()
            && self.dirs_changed.is_empty()
            && self.flags_new.is_empty()
            && self.flags_gone.is_empty()
    }
}

/// Flags without one of the same fingerprint on the other side, each taken once; and how many have one.
fn unmatched<'a>(flags: &'a [Flag], others: &[Flag]) -> (Vec<&'a Flag>, u64) {
    let mut left: BTreeMap<ContentHash, u64> = BTreeMap::new();
    for flag in others {
        *left.entry(flag.fingerprint()).or_default() += 1;
    }
    let (mut alone, mut same) = (Vec::new(), 0);
    for flag in flags {
        match left.get_mut(&flag.fingerprint()) {
            Some(count) if 0 < *count => {
                *count -= 1;
                same += 1;
            }
            Some(_) | None => alone.push(flag),
        }
    }
    (alone, same)
}

fn changed(old: &DirEntry, new: &DirEntry) -> Option<DirDifference> {
    let texts = |entry: &'_ DirEntry| -> BTreeSet<String> {
        entry.claims.iter().map(|claim| claim.text.clone()).collect()
    };
    let (before, after) = (texts(old), texts(new));
    let difference = DirDifference {
        path: new.relative_path.clone(),
        content: old.content_hash != new.content_hash,
        summary: old.summary != new.summary,
        claims_new: after.difference(&before).cloned().collect(),
        claims_gone: before.difference(&after).cloned().collect(),
        coverage: (old.coverage.share(), new.coverage.share()),
    };
    let is_change = difference.summary
        || !difference.claims_new.is_empty()
        || !difference.claims_gone.is_empty()
        || difference.coverage.0 != difference.coverage.1;
    is_change.then_some(difference)
}
