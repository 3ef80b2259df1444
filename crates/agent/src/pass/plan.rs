//! Who gets how many turns.

use luminos_core::plan::{NamedDir, Order, Plan, PriorityDir, Turns};
use luminos_core::survey::Survey;
use luminos_core::{Fence, RelPath};
use luminos_tools::{self as submission, Limits, Scope, Session, Submission};

use luminos_core::whole::Whole;

use super::{Pass, fence_of, hold};
use crate::prompt::dir::survey_block;
use crate::prompt::{PLAN, PLAN_TASK, cut, fenced, overview};
use luminos_core::end::EndReason;
use luminos_core::services::Answers;

/// Turns of the planner.
const TURNS: u32 = 3;
/// Levels of the tree that it sees, and nodes at most.
const DEPTH: u32 = 6;
const NODES: usize = 2_500;
/// Names of directories that need nothing any more.
const CACHED: usize = 500;
/// Bytes of what earlier runs learned.
const LEARNED: usize = 8 * 1024;

/// Asks a model for a plan. `cached` are directories whose entries are still good, `learned` is what earlier runs tell
/// about how many turns such directories need.
pub fn plan(
    whole: &Whole<'_>,
    survey: Option<&Survey>,
    cached: &[RelPath],
    learned: &str,
    answers: &impl Answers,
) -> Result<Plan, EndReason> {
    let fence = fence_of(whole);
    let survey = survey.map(|survey| survey_block(survey, &fence)).unwrap_or_default();
    let task = PLAN_TASK.fill(&[
        ("turns", &TURNS.to_string()),
        ("survey", survey.trim_start()),
        ("signals", &overview::signals(whole.scan, &fence)),
        ("tree", &overview::tree(whole.scan, DEPTH, NODES, &fence)),
        ("cached", &cached_block(cached, &fence)),
        ("learned", &learned_block(learned, &fence)),
    ]);
    let mut session = Session::new(Scope::Plan, fence.clone(), Limits::default());
    let pass =
        Pass { words: PLAN, task, submit: "submit_plan", turns: TURNS, context_budget: whole.context_budget };
    let Submission::Plan(plan) = hold(pass, &mut session, &fence, answers).submission? else {
        return Err(EndReason::OutOfTurns);
    };
    Ok(core_plan(plan))
}

fn core_plan(plan: submission::Plan) -> Plan {
    let named = |dirs: Vec<submission::Unhurried>| -> Vec<NamedDir> {
        dirs.into_iter().map(|dir| NamedDir { path: dir.path, reason: dir.reason }).collect()
    };
    let priority = |dir: submission::Priority| PriorityDir {
        path: dir.path,
        reason: dir.reason,
        suggested_turns: Turns::suggested(dir.suggested_turns.number()),
    };
    Plan {
        priority_dirs: plan.priority_dirs.into_iter().map(priority).collect(),
        shallow_dirs: named(plan.shallow_dirs),
        skip_dirs: named(plan.skip_dirs),
        investigation_order: match plan.investigation_order {
            submission::Order::LeafFirst => Order::LeafFirst,
            submission::Order::PriorityFirst => Order::PriorityFirst,
        },
        notes: plan.notes,
    }
}

fn cached_block(cached: &[RelPath], fence: &Fence) -> String {
    if cached.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = cached.iter().take(CACHED).map(RelPath::to_word).collect();
    let more = cached.len().saturating_sub(CACHED);
    let more = if more == 0 { String::new() } else { format!(" ({more} more are not shown)") };
    format!(
        "\nThese have not changed since they were investigated and cost nothing{more}:\n{}\n",
        fenced(&lines.join("\n"), "known directories", fence)
    )
}

fn learned_block(learned: &str, fence: &Fence) -> String {
    match learned {
        "" => String::new(),
        learned => {
            let learned = fenced(&cut(learned, LEARNED), "earlier runs", fence);
            format!("\nWhat earlier investigations used:\n{learned}\n")
        }
    }
}
