//! The order of passes: what happens next in an investigation.
//!
//! A pure state machine: events in, effects out. Whoever owns it carries out each effect and reports what came of it
//! as another event. Time, ids and chance come in inside events, so a whole run is a table.
//!
//! ```text
//! scan ─► survey ─► plan ─► directories ⇄ revisions of the plan, second looks ─► evaluate ─► synthesise ─► report ─► end
//! ```
//!
//! What always holds: a directory begins only when everything below it has finished; no more loops are under way than
//! there is room for, those that wait for turns apart; a pass that fails does not end the run; unless the target could
//! not be scanned or somebody cancelled, there is a report.
//!
//! Not here: turns (`turns`), verdicts (`judge`), whether an old result still counts (the engine asks the store when a
//! directory begins).

mod state;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use crate::RelPath;
use crate::end::EndKind;
use crate::plan::{Dirs, Plan, PlanWarning, Revision, Schedule, Turns};
use crate::scan::DirId;
use crate::survey::Survey;

pub use state::Run;

/// What a run is to do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunOptions {
    /// The most turns that all directories together may use.
    pub most_turns: Option<Turns>,
    /// How often, at most, weak results are looked into again.
    pub refinements: u32,
    /// What became of the plan in the run that this one repeats.
    pub foreseen: Option<Foreseen>,
}

/// How the plan of a run was revised, for a run that repeats it: what was moved is moved before anything begins, for
/// only what had not begun was moved. Nobody is asked again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Foreseen {
    /// What the planner said, in order.
    pub revisions: Vec<Revision>,
    /// Directories that had not begun when it did.
    pub moved: BTreeSet<RelPath>,
}

/// How a directory ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DirEnd {
    /// It has an entry.
    Done,
    /// It has an entry that tells only a part.
    Partial {
        /// Why.
        reason: String,
    },
    /// A model was asked and did not finish: the analyst wrote its entry, or completed it.
    FilledIn {
        /// Why the model did not finish.
        reason: String,
        /// The same without the details.
        end: EndKind,
    },
}

/// What becomes of directories that have not finished when a limit is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// The analyst looks at them.
    Analyst,
    /// Nobody looks at them any more.
    LeftOut,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Somebody wants the run to begin.
    Begin,
    /// The target was scanned.
    Scanned {
        /// Its directories.
        dirs: Dirs,
        /// Whether it is so small that neither survey nor plan is worth a turn.
        is_small: bool,
    },
    /// The target was scanned, and it is just as it was when the report there is was made.
    Unchanged,
    /// The target cannot be scanned.
    ScanFailed {
        /// Why.
        reason: String,
    },
    /// The survey pass is over.
    Surveyed {
        /// What it found; `None` if it failed.
        survey: Option<Survey>,
    },
    /// The planning pass is over.
    Planned {
        /// The plan; `None` if it failed.
        plan: Option<Plan>,
    },
    /// There is room for so many loops.
    Capacity {
        /// How many.
        loops: u32,
    },
    /// What an earlier run found out about a directory still counts.
    Reused {
        /// The directory.
        dir: DirId,
    },
    /// A loop waits for turns.
    Parked {
        /// The directory.
        dir: DirId,
    },
    /// A loop no longer waits.
    Unparked {
        /// The directory.
        dir: DirId,
    },
    /// A loop has ended, and its entry is stored.
    Finished {
        /// The directory.
        dir: DirId,
        /// Which attempt.
        attempt: u32,
        /// How.
        end: DirEnd,
    },
    /// A loop has died with its worker.
    Lost {
        /// The directory.
        dir: DirId,
        /// Which attempt.
        attempt: u32,
        /// What is known about it.
        reason: String,
    },
    /// A loop was stopped before its end, as it had been told.
    Returned {
        /// The directory.
        dir: DirId,
        /// Which attempt.
        attempt: u32,
    },
    /// The planner has seen how it goes.
    Revised {
        /// What it wants to change; `None` if it failed.
        revision: Option<Revision>,
    },
    /// These deserve a second look; whatever lies above them may come out differently, too. None: it is enough.
    Refine {
        /// The directories.
        dirs: Vec<DirId>,
    },
    /// Money, tokens or time are used up, or the model fails for good.
    Limit {
        /// What was reached, in words.
        reason: String,
        /// What becomes of the directories that have not finished.
        rest: Rest,
    },
    /// No model ever answered, and none will: there is nothing to report, and what there was stays.
    NoModel {
        /// Why.
        reason: String,
    },
    /// The evaluation is stored.
    Evaluated,
    /// The synthesis pass is over.
    Synthesised {
        /// Why there is only what can be put together without a model, if that is so.
        failure: Option<String>,
    },
    /// The report is stored.
    Reported,
    /// Nothing more shall begin.
    Pause {
        /// Why.
        reason: String,
    },
    /// It may go on.
    Resume,
    /// Somebody has had enough. What was found out is kept.
    Cancel,
}

/// Whether a loop that is stopped still says what it knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// It writes down what it knows and ends.
    Flush,
    /// It just stops: somebody will go on where it was.
    Keep,
}

/// Something to do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Scan the target.
    Scan,
    /// Make a survey.
    Survey,
    /// Make a plan.
    Plan,
    /// Open the ledger and promise directories their turns.
    OpenLedger {
        /// All turns.
        total: Turns,
        /// Who gets how many.
        promises: Vec<(DirId, Turns)>,
    },
    /// A directory may begin: either what is known of it still counts, or a worker gets it.
    Begin {
        /// The directory.
        dir: DirId,
        /// Which attempt.
        attempt: u32,
    },
    /// A directory has killed its workers too often: write down what is known and go on.
    GiveUp {
        /// The directory.
        dir: DirId,
        /// What happened to its last attempt.
        reason: String,
    },
    /// Tell a loop to stop.
    Stop {
        /// The directory.
        dir: DirId,
        /// How.
        how: Stop,
    },
    /// Everything under way waits for turns, and nothing else can begin: refuse one of the wishes.
    RefuseOne,
    /// Let the planner see how it goes.
    Revise,
    /// Change what is promised to a directory that has not begun: no turns at all if it is dropped.
    Repromise {
        /// The directory.
        dir: DirId,
        /// How many turns from now on.
        turns: Turns,
    },
    /// Everything has finished: find out what deserves a second look.
    Refine {
        /// Which time, from 1.
        round: u32,
    },
    /// Store the evaluation.
    Evaluate,
    /// Make the report out of what is known.
    Synthesise,
    /// Store and render the report.
    Report,
    /// It is over.
    End(RunEnd),
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEnd {
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
    /// Somebody cancelled; the next run goes on where this one was.
    Cancelled,
}

/// Where a run is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// It has not begun.
    Waiting,
    /// The target is being scanned.
    Scanning,
    /// A first look at the whole.
    Surveying,
    /// Who gets how many turns.
    Planning,
    /// Directories are looked at.
    Looping,
    /// What came of the plan.
    Evaluating,
    /// The whole from its parts.
    Synthesising,
    /// The report is written.
    Reporting,
    /// It is over.
    Ended,
}

/// Something about a run that a reader of the report should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunNote {
    /// The survey pass failed.
    NoSurvey,
    /// The planning pass failed: every directory got the same.
    NoPlan,
    /// The plan was odd.
    Plan(PlanWarning),
    /// A directory tells only a part.
    PartialDir {
        /// The directory.
        path: RelPath,
        /// Why.
        reason: String,
    },
    /// The analyst looked at a directory in place of the model.
    FilledIn {
        /// The directory.
        path: RelPath,
        /// Why the model did not finish.
        reason: String,
        /// The same without the details.
        end: EndKind,
    },
    /// A directory was given up.
    GivenUp {
        /// The directory.
        path: RelPath,
        /// Why.
        reason: String,
    },
    /// The synthesis failed: the analyst wrote the report on the whole.
    NoSynthesis {
        /// Why.
        reason: String,
    },
    /// A directory was never looked at, for a limit came first.
    NotReached {
        /// The directory.
        path: RelPath,
    },
}

/// What can be seen of a run from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Where it is.
    pub phase: Phase,
    /// Directories that have finished.
    pub finished: usize,
    /// Those of them whose old result still counted.
    pub reused: usize,
    /// Directories that have not finished.
    pub open: usize,
    /// Loops under way.
    pub running: usize,
    /// Those of them that wait for turns.
    pub parked: usize,
    /// Whether it is paused.
    pub is_paused: bool,
}

/// What a schedule looks like after it was made, for whoever stores it.
pub type Planned<'a> = (&'a Schedule, &'a Dirs);
