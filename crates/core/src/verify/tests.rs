use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use super::*;
use crate::entry::{Coverage, ENTRY_FORMAT, Stamp};
use crate::flag::Severity;
use crate::job::DirReport;
use crate::judge::{Author, Library, Shown, judge, judge_flag};
use crate::proof::ToolCallId;
use crate::report::{Findings, Origin};
use crate::scan::Category;
use crate::seen::{Extent, Look};

/// A tree in memory: also the library of its judge.
#[derive(Clone, Default)]
struct Files(BTreeMap<RelPath, Vec<u8>>);

fn hash(bytes: &[u8]) -> ContentHash {
    ContentHash(Sha256::digest(bytes).into())
}

fn lines(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}

impl Tree for Files {
    fn file(&mut self, path: &RelPath) -> Option<Exhibit> {
        let bytes = self.0.get(path)?.clone();
        let blob = hash(&bytes);
        Some(Exhibit { bytes: bytes.into(), blob, scanned: Some(blob) })
    }

    fn exists(&self, path: &str) -> bool {
        self.0.contains_key(&RelPath::from(path))
    }

    fn with_content(&mut self, blob: ContentHash) -> Option<RelPath> {
        self.0.iter().find(|(_, bytes)| hash(bytes) == blob).map(|(path, _)| path.clone())
    }

    fn with_words(&mut self, words: &str, besides: &RelPath) -> Option<(RelPath, u64)> {
        self.0.iter().filter(|(path, _)| *path != besides).find_map(|(path, bytes)| {
            let at = std::str::from_utf8(bytes).ok()?.find(words)?;
            Some((path.clone(), 1 + lines(&bytes[..at])))
        })
    }
}

impl Library for Files {
    fn file(&mut self, path: &RelPath) -> Option<Exhibit> {
        Tree::file(self, path)
    }

    fn has(&self, path: &str) -> bool {
        self.exists(path)
    }

    fn numbers(&self, path: &RelPath) -> Vec<u64> {
        self.0.get(path).map(|bytes| numbers_of(bytes.len() as u64, lines(bytes))).unwrap_or_default()
    }
}

const SERVER: &str = "//! Serves.\n\nconst PORT: u16 = 8080;\n\nfn main() {\n    serve(PORT, 16);\n}\n";
const NOTES: &str = "# Notes\n\nThe pool has 32 workers.\nIt was measured in 2024.\n";
const UNREAD: &str = "nobody has read this line\n";

fn tree() -> Files {
    let files = [("server.rs", SERVER), ("notes.md", NOTES), ("unread.txt", UNREAD)];
    Files(files.iter().map(|(path, text)| (RelPath::from(*path), text.as_bytes().to_vec())).collect())
}

/// What a loop over the root was shown: all of one file, most of another, nothing of the third.
fn record() -> Vec<SeenFile> {
    let file = |path: &str, text: &str, end: usize, extent: Extent| {
        let look = Look {
            dir: None,
            start: 0,
            end: end as u64,
            first_line: 1,
            last_line: lines(&text.as_bytes()[..end]),
            call: ToolCallId(format!("read-{path}")),
        };
        SeenFile {
            path: RelPath::from(path),
            extent,
            size: text.len() as u64,
            lines: lines(text.as_bytes()),
            bytes_seen: end as u64,
            reason: None,
            blob: (0 < end).then(|| hash(text.as_bytes())),
            looks: (0 < end).then_some(look).into_iter().collect(),
        }
    };
    vec![
        file("notes.md", NOTES, NOTES.find("It was").unwrap(), Extent::Ranges),
        file("server.rs", SERVER, SERVER.len(), Extent::Whole),
        file("unread.txt", UNREAD, 0, Extent::Metadata),
    ]
}

fn cite(path: &str, line: u64, quote: &str) -> Evidence {
    Evidence {
        path: RelPath::from(path),
        start_line: line,
        end_line: line,
        quote: Some(quote.to_owned()),
        quote_hash: None,
        start: None,
        end: None,
        blob: None,
        call: None,
    }
}

fn claim(text: &str, evidence: Evidence) -> Claim {
    let (text, evidence) = (text.to_owned(), vec![evidence]);
    Claim {
        refuted: false,
        fact: None,
        text,
        evidence,
        entries: Vec::new(),
        faults: Vec::new(),
        verified: false,
    }
}

/// A report as the judge passes it.
fn report() -> Report {
    let claims = vec![
        claim("`server.rs` listens on 8080.", cite("server.rs", 3, "const PORT: u16 = 8080;")),
        claim("It serves with 16 of something.", cite("server.rs", 6, "serve(PORT, 16);")),
        claim("There are 32 workers.", cite("notes.md", 3, "The pool has 32 workers.")),
    ];
    let draft = DirReport { summary: "A server.".to_owned(), claims, ..DirReport::default() };
    let files = record();
    let served: Vec<Served> = files.iter().flat_map(|file| file.served(None)).collect();
    let judged = judge(
        draft,
        Shown { served: &served, entries: &BTreeMap::new(), author: Author::Model },
        &mut tree(),
    );
    assert_eq!(judged.faults, [""; 0]);
    let mut flag = Flag {
        path: RelPath::from("server.rs"),
        finding: "The port 8080 is open.".to_owned(),
        severity: Severity::Concern,
        rule: None,
        evidence: vec![cite("server.rs", 3, "8080")],
        directory: RelPath::root(),
        verified: false,
        faults: Vec::new(),
    };
    judge_flag(&mut flag, &served, &mut tree());
    let entry = DirEntry {
        partial_end: None,
        opening: None,
        facts: Vec::new(),
        format: ENTRY_FORMAT,
        path: String::new(),
        relative_path: RelPath::root(),
        child_count: 3,
        summary: judged.report.summary,
        dominant_category: Category::Source,
        cached_at: Stamp::default(),
        notable_files: Vec::new(),
        confidence: None,
        confidence_reason: None,
        completeness: None,
        coverage: Coverage::default(),
        claims: judged.report.claims.clone(),
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
    };
    let findings = Findings { claims: vec![judged.report.claims[0].clone()], ..Findings::default() };
    let mut report = Report::new(Origin::Model, findings, vec![entry], vec![flag]);
    report.set_files((files, 0));
    report
}

fn words(outcome: &Outcome) -> Vec<String> {
    let word = |checked: &Checked| match &checked.standing {
        Standing::Moved { path, line } => format!("moved to {}:{line}", path.for_terminal()),
        Standing::Refuted { fault } => format!("refuted: {fault}"),
        other @ (Standing::Same | Standing::Changed | Standing::Gone) => other.word().to_owned(),
    };
    outcome.checked.iter().map(word).chain(outcome.faults.iter().cloned()).collect()
}

fn evidence(report: &mut Report) -> &mut Evidence {
    &mut report.directories[0].claims[0].evidence[0]
}

#[test]
fn an_untouched_report_holds() {
    let outcome = verify(&report(), &mut tree());
    assert_eq!(words(&outcome), ["same"; 4]);
    assert!(outcome.holds());
}

#[test]
fn a_changed_tree_is_told_from_a_false_report() {
    let mut changed = tree();
    let moved = format!("// A new head.\n{}", SERVER.replace("16)", "24)"));
    changed.0.insert(RelPath::from("server.rs"), moved.into_bytes());
    changed.0.remove(&RelPath::from("notes.md"));
    let outcome = verify(&report(), &mut changed);
    assert_eq!(words(&outcome), ["moved to server.rs:4", "changed", "gone", "moved to server.rs:4"]);
    assert!(!outcome.holds());
    // Renamed, or only a part of it taken over.
    changed.0.insert(RelPath::from("docs/notes.md"), NOTES.as_bytes().to_vec());
    changed.0.insert(RelPath::from("run.rs"), b"x\nserve(PORT, 16);\n".to_vec());
    let outcome = verify(&report(), &mut changed);
    let expected =
        ["moved to server.rs:4", "moved to run.rs:2", "moved to docs/notes.md:3", "moved to server.rs:4"];
    assert_eq!(words(&outcome), expected);
    assert!(outcome.holds());
}

#[test]
fn every_corruption_is_refuted() {
    type Corruption = (&'static str, fn(&mut Report));
    let changes: [Corruption; 9] = [
        ("a quote", |report| evidence(report).quote = Some("const PORT: u16 = 8081;".to_owned())),
        ("a line", |report| (evidence(report).start_line, evidence(report).end_line) = (4, 4)),
        ("a hash", |report| evidence(report).blob = Some(ContentHash([9; 32]))),
        ("a path", |report| evidence(report).path = RelPath::from("notes.md")),
        ("a path that never was", |report| evidence(report).path = RelPath::from("main.rs")),
        ("bytes", |report| evidence(report).start = Some(1)),
        ("a call", |report| evidence(report).call = Some(ToolCallId("other".to_owned()))),
        ("a number", |report| report.directories[0].claims[1].text = "It serves with 17.".to_owned()),
        ("a sentence", |report| report.findings.claims[0].text = "It is safe.".to_owned()),
    ];
    for (what, change) in changes {
        let mut report = report();
        change(&mut report);
        let outcome = verify(&report, &mut tree());
        let refuted = outcome.checked.iter().filter(|row| matches!(row.standing, Standing::Refuted { .. }));
        assert_eq!(refuted.count(), 1, "{what}: {:?}", words(&outcome));
        assert!(!outcome.holds(), "{what}");
    }
}

#[test]
fn lines_that_nobody_was_shown_prove_nothing() {
    for (path, line, quote) in
        [("notes.md", 4, "It was measured in 2024."), ("unread.txt", 1, "nobody has read this line")]
    {
        let mut report = report();
        let text = tree().0[&RelPath::from(path)].clone();
        let start = String::from_utf8(text.clone()).unwrap().find(quote).unwrap() as u64;
        *evidence(&mut report) = Evidence {
            start: Some(start),
            end: Some(start + quote.len() as u64),
            blob: Some(hash(&text)),
            call: Some(ToolCallId(format!("read-{path}"))),
            ..cite(path, line, quote)
        };
        report.directories[0].claims[0].text = "It says so.".to_owned();
        let outcome = verify(&report, &mut tree());
        assert!(words(&outcome)[0].starts_with("refuted"), "{:?}", words(&outcome));
    }
}

#[test]
fn a_record_that_was_changed_or_never_was_is_noticed() {
    let mut touched = report();
    touched.files[0].looks[0].end += 100;
    assert!(verify(&touched, &mut tree()).faults[0].contains("digest"));
    let mut older = report();
    older.files_digest = None;
    assert!(verify(&older, &mut tree()).faults[0].contains("older program"));
    let mut counted = report();
    counted.claims_verified -= 1;
    let faults = verify(&counted, &mut tree()).faults;
    assert_eq!(faults, ["the report says that 2 of 3 claims hold, and marks 3 of 3"]);
}

#[test]
fn what_the_report_calls_unverified_is_not_held_against_it() {
    let mut report = report();
    report.directories[0].claims[1].text = "It serves with 17.".to_owned();
    report.directories[0].claims[1].verified = false;
    report.claims_verified = 2;
    let outcome = verify(&report, &mut tree());
    assert!(matches!(outcome.checked[1].standing, Standing::Refuted { .. }));
    assert!(outcome.holds());
}

/// Whatever the report itself calls it: somebody may act upon a flag.
#[test]
fn a_flag_that_cannot_be_proved_is_a_fault() {
    assert!(verify(&report(), &mut tree()).holds());
    let change: [fn(&mut Flag); 4] = [
        |flag| flag.evidence.clear(),
        |flag| flag.evidence[0].path = RelPath::from("gone.rs"),
        |flag| flag.evidence[0].quote = Some("nowhere to be seen".to_owned()),
        |flag| flag.finding = "The port 9999 is open.".to_owned(),
    ];
    for (number, change) in change.into_iter().enumerate() {
        for is_called_verified in [true, false] {
            let mut report = report();
            change(&mut report.flags[0]);
            report.flags[0].verified = is_called_verified;
            assert!(!verify(&report, &mut tree()).holds(), "change {number}, {is_called_verified}");
        }
    }
}
