//! A plan as it is kept: with the number of its planner, and how it was revised.

use luminos_core::entry::Stamp;
use luminos_core::plan::{Plan, Revision};
use serde::{Deserialize, Serialize};

use crate::Fence;

/// A change of plan that was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revised {
    /// When.
    pub at: Stamp,
    /// How many directories were done.
    pub dirs_done: u64,
    /// The change, with its reason.
    pub revision: Revision,
    /// The run that was about it, all its lives together.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub run: String,
}

/// A plan and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredPlan {
    /// The number of the planner that made or revised it.
    pub fence: Fence,
    /// What the planner said first.
    pub plan: Plan,
    /// What it said later.
    #[serde(default)]
    pub revisions: Vec<Revised>,
    /// When the plan was made.
    pub made: Stamp,
}
