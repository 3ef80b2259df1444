//! Whether files changed while a plan was made.
//!
//! Planning only reads. What a model's program does nevertheless is seen here: names, sizes and times of all files that git
//! does not ignore, before and after, and where the branches are.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::PathBuf;

use ignore::WalkBuilder;

use super::git::{Repo, inert};

/// How many files are named.
const NAMED: usize = 5;

/// What a worktree looked like at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    root: Option<PathBuf>,
    files: BTreeMap<PathBuf, (u32, u64, i64, i64)>,
    branches: Vec<String>,
}

impl Fingerprint {
    /// How it looks now.
    pub(crate) fn take(repo: &Repo) -> Self {
        let root = repo.worktree();
        let mut files = BTreeMap::new();
        if let Some(root) = &root {
            let walk = WalkBuilder::new(root)
                .hidden(false)
                .ignore(false)
                .git_global(false)
                .follow_links(false)
                .filter_entry(|entry| entry.file_name() != ".git")
                .build();
            for entry in walk.flatten() {
                let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
                if let Ok(found) = entry.metadata()
                    && !is_dir
                {
                    let seen = (found.mode(), found.size(), found.mtime(), found.mtime_nsec());
                    files.insert(entry.into_path(), seen);
                }
            }
        }
        Self { root, files, branches: repo.branches() }
    }

    /// What changed since, in a few names; nothing if nothing did.
    pub(crate) fn changed_since(&self, before: &Self) -> Vec<String> {
        let mut changed: Vec<String> = Vec::new();
        let paths =
            before.files.keys().chain(self.files.keys().filter(|path| !before.files.contains_key(*path)));
        for path in paths {
            if before.files.get(path) != self.files.get(path) {
                let name = self.root.as_ref().and_then(|root| path.strip_prefix(root).ok()).unwrap_or(path);
                changed.push(inert(name.as_os_str().as_encoded_bytes()));
            }
        }
        if before.branches != self.branches {
            changed.push("branches".to_owned());
        }
        let more = changed.len().saturating_sub(NAMED);
        changed.truncate(NAMED);
        if 0 < more {
            changed.push(format!("and {more} more"));
        }
        changed
    }
}
