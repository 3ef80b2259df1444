//! A report for programs: one JSON document, `luminos.report/1`.
//!
//! It says everything that the report says, evidence included, so that whoever has the document and the target can
//! check it again. The keys are an interface; `docs/report-json.md` lists them, `docs/report.schema.json` describes
//! them to programs, and tests compare all three.

pub(super) mod digest;
mod entries;
mod seen;

use std::collections::BTreeMap;
use std::io::{self, Write};

use luminos_core::ContentHash;
use luminos_core::report::{Note, Origin, Report};
use serde::Serialize;

pub use self::digest::sealed;
pub(crate) use self::entries::FlagEntry;
use self::entries::{
    ClaimEntry, CountersEntry, CoverageEntry, DirectoryEntry, FieldEntry, PassEntry, SectionEntry, SubsystemEntry,
};
pub(crate) use self::seen::FileEntry;
use super::{Comparison, basis};
use crate::json::write_json_line;

/// The name and version of the document. A key may be added under the same number; one that changes its meaning or
/// goes raises it.
pub(crate) const SCHEMA: &str = "luminos.report/1";

/// Writes the report for programs, on one line. With a comparison each flag says how it stands to an earlier report.
pub fn write_json(out: &mut dyn Write, report: &Report, compared: Option<&Comparison>) -> io::Result<()> {
    out.write_all(&json(report, compared)?)
}

/// The same, all at once.
pub fn json(report: &Report, compared: Option<&Comparison>) -> io::Result<Vec<u8>> {
    let mut document = Document::from(report);
    if let Some(compared) = compared {
        for (flag, standing) in document.flags.iter_mut().zip(&compared.standings) {
            flag.set_baseline(*standing);
        }
    }
    let mut bytes = Vec::new();
    write_json_line(&mut bytes, &document)?;
    drop(document);
    // The digest comes last: it is over everything before it.
    digest::seal(&mut bytes);
    Ok(bytes)
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    investigation: &'a str,
    target: &'a str,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    content_hash: Option<ContentHash>,
    made_at: &'a str,
    origin: Origin,
    partial: bool,
    models: &'a BTreeMap<String, String>,
    brief: &'a str,
    detailed: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<FieldEntry<'a>>,
    sections: Vec<SectionEntry<'a>>,
    claims: Vec<ClaimEntry<'a>>,
    subsystems: Vec<SubsystemEntry<'a>>,
    flags: Vec<FlagEntry<'a>>,
    directories: Vec<DirectoryEntry<'a>>,
    totals: TotalsEntry,
    files: Vec<FileEntry<'a>>,
    files_unlisted: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    files_digest: Option<ContentHash>,
    counters: CountersEntry,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    passes: Vec<PassEntry<'a>>,
    notes: Vec<NoteEntry<'a>>,
}

impl<'a> From<&'a Report> for Document<'a> {
    fn from(report: &'a Report) -> Self {
        let findings = &report.findings;
        let sections = findings.sections.iter();
        let totals = TotalsEntry {
            claims: report.claims,
            claims_verified: report.claims_verified,
            verified_share: report.verified_share().rounded().get(),
            coverage: CoverageEntry::from(report.coverage),
        };
        Self {
            schema: SCHEMA,
            investigation: &report.investigation,
            target: &report.target,
            path: &report.path,
            content_hash: report.content_hash,
            made_at: &report.made_at.0,
            origin: report.origin,
            partial: report.is_partial(),
            models: &report.models,
            brief: &findings.brief,
            detailed: &findings.detailed,
            fields: findings.answers.iter().map(FieldEntry::from).collect(),
            sections: sections.map(|(section, items)| SectionEntry::new(*section, items)).collect(),
            claims: findings.claims.iter().map(ClaimEntry::from).collect(),
            subsystems: report.subsystems.iter().map(SubsystemEntry::from).collect(),
            flags: report.flags.iter().map(FlagEntry::from).collect(),
            directories: report.directories.iter().map(DirectoryEntry::from).collect(),
            totals,
            files: report.files.iter().map(FileEntry::from).collect(),
            files_unlisted: report.files_unlisted,
            files_digest: report.files_digest,
            counters: CountersEntry::from(&report.counters),
            passes: basis::in_order(&report.passes)
                .map(|(pass, spend)| PassEntry::new(pass, spend))
                .collect(),
            notes: report.notes.iter().map(NoteEntry::from).collect(),
        }
    }
}

#[derive(Serialize)]
struct TotalsEntry {
    claims: u64,
    claims_verified: u64,
    verified_share: f64,
    coverage: CoverageEntry,
}

#[derive(Serialize)]
struct NoteEntry<'a> {
    kind: &'static str,
    text: &'a str,
}

impl<'a> From<&'a Note> for NoteEntry<'a> {
    fn from(note: &'a Note) -> Self {
        let kind = match note {
            Note::Partial(_) => "partial",
            Note::Degraded(_) => "degraded",
            Note::Plan(_) => "plan",
            Note::LeftOut(_) => "left_out",
            Note::Other(_) => "other",
        };
        Self { kind, text: basis::note(note).1 }
    }
}

#[cfg(test)]
mod tests;
