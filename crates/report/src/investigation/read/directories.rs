//! The rows of a document about directories and files: what they are, and how much of them was seen.

use luminos_core::entry::{Claim, Coverage, DirEntry, ENTRY_FORMAT, FilledIn, Share, Stamp};
use luminos_core::fact::Fact;
use luminos_core::proof::ToolCallId;
use luminos_core::scan::Category;
use luminos_core::seen::{Extent, Look, SeenFile};
use luminos_core::{ContentHash, RelPath};
use serde::Deserialize;

use super::{ClaimRow, FactRow, Path, paths};

#[derive(Deserialize)]
struct CoverageRow {
    files: u64,
    files_seen: u64,
    bytes: u64,
    bytes_seen: u64,
    #[serde(default)]
    symbols: u64,
    #[serde(default)]
    symbols_seen: u64,
    #[serde(default)]
    unreadable: u64,
}

#[derive(Deserialize)]
pub(super) struct DirectoryRow {
    #[serde(flatten)]
    path: Path,
    entries: u64,
    category: Category,
    summary: String,
    confidence: Option<Share>,
    confidence_reason: Option<String>,
    completeness: Option<Share>,
    coverage: CoverageRow,
    partial: bool,
    partial_reason: Option<String>,
    filled_in: Option<FilledIn>,
    #[serde(default)]
    corrections: Vec<String>,
    #[serde(default)]
    notable_files: Vec<Path>,
    claims: Vec<ClaimRow>,
    #[serde(default)]
    facts: Vec<FactRow>,
    content_hash: Option<ContentHash>,
    made_at: String,
}

impl From<DirectoryRow> for DirEntry {
    fn from(row: DirectoryRow) -> Self {
        let CoverageRow { files, files_seen, bytes, bytes_seen, symbols, symbols_seen, unreadable } =
            row.coverage;
        Self {
            format: ENTRY_FORMAT,
            path: String::new(),
            relative_path: row.path.into(),
            child_count: row.entries,
            summary: row.summary,
            dominant_category: row.category,
            cached_at: Stamp(row.made_at),
            notable_files: paths(row.notable_files),
            confidence: row.confidence,
            confidence_reason: row.confidence_reason,
            completeness: row.completeness,
            coverage: Coverage { files, files_seen, bytes, bytes_seen, symbols, symbols_seen, unreadable },
            opening: None,
            claims: row.claims.into_iter().map(Claim::from).collect(),
            facts: row.facts.into_iter().map(Fact::from).collect(),
            flags: Vec::new(),
            reads: Vec::new(),
            partial: row.partial,
            partial_reason: row.partial_reason,
            partial_end: None,
            filled_in: row.filled_in,
            corrections: row.corrections,
            content_hash: row.content_hash,
            key: None,
            digest: None,
            epoch: 0,
            run: String::new(),
        }
    }
}

#[derive(Deserialize)]
pub(super) struct FileRow {
    #[serde(flatten)]
    path: Path,
    seen: Extent,
    size: u64,
    lines: u64,
    bytes_seen: u64,
    reason: Option<String>,
    sha256: Option<ContentHash>,
    #[serde(default)]
    looks: Vec<LookRow>,
}

#[derive(Deserialize)]
struct LookRow {
    directory: Option<Path>,
    start_byte: u64,
    end_byte: u64,
    start_line: u64,
    end_line: u64,
    call: String,
}

impl From<FileRow> for SeenFile {
    fn from(row: FileRow) -> Self {
        let look = |look: LookRow| Look {
            dir: look.directory.map(RelPath::from),
            start: look.start_byte,
            end: look.end_byte,
            first_line: look.start_line,
            last_line: look.end_line,
            call: ToolCallId(look.call),
        };
        Self {
            path: row.path.into(),
            extent: row.seen,
            size: row.size,
            lines: row.lines,
            bytes_seen: row.bytes_seen,
            reason: row.reason,
            blob: row.sha256,
            looks: row.looks.into_iter().map(look).collect(),
        }
    }
}
