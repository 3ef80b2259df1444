//! What became of a plan: whether its metrics went where they should, and whether it was followed.
//!
//! Pure: numbers, files and marks of commits in, a score out. **Invariant**: a score lies between 0 and 1, and what cannot
//! be known counts neither for nor against a plan.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::chain::CommitId;
use super::metric::Metric;
use super::plan::{PlanStep, PlanningPlan};

/// How much each part counts, where it is known.
const METRICS: f64 = 0.6;
const STEPS: f64 = 0.25;
const FILES: f64 = 0.15;
/// Relative differences below this are noise of the last digit.
const SAME: f64 = 1e-9;

/// Which way a metric went, seen from what was wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Where it should.
    Better,
    /// Nowhere.
    Same,
    /// Where it should not.
    Worse,
    /// It changed, but nobody said which way is better.
    Changed,
    /// It was not measured on both sides.
    Unknown,
}

/// What became of one focus metric.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct MetricOutcome {
    /// The metric.
    pub name: String,
    /// Which way was wanted: up, if true.
    pub higher_is_better: Option<bool>,
    /// Its value at the base.
    pub before: Option<f64>,
    /// Its value at the result.
    pub after: Option<f64>,
    /// Which way it went.
    pub direction: Direction,
}

/// What became of one step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepOutcome {
    /// The step.
    pub step_id: String,
    /// What became of it.
    pub status: StepStatus,
    /// Planned files that were not touched.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub untouched: Vec<String>,
}

/// Whether a step was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepStatus {
    /// A commit says so, or all of its files were touched.
    Completed,
    /// Some of its files were touched.
    Partial,
    /// None of its files was touched.
    Skipped,
    /// It names no files, and no commit names it.
    Unknown,
}

/// What there is to say about a plan as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// A focus metric got better, none got worse.
    Success,
    /// Some got better, some worse.
    Mixed,
    /// A focus metric got worse, none got better.
    Failure,
    /// Nothing was measured, or nothing moved.
    Inconclusive,
}

impl Verdict {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Success => "worked",
            Self::Mixed => "worked in part",
            Self::Failure => "failed",
            Self::Inconclusive => "showed nothing",
        }
    }
}

/// What is known about the result of a plan.
#[derive(Debug, Clone, Default)]
pub(crate) struct Observed<'a> {
    /// The metrics of the base.
    pub before: &'a [Metric],
    /// The metrics of the result.
    pub after: &'a [Metric],
    /// The files that differ between them.
    pub touched: BTreeSet<String>,
    /// The steps that commits on the way say they took.
    pub marked: BTreeSet<String>,
}

/// What became of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Where the plan began.
    pub base: CommitId,
    /// What came out.
    pub result: CommitId,
    /// What the plan was for.
    pub goal: String,
    /// What it was about.
    pub plan_summary: String,
    /// In a word.
    pub verdict: Verdict,
    /// From 0 to 1; `None` if nothing can be said.
    pub score: Option<f64>,
    /// The focus metrics.
    pub metrics: Vec<MetricOutcome>,
    /// The steps.
    pub steps: Vec<StepOutcome>,
    /// Planned files that were touched.
    pub files_planned_touched: Vec<String>,
    /// Planned files that were not.
    pub files_planned_untouched: Vec<String>,
    /// Files that were touched although no step names them.
    pub files_unplanned: Vec<String>,
}

/// Scores a plan.
pub(crate) fn score(
    (base, result): (CommitId, CommitId),
    goal: &str,
    plan: &PlanningPlan,
    observed: &Observed<'_>,
) -> Score {
    let metrics: Vec<MetricOutcome> =
        plan.focus_metrics.iter().map(|name| metric_outcome(name, observed)).collect();
    let steps: Vec<StepOutcome> = plan.steps.iter().map(|step| step_outcome(step, observed)).collect();
    let planned: BTreeSet<String> = plan.steps.iter().flat_map(|step| &step.files).cloned().collect();
    let (touched_planned, untouched): (Vec<String>, Vec<String>) =
        planned.iter().cloned().partition(|file| is_touched(file, observed));
    let unplanned: Vec<String> = observed
        .touched
        .iter()
        .filter(|file| !planned.iter().any(|plan| covers(plan, file)))
        .cloned()
        .collect();
    let verdict = verdict(&metrics);
    let all = touched_planned.len() + untouched.len() + unplanned.len();
    let files = (!planned.is_empty() && 0 < all).then(|| share(touched_planned.len(), all));
    let parts = [(METRICS, metric_share(&metrics)), (STEPS, step_share(&steps)), (FILES, files)];
    Score {
        base,
        result,
        goal: goal.to_owned(),
        plan_summary: plan.summary.clone(),
        verdict,
        score: weighted(&parts),
        metrics,
        steps,
        files_planned_touched: touched_planned,
        files_planned_untouched: untouched,
        files_unplanned: unplanned,
    }
}

#[expect(clippy::cast_precision_loss, reason = "counts of files and steps are small")]
fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

/// The mean of what is known.
fn weighted(parts: &[(f64, Option<f64>)]) -> Option<f64> {
    let known = || parts.iter().filter_map(|(weight, share)| share.map(|share| (*weight, share)));
    let weights: f64 = known().map(|(weight, _)| weight).sum();
    let sum: f64 = known().map(|(weight, share)| weight * share).sum();
    (0.0 < weights).then(|| (sum / weights * 1000.0).round() / 1000.0)
}

fn metric_outcome(name: &str, observed: &Observed<'_>) -> MetricOutcome {
    let find = |metrics: &[Metric]| metrics.iter().find(|metric| metric.name == name).cloned();
    let (before, after) = (find(observed.before), find(observed.after));
    let said = |metric: &Option<Metric>| metric.as_ref().and_then(|metric| metric.higher_is_better);
    let higher_is_better = said(&before).or_else(|| said(&after));
    let (before, after) = (before.map(|metric| metric.value), after.map(|metric| metric.value));
    let direction = match (before, after) {
        (Some(before), Some(after)) => direction(before, after, higher_is_better),
        (None, _) | (_, None) => Direction::Unknown,
    };
    MetricOutcome { name: name.to_owned(), higher_is_better, before, after, direction }
}

/// Which way a metric went.
pub(crate) fn direction(before: f64, after: f64, higher_is_better: Option<bool>) -> Direction {
    if (after - before).abs() <= SAME * before.abs().max(after.abs()) {
        return Direction::Same;
    }
    match higher_is_better {
        None => Direction::Changed,
        Some(higher) if (before < after) == higher => Direction::Better,
        Some(_) => Direction::Worse,
    }
}

/// Better counts 1, the same a half, worse nothing.
fn metric_share(metrics: &[MetricOutcome]) -> Option<f64> {
    let points: Vec<f64> = metrics
        .iter()
        .filter_map(|metric| match metric.direction {
            Direction::Better => Some(1.0),
            Direction::Same => Some(0.5),
            Direction::Worse => Some(0.0),
            Direction::Changed | Direction::Unknown => None,
        })
        .collect();
    (!points.is_empty()).then(|| points.iter().sum::<f64>() / share(points.len(), 1))
}

fn step_share(steps: &[StepOutcome]) -> Option<f64> {
    let points: Vec<f64> = steps
        .iter()
        .filter_map(|step| match step.status {
            StepStatus::Completed => Some(1.0),
            StepStatus::Partial => Some(0.5),
            StepStatus::Skipped => Some(0.0),
            StepStatus::Unknown => None,
        })
        .collect();
    (!points.is_empty()).then(|| points.iter().sum::<f64>() / share(points.len(), 1))
}

fn verdict(metrics: &[MetricOutcome]) -> Verdict {
    let any = |wanted| metrics.iter().any(|metric| metric.direction == wanted);
    match (any(Direction::Better), any(Direction::Worse)) {
        (true, false) => Verdict::Success,
        (true, true) => Verdict::Mixed,
        (false, true) => Verdict::Failure,
        (false, false) => Verdict::Inconclusive,
    }
}

fn step_outcome(step: &PlanStep, observed: &Observed<'_>) -> StepOutcome {
    let untouched: Vec<String> =
        step.files.iter().filter(|file| !is_touched(file, observed)).cloned().collect();
    let status = if observed.marked.contains(&step.step_id) {
        StepStatus::Completed
    } else if step.files.is_empty() {
        StepStatus::Unknown
    } else if untouched.is_empty() {
        StepStatus::Completed
    } else if untouched.len() < step.files.len() {
        StepStatus::Partial
    } else {
        StepStatus::Skipped
    };
    StepOutcome { step_id: step.step_id.clone(), status, untouched }
}

fn is_touched(file: &str, observed: &Observed<'_>) -> bool {
    observed.touched.iter().any(|touched| covers(file, touched))
}

/// Whether a planned path is a file or a directory that it lies in.
fn covers(planned: &str, touched: &str) -> bool {
    let planned = planned.trim_start_matches("./").trim_end_matches('/');
    touched == planned || touched.strip_prefix(planned).is_some_and(|rest| rest.starts_with('/'))
}

/// What a commit's message says about the steps it takes: lines such as `Plan-Step: measure`.
pub(crate) fn marked_steps(message: &str) -> impl Iterator<Item = &str> {
    message.lines().filter_map(|line| {
        let (key, value) = line.trim().split_once(':')?;
        (key.eq_ignore_ascii_case("plan-step") && !value.trim().is_empty()).then(|| value.trim())
    })
}

impl Score {
    /// What later plans should know, in one line.
    pub fn lesson(&self) -> String {
        let metrics: Vec<String> = self
            .metrics
            .iter()
            .filter_map(|metric| {
                let (before, after) = (metric.before?, metric.after?);
                let word = match metric.direction {
                    Direction::Better => "got better",
                    Direction::Same => "did not move",
                    Direction::Worse => "got worse",
                    Direction::Changed => "changed",
                    Direction::Unknown => return None,
                };
                Some(format!("{} {word} ({before} → {after})", metric.name))
            })
            .collect();
        let what = if metrics.is_empty() { "nothing was measured".to_owned() } else { metrics.join(", ") };
        format!(
            "a plan from {} to {} {}: {what}. It was: {}",
            self.base.short(),
            self.result.short(),
            self.verdict.words(),
            self.plan_summary
        )
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::evolve::fixture::metric;

    fn plan() -> PlanningPlan {
        let step = |id: &str, files: &[&str]| PlanStep {
            step_id: id.to_owned(),
            files: files.iter().map(|&file| file.to_owned()).collect(),
            ..PlanStep::default()
        };
        PlanningPlan {
            summary: "A table".to_owned(),
            focus_metrics: vec!["speed".to_owned(), "errors".to_owned()],
            steps: vec![
                step("measure", &[]),
                step("change", &["src/a.rs", "src/b"]),
                step("test", &["tests/"]),
            ],
            ..PlanningPlan::default()
        }
    }

    fn scored(before: &[Metric], after: &[Metric], touched: &[&str], marked: &[&str]) -> Score {
        let names = |list: &[&str]| list.iter().map(|&name| name.to_owned()).collect();
        let observed = Observed { before, after, touched: names(touched), marked: names(marked) };
        score((CommitId::new("base"), CommitId::new("result")), "goal", &plan(), &observed)
    }

    #[test]
    fn a_plan_that_worked_and_was_followed_scores_one() {
        let before = [metric("speed", 1.0, true), metric("errors", 5.0, false)];
        let after = [metric("speed", 2.0, true), metric("errors", 4.0, false)];
        let score = scored(&before, &after, &["src/a.rs", "src/b/c.rs", "tests/t.rs"], &["measure"]);
        assert_eq!((score.verdict, score.score), (Verdict::Success, Some(1.0)));
        assert_eq!(
            score.lesson(),
            "a plan from base to result worked: speed got better (1 → 2), errors got better (5 → 4). It was: A table"
        );
    }

    #[test]
    fn what_got_worse_and_what_was_not_done_counts() {
        let before = [metric("speed", 2.0, true), metric("errors", 5.0, false)];
        let after = [metric("speed", 1.0, true), metric("errors", 5.0, false)];
        let score = scored(&before, &after, &["src/a.rs", "other.rs"], &[]);
        assert_eq!(score.verdict, Verdict::Failure);
        let steps: Vec<StepStatus> = score.steps.iter().map(|step| step.status).collect();
        assert_eq!(steps, [StepStatus::Unknown, StepStatus::Partial, StepStatus::Skipped]);
        assert_eq!(score.files_unplanned, ["other.rs"]);
        assert_eq!(score.files_planned_untouched, ["src/b", "tests/"]);
        // Metrics a quarter, steps a quarter, files a quarter.
        assert_eq!(score.score, Some(0.25));
    }

    #[test]
    fn what_cannot_be_known_does_not_count() {
        let unsaid = [Metric::new("speed", 1.0).unwrap()];
        let score = scored(&unsaid, &[Metric::new("speed", 2.0).unwrap()], &[], &[]);
        assert_eq!(score.verdict, Verdict::Inconclusive);
        assert_eq!(score.metrics[0].direction, Direction::Changed);
        assert_eq!(score.metrics[1].direction, Direction::Unknown);
        let nothing = PlanningPlan::default();
        let bare = super::score((CommitId::new("a"), CommitId::new("b")), "", &nothing, &Observed::default());
        assert_eq!(bare.score, None);
    }

    #[test]
    fn commits_name_the_steps_they_take() {
        let message = "Do it\n\nPlan-Step: a\nplan-step:b \nPlan-Step:\nSigned-off-by: x";
        assert_eq!(marked_steps(message).collect::<Vec<_>>(), ["a", "b"]);
    }

    proptest! {
        #[test]
        fn a_score_is_a_share(before in -5.0..5.0_f64, after in -5.0..5.0_f64, higher: bool, touched in proptest::collection::btree_set("(src/a.rs|src/b/x|tests/t|o[a-c])", 0..5)) {
            let (b, a) = ([metric("speed", before, higher)], [metric("speed", after, higher)]);
            let observed = Observed { before: &b, after: &a, touched, marked: BTreeSet::new() };
            let score = score((CommitId::new("a"), CommitId::new("b")), "", &plan(), &observed);
            prop_assert!(score.score.is_some_and(|score| (0.0..=1.0).contains(&score)));
            let swapped = Observed { before: &a, after: &b, ..observed };
            let other = super::score((CommitId::new("a"), CommitId::new("b")), "", &plan(), &swapped);
            prop_assert_eq!(score.verdict == Verdict::Success, other.verdict == Verdict::Failure);
        }
    }
}
