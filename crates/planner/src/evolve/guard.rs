//! Whether files changed while a plan was made.
//!
//! Planning only reads. What a model's program does nevertheless is seen here: names, sizes and times of all files that git
//! does not ignore, before and after, and where the branches are.

use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ignore::{DirEntry, WalkBuilder};

use super::git::{Repo, inert};

/// How many files are named.
const NAMED: usize = 5;
/// What names files that git ignores, in any directory.
const IGNORE_LIST: &str = ".gitignore";

/// What a worktree looked like at one time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    root: Option<PathBuf>,
    files: BTreeMap<PathBuf, (u32, u64, i64, i64)>,
    branches: Vec<String>,
}

/// Whether something lies at a path that is no file.
fn is_odd(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| !found.is_file())
}

impl Fingerprint {
    /// How it looks now.
    pub(crate) fn take(repo: &Repo) -> Self {
        let root = repo.worktree();
        let mut files = BTreeMap::new();
        if let Some(root) = &root {
            // A list of what is ignored is opened by whoever walks, whatever it is: a pipe would be waited for. Where one is
            // no file, none is read.
            let has_odd_list = Arc::new(AtomicBool::new(is_odd(&root.join(IGNORE_LIST))));
            let seen = Arc::clone(&has_odd_list);
            let is_walked = move |entry: &DirEntry| {
                let is_odd = is_odd(&entry.path().join(IGNORE_LIST));
                seen.fetch_or(is_odd, Ordering::Relaxed);
                entry.file_name() != ".git" && !is_odd
            };
            let mut walk = WalkBuilder::new(root);
            walk.hidden(false).ignore(false).git_global(false).parents(false).follow_links(false);
            let mut found: Vec<DirEntry> = Vec::new();
            if !has_odd_list.load(Ordering::Relaxed) {
                found = walk.clone().filter_entry(is_walked).build().flatten().collect();
            }
            if has_odd_list.load(Ordering::Relaxed) {
                walk.git_ignore(false).git_exclude(false).filter_entry(|entry| entry.file_name() != ".git");
                found = walk.build().flatten().collect();
            }
            for entry in found {
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

#[cfg(test)]
mod tests {
    use rustix::fs::{CWD, Mode, mkfifoat};

    use super::super::git::fixture::Fixture;
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test sets its scene; nobody's data is at stake")]
    fn a_list_of_ignored_files_that_is_a_pipe_is_not_waited_for() {
        for place in ["", "src"] {
            let fixture = Fixture::new();
            std::fs::create_dir_all(fixture.path().join("src")).unwrap();
            mkfifoat(CWD, fixture.path().join(place).join(IGNORE_LIST), Mode::RUSR | Mode::WUSR).unwrap();
            let before = Fingerprint::take(&fixture.open());
            std::fs::write(fixture.path().join("src/new.rs"), "x").unwrap();
            assert_eq!(Fingerprint::take(&fixture.open()).changed_since(&before), ["src/new.rs"], "{place}");
        }
    }
}
