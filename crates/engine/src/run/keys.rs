//! Whether an old result still counts.
//!
//! The key of a directory covers everything that shapes what is said about it: its own files, what its children's
//! results look like from above, the first look at the whole, and the parameters (model, prompts, tools). A child that
//! comes out the same does not disturb its parent, whatever changed in it.

use luminos_core::entry::DirEntry;
use luminos_core::flag::Flag;
use luminos_core::scan::{DirId, Scan};
use luminos_core::survey::Survey;
use luminos_core::{ContentHash, TargetKind};
use sha2::{Digest as _, Sha256};

/// What a parent sees of a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    /// Its result.
    Result(ContentHash),
    /// It was skipped.
    Skipped,
    /// It should have a result, and has none.
    Missing,
}

/// What every directory is told of the whole target.
#[derive(Debug, Clone, Copy)]
pub(super) struct AboutWhole<'a> {
    pub(super) kind: TargetKind,
    pub(super) survey: Option<&'a Survey>,
}

/// Puts parts into a hash such that no two lists of parts look alike.
struct Parts(Sha256);

impl Parts {
    fn new(what: &str) -> Self {
        let mut parts = Self(Sha256::new());
        parts.add(what.as_bytes());
        parts
    }

    fn add(&mut self, part: &[u8]) {
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    fn finish(self) -> ContentHash {
        ContentHash(self.0.finalize().into())
    }
}

/// The hash of what a directory holds directly.
pub(super) fn own_content(scan: &Scan, dir: DirId) -> ContentHash {
    let mut parts = Parts::new("luminos.dir-content/1");
    if scan.dir(dir).unreadable {
        parts.add(b"unreadable");
    }
    for file in scan.files_of(dir) {
        let record = scan.file(file);
        parts.add(scan.name(record.name));
        parts.add(record.kind.name().as_bytes());
        parts.add(&[u8::from(record.executable)]);
        parts.add(&record.size.to_le_bytes());
        parts.add(&record.hash.0);
    }
    parts.finish()
}

/// The hash of all that a report on a target rests on: what was scanned, and what is read beside it.
pub(super) fn whole(scan: &Scan, around: ContentHash) -> ContentHash {
    let mut parts = Parts::new("luminos.whole/1");
    parts.add(&scan.content_hash().0);
    parts.add(&around.0);
    parts.finish()
}

/// The key of a directory. `around` is what is read beside the scan, for the one that tells of it.
pub(super) fn dir_key(
    scan: &Scan,
    dir: DirId,
    seen: impl Fn(DirId) -> Seen,
    whole: &AboutWhole<'_>,
    around: Option<ContentHash>,
    parameters: ContentHash,
) -> ContentHash {
    let mut parts = Parts::new("luminos.dir-key/3");
    parts.add(&own_content(scan, dir).0);
    for child in scan.children_of(dir) {
        parts.add(scan.name(scan.dir(child).name));
        match seen(child) {
            Seen::Result(digest) => parts.add(&digest.0),
            Seen::Skipped => parts.add(b"skipped"),
            Seen::Missing => parts.add(b"missing"),
        }
    }
    parts.add(whole.kind.word().as_bytes());
    parts.add(&survey_digest(whole.survey).0);
    parts.add(around.as_ref().map(|hash| &hash.0[..]).unwrap_or_default());
    parts.add(&parameters.0);
    parts.finish()
}

fn survey_digest(survey: Option<&Survey>) -> ContentHash {
    let mut parts = Parts::new("luminos.survey/1");
    if let Some(survey) = survey {
        parts.add(survey.description.as_bytes());
        parts.add(survey.approach.as_bytes());
        parts.add(survey.domain_notes.as_bytes());
        survey.tools_to_skip().iter().for_each(|tool| parts.add(tool.as_bytes()));
    }
    parts.finish()
}

/// What a parent sees of a result.
pub(super) fn digest(entry: &DirEntry) -> ContentHash {
    let mut parts = Parts::new("luminos.dir-digest/1");
    parts.add(entry.summary.as_bytes());
    parts.add(&[u8::from(entry.partial)]);
    for claim in &entry.claims {
        parts.add(claim.text.as_bytes());
        parts.add(&[u8::from(claim.verified)]);
    }
    for file in &entry.notable_files {
        parts.add(file.as_bytes());
    }
    parts.finish()
}

/// What a report is made from.
pub(super) fn report_key<'a>(
    entries: impl Iterator<Item = &'a DirEntry>,
    flags: &[Flag],
    content: ContentHash,
    parameters: ContentHash,
) -> ContentHash {
    let mut parts = Parts::new("luminos.report-key/1");
    for entry in entries {
        parts.add(entry.relative_path.as_bytes());
        parts.add(&digest(entry).0);
    }
    for flag in flags {
        parts.add(flag.path.as_bytes());
        parts.add(flag.finding.as_bytes());
        parts.add(flag.severity.word().as_bytes());
    }
    parts.add(&content.0);
    parts.add(&parameters.0);
    parts.finish()
}
