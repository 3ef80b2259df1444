//! The nouns and rules of Luminos.
//!
//! Everything here is pure: no files, no environment, no clock, no async. What a rule needs comes in as
//! an argument, so each rule can be tested as a table.
//!
//! Not here: how a scan is made (`luminos-scan`), how results look on paper (`luminos-report`).

pub mod answer;
mod byte_size;
pub mod config;
mod content_hash;
pub mod difference;
pub mod end;
pub mod entry;
pub mod evaluation;
pub mod experience;
mod failure;
pub mod flag;
pub mod job;
pub mod judge;
mod moment;
pub mod plan;
pub mod proof;
pub mod rate;
pub mod ready;
pub mod refine;
mod rel_path;
pub mod report;
pub mod run;
pub mod scan;
mod secret_file;
pub mod secrets;
pub mod seen;
pub mod services;
pub mod spend;
pub mod survey;
pub mod talk;
mod target_kind;
pub mod turns;
mod untrusted;
pub mod verify;
pub mod whole;

pub use byte_size::{ByteSize, NotASize};
pub use content_hash::{ContentHash, NotAHash};
pub use failure::{Exit, Failure};
pub use moment::Moment;
pub use rel_path::RelPath;
pub use secret_file::{SECRET_DIRS, SECRET_NAMES, is_secret_file};
pub use target_kind::TargetKind;
pub use untrusted::{Fence, Untrusted};
