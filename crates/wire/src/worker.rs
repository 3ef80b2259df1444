//! Daemon ⇄ worker.
//!
//! A worker is told where it works, locks itself in, says that it is ready, and then gets assignments. It may have
//! several under way, and each of them at most one question open. Its standard input is the connection: when that ends,
//! so does the worker.

use luminos_core::RelPath;
use luminos_core::job::{Ask, Assignment, DirResult, JobId, Loan, News, NoTurn, Reception, Said};
use luminos_core::plan::Turns;
use serde::{Deserialize, Serialize};

/// The first word of the daemon: what the worker is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Greeting {
    /// [`crate::VERSION`] of the daemon.
    pub version: u32,
    /// The target, as the bytes of an absolute path.
    pub target: Vec<u8>,
    /// The state directory, likewise: it is no part of any target.
    pub own_state: Vec<u8>,
    /// How many loops it will have under way at most, those that wait for turns apart.
    pub loops: u32,
    /// How many seconds may pass between two signs of life.
    pub heartbeat_seconds: u32,
    /// After so many seconds without a sign of life a loop counts as stuck.
    #[serde(default = "long")]
    pub patience_seconds: u32,
    /// Whether it is likely to be asked about the top of the target at last.
    #[serde(default)]
    pub looks_ahead: bool,
}

/// What a daemon that does not say would wait.
fn long() -> u32 {
    u32::MAX
}

/// One call of a tool by hand, instead of a greeting. The process does it locked in as a worker is, and ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByHand {
    /// [`crate::VERSION`] of who asks.
    pub version: u32,
    /// The target, as the bytes of an absolute path.
    pub target: Vec<u8>,
    /// The state directory, likewise.
    pub own_state: Vec<u8>,
    /// The directory that the tool is called from, relative to the target.
    pub dir: RelPath,
    /// The tool.
    pub tool: String,
    /// What it is given, as a model would write it.
    pub arguments: String,
    /// Whether files that keep secrets are shown.
    #[serde(default)]
    pub show_secrets: bool,
}

/// What came of a call by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Handed {
    /// The tool answered.
    Result {
        /// What a model would read.
        text: String,
        /// Whether the tool failed.
        failed: bool,
        /// How well the process was locked in.
        confinement: Confinement,
    },
    /// There was no call, and why.
    Unable {
        /// Why.
        reason: String,
    },
}

/// What the daemon says afterwards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToWorker {
    /// Look into a directory.
    Assign(Box<Assignment>),
    /// The answer to a question.
    Answer {
        /// Which question.
        question: u64,
        /// The answer.
        answer: Answer,
    },
    /// Stop a loop.
    Stop {
        /// Which.
        job: JobId,
        /// Whether it still says what it knows.
        flush: bool,
    },
}

/// What a worker says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FromWorker {
    /// It has locked itself in and can begin.
    Ready {
        /// [`crate::VERSION`] of the worker.
        version: u32,
        /// How well it is locked in.
        confinement: Confinement,
    },
    /// It cannot work, and why.
    Unable {
        /// Why.
        reason: String,
    },
    /// A loop wants to know something.
    Question {
        /// What the answer refers to; [`NOBODY_WAITS`] if none is wanted.
        question: u64,
        /// Which loop asks.
        job: JobId,
        /// What it wants to know.
        ask: Question,
    },
    /// News of a loop.
    News {
        /// Which loop.
        job: JobId,
        /// The number of the first of these news within the attempt.
        number: u32,
        /// The news, in their order.
        news: Vec<News>,
    },
    /// A loop is over: accepted, or stopped without a word.
    Over {
        /// Which.
        job: JobId,
        /// Whether it was stopped before it had handed in a result.
        is_returned: bool,
    },
    /// A loop will not come to an end: it broke, or it is stuck. Nothing more is heard of it.
    Failed {
        /// Which.
        job: JobId,
        /// What is known about it.
        reason: String,
    },
    /// It is alive.
    Beat,
}

/// How well a worker is locked in.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Confinement {
    /// From `L0` to `L3`.
    pub level: String,
    /// Whether commands can be offered.
    pub commands: bool,
    /// What is lacking and what helps, a sentence each.
    pub lacks: Vec<String>,
}

/// The number of a question whose answer nobody waits for: it is not given.
pub const NOBODY_WAITS: u64 = 0;

/// What a loop can ask.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// A turn of the model.
    Turn(Box<Ask>),
    /// More turns.
    Borrow {
        /// How many.
        turns: Turns,
        /// What for.
        reason: String,
    },
    /// What becomes of a result.
    Done(Box<DirResult>),
}

/// The answers, in the order of the questions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// What the model said, or why it did not.
    Turn(Result<Box<Said>, NoTurn>),
    /// What became of the wish for turns.
    Loan(Loan),
    /// What became of the result.
    Reception(Reception),
}
