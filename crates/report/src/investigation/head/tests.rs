use luminos_core::RelPath;
use luminos_core::entry::{Claim, DirEntry};
use luminos_core::flag::Severity;
use luminos_core::report::{Item, Note, Report, Section, Subsystem};
use proptest::prelude::*;

use super::Head;
use crate::investigation::{sample, text};
use crate::{Detail, Layout, Style};

/// The head of a report, after it was kept and read again.
fn kept(report: &Report) -> Head {
    let bytes = serde_json::to_vec(&Head::of(report)).unwrap();
    serde_json::from_slice(&bytes).unwrap()
}

#[track_caller]
fn check(report: &Report) {
    let head = kept(report);
    for detail in [Detail::Brief, Detail::Usual] {
        for style in [Style::Plain, Style::Ansi] {
            for width in [20, 72, 80, 131, 400] {
                let layout = Layout { width, style, detail, depth: None };
                let (short, whole) = (head.text(&layout).unwrap(), text(report, &layout));
                assert!(short == whole, "{layout:?}\n{short}\n-- but the whole report says:\n{whole}");
            }
        }
    }
    assert_eq!(head.worst(), report.worst());
}

/// A report in which there is too much of everything.
fn overflowing() -> Report {
    let mut report = sample::large(900);
    let doubtful = |dir: usize, claim: usize| Claim {
        refuted: false,
        fact: None,
        text: format!("Claim {claim} of directory {dir}."),
        evidence: vec![sample::evidence("src/a.rs", (1, 2), Some("fn main() {"))],
        entries: Vec::new(),
        faults: vec!["the quote is not there".to_owned()],
        verified: claim % 2 == 1,
    };
    for (number, entry) in report.directories.iter_mut().enumerate().skip(300) {
        entry.claims = (0..3).map(|claim| doubtful(number, claim)).collect();
        entry.partial = number % 100 == 0;
    }
    report.findings.claims = (0..2).map(|claim| doubtful(0, claim)).collect();
    report.flags = Severity::ALL
        .into_iter()
        .flat_map(|severity| (0..30).map(move |number| (severity, number)))
        .map(|(severity, number)| sample::flag(severity, &format!("Finding {number}."), Vec::new()))
        .collect();
    report.notes = (0..40)
        .flat_map(|number| {
            [
                Note::Partial(format!("reason {number}")),
                Note::Plan(format!("oddity {number}")),
                Note::Other(format!("remark {number}")),
            ]
        })
        .collect();
    let item = |number: usize| Item {
        name: format!("part {number}"),
        text: "Does a thing.".to_owned(),
        ..Item::default()
    };
    report.findings.sections.insert(Section::Components, (0..50).map(item).collect());
    let dirs = |number: usize| (0..number).map(|dir| RelPath::from(format!("d{dir}").as_str())).collect();
    let subsystem = |number: usize| Subsystem {
        told: Default::default(),
        name: format!("S{number}"),
        description: "Some.".to_owned(),
        dirs: dirs(number),
    };
    report.subsystems = (1..40).map(subsystem).collect();
    report
}

#[test]
fn a_head_gives_the_text_of_its_report() {
    for report in
        [sample::report(), sample::hostile(), sample::bare(), sample::large(3), sample::large(5_000)]
    {
        check(&report);
    }
}

#[test]
fn what_a_head_leaves_out_is_counted() {
    let report = overflowing();
    check(&report);
    let text = kept(&report).text(&Layout::default()).unwrap();
    for word in ["30 more: luminosctl show --full", "70 more: luminosctl flags", "; and 35 more"] {
        assert!(text.contains(word), "{word}\n{text}");
    }
}

#[test]
fn a_head_knows_what_it_cannot_show() {
    let head = kept(&sample::report());
    assert_eq!(head.text(&Layout { detail: Detail::Full, ..Layout::default() }), None);
    assert_eq!(head.text(&Layout { depth: Some(2), ..Layout::default() }), None);
}

#[test]
fn a_head_stays_small() {
    let size = |dirs| serde_json::to_vec(&Head::of(&sample::large(dirs))).unwrap().len();
    assert!(size(20_000) < size(200) + 1_000, "{} {}", size(20_000), size(200));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn whatever_a_report_says_its_head_says_too(
        texts in proptest::collection::vec(".{0,80}", 1..12),
        partial in proptest::collection::vec(any::<bool>(), 8),
    ) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let mut report = sample::made_of(&texts);
        for (entry, partial) in report.directories.iter_mut().zip(partial) {
            *entry = DirEntry { partial, ..entry.clone() };
        }
        check(&report);
    }
}
