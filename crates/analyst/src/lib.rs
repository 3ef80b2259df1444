//! The analyst that needs no model: the same passes, by static analysis.
//!
//! It looks at files through the same confined root as the tools and leaves the same records, so that every sentence
//! it writes can be checked. It knows only what is written down: manifests, documents, comments, names and numbers. The
//! same target gives the same words.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "there are thirty kinds of facts, and a reader wants a few of them"
)]

mod ahead;
mod bounds;
mod collected;
mod collection;
mod compose;
mod court;
mod dir;
mod eyes;
#[cfg(test)]
mod facts;
#[cfg(test)]
mod fixture;
mod git;
mod guard;
mod instead;
mod knowledge;
mod layout;
mod look;
mod manifest;
mod mentions;
mod plan;
mod purpose;
mod readme;
mod role;
mod rules;
mod sentence;
mod source;
mod survey;
mod synthesis;
#[cfg(test)]
mod tests;
mod tree;
mod unlisted;
mod variables;
mod words;

pub use ahead::Ahead;
pub use dir::run_dir;
pub use dir::run_dir_ahead;
pub use guard::look_over;
pub use instead::report_instead;
pub use plan::{plan, revise};
pub use rules::tree::flags as flags_of_tree;
pub use survey::{survey, target_kind};
pub use synthesis::synthesise;
pub use unlisted::surroundings;

/// The version of the analyst: another one may say other things about the same target.
pub const VERSION: u32 = 13;
