//! Results on paper: text for people, Markdown for repositories, JSON for programs.
//!
//! A scan is written by [`write_text`] and [`write_json`], an investigation by [`investigation`]; the other modules
//! are one for each command that prints something of its own, and take plain structures that the command fills.
//!
//! Pure: each function returns a text or writes into what it is given, and that depends on its arguments alone. No
//! clock, no terminal, no environment.
//!
//! Everything that came from the target or from a model leaves here escaped: whatever a file is called and whatever
//! a model says about it, it cannot steer the terminal or the page it is shown on.

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

pub mod coverage;
pub mod difference;
pub mod estimate;
pub mod evaluation;
pub mod flags;
pub mod investigation;
pub mod list;
pub mod plan;
pub mod progress;
pub mod status;
pub mod turns;
pub mod verified;

#[cfg(test)]
mod sample;

pub use json::{JsonOptions, write_json, write_json_line};
pub use layout::{Detail, Layout};
pub use style::Style;
pub use text::{TextOptions, write_text};
pub use why_skipped::write_why_skipped;
