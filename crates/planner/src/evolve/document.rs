//! A plan as it leaves the planner: with where it came from.

use serde::{Deserialize, Serialize};

use super::chain::CommitId;
use super::metric::Metric;
use super::plan::PlanningPlan;
use super::prompt::PromptAccount;
use super::request::Wish;
use super::rollup::TrajectoryMeta;

/// What a file of this kind says it is.
pub(crate) const KIND: &str = "evolution-plan";
/// The newest form of such files that is known.
pub(crate) const FORMAT: u32 = 1;

/// A plan and its origin. Its fields are an interface.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanDocument {
    /// [`KIND`].
    pub kind: String,
    /// [`FORMAT`].
    pub format: u32,
    /// Seconds since 1970.
    pub made_at: i64,
    /// Where the repository was.
    pub repository: String,
    /// Where to start.
    pub base: CommitId,
    /// Its metrics, as they were known.
    pub base_metrics: Vec<Metric>,
    /// Where ideas came from.
    pub inspirations: Vec<Inspired>,
    /// What was wanted.
    pub wish: Wish,
    /// What was known of earlier tries.
    pub lessons: Vec<String>,
    /// Who made it.
    pub source: Source,
    /// Why it is not the model's own, if it is not.
    pub degraded: Option<String>,
    /// The plan.
    pub plan: PlanningPlan,
    /// What it took.
    pub effort: Effort,
    /// What else whoever reads it should know.
    pub notes: Vec<String>,
}

/// An inspiration of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Inspired {
    /// As it was named.
    pub revision: String,
    /// The commit.
    pub commit: CommitId,
    /// How it came about.
    pub trajectory: Option<TrajectoryMeta>,
}

/// Who made a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// A model, and the plan is its own.
    Model,
    /// A model, but the plan was put together from its words.
    Synthesised,
    /// No model.
    Offline,
}

/// What a plan took.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Effort {
    /// The model, by its name; `offline` where none was asked.
    pub model: String,
    /// How strictly a document was asked for.
    pub mode: String,
    /// How many calls there were, summaries of history included.
    pub calls: u32,
    /// How long all of it took.
    pub seconds: f64,
    /// Tokens that went in.
    pub input_tokens: u64,
    /// Tokens that came out.
    pub output_tokens: u64,
    /// In US dollars, as a decimal text; nothing if a price is not known.
    pub cost: Option<String>,
    /// What the prompt held.
    pub prompt: Option<PromptAccount>,
}

impl PlanDocument {
    /// Reads a document, or says what is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let value: serde_json::Value =
            serde_json::from_str(text).map_err(|error| format!("it is no JSON: {error}"))?;
        if value["kind"].as_str() != Some(KIND) {
            return Err(format!("its `kind` is not `{KIND}`"));
        }
        match value["format"].as_u64() {
            Some(format) if format <= u64::from(FORMAT) => {}
            Some(format) => return Err(format!("it was written by a newer luminos (format {format})")),
            None => return Err("it has no `format`".to_owned()),
        }
        serde_json::from_value(value).map_err(|error| error.to_string())
    }
}
