use serde_json::json;

use super::*;
use crate::entry::{Claim, ENTRY_FORMAT};
use crate::scan::Category;

fn findings(arguments: Value) -> Result<Findings, &'static str> {
    Findings::from_arguments(arguments.as_object().unwrap())
}

fn flag(path: &str, severity: Severity) -> Flag {
    Flag {
        path: RelPath::from(path),
        finding: "odd".to_owned(),
        severity,
        rule: None,
        evidence: Vec::new(),
        directory: RelPath::root(),
        verified: true,
        faults: Vec::new(),
    }
}

fn entry(path: &str, verified: &[bool], coverage: Coverage) -> DirEntry {
    let claim = |&verified: &bool| Claim {
        refuted: false,
        fact: None,
        text: "It holds.".to_owned(),
        evidence: Vec::new(),
        entries: Vec::new(),
        faults: Vec::new(),
        verified,
    };
    DirEntry {
        partial_end: None,
        opening: None,
        facts: Vec::new(),
        format: ENTRY_FORMAT,
        path: String::new(),
        relative_path: RelPath::from(path),
        child_count: 0,
        summary: "Something.".to_owned(),
        dominant_category: Category::Source,
        cached_at: Stamp::default(),
        notable_files: Vec::new(),
        confidence: None,
        confidence_reason: None,
        completeness: None,
        coverage,
        claims: verified.iter().map(claim).collect(),
        flags: Vec::new(),
        reads: Vec::new(),
        partial: false,
        partial_reason: None,
        filled_in: None,
        corrections: Vec::new(),
        content_hash: None,
        key: None,
        digest: None,
        epoch: 0,
        run: String::new(),
    }
}

#[test]
fn sections_come_in_every_shape_that_models_use() {
    let findings = findings(json!({
        "brief": "A parser.", "detailed": " ", "architecture": "Two layers.", "tech_stack": ["Rust", "", 7, null],
        "components": [{"name": "lexer", "path": "./src/lexer/", "description": "Cuts text.", "sources": ["src/lexer", 3]}],
        "entry_points": {"parse": "The public function.", "main": {"path": "src/main.rs", "text": "The program."}},
        "themes": [], "colour": "blue",
    }));
    let findings = findings.unwrap();
    assert_eq!(findings.detailed, "A parser.");
    let texts = |section| -> Vec<(String, String)> {
        let items: &Vec<Item> = &findings.sections[&section];
        items.iter().map(|item| (item.name.clone(), item.text.clone())).collect()
    };
    let pair = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    assert_eq!(texts(Section::Architecture), [pair("", "Two layers.")]);
    assert_eq!(texts(Section::TechStack), [pair("", "Rust"), pair("", "7")]);
    assert_eq!(
        findings.sections[&Section::Components],
        [Item {
            kind: None,
            name: "lexer".to_owned(),
            path: Some(RelPath::from("src/lexer")),
            text: "Cuts text.".to_owned(),
            sources: vec![RelPath::from("src/lexer")],
        }]
    );
    let entry_points = texts(Section::EntryPoints);
    assert_eq!(entry_points, [pair("parse", "The public function."), pair("main", "The program.")]);
    assert_eq!(findings.sections.len(), 4);
}

#[test]
fn a_report_without_a_brief_is_none() {
    assert!(findings(json!({"detailed": "Long."})).is_err());
    assert!(findings(json!({"brief": "  "})).is_err());
    assert!(findings(json!({"brief": 3})).is_err());
}

#[test]
fn flags_stand_worst_first_and_once() {
    let flags = vec![
        flag("b", Severity::Info),
        flag("b", Severity::Critical),
        flag("a", Severity::Critical),
        flag("b", Severity::Info),
    ];
    let report = Report::new(Origin::Mechanical, Findings::default(), Vec::new(), flags);
    let shown: Vec<(&str, Severity)> =
        report.flags.iter().map(|flag| (flag.path.to_utf8().unwrap(), flag.severity)).collect();
    assert_eq!(shown, [("a", Severity::Critical), ("b", Severity::Critical), ("b", Severity::Info)]);
    assert_eq!(report.worst(), Some(Severity::Critical));
}

#[test]
fn what_is_not_proved_comes_last_and_decides_nothing() {
    let unproved = Flag { verified: false, ..flag("a", Severity::Critical) };
    let refuted =
        Flag { faults: vec!["no such line".to_owned()], rule: Some("r".to_owned()), ..unproved.clone() };
    let of_rule = Flag { rule: Some("r".to_owned()), verified: false, ..flag("b", Severity::Concern) };
    let flags = vec![unproved, refuted, of_rule, flag("c", Severity::Info)];
    let report = Report::new(Origin::Model, Findings::default(), Vec::new(), flags);
    let shown: Vec<(&str, bool)> =
        report.flags.iter().map(|flag| (flag.path.to_utf8().unwrap(), flag.is_unproved())).collect();
    assert_eq!(shown, [("b", false), ("c", false), ("a", true), ("a", true)]);
    assert_eq!(report.worst(), Some(Severity::Concern));
}

#[test]
fn claims_and_coverage_are_summed_over_the_directories() {
    let coverage =
        |files_seen| Coverage { files: 2, files_seen, bytes: 10, bytes_seen: 5, ..Coverage::default() };
    let entries = vec![entry("b", &[true, false], coverage(1)), entry("a", &[true], coverage(2))];
    let report = Report::new(Origin::Model, Findings::default(), entries, Vec::new());
    assert_eq!((report.claims_verified, report.claims), (2, 3));
    assert_eq!(
        report.coverage,
        Coverage { files: 4, files_seen: 3, bytes: 20, bytes_seen: 10, ..Coverage::default() }
    );
    assert_eq!(report.directories[0].relative_path, RelPath::from("a"));
    assert!(!report.is_partial());
    assert_eq!(
        Report::new(Origin::Model, Findings::default(), Vec::new(), Vec::new()).verified_share(),
        Share::ALL
    );
}

#[test]
fn a_report_comes_back_from_json_as_it_was() {
    let findings = findings(json!({"brief": "A parser.", "concerns": ["No tests."]})).unwrap();
    let mut report = Report::new(Origin::Offline, findings, Vec::new(), vec![flag("a", Severity::Concern)]);
    report.notes.push(Note::Partial("the money limit was reached".to_owned()));
    assert!(report.is_partial());
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["findings"]["sections"]["concerns"][0]["text"], "No tests.");
    assert_eq!(json["notes"][0]["kind"], "partial");
    assert_eq!(serde_json::from_value::<Report>(json).unwrap(), report);
}
