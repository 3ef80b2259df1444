//! The document as a whole.

use luminos_core::scan::{Signals, SkippedCounts, Summary, Tally, Totals};
use serde::{Serialize, Serializer};

use super::entries::{
    DirectoryEntry, DiskUsageEntry, FileEntry, LanguageEntry, LargeFileEntry, ProblemEntry, RecentFileEntry,
    SkippedEntry, TreeEntry,
};
use super::path::text_and_hex;
use super::{JsonOptions, SCHEMA};

/// All of it; lists are made while they are written.
pub(super) struct Document<'a> {
    summary: &'a Summary<'a>,
    options: JsonOptions,
}

impl<'a> Document<'a> {
    pub(super) fn new(summary: &'a Summary<'a>, options: JsonOptions) -> Self {
        Self { summary, options }
    }
}

impl Serialize for Document<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;

        let summary = self.summary;
        let scan = summary.scan;
        let (root, root_hex) = text_and_hex(scan.root.as_os_str().as_encoded_bytes());
        let length = 14 + usize::from(root_hex.is_some()) + usize::from(self.options.files);
        let mut document = serializer.serialize_struct("Document", length)?;
        document.serialize_field("schema", SCHEMA)?;
        document.serialize_field("root", &root)?;
        if let Some(root_hex) = root_hex {
            document.serialize_field("root_hex", &root_hex)?;
        }
        document.serialize_field("content_hash", &summary.content_hash.to_string())?;
        document.serialize_field("totals", &TotalsEntry::from(summary.totals))?;
        let categories = summary.categories.map(|total| CategoryEntry {
            category: total.category.name(),
            files: total.files,
            bytes: total.bytes,
        });
        document.serialize_field("categories", &categories)?;
        let languages = || summary.languages.iter().map(LanguageEntry::from);
        document.serialize_field("languages", &Each(languages))?;
        let large_files = || summary.large_files.iter().map(|large| LargeFileEntry::new(scan, large));
        document.serialize_field("large_files", &Each(large_files))?;
        document.serialize_field("more_large_files", &summary.more_large_files)?;
        let recent_files = || summary.recent_files.iter().map(|&file| RecentFileEntry::new(scan, file));
        document.serialize_field("recent_files", &Each(recent_files))?;
        let largest = || summary.largest_directories.iter().map(|&dir| DiskUsageEntry::new(scan, dir));
        document.serialize_field("disk_usage", &Each(largest))?;
        document.serialize_field("signals", &SignalsEntry::from(&summary.signals))?;
        document.serialize_field("tree", &TreeEntry::from(&summary.tree.root))?;
        let problems = || summary.problems.iter().map(|&problem| ProblemEntry::from(problem));
        document.serialize_field("problems", &Each(problems))?;
        document.serialize_field("skipped", &SkippedLists { summary, options: self.options })?;
        let directories = scan.leaves_first();
        let directories = || directories.iter().map(|&dir| DirectoryEntry::new(scan, dir));
        document.serialize_field("directories", &Each(directories))?;
        if self.options.files {
            let files = || scan.file_ids().map(|file| FileEntry::new(scan, file));
            document.serialize_field("files", &Each(files))?;
        }
        document.end()
    }
}

/// A list that is made while it is written.
struct Each<F>(F);

impl<F, I> Serialize for Each<F>
where
    F: Fn() -> I,
    I: Iterator<Item: Serialize>,
{
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq((self.0)())
    }
}

#[derive(Serialize)]
struct TotalsEntry {
    files: u64,
    directories: u64,
    bytes: u64,
    symlinks: u64,
    specials: u64,
    max_depth: u32,
}

impl From<Totals> for TotalsEntry {
    fn from(totals: Totals) -> Self {
        let Totals { files, directories, bytes, symlinks, specials, max_depth } = totals;
        Self { files, directories, bytes, symlinks, specials, max_depth }
    }
}

#[derive(Serialize)]
struct CategoryEntry {
    category: &'static str,
    files: u64,
    bytes: u64,
}

#[derive(Serialize)]
struct SignalsEntry<'a> {
    total_files: u64,
    extension_histogram: Vec<ExtensionEntry<'a>>,
    file_descriptions: Vec<DescriptionEntry<'a>>,
    filename_samples: &'a [String],
}

#[derive(Serialize)]
struct ExtensionEntry<'a> {
    extension: &'a str,
    files: u64,
}

#[derive(Serialize)]
struct DescriptionEntry<'a> {
    description: &'a str,
    files: u64,
}

impl<'a> From<&'a Signals> for SignalsEntry<'a> {
    fn from(signals: &'a Signals) -> Self {
        let extension = |tally: &'a Tally| ExtensionEntry { extension: &tally.name, files: tally.files };
        let description =
            |tally: &'a Tally| DescriptionEntry { description: &tally.name, files: tally.files };
        Self {
            total_files: signals.total_files,
            extension_histogram: signals.extension_histogram.iter().map(extension).collect(),
            file_descriptions: signals.file_descriptions.iter().map(description).collect(),
            filename_samples: &signals.filename_samples,
        }
    }
}

struct SkippedLists<'a> {
    summary: &'a Summary<'a>,
    options: JsonOptions,
}

impl Serialize for SkippedLists<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;

        let mut skipped = serializer.serialize_struct("Skipped", 1 + usize::from(self.options.skipped))?;
        skipped.serialize_field("counts", &CountsEntry::from(self.summary.scan.skipped_counts))?;
        if self.options.skipped {
            let paths = || self.summary.skipped.iter().map(|&skipped| SkippedEntry::from(skipped));
            skipped.serialize_field("paths", &Each(paths))?;
        }
        skipped.end()
    }
}

#[derive(Serialize)]
struct CountsEntry {
    hidden: u64,
    always_left_out: u64,
    ignored: u64,
    excluded: u64,
    elsewhere: u64,
}

impl From<SkippedCounts> for CountsEntry {
    fn from(counts: SkippedCounts) -> Self {
        let SkippedCounts { hidden, always_left_out, ignored, excluded, elsewhere } = counts;
        Self { hidden, always_left_out, ignored, excluded, elsewhere }
    }
}
