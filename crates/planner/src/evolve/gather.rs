//! From a repository and a question to all that a planner gets. No model is asked here.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use luminos_store::{Evolution, Shelf};

use super::card::{Changes, CommitCard, step_words, words};
use super::chain::{Chain, CommitId, Ground, Place};
use super::clip::counted;
use super::error::Error;
use super::git::{NOTES, Repo, inert};
use super::memory::{Event, NEAR, lessons};
use super::metric::{Form, Measured, overlay, read_file, read_note};
use super::offline::{Facts, Goal, RECENT, Recent, is_source};
use super::request::{CommitContext, MOST_INSPIRATIONS, PlanningRequest, Wish};
use super::rollup::{Rollup, RollupSettings, roll_up};

/// What somebody asks.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// Somewhere in the repository.
    pub repo: PathBuf,
    /// Where to start.
    pub base: String,
    /// Where to look for ideas.
    pub inspirations: Vec<String>,
    /// What is wanted.
    pub wish: Wish,
    /// A file of metrics.
    pub metrics: Option<PathBuf>,
    /// How much of the inspirations' history is told.
    pub rollup: RollupSettings,
}

/// The most bytes of a file of metrics.
const MOST_BYTES: u64 = 64 << 20;
/// How many bytes of the base's sources the offline planner reads.
const MOST_TEXT: usize = 64 << 20;
/// How many of an inspiration's own commits the offline planner looks at.
const OWN: usize = 500;

/// All that there is to know, before a model is asked.
#[derive(Debug)]
pub struct Gathered {
    /// The repository.
    pub repo: Repo,
    /// The commits of the question.
    pub chain: Chain,
    /// The request; trajectories are still to be told.
    pub request: PlanningRequest,
    /// What there is to tell of each inspiration, in the order of the request.
    pub rollups: Vec<Rollup>,
    /// What should be told besides the plan.
    pub notes: Vec<String>,
}

/// Reads all that a question needs.
pub fn gather(question: &Question, store: &Evolution) -> Result<Gathered, Error> {
    let wish = question.wish.checked()?;
    let repo = Repo::open(&question.repo)?;
    if MOST_INSPIRATIONS < question.inspirations.len() {
        return Err(Error::ManyInspirations { count: question.inspirations.len(), most: MOST_INSPIRATIONS });
    }
    let base = repo.resolve(&question.base)?;
    let mut named: Vec<(String, CommitId)> = Vec::new();
    let mut notes = Vec::new();
    for revision in &question.inspirations {
        let commit = repo.resolve(revision)?;
        if named.iter().any(|(_, known)| *known == commit) {
            notes.push(format!(
                "{} names an inspiration that is there already; it is left out.",
                inert(revision.as_bytes())
            ));
        } else {
            named.push((inert(revision.trim().as_bytes()), commit));
        }
    }
    if wish.cold_start && !named.is_empty() {
        notes.push("With a cold start inspirations are left out.".to_owned());
        named.clear();
    }
    let mut tips = vec![base.clone()];
    tips.extend(named.iter().map(|(_, commit)| commit.clone()));
    let chain = repo.chain(&tips)?;
    let metrics = Sources::open(question.metrics.as_deref(), &repo, store, &mut notes)?;
    if repo.is_shallow() {
        notes.push("This is a shallow clone: history before its beginning is not known.".to_owned());
    }

    let ground = Ground::new(&chain, &base);
    let (mut inspirations, mut rollups) = (Vec::new(), Vec::new());
    for (revision, commit) in named {
        let rollup = roll_up(&ground, &chain, &commit, &question.rollup);
        match &rollup {
            Rollup::Contained { .. } => {
                notes.push(format!(
                    "{revision} is the base or an ancestor of it: it has nothing new, and is left out."
                ));
                continue;
            }
            Rollup::Apart { .. } if repo.is_cut(&chain, &commit) || repo.is_cut(&chain, &base) => {
                return Err(Error::Shallow { revision });
            }
            Rollup::Apart { .. } => {
                let line = rollup.without_steps().unwrap_or_default();
                notes.push(format!("The trajectory of {revision} is {line}."));
            }
            Rollup::Nothing | Rollup::Path(_) => {}
        }
        let mut context = context(&repo, revision, &commit, &metrics)?;
        context.difference = Some(repo.changes(&commit, Some(&base))?);
        context.trajectory_meta = Some(rollup.meta(&base, &commit));
        context.trajectory = rollup.without_steps().into_iter().collect();
        inspirations.push(context);
        rollups.push(rollup);
    }
    let near: Vec<CommitId> = chain.ancestors(&base).take(NEAR).collect();
    let request = PlanningRequest {
        base: context(&repo, inert(question.base.trim().as_bytes()), &base, &metrics)?,
        inspirations,
        wish,
        lessons: lessons(&events(store), &near),
    };
    Ok(Gathered { repo, chain, request: request.as_cold_start(), rollups, notes })
}

fn context(
    repo: &Repo,
    revision: String,
    commit: &CommitId,
    metrics: &Sources,
) -> Result<CommitContext, Error> {
    let raw = repo.commit(commit)?;
    let changes: Changes = repo.changes(commit, raw.parent.as_ref())?;
    let measured = metrics.of(repo, commit)?;
    Ok(CommitContext {
        revision,
        card: CommitCard::new(commit.clone(), &raw, &changes, measured),
        trajectory: Vec::new(),
        trajectory_meta: None,
        difference: None,
    })
}

/// What was remembered of earlier tries.
pub(crate) fn events(store: &Evolution) -> Vec<Event> {
    store.all(Shelf::Events).into_iter().filter_map(|value| serde_json::from_value(value).ok()).collect()
}

/// Where metrics come from: what was measured here, then notes, then a file. The later ones count more.
#[derive(Debug)]
pub(crate) struct Sources {
    store: Evolution,
    file: BTreeMap<CommitId, Measured>,
}

impl Sources {
    /// Opens the sources; a file that cannot be understood is an error.
    pub(crate) fn open(
        file: Option<&Path>,
        repo: &Repo,
        store: &Evolution,
        notes: &mut Vec<String>,
    ) -> Result<Self, Error> {
        let mut by_commit = BTreeMap::new();
        if let Some(path) = file {
            let place = super::error::shown(path);
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let text = read_text(path)?;
            let metrics = read_file(&text, Form::of(&name))
                .map_err(|source| Error::Metrics { place: format!("`{place}`"), source })?;
            let mut unknown = 0;
            for (revision, measured) in metrics {
                match repo.resolve(&revision) {
                    Ok(commit) => overlay_measured(by_commit.entry(commit).or_default(), measured),
                    Err(_) => unknown += 1,
                }
            }
            if 0 < unknown {
                notes.push(format!(
                    "`{place}` has metrics of {} that this repository does not know.",
                    counted(unknown, "revision")
                ));
            }
            if by_commit.is_empty() {
                notes.push(format!("`{place}` has no metrics of commits in this repository."));
            }
        }
        Ok(Self { store: store.clone(), file: by_commit })
    }

    /// What is known of a commit.
    pub(crate) fn of(&self, repo: &Repo, commit: &CommitId) -> Result<Measured, Error> {
        let stored = self.store.get(Shelf::Measured, commit.as_str());
        let mut all: Measured =
            stored.and_then(|value| serde_json::from_value(value).ok()).unwrap_or_default();
        if let Some(note) = repo.note(commit)? {
            let place = format!("the note about {} in {NOTES}", commit.short());
            let measured = read_note(&note).map_err(|source| Error::Metrics { place, source })?;
            overlay_measured(&mut all, measured);
        }
        if let Some(measured) = self.file.get(commit) {
            overlay_measured(&mut all, measured.clone());
        }
        Ok(all)
    }
}

fn overlay_measured(below: &mut Measured, above: Measured) {
    overlay(&mut below.metrics, above.metrics);
    below.summary = above.summary.or(below.summary.take());
}

/// A text file that is not endless.
pub(crate) fn read_text(path: &Path) -> Result<String, Error> {
    let failed = |why: String| Error::File { path: path.to_owned(), why };
    let size = std::fs::metadata(path).map_err(|error| failed(error.to_string()))?.len();
    if MOST_BYTES < size {
        return Err(failed(format!("it has {size} bytes; at most {MOST_BYTES} are read")));
    }
    luminos_store::read_named(path).map_err(|error| failed(error.to_string()))
}

impl Gathered {
    /// What the offline planner looks at besides.
    pub fn facts(&self) -> Result<Facts, Error> {
        let base = &self.request.base.card.commit_hash;
        let mut history = Vec::new();
        for commit in self.chain.ancestors(base).take(RECENT) {
            let raw = self.repo.commit(&commit)?;
            // Where the parent is not there, all files would seem new.
            let paths = match &raw.parent {
                Some(parent) => self.repo.changed_paths(&commit, Some(parent))?,
                None => Vec::new(),
            };
            history.push(Recent { commit, subject: subject(&raw.message), paths });
        }
        let mut own = Vec::new();
        for (rollup, inspiration) in self.rollups.iter().zip(&self.request.inspirations) {
            let newest: Vec<CommitId> = match rollup {
                Rollup::Path(path) => {
                    path.steps.iter().rev().take(OWN).map(|&place| self.chain.id(place)).collect()
                }
                // The common commit is too far away, or there is none: the latest ones are its own in any case.
                Rollup::Apart { .. } => {
                    self.chain.ancestors(&inspiration.card.commit_hash).take(OWN).collect()
                }
                Rollup::Nothing | Rollup::Contained { .. } => Vec::new(),
            };
            let mut commits = Vec::new();
            for commit in newest {
                let raw = self.repo.commit(&commit)?;
                commits.push(Recent { commit, subject: subject(&raw.message), paths: Vec::new() });
            }
            own.push(commits);
        }
        let goal = Goal::new(&self.request.wish.goal);
        let mut mentions = BTreeMap::new();
        self.repo.texts(base, is_source, MOST_TEXT, |path, text| {
            mentions.extend(goal.mention(text).map(|mention| (path, mention)));
        })?;
        Ok(Facts { history, own, files: self.repo.paths(base)?, mentions })
    }

    /// What the step at a place of the chain is told as.
    pub(crate) fn step_words_at(&self, place: Place) -> String {
        let raw = self.repo.commit(&self.chain.id(place));
        raw.map_or_else(|_| "N/A".to_owned(), |raw| step_words(&raw.message))
    }
}

/// The subject of a commit; of a merge that somebody made with a button, what it merges.
fn subject(message: &str) -> String {
    let (subject, body) = words(message);
    let is_button = subject.starts_with("Merge pull request ") || subject.starts_with("Merge branch ");
    if is_button && !body.is_empty() { body } else { subject }
}
