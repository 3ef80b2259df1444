//! One turn loop, and the passes that use it.
//!
//! [`run_dir`] investigates a directory with a model; [`survey`], [`plan`], [`revise`], [`group`] and [`synthesise`] are
//! the passes around it. All of them are conversations of the same kind: ask, carry out what the model calls for, ask
//! again. `luminos-analyst` gives the same results without a model.
//!
//! Everything is synchronous and deterministic: given the same answers, the same questions are asked and the same
//! results given. What a loop needs from the world comes through `Services` of the core.
//!
//! Not here: models and money (the daemon asks them), the tools themselves (`luminos-tools`), verdicts on what is
//! reported (`luminos-core`).

mod compaction;
mod conversation;
mod dir;
#[cfg(test)]
mod fixture;
mod pass;
mod prompt;
mod repetition;
mod session;
mod workplace;

pub use compaction::compact;
pub use dir::{refine_dir, run_dir};
pub use luminos_tools::Secrets;
pub use luminos_tools::sandbox::MOST_DATA as MOST_WORKER_MEMORY;
pub use pass::{Cited, Opinion, cited, doubt, group, mechanical, opinion, plan, revise, survey, synthesise};
pub use prompt::{fence, prompts_version};
pub use workplace::{CannotWork, ParserStart, Workplace, confinement_words, dir_tools, parse};

/// The version of the tools and of the rules that look over every directory, as far as they shape results.
pub const TOOLS_VERSION: u32 = 4;
