//! The toolbox of a model that must be assumed hostile.
//!
//! Nothing here trusts an argument: paths are resolved by the kernel beneath one descriptor, what parses runs
//! under limits, what is started runs in a sandbox.
//!
//! `toolbox` is the table of all tools, each declared in a file of its own; `session` puts them into the hands of one
//! loop and answers its calls; `root` is the only way to anything in the target.

mod address;
mod blobs;
pub mod command;
#[cfg(test)]
mod fixture;
mod flag;
pub mod library;
mod list_directory;
mod notes;
mod parse_structure;
mod read_cache;
mod read_file;
mod root;
mod run_command;
pub mod sandbox;
mod search;
mod session;
pub mod structure;
mod submission;
mod toolbox;
mod write_cache;

pub use flag::Citation;
pub use parse_structure::{Outline, Outlines};
pub use read_cache::Entries;
pub use root::{CannotOpen, Directory, Entry, Mounts, Opened, Refused, Root, Stamp, Why};
pub use run_command::{CommandOutput, Commands};
pub use session::{Describe, Effect, Limits, Outcome, Secrets, Session};
pub use submission::{
    Claim, Component, DirReport, FinalReport, Group, Grouping, Lenient, Move, Order, Plan, Priority,
    Revision, Submission, Survey, Tier, Unhurried,
};
pub use toolbox::{Corrections, Offer, Scope, repaired, specs};
pub use write_cache::{EntryData, EntryDraft, EntryKind};
