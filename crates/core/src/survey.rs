//! A first look at the whole: what a target seems to be and how to go about it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::entry::Share;
use crate::scan::Scan;

/// What the survey pass found out, without reading a file.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Survey {
    /// What the target seems to be.
    pub description: String,
    /// How to go about it.
    pub approach: String,
    /// Tools that will help.
    #[serde(default)]
    pub relevant_tools: Vec<String>,
    /// Tools that will not.
    #[serde(default)]
    pub skip_tools: Vec<String>,
    /// What somebody who works in this field would know.
    #[serde(default)]
    pub domain_notes: String,
    /// How sure the survey is.
    #[serde(default)]
    pub confidence: Share,
}

/// From this confidence on, a survey may take tools out of the toolbox.
const SURE_ENOUGH: f64 = 0.5;

impl Survey {
    /// What a model submitted. Texts may be missing; a confidence that is no number from 0 to 1 counts as none.
    pub fn from_arguments(arguments: &Map<String, Value>) -> Self {
        let text = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let texts = |name: &str| {
            let items = arguments.get(name).and_then(Value::as_array).into_iter().flatten();
            items.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let confidence = arguments.get("confidence").and_then(Value::as_f64).and_then(Share::new);
        Self {
            description: text("description"),
            approach: text("approach"),
            relevant_tools: texts("relevant_tools"),
            skip_tools: texts("skip_tools"),
            domain_notes: text("domain_notes"),
            confidence: confidence.unwrap_or(Share::NONE),
        }
    }

    /// What stands in for a survey of a target so small that none is needed.
    pub fn of_a_small_target() -> Self {
        Self {
            description: "A small target: everything is looked at, no survey was made.".to_owned(),
            ..Self::default()
        }
    }

    /// The tools that leave the toolbox.
    pub fn tools_to_skip(&self) -> &[String] {
        if SURE_ENOUGH <= self.confidence.get() { &self.skip_tools } else { &[] }
    }
}

/// Whether a target is so small that neither survey nor plan is worth a model's time.
pub fn is_small(scan: &Scan) -> bool {
    let files = scan.dirs.first().map_or(0, |root| root.files);
    files < 5 && scan.dirs.len() < 2
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn survey(confidence: Value) -> Survey {
        let arguments =
            json!({"description": "A compiler", "skip_tools": ["search", 3], "confidence": confidence});
        Survey::from_arguments(arguments.as_object().unwrap())
    }

    #[test]
    fn a_sure_survey_takes_tools_away_an_unsure_one_does_not() {
        assert_eq!(survey(json!(0.5)).tools_to_skip(), ["search"]);
        for confidence in [json!(0.49), json!("0.9"), json!(null), json!(7), json!(-1)] {
            assert!(survey(confidence).tools_to_skip().is_empty());
        }
    }

    #[test]
    fn what_is_missing_is_empty() {
        let survey = Survey::from_arguments(&Map::new());
        assert_eq!(survey, Survey::default());
    }
}
