//! A plan in steps, and what makes one valid.
//!
//! The bounds stand in one table, from which both the schema that a model is given and the checks of plans made here
//! follow. What a schema cannot say is checked besides: ids that are there once, dependencies that exist and lead in no
//! circle, files inside the repository, metrics that exist.

mod rules;
mod schema;

use serde::{Deserialize, Serialize};

pub(crate) use rules::{Known, problems};
pub(crate) use schema::{MOST_STEPS, PlanSpec, fewest_steps};

pub(crate) use schema::bounds;

/// A plan: what to change, in which order, and how to see whether it worked.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PlanningPlan {
    /// What it is about.
    pub summary: String,
    /// Why so.
    pub rationale: String,
    /// The metrics that should get better.
    pub focus_metrics: Vec<String>,
    /// What must not happen.
    pub guardrails: Vec<String>,
    /// What may go wrong.
    pub risks: Vec<String>,
    /// How to see whether it worked.
    pub validation: Vec<String>,
    /// The steps, in an order in which they can be taken.
    pub steps: Vec<PlanStep>,
    /// What whoever carries it out should know.
    #[serde(default)]
    pub handoff_notes: Vec<String>,
    /// What to do if it does not work.
    #[serde(default)]
    pub fallback_plan: Option<String>,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PlanStep {
    /// Its name in the plan.
    pub step_id: String,
    /// Its name for people.
    pub title: String,
    /// What it is for.
    pub intent: String,
    /// What to do.
    pub actions: Vec<String>,
    /// Files to change or to make, relative to the repository.
    #[serde(default)]
    pub files: Vec<String>,
    /// Steps that come before it.
    #[serde(default)]
    pub dependencies: Vec<String>,
    /// How to see whether it worked.
    pub validation: Vec<String>,
    /// What may go wrong.
    #[serde(default)]
    pub risks: Vec<String>,
    /// Commits, files and the like that it rests on.
    #[serde(default)]
    pub references: Vec<String>,
}
