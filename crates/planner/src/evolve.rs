//! The evolution planner: from commit history and metrics to a plan in steps.

mod card;
mod chain;
mod clip;
mod metric;
mod plan;
mod rollup;
