//! A first look at the whole.

use luminos_core::entry::Share;
use luminos_core::survey::Survey;
use luminos_tools::{Limits, Scope, Session, Submission};

use luminos_core::whole::Whole;

use super::{Pass, fence_of, hold};
use crate::prompt::{SURVEY, SURVEY_TASK, fenced, overview};
use luminos_core::end::EndReason;
use luminos_core::services::Answers;

/// Turns of the survey.
const TURNS: u32 = 3;
/// Levels of the tree that it sees, and nodes at most.
const DEPTH: u32 = 2;
const NODES: usize = 400;

/// Asks a model what the target seems to be. `tools` are the names of what directories' loops can call.
pub fn survey(whole: &Whole<'_>, tools: &[&str], answers: &impl Answers) -> Result<Survey, EndReason> {
    let fence = fence_of(whole);
    let signals = overview::signals(whole.scan, &fence);
    let signals = format!("{}\n\n{signals}", fenced(&format!("target: {}", whole.name), "name", &fence));
    let task = SURVEY_TASK.fill(&[
        ("turns", &TURNS.to_string()),
        ("signals", &signals),
        ("tree", &overview::tree(whole.scan, DEPTH, NODES, &fence)),
        ("tools", &tools.join(", ")),
    ]);
    let mut session = Session::new(Scope::Survey, fence.clone(), Limits::default());
    let pass = Pass {
        words: SURVEY,
        task,
        submit: "submit_survey",
        turns: TURNS,
        context_budget: whole.context_budget,
    };
    let Submission::Survey(survey) = hold(pass, &mut session, &fence, answers).submission? else {
        return Err(EndReason::OutOfTurns);
    };
    Ok(Survey {
        description: survey.description,
        approach: survey.approach,
        relevant_tools: survey.relevant_tools,
        skip_tools: survey.skip_tools,
        domain_notes: survey.domain_notes,
        confidence: survey.confidence.number().and_then(Share::new).unwrap_or(Share::NONE),
    })
}
