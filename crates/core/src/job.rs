//! What a worker is given, and what it sends back.
//!
//! An assignment is complete: with it and the target a loop can do all its work. It asks the daemon only three
//! things: a turn of the model, more turns, and what became of its report. All else is one-way news, so that a
//! dead worker loses nothing it had sent.
//!
//! Everything here can cross a process, or a network, and can be sent twice: jobs, turns and news have names.
//!
//! Not here: how it is put in frames (`luminos-wire`), and how a loop goes (`luminos-agent`).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::end::EndKind;
use crate::entry::{Claim, DirEntry, FileEntry, Share};
use crate::fact::{self, Fact};
use crate::flag::Flag;
use crate::plan::{Tier, Turns};
use crate::proof::{Served, Symbols};
use crate::spend::Usage;
use crate::survey::Survey;
use crate::talk::{AssistantBlock, Message, StopReason, ToolSpec, UserBlock};
use crate::{ContentHash, RelPath, TargetKind};

/// One delivery of one directory of one investigation. A word from an older attempt or an older life of the daemon
/// is not listened to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct JobId {
    /// The investigation.
    pub investigation: String,
    /// The directory.
    pub dir: RelPath,
    /// How often the directory has been handed out, this time included.
    pub attempt: u32,
    /// The daemon's life in which it was handed out.
    pub epoch: u64,
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}#{}", self.investigation, self.dir.for_terminal(), self.attempt)
    }
}

/// Which model thinks for a loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mind {
    /// The embedded analyst, in the worker itself.
    Offline,
    /// A model that the daemon asks.
    Remote,
}

/// What is known of a child directory before its parent starts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Child {
    /// It was looked at: its entry, as it looks from above ([`DirEntry::from_above`]).
    Done(Box<DirEntry>),
    /// The plan skips it.
    Skipped {
        /// Where it lies.
        path: RelPath,
        /// Why.
        reason: String,
    },
    /// It should have been looked at, and could not be.
    Missing {
        /// Where it lies.
        path: RelPath,
        /// Why.
        reason: String,
    },
}

impl Child {
    /// Where it lies.
    pub fn path(&self) -> &RelPath {
        match self {
            Self::Done(entry) => &entry.relative_path,
            Self::Skipped { path, .. } | Self::Missing { path, .. } => path,
        }
    }
}

/// A file of the directory, as the scan saw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedFile {
    /// Its name, as the word of a path.
    pub name: RelPath,
    /// Its size.
    pub size: u64,
    /// What it is good for.
    pub category: crate::scan::Category,
    /// Its language, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// What it is, in words, where its name does not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its lines.
    #[serde(default)]
    pub lines: u32,
    /// The sha256 of its bytes, where it was read whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hash: Option<ContentHash>,
    /// What it is when it is no regular file, such as `symlink`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// Whether its owner may execute it.
    #[serde(default)]
    pub executable: bool,
}

impl ListedFile {
    /// Where it lies in the target.
    pub fn path_in(&self, dir: &RelPath) -> RelPath {
        if dir.is_root() {
            return self.name.clone();
        }
        RelPath::new([dir.as_bytes(), b"/", self.name.as_bytes()].concat())
    }
}

/// Everything a loop needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Assignment {
    /// Which job it is.
    pub job: JobId,
    /// Who thinks.
    pub mind: Mind,
    /// What the target is called.
    pub target_name: String,
    /// What the target is, decided from the scan.
    pub target_kind: TargetKind,
    /// How much the directory deserves.
    pub tier: Tier,
    /// How many turns it has, those already used included.
    pub turns: Turns,
    /// How many of them are used: a loop that goes on where another one died.
    pub used: Turns,
    /// The files directly in the directory, by name.
    pub files: Vec<ListedFile>,
    /// How many files there are, when not all are listed.
    pub file_count: u64,
    /// How many files there are of each ending, in small letters, when not all are listed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub endings: Vec<(String, u64)>,
    /// Why the directory could not be listed, or not wholly; the system's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreadable: Option<String>,
    /// How many directories below it lie too deep to be looked at on their own: their files are listed here.
    #[serde(default)]
    pub folded: u32,
    /// What is known of its child directories.
    pub children: Vec<Child>,
    /// The first look at the whole.
    pub survey: Option<Survey>,
    /// What the planner wants all loops to know.
    pub plan_notes: String,
    /// Why the plan put the directory in its tier.
    pub tier_reason: String,
    /// How many input tokens a call may have before the loop must end.
    pub context_budget: u64,
    /// Whether `run_command` is offered.
    pub commands: bool,
    /// Whether files that keep secrets, by their names, are shown like others.
    #[serde(default)]
    pub show_secrets: bool,
    /// A word that nothing in the target can know, for fencing what comes from there.
    pub nonce: String,
    /// The conversation so far, of a loop that goes on where another one died. Empty for a new one.
    pub history: Vec<Message>,
    /// What is to be looked into again, a sentence each. Empty for a first look.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub doubts: Vec<String>,
}

/// What a loop says to its model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ask {
    /// Which turn of the loop this is, from 1: asked twice, it is paid once.
    pub turn: u32,
    /// What opens the conversation; goes with the first turn only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<Opening>,
    /// What is new since the last turn: tool results, nudges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub new: Vec<UserBlock>,
    /// Results of calls made in this turn, or before it, are replaced by stubs, so that the conversation fits. Once
    /// said it stays: later questions say the same or more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compact_before: Option<u32>,
}

/// The part of a conversation that never changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Opening {
    /// Instructions, most stable first.
    pub system: Vec<String>,
    /// What the model may call.
    pub tools: Vec<ToolSpec>,
    /// How long an answer may be, in tokens.
    pub max_output: u32,
}

/// What the model said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Said {
    /// In its order.
    pub content: Vec<AssistantBlock>,
    /// Why it stopped.
    pub stop: StopReason,
    /// What the call used.
    pub usage: Usage,
}

/// Why there is no turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum NoTurn {
    /// The directory has used all its turns.
    #[error("the directory has used all its turns")]
    OutOfTurns,
    /// A limit of the whole investigation was reached.
    #[error("{0}")]
    Limit(String),
    /// The model failed, and asking again did not help.
    #[error("the model failed: {0}")]
    ModelFailed(String),
    /// The investigation is being stopped.
    #[error("the investigation was stopped")]
    Stopped,
}

/// What became of a wish for more turns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Loan {
    /// So many more.
    Granted(Turns),
    /// None, and why.
    Refused(String),
}

/// One-way news of a loop. Each has a number within its attempt, so that one that comes twice counts once.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum News {
    /// A tool was called.
    Tool(ToolLine),
    /// A tool showed bytes of the target.
    Served(Vec<Served>),
    /// Somebody should know something.
    Flag(Flag),
    /// A file was summarised.
    File(Box<FileEntry>),
    /// The offline analyst has used a turn.
    Turn(u32),
    /// Where the types and functions of a file begin.
    Symbols(Symbols),
}

/// A line of the investigation's log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolLine {
    /// In which turn.
    pub turn: u32,
    /// The tool.
    pub tool: String,
    /// What it was given, cut where it is long.
    pub args: serde_json::Value,
    /// How long its result was, in bytes.
    pub result_length: u64,
    /// Whether it failed.
    #[serde(default)]
    pub failed: bool,
}

/// How a loop ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DirResult {
    /// It reported.
    Reported(DirReport),
    /// The embedded analyst reported, and each claim was held against the bytes where they were read, without a fault.
    /// Whatever a model says is judged by the daemon.
    Judged(DirReport),
    /// It ended without a report.
    Partial(Box<Unfinished>),
}

/// What there is of a directory whose loop ended without a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Unfinished {
    /// Why it ended.
    pub reason: String,
    /// The same without the details.
    pub end: EndKind,
    /// What the loop had noted. Its summary is empty where that is nothing.
    pub noted: DirReport,
    /// What the embedded analyst says of the directory in place of the model.
    #[serde(default)]
    pub analyst: Option<DirReport>,
}

/// What a loop reports about its directory.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct DirReport {
    /// What the directory is about.
    pub summary: String,
    /// How complete the look was, as the model sees it.
    #[serde(default)]
    pub completeness: Option<Share>,
    /// How sure it is.
    #[serde(default)]
    pub confidence: Option<Share>,
    /// Why it is not surer.
    #[serde(default)]
    pub confidence_reason: Option<String>,
    /// What the summary opens with, where the analyst wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<Box<fact::Opening>>,
    /// Sentences with what they rest on.
    #[serde(default)]
    pub claims: Vec<Claim>,
    /// What is known besides the facts that claims word.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// Files that somebody should look at.
    #[serde(default)]
    pub notable_files: Vec<RelPath>,
    /// What of it could not be read and is lost, a sentence each.
    #[serde(default)]
    pub corrections: Vec<String>,
}

/// What became of a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reception {
    /// It is stored: the loop is over.
    Accepted,
    /// It has faults, and there are turns to mend them.
    Revise {
        /// What is wrong, one sentence each.
        faults: Vec<String>,
        /// How many turns there are for it.
        turns: Turns,
    },
    /// It comes too late: the directory belongs to another attempt.
    Stale,
}
