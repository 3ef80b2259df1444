//! What a schema cannot say about a plan.

use std::collections::{BTreeMap, BTreeSet};

use super::PlanningPlan;
use crate::evolve::clip::clip_line;

/// What is known where a plan is for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known {
    /// The names of all metrics of base and inspirations.
    pub metrics: Vec<String>,
}

/// How long a name is shown.
const SHOWN: usize = 80;

/// What is wrong with a plan, in words that a model can use.
pub(crate) fn problems(plan: &PlanningPlan, known: &Known) -> Vec<String> {
    let mut problems = Vec::new();
    let mut ids = BTreeSet::new();
    for step in &plan.steps {
        if !ids.insert(step.step_id.as_str()) {
            problems.push(format!("two steps have the id `{}`", shown(&step.step_id)));
        }
    }
    for step in &plan.steps {
        for dependency in &step.dependencies {
            let (step, named) = (shown(&step.step_id), shown(dependency));
            if !ids.contains(dependency.as_str()) {
                let all: Vec<String> = ids.iter().map(|id| shown(id)).collect();
                problems.push(format!(
                    "step `{step}` depends on `{named}`, which is no step; the steps are: {}",
                    all.join(", ")
                ));
            }
        }
        for file in &step.files {
            if let Some(why) = outside(file) {
                let (step, file) = (shown(&step.step_id), shown(file));
                problems.push(format!(
                    "the file `{file}` of step `{step}` {why}; name files relative to the repository"
                ));
            }
        }
    }
    if let Some(circle) = circle(plan) {
        let ids: Vec<String> = circle.iter().map(|id| shown(id)).collect();
        problems.push(format!("steps depend on one another in a circle: {}", ids.join(" → ")));
    }
    if !known.metrics.is_empty() {
        for metric in plan.focus_metrics.iter().filter(|metric| !known.metrics.contains(metric)) {
            problems.push(format!(
                "the focus metric `{}` is not known; the known ones are: {}",
                shown(metric),
                known.metrics.join(", ")
            ));
        }
    }
    problems
}

fn shown(text: &str) -> String {
    clip_line(text, SHOWN)
}

/// Why a path leads out of the repository, or into git's own files.
fn outside(path: &str) -> Option<&'static str> {
    let is_drive = path.as_bytes().get(1) == Some(&b':')
        && path.as_bytes().get(2).is_some_and(|byte| b"/\\".contains(byte));
    if path.starts_with(['/', '\\', '~']) || is_drive {
        return Some("is not inside the repository");
    }
    let mut parts = path.split(['/', '\\']);
    if parts.any(|part| part == "..") {
        return Some("leads out of the repository");
    }
    if path.split(['/', '\\']).any(|part| part.eq_ignore_ascii_case(".git")) {
        return Some("is git's own");
    }
    None
}

/// Steps that depend on one another in a circle, the first one also at the end.
fn circle(plan: &PlanningPlan) -> Option<Vec<&str>> {
    let after: BTreeMap<&str, &[String]> =
        plan.steps.iter().map(|step| (step.step_id.as_str(), step.dependencies.as_slice())).collect();
    // Steps that nothing in a circle can reach are taken away until none is left.
    let mut left: BTreeSet<&str> = after.keys().copied().collect();
    loop {
        let waits = |id: &&str| after[id].iter().any(|dependency| left.contains(dependency.as_str()));
        let kept: BTreeSet<&str> = left.iter().copied().filter(waits).collect();
        if kept.len() == left.len() {
            break;
        }
        left = kept;
    }
    let mut path = vec![*left.first()?];
    loop {
        let next =
            after[path.last()?].iter().find_map(|dependency| left.get(dependency.as_str()).copied())?;
        if let Some(at) = path.iter().position(|&id| id == next) {
            path.drain(..at);
            path.push(next);
            return Some(path);
        }
        path.push(next);
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::evolve::plan::PlanStep;

    fn plan(steps: &[(&str, &[&str])]) -> PlanningPlan {
        let step = |(id, after): &(&str, &[&str])| PlanStep {
            step_id: (*id).to_owned(),
            dependencies: after.iter().map(|&id| id.to_owned()).collect(),
            ..PlanStep::default()
        };
        PlanningPlan { steps: steps.iter().map(step).collect(), ..PlanningPlan::default() }
    }

    #[track_caller]
    fn check(steps: &[(&str, &[&str])], expected: &[&str]) {
        assert_eq!(problems(&plan(steps), &Known::default()), expected);
    }

    #[test]
    fn steps_form_a_graph_without_circles() {
        check(&[("a", &[]), ("b", &["a"]), ("c", &["b", "a"])], &[]);
        check(&[("a", &["b"]), ("b", &[])], &[]);
        check(&[("a", &[]), ("a", &[])], &["two steps have the id `a`"]);
        check(&[("a", &["x"])], &["step `a` depends on `x`, which is no step; the steps are: a"]);
        check(&[("a", &["a"])], &["steps depend on one another in a circle: a → a"]);
        check(
            &[("a", &[]), ("b", &["a", "d"]), ("c", &["b"]), ("d", &["c"]), ("e", &["d"])],
            &["steps depend on one another in a circle: b → d → c → b"],
        );
    }

    #[test]
    fn files_lie_inside_the_repository() {
        let mut with_files = plan(&[("a", &[])]);
        for inside in ["src/a.rs", "a", "..a/b", "a/..b", ".github/x", "C:"] {
            with_files.steps[0].files = vec![inside.to_owned()];
            assert_eq!(problems(&with_files, &Known::default()), Vec::<String>::new(), "{inside}");
        }
        for outside in [
            "/etc/passwd",
            "../x",
            "a/../../x",
            "~/x",
            "C:\\x",
            "\\\\host\\x",
            ".git/config",
            "a/.GIT/hooks/x",
        ] {
            with_files.steps[0].files = vec![outside.to_owned()];
            assert_eq!(problems(&with_files, &Known::default()).len(), 1, "{outside}");
        }
    }

    #[test]
    fn focus_metrics_exist_where_any_are_known() {
        let mut plan = plan(&[]);
        plan.focus_metrics = vec!["speed".to_owned(), "sped".to_owned()];
        assert_eq!(problems(&plan, &Known::default()), Vec::<String>::new());
        let known = Known { metrics: vec!["speed".to_owned(), "size".to_owned()] };
        assert_eq!(
            problems(&plan, &known),
            ["the focus metric `sped` is not known; the known ones are: speed, size"]
        );
    }

    proptest! {
        #[test]
        fn steps_that_only_look_back_are_never_a_circle(links in vec(vec(0_usize..6, 0..4), 1..7)) {
            let steps: Vec<PlanStep> = links.iter().enumerate().map(|(at, after)| PlanStep {
                step_id: at.to_string(),
                dependencies: after.iter().filter(|&&other| other < at).map(ToString::to_string).collect(),
                ..PlanStep::default()
            }).collect();
            let plan = PlanningPlan { steps, ..PlanningPlan::default() };
            prop_assert_eq!(problems(&plan, &Known::default()), Vec::<String>::new());
        }

        #[test]
        fn a_circle_that_is_told_is_one(links in vec(vec(0_usize..7, 0..4), 1..7)) {
            let steps: Vec<PlanStep> = links.iter().enumerate().map(|(at, after)| PlanStep {
                step_id: at.to_string(),
                dependencies: after.iter().map(ToString::to_string).collect(),
                ..PlanStep::default()
            }).collect();
            let plan = PlanningPlan { steps, ..PlanningPlan::default() };
            if let Some(circle) = circle(&plan) {
                prop_assert_eq!(circle.first(), circle.last());
                for pair in circle.windows(2) {
                    let step = plan.steps.iter().find(|step| step.step_id == pair[0]).unwrap();
                    prop_assert!(step.dependencies.iter().any(|dependency| dependency == pair[1]));
                }
            }
        }
    }
}
