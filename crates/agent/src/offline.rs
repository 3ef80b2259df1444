//! The analyst that needs no model: the same passes, by static analysis.
//!
//! It looks at files through the same confined root as the tools and leaves the same records, so that every sentence
//! it writes can be checked. It knows only what is written down: manifests, documents, comments, names and numbers. The
//! same target gives the same words.

mod collected;
mod collection;
mod compose;
mod dir;
mod eyes;
mod finding;
mod look;
mod manifest;
mod plan;
mod readme;
mod role;
mod rules;
mod source;
mod statement;
mod survey;
mod synthesis;
#[cfg(test)]
mod tests;
mod tree;
mod words;

pub use dir::run_dir;
pub use plan::{plan, revise};
pub use survey::survey;
pub use synthesis::synthesise;

/// The version of the analyst: another one may say other things about the same target.
pub const VERSION: u32 = 5;
