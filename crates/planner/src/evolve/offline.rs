//! A plan without a model: from what metrics, history and the words of files say, and from nothing else.
//!
//! It cannot invent a change. What it can say with reason: which metrics matter and how they stand, which files the goal is
//! about, which commits of the inspirations are worth a look, which tests to run, what to watch. The same repository and
//! the same question give the same plan, and every sentence in it has a source.

mod mention;
mod relevance;
mod setup;
mod steps;

use std::collections::BTreeMap;

use super::chain::CommitId;
use super::clip::{clip_line, counted};
use super::metric::Metric;
use super::plan::PlanningPlan;
use super::request::PlanningRequest;
use super::rollup::own_commits;
use super::score::{Direction, direction};
pub(crate) use relevance::Goal;
pub(crate) use setup::is_source;
use steps::{adopt, change, compare, expectation, in_sequence, measure, protect, understand};

/// How many commits of the base's history are looked at.
pub(crate) const RECENT: usize = 300;
const FOCUS: usize = 3;
const FILES: usize = 6;
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
