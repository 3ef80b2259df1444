//! The files of a commit, written where nothing was.
//!
//! Names come from the repository and may be anything: each is checked, and nothing that is there already is ever followed
//! or written to. Contents are written as they are stored; submodules are left out.

use std::ffi::OsStr;
use std::io::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{OpenOptionsExt as _, symlink};
use std::path::Path;

use gix::objs::tree::EntryKind;

use super::{Repo, inert, words};
use crate::evolve::chain::CommitId;
use crate::evolve::error::Error;

/// Deeper than this is no tree of files that people made.
const DEEPEST: usize = 256;

impl Repo {
    /// Writes the files of a commit into an empty directory. Tells how many submodules are left out.
    pub fn check_out(&self, id: &CommitId, dir: &Path) -> Result<usize, Error> {
        let mut left_out = 0;
        self.write_tree(&self.tree(id)?, dir, 0, &mut left_out)?;
        Ok(left_out)
    }

    fn write_tree(
        &self,
        tree: &gix::Tree<'_>,
        dir: &Path,
        depth: usize,
        left_out: &mut usize,
    ) -> Result<(), Error> {
        if DEEPEST < depth {
            return Err(Error::Checkout("directories are nested too deeply".to_owned()));
        }
        for entry in tree.iter() {
            let entry = entry.map_err(|error| Error::Checkout(words(&error)))?;
            let name = entry.filename();
            let failed =
                |why: &dyn std::fmt::Display| Error::Checkout(format!("`{}`: {}", inert(name), words(why)));
            if !is_harmless(name) {
                return Err(failed(&"no file may have this name"));
            }
            let path = dir.join(OsStr::from_bytes(name));
            let object = || entry.object().map_err(|error| failed(&error));
            match entry.mode().kind() {
                EntryKind::Tree => {
                    std::fs::create_dir(&path).map_err(|error| failed(&error))?;
                    self.write_tree(&object()?.into_tree(), &path, depth + 1, left_out)?;
                }
                EntryKind::Blob => {
                    write_file(&path, &object()?.data, 0o644).map_err(|error| failed(&error))?
                }
                EntryKind::BlobExecutable => {
                    write_file(&path, &object()?.data, 0o755).map_err(|error| failed(&error))?;
                }
                EntryKind::Link => {
                    let target = object()?.detach().data;
                    symlink(OsStr::from_bytes(&target), &path).map_err(|error| failed(&error))?;
                }
                EntryKind::Commit => *left_out += 1,
            }
        }
        Ok(())
    }
}

/// Whether a name stays in its directory and is not git's own.
fn is_harmless(name: &[u8]) -> bool {
    !name.is_empty()
        && name != b"."
        && name != b".."
        && !name.eq_ignore_ascii_case(b".git")
        && !name.iter().any(|byte| matches!(byte, b'/' | 0))
}

fn write_file(path: &Path, bytes: &[u8], mode: u32) -> std::io::Result<()> {
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(mode).open(path)?;
    file.write_all(bytes)
}
