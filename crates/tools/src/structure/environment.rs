//! Files of environment variables: names only, never values.

use serde::{Deserialize, Serialize};

use super::outline::Note;

/// The variables of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    /// Their names.
    pub names: Vec<Note>,
    /// How many have no value.
    pub unset: u32,
}

/// Reads a file such as `.env`.
pub(super) fn outline(text: &str) -> Environment {
    let mut environment = Environment::default();
    for (row, line) in text.lines().enumerate().take(10_000) {
        let line = line.trim();
        let line = line.strip_prefix("export ").unwrap_or(line).trim_start();
        let Some((name, value)) = line.split_once('=') else { continue };
        let name = name.trim();
        let is_name =
            name.chars().all(|character| character.is_alphanumeric() || matches!(character, '_' | '.' | '-'));
        // Something that only looks like a name may be a secret that was broken over lines.
        if is_name && !name.is_empty() && name.len() <= 100 && !line.starts_with('#') {
            let line = u32::try_from(row + 1).unwrap_or(u32::MAX);
            environment.names.push(Note { text: name.to_owned(), line });
            environment.unset += u32::from(value.trim().is_empty());
        }
    }
    environment
}
