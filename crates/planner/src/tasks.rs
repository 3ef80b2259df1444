//! The task planner: a requirement becomes tasks that somebody can do, once.
//!
//! Stages are functions over values: a requirement is read (`requirement`), drafts of tasks are made by a model or by rule,
//! their dependencies put in order (`order`), their paths and commands completed (`paths`, `verify`), conflicts with the
//! backlog serialised (`overlap`). The model, the clock and the repository come in as arguments.
//!
//! Not here: how models are reached and who may plan when (the engine), and what is printed (luminosctl).

mod ask;
mod backlog;
mod choose;
mod command;
mod export;
mod failure;
mod fallback;
mod gate;
mod glob;
mod inject;
mod judge;
mod knowledge;
mod order;
mod overlap;
mod paths;
mod plan;
mod recovery;
mod refine;
mod repo;
mod requirement;
mod research;
mod roles;
mod signature;
mod task;
mod tracker;
mod verify;
mod word;

pub use ask::{AskSettings, Asker, Gap, Inspection, NoAnswer};
pub use backlog::{
    Asking, Backlog, Begun, Claim, Claimed, Error, Event, EventFilter, EvidenceRow, Job, JobEnd, JobState,
    Lease, Linking, NotClaimed, PlanRow, PlanState, ReportRow, SCHEMA_VERSION, Saved, Skip, TaskFilter,
    moment,
};
pub use choose::{Chooser, Held, choose, score};
pub use command::{CannotRun, Command, CommandPolicy};
pub use export::{as_graph, as_markdown, as_mermaid};
pub use failure::{FailureKind, classify, next_wait, retry_hint};
pub use fallback::fallback;
pub use gate::{Named, Pending};
pub use glob::{Glob, NotAGlob, any_matches, plain};
pub use inject::{DocsGap, REQUIREMENT_FILE, init_task, is_init};
pub use judge::{
    BadDiff, Changed, Check, Diff, JudgePolicy, Judgement, Review, Verdict, computed_risk, judge,
    read_checks, review,
};
pub use knowledge::{FileKnowledge, Hit, Knowledge, Ranked, Wanted, find_words, search_words};
pub use order::normalise;
pub use overlap::{Standing, fill_areas, serialise, writes};
pub use paths::{PathLists, complete, read_list, tidy};
pub use plan::{PlanInput, Planned, knowledge_context, plan};
pub use recovery::{BadRecovery, Hint, HintApplication, MatchedHint, Recovery, RecoveryMode, apply_hints};
pub use refine::{Completed, Refined, Surroundings, prepare, refine};
pub use repo::{MANIFESTS, MOST_MANIFESTS, RepoFacts};
pub use requirement::{NotARequirement, Parsed, Part, Requirement, RiskItem};
pub use research::{
    Demands, Profile, collect, collect_task, decompose, places_by_words, settle, shortfalls, tidy_claims,
    write as write_report,
};
pub use roles::{add_e2e_command, infer_role, is_doc_path, is_test_path};
pub use signature::{PlanInputs, hash};
pub use task::{
    Context, Dep, Draft, Edge, IssueLink, Kind, Lane, Needs, Origin, ResearchRef, Risk, Role, Status, Task,
    TaskId, block_reason,
};
pub use tracker::{GitHub, issue_body, issue_title, write_issue};
pub use verify::{
    BadContract, Contract, Sources, VerifyMode, VerifySettings, augment, detect, e2e_command, to_ask,
};
pub use word::NotAWord;

use backlog::clipped;
