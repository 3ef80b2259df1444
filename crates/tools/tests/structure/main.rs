//! `outline`, seen from outside: what it says of files of every form, and that no bytes can hurt it.
#![cfg(test)]

mod forms;
mod hostile;
mod languages;

use luminos_tools::structure::{Limits, Outline, outline};

/// What a model reads of a file.
fn read(name: &str, bytes: impl AsRef<[u8]>) -> String {
    match outline(name.as_bytes(), bytes.as_ref(), &Limits::default()) {
        Ok(outline) => outline.for_model(),
        Err(error) => error.to_string(),
    }
}

/// The typed outline of a file.
fn typed(name: &str, bytes: impl AsRef<[u8]>) -> Outline {
    outline(name.as_bytes(), bytes.as_ref(), &Limits::default()).unwrap()
}
