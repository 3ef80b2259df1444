//! The steps of a plan: measure, understand, take over or change, protect, compare.

use super::relevance::{self, Goal};
use super::{FILES, FOCUS, Facts, RECENT, Ranked, Recent, is_source, setup};
use crate::evolve::clip::clip_line;
use crate::evolve::metric::Metric;
use crate::evolve::plan::PlanStep;
use crate::evolve::request::{CommitContext, PlanningRequest};
use crate::evolve::rollup::own_commits;
use crate::evolve::score::{Direction, direction};

const TESTS: usize = 4;
const COMMITS: usize = 5;

pub(super) fn measure(request: &PlanningRequest, tests: Option<&str>) -> PlanStep {
    let base = &request.base.card;
    let mut actions = vec![format!("Check out {} and build it.", base.commit_hash.short())];
    actions.extend(tests.map(|tests| format!("Run `{tests}` and keep the list of what fails already.")));
    if base.metrics.is_empty() {
        actions.push("Choose a number that the goal should move, and measure it twice.".to_owned());
    } else {
        let numbers: Vec<String> = base
            .metrics
            .iter()
            .take(FOCUS * 2)
            .map(|metric| format!("{} {}", metric.name, metric.amount()))
            .collect();
        actions.push(format!("Measure again, twice; known at the base: {}.", numbers.join(", ")));
    }
    PlanStep {
        step_id: "measure".to_owned(),
        title: "Measure the base".to_owned(),
        intent: "Know what is normal before anything changes, and how much measurements scatter.".to_owned(),
        actions,
        validation: vec![
            "Two measurements of the base agree well enough to see the change that is wanted.".to_owned(),
        ],
        references: vec![base.commit_hash.to_string()],
        ..PlanStep::default()
    }
}

pub(super) fn understand(request: &PlanningRequest, goal: &Goal, ranked: &[Ranked]) -> PlanStep {
    let mut references: Vec<String> = Vec::new();
    let mut actions: Vec<String> = Vec::new();
    for file in ranked.iter().take(FILES) {
        actions.push(format!("Read {}: {}.", file.path, file.why(RECENT)));
        references.extend(file.about.iter().take(2).map(|(commit, _)| commit.to_string()));
    }
    if actions.is_empty() {
        actions.push(
            "Find the code that the goal is about: neither names of files nor recent commits point to it."
                .to_owned(),
        );
    }
    actions.push(format!("Write down which part decides about: {}", clip_line(&request.wish.goal, 120)));
    let title = match goal.words() {
        "" => "Find the code that the goal is about".to_owned(),
        words => format!("Find the code about {words}"),
    };
    PlanStep {
        step_id: "understand".to_owned(),
        title,
        intent: "Change the right place, and only that.".to_owned(),
        actions,
        validation: vec![
            "The place is named by file and function, with the measurement or test that shows it.".to_owned(),
        ],
        references,
        ..PlanStep::default()
    }
}

pub(super) fn adopt(
    number: usize,
    request: &PlanningRequest,
    inspiration: &CommitContext,
    own: &[Recent],
    goal: &Goal,
) -> PlanStep {
    let card = &inspiration.card;
    let mut about: Vec<&Recent> = own
        .iter()
        .filter(|commit| goal.matches(&commit.subject) && !relevance::is_release(&commit.subject))
        .collect();
    about.sort_by(|a, b| goal.relevance(&b.subject).total_cmp(&goal.relevance(&a.subject)));
    about.truncate(COMMITS);
    let chosen: Vec<&Recent> =
        if about.is_empty() { own.iter().take(COMMITS).collect() } else { about.clone() };
    let lead = if about.is_empty() { "Look at" } else { "Take over what applies of" };
    let mut actions: Vec<String> = chosen
        .iter()
        .map(|commit| format!("{lead} {}: {}", commit.commit.short(), clip_line(&commit.subject, 120)))
        .collect();
    if about.is_empty() && !own.is_empty() {
        actions.push(format!(
            "None of its {} own commits speaks of the goal by name: decide first whether it helps at all.",
            own.len()
        ));
    }
    if let Some(difference) = &inspiration.difference {
        actions.push(format!("Compare with the base: {}.", difference.total()));
    }
    let files = inspiration.difference.iter().flat_map(|difference| &difference.files).map(|file| &file.path);
    let mut files: Vec<String> = files.filter(|path| is_source(path)).cloned().collect();
    // What the goal names comes first; the rest stays by churn.
    files.sort_by(|a, b| goal.relevance(b).total_cmp(&goal.relevance(a)));
    files.truncate(FILES);
    let mut standing: Vec<String> = Vec::new();
    for metric in &request.base.card.metrics {
        if let Some(there) = card.metrics.iter().find(|there| there.name == metric.name) {
            let word = match direction(metric.value, there.value, metric.higher_is_better) {
                Direction::Better => "better",
                Direction::Worse => "worse",
                Direction::Same => "the same",
                Direction::Changed | Direction::Unknown => "different",
            };
            standing.push(format!(
                "{} is {} there and {} at the base ({word})",
                metric.name,
                there.amount(),
                metric.amount()
            ));
        }
    }
    let intent = if standing.is_empty() {
        "Use what was worked out there already. No metric is known on both sides, so its worth is open."
            .to_owned()
    } else {
        format!("Use what was worked out there already: {}.", standing.join(", "))
    };
    let meta = inspiration.trajectory_meta.as_ref();
    let risk = if meta.is_some_and(|meta| meta.lca_commit_hash.is_some()) {
        format!(
            "It is {} away from what both have in common; changes may rest on others among them.",
            own_commits(meta)
        )
    } else {
        "No commit was found that both have in common: whatever is taken over may rest on much else."
            .to_owned()
    };
    PlanStep {
        step_id: format!("adopt-{number}"),
        title: format!("Take over what helps from {}", clip_line(&inspiration.revision, 60)),
        intent,
        actions,
        files,
        validation: vec!["Each change that is taken over builds and passes the tests by itself.".to_owned()],
        risks: vec![risk],
        references: chosen.iter().map(|commit| commit.commit.to_string()).collect(),
        ..PlanStep::default()
    }
}

pub(super) fn change(request: &PlanningRequest, ranked: &[Ranked]) -> PlanStep {
    PlanStep {
        step_id: "change".to_owned(),
        title: "Make the smallest change that can serve the goal".to_owned(),
        intent: clip_line(&request.wish.goal, 400),
        actions: vec![
            "Change one thing at the place found before; keep it in a commit of its own.".to_owned(),
            "Measure right afterwards, so that the effect belongs to this change alone.".to_owned(),
        ],
        files: ranked.iter().take(FILES / 2).map(|file| file.path.clone()).collect(),
        validation: vec!["The number that matters moves by more than the base scatters.".to_owned()],
        ..PlanStep::default()
    }
}

pub(super) fn protect(ranked: &[Ranked], facts: &Facts, tests: Option<&str>) -> PlanStep {
    let near =
        setup::tests_near(&facts.files, ranked.iter().take(FILES).map(|file| file.path.as_str()), TESTS);
    let mut actions = vec!["Add a test that fails without the change and passes with it.".to_owned()];
    if !near.is_empty() {
        actions.push(format!("The tests nearest to the code: {}.", near.join(", ")));
    }
    PlanStep {
        step_id: "protect".to_owned(),
        title: "Protect the change with tests".to_owned(),
        intent: "Keep what works working.".to_owned(),
        actions,
        files: near,
        validation: vec![match tests {
            Some(tests) => format!("`{tests}` passes, apart from what failed at the base."),
            None => "All tests pass, apart from those that failed at the base.".to_owned(),
        }],
        ..PlanStep::default()
    }
}

pub(super) fn compare(request: &PlanningRequest, focus: &[Metric], tests: Option<&str>) -> PlanStep {
    let mut actions: Vec<String> = focus.iter().map(expectation).collect();
    if actions.is_empty() {
        actions.push("Measure the number chosen in the first step once more, twice.".to_owned());
    }
    actions.extend(tests.map(|tests| format!("Run `{tests}` once more.")));
    actions.push(
        "Undo each part that did not help; keep the plan's file and score it with `luminosctl evolve score`."
            .to_owned(),
    );
    let mut validation = request.wish.acceptance_criteria.clone();
    validation.push("The result is compared with the base, number by number.".to_owned());
    PlanStep {
        step_id: "compare".to_owned(),
        title: "Measure again and decide".to_owned(),
        intent: "Keep what is better, and only that.".to_owned(),
        actions,
        validation,
        ..PlanStep::default()
    }
}

pub(super) fn expectation(metric: &Metric) -> String {
    let way = match metric.higher_is_better {
        Some(true) => "rises above",
        Some(false) => "falls below",
        None => "moves away from",
    };
    format!("See whether `{}` {way} {}.", metric.name, metric.amount())
}

pub(super) fn in_sequence(steps: &mut [PlanStep]) {
    let mut before: Option<String> = None;
    for step in steps {
        step.dependencies = before.iter().cloned().collect();
        before = Some(step.step_id.clone());
    }
}
