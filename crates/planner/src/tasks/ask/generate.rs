//! Tasks from a model.

use luminos_models::Model;
use serde_json::{Value, json};

use super::{Asker, Inspection, NoAnswer, text, texts};
use crate::tasks::requirement::Requirement;
use crate::tasks::roles::infer_role;
use crate::tasks::task::{Dep, Draft, Origin, Risk};

/// No plan has more tasks than this.
const MOST_TASKS: usize = 60;

const RULES: &str = "\
Make tasks for the gaps, and only for them; no gaps, no tasks. Each task:
- is 30 to 90 minutes of work for one person, has one outcome, and can be verified by running commands;
- has a title that starts with a verb and names the thing, and a goal that says what is true afterwards: no \"improve\", \"handle\", \"etc.\";
- names in `files` the files it will change or create, in the layout that the repository has, inside the allowed paths;
- has `specs` that say what exactly is wanted: names, values, edge cases, and what must not change;
- has `commands` that verify it, each one program with arguments, without shell operators, without servers or watchers; none if you do not know one for sure;
- has the role worker (implements, with the unit tests of what it changes), tester (writes tests only) or docser (documents only);
- waits in `dependsOn` only for tasks whose result it builds on, by their index from 0;
- names in `criteria` the numbers of the acceptance criteria it serves. Every criterion with a gap has at least one task.
What cannot be done within the allowed paths becomes a warning. Do not repeat open tasks.";

/// Asks for the tasks of a plan. What else the model has to say comes back as warnings.
pub(crate) async fn generate<M: Model>(
    asker: &mut Asker<'_, M>,
    requirement: &Requirement,
    inspection: Option<&Inspection>,
    context: &str,
    backlog: &str,
) -> Result<(Vec<Draft>, Vec<String>), NoAnswer> {
    let strings = json!({ "type": "array", "items": { "type": "string" } });
    let integers = json!({ "type": "array", "items": { "type": "integer" } });
    let schema = json!({ "type": "object", "additionalProperties": false, "required": ["tasks", "warnings"], "properties": {
        "tasks": { "type": "array", "items": { "type": "object", "additionalProperties": false,
            "required": ["title", "goal", "files", "specs", "allowedPaths", "commands", "role", "riskLevel", "timeboxMinutes", "dependsOn", "criteria"],
            "properties": {
                "title": { "type": "string" }, "goal": { "type": "string" }, "files": strings, "specs": { "type": "string" },
                "allowedPaths": strings, "commands": strings, "role": { "type": "string" }, "riskLevel": { "type": "string" },
                "timeboxMinutes": { "type": "integer" }, "dependsOn": integers, "criteria": integers } } },
        "warnings": strings } });
    let gaps = inspection
        .map(gaps_for_model)
        .unwrap_or_else(|| "Every acceptance criterion is a gap: the repository is empty.".to_owned());
    let question = format!(
        "{}{}{}{}\n{RULES}",
        asker.data("requirement", &requirement.for_model()),
        asker.data("repository", context),
        asker.data("gaps", &gaps),
        asker.data("open_work", if backlog.is_empty() { "(none)" } else { backlog }),
    );
    let read = |document: Value| {
        let drafts = read(&document);
        let empty: Vec<String> = drafts
            .iter()
            .enumerate()
            .filter(|(_, draft)| draft.title.is_empty() || draft.goal.is_empty())
            .map(|(index, _)| format!("task {index} has no title or no goal"))
            .collect();
        if empty.is_empty() { Ok((drafts, texts(&document, "warnings", 10))) } else { Err(empty) }
    };
    asker.document("tasks", schema, question, read, Default::default).await
}

fn gaps_for_model(inspection: &Inspection) -> String {
    let mut text = format!("{}\n", inspection.summary);
    for (title, findings) in [("Missing", &inspection.gaps), ("There already", &inspection.satisfied)] {
        for finding in findings {
            text.push_str(&format!("{title} (criteria {:?}): {}", finding.criteria, finding.text));
            text.push_str(&format!(" [{}]\n", finding.evidence.join("; ")));
        }
    }
    text
}

pub(super) fn read(document: &Value) -> Vec<Draft> {
    let items = document.get("tasks").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let count = items.len().min(MOST_TASKS);
    items.iter().take(MOST_TASKS).enumerate().map(|(index, item)| draft(item, index, count)).collect()
}

fn draft(item: &Value, index: usize, count: usize) -> Draft {
    let mut draft = Draft::new(text(item, "title"), text(item, "goal"), Origin::Model);
    draft.context.files = texts(item, "files", 20);
    draft.context.specs = text(item, "specs");
    draft.allowed_paths = texts(item, "allowedPaths", 30);
    draft.commands = texts(item, "commands", 20);
    draft.priority = i64::try_from((count - index) * 10).unwrap_or(0);
    let numbers = |field: &str| -> Vec<i64> {
        let items = item.get(field).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        items.iter().filter_map(Value::as_i64).collect()
    };
    draft.context.criteria =
        numbers("criteria").into_iter().filter_map(|number| usize::try_from(number).ok()).collect();
    for number in numbers("dependsOn") {
        match usize::try_from(number) {
            Ok(on) => draft.depends_on.push(Dep::done(on)),
            Err(_) => draft.warnings.push(format!("it cannot wait for task {number}")),
        }
    }
    // Words of a model are checked like anybody's.
    let role = text(item, "role");
    draft.role = role.parse().unwrap_or_else(|why: crate::tasks::NotAWord| {
        if !role.is_empty() {
            draft.warnings.push(format!("{why}; it was inferred"));
        }
        infer_role(&draft)
    });
    let risk = text(item, "riskLevel");
    draft.risk_level = risk.parse().unwrap_or_else(|why: crate::tasks::NotAWord| {
        if !risk.is_empty() {
            draft.warnings.push(format!("{why}; it is taken for medium"));
        }
        Risk::Medium
    });
    let minutes =
        item.get("timeboxMinutes").and_then(Value::as_i64).unwrap_or(i64::from(Draft::USUAL_MINUTES));
    let minutes = u32::try_from(minutes).unwrap_or(Draft::USUAL_MINUTES);
    draft.timebox_minutes = minutes.clamp(Draft::LEAST_MINUTES, Draft::MOST_MINUTES);
    draft
}
