//! The report of a scan for programs: one JSON document, `luminos.scan/1`.
//!
//! Written as it goes: a million files make a long document, but never a large value in memory. The keys are
//! an interface; `docs/scan-json.md` lists them, and a test compares the two.

mod document;
mod entries;
mod inert;
pub(crate) mod path;

use std::io::{self, BufWriter, Write};

use luminos_core::scan::Summary;
use serde::Serialize;

use self::document::Document;
use self::inert::Inert;

/// The name and version of the document. A key may be added under the same number; one that changes its
/// meaning or goes raises it.
pub(crate) const SCHEMA: &str = "luminos.scan/1";

/// What the document holds beyond the summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct JsonOptions {
    /// Whether each file is listed.
    pub files: bool,
    /// Whether each path that was left out is listed.
    pub skipped: bool,
}

/// Writes the report of a scan for programs, on one line.
pub fn write_json(out: &mut dyn Write, summary: &Summary<'_>, options: JsonOptions) -> io::Result<()> {
    write_json_line(out, &Document::new(summary, options))
}

/// Writes any value for programs, on one line and without a character that could steer a terminal.
pub fn write_json_line(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    // The serialiser writes a few bytes at a time.
    let mut out = BufWriter::new(out);
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut out, Inert))?;
    out.write_all(b"\n")?;
    out.flush()
}

#[cfg(test)]
mod tests;
