//! The entries of the document's lists.

use luminos_core::ContentHash;
use luminos_core::scan::{
    Category, DirId, Embedded, EmbeddedTotals, FileId, Kind, LanguageTotals, LargeFile, Largeness,
    LineCounts, Node, NodeKind, Problem, Reading, Scan, Skipped,
};
use serde::Serialize;

use super::path::{Path, text_and_hex};
use crate::time;

#[derive(Serialize)]
pub(super) struct LanguageEntry {
    language: &'static str,
    files: u64,
    code: u64,
    comments: u64,
    blanks: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    embedded: Vec<LanguageEntry>,
}

impl LanguageEntry {
    fn new(language: &'static str, files: u64, counts: LineCounts) -> Self {
        let LineCounts { code, comments, blanks } = counts;
        Self { language, files, code, comments, blanks, embedded: Vec::new() }
    }
}

impl From<&LanguageTotals> for LanguageEntry {
    fn from(total: &LanguageTotals) -> Self {
        let embedded = total.embedded.iter().map(LanguageEntry::from).collect();
        Self { embedded, ..Self::new(total.language, total.files, total.counts) }
    }
}

impl From<&EmbeddedTotals> for LanguageEntry {
    fn from(total: &EmbeddedTotals) -> Self {
        Self::new(total.language, total.files, total.counts)
    }
}

#[derive(Serialize)]
pub(super) struct LargeFileEntry {
    #[serde(flatten)]
    path: Path,
    size: u64,
    lines: u32,
    reasons: Vec<&'static str>,
}

impl LargeFileEntry {
    pub(super) fn new(scan: &Scan, large: &LargeFile) -> Self {
        let file = scan.file(large.file);
        let word = |reason: &Largeness| match reason {
            Largeness::Lines => "lines",
            Largeness::Bytes => "size",
        };
        Self {
            path: Path::of_file(scan, large.file),
            size: file.size,
            lines: file.lines,
            reasons: large.reasons.iter().map(word).collect(),
        }
    }
}

#[derive(Serialize)]
pub(super) struct RecentFileEntry {
    #[serde(flatten)]
    path: Path,
    size: u64,
    modified: String,
}

impl RecentFileEntry {
    pub(super) fn new(scan: &Scan, file: FileId) -> Self {
        let record = scan.file(file);
        Self { path: Path::of_file(scan, file), size: record.size, modified: time::rfc3339(record.modified) }
    }
}

#[derive(Serialize)]
pub(super) struct DirectoryEntry {
    #[serde(flatten)]
    path: Path,
    depth: u32,
    files: u64,
    bytes: u64,
    content_hash: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    unreadable: bool,
}

impl DirectoryEntry {
    pub(super) fn new(scan: &Scan, dir: DirId) -> Self {
        let record = scan.dir(dir);
        Self {
            path: Path::of_dir(scan, dir),
            depth: record.depth,
            files: record.files,
            bytes: record.bytes,
            content_hash: record.hash.to_string(),
            unreadable: record.unreadable,
        }
    }
}

#[derive(Serialize)]
pub(super) struct DiskUsageEntry {
    #[serde(flatten)]
    path: Path,
    files: u64,
    bytes: u64,
}

impl DiskUsageEntry {
    pub(super) fn new(scan: &Scan, dir: DirId) -> Self {
        let record = scan.dir(dir);
        Self { path: Path::of_dir(scan, dir), files: record.files, bytes: record.bytes }
    }
}

#[derive(Serialize)]
pub(super) struct ProblemEntry {
    #[serde(flatten)]
    path: Path,
    code: &'static str,
    message: String,
}

impl From<&Problem> for ProblemEntry {
    fn from(problem: &Problem) -> Self {
        let Problem { path, trouble } = problem;
        Self { path: Path::of(path), code: trouble.code(), message: trouble.to_string() }
    }
}

#[derive(Serialize)]
pub(super) struct SkippedEntry {
    #[serde(flatten)]
    path: Path,
    code: &'static str,
    rule: String,
}

impl From<&Skipped> for SkippedEntry {
    fn from(skipped: &Skipped) -> Self {
        let Skipped { path, rule, .. } = skipped;
        Self { path: Path::of(path), code: rule.code(), rule: rule.to_string() }
    }
}

#[derive(Serialize)]
pub(super) struct FileEntry<'a> {
    #[serde(flatten)]
    path: Path,
    kind: Kind,
    size: u64,
    modified: String,
    executable: bool,
    reading: Reading,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<Category>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sample_sha256: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'static str>,
    #[serde(flatten)]
    counts: Option<LineCounts>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    embedded: Vec<EmbeddedEntry>,
}

#[derive(Serialize)]
struct EmbeddedEntry {
    language: &'static str,
    #[serde(flatten)]
    counts: LineCounts,
}

impl<'a> FileEntry<'a> {
    pub(super) fn new(scan: &'a Scan, file: FileId) -> Self {
        let record = scan.file(file);
        let hash = (record.hash != ContentHash::default()).then(|| record.hash.to_string());
        // What covers only samples must not pass for the hash of a file.
        let (sha256, sample_sha256) =
            if record.reading == Reading::Sampled { (None, hash) } else { (hash, None) };
        let inside = |embedded: &Embedded| EmbeddedEntry {
            language: scan.language_name(embedded.language),
            counts: embedded.counts,
        };
        Self {
            path: Path::of_file(scan, file),
            kind: record.kind,
            size: record.size,
            modified: time::rfc3339(record.modified),
            executable: record.executable,
            reading: record.reading,
            category: (record.kind == Kind::File).then_some(record.category),
            description: scan.description(record),
            sha256,
            sample_sha256,
            lines: (record.reading == Reading::Whole).then_some(record.lines),
            language: record.language.map(|language| scan.language_name(language)),
            counts: record.language.map(|_| record.counts()),
            embedded: scan.embedded_in(file).iter().map(inside).collect(),
        }
    }
}

/// A node of the tree. Nested as deep as the tree is, which is at most
/// [`luminos_core::scan::Tree::MAX_DEPTH`].
#[derive(Serialize)]
pub(super) struct TreeEntry<'a> {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name_hex: Option<String>,
    r#type: &'static str,
    size: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    omitted: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    children: Option<Vec<TreeEntry<'a>>>,
}

impl<'a> From<&'a Node> for TreeEntry<'a> {
    fn from(node: &'a Node) -> Self {
        let (name, name_hex) = text_and_hex(&node.name);
        let is_open = node.kind == NodeKind::Directory && !node.truncated;
        Self {
            name,
            name_hex,
            r#type: node.kind.name(),
            size: node.size,
            error: node.error.as_deref(),
            truncated: node.truncated,
            omitted: (node.omitted > 0).then_some(node.omitted),
            children: is_open.then(|| node.children.iter().map(TreeEntry::from).collect()),
        }
    }
}
