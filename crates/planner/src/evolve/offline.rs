//! A plan without a model: from what metrics, history and the words of files say, and from nothing else.
//!
//! It cannot invent a change. What it can say with reason: which metrics matter and how they stand, which files the goal is
//! about, which commits of the inspirations are worth a look, which tests to run, what to watch. The same repository and
//! the same question give the same plan, and every sentence in it has a source.

mod mention;
mod relevance;
mod setup;

use std::collections::BTreeMap;

use super::chain::CommitId;
use super::clip::{clip_line, counted};
use super::metric::Metric;
use super::plan::{PlanStep, PlanningPlan};
use super::request::{CommitContext, PlanningRequest};
use super::rollup::own_commits;
use super::score::{Direction, direction};
pub(crate) use relevance::Goal;
pub(crate) use setup::is_source;

/// How many commits of the base's history are looked at.
pub(crate) const RECENT: usize = 300;
const FOCUS: usize = 3;
const FILES: usize = 6;
const TESTS: usize = 4;
const COMMITS: usize = 5;
const ADOPTED: usize = 2;
/// A file that so many of a hundred recent commits change is busy.
const BUSY_PERCENT: usize = 10;

/// A commit of the base's history, or of an inspiration's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recent {
    /// The commit.
    pub commit: CommitId,
    /// What it says about itself.
    pub subject: String,
    /// The files it changed.
    pub paths: Vec<String>,
}

/// What is known about the repository besides the request.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// The latest commits of the base, newest first.
    pub history: Vec<Recent>,
    /// The commits that only each inspiration has, newest first, without their files.
    pub own: Vec<Vec<Recent>>,
    /// All files of the base.
    pub files: Vec<String>,
    /// What sources of the base say about the goal, by path.
    pub mentions: BTreeMap<String, Mention>,
}

/// What a file says about a goal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mention {
    /// The words of the goal that stand in it.
    pub words: Vec<String>,
    /// The line that has the most of them.
    pub line: usize,
    /// What it says, fit to be shown.
    pub quote: String,
    /// The words on that line.
    pub on_line: Vec<String>,
}

/// Makes the plan.
pub(crate) fn plan(request: &PlanningRequest, facts: &Facts) -> PlanningPlan {
    let goal = Goal::new(&request.wish.goal).weighed(facts);
    let ranked = goal.rank(facts);
    let focus = focus(request, &goal);
    let tests = setup::test_command(&facts.files);
    let mut steps = vec![measure(request, tests), understand(request, &goal, &ranked)];
    let before = steps.len();
    for (at, inspiration) in request.inspirations.iter().take(ADOPTED).enumerate() {
        let own = facts.own.get(at).map_or(&[][..], Vec::as_slice);
        steps.push(adopt(at + 1, request, inspiration, own, &goal));
    }
    if steps.len() == before {
        steps.push(change(request, &ranked));
    }
    steps.push(protect(&ranked, facts, tests));
    steps.push(compare(request, &focus, tests));
    in_sequence(&mut steps);
    let mut guardrails = request.wish.constraints.clone();
    guardrails.push("What passes at the base still passes.".to_owned());
    guardrails.extend(others(request, &focus));
    PlanningPlan {
        summary: summary(request, &ranked),
        rationale: rationale(request, &ranked, &goal, facts),
        focus_metrics: focus.iter().map(|metric| metric.name.clone()).collect(),
        guardrails,
        risks: risks(request, &ranked, facts),
        validation: validation(request, &focus, tests),
        steps,
        handoff_notes: notes(request, &focus),
        fallback_plan: Some(format!(
            "Go back to {} and keep only what the measurements support.",
            request.base.card.commit_hash.short()
        )),
    }
    .bounded()
}

/// A file that the goal seems to be about.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ranked {
    pub(crate) path: String,
    /// How many of the recent commits changed it.
    pub(crate) changes: usize,
    /// Those of them that speak of the goal, newest first.
    pub(crate) about: Vec<(CommitId, String)>,
    /// Words of the goal in its path.
    pub(crate) words: Vec<String>,
    /// A line that speaks of the goal.
    pub(crate) says: Option<(usize, String)>,
}

impl Ranked {
    /// Whether anything but the number of its changes speaks for it.
    fn is_related(&self) -> bool {
        !self.words.is_empty() || !self.about.is_empty() || self.says.is_some()
    }

    /// Why it is named.
    pub(crate) fn why(&self, looked_at: usize) -> String {
        let mut reasons = Vec::new();
        if !self.words.is_empty() {
            reasons.push(format!("its path says `{}`", self.words.join("`, `")));
        }
        if let Some((line, quote)) = &self.says {
            reasons.push(format!("line {line} says “{}”", clip_line(quote, 60)));
        }
        if let Some((commit, subject)) = self.about.first() {
            let count = self.about.len();
            let commits = if count == 1 {
                "a recent commit is".to_owned()
            } else {
                format!("{count} recent commits are")
            };
            reasons.push(format!("{commits} about it, last {} “{}”", commit.short(), clip_line(subject, 50)));
        }
        if reasons.is_empty() {
            reasons.push(format!("changed by {} of the last {}", self.changes, counted(looked_at, "commit")));
        }
        reasons.join("; ")
    }
}

/// The metrics that should get better: those the goal names, else those in which an inspiration is ahead, else the first.
fn focus(request: &PlanningRequest, goal: &Goal) -> Vec<Metric> {
    let base = &request.base.card.metrics;
    let named: Vec<Metric> = base.iter().filter(|metric| goal.matches(&metric.name)).cloned().collect();
    let ahead = base.iter().filter(|metric| {
        let others = request.inspirations.iter().flat_map(|inspiration| &inspiration.card.metrics);
        others
            .filter(|other| other.name == metric.name)
            .any(|other| direction(metric.value, other.value, metric.higher_is_better) == Direction::Better)
    });
    let mut chosen = if named.is_empty() { ahead.cloned().collect() } else { named };
    if chosen.is_empty() {
        chosen.clone_from(base);
    }
    chosen.truncate(FOCUS);
    chosen
}

fn others<'a>(request: &'a PlanningRequest, focus: &'a [Metric]) -> impl Iterator<Item = String> + 'a {
    let base = request.base.card.metrics.iter();
    base.filter(|metric| metric.higher_is_better.is_some() && !focus.contains(metric))
        .map(|metric| format!("`{}` does not get worse; it is {} at the base.", metric.name, metric.amount()))
}

fn measure(request: &PlanningRequest, tests: Option<&str>) -> PlanStep {
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

fn understand(request: &PlanningRequest, goal: &Goal, ranked: &[Ranked]) -> PlanStep {
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

fn adopt(
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

fn change(request: &PlanningRequest, ranked: &[Ranked]) -> PlanStep {
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

fn protect(ranked: &[Ranked], facts: &Facts, tests: Option<&str>) -> PlanStep {
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

fn compare(request: &PlanningRequest, focus: &[Metric], tests: Option<&str>) -> PlanStep {
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

fn expectation(metric: &Metric) -> String {
    let way = match metric.higher_is_better {
        Some(true) => "rises above",
        Some(false) => "falls below",
        None => "moves away from",
    };
    format!("See whether `{}` {way} {}.", metric.name, metric.amount())
}

fn in_sequence(steps: &mut [PlanStep]) {
    let mut before: Option<String> = None;
    for step in steps {
        step.dependencies = before.iter().cloned().collect();
        before = Some(step.step_id.clone());
    }
}

fn summary(request: &PlanningRequest, ranked: &[Ranked]) -> String {
    let files: Vec<&str> = ranked.iter().take(3).map(|file| file.path.as_str()).collect();
    let start =
        format!("{} Start from {}", sentence(&request.wish.goal), request.base.card.commit_hash.short());
    let from: Vec<&str> = request.inspirations.iter().take(ADOPTED).map(|it| it.revision.as_str()).collect();
    let from = if from.is_empty() {
        String::new()
    } else {
        format!(", take over what helps from {}", from.join(" and "))
    };
    if files.is_empty() {
        format!("{start}{from}.")
    } else {
        format!("{start}{from}, and look at {} first.", files.join(", "))
    }
}

fn sentence(goal: &str) -> String {
    let goal = clip_line(goal, 200);
    if goal.ends_with(['.', '!', '?', '…']) { goal } else { format!("{goal}.") }
}

fn rationale(request: &PlanningRequest, ranked: &[Ranked], goal: &Goal, facts: &Facts) -> String {
    let mut parts =
        vec!["This plan was made without a model, from names, words, history and metrics alone.".to_owned()];
    let looked_at = facts.history.len();
    let related = ranked.iter().filter(|file| file.is_related()).count();
    parts.push(if related == 0 {
        format!("Neither files nor the last {} mention the words of the goal; the files named are those that change most.", counted(looked_at, "commit"))
    } else {
        {
        let have = if related == 1 { "has" } else { "have" };
        format!(
            "Of {} and the last {}, {} {have} to do with {}.",
            counted(facts.files.len(), "file"),
            counted(looked_at, "commit"),
            counted(related, "file"),
            goal.words()
        )
    }
    });
    for inspiration in &request.inspirations {
        let difference = inspiration
            .difference
            .as_ref()
            .map_or(String::new(), |it| format!(" and differs from the base in {}", it.total()));
        parts.push(format!(
            "{} has {} of its own{difference}.",
            clip_line(&inspiration.revision, 60),
            own_commits(inspiration.trajectory_meta.as_ref())
        ));
    }
    if request.base.card.metrics.is_empty() {
        parts.push("No metrics are known at the base.".to_owned());
    }
    parts.join(" ")
}

fn risks(request: &PlanningRequest, ranked: &[Ranked], facts: &Facts) -> Vec<String> {
    let mut risks: Vec<String> =
        request.lessons.iter().take(3).map(|lesson| format!("Tried before: {lesson}")).collect();
    let busy = |file: &&Ranked| facts.history.len() * BUSY_PERCENT < file.changes * 100 && 2 < file.changes;
    for file in ranked.iter().take(FILES).filter(busy) {
        risks.push(format!(
            "{} changed in {} of the last {} commits: others may be working on it.",
            file.path,
            file.changes,
            facts.history.len()
        ));
    }
    // Files that hold most of the changes are where mistakes were mended, too.
    let mut mended: BTreeMap<&str, usize> = BTreeMap::new();
    for commit in facts.history.iter().filter(|commit| relevance::is_fix(&commit.subject)) {
        for path in &commit.paths {
            *mended.entry(path).or_default() += 1;
        }
    }
    for file in ranked.iter().take(FILES) {
        if let Some(count @ 3..) = mended.get(file.path.as_str()) {
            risks.push(format!(
                "{count} of the last {} commits mended something in {}.",
                facts.history.len(),
                file.path
            ));
        }
    }
    risks.push("The plan knows names and numbers, not the code: read before changing.".to_owned());
    risks
}

fn validation(request: &PlanningRequest, focus: &[Metric], tests: Option<&str>) -> Vec<String> {
    let mut validation = request.wish.acceptance_criteria.clone();
    validation.extend(focus.iter().map(expectation));
    validation.push(match tests {
        Some(tests) => format!("`{tests}` passes, apart from what failed at the base."),
        None => "The project's tests pass, apart from those that failed at the base.".to_owned(),
    });
    validation
}

fn notes(request: &PlanningRequest, focus: &[Metric]) -> Vec<String> {
    let mut notes = vec!["Made offline: no model has read the code.".to_owned()];
    if focus.is_empty() {
        notes.push(
            "No metrics are known: `luminosctl evolve evaluate` measures a commit, and later plans and scores use it.".to_owned(),
        );
    }
    let left = request.inspirations.iter().skip(ADOPTED).map(|it| it.revision.as_str()).collect::<Vec<_>>();
    if !left.is_empty() {
        notes.push(format!("Not taken up here: {}.", left.join(", ")));
    }
    notes.push("Commits can say which step they take, with a line such as `Plan-Step: measure`.".to_owned());
    notes
}

#[cfg(test)]
mod tests;
