//! Results on paper: text for people, JSON for programs.
//!
//! Pure: each function writes into what it is given, and what it writes depends on its arguments alone. No
//! clock, no terminal, no environment.
//!
//! Everything that came from the target leaves here escaped: whatever a file is called, it cannot steer the
//! terminal it is printed on.

mod json;
mod layout;
mod measure;
mod prose;
mod sheet;
mod style;
mod table;
mod text;
mod time;
mod why_skipped;

pub mod estimate;
pub mod evaluation;
pub mod flags;
pub mod investigation;
pub mod list;
pub mod plan;
pub mod progress;
pub mod status;

#[cfg(test)]
mod sample;

pub use json::{JsonOptions, write_json, write_json_line};
pub use layout::{Detail, Layout};
pub use style::Style;
pub use text::{TextOptions, write_text};
pub use why_skipped::write_why_skipped;
