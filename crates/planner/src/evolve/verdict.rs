//! Scores a plan against what came out, and remembers it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use luminos_store::{Evolution, Shelf};

use super::chain::{Chain, CommitId};
use super::document::PlanDocument;
use super::error::Error;
use super::evaluate::{Evaluated, NotEvaluated};
use super::gather::{Sources, read_text};
use super::git::Repo;
use super::memory::{Event, NEAR, What};
use super::metric::{Measured, overlay};
use super::score::{Observed, Score, marked_steps, score};

/// Where a plan is compared with what came out.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The plan's file.
    pub plan: PathBuf,
    /// What came out.
    pub result: String,
    /// The repository; where the plan says it is, if nobody says otherwise.
    pub repo: Option<PathBuf>,
    /// A file of metrics.
    pub metrics: Option<PathBuf>,
}

/// Reads a plan's file.
pub fn read_plan(path: &Path) -> Result<PlanDocument, Error> {
    PlanDocument::read(&read_text(path)?).map_err(|why| Error::NotAPlan { path: path.to_owned(), why })
}

/// Scores a plan, and what should be told besides.
pub fn compare(comparison: &Comparison, store: &Evolution) -> Result<(Score, Vec<String>), Error> {
    let document = read_plan(&comparison.plan)?;
    let place = comparison.repo.clone().unwrap_or_else(|| PathBuf::from(&document.repository));
    let repo = Repo::open(&place)?;
    let base = repo.resolve(document.base.as_str())?;
    let result = repo.resolve(&comparison.result)?;
    let mut notes = Vec::new();
    let metrics = Sources::open(comparison.metrics.as_deref(), &repo, store, &mut notes)?;
    // What the plan knew, unless something newer is known.
    let mut before = document.base_metrics.clone();
    overlay(&mut before, metrics.of(&repo, &base)?.metrics);
    let after = metrics.of(&repo, &result)?.metrics;
    if after.is_empty() {
        notes.push(format!(
            "No metrics of {} are known: measure it with `luminosctl evolve evaluate`.",
            result.short()
        ));
    }
    let chain = repo.chain(std::slice::from_ref(&result))?;
    let mut marked = BTreeSet::new();
    let mut is_found = false;
    for commit in chain.ancestors(&result).take(super::chain::MOST_DEPTH) {
        if commit == base {
            is_found = true;
            break;
        }
        marked.extend(marked_steps(&repo.commit(&commit)?.message).map(str::to_owned));
    }
    if !is_found {
        marked.clear();
        notes.push(format!(
            "{} does not build on the base {}: only files and metrics are compared.",
            result.short(),
            base.short()
        ));
    }
    if base == result {
        notes.push("The result is the base itself: nothing was changed.".to_owned());
    }
    let touched = repo.changed_paths(&result, Some(&base))?.into_iter().collect();
    let observed = Observed { before: &before, after: &after, touched, marked };
    Ok((score((base, result), &document.wish.goal, &document.plan, &observed), notes))
}

/// Remembers a score for later plans near its base. Scoring the same again replaces it.
pub fn remember_score(score: &Score, repo: &Repo, store: &Evolution, now: i64) -> Result<(), Error> {
    let chain = repo.chain(std::slice::from_ref(&score.base))?;
    let event =
        Event { at: now, around: around(&chain, &score.base), what: What::Scored(Box::new(score.clone())) };
    let name = format!("score-{}-{}", score.base, score.result);
    store.put(Shelf::Events, &name, &event).map(drop).map_err(Error::from)
}

/// Remembers what was measured at a commit. Other metrics that are known of it stay; how it failed before does not.
pub fn remember_measured(commit: &CommitId, evaluated: &Evaluated, store: &Evolution) -> Result<(), Error> {
    let failure = store.get(Shelf::Events, &failure_name(commit));
    if let Some(failure) = failure.and_then(|value| serde_json::from_value::<Event>(value).ok()) {
        let mended = Event { what: What::Mended { commit: commit.clone() }, ..failure };
        store.put(Shelf::Events, &failure_name(commit), &mended)?;
    }
    let known = store.get(Shelf::Measured, commit.as_str());
    let known: Measured = known.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default();
    let mut all = evaluated.measured.clone();
    let newer = std::mem::replace(&mut all.metrics, known.metrics);
    overlay(&mut all.metrics, newer);
    store.put(Shelf::Measured, commit.as_str(), &all).map(drop).map_err(Error::from)
}

/// Remembers that a commit could not be measured, if that is the commit's own fault.
pub fn remember_failure(
    commit: &CommitId,
    failed: &NotEvaluated,
    repo: &Repo,
    store: &Evolution,
    now: i64,
) -> Result<(), Error> {
    if !failed.is_about_the_commit() {
        return Ok(());
    }
    let (subject, _) = super::card::words(&repo.commit(commit)?.message);
    let what = What::EvaluationFailed { commit: commit.clone(), subject, why: failed.error.to_string() };
    let chain = repo.chain(std::slice::from_ref(commit))?;
    let event = Event { at: now, around: around(&chain, commit), what };
    store.put(Shelf::Events, &failure_name(commit), &event).map(drop).map_err(Error::from)
}

fn failure_name(commit: &CommitId) -> String {
    format!("failed-{commit}")
}

fn around(chain: &Chain, commit: &CommitId) -> Vec<CommitId> {
    chain.ancestors(commit).take(NEAR).collect()
}
