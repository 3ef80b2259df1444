//! From rough drafts to a plan: every rule that needs no model, in one order.
//!
//! The order: what the plan needs besides (set-up, documentation, the written requirement), dependencies, paths in plain
//! form, verification commands, paths that come along (for commands that were added as well), hints, areas and conflicts.

use serde::Serialize;

use super::command::CommandPolicy;
use super::overlap::Standing;
use super::paths::PathLists;
use super::recovery::{Hint, HintApplication, Recovery};
use super::repo::RepoFacts;
use super::requirement::Requirement;
use super::task::{Draft, Role};
use super::verify::{Contract, Sources, VerifySettings};
use super::{inject, order, overlap, paths, recovery, roles, verify};

/// What the rules look at.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// The repository.
    pub facts: &'a RepoFacts,
    /// Its lists.
    pub lists: &'a PathLists,
    /// What comes along with what.
    pub recovery: &'a Recovery,
    /// How verification commands are chosen.
    pub verify: &'a VerifySettings,
    /// The repository's contract.
    pub contract: Option<&'a Contract>,
    /// What commands may be.
    pub policy: &'a CommandPolicy,
    /// Tasks that are open.
    pub backlog: &'a [Standing],
    /// Paths that earlier tasks turned out to need.
    pub hints: &'a [Hint],
    /// Whether somebody writes documentation already.
    pub has_docs_task: bool,
    /// The command that runs whole flows.
    pub e2e_command: Option<&'a str>,
}

/// A plan that is ready to be saved.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Refined {
    /// Its tasks; whatever a task waits for stands before it.
    pub tasks: Vec<Draft>,
    /// What is odd about it.
    pub warnings: Vec<String>,
    /// What tasks got from hints.
    pub hint_applications: Vec<HintApplication>,
    /// How long all tasks together should take.
    pub total_estimated_minutes: u64,
}

/// What a model added to a requirement, and where that is to be written.
#[derive(Debug, Clone, Copy)]
pub struct Completed<'a> {
    /// The file.
    pub file: &'a str,
    /// The parts.
    pub parts: &'a [&'a str],
}

/// The drafts as they are before verification commands are asked for: dependencies in order, roles and paths settled.
///
/// `stated` is what the requirement allowed to be changed before a model completed it; it binds what is added here as well.
pub fn prepare(
    mut drafts: Vec<Draft>,
    requirement: &Requirement,
    stated: &[String],
    around: Surroundings<'_>,
    completed: Option<Completed<'_>>,
    warnings: &mut Vec<String>,
) -> Vec<Draft> {
    for draft in &mut drafts {
        let before = draft.warnings.len();
        paths::tidy(draft, &requirement.allowed_paths, around.facts);
        let told = draft.warnings.iter().skip(before);
        warnings.extend(told.map(|said| format!("`{}`: {said}", draft.title)));
    }
    if around.facts.is_uninitialised() && !drafts.is_empty() {
        inject::init_task(&mut drafts, requirement, around.lists, warnings);
    } else {
        let docs = inject::DocsTask { facts: around.facts, stated, lists: around.lists };
        docs.add(&mut drafts, requirement, around.has_docs_task, warnings);
    }
    if let Some(completed) = completed.filter(|_| !drafts.is_empty()) {
        inject::sync_task(&mut drafts, requirement, stated, completed, warnings);
    }
    let mut drafts = order::normalise(drafts, warnings);
    for draft in &mut drafts {
        paths::tidy(draft, stated, around.facts);
    }
    drafts
}

/// Applies every rule.
pub fn refine(
    mut drafts: Vec<Draft>,
    proposed: &[Vec<String>],
    around: Surroundings<'_>,
    mut warnings: Vec<String>,
) -> Refined {
    let sources = Sources { contract: around.contract, proposed, facts: around.facts, policy: around.policy };
    for draft in &mut drafts {
        roles::add_e2e_command(draft, around.e2e_command);
    }
    verify::augment(&mut drafts, around.verify, sources, &mut warnings);
    for draft in &mut drafts {
        paths::complete(draft, around.facts, around.lists, around.recovery);
        draft.timebox_minutes = draft.timebox_minutes.clamp(Draft::LEAST_MINUTES, Draft::MOST_MINUTES);
        if draft.role == Role::Docser {
            draft.lane = super::task::Lane::Docser;
        }
    }
    let hint_applications = recovery::apply_hints(&mut drafts, around.hints, around.recovery, &mut warnings);
    overlap::fill_areas(&mut drafts);
    overlap::serialise(&mut drafts, around.backlog, &mut warnings);
    let mut seen = Vec::new();
    super::task::add_new(&mut seen, warnings);
    let total_estimated_minutes = drafts.iter().map(|draft| u64::from(draft.timebox_minutes)).sum();
    Refined { tasks: drafts, warnings: seen, hint_applications, total_estimated_minutes }
}
