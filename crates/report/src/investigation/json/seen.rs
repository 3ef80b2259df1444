//! The coverage ledger in the document: a line for each file.

use luminos_core::ContentHash;
use luminos_core::seen::{Look, SeenFile};
use serde::Serialize;

use crate::json::path::Path;

#[derive(Serialize)]
pub(crate) struct FileEntry<'a> {
    #[serde(flatten)]
    path: Path,
    seen: &'static str,
    size: u64,
    lines: u64,
    bytes_seen: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<ContentHash>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    looks: Vec<LookEntry<'a>>,
}

#[derive(Serialize)]
struct LookEntry<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    directory: Option<Path>,
    start_byte: u64,
    end_byte: u64,
    start_line: u64,
    end_line: u64,
    call: &'a str,
}

impl<'a> From<&'a SeenFile> for FileEntry<'a> {
    fn from(file: &'a SeenFile) -> Self {
        let SeenFile { path, extent, size, lines, bytes_seen, reason, blob, looks } = file;
        Self {
            path: Path::of(path),
            seen: extent.word(),
            size: *size,
            lines: *lines,
            bytes_seen: *bytes_seen,
            reason: reason.as_deref(),
            sha256: *blob,
            looks: looks.iter().map(LookEntry::from).collect(),
        }
    }
}

impl<'a> From<&'a Look> for LookEntry<'a> {
    fn from(look: &'a Look) -> Self {
        let Look { dir, start, end, first_line, last_line, call } = look;
        Self {
            directory: dir.as_ref().map(Path::of),
            start_byte: *start,
            end_byte: *end,
            start_line: *first_line,
            end_line: *last_line,
            call: &call.0,
        }
    }
}
