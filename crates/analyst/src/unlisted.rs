//! What a scan leaves out and a reader wants to know all the same: how a build server builds and tests it, which
//! variables it takes, which versions of tools it wants, and its history.
//!
//! Hidden files are left out of a scan. A few of them, with names that everybody gives them, say more about a project
//! than most of what is listed; the loop over the target itself reads those, and the judge checks what is said about
//! them like anything else. A real `.env` is not among them.

use std::io::Read as _;
use std::path::Path;

use luminos_core::job::ListedFile;
use luminos_core::scan::Category;
use luminos_core::{ContentHash, RelPath};
use luminos_tools::Root;
use sha2::{Digest as _, Sha256};

use super::git;

/// Files at the top of a target.
const FILES: &[&str] = &[
    ".gitlab-ci.yml",
    ".travis.yml",
    ".circleci/config.yml",
    ".cirrus.yml",
    ".woodpecker.yml",
    ".env.example",
    ".env.sample",
    ".env.template",
    ".env.dist",
    ".justfile",
    ".github/CONTRIBUTING.md",
    ".github/contributing.md",
];
/// Where workflows lie.
const WORKFLOWS: &str = ".github/workflows";
/// So many workflows are read.
const MOST: usize = 40;
/// Larger ones are not.
const LARGEST: u64 = 256 << 10;

/// Those that are there, by path, with their sizes.
pub(crate) fn files(root: &Root) -> Vec<(RelPath, u64)> {
    let mut paths: Vec<RelPath> = FILES.iter().map(|path| RelPath::from(*path)).collect();
    if let Ok(dir) = root.directory(&RelPath::from(WORKFLOWS)) {
        let mut found = Vec::new();
        let _ = dir.each(|entry| {
            if entry.name.ends_with(b".yml") || entry.name.ends_with(b".yaml") {
                found.push(dir.child(entry.name));
            }
        });
        found.sort();
        found.truncate(MOST);
        paths.extend(found);
    }
    let sized = paths.into_iter().filter_map(|path| {
        let size = root.file(&path).ok()?.file.metadata().ok()?.len();
        (0 < size && size <= LARGEST).then_some((path, size))
    });
    sized.collect()
}

/// A file as an assignment would list it.
pub(crate) fn listed(path: &RelPath, size: u64) -> ListedFile {
    ListedFile {
        name: path.clone(),
        size,
        category: Category::Config,
        language: None,
        description: None,
        lines: 0,
        hash: None,
        kind: None,
        executable: false,
    }
}

/// A hash of all that is read beside what the scan lists: when it changes, what is said about the target may, too.
/// Where there is nothing of the kind, it is always the same.
pub fn surroundings(target: &Path) -> ContentHash {
    let Ok(root) = &Root::open(target) else { return ContentHash::default() };
    let mut hash = Sha256::new();
    hash.update(b"luminos.surroundings/1");
    for (path, size) in files(root) {
        let mut bytes = Vec::new();
        if let Ok(opened) = root.file(&path) {
            let _ = opened.file.take(LARGEST).read_to_end(&mut bytes);
        }
        hash.update(path.as_bytes());
        hash.update(size.to_le_bytes());
        hash.update(Sha256::digest(&bytes));
    }
    if let Some(tip) = git::tip(root) {
        hash.update(tip.id.hex());
    }
    ContentHash(hash.finalize().into())
}
