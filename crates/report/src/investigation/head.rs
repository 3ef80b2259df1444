//! The head of a report: what a text of the usual length shows of it, and how much there is of everything.
//!
//! The report of a large target has tens of megabytes; somebody who asks again whether anything changed reads a few
//! screens of it. Its head holds just those, is kept beside it, and can be read in no time. A text is always set from a
//! report and its [`Tally`], be the report whole or only its head: so both give the same text.

use std::collections::BTreeMap;

use luminos_core::ContentHash;
use luminos_core::answer::{Answer, Field};
use luminos_core::entry::{Claim, DirEntry};
use luminos_core::flag::{Flag, Severity};
use luminos_core::report::{Findings, Item, Note, Report, Section, Subsystem};
use luminos_core::seen::Extent;
use serde::{Deserialize, Serialize};

use super::basis;
use super::gathered::gathered;
use super::text::{self, directories, findings, flagged};
use crate::{Detail, Layout};

/// The head of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Head {
    tally: Tally,
    report: Report,
}

/// How much there is of everything that a text shows only the beginning of.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Tally {
    /// Directories below the target.
    pub(super) directories: u64,
    /// Directories that were looked at in part.
    pub(super) dirs_partial: u64,
    /// Proved flags of each severity.
    pub(super) flags: BTreeMap<Severity, u64>,
    /// Flags that are not proved.
    #[serde(default)]
    pub(super) flags_unproved: u64,
    /// What is told of flags, those of one rule together.
    #[serde(default)]
    pub(super) flags_gathered: u64,
    /// Claims that the synthesis makes itself.
    pub(super) claims_of_the_whole: u64,
    /// Claims that do not hold.
    pub(super) unverified: u64,
    /// Items of each section.
    pub(super) items: BTreeMap<Section, u64>,
    /// Directories of each subsystem.
    pub(super) subsystems: Vec<u64>,
    /// Notes that make the report partial.
    pub(super) notes_partial: u64,
    /// Other notes.
    pub(super) notes: u64,
    /// Files that were seen so far.
    pub(super) extents: BTreeMap<Extent, u64>,
}

impl Tally {
    /// Counts what a whole report holds.
    pub(super) fn of(report: &Report) -> Self {
        let partial = report.notes.iter().filter(|note| matches!(note, Note::Partial(_))).count();
        let mut extents = BTreeMap::new();
        for file in &report.files {
            *extents.entry(file.extent).or_default() += 1;
        }
        if !extents.is_empty() && 0 < report.files_unlisted {
            *extents.entry(Extent::Skipped).or_default() += report.files_unlisted;
        }
        Self {
            directories: report.directories.iter().filter(|entry| !entry.relative_path.is_root()).count()
                as u64,
            dirs_partial: report.directories.iter().filter(|entry| entry.partial).count() as u64,
            flags: by_severity(report.flags.iter()),
            flags_unproved: unproved(report.flags.iter()),
            flags_gathered: gathered(&report.flags).len() as u64,
            claims_of_the_whole: report.findings.claims.len() as u64,
            unverified: findings::not_verified(report).count() as u64,
            items: report.findings.sections.iter().map(|(name, items)| (*name, items.len() as u64)).collect(),
            subsystems: report.subsystems.iter().map(|subsystem| subsystem.dirs.len() as u64).collect(),
            notes_partial: partial as u64,
            notes: (report.notes.len() - partial) as u64,
            extents,
        }
    }
}

/// How many flags are not proved.
pub(crate) fn unproved<'a>(flags: impl Iterator<Item = &'a Flag>) -> u64 {
    flags.filter(|flag| flag.is_unproved()).count() as u64
}

/// How many proved flags there are of each severity.
pub(crate) fn by_severity<'a>(flags: impl Iterator<Item = &'a Flag>) -> BTreeMap<Severity, u64> {
    let mut counts = BTreeMap::new();
    for flag in flags.filter(|flag| !flag.is_unproved()) {
        *counts.entry(flag.severity).or_default() += 1;
    }
    counts
}

impl Head {
    /// The head of a report.
    pub fn of(report: &Report) -> Self {
        Self { tally: Tally::of(report), report: beginning(report) }
    }

    /// The text, as it would be made of the whole report; `None` if this layout asks for more than the head has.
    pub fn text(&self, layout: &Layout) -> Option<String> {
        let is_enough = layout.detail != Detail::Full && layout.depth.is_none();
        is_enough.then(|| text::set(&self.report, &self.tally, layout))
    }

    /// What the report was made from.
    pub fn key(&self) -> Option<ContentHash> {
        self.report.key
    }

    /// The worst severity among the flags of the report.
    pub fn worst(&self) -> Option<Severity> {
        self.tally.flags.keys().next_back().copied()
    }
}

/// What a text of the usual length shows, and nothing else.
fn beginning(report: &Report) -> Report {
    let below: Vec<&DirEntry> =
        report.directories.iter().filter(|entry| !entry.relative_path.is_root()).collect();
    let directories = directories::upper_levels(&below).into_iter().map(in_short).collect();
    let of_kind = |is_wanted: fn(&Note) -> bool, most: usize| {
        report.notes.iter().filter(move |note| is_wanted(note)).take(most).cloned()
    };
    let partial = of_kind(|note| matches!(note, Note::Partial(_)), basis::SHOWN_REASONS);
    let others = of_kind(|note| !matches!(note, Note::Partial(_)), text::SHOWN_NOTES);
    let subsystems = report.subsystems.iter().take(findings::SHOWN_ITEMS);
    Report {
        format: report.format,
        investigation: report.investigation.clone(),
        target: report.target.clone(),
        path: report.path.clone(),
        content_hash: report.content_hash,
        key: report.key,
        made_at: report.made_at.clone(),
        origin: report.origin,
        models: report.models.clone(),
        findings: Findings {
            brief: report.findings.brief.clone(),
            detailed: report.findings.detailed.clone(),
            sections: report.findings.sections.iter().map(|(name, items)| (*name, first(items))).collect(),
            claims: findings::not_verified(report).take(findings::SHOWN).cloned().collect::<Vec<Claim>>(),
            answers: report.findings.answers.iter().map(told).collect(),
        },
        subsystems: subsystems.map(|subsystem| Subsystem { dirs: Vec::new(), ..subsystem.clone() }).collect(),
        flags: gathered(&report.flags).into_iter().take(flagged::SHOWN).collect(),
        directories,
        claims_verified: report.claims_verified,
        claims: report.claims,
        coverage: report.coverage,
        files: Vec::new(),
        files_unlisted: 0,
        files_digest: report.files_digest,
        counters: report.counters,
        passes: report.passes.clone(),
        provenance: None,
        notes: partial.chain(others).collect(),
    }
}

/// What is told of a field, without what lost.
fn told((field, answer): (&Field, &Answer)) -> (Field, Answer) {
    (*field, Answer { told: answer.told.clone(), others: Vec::new() })
}

fn first(items: &[Item]) -> Vec<Item> {
    let shown = items.iter().take(findings::SHOWN_ITEMS);
    shown.map(|item| Item { sources: Vec::new(), ..item.clone() }).collect()
}

/// A directory as a line or two show it.
fn in_short(entry: &DirEntry) -> DirEntry {
    DirEntry {
        format: entry.format,
        path: String::new(),
        relative_path: entry.relative_path.clone(),
        child_count: entry.child_count,
        summary: entry.summary.clone(),
        dominant_category: entry.dominant_category,
        cached_at: entry.cached_at.clone(),
        notable_files: Vec::new(),
        confidence: entry.confidence,
        confidence_reason: None,
        completeness: entry.completeness,
        coverage: entry.coverage,
        claims: Vec::new(),
        flags: Vec::new(),
        reads: Vec::new(),
        partial: entry.partial,
        partial_reason: None,
        filled_in: entry.filled_in,
        corrections: Vec::new(),
        content_hash: None,
        key: None,
        digest: None,
        epoch: entry.epoch,
        run: String::new(),
    }
}

#[cfg(test)]
mod tests;
