use super::*;
use crate::entry::{Share, Stamp};
use crate::plan::{Order, Tier};
use crate::scan::{Builder, FileRecord, LanguageId};

fn features(files: u64, bytes: u64, language: &str) -> Features {
    let language = (!language.is_empty()).then(|| language.to_owned());
    Features { files, bytes, language }
}

fn row(dir: &str, used: u32, features: Features) -> DirEvaluation {
    DirEvaluation {
        dir: RelPath::from(dir),
        planned_tier: Tier::Default,
        turns_allocated: Turns(10),
        turns_used: Turns(used),
        turns_borrowed: Turns(0),
        turns_returned: Turns(0),
        utilization: Share::NONE,
        completeness: None,
        coverage: Share::new(0.5).unwrap(),
        confidence: None,
        verified_claims: (0, 0),
        tokens: Tokens(u64::from(used) * 1_000),
        cost: None,
        partial_reason: None,
        features: Some(features),
    }
}

fn learned(rows: Vec<DirEvaluation>) -> Experience {
    let mut experience = Experience::of(Whose::Model);
    experience.learn(&Evaluation::new(Order::LeafFirst, rows, Stamp::default()));
    experience
}

#[test]
fn what_is_most_alike_tells_most() {
    let rust = || features(6, 9_000, "Rust");
    let mut experience = learned(vec![
        row("a/tests", 4, rust()),
        row("b/Tests", 6, rust()),
        row("tests", 5, rust()),
        row("src", 12, rust()),
        row("lib", 11, features(5, 8_500, "")),
    ]);
    let expect = |experience: &Experience, dir: &str, features: Features| {
        let expected = experience.expect(&RelPath::from(dir), &features);
        expected.map(|expected| (expected.mean.0, expected.most.0, expected.dirs, expected.likeness))
    };
    let told = |mean, most, dirs, likeness: &str| Some((mean, most, dirs, likeness.to_owned()));
    assert_eq!(
        expect(&experience, "x/tests", features(7, 1, "Lua")),
        told(5, 6, 3, "called tests, with about as many files")
    );
    assert_eq!(
        expect(&experience, "x/new", rust()),
        told(7, 12, 4, "of Rust, with about as many files and bytes")
    );
    assert_eq!(
        expect(&experience, "x/new", features(4, 5_000, "Go")),
        told(8, 12, 5, "with about as many files and bytes")
    );
    assert_eq!(expect(&experience, "x/tests", features(900, 9_000, "Rust")), None, "none was as large");
    experience.remember(&Evaluation::new(
        Order::LeafFirst,
        vec![row("x/tests", 20, rust())],
        Stamp::default(),
    ));
    assert_eq!(
        expect(&experience, "x/tests", rust()),
        told(20, 20, 1, "the same directory in an earlier run")
    );
}

/// What was done when somebody stopped, or a limit was reached, is not what a directory takes.
#[test]
fn a_look_that_was_cut_off_teaches_nothing() {
    let rust = || features(6, 9_000, "Rust");
    let cut = |dir: &str, reason: &str| DirEvaluation {
        partial_reason: Some(reason.to_owned()),
        tokens: Tokens(900_000),
        ..row(dir, 1, rust())
    };
    let whole = || vec![row("a/tests", 6, rust()), row("b/tests", 6, rust()), row("c/tests", 6, rust())];
    let mut experience = learned(whole());
    for reason in [
        "the investigation was stopped",
        "the money limit of $0.05 was reached",
        "the time limit of 5 s was reached",
        "the model failed: connection refused",
        "the model declined to go on (refusal)",
    ] {
        let rows = vec![cut("x/tests", reason), cut("y/tests", reason)];
        experience.remember(&Evaluation::new(Order::LeafFirst, rows, Stamp::default()));
    }
    assert_eq!(experience, learned(whole()));
    assert_eq!(experience.tokens_per_turn(), Some(Tokens(1_000)));
    // Turns that did not suffice are a lesson.
    let short = vec![cut("x/tests", "it ran out of turns before it reported")];
    experience.learn(&Evaluation::new(Order::LeafFirst, short, Stamp::default()));
    assert_eq!(experience.dirs(), 4);
}

#[test]
fn what_the_analyst_took_says_nothing_about_models() {
    let offline = |dir: &str| DirEvaluation { tokens: Tokens(0), ..row(dir, 1, features(3, 90, "C")) };
    let rows = || vec![offline("a/docs"), offline("b/docs"), offline("c/docs")];
    assert_eq!(learned(rows()).dirs(), 0);
    assert_eq!(learned(rows()).tokens_per_turn(), None);
    let mut experience = Experience::of(Whose::Analyst);
    experience.learn(&Evaluation::new(Order::LeafFirst, rows(), Stamp::default()));
    let expected = experience.expect(&RelPath::from("docs"), &features(2, 80, "C")).unwrap();
    assert_eq!((expected.mean, expected.is_short), (Turns(1), false));
}

#[test]
fn who_ran_short_is_counted() {
    let short = |dir: &str| DirEvaluation { turns_borrowed: Turns(2), ..row(dir, 12, features(9, 900, "C")) };
    let experience = learned(vec![short("a/core"), short("b/core"), row("c/core", 3, features(9, 900, "C"))]);
    assert!(experience.expect(&RelPath::from("core"), &features(9, 900, "C")).unwrap().is_short);
    assert_eq!(experience.tokens_per_turn(), Some(Tokens(1_000)));
}

#[test]
fn kinds_that_come_again_are_told_in_lines() {
    let rows = vec![
        row("", 9, features(2, 10, "")),
        row("a/Tests", 4, features(5, 10, "Rust")),
        row("b/tests", 7, features(6, 11, "Rust")),
        row("tests", 1, features(7, 12, "Rust")),
        row("docs", 0, features(5, 10, "")),
        row("once", 2, features(5, 10, "")),
    ];
    insta::assert_snapshot!(learned(rows).lines().join("\n"), @"
    3 directories called tests with 4–15 files: 4.0 turns each, 7 at most; 50 % of them was seen
    3 directories of Rust with 4–15 files, 4–15 bytes: 4.0 turns each, 7 at most; 50 % of them was seen
    ");
}

#[test]
fn features_are_those_of_a_directory_alone() {
    let mut builder = Builder::new("/target", vec!["C", "Rust"]);
    let file = |size, code, language| {
        let language = Some(LanguageId(language));
        FileRecord { size, code, language, ..FileRecord::default() }
    };
    builder.file_at(b"src/a.c", file(10, 3, 0));
    builder.file_at(b"src/b.rs", file(20, 9, 1));
    builder.file_at(b"src/deep/c.c", FileRecord { size: 99, ..FileRecord::default() });
    let scan = builder.finish();
    let src = scan.dir_ids().find(|dir| scan.dir_path(*dir).to_word() == "src").unwrap();
    assert_eq!(Features::of(&scan, src), features(2, 30, "Rust"));
    assert_eq!(Features::of(&scan, DirId(0)), features(0, 0, ""));
}
