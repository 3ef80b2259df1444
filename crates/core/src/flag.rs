//! What somebody should know about: a finding with a severity and a source.

use serde::{Deserialize, Serialize};

use crate::RelPath;
use crate::proof::Evidence;

/// How much a flag matters. Greater is worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Good to know.
    Info,
    /// Somebody should look at it.
    Concern,
    /// Somebody should look at it today.
    Critical,
}

impl Severity {
    /// All severities, worst first.
    pub const ALL: [Self; 3] = [Self::Critical, Self::Concern, Self::Info];

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Concern => "concern",
            Self::Critical => "critical",
        }
    }
}

/// A finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flag {
    /// What it is about.
    pub path: RelPath,
    /// The finding, in one or two sentences.
    pub finding: String,
    /// How much it matters.
    pub severity: Severity,
    /// The rule that found it, for findings that a rule found: a stable word such as `secret.private-key`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Where to see it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// The directory whose loop raised it.
    pub directory: RelPath,
}
