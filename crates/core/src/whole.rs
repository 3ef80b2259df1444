//! What the passes over a whole target work with, and what they give: whether a model or the analyst holds them.

use crate::end::EndReason;
use crate::entry::{DirEntry, FileEntry, Share};
use crate::flag::Flag;
use crate::plan::{Tier, Turns};
use crate::report::{Findings, Origin, Subsystem};
use crate::scan::Scan;
use crate::survey::Survey;
use crate::{RelPath, TargetKind};

/// The whole target, as the passes get to see it.
#[derive(Debug, Clone, Copy)]
pub struct Whole<'a> {
    /// What it is called.
    pub name: &'a str,
    /// What the scan found.
    pub scan: &'a Scan,
    /// What the target is.
    pub kind: TargetKind,
    /// A word that nothing in the target can know, for fencing what comes from there.
    pub nonce: &'a str,
    /// How many tokens a prompt may have; 0 for no limit.
    pub context_budget: u64,
}

/// How large a target is, for the synthesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scale {
    /// Fewer than 5 directories and fewer than 30 files: files are shown one by one.
    Small,
    /// At most 30 directories: all are shown.
    Medium,
    /// At most 150: they are grouped first.
    Large,
    /// More: they are grouped twice.
    Huge,
}

impl Scale {
    /// The scale of a target with so many directories and files.
    pub fn of(dirs: usize, files: u64) -> Self {
        match dirs {
            0..5 if files < 30 => Self::Small,
            0..=30 => Self::Medium,
            31..=150 => Self::Large,
            _ => Self::Huge,
        }
    }
}

/// What the synthesis works with.
#[derive(Debug, Clone, Copy)]
pub struct Material<'a> {
    /// The target.
    pub whole: Whole<'a>,
    /// The first look at it.
    pub survey: Option<&'a Survey>,
    /// Entries of directories.
    pub dirs: &'a [DirEntry],
    /// Entries of files.
    pub files: &'a [FileEntry],
    /// Flags raised so far.
    pub flags: &'a [Flag],
    /// What the writer must know about the run, such as that it ended early.
    pub notes: &'a [String],
}

/// What the synthesis gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Synthesis {
    /// Who wrote it.
    pub origin: Origin,
    /// The prose.
    pub findings: Findings,
    /// The parts of a large target.
    pub subsystems: Vec<Subsystem>,
    /// Flags that only show in the whole.
    pub flags: Vec<Flag>,
    /// Why no model wrote it, where none did.
    pub failure: Option<EndReason>,
}

/// What became of a directory so far.
#[derive(Debug, Clone, PartialEq)]
pub struct DirSoFar {
    /// Where it lies.
    pub path: RelPath,
    /// Its tier.
    pub tier: Tier,
    /// The turns it started with, or will start with.
    pub allocated: Turns,
    /// How far it is.
    pub state: DirState,
}

/// How far a directory is.
#[derive(Debug, Clone, PartialEq)]
pub enum DirState {
    /// It has not started.
    Waiting,
    /// It has started.
    Running,
    /// It is done.
    Done {
        /// The turns it used.
        used: Turns,
        /// Those of them that it had borrowed.
        borrowed: Turns,
        /// How much of it was looked at.
        coverage: Share,
        /// How complete the model says its look was.
        completeness: Option<Share>,
        /// Whether it ended early.
        partial: bool,
    },
}
