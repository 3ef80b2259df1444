use std::collections::BTreeMap;

use luminos_core::entry::{Claim, Coverage, DirEntry, ENTRY_FORMAT, Share, Stamp};
use luminos_core::evaluation::{DirEvaluation, Evaluation};
use luminos_core::experience::{Experience, Features};
use luminos_core::job::{Assignment, Child, DirReport, DirResult, ListedFile, Loan, News};
use luminos_core::judge::{Author, Exhibit, Library, Shown, judge, numbers_of};
use luminos_core::plan::{Order, Tier, Turns};
use luminos_core::proof::{Evidence, Served};
use luminos_core::report::{Findings, Section};
use luminos_core::scan::{DirId, FileId, Kind, Scan};
use luminos_core::{ContentHash, RelPath};
use luminos_scan::{Cache, Options, Progress};
use luminos_tools::Root;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use crate::fixture::{Script, assignment, put};
use luminos_core::whole::{DirSoFar, DirState, Material, Synthesis, Whole};

fn a_project() -> TempDir {
    let target = tempfile::tempdir().unwrap();
    put(
        &target,
        "README.md",
        "# Wheel\n\n[![build](https://x/y.svg)](https://x)\n\nWheel is a small library that\nturns wheels of **any** size. It needs nothing else.\n\n## More\n",
    );
    put(
        &target,
        "Cargo.toml",
        "[package]\nname = \"wheel\"\nversion = \"0.3.1\"\nlicense = \"MIT\"\n\n[dependencies]\nserde = \"1\"\n",
    );
    put(&target, "Makefile", "all: build\nbuild:\n\tcargo build\ntest:\n\tcargo test\nX := 1\n");
    put(&target, "src/main.rs", "//! Turns the wheel from the command line.\n\nfn main() {}\n");
    put(
        &target,
        "src/hub.rs",
        "//! The hub: what all spokes meet in,\n//! and nothing else.\n\n/// A hub.\npub struct Hub;\n",
    );
    put(&target, "src/spokes/one.rs", "/// The first one.\npub fn one() {}\n");
    put(&target, "tests/turns.rs", "#[test]\nfn it_turns() {}\n\n#[test]\nfn it_stops() {}\n");
    put(&target, "vendor/other/lib.c", "int x;\n");
    put(&target, "data/runs.csv", "day,turns,wheel\n1,20,a\n2,30,b\n");
    target
}

fn scan(target: &TempDir) -> Scan {
    luminos_scan::scan(target.path(), &Options::default(), &Cache::default(), &Progress::default())
        .unwrap()
        .scan
}

fn listed(scan: &Scan, file: FileId) -> ListedFile {
    let record = scan.file(file);
    ListedFile {
        name: RelPath::new(scan.name(record.name)),
        size: record.size,
        category: record.category,
        language: record.language.map(|language| scan.language_name(language).to_owned()),
        description: scan.description(record).map(str::to_owned),
        lines: record.lines,
        hash: Some(record.hash),
        kind: (record.kind != Kind::File).then(|| record.kind.name().to_owned()),
        executable: record.executable,
    }
}

fn assigned(scan: &Scan, dir: DirId, children: Vec<Child>) -> Assignment {
    let mut assignment = assignment(10);
    assignment.target_name = "wheel".to_owned();
    assignment.target_kind = crate::target_kind(scan);
    assignment.job.dir = scan.dir_path(dir);
    assignment.files = scan.files_of(dir).map(|file| listed(scan, file)).collect();
    assignment.file_count = assignment.files.len() as u64;
    assignment.children = children;
    assignment.survey = Some(crate::survey(&Whole {
        name: "wheel",
        scan,
        kind: crate::target_kind(scan),
        nonce: "5ee",
        context_budget: 0,
    }));
    assignment
}

fn entry(assignment: &Assignment, report: DirReport) -> DirEntry {
    DirEntry {
        partial_end: None,
        opening: report.opening,
        facts: report.facts,
        format: ENTRY_FORMAT,
        path: String::new(),
        relative_path: assignment.job.dir.clone(),
        child_count: assignment.file_count + assignment.children.len() as u64,
        summary: report.summary,
        dominant_category: Default::default(),
        cached_at: Stamp::default(),
        notable_files: report.notable_files,
        confidence: report.confidence,
        confidence_reason: report.confidence_reason,
        completeness: report.completeness,
        coverage: Coverage::default(),
        claims: report.claims,
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

/// A whole investigation, without a daemon.
pub(super) fn whole_of(target: &TempDir) -> (Vec<DirEntry>, Synthesis, Script) {
    let scan = scan(target);
    let root = Root::open(target.path()).unwrap();
    let script = Script::new();
    let mut entries: Vec<DirEntry> = Vec::new();
    for dir in scan.leaves_first() {
        let known =
            |child: DirId| entries.iter().find(|entry| entry.relative_path == scan.dir_path(child)).cloned();
        let children =
            scan.children_of(dir).filter_map(known).map(|entry| Child::Done(Box::new(entry))).collect();
        let assignment = assigned(&scan, dir, children);
        let (DirResult::Reported(report) | DirResult::Judged(report)) =
            crate::run_dir(&assignment, &root, &script)
        else {
            panic!("no report")
        };
        entries.push(entry(&assignment, report));
    }
    let whole = Whole {
        name: "wheel",
        scan: &scan,
        kind: crate::target_kind(&scan),
        nonce: "5ee",
        context_budget: 0,
    };
    let flags = script.flags();
    let material =
        Material { whole, survey: None, dirs: &entries, files: &script.files(), flags: &flags, notes: &[] };
    let synthesis = crate::synthesise(&material);
    (entries, synthesis, script)
}

/// The same, for those who want the flags.
pub(super) fn investigate_all(target: &TempDir) -> (Script, Synthesis) {
    let (_, synthesis, script) = whole_of(target);
    (script, synthesis)
}

pub(super) fn investigate(target: &TempDir) -> (Vec<DirEntry>, Findings, Script) {
    let (entries, synthesis, script) = whole_of(target);
    (entries, synthesis.findings, script)
}

/// What was shown of the target.
pub(super) fn served(script: &Script) -> Vec<Served> {
    let news = script.news.borrow();
    let served = news.iter().filter_map(|news| match news {
        News::Served(served) => Some(served.clone()),
        News::Tool(_) | News::Flag(_) | News::File(_) | News::Turn(_) | News::Symbols(_) => None,
    });
    served.flatten().collect()
}

fn summary<'a>(entries: &'a [DirEntry], path: &str) -> &'a str {
    &entries.iter().find(|entry| entry.relative_path == RelPath::from(path)).unwrap().summary
}

#[test]
fn a_project_is_told_as_a_colleague_would() {
    let target = a_project();
    let (entries, findings, _) = investigate(&target);
    insta::assert_snapshot!("root", summary(&entries, ""));
    insta::assert_snapshot!("src", summary(&entries, "src"));
    insta::assert_snapshot!("brief", findings.brief);
    insta::assert_snapshot!("detailed", findings.detailed);
    let starts: Vec<&str> =
        findings.sections[&Section::EntryPoints].iter().map(|item| item.text.as_str()).collect();
    assert_eq!(starts, ["program `wheel`: `fn main()`"]);
    assert_eq!(
        findings.sections[&Section::Datasets][0].text,
        "2 rows; integer `day` (1 to 2), integer `turns` (20 to 30) and text `wheel` (2 different)"
    );
}

/// The target's own files, for the judge.
pub(super) struct Shelf<'a>(pub(super) &'a TempDir);

impl Library for Shelf<'_> {
    fn file(&mut self, path: &RelPath) -> Option<Exhibit> {
        let bytes = std::fs::read(self.0.path().join(path.to_utf8()?)).ok()?;
        let blob = ContentHash(Sha256::digest(&bytes).into());
        Some(Exhibit { bytes: bytes.into(), blob, scanned: Some(blob) })
    }

    fn numbers(&self, path: &RelPath) -> Vec<u64> {
        let scan = scan(self.0);
        let file = scan.file_ids().find(|file| scan.file_path(*file) == *path);
        let record = file.map(|file| scan.file(file));
        record.map(|record| numbers_of(record.size, u64::from(record.lines))).unwrap_or_default()
    }

    fn has(&self, path: &str) -> bool {
        scan(self.0).file_ids().any(|file| scan(self.0).file_path(file).to_word().ends_with(path))
    }
}

#[test]
fn the_judge_finds_nothing_wrong() {
    let target = a_project();
    put(&target, "docs/README.txt", "Notes\r\n\r\nThese notes tell how wheels\r\nare to be turned.\r\n");
    put(&target, "src/odd.rs", "//! Reads `wheel.toml` and `no/such.rs`, whatever that is.\n");
    put(&target, "lib/old.py", "\"\"\"Old things,\nin several lines.\n\"\"\"\nclass Old:\n    pass\n");
    let (entries, _, script) = investigate(&target);
    let served = served(&script);
    let mut claims = 0;
    for entry in entries {
        let report = DirReport { summary: entry.summary, claims: entry.claims, ..DirReport::default() };
        let shown = Shown { served: &served, entries: &BTreeMap::new(), author: Author::Analyst };
        let judgement = judge(report, shown, &mut Shelf(&target));
        assert_eq!(judgement.faults, Vec::<String>::new());
        claims += judgement.report.claims.len();
    }
    assert!(12 < claims, "{claims}");
}

#[test]
fn the_same_target_gives_the_same_words() {
    let target = a_project();
    let (entries, findings, _) = investigate(&target);
    let (again, findings_again, _) = investigate(&target);
    assert_eq!((entries, findings), (again, findings_again));
}

#[test]
fn claims_are_judged_beside_the_analyst_and_what_is_amiss_is_left_to_the_daemon() {
    let target = a_project();
    let scan = scan(&target);
    let root = Root::open(target.path()).unwrap();
    let src = scan.dir_ids().find(|dir| scan.dir_path(*dir) == RelPath::from("src")).unwrap();
    let mut assignment = assigned(&scan, src, Vec::new());
    let DirResult::Judged(report) = crate::run_dir(&assignment, &root, &Script::new()) else {
        panic!("nothing is wrong with it")
    };
    assert!(!report.claims.is_empty() && report.claims.iter().all(|claim| claim.verified));
    // The scan saw another file than the one that was read.
    for file in assignment.files.iter_mut().filter(|file| file.name == RelPath::from("hub.rs")) {
        file.hash = Some(ContentHash::default());
    }
    let DirResult::Reported(report) = crate::run_dir(&assignment, &root, &Script::new()) else {
        panic!("a worker does not vouch for what has changed")
    };
    let (good, bad): (Vec<&Claim>, Vec<&Claim>) = report.claims.iter().partition(|claim| claim.verified);
    assert!(!good.is_empty() && !bad.is_empty());
    assert!(bad.iter().all(|claim| claim.faults.iter().any(|fault| fault.contains("has changed since"))));
}

#[test]
fn a_rich_directory_borrows_and_says_what_it_could_not_read() {
    let target = tempfile::tempdir().unwrap();
    for number in 0..40 {
        put(&target, &format!("m{number:02}.py"), &format!("\"\"\"Module number {number} of many.\"\"\"\n"));
    }
    let scan = scan(&target);
    let root = Root::open(target.path()).unwrap();
    let mut assignment = assigned(&scan, DirId(0), Vec::new());
    assignment.turns = Turns(2);
    let turns =
        |script: &Script| script.news.borrow().iter().filter(|news| matches!(news, News::Turn(_))).count();
    let script = Script::new().lending(Loan::Granted(Turns(2)));
    let (DirResult::Reported(report) | DirResult::Judged(report)) =
        crate::run_dir(&assignment, &root, &script)
    else {
        panic!("no report")
    };
    assert_eq!((turns(&script), script.files().len()), (4, 40));
    assert_eq!(report.completeness.unwrap().get(), 1.0);
    let script = Script::new();
    let (DirResult::Reported(report) | DirResult::Judged(report)) =
        crate::run_dir(&assignment, &root, &script)
    else {
        panic!("no report")
    };
    assert_eq!((turns(&script), script.files().len()), (2, 24));
    assert!(report.confidence_reason.unwrap().contains("16 of 40 files worth reading were not read."));
    let script = Script::new().stopped();
    assert!(matches!(crate::run_dir(&assignment, &root, &script), DirResult::Partial(_)));
}

#[test]
fn the_plan_follows_names_and_numbers() {
    let target = a_project();
    for number in 0..150 {
        put(&target, &format!("src/many/m{number}.py"), "x = 1\n");
    }
    let scan = scan(&target);
    let plan = crate::plan(
        &Whole {
            name: "wheel",
            scan: &scan,
            kind: crate::target_kind(&scan),
            nonce: "5ee",
            context_budget: 0,
        },
        &Experience::default(),
    );
    let paths = |dirs: &[luminos_core::plan::NamedDir]| -> Vec<String> {
        dirs.iter().map(|dir| dir.path.clone()).collect()
    };
    assert_eq!(paths(&plan.skip_dirs), ["vendor"]);
    assert_eq!(
        (plan.priority_dirs[0].path.as_str(), plan.priority_dirs[0].suggested_turns),
        ("src/many", Turns(13))
    );
    assert!(paths(&plan.shallow_dirs).contains(&"data".to_owned()));
    let survey = crate::survey(&Whole {
        name: "wheel",
        scan: &scan,
        kind: crate::target_kind(&scan),
        nonce: "5ee",
        context_budget: 0,
    });
    assert!(survey.description.starts_with("A software project in Python"), "{}", survey.description);
    assert!(survey.domain_notes.contains("in `tests`."), "{}", survey.domain_notes);
}

/// What came of a directory in an earlier run of the analyst.
fn took(dir: &str, turns: u32, features: Features) -> DirEvaluation {
    DirEvaluation {
        dir: RelPath::from(dir),
        planned_tier: Tier::Default,
        turns_allocated: Turns(10),
        turns_used: Turns(turns),
        turns_borrowed: Turns(0),
        turns_returned: Turns(0),
        utilization: Share::NONE,
        completeness: None,
        coverage: Share::ALL,
        confidence: None,
        verified_claims: (0, 0),
        tokens: Default::default(),
        cost: None,
        partial_reason: None,
        features: Some(features),
    }
}

#[test]
fn the_plan_follows_what_earlier_investigations_took() {
    let target = tempfile::tempdir().unwrap();
    for dir in ["hungry", "modest", "other", "tests"] {
        for number in 0..5 {
            put(&target, &format!("{dir}/f{number}.py"), "x = 1\n");
        }
    }
    let scan = scan(&target);
    let whole = Whole {
        name: "wheel",
        scan: &scan,
        kind: crate::target_kind(&scan),
        nonce: "5ee",
        context_budget: 0,
    };
    let tiers = |experience: &Experience| {
        let plan = crate::plan(&whole, experience);
        let priority = plan.priority_dirs.iter().map(|dir| (dir.path.clone(), dir.suggested_turns.0));
        let shallow = plan.shallow_dirs.iter().map(|dir| (dir.path.clone(), 5));
        (priority.chain(shallow).collect::<BTreeMap<_, _>>(), plan)
    };
    let (before, _) = tiers(&Experience::default());
    assert_eq!(before, BTreeMap::new());

    let features = Features { files: 5, bytes: 30, language: Some("Python".to_owned()) };
    let large = Features { files: 500, bytes: 30, language: None };
    let mut experience = Experience::default();
    // What was like it elsewhere, three times; the same ones in the last run of this target.
    let elsewhere = (1..=3).map(|place| took(&format!("{place}/tests"), 12 + place, features.clone()));
    experience.learn(&Evaluation::new(Order::LeafFirst, elsewhere.collect(), Stamp::default()));
    let here = vec![took("hungry", 30, large.clone()), took("modest", 2, large)];
    experience.remember(&Evaluation::new(Order::LeafFirst, here, Stamp::default()));
    let (after, plan) = tiers(&experience);
    let expected = [("hungry", 25), ("modest", 5), ("tests", 15), ("other", 15)];
    assert_eq!(after, expected.map(|(dir, turns)| (dir.to_owned(), turns)).into());
    let reason = &plan.priority_dirs.iter().find(|dir| dir.path == "tests").unwrap().reason;
    assert_eq!(
        reason,
        "3 directories called tests, with about as many files took 14 turns on average, 15 at most"
    );
    assert!(
        plan.notes.ends_with("For 4 directories, what such ones took in earlier investigations decided."),
        "{}",
        plan.notes
    );
}

#[test]
fn a_plan_is_revised_by_what_siblings_needed() {
    let dir = |path: &str, state| DirSoFar {
        path: RelPath::from(path),
        tier: Tier::Default,
        allocated: Turns(10),
        state,
    };
    let done = |used: u32, borrowed: u32| DirState::Done {
        used: Turns(used),
        borrowed: Turns(borrowed),
        coverage: Default::default(),
        completeness: None,
        partial: false,
    };
    let mut so_far = vec![
        dir("a/1", done(14, 4)),
        dir("a/2", done(12, 2)),
        dir("a/3", done(3, 0)),
        dir("a/4", DirState::Waiting),
    ];
    so_far.extend([
        dir("b/1", done(1, 0)),
        dir("b/2", done(2, 0)),
        dir("b/3", done(1, 0)),
        dir("b/4", DirState::Waiting),
    ]);
    so_far.push(dir("c/1", DirState::Waiting));
    let revision = crate::revise(&so_far);
    let moves: Vec<(&str, Tier)> =
        revision.moves.iter().map(|moved| (moved.path.as_str(), moved.tier)).collect();
    assert_eq!(moves, [("a/4", Tier::Priority), ("b/4", Tier::Shallow)]);
}

#[test]
fn data_is_told_with_its_time_and_its_gaps() {
    let target = tempfile::tempdir().unwrap();
    put(
        &target,
        "2023/sales.csv",
        "day,shop,amount\n2023-01-05,north,10.5\n2023-06-30,south,\n2023-11-02,north,99\n2023-03-01,west,7\n",
    );
    put(
        &target,
        "logs/app.log",
        "2022-12-30 08:00:01 INFO started\n2022-12-31 09:00:00 ERROR no disk\n2024-01-01 00:00:00 INFO stopped\n",
    );
    put(
        &target,
        "mail/in.mbox",
        "From a@example.org Mon\nSubject: x\n\nHello\n\nFrom b@example.org Tue\n\nHi\n",
    );
    let (_, findings, _) = investigate(&target);
    let told = |section: Section| -> Vec<String> {
        findings.sections[&section].iter().map(|item| format!("{}: {}", item.name, item.text)).collect()
    };
    assert_eq!(
        told(Section::Datasets),
        [
            "2023/sales.csv: 1 table, 2023-01-05 to 2023-11-02 (4 rows; `amount` 7 to 99; also `shop`)",
            "logs/app.log: 3 log lines, 2022-12-30 to 2024-01-01 (1 ERROR and 2 INFO)",
            "mail/in.mbox: 2 mails (0 senders in 1 thread)",
        ]
    );
    assert_eq!(told(Section::PeriodCovered), [": 2022-12-30 to 2024-01-01 (`logs/app.log`)."]);
    assert_eq!(
        told(Section::DataQuality),
        ["2023/sales.csv: 1 of 4 values of `amount` is missing", "mail/in.mbox: 2 of 2 mails carry no date",]
    );
    assert!(findings.brief.starts_with("`wheel` keeps 1 table"), "{}", findings.brief);
}

/// Facts that a good report contains, and words that would be wrong.
#[track_caller]
fn tells(target: &TempDir, facts: &[&str], wrong: &[&str]) {
    let (entries, findings, _) = investigate(target);
    let summaries: Vec<&str> = entries.iter().map(|entry| entry.summary.as_str()).collect();
    let said = format!("{} {} {:?} {summaries:?}", findings.brief, findings.detailed, findings.sections);
    for fact in facts {
        assert!(said.contains(fact), "{fact} is missing: {said}");
    }
    for word in wrong {
        assert!(!said.contains(word), "{word} is wrong: {said}");
    }
}

#[test]
fn a_python_framework_is_not_taken_for_what_it_makes() {
    let target = tempfile::tempdir().unwrap();
    put(
        &target,
        "pyproject.toml",
        "[project]\nname = \"shop\"\nversion = \"2.1\"\nlicense = \"MIT\"\ndescription = \"Sells things.\"\n\n[project.scripts]\nshop = \"shop:main\"\n",
    );
    put(&target, "shop/__init__.py", "");
    put(
        &target,
        "shop/migrations/writer.py",
        "# Avoid shadowing the writer below.\nfrom shop.db.base import Base\n\nclass Writer:\n    pass\n",
    );
    put(&target, "shop/db/base.py", "# TODO: make this faster some day\n\nclass Base:\n    pass\n");
    put(&target, "shop/db/query.py", "from shop.db.base import Base\n\nclass Query:\n    pass\n");
    put(&target, "shop/test/client.py", "class Client:\n    pass\n");
    put(&target, "tests/test_shop.py", "def test_it():\n    pass\n");
    tells(
        &target,
        &[
            "Python package `shop` 2.1",
            "Sells things.",
            "Licence: MIT",
            "the program `shop`",
            "uses `shop/db`",
            "in `tests`.",
        ],
        &["database migrations", "Avoid shadowing", "TODO", "`shop/test` and", "…"],
    );
}

#[test]
fn a_go_module_is_told_with_its_packages() {
    let target = tempfile::tempdir().unwrap();
    put(&target, "go.mod", "module example.org/wheel\n\ngo 1.22\n");
    put(
        &target,
        "cmd/turn/main.go",
        "// Command turn turns wheels.\npackage main\n\nimport (\n\t\"fmt\"\n\t\"example.org/wheel/pkg/hub\"\n)\n\nfunc main() { fmt.Println(hub.New()) }\n",
    );
    put(
        &target,
        "pkg/hub/hub.go",
        "// Package hub holds spokes together.\npackage hub\n\nfunc New() int { return 1 }\n",
    );
    tells(
        &target,
        &[
            "Go module `example.org/wheel`",
            "uses `pkg/hub`",
            "Package hub holds spokes together.",
            "cmd/turn/main.go",
            "No licence was found",
        ],
        &["uses `fmt`", "import each other"],
    );
}

/// What a corrupted citation is judged by.
struct Corruption {
    kind: &'static str,
    claim: Claim,
    /// Whether the record says that the file was shown.
    is_served: bool,
}

/// A claim with each piece of its evidence corrupted in every way in which citations go wrong.
fn corruptions(claim: &Claim, others: &[(RelPath, ContentHash)]) -> Vec<Corruption> {
    let mut corrupted = Vec::new();
    let mut add = |kind, claim, is_served| corrupted.push(Corruption { kind, claim, is_served });
    for (at, evidence) in claim.evidence.iter().enumerate() {
        let with = |change: &dyn Fn(&mut Evidence)| {
            let mut changed = claim.clone();
            change(&mut changed.evidence[at]);
            changed
        };
        let quote = evidence.quote.clone().unwrap_or_default();
        for (place, letter) in quote.char_indices() {
            let other = if letter == '¤' { "¶" } else { "¤" };
            let changed = [&quote[..place], other, &quote[place + letter.len_utf8()..]].concat();
            add("quote changed", with(&|evidence| evidence.quote = Some(changed.clone())), true);
        }
        for shift in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 50] {
            let shifted = with(&|evidence| {
                evidence.start_line += shift;
                evidence.end_line += shift;
            });
            add("line shifted", shifted, true);
        }
        for (path, blob) in others.iter().filter(|(path, _)| *path != evidence.path) {
            add("hash swapped", with(&|evidence| evidence.blob = Some(*blob)), true);
            add("path renamed", with(&|evidence| evidence.path = path.clone()), true);
        }
        add("path renamed", with(&|evidence| evidence.path = RelPath::from("no/such.file")), true);
        add("never served", claim.clone(), false);
    }
    for (at, digits) in claim.text.match_indices(|letter: char| letter.is_ascii_digit()) {
        let text = [&claim.text[..at], "77", digits, &claim.text[at + 1..]].concat();
        add("number altered", Claim { text, ..claim.clone() }, true);
    }
    corrupted
}

#[test]
fn a_thousand_corrupted_citations_are_caught() {
    let target = a_project();
    let (entries, _, script) = investigate(&target);
    let record = served(&script);
    let files: Vec<(RelPath, ContentHash)> =
        record.iter().filter_map(|read| Some((read.path.clone(), read.blob?))).collect();
    let no_entries = BTreeMap::new();
    let mut caught: BTreeMap<&str, usize> = BTreeMap::new();
    // Held to what a model is held to: of the analyst's sentences, those that state only what they cite.
    let holds = |claim: &Claim, served: &[Served]| {
        let shown = Shown { served, entries: &no_entries, author: Author::Model };
        let report = DirReport { claims: vec![claim.clone()], ..DirReport::default() };
        judge(report, shown, &mut Shelf(&target)).report.claims[0].verified
    };
    let claims = entries.iter().flat_map(|entry| &entry.claims);
    let sound: Vec<&Claim> = claims.filter(|claim| holds(claim, &record)).collect();
    assert!(8 < sound.len(), "{sound:#?}");
    for claim in sound {
        for Corruption { kind, claim, is_served } in corruptions(claim, &files) {
            let record: &[Served] = if is_served { &record } else { &[] };
            assert!(!holds(&claim, record), "{kind}: {claim:?}");
            *caught.entry(kind).or_default() += 1;
        }
    }
    assert!(1_000 <= caught.values().sum::<usize>(), "{caught:?}");
    assert_eq!(caught.len(), 6, "{caught:?}");
}
