//! What the synthesis submits.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Submission;
use crate::toolbox::{Scope, Submit};

/// Directories into subsystems.
pub(crate) struct SubmitGrouping;

/// A subsystem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// A short name for it.
    #[schemars(length(min = 1, max = 100))]
    pub name: String,
    /// What its directories have in common, in one or two sentences.
    #[schemars(length(max = 1000))]
    pub description: String,
    /// Its directories, relative to the target.
    #[schemars(length(min = 1, max = 5000))]
    pub directories: Vec<String>,
}

/// Subsystems.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Grouping {
    /// The subsystems. Every directory should be in exactly one.
    #[schemars(length(min = 1, max = 30))]
    pub groups: Vec<Group>,
}

impl Submit for SubmitGrouping {
    type Arguments = Grouping;
    const NAME: &'static str = "submit_grouping";
    const ABOUT: &'static str = "Submit how the directories form subsystems and end this pass: 3 to 10 of them, by what \
        the directories do together rather than by where they lie.";
    const SCOPES: &'static [Scope] = &[Scope::Grouping];

    fn take(grouping: Grouping) -> Submission {
        Submission::Grouping(grouping)
    }
}

/// The report.
pub(crate) struct SubmitFinalReport;

/// A part of the whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Component {
    /// Its name.
    #[schemars(length(min = 1, max = 200))]
    pub name: String,
    /// What it does and how it works with the others.
    #[schemars(length(max = 2000))]
    pub description: String,
    /// Its directories or files, relative to the target.
    #[schemars(length(max = 200))]
    #[serde(default)]
    pub paths: Vec<String>,
}

/// The report as a whole. Only what fits the target is filled in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FinalReport {
    /// What this is and what it is for, in two to four sentences for somebody who has never seen it.
    #[schemars(length(min = 1, max = 4000))]
    pub brief: String,
    /// The whole story: purpose, parts, how they work together, what stands out. Several paragraphs, with paths.
    #[schemars(length(min = 1, max = 40000))]
    pub detailed: String,
    /// Its purpose in one sentence.
    #[schemars(length(max = 1000))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overall_purpose: Option<String>,
    /// For software: how it is built, its layers and who uses whom.
    #[schemars(length(max = 8000))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub architecture: Option<String>,
    /// Its parts.
    #[schemars(length(max = 100))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<Component>,
    /// Languages, frameworks, services and tools it uses.
    #[schemars(length(max = 100))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tech_stack: Vec<String>,
    /// Where execution or reading starts, each with its path.
    #[schemars(length(max = 100))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entry_points: Vec<String>,
    /// For data: the data sets, each with its path and what it holds.
    #[schemars(length(max = 200))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub datasets: Vec<String>,
    /// For data: the shape of the records.
    #[schemars(length(max = 8000))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema_summary: Option<String>,
    /// The time that data or documents cover.
    #[schemars(length(max = 1000))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period_covered: Option<String>,
    /// For documents and collections: what they are about.
    #[schemars(length(max = 100))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub themes: Vec<String>,
    /// For data: what is missing, contradictory or malformed.
    #[schemars(length(max = 8000))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_quality: Option<String>,
    /// What somebody who is to work with it should worry about.
    #[schemars(length(max = 100))]
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub concerns: Vec<String>,
}

impl Submit for SubmitFinalReport {
    type Arguments = FinalReport;
    const NAME: &'static str = "submit_report";
    const ABOUT: &'static str = "Submit the report on the whole and end the investigation. Form a hypothesis of what \
        this is, look for entries that support it and for entries that contradict it, then submit. Say only what the \
        entries say; fill in only the fields that fit.";
    const SCOPES: &'static [Scope] = &[Scope::Synthesis];

    fn take(report: FinalReport) -> Submission {
        Submission::Final(Box::new(report))
    }
}
