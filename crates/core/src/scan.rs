//! What a base scan found: every directory and file of a target, in a compact form.
//!
//! Directories stand in *preorder*: parents before children, siblings by name, each subtree in one piece.
//! Files are grouped by directory and sorted by name. So the same tree gives the same [`Scan`], whatever
//! order the disk listed it in, and a record costs under a hundred bytes.
//!
//! Not here: how it is found out (`luminos-scan`).

mod builder;
mod first;
mod fold;
mod order;
mod problem;
mod records;
mod signals;
mod summary;
mod tree;

use std::path::PathBuf;

pub use builder::Builder;
pub use fold::{DEEPEST, home_of};
pub use problem::{Problem, Rule, Skipped, SkippedCounts, Trouble};
pub use records::{
    Category, DirId, DirRecord, Embedded, FileId, FileRecord, Kind, LanguageId, LineCounts, Name, Reading,
};
pub use signals::{Signals, Tally};
pub use summary::{
    CategoryTotals, EmbeddedTotals, LanguageTotals, LargeFile, Largeness, Summary, SummaryOptions, Totals,
};
pub use tree::{Node, NodeKind, Tree, TreeOptions};

use crate::{ContentHash, RelPath};

/// Everything one walk found out about a target.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scan {
    /// The target, as an absolute path.
    pub root: PathBuf,
    /// All names, one after another; records point into it.
    pub names: Vec<u8>,
    /// Directories in preorder; the target itself is the first.
    pub dirs: Vec<DirRecord>,
    /// Everything that is not a directory, grouped by directory.
    pub files: Vec<FileRecord>,
    /// Lines of one language inside a file of another, ordered by file.
    pub embedded: Vec<Embedded>,
    /// Names of languages, by [`LanguageId`].
    pub languages: Vec<&'static str>,
    /// Type descriptions, by [`FileRecord::description`].
    pub descriptions: Vec<Box<str>>,
    /// What could not be read, or not wholly.
    pub problems: Vec<Problem>,
    /// How much was left out, by rule.
    pub skipped_counts: SkippedCounts,
    /// Each path left out, when that was asked for.
    pub skipped: Vec<Skipped>,
}

impl Scan {
    /// The hash of the whole target.
    pub fn content_hash(&self) -> ContentHash {
        self.dirs.first().map(|dir| dir.hash).unwrap_or_default()
    }

    /// One directory's record.
    pub fn dir(&self, dir: DirId) -> &DirRecord {
        &self.dirs[dir.0 as usize]
    }

    /// One file's record.
    pub fn file(&self, file: FileId) -> &FileRecord {
        &self.files[file.0 as usize]
    }

    /// The bytes of a name.
    pub fn name(&self, name: Name) -> &[u8] {
        let start = name.start as usize;
        &self.names[start..start + usize::from(name.len)]
    }

    /// All directories, in preorder.
    pub fn dir_ids(&self) -> impl DoubleEndedIterator<Item = DirId> + use<> {
        (0..self.dirs.len() as u32).map(DirId)
    }

    /// All files, in the order of their directories.
    pub fn file_ids(&self) -> impl Iterator<Item = FileId> + use<> {
        (0..self.files.len() as u32).map(FileId)
    }

    /// The files that lie directly in a directory, by name.
    pub fn files_of(&self, dir: DirId) -> impl Iterator<Item = FileId> + use<> {
        let record = self.dir(dir);
        (record.first_file..record.first_file + record.own_files).map(FileId)
    }

    /// The directories that lie directly in a directory, by name.
    pub fn children_of(&self, dir: DirId) -> impl Iterator<Item = DirId> + '_ {
        let end = self.dir(dir).subtree_end;
        let mut next = dir.0 + 1;
        std::iter::from_fn(move || {
            (next < end).then(|| {
                let child = DirId(next);
                next = self.dir(child).subtree_end;
                child
            })
        })
    }

    /// All directories, deepest first, then by path: every directory stands after all its descendants.
    pub fn leaves_first(&self) -> Vec<DirId> {
        let mut dirs: Vec<DirId> = self.dir_ids().collect();
        dirs.sort_by_key(|&dir| std::cmp::Reverse(self.dir(dir).depth));
        dirs
    }

    /// The path of a directory.
    pub fn dir_path(&self, dir: DirId) -> RelPath {
        let mut path = Vec::new();
        self.push_dir_path(dir, &mut path);
        RelPath::new(path)
    }

    /// The path of a file.
    pub fn file_path(&self, file: FileId) -> RelPath {
        let record = self.file(file);
        let mut path = Vec::new();
        self.push_dir_path(record.dir, &mut path);
        if !path.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(self.name(record.name));
        RelPath::new(path)
    }

    fn push_dir_path(&self, dir: DirId, path: &mut Vec<u8>) {
        let mut chain = Vec::with_capacity(self.dir(dir).depth as usize);
        let mut at = dir;
        while at.0 != 0 {
            chain.push(self.dir(at).name);
            at = self.dir(at).parent;
        }
        for (index, name) in chain.into_iter().rev().enumerate() {
            if index > 0 {
                path.push(b'/');
            }
            path.extend_from_slice(self.name(name));
        }
    }

    /// The name of a language.
    pub fn language_name(&self, language: LanguageId) -> &'static str {
        self.languages.get(usize::from(language.0)).copied().unwrap_or("unknown")
    }

    /// What a file is, where its name does not tell.
    pub fn description(&self, file: &FileRecord) -> Option<&str> {
        let index = (file.description as usize).checked_sub(1)?;
        self.descriptions.get(index).map(|description| &**description)
    }

    /// Lines of other languages inside a file.
    pub fn embedded_in(&self, file: FileId) -> &[Embedded] {
        let start = self.embedded.partition_point(|embedded| embedded.file < file);
        let len = self.embedded[start..].partition_point(|embedded| embedded.file == file);
        &self.embedded[start..start + len]
    }
}
