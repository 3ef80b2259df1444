use std::collections::BTreeMap;

use super::*;
use crate::entry::{Claim, Coverage};
use crate::proof::{Evidence, Symbols, ToolCallId, hash_quote};

mod corrupted;

const MAIN: &str = "// Starts the server.\nfn main() {\n    serve(8080);\n}\n";

#[derive(Default)]
struct Files(BTreeMap<RelPath, Exhibit>);

impl Files {
    fn with(path: &str, bytes: &[u8]) -> Self {
        let blob = ContentHash([7; 32]);
        let exhibit = Exhibit { bytes: bytes.to_vec().into(), blob, scanned: Some(blob) };
        Self(BTreeMap::from([(RelPath::from(path), exhibit)]))
    }
}

impl Library for Files {
    fn file(&mut self, path: &RelPath) -> Option<Exhibit> {
        self.0.get(path).cloned()
    }

    fn has(&self, path: &str) -> bool {
        self.0.contains_key(&RelPath::from(path))
    }

    fn numbers(&self, path: &RelPath) -> Vec<u64> {
        self.0.get(path).map(|exhibit| numbers_of(exhibit.bytes.len() as u64, 4)).unwrap_or_default()
    }
}

fn served(start: u64, end: u64, lines: (u64, u64)) -> Served {
    Served {
        path: RelPath::from("main.rs"),
        blob: Some(ContentHash([7; 32])),
        start,
        end,
        first_line: lines.0,
        last_line: lines.1,
        call: ToolCallId(format!("call-{start}")),
    }
}

fn whole() -> Vec<Served> {
    vec![served(0, MAIN.len() as u64, (1, 4))]
}

fn cites(path: &str, lines: (u64, u64), quote: Option<&str>) -> DirReport {
    let evidence = Evidence {
        path: RelPath::from(path),
        start_line: lines.0,
        end_line: lines.1,
        quote: quote.map(str::to_owned),
        quote_hash: None,
        start: None,
        end: None,
        blob: None,
        call: None,
    };
    let claim = Claim {
        refuted: false,
        fact: None,
        text: "It serves.".to_owned(),
        evidence: vec![evidence],
        entries: Vec::new(),
        faults: Vec::new(),
        verified: false,
    };
    DirReport { claims: vec![claim], ..DirReport::default() }
}

static NO_ENTRIES: BTreeMap<RelPath, String> = BTreeMap::new();

fn shown(served: &[Served]) -> Shown<'_> {
    Shown { served, entries: &NO_ENTRIES, author: Author::Model }
}

fn faults(report: DirReport, served: &[Served]) -> Vec<String> {
    judge(report, shown(served), &mut Files::with("main.rs", MAIN.as_bytes())).faults
}

#[test]
fn a_quote_that_stands_where_it_is_said_to_stand_holds_and_is_pinned() {
    let judged = judge(
        cites("main.rs", (3, 3), Some("serve(8080);")),
        shown(&whole()),
        &mut Files::with("main.rs", MAIN.as_bytes()),
    );
    assert_eq!(judged.verdict(true), Verdict::Accept);
    let claim = &judged.report.claims[0];
    assert!(claim.verified);
    let evidence = &claim.evidence[0];
    let start = MAIN.find("serve(").unwrap() as u64;
    assert_eq!((evidence.start, evidence.end), (Some(start), Some(start + 12)));
    assert_eq!(evidence.blob, Some(ContentHash([7; 32])));
    assert_eq!(evidence.call, Some(ToolCallId("call-0".to_owned())));
}

#[test]
fn every_lie_is_told_apart() {
    let sentences = [
        (cites("other.rs", (1, 1), None), whole()),
        (cites("main.rs", (0, 1), None), whole()),
        (cites("main.rs", (3, 2), None), whole()),
        (cites("main.rs", (2, 9), None), whole()),
        (cites("main.rs", (1, 1), Some("serve(8080);")), whole()),
        (cites("main.rs", (3, 3), Some("serve(80);")), whole()),
        (cites("main.rs", (3, 3), Some("serve(8080);")), vec![served(0, 20, (1, 1))]),
        (cites("main.rs", (1, 4), None), vec![served(0, 20, (1, 1)), served(30, 60, (3, 4))]),
        (
            DirReport {
                claims: vec![Claim {
                    refuted: false,
                    fact: None,
                    text: "x".into(),
                    evidence: vec![],
                    entries: vec![],
                    faults: vec![],
                    verified: true,
                }],
                ..DirReport::default()
            },
            whole(),
        ),
        (DirReport { summary: "See `lib.rs` and `main.rs`.".into(), ..DirReport::default() }, whole()),
    ];
    let found: Vec<String> =
        sentences.into_iter().map(|(report, served)| faults(report, &served).join(" | ")).collect();
    insta::assert_snapshot!(found.join("\n"), @"
    claim 1: `other.rs` is no file of the target
    claim 1: lines 0–1 of `main.rs` are no range: lines count from 1
    claim 1: lines 3–2 of `main.rs` are no range: lines count from 1
    claim 1: `main.rs` has 4 lines, not 9
    claim 1: the quote `serve(8080);` stands in line 3 of `main.rs`, not in the lines you cite
    claim 1: the quote `serve(80);` does not stand in `main.rs`: quote exactly, or not at all
    claim 1: lines 3–3 of `main.rs` were never shown to you: read them before you cite them
    claim 1: lines 1–4 of `main.rs` were never shown to you: read them before you cite them
    claim 1: it cites nothing
    the summary names `lib.rs`, and there is nothing of that name in the target
    ");
}

#[test]
fn a_quote_without_its_secret_is_proved_by_the_hash_of_the_true_words() {
    const KEPT: &str = "a = 1\nKEY = \"s3same-op3n-doors\"\nb = 2\n";
    let all = vec![served(0, KEPT.len() as u64, (1, 3))];
    let judged = |evidence: &Evidence, text: &str| {
        let claims = vec![Claim {
            evidence: vec![evidence.clone()],
            ..cites("main.rs", (2, 2), None).claims.remove(0)
        }];
        let report = DirReport { claims, ..DirReport::default() };
        let files = Files::with("main.rs", text.as_bytes());
        let mut judged = judge(report, shown(&all), &mut { files });
        (judged.report.claims.remove(0).evidence.remove(0), judged.faults)
    };
    // As the analyst cites it: by its place, with a mark of a kind that nobody else may know.
    let marked = "KEY = \"[redacted some-kind]\"";
    let (start, end) = (6, 31);
    let hash = hash_quote(ContentHash([7; 32]), &KEPT.as_bytes()[start..end]);
    let place = |at: usize| Some(at as u64);
    let cited = cites("main.rs", (2, 2), Some(marked)).claims.remove(0).evidence.remove(0);
    let cited = Evidence { quote_hash: Some(hash), start: place(start), end: place(end), ..cited };
    let (once, faults) = judged(&cited, KEPT);
    assert_eq!(faults, [""; 0]);
    assert_eq!((once.quote.as_deref(), once.quote_hash), (Some(marked), Some(hash)));
    // To judge it again changes nothing.
    assert_eq!(judged(&once, KEPT), (once.clone(), Vec::new()));
    // Other words, or words that it was not made from, are not what was quoted.
    let (_, faults) = judged(&cited, &KEPT.replace("op3n", "sh7t"));
    assert_eq!(faults.len(), 1, "{faults:?}");
    let forged = Evidence { quote: Some("KEY = \"[redacted some-kind]\" # safe".to_owned()), ..cited };
    assert_eq!(judged(&forged, KEPT).1.len(), 1);
}

#[test]
fn several_looks_together_show_a_range() {
    let pieces = vec![served(30, 60, (3, 4)), served(0, 35, (1, 3))];
    assert!(faults(cites("main.rs", (1, 3), None), &pieces).is_empty());
}

#[test]
fn a_file_that_changed_or_was_read_in_another_state_proves_nothing() {
    let mut files = Files::with("main.rs", MAIN.as_bytes());
    files.0.values_mut().for_each(|exhibit| exhibit.blob = ContentHash([8; 32]));
    let judged = judge(cites("main.rs", (1, 1), None), shown(&whole()), &mut files);
    assert_eq!(judged.faults, ["claim 1: `main.rs` has changed since it was scanned"]);
    files.0.values_mut().for_each(|exhibit| exhibit.scanned = None);
    let judged = judge(cites("main.rs", (1, 1), None), shown(&whole()), &mut files);
    assert!(judged.faults[0].contains("never shown"), "{:?}", judged.faults);
}

#[test]
fn other_encodings_are_compared_by_lines() {
    let wide: Vec<u8> =
        [0xff, 0xfe].into_iter().chain("eins\nzwei\n".encode_utf16().flat_map(u16::to_le_bytes)).collect();
    let pieces = [served(0, wide.len() as u64, (1, 2))];
    let judged =
        judge(cites("main.rs", (2, 2), Some("zwei")), shown(&pieces), &mut Files::with("main.rs", &wide));
    assert!(judged.faults.is_empty(), "{:?}", judged.faults);
    assert_eq!(judged.report.claims[0].evidence[0].start, None);
}

#[test]
fn who_may_not_mend_is_kept_with_faults() {
    let judged = Judgement { report: DirReport::default(), faults: vec!["x".to_owned()] };
    assert_eq!(judged.verdict(true), Verdict::Revise);
    assert_eq!(judged.verdict(false), Verdict::AcceptWithFaults);
}

#[test]
fn coverage_counts_each_byte_once() {
    let pieces = [served(0, 50, (1, 2)), served(20, 60, (1, 3)), served(80, 90, (5, 5))];
    let files = [(RelPath::from("main.rs"), 100), (RelPath::from("other.rs"), 100)];
    let symbols = [
        Symbols { path: RelPath::from("main.rs"), lines: vec![1, 3, 4, 5] },
        Symbols { path: RelPath::from("other.rs"), lines: vec![1] },
    ];
    let expected = Coverage {
        files: 2,
        files_seen: 1,
        bytes: 200,
        bytes_seen: 70,
        symbols: 5,
        symbols_seen: 3,
        unreadable: 0,
    };
    assert_eq!(coverage(files, &pieces, &symbols), expected);
}

#[test]
fn what_was_filled_in_before_must_be_so() {
    type Corruption = (fn(&mut Evidence), &'static str);
    let changed: [Corruption; 3] = [
        (|evidence| evidence.blob = Some(ContentHash([1; 32])), "the hash it gives is not that of `main.rs`"),
        (|evidence| (evidence.start, evidence.end) = (Some(1), Some(13)), "the bytes it gives"),
        (|evidence| evidence.call = Some(ToolCallId("other".to_owned())), "were never shown"),
    ];
    for (change, words) in changed {
        let mut report = cites("main.rs", (3, 3), Some("serve(8080);"));
        change(&mut report.claims[0].evidence[0]);
        let found = faults(report, &whole());
        assert!(found.len() == 1 && found[0].contains(words), "{found:?}");
    }
}

#[test]
fn a_sentence_may_rest_on_entries_below() {
    let mut report = cites("main.rs", (3, 3), None);
    report.claims[0].text = "It serves on 8080, as `api` says of its 41 routes.".to_owned();
    report.claims[0].entries = vec![RelPath::from("api")];
    let entries = BTreeMap::from([(RelPath::from("api"), "`api` has 41 routes.".to_owned())]);
    let mut files = Files::with("main.rs", MAIN.as_bytes());
    let pieces = whole();
    let shown = Shown { served: &pieces, entries: &entries, author: Author::Model };
    assert_eq!(judge(report.clone(), shown, &mut files).faults, [""; 0]);
    let without = judge(report, Shown { entries: &NO_ENTRIES, ..shown }, &mut files);
    assert_eq!(without.faults, ["claim 1: there is no entry of `api` below this directory"]);
}

fn flag(rule: Option<&str>, finding: &str, evidence: Vec<Evidence>) -> Flag {
    Flag {
        path: RelPath::from("main.rs"),
        finding: finding.to_owned(),
        severity: crate::flag::Severity::Concern,
        rule: rule.map(str::to_owned),
        evidence,
        directory: RelPath::root(),
        verified: false,
        faults: Vec::new(),
    }
}

#[test]
fn flags_are_claims_too() {
    let mut files = Files::with("main.rs", MAIN.as_bytes());
    let mut check = |mut flag: Flag| {
        judge_flag(&mut flag, &whole(), &mut files);
        (flag.verified, flag.faults.join("; "))
    };
    let cited = |lines, quote| cites("main.rs", lines, Some(quote)).claims.remove(0).evidence;
    assert!(check(flag(None, "It listens on 8080.", cited((3, 3), "serve(8080)"))).0);
    assert!(check(flag(Some("x.y"), "It does so 17 times.", cited((3, 3), "serve(8080)"))).0);
    assert!(check(flag(Some("x.y"), "The file as such.", Vec::new())).0);
    assert_eq!(check(flag(None, "So I think.", Vec::new())).1, "it cites nothing");
    assert!(check(flag(None, "It listens on 80.", cited((3, 3), "serve(8080)"))).1.contains("`80`"));
    assert!(check(flag(Some("x.y"), "x", cited((1, 1), "serve(8080)"))).1.contains("line 3"));
}
