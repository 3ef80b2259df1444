//! The evolution planner: from commit history and metrics to a plan in steps.
