//! Planners: what to do next with a code base, from what is known about it.
//!
//! [`tasks`] orders a backlog; [`evolve`] reads commit history and metrics and writes a plan in steps.
//!
//! Not here: who may plan when, and how models are reached (the engine).

pub mod evolve;
pub mod tasks;

#[cfg(test)]
mod documents;
