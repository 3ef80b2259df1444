//! Whether what a repository keeps about itself is files and directories.
//!
//! A repository comes with whatever directory one happens to look at. Its readers open `HEAD`, `config` and the like without a
//! look at what they are: a pipe in such a place would be waited for without end, and a device could do things when it is
//! opened. Nothing below `.git` is opened before this has looked.

use std::collections::HashSet;
use std::fs::{self, FileType, Metadata};
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::path::Path;

use crate::evolve::error::shown;

/// Directories of a repository whose files are read.
const READ: &[&str] = &["objects", "refs", "info", "logs", "reftable"];
/// Files of a repository that are read: all files where it has a directory of its own, these where it is bare.
const FILES: &[&str] = &[
    "HEAD",
    "FETCH_HEAD",
    "MERGE_HEAD",
    "ORIG_HEAD",
    "commondir",
    "config",
    "config.worktree",
    "description",
    "gitdir",
    "index",
    "packed-refs",
    "shallow",
];
/// A file directly in a repository is not larger than this.
const LARGEST: u64 = 1 << 30;
/// A file that names a place is not longer than this.
const LONGEST: u64 = 64 << 10;
/// So many places may lead to each other.
const MOST_PLACES: usize = 64;

/// Says what keeps the repository of a directory from being read; everything is well where there is none.
pub(super) fn check(dir: &Path) -> Result<(), String> {
    let dir = fs::canonicalize(dir).unwrap_or_else(|_| dir.to_owned());
    for dir in dir.ancestors() {
        let own = dir.join(".git");
        let mut looked = Looked::default();
        match fs::metadata(&own) {
            Ok(found) if found.is_dir() => looked.repository(&own, Kind::Own)?,
            Ok(found) => {
                allowed(&own, &found)?;
                if let Some(path) =
                    place(&own).and_then(|text| Some(text.strip_prefix("gitdir:")?.trim().to_owned()))
                {
                    looked.repository(&dir.join(path), Kind::Own)?;
                }
            }
            Err(_) => {}
        }
        if fs::symlink_metadata(dir.join("HEAD")).is_ok() && dir.join("objects").is_dir() {
            looked.repository(dir, Kind::Bare)?;
        }
        // What lies above a repository is not looked for.
        if looked.has_head {
            return Ok(());
        }
    }
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// All of the directory belongs to the repository.
    Own,
    /// Other files may lie beside its own.
    Bare,
}

#[derive(Debug, Default)]
struct Looked {
    seen: HashSet<(u64, u64)>,
    places: usize,
    has_head: bool,
}

impl Looked {
    fn repository(&mut self, dir: &Path, kind: Kind) -> Result<(), String> {
        if !self.is_new_place(dir) {
            return Ok(());
        }
        let entries = fs::read_dir(dir).into_iter().flatten().flatten();
        for entry in entries.filter(|entry| {
            let is_known = |name: &&str| entry.file_name() == **name;
            kind == Kind::Own || FILES.iter().chain(READ).any(is_known)
        }) {
            let path = entry.path();
            let Ok(found) = fs::metadata(&path) else { continue };
            allowed(&path, &found)?;
            if found.is_dir() && READ.iter().any(|name| entry.file_name() == **name) {
                self.below(&path)?;
            } else if LARGEST < found.len() && !found.is_dir() {
                return Err(format!("`{}` has {} bytes, more than is read", shown(&path), found.len()));
            }
        }
        self.has_head |= dir.join("HEAD").is_file();
        if let Some(common) = place(&dir.join("commondir")) {
            self.repository(&dir.join(common.trim()), Kind::Own)?;
        }
        self.borrowed(&dir.join("objects"))
    }

    /// Objects that a repository borrows from others.
    fn borrowed(&mut self, objects: &Path) -> Result<(), String> {
        let alternates = place(&objects.join("info/alternates")).unwrap_or_default();
        for line in alternates.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let other = objects.join(line.trim().trim_matches('"'));
            if self.is_new_place(&other) {
                self.below(&other)?;
                self.borrowed(&other)?;
            }
        }
        Ok(())
    }

    /// A directory with all that lies below it; links are followed, as readers do.
    fn below(&mut self, dir: &Path) -> Result<(), String> {
        let mut open = vec![dir.to_owned()];
        while let Some(dir) = open.pop() {
            let Ok(found) = fs::metadata(&dir) else { continue };
            if !self.seen.insert((found.dev(), found.ino())) {
                continue;
            }
            for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
                let Ok(kind) = entry.file_type() else { continue };
                if kind.is_file() {
                    continue;
                }
                let path = entry.path();
                let Ok(found) = fs::metadata(&path) else { continue };
                allowed(&path, &found)?;
                if found.is_dir() {
                    open.push(path);
                }
            }
        }
        Ok(())
    }

    fn is_new_place(&mut self, dir: &Path) -> bool {
        self.places += 1;
        let is_known = |found: Metadata| self.seen.contains(&(found.dev(), found.ino()));
        self.places <= MOST_PLACES && fs::metadata(dir).is_ok_and(|found| found.is_dir() && !is_known(found))
    }
}

/// What stands in a small file that names a place.
fn place(path: &Path) -> Option<String> {
    if !fs::metadata(path).ok()?.is_file() {
        return None;
    }
    let mut text = String::new();
    fs::File::open(path).ok()?.take(LONGEST).read_to_string(&mut text).ok()?;
    Some(text)
}

fn allowed(path: &Path, found: &Metadata) -> Result<(), String> {
    if found.is_file() || found.is_dir() {
        return Ok(());
    }
    Err(format!("`{}` is {}, no file, and is never opened", shown(path), word(found.file_type())))
}

fn word(kind: FileType) -> &'static str {
    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, Mode, mkfifoat};

    use super::super::Repo;
    use super::super::fixture::Fixture;

    fn opened(place: &str) -> String {
        let mut fixture = Fixture::new();
        fixture.commit("Begin", &[("a.txt", "a\n")]);
        let path = fixture.path().join(place);
        let _ = std::fs::create_dir_all(path.parent().unwrap());
        let _ = rustix::fs::unlink(&path);
        mkfifoat(CWD, &path, Mode::RUSR | Mode::WUSR).unwrap();
        match Repo::open(fixture.path()) {
            Ok(_) => "opened".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn no_pipe_of_a_repository_is_opened() {
        for place in [
            ".git/HEAD",
            ".git/config",
            ".git/packed-refs",
            ".git/refs/heads/x",
            ".git/info/exclude",
            ".git/objects/info/alternates",
            ".git/objects/pack/pack-0123456789012345678901234567890123456789.idx",
            ".git/shallow",
            ".git/commondir",
            ".git/logs/HEAD",
        ] {
            let told = opened(place);
            assert!(told.contains("is a pipe, no file, and is never opened"), "{place}: {told}");
        }
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test sets its scene; nobody's data is at stake")]
    fn what_a_repository_leads_to_is_looked_at_as_well() {
        let lender = tempfile::tempdir().unwrap();
        std::fs::create_dir(lender.path().join("pack")).unwrap();
        mkfifoat(CWD, lender.path().join("pack/x.idx"), Mode::RUSR | Mode::WUSR).unwrap();
        let mut fixture = Fixture::new();
        fixture.commit("Begin", &[("a.txt", "a\n")]);
        assert!(Repo::open(fixture.path()).is_ok());
        let alternates = fixture.path().join(".git/objects/info/alternates");
        std::fs::create_dir_all(alternates.parent().unwrap()).unwrap();
        std::fs::write(&alternates, format!("{}\n", lender.path().display())).unwrap();
        assert!(Repo::open(fixture.path()).unwrap_err().to_string().contains("x.idx` is a pipe"));
        std::fs::remove_file(&alternates).unwrap();
        // A link is as good as what it leads to.
        symlink(lender.path().join("pack/x.idx"), fixture.path().join(".git/refs/heads/link")).unwrap();
        assert!(Repo::open(fixture.path()).unwrap_err().to_string().contains("link` is a pipe"));
    }

    #[test]
    fn other_files_beside_a_bare_repository_are_not_its_own() {
        let mut fixture = Fixture::new();
        fixture.commit("Begin", &[("a.txt", "a\n")]);
        let bare = fixture.path().join(".git");
        mkfifoat(CWD, bare.join("hooks-pipe"), Mode::RUSR | Mode::WUSR).unwrap();
        assert!(super::check(&bare).is_ok());
    }
}
