//! What a task is: as it is planned, and as it is kept.
//!
//! A [`Draft`] refers to other drafts of its plan by index; a [`Task`] refers to tasks of the backlog by id. What a task may
//! change is told in two lists: `allowed_paths` is its own ground and decides who conflicts with whom, `implied_paths` is
//! what comes along with its commands (lockfiles, manifests) and conflicts with nobody.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::word::words;

words! {
    /// Who does a task.
    Role, "a role" {
        /// Implements.
        Worker = "worker",
        /// Writes tests.
        Tester = "tester",
        /// Writes documentation.
        Docser = "docser",
    }
}

words! {
    /// How much can go wrong.
    Risk, "a risk" {
        /// Little.
        Low = "low",
        /// Something.
        Medium = "medium",
        /// Much.
        High = "high",
    }
}

words! {
    /// Where a task stands.
    Status, "a status" {
        /// Nobody has begun.
        Queued = "queued",
        /// Somebody works on it.
        Running = "running",
        /// It is finished.
        Done = "done",
        /// It was given up.
        Failed = "failed",
        /// It waits for something outside of the backlog.
        Blocked = "blocked",
        /// Nobody wants it any more.
        Cancelled = "cancelled",
    }
}

words! {
    /// The queue that a task belongs to.
    Lane, "a lane" {
        /// The usual one.
        Feature = "feature",
        /// Repairs of what a review refused.
        ConflictRecovery = "conflict_recovery",
        /// Documentation.
        Docser = "docser",
        /// Questions.
        Research = "research",
    }
}

words! {
    /// What comes out of a task.
    Kind, "a kind" {
        /// A change of the repository.
        Code = "code",
        /// An answer.
        Research = "research",
    }
}

words! {
    /// When a dependency is met.
    Needs, "a dependency rule" {
        /// The other task must be done: this one builds on it.
        Done = "done",
        /// The other task must have ended, however: both change the same files.
        Settled = "settled",
    }
}

impl Status {
    /// Whether nothing more happens to the task by itself.
    pub fn is_terminal(self) -> bool {
        matches!(self, Self::Done | Self::Failed | Self::Cancelled)
    }

    /// Whether the task is still to be worked on.
    pub fn is_open(self) -> bool {
        matches!(self, Self::Queued | Self::Running | Self::Blocked)
    }
}

impl Needs {
    /// Whether a task in this state meets the dependency.
    pub fn is_met_by(self, status: Status) -> bool {
        match self {
            Self::Done => status == Status::Done,
            Self::Settled => status.is_terminal(),
        }
    }
}

/// Why a task is blocked, where the planner or the judge says so. People may write other reasons.
pub mod block_reason {
    /// The work is there and waits for a verdict.
    pub const AWAITING_JUDGE: &str = "awaiting_judge";
    /// A model's quota is used up.
    pub const QUOTA_WAIT: &str = "quota_wait";
    /// The judge asked for changes.
    pub const NEEDS_REWORK: &str = "needs_rework";
    /// Its issue is being made.
    pub const ISSUE_LINKING: &str = "issue_linking";
}

/// The name of a task: a UUID, or the beginning of one where people write it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TaskId(pub String);

impl TaskId {
    /// A new name. Later ones sort after earlier ones.
    pub fn fresh() -> Self {
        Self(uuid::Uuid::now_v7().to_string())
    }

    /// The end of the name, which tells tasks of one plan apart.
    pub fn short(&self) -> &str {
        let start = self.0.len().saturating_sub(8);
        self.0.get(start..).unwrap_or(&self.0)
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for TaskId {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self(text.trim().to_owned()))
    }
}

/// An issue of a tracker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct IssueLink {
    /// Its number; 0 for an issue that is a file.
    pub number: u64,
    /// Where it is.
    pub url: String,
    /// Its title.
    pub title: String,
}

/// The question that a task belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ResearchRef {
    /// The job.
    pub job_id: String,
    /// Its question.
    pub query: String,
    /// The step.
    pub stage: String,
    /// How thorough it is.
    pub profile: String,
    /// The claim it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_id: Option<String>,
    /// What that says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim_text: Option<String>,
}

/// What somebody who does a task should know.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Context {
    /// Files to start from.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// What exactly is wanted.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub specs: String,
    /// What else helps.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub notes: String,
    /// What was found in the repository about it, with places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
    /// The acceptance criteria it serves, by number from 1.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub criteria: Vec<usize>,
    /// Its issue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issue: Option<IssueLink>,
    /// Its question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub research: Option<ResearchRef>,
}

words! {
    /// Where a task comes from.
    Origin, "an origin" {
        /// A model planned it.
        Model = "model",
        /// It was made by rule from an acceptance criterion.
        Fallback = "fallback",
        /// It sets up an empty repository.
        Init = "init",
        /// It closes a gap in the documentation.
        Docs = "docs",
        /// It writes a completed requirement down.
        Sync = "sync",
        /// It collects evidence for a claim.
        Research = "research",
    }
}

/// A dependency inside a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Dep {
    /// The other task, by its index.
    pub on: usize,
    /// When it is met.
    pub needs: Needs,
}

impl Dep {
    /// A dependency on something that must be done.
    pub fn done(on: usize) -> Self {
        Self { on, needs: Needs::Done }
    }

    /// A dependency on something that must have ended.
    pub fn settled(on: usize) -> Self {
        Self { on, needs: Needs::Settled }
    }
}

/// A dependency inside the backlog.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Edge {
    /// The other task.
    pub task: TaskId,
    /// When it is met.
    pub needs: Needs,
}

/// A task as it is planned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Draft {
    /// What it is called.
    pub title: String,
    /// What is true when it is done.
    pub goal: String,
    /// What helps.
    pub context: Context,
    /// What it may change, as globs.
    pub allowed_paths: Vec<String>,
    /// What it may change on the way, without conflicting with others.
    pub implied_paths: Vec<String>,
    /// What must succeed when it is done; each is one program with its arguments, run without a shell.
    pub commands: Vec<String>,
    /// The greater, the sooner.
    pub priority: i64,
    /// How much can go wrong.
    pub risk_level: Risk,
    /// Who does it.
    pub role: Role,
    /// The queue it belongs to.
    pub lane: Lane,
    /// What comes out of it.
    pub kind: Kind,
    /// Tasks with the same area are not worked on at once.
    pub target_area: Option<String>,
    /// Files it will certainly change.
    pub touches: Vec<String>,
    /// How long it should take.
    pub timebox_minutes: u32,
    /// What must come before it in this plan.
    pub depends_on: Vec<Dep>,
    /// What must come before it in the backlog.
    pub waits_for: Vec<Edge>,
    /// Where it comes from.
    pub origin: Origin,
    /// What is odd about it.
    pub warnings: Vec<String>,
}

impl Draft {
    /// The usual time for a task.
    pub const USUAL_MINUTES: u32 = 60;
    /// No task takes less than this, or more than [`Self::MOST_MINUTES`].
    pub const LEAST_MINUTES: u32 = 5;
    /// The longest time that a task may be given.
    pub const MOST_MINUTES: u32 = 480;

    /// A task with nothing but a title and a goal.
    pub fn new(title: impl Into<String>, goal: impl Into<String>, origin: Origin) -> Self {
        Self {
            title: title.into(),
            goal: goal.into(),
            context: Context::default(),
            allowed_paths: Vec::new(),
            implied_paths: Vec::new(),
            commands: Vec::new(),
            priority: 0,
            risk_level: Risk::Low,
            role: Role::Worker,
            lane: Lane::Feature,
            kind: Kind::Code,
            target_area: None,
            touches: Vec::new(),
            timebox_minutes: Self::USUAL_MINUTES,
            depends_on: Vec::new(),
            waits_for: Vec::new(),
            origin,
            warnings: Vec::new(),
        }
    }

    /// What decides who conflicts with whom: what it certainly changes if that is known, else what it may change.
    pub fn ground(&self) -> &[String] {
        if self.touches.is_empty() { &self.allowed_paths } else { &self.touches }
    }
}

/// Adds what is not there yet, keeping the order.
pub(crate) fn add_new<T: PartialEq>(list: &mut Vec<T>, items: impl IntoIterator<Item = T>) {
    for item in items {
        if !list.contains(&item) {
            list.push(item);
        }
    }
}

/// A task as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Task {
    /// Its name.
    pub id: TaskId,
    /// The repository, as an absolute path or an address.
    pub repo: String,
    /// The plan it came with.
    pub plan_id: Option<String>,
    /// What it is called.
    pub title: String,
    /// What is true when it is done.
    pub goal: String,
    /// What helps.
    pub context: Context,
    /// What it may change, as globs.
    pub allowed_paths: Vec<String>,
    /// What it may change on the way.
    pub implied_paths: Vec<String>,
    /// What must succeed when it is done.
    pub commands: Vec<String>,
    /// The greater, the sooner.
    pub priority: i64,
    /// How much can go wrong.
    pub risk_level: Risk,
    /// Who does it.
    pub role: Role,
    /// The queue it belongs to.
    pub lane: Lane,
    /// What comes out of it.
    pub kind: Kind,
    /// Where it stands.
    pub status: Status,
    /// Why it is blocked, has failed or was cancelled.
    pub block_reason: Option<String>,
    /// Tasks with the same area are not worked on at once.
    pub target_area: Option<String>,
    /// Files it will certainly change.
    pub touches: Vec<String>,
    /// What must come before it.
    pub dependencies: Vec<Edge>,
    /// How long it should take.
    pub timebox_minutes: u32,
    /// How often it was begun again.
    pub retry_count: u32,
    /// Where it comes from.
    pub origin: Origin,
    /// Its place in its plan.
    pub position: u32,
    /// When it was made, in milliseconds since 1970.
    pub created_at: i64,
    /// When it last changed.
    pub updated_at: i64,
}

impl Task {
    /// What decides who conflicts with whom.
    pub fn ground(&self) -> &[String] {
        if self.touches.is_empty() { &self.allowed_paths } else { &self.touches }
    }
}
