//! Entries: what is known about files and directories.

use std::path::{Path, PathBuf};

use luminos_core::RelPath;
use luminos_core::entry::{DirEntry, FileEntry, NotAnEntry, check_entry};
use serde::Serialize;
use serde_json::Value;

use super::{Investigation, malformed, sealed};
use crate::document::{self, Kind};
use crate::error::{Problem, Why};
use crate::layout::{DIR_ENTRY, FILE_ENTRY, key};
use crate::{Receipt, Urgency, Writer};

impl Investigation {
    /// What is known about a directory.
    pub fn dir_entry(&self, dir: &RelPath) -> Result<Option<DirEntry>, Problem> {
        read(&self.dir_entry_path(dir), DIR_ENTRY, Some(dir), DirEntry::read)
    }

    /// Keeps what is known about a directory.
    pub fn put_dir_entry(&self, writer: &Writer, entry: &DirEntry) -> Receipt {
        put(writer, &self.dir_entry_path(&entry.relative_path), DIR_ENTRY, entry)
    }

    /// What is known about all directories, by path, and what could not be used.
    pub fn dir_entries(&self) -> (Vec<DirEntry>, Vec<Problem>) {
        all(&self.dir.join("dirs"), |path| read(path, DIR_ENTRY, None, DirEntry::read))
    }

    /// What is known about a file.
    pub fn file_entry(&self, file: &RelPath) -> Result<Option<FileEntry>, Problem> {
        read(&self.file_entry_path(file), FILE_ENTRY, Some(file), FileEntry::read)
    }

    /// Keeps what is known about a file.
    pub fn put_file_entry(&self, writer: &Writer, entry: &FileEntry) -> Receipt {
        put(writer, &self.file_entry_path(&entry.relative_path), FILE_ENTRY, entry)
    }

    /// What is known about all files, by path, and what could not be used.
    pub fn file_entries(&self) -> (Vec<FileEntry>, Vec<Problem>) {
        all(&self.dir.join("files"), |path| read(path, FILE_ENTRY, None, FileEntry::read))
    }

    /// What is known about the files directly in a directory. Reads the entries of all files: whoever knows the
    /// names of the files asks for those (`file_entries_among`).
    pub fn file_entries_of(&self, dir: &RelPath) -> (Vec<FileEntry>, Vec<Problem>) {
        let (mut entries, problems) = self.file_entries();
        entries.retain(|entry| entry.relative_path.parent().as_ref() == Some(dir));
        (entries, problems)
    }

    /// What is known about these files, in their order.
    pub fn file_entries_among<'a>(
        &self,
        files: impl IntoIterator<Item = &'a RelPath>,
    ) -> (Vec<FileEntry>, Vec<Problem>) {
        let mut problems = Vec::new();
        let entries = files.into_iter().filter_map(|file| {
            self.file_entry(file).unwrap_or_else(|problem| {
                problems.push(problem);
                None
            })
        });
        (entries.collect(), problems)
    }

    fn dir_entry_path(&self, dir: &RelPath) -> PathBuf {
        self.dir.join("dirs").join(format!("{}.json", key(dir)))
    }

    fn file_entry_path(&self, file: &RelPath) -> PathBuf {
        self.dir.join("files").join(format!("{}.json", key(file)))
    }
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
    let is_in_place = path.file_stem().is_some_and(|stem| *stem == *key(about));
    if !is_in_place || asked.is_some_and(|asked| asked != about) {
        return Err(Problem::new(path, Why::Elsewhere));
    }
    Ok(Some(entry))
}

/// Keeps an entry that reading will accept: what would be thrown away later is refused here.
fn put(writer: &Writer, path: &Path, kind: Kind, entry: &impl Serialize) -> Receipt {
    let checked = serde_json::to_value(entry).map_err(|error| error.to_string());
    let checked = checked.and_then(|words| check_entry(&words).map_err(|error| error.to_string()));
    if let Err(reason) = checked {
        return malformed(path, &reason);
    }
    sealed(kind, entry, path).map_or_else(Receipt::failed, |bytes| writer.put(path, bytes, Urgency::Usual))
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
