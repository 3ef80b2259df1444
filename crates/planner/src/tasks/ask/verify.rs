//! Verification commands from a model: one question for all tasks that have none.

use luminos_models::Model;
use serde_json::{Value, json};

use super::{Asker, NoAnswer};
use crate::tasks::repo::RepoFacts;
use crate::tasks::requirement::Requirement;
use crate::tasks::task::Draft;

/// Asks for the commands of some tasks, by index; the answer has a list for every task of the plan.
pub(crate) async fn propose<M: Model>(
    asker: &mut Asker<'_, M>,
    requirement: &Requirement,
    drafts: &[Draft],
    wanted: &[usize],
    facts: &RepoFacts,
) -> Result<Vec<Vec<String>>, NoAnswer> {
    let mut manifests = String::new();
    for (path, text) in facts.manifests.iter().filter(|(path, _)| !path.ends_with("README.md")).take(12) {
        manifests.push_str(&format!("--- {path}\n{}\n", crate::tasks::clipped(text, 2500)));
    }
    let mut tasks = String::new();
    for &index in wanted {
        let Some(draft) = drafts.get(index) else { continue };
        tasks.push_str(&format!(
            "{index}. {} ({}): {} [{}]\n",
            draft.title,
            draft.role,
            draft.goal,
            draft.context.files.join(", ")
        ));
    }
    let schema = json!({ "type": "object", "additionalProperties": false, "required": ["tasks"], "properties": {
        "tasks": { "type": "array", "items": { "type": "object", "additionalProperties": false, "required": ["index", "commands"],
            "properties": { "index": { "type": "integer" }, "commands": { "type": "array", "items": { "type": "string" } } } } } } });
    let question = format!(
        "{}{}{}\nFor each task give the commands that show that it is done, the narrowest first: programs that the manifests above \
         provide, each one program with arguments, no shell operators, no servers, no watchers. An empty list if you do not know.",
        asker.data("requirement", &requirement.for_model()),
        asker.data("manifests", &manifests),
        asker.data("tasks", &tasks),
    );
    let document = asker.document("verification", schema, question, Ok, || Value::Null).await?;
    let mut commands = vec![Vec::new(); drafts.len()];
    for item in document.get("tasks").and_then(Value::as_array).into_iter().flatten() {
        let index = item.get("index").and_then(Value::as_u64).and_then(|index| usize::try_from(index).ok());
        if let Some(place) =
            index.filter(|index| wanted.contains(index)).and_then(|index| commands.get_mut(index))
        {
            *place = super::texts(item, "commands", 10);
        }
    }
    Ok(commands)
}
