//! What nobody wrote into a requirement.

use luminos_models::Model;
use serde_json::{Value, json};

use super::{Asker, NoAnswer, text, texts};
use crate::tasks::requirement::{Parsed, Part, Requirement, RiskItem};
use crate::tasks::task::Risk;

/// Fills in what a requirement does not say; what it says is left alone. Gives the parts that were filled in.
pub(crate) async fn complete<M: Model>(
    asker: &mut Asker<'_, M>,
    parsed: &mut Parsed,
    context: &str,
) -> Result<Vec<Part>, NoAnswer> {
    let wanted: Vec<&str> = parsed.missing.iter().map(|part| part.word()).collect();
    let list = |what: &str| json!({ "type": "array", "items": { "type": "string" }, "description": what });
    let schema = json!({
        "type": "object", "additionalProperties": false, "required": [],
        "properties": {
            "background": { "type": "string" },
            "constraints": list("What must hold on the way."),
            "acceptanceCriteria": list("What is true when it is done, each checkable by itself."),
            "inScope": list("What belongs to it."), "outOfScope": list("What does not."),
            "allowedPaths": list("Globs for the files that may change, as narrow as is safe."),
            "risks": { "type": "array", "items": { "type": "object", "additionalProperties": false,
                "required": ["risk", "impact", "mitigation"], "properties": {
                    "risk": { "type": "string" }, "impact": { "enum": ["low", "medium", "high"] }, "mitigation": { "type": "string" } } } },
            "notes": { "type": "string" },
        },
    });
    let question = format!(
        "{}{}\nThe requirement says nothing about: {}. Fill in these parts only, from what the requirement and the repository \
         say; leave out what would be a guess.",
        asker.data("requirement", &parsed.requirement.raw_for_model()),
        asker.data("repository", context),
        wanted.join(", ")
    );
    let document = asker.document("completed_requirement", schema, question, Ok, || Value::Null).await?;
    let filled = fill(parsed, &document);
    parsed.requirement.filled.clone_from(&filled);
    Ok(filled)
}

/// Takes what is missing from a document, where that can be used.
pub(super) fn fill(parsed: &mut Parsed, document: &Value) -> Vec<Part> {
    let mut filled = Vec::new();
    for part in parsed.missing.clone() {
        let requirement = &mut parsed.requirement;
        let is_filled = match part {
            Part::Goal => false,
            Part::Background => set(&mut requirement.background, text(document, "background")),
            Part::Notes => set(&mut requirement.notes, text(document, "notes")),
            Part::Constraints => set_list(&mut requirement.constraints, texts(document, "constraints", 20)),
            Part::AcceptanceCriteria => {
                set_list(&mut requirement.acceptance_criteria, texts(document, "acceptanceCriteria", 20))
            }
            Part::Scope => {
                let inside = set_list(&mut requirement.in_scope, texts(document, "inScope", 20));
                set_list(&mut requirement.out_of_scope, texts(document, "outOfScope", 20)) || inside
            }
            Part::AllowedPaths => {
                let paths = texts(document, "allowedPaths", 30);
                let paths = paths.iter().filter_map(|path| crate::tasks::glob::plain_entry(path).ok());
                let paths: Vec<String> = paths.collect();
                let names_some = paths.iter().any(|path| crate::tasks::glob::denied(path).is_none());
                let paths = if names_some { paths } else { Vec::new() };
                set_list(&mut requirement.allowed_paths, paths)
            }
            Part::RiskAssessment => set_list(&mut requirement.risks, risks(document)),
        };
        if is_filled {
            filled.push(part);
        }
    }
    filled
}

fn set(place: &mut String, value: String) -> bool {
    let is_there = !value.is_empty();
    if is_there {
        *place = value;
    }
    is_there
}

fn set_list<T>(place: &mut Vec<T>, value: Vec<T>) -> bool {
    let is_there = !value.is_empty();
    if is_there {
        *place = value;
    }
    is_there
}

fn risks(document: &Value) -> Vec<RiskItem> {
    let items = document.get("risks").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let read = |item: &Value| {
        let (risk, mitigation) = (text(item, "risk"), text(item, "mitigation"));
        let impact = text(item, "impact").parse().unwrap_or(Risk::Medium);
        (!risk.is_empty()).then_some(RiskItem { risk, impact, mitigation })
    };
    items.iter().filter_map(read).take(20).collect()
}

/// A requirement in a prompt has at most so many characters as it was written, and as many as it was read.
pub(in crate::tasks) const MOST_CHARS: usize = 40_000;

impl Requirement {
    /// What a model is told of it: all of it as it was written, and how it was understood.
    pub(super) fn for_model(&self) -> String {
        let mut text = format!("As it was written:\n\n{}\n", self.raw_for_model());
        let paths: Vec<String> = self.allowed_paths.iter().map(|path| format!("- {path}\n")).collect();
        text.push_str(&format!(
            "\nAllowed paths (entries with `!` are taken out; no task may change anything else):\n{}",
            paths.concat()
        ));
        text.push_str("\nAcceptance criteria by number:\n");
        for (index, criterion) in self.acceptance_criteria.iter().enumerate() {
            text.push_str(&format!("{}. {criterion}\n", index + 1));
        }
        if !self.filled.is_empty() {
            let parts: Vec<&str> = self.filled.iter().map(|part| part.word()).collect();
            text.push_str(&format!(
                "\nWith what it did not say filled in ({}):\n\n{}\n",
                parts.join(", "),
                cut(&self.to_markdown())
            ));
        }
        text
    }

    /// All of it as it was written, up to a limit.
    pub(super) fn raw_for_model(&self) -> String {
        cut(&self.raw)
    }

    /// Words for what of it no model sees, if it is too long.
    pub(in crate::tasks) fn told_in_part(&self) -> Option<String> {
        let count = self.raw.chars().count();
        (MOST_CHARS < count).then(|| {
            format!(
                "the requirement has {count} characters; the model was told the first {MOST_CHARS} of them, and every acceptance criterion and allowed path"
            )
        })
    }
}

/// A text up to the limit; where it is cut, it says so.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARS) {
        Some((end, _)) => {
            let left = text[end..].chars().count();
            format!("{}\n[cut here: {left} more characters follow]", text[..end].trim_end())
        }
        None => text.trim_end().to_owned(),
    }
}
