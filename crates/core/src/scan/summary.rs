//! What a scan says at a glance.
//!
//! One pass over the files, one over the directories; the longest lists are found without sorting all
//! files, and no path is built. Equal entries stand in the order of the scan, so the same scan always gives
//! the same summary.
//!
//! Not here: what it looks like on paper (`luminos-report`).

mod languages;

use std::cmp::Reverse;

pub use languages::{EmbeddedTotals, LanguageTotals};

use self::languages::LanguageCounter;
use super::first::First;
use super::{Category, DirId, FileId, FileRecord, Kind, Problem, Scan, Signals, Skipped, Tree, TreeOptions};
use crate::ContentHash;

/// What to show of a scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SummaryOptions {
    /// How much of the tree.
    pub tree: TreeOptions,
    /// How many large files.
    pub large_files: usize,
    /// How many of the last modified files.
    pub recent_files: usize,
    /// How many of the largest directories.
    pub largest_directories: usize,
}

impl Default for SummaryOptions {
    fn default() -> Self {
        Self { tree: TreeOptions::default(), large_files: 50, recent_files: 10, largest_directories: 5 }
    }
}

/// What a scan says at a glance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary<'a> {
    /// What it is about; ids below are places in it.
    pub scan: &'a Scan,
    /// The hash of the whole target.
    pub content_hash: ContentHash,
    /// How much there is of everything.
    pub totals: Totals,
    /// Regular files by category, in the order of [`Category::ALL`].
    pub categories: [CategoryTotals; 7],
    /// Languages, most code first.
    pub languages: Vec<LanguageTotals>,
    /// The largest of the large source files, by size.
    pub large_files: Vec<LargeFile>,
    /// How many more large source files there are.
    pub more_large_files: u64,
    /// The last modified regular files, latest first.
    pub recent_files: Vec<FileId>,
    /// The directories with the most bytes in their subtrees, without the target itself.
    pub largest_directories: Vec<DirId>,
    /// What the survey is told.
    pub signals: Signals,
    /// The upper levels.
    pub tree: Tree,
    /// What could not be read, by path.
    pub problems: Vec<&'a Problem>,
    /// What was left out, by rule and path; empty unless the scan was asked to list it.
    pub skipped: Vec<&'a Skipped>,
}

/// How much there is of everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// Regular files.
    pub files: u64,
    /// Directories, the target itself among them.
    pub directories: u64,
    /// Bytes of the regular files.
    pub bytes: u64,
    /// Symbolic links.
    pub symlinks: u64,
    /// Pipes, sockets and devices.
    pub specials: u64,
    /// How far the deepest directory lies below the target.
    pub max_depth: u32,
}

/// The regular files of one category.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CategoryTotals {
    /// The category.
    pub category: Category,
    /// How many files.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// A source file that is too large to be read at a glance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LargeFile {
    /// The file.
    pub file: FileId,
    /// What is large about it; at least one reason.
    pub reasons: Vec<Largeness>,
}

/// What is large about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Largeness {
    /// Over [`Largeness::LINES`] lines.
    Lines,
    /// Over [`Largeness::BYTES`] bytes.
    Bytes,
}

impl Largeness {
    /// A source file with more lines is large.
    pub const LINES: u32 = 1_000;
    /// A source file with more bytes is large.
    pub const BYTES: u64 = 10 * 1024 * 1024;

    fn of(file: &FileRecord) -> Vec<Self> {
        let mut reasons = Vec::new();
        if file.category == Category::Source {
            if Self::LINES < file.lines {
                reasons.push(Self::Lines);
            }
            if Self::BYTES < file.size {
                reasons.push(Self::Bytes);
            }
        }
        reasons
    }
}

impl<'a> Summary<'a> {
    /// Sums up a scan.
    pub fn of(scan: &'a Scan, options: &SummaryOptions) -> Self {
        let mut totals = Totals { directories: scan.dirs.len() as u64, ..Totals::default() };
        let mut categories = Category::ALL.map(|category| CategoryTotals { category, files: 0, bytes: 0 });
        let mut languages = LanguageCounter::new(scan);
        let mut large = First::new(options.large_files);
        let mut recent = First::new(options.recent_files);
        for id in scan.file_ids() {
            let file = scan.file(id);
            match file.kind {
                Kind::File => {}
                Kind::Symlink => {
                    totals.symlinks += 1;
                    continue;
                }
                Kind::Fifo | Kind::Socket | Kind::BlockDevice | Kind::CharDevice => {
                    totals.specials += 1;
                    continue;
                }
            }
            totals.files += 1;
            totals.bytes += file.size;
            let category = &mut categories[file.category as usize];
            category.files += 1;
            category.bytes += file.size;
            languages.count(file);
            if !Largeness::of(file).is_empty() {
                large.offer((Reverse(file.size), Reverse(file.lines), id));
            }
            recent.offer((Reverse(file.modified), id));
        }

        let mut largest = First::new(options.largest_directories);
        for id in scan.dir_ids() {
            let dir = scan.dir(id);
            totals.max_depth = totals.max_depth.max(dir.depth);
            if dir.depth > 0 && dir.bytes > 0 {
                largest.offer((Reverse(dir.bytes), id));
            }
        }

        let mut problems: Vec<&Problem> = scan.problems.iter().collect();
        problems.sort();
        let mut skipped: Vec<&Skipped> = scan.skipped.iter().collect();
        skipped.sort_by_key(|skipped| (&skipped.rule, &skipped.path));
        Self {
            scan,
            content_hash: scan.content_hash(),
            totals,
            categories,
            languages: languages.into_totals(),
            more_large_files: large.turned_away(),
            large_files: large
                .into_sorted()
                .into_iter()
                .map(|(.., file)| LargeFile::new(scan, file))
                .collect(),
            recent_files: recent.into_sorted().into_iter().map(|(_, file)| file).collect(),
            largest_directories: largest.into_sorted().into_iter().map(|(_, dir)| dir).collect(),
            signals: Signals::of(scan),
            tree: Tree::of(scan, &options.tree),
            problems,
            skipped,
        }
    }
}

impl LargeFile {
    fn new(scan: &Scan, file: FileId) -> Self {
        Self { file, reasons: Largeness::of(scan.file(file)) }
    }
}

#[cfg(test)]
mod tests;
