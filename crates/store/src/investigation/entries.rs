//! Entries: what is known about files and directories.

use std::path::{Path, PathBuf};

use luminos_core::RelPath;
use luminos_core::entry::{DirEntry, FileEntry, NotAnEntry};
use luminos_core::scan::home_of;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Investigation, malformed, sealed};
use crate::document::{self, Kind};
use crate::error::{Problem, Why};
use crate::layout::{DIR_ENTRY, FILE_ENTRIES, FILE_ENTRY, key};
use crate::{Receipt, Urgency, Writer};

impl Investigation {
    /// What is known about a directory.
    pub fn dir_entry(&self, dir: &RelPath) -> Result<Option<DirEntry>, Problem> {
        let document = read(&self.dir_entry_path(dir), DIR_ENTRY, Some(dir), DirEntry::read)?;
        document.map_or_else(|| self.noted_dir(dir), |entry| Ok(Some(entry)))
    }

    /// Keeps what is known about a directory.
    pub fn put_dir_entry(&self, writer: &Writer, entry: &DirEntry) -> Receipt {
        let path = self.dir_entry_path(&entry.relative_path);
        // What would be thrown away when it is read is refused here.
        if let Err(error) = entry.check() {
            return malformed(&path, &error.to_string());
        }
        sealed(DIR_ENTRY, entry, &path)
            .map_or_else(Receipt::failed, |bytes| writer.put(&path, bytes, Urgency::Usual))
    }

    /// What is known about all directories, by path, and what could not be used.
    pub fn dir_entries(&self) -> (Vec<DirEntry>, Vec<Problem>) {
        let (mut entries, mut problems) =
            all(&self.dir.join("dirs"), |path| read(path, DIR_ENTRY, None, DirEntry::read));
        self.add_noted_dirs(&mut entries, &mut problems);
        entries.sort_unstable_by(|a, b| a.relative_path.cmp(&b.relative_path));
        (entries, problems)
    }

    /// What is known about a file.
    pub fn file_entry(&self, file: &RelPath) -> Result<Option<FileEntry>, Problem> {
        let entries = self.file_entries_of(&home_of(file))?;
        Ok(entries.into_iter().find(|entry| entry.relative_path == *file))
    }

    /// Keeps what is known about the files directly in a directory, instead of what was known before. They are one
    /// document: to make a file for each would take longer than to find out what is in them.
    pub fn put_file_entries(&self, writer: &Writer, dir: &RelPath, entries: &[FileEntry]) -> Receipt {
        let path = self.file_entries_path(dir);
        if let Some(reason) = fault_of_files(dir, entries) {
            return malformed(&path, &reason);
        }
        let shelf = ShelfToWrite { relative_path: dir, entries };
        sealed(FILE_ENTRIES, &shelf, &path)
            .map_or_else(Receipt::failed, |bytes| writer.put(&path, bytes, Urgency::Usual))
    }

    /// What is known about all files, by path, and what could not be used.
    pub fn file_entries(&self) -> (Vec<FileEntry>, Vec<Problem>) {
        let (mut entries, mut problems) = self.file_documents();
        self.add_whole_files(&mut entries, &mut problems);
        entries.sort_unstable_by(|a, b| a.relative_path.cmp(&b.relative_path));
        (entries, problems)
    }

    /// The files that documents tell of.
    pub(super) fn file_documents(&self) -> (Vec<FileEntry>, Vec<Problem>) {
        let (shelves, problems) = all(&self.dir.join("files"), |path| read_shelf(path, None));
        (shelves.into_iter().flat_map(|shelf| shelf.entries).collect(), problems)
    }

    /// What is known about the files directly in a directory.
    pub fn file_entries_of(&self, dir: &RelPath) -> Result<Vec<FileEntry>, Problem> {
        let shelf = read_shelf(&self.file_entries_path(dir), Some(dir))?;
        shelf.map_or_else(|| self.noted_files(dir), |shelf| Ok(shelf.entries))
    }

    pub(super) fn dir_entry_path(&self, dir: &RelPath) -> PathBuf {
        self.dir.join("dirs").join(format!("{}.json", key(dir)))
    }

    fn file_entries_path(&self, dir: &RelPath) -> PathBuf {
        self.dir.join("files").join(format!("{}.json", key(dir)))
    }
}

/// What is wrong with what is to be kept about a directory and its files: what would be thrown away when it is read is
/// refused before.
pub(super) fn fault_of(entry: &DirEntry, files: &[FileEntry]) -> Option<String> {
    let fault = entry.check().err().map(|error| error.to_string());
    fault.or_else(|| fault_of_files(&entry.relative_path, files))
}

fn fault_of_files(dir: &RelPath, files: &[FileEntry]) -> Option<String> {
    files.iter().find_map(|file| {
        let is_here = home_of(&file.relative_path) == *dir;
        if is_here { file.check().err().map(|error| error.to_string()) } else { Some(STRAY.to_owned()) }
    })
}

const STRAY: &str = "it is the entry of a file in another directory";

/// What is known about the files of a directory, as it is kept.
#[derive(Deserialize)]
struct Shelf {
    relative_path: RelPath,
    entries: Vec<FileEntry>,
}

/// The same, to be written.
#[derive(Serialize)]
struct ShelfToWrite<'a> {
    relative_path: &'a RelPath,
    entries: &'a [FileEntry],
}

/// Reads what is known about the files of a directory, and checks that it is about what its name says.
fn read_shelf(path: &Path, asked: Option<&RelPath>) -> Result<Option<Shelf>, Problem> {
    let shelf = match document::read_as::<Shelf>(path, FILE_ENTRIES) {
        Err(Problem { why: Why::Kind { found, .. }, .. }) if found == FILE_ENTRY.word => {
            return read_single(path);
        }
        shelf => shelf?,
    };
    let Some(shelf) = shelf else { return Ok(None) };
    let is_in_place = is_named(path, &shelf.relative_path);
    let is_stray = |entry: &FileEntry| home_of(&entry.relative_path) != shelf.relative_path;
    let is_other = asked.is_some_and(|asked| *asked != shelf.relative_path);
    if !is_in_place || is_other || shelf.entries.iter().any(is_stray) {
        return Err(Problem::new(path, Why::Elsewhere));
    }
    for entry in &shelf.entries {
        entry.check().map_err(|error| Problem::new(path, Why::Entry(error)))?;
    }
    Ok(Some(shelf))
}

/// Reads an entry that has a document of its own.
fn read_single(path: &Path) -> Result<Option<Shelf>, Problem> {
    let entry = read(path, FILE_ENTRY, None, FileEntry::read)?;
    Ok(entry.map(|entry| Shelf { relative_path: home_of(&entry.relative_path), entries: vec![entry] }))
}

/// Whether a document has the name of what it is about.
fn is_named(path: &Path, about: &RelPath) -> bool {
    path.file_stem().is_some_and(|stem| *stem == *key(about))
}

/// Reads an entry, and checks that it is about what its name says.
fn read<T: About>(
    path: &Path,
    kind: Kind,
    asked: Option<&RelPath>,
    parse: impl FnOnce(Value) -> Result<T, NotAnEntry>,
) -> Result<Option<T>, Problem> {
    let Some(found) = document::read(path, kind)? else { return Ok(None) };
    let entry = parse(found).map_err(|error| Problem::new(path, Why::Entry(error)))?;
    let about = entry.about();
    if !is_named(path, about) || asked.is_some_and(|asked| asked != about) {
        return Err(Problem::new(path, Why::Elsewhere));
    }
    Ok(Some(entry))
}

/// Reads all entries of a directory, in the order of what they are about.
fn all<T: About>(dir: &Path, read: impl Fn(&Path) -> Result<Option<T>, Problem>) -> (Vec<T>, Vec<Problem>) {
    let (mut entries, mut problems) = (Vec::new(), Vec::new());
    let files = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|file| file.path());
    for path in files.filter(|path| path.extension().is_some_and(|ending| ending == "json")) {
        match read(&path) {
            Ok(entry) => entries.extend(entry),
            Err(problem) => problems.push(problem),
        }
    }
    entries.sort_unstable_by(|a: &T, b| a.about().cmp(b.about()));
    problems.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    (entries, problems)
}

/// Has a place in the target.
trait About {
    fn about(&self) -> &RelPath;
}

impl About for DirEntry {
    fn about(&self) -> &RelPath {
        &self.relative_path
    }
}

impl About for FileEntry {
    fn about(&self) -> &RelPath {
        &self.relative_path
    }
}

impl About for Shelf {
    fn about(&self) -> &RelPath {
        &self.relative_path
    }
}
