//! A plan, as people and programs see it.

use luminos_core::Exit;
use luminos_engine::tasks::TaskId;
use serde_json::{Value, json};

use super::{Desk, Made, PlanArgs};
use crate::commands::tasks::{inert, work};
use crate::printer::{Stop, counted};
use crate::session::Session;

/// Prints a plan; what it says of itself goes beside it.
pub(super) fn print(
    args: &PlanArgs,
    desk: &Desk,
    made: &Made,
    ids: Option<&[TaskId]>,
    session: &mut Session<'_>,
) -> Result<Exit, Stop> {
    let planned = &made.planned;
    let exit = if planned.degraded.is_empty() { Exit::Done } else { Exit::Partial };
    if args.json {
        let document = json!({ "repo": desk.name, "signature": desk.signature, "saved": ids.is_some(), "taskIds": ids,
            "requirement": planned.requirement, "summary": summary(made), "tasks": planned.refined.tasks });
        session.printer.print_json(&document)?;
        return Ok(exit);
    }
    for (index, draft) in planned.refined.tasks.iter().enumerate() {
        let id = ids.and_then(|ids| ids.get(index));
        let name = id.map_or_else(|| format!("{}", index + 1), |id| id.short().to_owned());
        let before: Vec<String> = draft
            .depends_on
            .iter()
            .map(|dep| {
                ids.and_then(|ids| ids.get(dep.on))
                    .map_or_else(|| format!("{}", dep.on + 1), |id| id.short().to_owned())
            })
            .chain(draft.waits_for.iter().map(|edge| edge.task.short().to_owned()))
            .collect();
        session.printer.print(work::draft_text(&name, draft, &before))?;
        session.printer.print("\n")?;
    }
    let tasks = counted(planned.refined.tasks.len(), "task");
    let saved = if ids.is_some() { "saved" } else { "not saved (--dry-run)" };
    session.printer.print(format_args!(
        "{tasks}, about {} minutes, {saved}\n",
        planned.refined.total_estimated_minutes
    ))?;
    for reason in &planned.degraded {
        session.printer.warn(format_args!("degraded: {}", inert(reason)));
    }
    for warning in &planned.refined.warnings {
        session.printer.warn(inert(warning));
    }
    if 0 < planned.calls {
        let usage = planned.usage;
        session.printer.note(format_args!(
            "{}, {} tokens in, {} out, {}",
            counted(planned.calls as usize, "call"),
            usage.prompt().0,
            usage.output.0,
            made.cost.map_or("price unknown".to_owned(), |cost| cost.to_string())
        ));
    }
    Ok(exit)
}

/// What a plan comes to.
pub(super) fn summary(made: &Made) -> Value {
    let planned = &made.planned;
    json!({
        "totalTasks": planned.refined.tasks.len(),
        "totalEstimatedMinutes": planned.refined.total_estimated_minutes,
        "warnings": planned.refined.warnings,
        "degraded": planned.degraded,
        "calls": planned.calls,
        "inputTokens": planned.usage.prompt().0,
        "outputTokens": planned.usage.output.0,
        "costDollars": made.cost.map(|cost| cost.to_string().replace('$', "")),
    })
}
