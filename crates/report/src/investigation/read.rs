//! A report for programs, read back: whoever was sent the document can look at it and check it, without the state
//! directory that it came from.
//!
//! What the document does not carry (turns of the plan, keys of entries) is left as nothing. Unknown keys are ignored:
//! a newer program may write more.

mod counters;
mod directories;

use std::collections::BTreeMap;

use luminos_core::answer::{Answer, Candidate, Field};
use luminos_core::entry::{Claim, DirEntry, Stamp};
use luminos_core::fact::{Fact, FactKind, Reader, Subject};
use luminos_core::flag::{Flag, Severity};
use luminos_core::proof::{Evidence, ToolCallId};
use luminos_core::report::{
    Findings, Item, ItemKind, Note, Origin, REPORT_FORMAT, Report, Section, Subsystem, SubsystemTold,
};
use luminos_core::seen::SeenFile;
use luminos_core::{ContentHash, RelPath};
use serde::Deserialize;
use serde_json::Value;

use self::counters::{CountersRow, PassRow};
use self::directories::{DirectoryRow, FileRow};
use super::json::{SCHEMA, digest};

/// Why something is no report.
#[derive(Debug, thiserror::Error)]
pub enum NotAReport {
    /// It is no JSON, or ends too early.
    #[error("it is not JSON, or was cut off")]
    Json(#[source] serde_json::Error),
    /// It is JSON, but another document.
    #[error("it is not a report: its schema is {}", .0.as_deref().unwrap_or("missing"))]
    Schema(Option<String>),
    /// It says that it is a report, and does not look like one.
    #[error("it does not have the shape of a report")]
    Shape(#[source] serde_json::Error),
}

/// What is wrong with the words of a report for programs, as far as its digest tells. Something that is no JSON has no
/// words.
pub fn digest_fault(bytes: &[u8]) -> Option<String> {
    digest::fault(bytes)
}

/// What tells the words of a report for programs from others, however they are set; `None` if it is no JSON.
pub fn words_digest(bytes: &[u8]) -> Option<ContentHash> {
    digest::of_bytes(bytes).ok()
}

/// Reads a report for programs.
pub fn read_json(bytes: &[u8]) -> Result<Report, NotAReport> {
    // It may be large: no tree is made of it but the report itself.
    let schema = match serde_json::from_slice::<Named>(bytes) {
        Ok(named) => named.schema,
        Err(error) if error.is_data() => None,
        Err(error) => return Err(NotAReport::Json(error)),
    };
    let schema = schema.as_ref().and_then(Value::as_str);
    if schema != Some(SCHEMA) {
        return Err(NotAReport::Schema(
            schema.map(|word| luminos_core::Untrusted::new(word.as_bytes()).for_terminal()),
        ));
    }
    let document: Document = serde_json::from_slice(bytes).map_err(NotAReport::Shape)?;
    Ok(document.into())
}

/// What a document says that it is.
#[derive(Deserialize)]
struct Named {
    schema: Option<Value>,
}

#[derive(Deserialize)]
struct Document {
    investigation: String,
    target: String,
    path: String,
    content_hash: Option<ContentHash>,
    made_at: String,
    origin: Origin,
    #[serde(default)]
    models: BTreeMap<String, String>,
    brief: String,
    detailed: String,
    #[serde(default)]
    fields: Vec<FieldRow>,
    sections: Vec<SectionRow>,
    claims: Vec<ClaimRow>,
    #[serde(default)]
    subsystems: Vec<SubsystemRow>,
    flags: Vec<FlagRow>,
    directories: Vec<DirectoryRow>,
    #[serde(default)]
    files: Vec<FileRow>,
    #[serde(default)]
    files_unlisted: u64,
    files_digest: Option<ContentHash>,
    counters: CountersRow,
    #[serde(default)]
    passes: Vec<PassRow>,
    #[serde(default)]
    notes: Vec<NoteRow>,
}

/// A path, as its bytes where it is no UTF-8.
#[derive(Deserialize)]
struct Path {
    path: String,
    path_hex: Option<String>,
}

impl From<Path> for RelPath {
    fn from(path: Path) -> Self {
        match path.path_hex {
            Some(hex) => {
                Self::from_word(&format!("hex:{hex}")).unwrap_or_else(|| Self::from(path.path.as_str()))
            }
            None if path.path == "." => Self::root(),
            None => Self::from(path.path.as_str()),
        }
    }
}

fn paths(paths: Vec<Path>) -> Vec<RelPath> {
    paths.into_iter().map(RelPath::from).collect()
}

#[derive(Deserialize)]
struct SectionRow {
    section: Section,
    items: Vec<ItemRow>,
}

#[derive(Deserialize)]
struct FieldRow {
    field: Field,
    told: Vec<CandidateRow>,
    #[serde(default)]
    others: Vec<CandidateRow>,
}

impl From<FieldRow> for (Field, Answer) {
    fn from(FieldRow { field, told, others }: FieldRow) -> Self {
        let candidates = |rows: Vec<CandidateRow>| rows.into_iter().map(Candidate::from).collect();
        (field, Answer { told: candidates(told), others: candidates(others) })
    }
}

#[derive(Deserialize)]
struct CandidateRow {
    text: String,
    #[serde(default)]
    about: String,
    path: Option<String>,
    path_hex: Option<String>,
    #[serde(default)]
    line: u64,
    source: String,
    score: u8,
}

impl From<CandidateRow> for Candidate {
    fn from(row: CandidateRow) -> Self {
        let CandidateRow { text, about, path, path_hex, line, source, score } = row;
        let path = path.map(|path| RelPath::from(Path { path, path_hex }));
        Self { text, about, path, line, source, score }
    }
}

#[derive(Deserialize)]
struct ItemRow {
    #[serde(default)]
    name: String,
    text: String,
    path: Option<String>,
    path_hex: Option<String>,
    #[serde(default)]
    sources: Vec<Path>,
    #[serde(default)]
    kind: Option<ItemKind>,
}

impl From<ItemRow> for Item {
    fn from(row: ItemRow) -> Self {
        let ItemRow { name, text, path, path_hex, sources, kind } = row;
        let path = path.map(|path| RelPath::from(Path { path, path_hex }));
        Self { name, path, text, sources: paths(sources), kind }
    }
}

#[derive(Deserialize)]
struct ClaimRow {
    text: String,
    verified: bool,
    #[serde(default)]
    faults: Vec<String>,
    evidence: Vec<EvidenceRow>,
    #[serde(default)]
    entries: Vec<Path>,
}

impl From<ClaimRow> for Claim {
    fn from(row: ClaimRow) -> Self {
        let ClaimRow { text, verified, faults, evidence, entries } = row;
        let evidence = evidence.into_iter().map(Evidence::from).collect();
        Self { text, evidence, entries: paths(entries), faults, verified, refuted: false, fact: None }
    }
}

#[derive(Deserialize)]
struct FactRow {
    about: String,
    #[serde(flatten)]
    path: Path,
    fact: FactKind,
    reader: Reader,
    evidence: Vec<EvidenceRow>,
}

impl From<FactRow> for Fact {
    fn from(row: FactRow) -> Self {
        let FactRow { about, path, fact, reader, evidence } = row;
        let path = path.into();
        let subject = if about == "file" { Subject::File(path) } else { Subject::Dir(path) };
        Self::new(subject, fact, evidence.into_iter().map(Evidence::from).collect(), reader)
    }
}

#[derive(Deserialize)]
struct EvidenceRow {
    #[serde(flatten)]
    path: Path,
    start_line: u64,
    end_line: u64,
    quote: Option<String>,
    quote_sha256: Option<ContentHash>,
    start_byte: Option<u64>,
    end_byte: Option<u64>,
    sha256: Option<ContentHash>,
    call: Option<String>,
}

impl From<EvidenceRow> for Evidence {
    fn from(row: EvidenceRow) -> Self {
        let EvidenceRow {
            path,
            start_line,
            end_line,
            quote,
            quote_sha256,
            start_byte,
            end_byte,
            sha256,
            call,
        } = row;
        Self {
            path: path.into(),
            start_line,
            end_line,
            quote,
            quote_hash: quote_sha256,
            start: start_byte,
            end: end_byte,
            blob: sha256,
            call: call.map(ToolCallId),
        }
    }
}

#[derive(Deserialize)]
struct SubsystemRow {
    name: String,
    description: String,
    directories: Vec<Path>,
    #[serde(default)]
    told: SubsystemTold,
}

impl From<SubsystemRow> for Subsystem {
    fn from(row: SubsystemRow) -> Self {
        let SubsystemRow { name, description, directories, told } = row;
        Self { name, description, dirs: paths(directories), told }
    }
}

#[derive(Deserialize)]
struct FlagRow {
    severity: Severity,
    #[serde(flatten)]
    path: Path,
    finding: String,
    rule: Option<String>,
    directory: Path,
    #[serde(default)]
    verified: bool,
    #[serde(default)]
    faults: Vec<String>,
    evidence: Vec<EvidenceRow>,
}

impl From<FlagRow> for Flag {
    fn from(row: FlagRow) -> Self {
        let FlagRow { severity, path, finding, rule, directory, verified, faults, evidence } = row;
        Self {
            path: path.into(),
            finding,
            severity,
            rule: rule.filter(|rule| rule != Self::BY_MODEL),
            evidence: evidence.into_iter().map(Evidence::from).collect(),
            directory: directory.into(),
            verified,
            faults,
        }
    }
}

#[derive(Deserialize)]
struct NoteRow {
    kind: String,
    text: String,
}

impl From<NoteRow> for Note {
    fn from(NoteRow { kind, text }: NoteRow) -> Self {
        match kind.as_str() {
            "partial" => Self::Partial(text),
            "degraded" => Self::Degraded(text),
            "plan" => Self::Plan(text),
            "left_out" => Self::LeftOut(text),
            _ => Self::Other(text),
        }
    }
}

impl From<Document> for Report {
    fn from(document: Document) -> Self {
        let sections = document.sections.into_iter();
        let findings = Findings {
            brief: document.brief,
            detailed: document.detailed,
            sections: sections
                .map(|row| (row.section, row.items.into_iter().map(Item::from).collect()))
                .collect(),
            claims: document.claims.into_iter().map(Claim::from).collect(),
            answers: document.fields.into_iter().map(<(Field, Answer)>::from).collect(),
        };
        let directories = document.directories.into_iter().map(DirEntry::from).collect();
        let flags = document.flags.into_iter().map(Flag::from).collect();
        Self {
            format: REPORT_FORMAT,
            investigation: document.investigation,
            target: document.target,
            path: document.path,
            content_hash: document.content_hash,
            made_at: Stamp(document.made_at),
            models: document.models,
            subsystems: document.subsystems.into_iter().map(Subsystem::from).collect(),
            files: document.files.into_iter().map(SeenFile::from).collect(),
            files_unlisted: document.files_unlisted,
            files_digest: document.files_digest,
            counters: document.counters.into(),
            passes: document.passes.into_iter().map(Into::into).collect(),
            notes: document.notes.into_iter().map(Note::from).collect(),
            ..Self::new(document.origin, findings, directories, flags)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::investigation::{sample, write_json};

    fn written(report: &Report) -> Vec<u8> {
        let mut bytes = Vec::new();
        write_json(&mut bytes, report, None).unwrap();
        bytes
    }

    #[test]
    fn what_was_written_can_be_read_and_written_again() {
        for report in [sample::report(), sample::bare(), sample::hostile(), sample::large(30)] {
            let bytes = written(&report);
            let read = read_json(&bytes).unwrap();
            assert!(written(&read) == bytes, "{}", report.target);
        }
    }

    #[test]
    fn what_is_no_report_is_told_apart() {
        let bytes = written(&sample::report());
        let words = |bytes: &[u8]| read_json(bytes).unwrap_err().to_string();
        assert_eq!(words(&bytes[..bytes.len() / 2]), "it is not JSON, or was cut off");
        assert_eq!(words(b"{}"), "it is not a report: its schema is missing");
        assert_eq!(
            words(br#"{"schema": "luminos.scan/1"}"#),
            "it is not a report: its schema is luminos.scan/1"
        );
        assert_eq!(words(br#"{"schema": "luminos.report/1"}"#), "it does not have the shape of a report");
        assert_eq!(words(b"[]"), "it is not a report: its schema is missing");
        assert_eq!(words(br#"{"schema": 7}"#), "it is not a report: its schema is missing");
        // Whoever says something twice could mean either.
        let twice =
            String::from_utf8(bytes.clone()).unwrap().replacen('{', "{\"brief\":\"All is well.\",", 1);
        assert_eq!(words(twice.as_bytes()), "it does not have the shape of a report");
    }
}
