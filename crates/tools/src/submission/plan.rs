//! What the planner submits.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Lenient, Submission};
use crate::toolbox::{Scope, Submit};

/// The plan.
pub(crate) struct SubmitPlan;

/// A directory that deserves more.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Priority {
    /// The directory, relative to the target; `.` is the target itself.
    #[schemars(length(min = 1))]
    pub path: String,
    /// Why it deserves more.
    #[schemars(length(max = 1000))]
    #[serde(default)]
    pub reason: String,
    /// How many turns it should get, from 1 to 25; 15 if you leave it out.
    #[schemars(with = "u32", extend("x-lenient" = true), range(min = 1, max = 25))]
    #[serde(default)]
    pub suggested_turns: Lenient,
}

/// A directory that deserves less, or nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Unhurried {
    /// The directory, relative to the target.
    #[schemars(length(min = 1))]
    pub path: String,
    /// Why it deserves less.
    #[schemars(length(max = 1000))]
    #[serde(default)]
    pub reason: String,
}

/// Which directories come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// deepest first.
    #[default]
    LeafFirst,
    /// what leads to priority directories first.
    PriorityFirst,
}

/// Who gets how many turns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Complex or central directories: 15 turns, or what you suggest.
    #[schemars(length(max = 2000))]
    #[serde(default)]
    pub priority_dirs: Vec<Priority>,
    /// Directories with few files, fixtures, assets or documents only: 5 turns.
    #[schemars(length(max = 2000))]
    #[serde(default)]
    pub shallow_dirs: Vec<Unhurried>,
    /// Build output, caches, vendored or generated directories: not looked into, nor what is below them.
    #[schemars(length(max = 2000))]
    #[serde(default)]
    pub skip_dirs: Vec<Unhurried>,
    /// Which directories come first. Children always come before their parents.
    #[serde(default)]
    pub investigation_order: Order,
    /// What every investigator of a directory should know about the plan.
    #[schemars(length(max = 4000))]
    #[serde(default)]
    pub notes: String,
}

impl Submit for SubmitPlan {
    type Arguments = Plan;
    const NAME: &'static str = "submit_plan";
    const ABOUT: &'static str = "Submit the plan and end this pass. Name only directories that need something other \
        than the usual 10 turns, with the reason: more for what is central and complex, fewer for what is simple, none \
        for what was not written by people. Turns are limited; more for all is more for none.";
    const SCOPES: &'static [Scope] = &[Scope::Plan];

    fn take(plan: Plan) -> Submission {
        Submission::Plan(plan)
    }
}

/// A change of the plan.
pub(crate) struct RevisePlan;

/// How much a directory deserves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Tier {
    /// up to 25 turns.
    Priority,
    /// 10 turns.
    Default,
    /// 5 turns.
    Shallow,
    /// none.
    Skip,
}

/// A directory that moves to another tier.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Move {
    /// The directory, relative to the target. It must not have been started.
    #[schemars(length(min = 1))]
    pub path: String,
    /// Where it goes.
    pub tier: Tier,
    /// How many turns it should get, from 1 to 25, if it becomes a priority.
    #[schemars(with = "u32", extend("x-lenient" = true), range(min = 1, max = 25))]
    #[serde(default)]
    pub suggested_turns: Lenient,
    /// What was learned that calls for it.
    #[schemars(length(max = 1000))]
    pub reason: String,
}

/// What changes in the plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Revision {
    /// The directories that move. Leave it empty if the plan is still right.
    #[schemars(length(max = 2000))]
    pub moves: Vec<Move>,
    /// What those who investigate the rest should know.
    #[schemars(length(max = 4000))]
    #[serde(default)]
    pub notes: String,
}

impl Submit for RevisePlan {
    type Arguments = Revision;
    const NAME: &'static str = "revise_plan";
    const ABOUT: &'static str = "Submit changes to the plan and end this pass. Move directories that have not started \
        to another tier if what was learned so far calls for it; leave `moves` empty if the plan is still right.";
    const SCOPES: &'static [Scope] = &[Scope::Revise];

    fn take(revision: Revision) -> Submission {
        Submission::Revision(revision)
    }
}
