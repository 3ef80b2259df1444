//! What kind of target is investigated.

use serde::{Deserialize, Serialize};

/// What a target is. It is decided once, from the scan, before any pass; no survey and no model changes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TargetKind {
    /// A program, or part of one: data beside it is told file by file.
    Program,
    /// A collection of something else: photos, tables, documents, mail.
    #[default]
    Collection,
}

impl TargetKind {
    /// Whether the target is a program.
    pub fn is_program(self) -> bool {
        self == Self::Program
    }

    /// A fixed word for the kind.
    pub fn word(self) -> &'static str {
        match self {
            Self::Program => "program",
            Self::Collection => "collection",
        }
    }
}
