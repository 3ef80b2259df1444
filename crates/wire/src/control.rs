//! Client ⇄ daemon.
//!
//! A client greets, asks, and gets one reply to each request, in order. A subscription is different: after its reply
//! come events until the run ends, and then the connection can be used again.

use std::fmt;

use luminos_core::RelPath;
use luminos_core::flag::Flag;
use luminos_core::plan::{Order, Turns};
use luminos_core::spend::{Money, Tokens, Totals};
use serde::{Deserialize, Serialize};

/// The first frame of each side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// [`crate::VERSION`] of who speaks.
    pub version: u32,
    /// The program and its version, for messages.
    pub program: String,
}

/// What a client asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Request {
    /// Investigate a target, or go on where an earlier run of it was.
    Start(Box<RunRequest>),
    /// Tell what happens in a run until it ends.
    Subscribe {
        /// The investigation.
        investigation: String,
    },
    /// Tell when the content of a target changes, until the client hangs up.
    Watch {
        /// The target, as the bytes of an absolute path without links.
        target: Vec<u8>,
        /// How it is walked.
        walk: Walk,
    },
    /// What is running, and how far it is.
    Status,
    /// Let nothing new begin.
    Pause {
        /// The investigation.
        investigation: String,
    },
    /// Go on.
    Resume {
        /// The investigation.
        investigation: String,
    },
    /// Stop; what was found out is kept.
    Cancel {
        /// The investigation.
        investigation: String,
    },
    /// Remove investigations that do not run.
    Clean {
        /// Their ids.
        investigations: Vec<String>,
    },
    /// End the daemon: runs are stopped and can be resumed.
    Shutdown,
}

/// The answer to a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(clippy::large_enum_variant, reason = "one reply is in flight for each connection")]
pub enum Reply {
    /// A run has begun, or one of that target was under way already.
    Started {
        /// The investigation.
        investigation: String,
        /// Whether the run was under way already.
        is_joined: bool,
    },
    /// Events follow.
    Subscribed(Snapshot),
    /// What is running.
    Status(DaemonStatus),
    /// It was done.
    Done,
    /// It was not, and why.
    Refused(Refused),
}

/// Why a request was refused, as a person reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// What went wrong.
    pub message: String,
    /// Why, outermost first.
    pub causes: Vec<String>,
    /// What to do about it.
    pub hint: Option<String>,
    /// Whether the request makes no sense, as opposed to having failed.
    pub is_usage: bool,
}

/// What to investigate, and how.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRequest {
    /// The target, as the bytes of an absolute path without links.
    pub target: Vec<u8>,
    /// The model of each pass by the pass's name; a pass that is not named is made offline.
    pub models: Vec<(String, String)>,
    /// Limits of this run.
    pub limits: RunLimits,
    /// Worker processes; 0 is one for each core.
    pub workers: u32,
    /// Loops in flight; 0 is what suits the model.
    pub parallel: u32,
    /// Whether to start over instead of resuming.
    pub fresh: bool,
    /// Whether to make survey and plan anew.
    pub refresh_plan: bool,
    /// Whether to end after the plan.
    pub plan_only: bool,
    /// Whether a model is asked to refute what the bytes have proved.
    pub second_judge: bool,
    /// How often, at most, weak results are looked into again.
    pub refinements: u32,
    /// Whether models are shown files that keep secrets, by their names.
    pub show_secrets: bool,
    /// How the target is walked.
    pub walk: Walk,
    /// Environment variables that models need: keys and addresses. Never logged, never stored.
    pub variables: Vec<(String, Vec<u8>)>,
    /// Where the client is, for programs that are models.
    pub current_dir: Vec<u8>,
    /// The client's home directory.
    pub home_dir: Option<Vec<u8>>,
    /// The client's own file about models, if it is to be read.
    pub models_file: Option<Vec<u8>>,
    /// How the client wants models to be asked, from wherever it has that: settings as in a configuration file.
    pub models_settings: String,
    /// The run that is to be repeated, if one is.
    pub replay: Option<Replay>,
}

/// A run that is to be repeated from what it left behind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replay {
    /// The state directory that holds its investigation, as the bytes of an absolute path.
    pub home: Vec<u8>,
    /// The investigation.
    pub investigation: String,
    /// Turns from this moment on, in microseconds since 1970, are asked anew, in an investigation of their own; without
    /// it nobody is asked anything.
    pub until: Option<u64>,
}

impl fmt::Debug for RunRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Variables hold keys.
        let names: Vec<&str> = self.variables.iter().map(|(name, _)| name.as_str()).collect();
        f.debug_struct("RunRequest")
            .field("models", &self.models)
            .field("variables", &names)
            .finish_non_exhaustive()
    }
}

/// How a target is walked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Walk {
    /// Whether hidden files are looked at.
    pub hidden: bool,
    /// Whether ignore files count.
    pub ignore_files: bool,
    /// Names to leave out.
    pub exclude: Vec<String>,
    /// Names to keep although they are always left out.
    pub keep: Vec<String>,
    /// Whether other file systems are entered.
    pub cross_mounts: bool,
    /// Threads; 0 is one for each core.
    pub threads: u32,
    /// Larger files are sampled.
    pub hash_limit: u64,
}

/// Limits of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RunLimits {
    /// Money.
    pub cost: Option<Money>,
    /// Tokens, input and output together.
    pub tokens: Option<Tokens>,
    /// Turns of all directories together.
    pub turns: Option<Turns>,
    /// Time.
    pub seconds: Option<u64>,
}

/// What a daemon tells about itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DaemonStatus {
    /// Its process.
    pub pid: u32,
    /// The program and its version.
    pub program: String,
    /// How long it has been running.
    pub uptime_seconds: u64,
    /// Whether it ends when there is nothing to do.
    pub ends_when_idle: bool,
    /// What runs, by id.
    pub runs: Vec<Snapshot>,
}

/// Where a run is.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Snapshot {
    /// The investigation.
    pub investigation: String,
    /// The target, fit to be shown.
    pub target: String,
    /// What it is doing: `scanning`, `surveying`, `planning`, `looping`, `evaluating`, `synthesising`, `reporting`.
    pub phase: String,
    /// Directories that are finished.
    pub dirs_done: u64,
    /// Those of them whose old result still counted.
    pub dirs_reused: u64,
    /// Directories to look at in all.
    pub dirs_total: u64,
    /// Turns used.
    pub turns_used: u64,
    /// Turns there are.
    pub turns_total: u64,
    /// Loops under way.
    pub active: Vec<ActiveDir>,
    /// Loops that wait for turns.
    pub parked: u64,
    /// What calls have used.
    pub tokens: Tokens,
    /// What they have cost; `None` while a price is not known.
    pub cost: Option<Money>,
    /// What calls on their way can use at most.
    pub reserved: Totals,
    /// What was reserved for calls whose process died: nobody knows whether they used it.
    pub lost: Totals,
    /// Flags raised so far: info, concern, critical.
    pub flags: [u64; 3],
    /// Seconds since the run began.
    pub seconds: u64,
    /// Why it is paused, if it is.
    pub paused: Option<String>,
    /// The provider that it waits for, if it waits for one.
    pub waiting: Option<ProviderWait>,
}

/// A call that a provider has put off.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderWait {
    /// Who, and what it says: as long as that is the same, it is the same wait.
    pub reason: String,
    /// Seconds until it is asked again.
    pub seconds: u64,
    /// Seconds until it is given up.
    pub gives_up: u64,
}

/// A loop under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActiveDir {
    /// The directory.
    pub dir: RelPath,
    /// The turn it is in.
    pub turn: u32,
    /// The turns it has.
    pub turns: u32,
    /// The model of the loop waits for a provider, for instance.
    pub state: Option<String>,
}

/// What happens in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RunEvent {
    /// Where it is now. Comes often, and instead of what a slow client has missed.
    Progress(Box<Snapshot>),
    /// There is a plan.
    Planned {
        /// Which directory is taken first.
        order: Order,
        /// Directories by tier: priority, default, shallow, skipped.
        tiers: [u64; 4],
        /// All turns.
        turns: Turns,
    },
    /// Something worth telling at once.
    Note(String),
    /// A flag was raised.
    Flag(Flag),
    /// The content of a watched target is not what it was.
    Changed {
        /// Where, as far as that is known.
        directories: Vec<RelPath>,
    },
    /// It is over.
    Ended(Ended),
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ended {
    /// Everything was looked at.
    Done,
    /// There is a report, but not of everything.
    Partial {
        /// What was reached or failed, one sentence each.
        reasons: Vec<String>,
    },
    /// There is nothing to report on.
    Failed {
        /// Why.
        reason: String,
    },
    /// Somebody cancelled.
    Cancelled,
}
