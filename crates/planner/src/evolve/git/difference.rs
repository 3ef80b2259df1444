//! What differs between two commits: files by name, and lines.
//!
//! Blobs are compared as they are stored: no filter, no attribute, no program of anybody's takes part.

use std::collections::HashSet;

use gix::diff::blob::{Algorithm, Diff, InternedInput};
use gix::diff::tree::Recorder;
use gix::diff::tree::recorder::Change;
use gix::objs::TreeRefIter;
use luminos_core::{RelPath, is_secret_file};

use super::{Repo, inert, words};
use crate::evolve::card::{Changes, FileChange};
use crate::evolve::chain::CommitId;
use crate::evolve::error::Error;

/// Lines are counted in so many files of one difference.
const COUNTED: usize = 1000;
/// Larger blobs are not counted.
const LARGEST: u64 = 1 << 20;
/// How many bytes decide whether something is binary, as git does it.
const LOOKED_AT: usize = 8000;

impl Repo {
    /// What a commit changed, compared with its parent.
    pub fn changes(&self, id: &CommitId, parent: Option<&CommitId>) -> Result<Changes, Error> {
        let records = self.records(parent, id)?;
        let mut files = Vec::with_capacity(records.len());
        for (at, record) in records.iter().enumerate() {
            let (before, after, path) = sides(record);
            let (added, removed) = if at < COUNTED { self.count_lines(before, after) } else { (0, 0) };
            files.push(FileChange { path: inert(path), added, removed });
        }
        Ok(Changes::new(files, COUNTED < records.len()))
    }

    /// The files that a commit changed, by name.
    pub fn changed_paths(&self, id: &CommitId, parent: Option<&CommitId>) -> Result<Vec<String>, Error> {
        Ok(self.records(parent, id)?.iter().map(|record| inert(sides(record).2)).collect())
    }

    /// All files of a commit, by name.
    pub fn paths(&self, id: &CommitId) -> Result<Vec<String>, Error> {
        let tree = self.tree(id)?;
        let broken = |why: String| Error::Object { what: format!("the files of {}", id.short()), why };
        let entries = tree.traverse().breadthfirst.files().map_err(|error| broken(words(&error)))?;
        Ok(entries.iter().filter(|entry| !entry.mode.is_tree()).map(|entry| inert(&entry.filepath)).collect())
    }

    /// The texts of a commit's files that are wanted, one after the other, until `most_bytes` of them were read.
    pub(crate) fn texts(
        &self,
        id: &CommitId,
        is_wanted: impl Fn(&str) -> bool,
        most_bytes: usize,
        mut each: impl FnMut(String, &str),
    ) -> Result<(), Error> {
        let tree = self.tree(id)?;
        let broken = |why: String| Error::Object { what: format!("the files of {}", id.short()), why };
        let entries = tree.traverse().breadthfirst.files().map_err(|error| broken(words(&error)))?;
        // What has a name by which it keeps secrets is withheld by every other name, too.
        let is_secret = |path: &[u8]| is_secret_file(&RelPath::new(path));
        let secret: HashSet<gix::ObjectId> =
            entries.iter().filter(|entry| is_secret(&entry.filepath)).map(|entry| entry.oid).collect();
        let mut read = 0;
        for entry in entries.iter().filter(|entry| entry.mode.is_blob() && !secret.contains(&entry.oid)) {
            let path = inert(&entry.filepath);
            if most_bytes < read {
                break;
            }
            if is_wanted(&path)
                && let Some(text) = self.text(Some(entry.oid))
            {
                read += text.len();
                each(path, &String::from_utf8_lossy(&text));
            }
        }
        Ok(())
    }

    pub(super) fn records(&self, before: Option<&CommitId>, after: &CommitId) -> Result<Vec<Change>, Error> {
        let empty = || self.git.empty_tree();
        let before = before.map(|id| self.tree(id)).transpose()?.unwrap_or_else(empty);
        let after_tree = self.tree(after)?;
        let mut recorder = Recorder::default();
        gix::diff::tree(
            TreeRefIter::from_bytes(&before.data, before.id.kind()),
            TreeRefIter::from_bytes(&after_tree.data, after_tree.id.kind()),
            gix::diff::tree::State::default(),
            &self.git.objects,
            &mut recorder,
        )
        .map_err(|error| Error::Object {
            what: format!("the difference to {}", after.short()),
            why: words(&error),
        })?;
        let is_tree = |change: &Change| match change {
            Change::Addition { entry_mode, .. }
            | Change::Deletion { entry_mode, .. }
            | Change::Modification { entry_mode, .. } => entry_mode.is_tree(),
        };
        Ok(recorder.records.into_iter().filter(|change| !is_tree(change)).collect())
    }

    fn count_lines(&self, before: Option<gix::ObjectId>, after: Option<gix::ObjectId>) -> (u64, u64) {
        let (Some(before), Some(after)) = (self.text(before), self.text(after)) else { return (0, 0) };
        let input = InternedInput::new(before.as_slice(), after.as_slice());
        let diff = Diff::compute(Algorithm::Histogram, &input);
        (u64::from(diff.count_additions()), u64::from(diff.count_removals()))
    }

    /// The text of a blob; nothing, where there is no blob; `None` if it is binary, huge, or not there.
    fn text(&self, id: Option<gix::ObjectId>) -> Option<Vec<u8>> {
        let Some(id) = id else { return Some(Vec::new()) };
        if LARGEST < self.git.find_header(id).ok()?.size() {
            return None;
        }
        let object = self.git.find_object(id).ok()?;
        let is_binary = object.data.iter().take(LOOKED_AT).any(|byte| *byte == 0);
        (!is_binary).then(|| object.detach().data)
    }
}

/// Before, after, and where.
pub(super) fn sides(change: &Change) -> (Option<gix::ObjectId>, Option<gix::ObjectId>, &[u8]) {
    match change {
        Change::Addition { oid, path, .. } => (None, Some(*oid), path),
        Change::Deletion { oid, path, .. } => (Some(*oid), None, path),
        Change::Modification { previous_oid, oid, path, .. } => (Some(*previous_oid), Some(*oid), path),
    }
}
