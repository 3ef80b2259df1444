//! What is known of a repository about a requirement: an investigation's findings, and where its words stand.

use std::path::Path;

use luminos_core::Failure;
use luminos_core::config::Config;
use luminos_core::report::Report;
use luminos_engine::tasks::{FileKnowledge, Knowledge, RepoFacts, find_words, search_words};
use luminos_engine::{Investigation, Store, Target};

use super::repository::read;
use crate::commands::run::{Watching, request, run_to_end};
use crate::printer::Stop;
use crate::session::Session;

/// No more files than this are searched for words, and none beyond this size.
const MOST_FILES: usize = 20_000;
const MOST_BYTES: u64 = 256 * 1024;

/// Gathers it: from the investigation that there is if it saw what is there now, else from a fresh one without a model.
pub(super) fn gather(
    repo: &Path,
    wanted: &str,
    facts: &RepoFacts,
    content: &str,
    config: &Config,
    watching: Watching,
    session: &mut Session<'_>,
) -> Result<Knowledge, Stop> {
    let mut knowledge = Knowledge::default();
    if let Some(investigation) = investigation(repo, content, config, watching, session)? {
        learn(&investigation, &mut knowledge);
    }
    let words = search_words(wanted);
    for path in facts.files.iter().take(MOST_FILES) {
        let Some(text) = read(&repo.join(path), MOST_BYTES) else { continue };
        let known: &mut FileKnowledge = knowledge.files.entry(path.clone()).or_default();
        known.lines = text.lines().count();
        known.hits = find_words(&text, &words, 40);
    }
    Ok(knowledge)
}

fn investigation(
    repo: &Path,
    content: &str,
    config: &Config,
    watching: Watching,
    session: &mut Session<'_>,
) -> Result<Option<Investigation>, Stop> {
    let store = Store::open(&config.home).map_err(|error| crate::known::failure(&error))?;
    let is_current = |investigation: &Investigation| {
        let report = investigation.report::<Report>().ok().flatten();
        report.and_then(|report| report.content_hash).is_some_and(|hash| hash.to_string() == content)
    };
    let current = store.investigations().current(&Target::new(repo)).map(|meta| meta.id);
    if let Some(found) = current.map(|id| store.investigation(id)).filter(is_current) {
        return Ok(Some(found));
    }
    if watching == Watching::Live {
        session.printer.note("looking at the repository, without a model");
    }
    let request = request(config, session, repo, Vec::new());
    match run_to_end(request, Watching::Quiet, config, session) {
        Ok(followed) => Ok(followed.investigation.parse().ok().map(|id| store.investigation(id))),
        Err(Stop::Failed(Failure { message, .. })) => {
            session.printer.warn(format_args!("the repository was not investigated: {message}"));
            Ok(None)
        }
        Err(stop @ Stop::OutputClosed) => Err(stop),
    }
}

fn learn(investigation: &Investigation, knowledge: &mut Knowledge) {
    knowledge.origin = format!("investigation {}", investigation.id());
    if let Ok(Some(report)) = investigation.report::<Report>() {
        knowledge.brief = report.findings.brief.clone();
        for entry in &report.directories {
            knowledge.dirs.push((entry.relative_path.to_word(), entry.summary.clone()));
            for claim in entry.claims.iter().filter(|claim| claim.verified) {
                let place =
                    claim.evidence.first().map(|it| format!("{}:{}", it.path.to_word(), it.start_line));
                knowledge.claims.push((claim.text.clone(), place.unwrap_or_default()));
            }
        }
    }
    for entry in investigation.file_entries().0 {
        knowledge.files.entry(entry.relative_path.to_word()).or_default().summary = entry.summary;
    }
}
