//! The plan once more, with what was learned so far.

use luminos_core::Fence;
use luminos_core::plan::{Move, Revision, Tier, Turns};
use luminos_core::survey::Survey;
use luminos_tools::{self as submission, Limits, Scope, Session, Submission};

use luminos_core::whole::{DirSoFar, DirState, Whole};

use super::{Pass, fence_of, hold};
use crate::prompt::dir::survey_block;
use crate::prompt::{REVISE, REVISE_TASK, fenced};
use luminos_core::end::EndReason;
use luminos_core::services::Answers;

/// Turns of a revision.
const TURNS: u32 = 2;
/// Directories of each kind that are shown.
const SHOWN: usize = 600;

/// Asks a model to revise the plan in the middle of the investigation.
pub fn revise(
    whole: &Whole<'_>,
    survey: Option<&Survey>,
    so_far: &[DirSoFar],
    answers: &impl Answers,
) -> Result<Revision, EndReason> {
    let fence = fence_of(whole);
    let survey = survey.map(|survey| survey_block(survey, &fence)).unwrap_or_default();
    let done = so_far.iter().filter(|dir| matches!(dir.state, DirState::Done { .. })).count();
    let task = REVISE_TASK.fill(&[
        ("turns", &TURNS.to_string()),
        ("done", &done.to_string()),
        ("all", &so_far.len().to_string()),
        ("survey", survey.trim_start()),
        ("results", &results(so_far, &fence)),
        ("waiting", &waiting(so_far, &fence)),
    ]);
    let mut session = Session::new(Scope::Revise, fence.clone(), Limits::default());
    let pass = Pass {
        words: REVISE,
        task,
        submit: "revise_plan",
        turns: TURNS,
        context_budget: whole.context_budget,
    };
    let Submission::Revision(revision) = hold(pass, &mut session, &fence, answers).submission? else {
        return Err(EndReason::OutOfTurns);
    };
    Ok(core_revision(revision))
}

fn core_revision(revision: submission::Revision) -> Revision {
    let moved = |moved: submission::Move| {
        let tier = match moved.tier {
            submission::Tier::Priority => Tier::Priority,
            submission::Tier::Default => Tier::Default,
            submission::Tier::Shallow => Tier::Shallow,
            submission::Tier::Skip => Tier::Skip,
        };
        let turns = (tier == Tier::Priority).then(|| Turns::suggested(moved.suggested_turns.number()));
        Move { path: moved.path, tier, turns, reason: moved.reason }
    };
    Revision { moves: revision.moves.into_iter().map(moved).collect(), reason: revision.notes }
}

fn results(so_far: &[DirSoFar], fence: &Fence) -> String {
    let lines = so_far.iter().filter_map(|dir| {
        let DirState::Done { used, borrowed, coverage, completeness, partial } = &dir.state else {
            return None;
        };
        let mut line = format!(
            "{}: {}, {} of {} turns, {coverage} looked at",
            dir.path.to_word(),
            dir.tier.word(),
            used.0,
            dir.allocated.0
        );
        if 0 < borrowed.0 {
            line.push_str(&format!(", {} borrowed", borrowed.0));
        }
        if let Some(completeness) = completeness {
            line.push_str(&format!(", says {completeness} complete"));
        }
        if *partial {
            line.push_str(", ended early");
        }
        Some(line)
    });
    let lines: Vec<String> = lines.take(SHOWN).collect();
    format!("What became of the directories that are done:\n{}", fenced(&lines.join("\n"), "results", fence))
}

fn waiting(so_far: &[DirSoFar], fence: &Fence) -> String {
    let lines = so_far.iter().filter(|dir| dir.state == DirState::Waiting);
    let lines =
        lines.map(|dir| format!("{}: {}, {} turns", dir.path.to_word(), dir.tier.word(), dir.allocated.0));
    let lines: Vec<String> = lines.take(SHOWN).collect();
    format!("Those that have not started:\n{}", fenced(&lines.join("\n"), "waiting", fence))
}
