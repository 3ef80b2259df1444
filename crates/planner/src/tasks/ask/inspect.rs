//! What of a requirement is there already, and what is missing.

use luminos_models::Model;
use serde::Serialize;
use serde_json::{Value, json};

use super::{Asker, NoAnswer, text, texts};
use crate::tasks::requirement::Requirement;

/// Something that is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Gap {
    /// What.
    pub text: String,
    /// The acceptance criteria it keeps from being met, by number from 1.
    pub criteria: Vec<usize>,
    /// Where that shows, as `path:line quote`.
    pub evidence: Vec<String>,
}

/// What a repository has and lacks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Inspection {
    /// In a few sentences.
    pub summary: String,
    /// What is there, with its places.
    pub satisfied: Vec<Gap>,
    /// What is missing.
    pub gaps: Vec<Gap>,
    /// What could not be proved.
    pub notes: Vec<String>,
}

/// Whether a quote stands at a line of a file.
pub(crate) type QuoteCheck<'a> = &'a (dyn Fn(&str, u64, &str) -> bool + Sync);

/// Asks what is there and what is missing. Places are checked against the files; a criterion counts as met only if a place
/// proves it, since leaving out work that is needed is worse than planning work that is not.
pub(crate) async fn inspect<M: Model>(
    asker: &mut Asker<'_, M>,
    requirement: &Requirement,
    context: &str,
    check: QuoteCheck<'_>,
) -> Result<Inspection, NoAnswer> {
    let place = json!({ "type": "object", "additionalProperties": false, "required": ["path", "line", "quote"], "properties": {
        "path": { "type": "string" }, "line": { "type": "integer" }, "quote": { "type": "string" } } });
    let finding = json!({ "type": "object", "additionalProperties": false, "required": ["text", "criteria", "evidence"],
        "properties": { "text": { "type": "string" },
            "criteria": { "type": "array", "items": { "type": "integer" } },
            "evidence": { "type": "array", "items": place } } });
    let schema = json!({ "type": "object", "additionalProperties": false, "required": ["summary", "satisfied", "gaps", "notes"],
        "properties": { "summary": { "type": "string" },
            "satisfied": { "type": "array", "items": finding }, "gaps": { "type": "array", "items": finding },
            "notes": { "type": "array", "items": { "type": "string" } } } });
    let question = format!(
        "{}{}\nCompare the requirement with the repository. `satisfied`: what is met already. `gaps`: what is missing, and where \
         it belongs. Name the numbers of the acceptance criteria. As evidence give places that you see above: the path, the number \
         of the line and some words of that line exactly as they stand there.",
        asker.data("requirement", &requirement.for_model()),
        asker.data("repository", context),
    );
    let document = asker.document("inspection", schema, question, Ok, || Value::Null).await?;
    Ok(read(&document, requirement.acceptance_criteria.len(), check))
}

pub(super) fn read(document: &Value, criteria: usize, check: QuoteCheck<'_>) -> Inspection {
    let findings = |field: &str| -> Vec<Gap> {
        let items = document.get(field).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        items.iter().map(|item| finding(item, criteria, check)).filter(|gap| !gap.text.is_empty()).collect()
    };
    let mut inspection = Inspection {
        summary: text(document, "summary"),
        satisfied: findings("satisfied"),
        gaps: findings("gaps"),
        notes: texts(document, "notes", 20),
    };
    let (proved, unproved): (Vec<Gap>, Vec<Gap>) =
        inspection.satisfied.into_iter().partition(|finding| !finding.evidence.is_empty());
    inspection.satisfied = proved;
    for finding in unproved {
        inspection.notes.push(format!("said to be there, but no place proves it: {}", finding.text));
        inspection.gaps.push(Gap { text: format!("Make sure that this holds: {}", finding.text), ..finding });
    }
    for gap in inspection.gaps.iter().filter(|gap| gap.evidence.is_empty()) {
        inspection.notes.push(format!("said to be missing, without a place that shows it: {}", gap.text));
    }
    // What nobody spoke of is missing.
    let spoken: Vec<usize> = inspection
        .satisfied
        .iter()
        .chain(&inspection.gaps)
        .flat_map(|finding| finding.criteria.clone())
        .collect();
    for number in (1..=criteria).filter(|number| !spoken.contains(number)) {
        inspection.notes.push(format!("the inspection says nothing about criterion {number}"));
        inspection.gaps.push(Gap {
            text: format!("Criterion {number} is not known to be met"),
            criteria: vec![number],
            evidence: Vec::new(),
        });
    }
    inspection
}

fn finding(item: &Value, criteria: usize, check: QuoteCheck<'_>) -> Gap {
    let numbers = item.get("criteria").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let numbers = numbers.iter().filter_map(Value::as_u64).filter_map(|number| usize::try_from(number).ok());
    let places = item.get("evidence").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let place = |place: &Value| {
        let (path, quote) = (text(place, "path"), text(place, "quote"));
        let line = place.get("line").and_then(Value::as_u64)?;
        (!quote.is_empty() && check(&path, line, &quote)).then(|| format!("{path}:{line} `{quote}`"))
    };
    Gap {
        text: text(item, "text"),
        criteria: numbers.filter(|number| (1..=criteria).contains(number)).collect(),
        evidence: places.iter().filter_map(place).collect(),
    }
}
