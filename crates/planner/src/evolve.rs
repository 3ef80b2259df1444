//! The evolution planner: from commit history and metrics to a plan in steps.
//!
//! A question names a repository, a base, inspirations and a goal. [`gather`] reads all that is known and finds whatever is
//! wrong with it; [`plan_with`] asks a model, [`plan_offline`] none. A plan is carried out by others; [`Evaluator`] measures
//! what came out, [`compare`] scores it, and what was learned goes into later plans near the same base.
//!
//! Everything up to git is pure: cards, chains, rollups, prompts, plans and their rules, scores. Git is read without running
//! it (`git`). What is kept is kept by the store.
//!
//! Not here: how models are reached and paid (the engine), and who may plan when.

mod card;
mod chain;
mod clip;
mod code;
mod document;
mod error;
mod evaluate;
#[cfg(test)]
mod fixture;
mod gather;
mod git;
mod guard;
mod markdown;
mod memory;
mod metric;
mod offline;
mod plan;
mod planning;
mod prompt;
mod request;
mod rollup;
mod score;
mod synthesis;
mod verdict;

pub use card::{Changes, CommitCard, FileChange};
pub use chain::{Chain, CommitId, Ground, MOST_DEPTH, Place, Walk};
pub use document::{Effort, Inspired, PlanDocument, Source};
pub use error::Error;
pub use evaluate::{Evaluated, Evaluator, NotEvaluated, Printed};
pub use gather::{Gathered, Question, gather};
pub use git::{NOTES, RangeDiff, Repo};
pub use markdown::{plan_page, score_page};
pub use metric::{BadMetric, Measured, Metric};
pub use plan::{PlanStep, PlanningPlan};
pub use planning::{Asking, Priced, mode_word, plan_offline, plan_with};
pub use prompt::{MOST_OUTPUT, PromptAccount, TooLarge};
pub use request::{BadWish, CommitContext, MOST_INSPIRATIONS, PlanningRequest, Wish};
pub use rollup::{Anchor, AnchorMode, Chunk, Part, Path, Rollup, RollupSettings, TrajectoryMeta, roll_up};
pub use score::{Direction, MetricOutcome, Score, StepOutcome, StepStatus, Verdict};
pub use verdict::{Comparison, compare, read_plan, remember_failure, remember_measured, remember_score};
