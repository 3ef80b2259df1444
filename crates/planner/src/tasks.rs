//! The task planner: which tasks of a backlog come next, and why.
