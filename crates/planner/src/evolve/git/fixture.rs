//! A repository that tests write.

use std::collections::BTreeMap;
use std::path::Path;

use gix::objs::tree::EntryKind;

use super::{Repo, object_id};
use crate::evolve::chain::CommitId;

/// A repository in a directory of its own.
pub(crate) struct Fixture {
    dir: tempfile::TempDir,
    git: gix::Repository,
    files: BTreeMap<String, String>,
    /// The files of each commit.
    trees: BTreeMap<CommitId, BTreeMap<String, String>>,
    seconds: i64,
}

impl Fixture {
    /// With a worktree, whose files are not written.
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let git = gix::init(dir.path()).unwrap();
        Self { dir, git, files: BTreeMap::new(), trees: BTreeMap::new(), seconds: 1_700_000_000 }
    }

    pub(crate) fn bare() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let git = gix::init_bare(dir.path()).unwrap();
        Self { dir, git, files: BTreeMap::new(), trees: BTreeMap::new(), seconds: 1_700_000_000 }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn open(&self) -> Repo {
        Repo::open(self.path()).unwrap()
    }

    /// A commit on the current branch; files with no text are removed.
    pub(crate) fn commit(&mut self, message: &str, files: &[(&str, &str)]) -> CommitId {
        let parent = self.git.head_id().ok().map(|id| id.detach());
        let id = self.write(message, files, parent);
        let name = self.git.head_name().unwrap().unwrap();
        self.point(&name.to_string(), &id);
        id
    }

    /// A commit on a branch that begins at another commit.
    pub(crate) fn branch(
        &mut self,
        name: &str,
        at: &CommitId,
        message: &str,
        files: &[(&str, &str)],
    ) -> CommitId {
        let kept = std::mem::replace(&mut self.files, self.trees[at].clone());
        let id = self.write(message, files, Some(object_id(at).unwrap()));
        self.point(&format!("refs/heads/{name}"), &id);
        self.files = kept;
        id
    }

    fn point(&self, name: &str, id: &CommitId) {
        let any = gix::refs::transaction::PreviousValue::Any;
        self.git.reference(name, object_id(id).unwrap(), any, "test").unwrap();
    }

    fn write(&mut self, message: &str, files: &[(&str, &str)], parent: Option<gix::ObjectId>) -> CommitId {
        for (path, text) in files {
            if text.is_empty() {
                self.files.remove(*path);
            } else {
                self.files.insert((*path).to_owned(), (*text).to_owned());
            }
        }
        let mut editor = self.git.empty_tree().edit().unwrap();
        for (path, text) in &self.files {
            let blob = self.git.write_blob(text).unwrap();
            editor.upsert(path.as_str(), EntryKind::Blob, blob.detach()).unwrap();
        }
        let tree = editor.write().unwrap().detach();
        self.seconds += 60;
        let time = gix::date::Time { seconds: self.seconds, offset: 0 }.to_string();
        let who =
            gix::actor::SignatureRef { name: "Ada".into(), email: "ada@example.org".into(), time: &time };
        let commit = self.git.new_commit_as(who, who, message, tree, parent).unwrap();
        let id = CommitId::new(&commit.id.to_string());
        self.trees.insert(id.clone(), self.files.clone());
        id
    }
}
