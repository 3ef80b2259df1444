//! What an investigation found out, as one document: everything a page, a text or a machine shows is made of it.
//!
//! The prose comes from the synthesis (or, when there was none, from the entries themselves: see [`Origin`]); the
//! rest are facts of the run. Sections have names and items, so that whoever renders a report needs no case for
//! each of them.
//!
//! Not here: how it looks (`luminos-report`), and where it is kept (`luminos-store`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::entry::{Coverage, DirEntry, Share, Stamp};
use crate::flag::{Flag, Severity};
use crate::plan::Turns;
use crate::seen::{self, SeenFile};
use crate::spend::{Money, PassSpend, Totals, Usage};
use crate::{ContentHash, RelPath};

mod findings;
#[cfg(test)]
mod tests;

pub use findings::{Findings, Item, ItemKind, Section};

/// The format of reports that this program writes.
pub const REPORT_FORMAT: u32 = 1;

/// Directories that belong together, for targets too large to be seen at once.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Subsystem {
    /// What it is called.
    pub name: String,
    /// What it is for.
    #[serde(default)]
    pub description: String,
    /// The directories in it.
    pub dirs: Vec<RelPath>,
    /// What the description tells.
    #[serde(default, skip_serializing_if = "SubsystemTold::is_in_words")]
    pub told: SubsystemTold,
}

/// What the description of a subsystem tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SubsystemTold {
    /// What it is for.
    #[default]
    InWords,
    /// How large it is, and nothing else.
    Size,
    /// That it holds settings, and nothing else.
    Settings,
}

impl SubsystemTold {
    fn is_in_words(&self) -> bool {
        *self == Self::InWords
    }
}

/// Who wrote the prose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A model, in the synthesis pass.
    Model,
    /// The embedded analyst.
    Offline,
    /// Nobody: it was put together from the directories' entries.
    #[default]
    Mechanical,
}

/// Something about the run that a reader must know to judge the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind", content = "text")]
pub enum Note {
    /// The investigation is not complete, and why.
    Partial(String),
    /// A part of the run had to do without something, and what that means.
    Degraded(String),
    /// Something was odd about the plan.
    Plan(String),
    /// Directories that were left out, and why.
    LeftOut(String),
    /// Anything else.
    Other(String),
}

/// How much was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counters {
    /// Directories of the target.
    pub dirs: u64,
    /// Regular files in it.
    pub files: u64,
    /// Bytes in them.
    pub bytes: u64,
    /// Directories with an entry, old or new.
    pub dirs_investigated: u64,
    /// Those whose entry was still good from an earlier run.
    pub dirs_reused: u64,
    /// Those whose loop ended early.
    pub dirs_partial: u64,
    /// Those that were skipped.
    pub dirs_skipped: u64,
    /// Those that could not be investigated.
    pub dirs_failed: u64,
    /// Turns of directory loops.
    pub turns: u64,
    /// Model calls in all passes.
    pub calls: u64,
    /// What they used.
    pub usage: Usage,
    /// What they cost; `None` when a price is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<Money>,
    /// What calls on their way could use when the report was made.
    #[serde(default)]
    pub reserved: Totals,
    /// What was reserved for calls whose process died: nobody knows whether they used it.
    #[serde(default)]
    pub lost: Totals,
    /// How long it took.
    pub seconds: u64,
    /// What a second judge was asked, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_judge: Option<SecondJudge>,
}

/// How often a model that is to refute claims disagreed with the bytes that proved them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SecondJudge {
    /// Claims that it was asked about.
    pub asked: u64,
    /// Those that it refuted, or was not sure of.
    pub refuted: u64,
}

impl SecondJudge {
    /// The share of claims on which the judges disagree; none where nothing was asked.
    pub fn disagreement(self) -> Share {
        if self.asked == 0 { Share::NONE } else { Share::of(self.refuted, self.asked) }
    }

    /// The sums of two.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self { asked: self.asked + other.asked, refuted: self.refuted + other.refuted }
    }
}

/// The run that made a report, as far as it takes to make it again from the records: what shaped it, besides the target.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Provenance {
    /// The word by which the run is known, all its lives together.
    pub run: String,
    /// Models, versions of prompts and tools, how the target was walked.
    pub parameters: Value,
    /// The most turns that directories could use together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_turns: Option<Turns>,
    /// How often, at most, weak results were looked into again.
    #[serde(default)]
    pub refinements: u32,
    /// How many tokens a conversation in each pass could have.
    #[serde(default)]
    pub windows: BTreeMap<String, u64>,
    /// A fork knows of earlier investigations what its source knew: those older than this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_before: Option<String>,
}

/// What an investigation found out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The format of this document.
    pub format: u32,
    /// The investigation.
    pub investigation: String,
    /// What the target is called.
    pub target: String,
    /// Where it lies on this machine, for people.
    pub path: String,
    /// The hash of the whole target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<ContentHash>,
    /// What it was made from: with the same key it would be made again just so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<ContentHash>,
    /// When it was made.
    pub made_at: Stamp,
    /// Who wrote the prose.
    pub origin: Origin,
    /// The models that were asked, by pass.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub models: BTreeMap<String, String>,
    /// The prose.
    pub findings: Findings,
    /// The parts of a large target.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subsystems: Vec<Subsystem>,
    /// What somebody should know, worst first.
    pub flags: Vec<Flag>,
    /// Every directory with an entry, by path.
    pub directories: Vec<DirEntry>,
    /// Claims that hold, of all directories together.
    pub claims_verified: u64,
    /// Claims in all.
    pub claims: u64,
    /// How much of the files the tools have shown.
    pub coverage: Coverage,
    /// What was seen of each file, by path.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<SeenFile>,
    /// Paths that were left out and are not listed one by one.
    #[serde(default)]
    pub files_unlisted: u64,
    /// The sha256 of what `files` says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files_digest: Option<ContentHash>,
    /// How much was done.
    pub counters: Counters,
    /// What the calls of each pass came to.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub passes: BTreeMap<String, PassSpend>,
    /// The run that made it. Kept in the state directory only: nobody else can use it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub provenance: Option<Provenance>,
    /// What a reader must know to judge it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

impl Report {
    /// A report of these findings and entries. Counts of claims and coverage are taken from the entries; the rest
    /// is for whoever ran the investigation to fill in.
    pub fn new(origin: Origin, findings: Findings, mut directories: Vec<DirEntry>, flags: Vec<Flag>) -> Self {
        directories.sort_by(|a, b| a.relative_path.cmp(&b.relative_path));
        let (mut verified, mut claims, mut coverage) = (0, 0, Coverage::default());
        for entry in &mut directories {
            let (hold, all) = entry.verified_claims();
            verified += hold;
            claims += all;
            coverage.files += entry.coverage.files;
            coverage.files_seen += entry.coverage.files_seen;
            coverage.bytes += entry.coverage.bytes;
            coverage.bytes_seen += entry.coverage.bytes_seen;
            coverage.symbols += entry.coverage.symbols;
            coverage.symbols_seen += entry.coverage.symbols_seen;
            coverage.unreadable += entry.coverage.unreadable;
            // These are in the ledger, file by file, and in the list of flags.
            entry.reads.clear();
            entry.flags.clear();
        }
        Self {
            format: REPORT_FORMAT,
            investigation: String::new(),
            target: String::new(),
            path: String::new(),
            content_hash: None,
            key: None,
            made_at: Stamp::default(),
            origin,
            models: BTreeMap::new(),
            findings,
            subsystems: Vec::new(),
            flags: worst_first(flags),
            directories,
            claims_verified: verified,
            claims,
            coverage,
            files: Vec::new(),
            files_unlisted: 0,
            files_digest: None,
            counters: Counters::default(),
            passes: BTreeMap::new(),
            provenance: None,
            notes: Vec::new(),
        }
    }

    /// Takes up what was seen of each file.
    pub fn set_files(&mut self, (files, unlisted): (Vec<SeenFile>, u64)) {
        self.files_digest = Some(seen::digest(&files));
        self.files = files;
        self.files_unlisted = unlisted;
    }

    /// The share of claims that hold; all of them where there is none.
    pub fn verified_share(&self) -> Share {
        Share::of(self.claims_verified, self.claims)
    }

    /// The worst severity among its flags. What is not proved does not count.
    pub fn worst(&self) -> Option<Severity> {
        self.flags.iter().filter(|flag| !flag.is_unproved()).map(|flag| flag.severity).max()
    }

    /// Whether something is missing that a complete investigation would have.
    pub fn is_partial(&self) -> bool {
        let is_note = self.notes.iter().any(|note| matches!(note, Note::Partial(_)));
        is_note || self.directories.iter().any(|entry| entry.partial) || 0 < self.counters.dirs_failed
    }
}

/// Flags as a reader wants them: the worst first, then by path, each once. What is not proved comes last.
pub fn worst_first(mut flags: Vec<Flag>) -> Vec<Flag> {
    let line = |flag: &Flag| flag.evidence.first().map_or(0, |evidence| evidence.start_line);
    flags.sort_by(|a, b| {
        let proved = a.is_unproved().cmp(&b.is_unproved());
        proved
            .then_with(|| b.severity.cmp(&a.severity))
            .then_with(|| a.path.cmp(&b.path))
            .then_with(|| line(a).cmp(&line(b)))
            .then_with(|| a.rule.cmp(&b.rule))
            .then_with(|| a.finding.cmp(&b.finding))
    });
    flags.dedup();
    flags
}
