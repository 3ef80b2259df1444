//! A statement with what it rests on.

use luminos_core::entry::Claim;
use luminos_core::proof::Evidence;

use super::statement::Statement;

/// A statement with what it rests on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Finding {
    pub(crate) statement: Statement,
    pub(crate) evidence: Vec<Evidence>,
}

impl Finding {
    /// The finding with its texts cut to lengths that fit a sentence.
    pub(crate) fn bounded(self) -> Self {
        Self { statement: self.statement.bounded(), ..self }
    }

    /// The finding as a claim of an entry.
    pub(crate) fn claim(&self) -> Claim {
        Claim {
            text: self.statement.sentence(),
            evidence: self.evidence.clone(),
            entries: Vec::new(),
            faults: Vec::new(),
            verified: false,
        }
    }
}
