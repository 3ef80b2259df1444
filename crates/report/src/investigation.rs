//! What an investigation found out, on paper: text and a web page for people, Markdown for repositories, JSON for
//! programs.
//!
//! All of them are made of [`luminos_core::report::Report`] alone. Its prose was written by a model that had read the
//! target, so it is trusted no more than the target itself.

mod agents_md;
mod baseline;
mod basis;
mod cited;
mod concerns;
mod gathered;
mod glance;
mod head;
mod html;
mod json;
mod markdown;
mod read;
mod sarif;
mod text;

pub use agents_md::{agents_md, with_agents_block};
pub use baseline::{Comparison, Standing};
pub use glance::explain;
pub use head::Head;
pub use html::html;
pub use json::{json, sealed, write_json};
pub use markdown::markdown;
pub use read::{NotAReport, digest_fault, read_json, words_digest};
pub use sarif::write_sarif;
pub use text::{directory, text};

pub(crate) use cited::place_of;
pub(crate) use json::{FileEntry, FlagEntry};
pub(crate) use text::flagged;

#[cfg(test)]
pub(crate) mod sample;

#[cfg(test)]
mod tests;
