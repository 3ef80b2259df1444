//! A tree of its own for each test.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use luminos_core::scan::{FileRecord, Kind, Scan, Trouble};
use luminos_scan::{Cache, Options, Progress, Scanned};
use tempfile::TempDir;

pub(crate) struct Tree {
    dir: TempDir,
}

impl Tree {
    pub(crate) fn new() -> Self {
        Self { dir: TempDir::new().unwrap() }
    }

    /// A tree in memory, where there is such a file system: for tests with very many entries.
    pub(crate) fn in_memory() -> Self {
        let dir = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new());
        Self { dir: dir.unwrap() }
    }

    /// A tree of files with these contents; a name that ends with a slash is an empty directory.
    pub(crate) fn of(entries: &[(&str, &str)]) -> Self {
        let tree = Self::new();
        for (path, text) in entries {
            tree.write(path, text);
        }
        tree
    }

    /// Where the target is; beside it there is room for what lies outside.
    pub(crate) fn root(&self) -> PathBuf {
        let root = self.dir.path().join("target");
        fs::create_dir_all(&root).unwrap();
        root
    }

    pub(crate) fn outside(&self) -> PathBuf {
        let outside = self.dir.path().join("outside");
        fs::create_dir_all(&outside).unwrap();
        outside
    }

    #[expect(clippy::disallowed_methods, reason = "a test makes its own files")]
    pub(crate) fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let at = self.root().join(path);
        if path.ends_with('/') {
            fs::create_dir_all(at).unwrap();
            return;
        }
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        fs::write(at, text).unwrap();
    }

    #[expect(clippy::disallowed_methods, reason = "a test removes its own files")]
    pub(crate) fn remove(&self, path: &str) {
        fs::remove_file(self.root().join(path)).unwrap();
    }

    pub(crate) fn set_mode(&self, path: &str, mode: u32) {
        fs::set_permissions(self.root().join(path), fs::Permissions::from_mode(mode)).unwrap();
    }

    pub(crate) fn scan(&self) -> Scan {
        self.scan_with(Options::default())
    }

    pub(crate) fn scan_with(&self, options: Options) -> Scan {
        scan_of(&self.root(), &options, &Cache::default()).scan
    }
}

pub(crate) fn scan_of(root: &Path, options: &Options, cache: &Cache) -> Scanned {
    luminos_scan::scan(root, options, cache, &Progress::default()).unwrap()
}

/// The paths of all files, escaped.
pub(crate) fn paths(scan: &Scan) -> Vec<String> {
    let mut paths: Vec<String> = scan.file_ids().map(|file| scan.file_path(file).for_terminal()).collect();
    paths.sort();
    paths
}

/// The paths of all directories but the target, escaped.
pub(crate) fn dirs(scan: &Scan) -> Vec<String> {
    scan.dir_ids().skip(1).map(|dir| scan.dir_path(dir).for_terminal()).collect()
}

pub(crate) fn record<'a>(scan: &'a Scan, path: &str) -> &'a FileRecord {
    let file = scan.file_ids().find(|&file| scan.file_path(file).for_terminal() == path);
    scan.file(file.unwrap_or_else(|| panic!("no {path} in {:?}", paths(scan))))
}

pub(crate) fn kinds(scan: &Scan) -> BTreeMap<String, Kind> {
    scan.file_ids().map(|file| (scan.file_path(file).for_terminal(), scan.file(file).kind)).collect()
}

/// Problems as path and word for it.
pub(crate) fn problems(scan: &Scan) -> Vec<(String, &'static str)> {
    scan.problems
        .iter()
        .map(|problem| (problem.path.for_terminal(), Trouble::code(&problem.trouble)))
        .collect()
}
