//! What a pass waits for: the tools without a handler, whose arguments are the result.
//!
//! Paths are kept as the model wrote them: whether they name something is for the plan and the judge to say.

use luminos_core::proof::Evidence;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::flag::Citation;
use crate::toolbox::{Scope, Submit};

mod plan;
mod report;

pub use plan::{Move, Order, Plan, Priority, Revision, Tier, Unhurried};
pub(crate) use plan::{RevisePlan, SubmitPlan};
pub use report::{Component, FinalReport, Group, Grouping};
pub(crate) use report::{SubmitFinalReport, SubmitGrouping};

/// What a pass got.
#[derive(Debug, Clone, PartialEq)]
pub enum Submission {
    /// Of the survey.
    Survey(Survey),
    /// Of the planner.
    Plan(Plan),
    /// Of the planner, later.
    Revision(Revision),
    /// Of a directory's loop.
    Dir(DirReport),
    /// Directories into subsystems.
    Grouping(Grouping),
    /// Of the synthesis.
    Final(Box<FinalReport>),
}

/// A number, or whatever came in its place: the pass has a rule for that.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Lenient(Value);

impl Lenient {
    /// The number, if it was one.
    pub fn number(&self) -> Option<f64> {
        self.0.as_f64()
    }
}

impl From<f64> for Lenient {
    fn from(number: f64) -> Self {
        Self(number.into())
    }
}

/// The survey.
pub(crate) struct SubmitSurvey;

/// What the target is, at first sight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Survey {
    /// What this directory is, in two or three sentences.
    #[schemars(length(min = 1, max = 4000))]
    pub description: String,
    /// How to look into it: what to read first, what matters, what does not.
    #[schemars(length(max = 4000))]
    pub approach: String,
    /// Tools of the directory loops that will help here.
    #[schemars(length(max = 20))]
    #[serde(default)]
    pub relevant_tools: Vec<String>,
    /// Tools of the directory loops that are useless here, and will be taken out. Leave it empty unless you are
    /// sure.
    #[schemars(length(max = 20))]
    #[serde(default)]
    pub skip_tools: Vec<String>,
    /// What somebody who looks into a single part of it must know about the whole.
    #[schemars(length(max = 4000))]
    #[serde(default)]
    pub domain_notes: String,
    /// How sure you are, from 0.0 to 1.0.
    #[schemars(with = "f64", extend("x-lenient" = true), range(min = 0.0, max = 1.0))]
    #[serde(default)]
    pub confidence: Lenient,
}

impl Submit for SubmitSurvey {
    type Arguments = Survey;
    const NAME: &'static str = "submit_survey";
    const ABOUT: &'static str = "Submit the survey and end this pass. Say what the whole is and how to investigate it, \
        from the signals you were given: names, sizes, kinds of files. You cannot read files in this pass; do not \
        guess at their contents.";
    const SCOPES: &'static [Scope] = &[Scope::Survey];

    fn take(survey: Survey) -> Submission {
        Submission::Survey(survey)
    }
}

/// The report of a directory's loop.
pub(crate) struct SubmitDirReport;

/// A sentence and what it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// One checkable statement, in one sentence.
    #[schemars(length(min = 1, max = 600))]
    pub text: String,
    /// The lines that show it. Cite only lines that a tool has shown you; every name and number in the sentence
    /// should occur in them.
    #[schemars(length(max = 8))]
    #[serde(default)]
    pub evidence: Vec<Citation>,
}

/// What a directory is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DirReport {
    /// What this directory is for, what is in it, how its parts work together, and what stands out: a few short
    /// paragraphs. Name files by their paths. No file contents.
    #[schemars(length(min = 1, max = 8000))]
    pub summary: String,
    /// How much of what matters here you have seen, from 0.0 to 1.0. It is compared with what the tools showed you.
    #[schemars(with = "f64", range(min = 0.0, max = 1.0))]
    pub completeness: Option<f64>,
    /// How sure you are that the summary is right, from 0.0 to 1.0.
    #[schemars(range(min = 0.0, max = 1.0))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// What makes you sure or unsure.
    #[schemars(length(max = 1000))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence_reason: Option<String>,
    /// The statements of the summary that a reader may want to check, each with its evidence.
    #[schemars(length(max = 40))]
    #[serde(default)]
    pub claims: Vec<Claim>,
    /// Lines that support the summary as a whole.
    #[schemars(length(max = 40))]
    #[serde(default)]
    pub evidence: Vec<Citation>,
}

impl DirReport {
    /// What the summary as a whole rests on.
    pub fn evidence(&self) -> Vec<Evidence> {
        self.evidence.iter().cloned().map(Evidence::from).collect()
    }
}

impl Submit for SubmitDirReport {
    type Arguments = DirReport;
    const NAME: &'static str = "submit_report";
    const ABOUT: &'static str = "Submit the report on this directory and end the work on it. Call it once, when you \
        know what the directory is for and have seen what matters, or when your turns run out: a report on what you \
        have seen is better than none. Every claim is checked against the files: evidence must be lines that a tool \
        has shown you.";
    const SCOPES: &'static [Scope] = &[Scope::Dir, Scope::Refine];

    fn take(report: DirReport) -> Submission {
        Submission::Dir(report)
    }
}
