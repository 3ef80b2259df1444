//! What an investigation found out, on paper: text for people, Markdown for repositories, JSON for programs.
//!
//! All three are made of [`luminos_core::report::Report`] alone. Its prose was written by a model that had read the
//! target, so it is trusted no more than the target itself.

mod basis;
mod cited;
mod json;
mod text;

pub use json::write_json;
pub use text::{directory, text};

#[cfg(test)]
pub(crate) mod sample;
