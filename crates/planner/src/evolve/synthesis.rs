//! A plan from words, when a model wrote no document.
//!
//! What it says is kept; that it is not the model's own plan stands in it and beside it.

use luminos_models::Mode;

use super::clip::{clip, clip_line, one_line};
use super::plan::{MOST_STEPS, PlanStep, PlanningPlan, bounds, fewest_steps};
use super::request::PlanningRequest;

/// How many of the base's metrics are taken for the ones that matter.
const FOCUS: usize = 3;

/// The plan that can be made of what a model said.
pub(crate) fn synthesise(text: &str, request: &PlanningRequest, mode: Mode) -> PlanningPlan {
    let wish = &request.wish;
    let text = text.trim();
    let source = if text.is_empty() { wish.goal.as_str() } else { text };
    let validation = if wish.acceptance_criteria.is_empty() {
        vec!["Run the project's tests and compare the metrics with those of the base.".to_owned()]
    } else {
        wish.acceptance_criteria.clone()
    };
    let items = numbered(text);
    let actions =
        if (fewest_steps()..=MOST_STEPS).contains(&items.len()) { items } else { vec![source.to_owned()] };
    let is_single = actions.len() == 1;
    let step = |(at, action): (usize, String)| PlanStep {
        step_id: format!("synthesised-{}", at + 1),
        title: if is_single {
            "Carry out what the model said".to_owned()
        } else {
            clip_line(&action, bounds::TITLE)
        },
        intent: wish.goal.clone(),
        actions: pieces(&action),
        dependencies: if at == 0 { Vec::new() } else { vec![format!("synthesised-{at}")] },
        validation: validation.clone(),
        ..PlanStep::default()
    };
    let asked = match mode {
        Mode::None => "No document was asked for",
        Mode::Strict | Mode::Lenient => "The model gave no usable document",
    };
    PlanningPlan {
        summary: clip_line(source, bounds::SUMMARY),
        rationale: format!("{asked}: this plan was put together from what the model said."),
        focus_metrics: request
            .base
            .card
            .metrics
            .iter()
            .take(FOCUS)
            .map(|metric| metric.name.clone())
            .collect(),
        guardrails: wish.constraints.clone(),
        risks: Vec::new(),
        steps: actions.into_iter().enumerate().map(step).collect(),
        validation: validation.clone(),
        handoff_notes: vec![format!("{asked}: steps, files and order were not checked by anybody.")],
        fallback_plan: (!text.is_empty()).then(|| clip(text, bounds::FALLBACK)),
    }
    .bounded()
}

/// The items of a numbered list, each with what follows it up to the next.
fn numbered(text: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = line.trim();
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let rest = line.get(digits..).unwrap_or_default();
        let item =
            rest.strip_prefix(['.', ')']).filter(|rest| (1..=2).contains(&digits) && rest.starts_with(' '));
        match (item, items.last_mut()) {
            (Some(item), _) => items.push(item.trim().to_owned()),
            (None, Some(last)) if !line.is_empty() => {
                last.push(' ');
                last.push_str(line);
            }
            (None, _) => {}
        }
    }
    items
}

/// A long text in as many actions as may be, cut between words.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for word in one_line(text).split(' ') {
        match pieces.last_mut() {
            Some(last) if last.chars().count() + 1 + word.chars().count() <= bounds::ITEM => {
                last.push(' ');
                last.push_str(word);
            }
            Some(_) | None => pieces.push(word.to_owned()),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::evolve::fixture;
    use crate::evolve::plan::{Known, problems};

    #[test]
    fn a_numbered_list_becomes_steps() {
        let text = "I would do this:\n1. Measure.\n2) Change `a`\n   and b.\n\n3. Compare.\n";
        let plan = synthesise(text, &fixture::request(), Mode::None);
        let actions: Vec<&str> = plan.steps.iter().map(|step| step.actions[0].as_str()).collect();
        assert_eq!(actions, ["Measure.", "Change `a` and b.", "Compare."]);
        assert_eq!(plan.steps[2].dependencies, ["synthesised-2"]);
        assert_eq!(plan.focus_metrics, ["speed", "errors"]);
        assert_eq!(plan.validation, ["speed is at least 15"]);
        assert!(plan.handoff_notes[0].starts_with("No document was asked for"));
    }

    #[test]
    fn words_alone_are_one_step() {
        let plan = synthesise("", &fixture::request(), Mode::Lenient);
        assert_eq!((plan.steps.len(), plan.fallback_plan.clone()), (1, None));
        assert_eq!(plan.summary, "Make parsing of keywords faster");
        let plan = synthesise(
            &(0..2000).map(|at| format!("word{at} ")).collect::<String>(),
            &fixture::request(),
            Mode::Lenient,
        );
        assert_eq!((plan.steps.len(), plan.steps[0].actions.len()), (1, 12));
    }

    proptest! {
        #[test]
        fn whatever_a_model_says_becomes_a_plan_within_bounds(text in "(?s).{0,400}") {
            let plan = synthesise(&text, &fixture::request(), Mode::Lenient);
            prop_assert!(!plan.steps.is_empty() && plan.steps.len() <= MOST_STEPS);
            prop_assert_eq!(problems(&plan, &Known::default()), Vec::<String>::new());
            prop_assert!(plan.summary.chars().count() <= bounds::SUMMARY);
            prop_assert_eq!(plan.clone().bounded(), plan);
        }
    }
}
