use luminos_core::RelPath;
use luminos_core::entry::{Coverage, DirEntry, ENTRY_FORMAT, FileEntry, Share, Stamp};
use luminos_core::flag::Severity;
use luminos_core::job::NoTurn;
use luminos_core::plan::{Order, Tier, Turns};
use luminos_core::report::{Origin, Section};
use luminos_core::scan::{Builder, Category, FileRecord, Scan};
use luminos_core::survey::Survey;
use luminos_core::whole::{DirSoFar, DirState, Material, Scale};
use serde_json::{Value, json};

use super::*;
use crate::fixture::{Script, call, say};

fn scan() -> Scan {
    let mut builder = Builder::new("/wheel", Vec::new());
    for path in ["README.md", "src/main.rs", "src/spokes/spoke.rs", "docs/turning.md"] {
        builder.file_at(path.as_bytes(), FileRecord { size: 1_200, ..FileRecord::default() });
    }
    builder.finish()
}

fn whole(scan: &Scan) -> Whole<'_> {
    Whole {
        name: "wheel",
        scan,
        kind: luminos_analyst::target_kind(scan),
        nonce: "00000000000005ee",
        context_budget: 100_000,
    }
}

fn a_survey() -> Survey {
    Survey {
        description: "A program that turns wheels.".to_owned(),
        approach: "Begin with main.rs.".to_owned(),
        domain_notes: "Wheels are round.".to_owned(),
        confidence: Share::new(0.8).unwrap(),
        ..Survey::default()
    }
}

fn dir_entry(path: &str, summary: &str) -> DirEntry {
    DirEntry {
        partial_end: None,
        opening: None,
        facts: Vec::new(),
        format: ENTRY_FORMAT,
        path: String::new(),
        relative_path: RelPath::from(path),
        child_count: 1,
        summary: summary.to_owned(),
        dominant_category: Category::Source,
        cached_at: Stamp::default(),
        notable_files: Vec::new(),
        confidence: Share::new(0.9),
        confidence_reason: None,
        completeness: None,
        coverage: Coverage::default(),
        claims: Vec::new(),
        flags: Vec::new(),
        reads: Vec::new(),
        partial: path == "docs",
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

fn file_entry(path: &str, summary: &str) -> FileEntry {
    FileEntry {
        facts: Vec::new(),
        format: ENTRY_FORMAT,
        path: String::new(),
        relative_path: RelPath::from(path),
        size_bytes: 1_200,
        category: Category::Source,
        summary: summary.to_owned(),
        cached_at: Stamp::default(),
        notable: false,
        notable_reason: None,
        confidence: None,
        confidence_reason: None,
        evidence: Vec::new(),
        content_hash: None,
    }
}

fn flag(path: &str, severity: Severity) -> Flag {
    Flag {
        path: RelPath::from(path),
        finding: "A key lies here.".to_owned(),
        severity,
        rule: None,
        evidence: Vec::new(),
        directory: RelPath::root(),
        verified: severity == Severity::Critical,
        faults: Vec::new(),
    }
}

fn so_far() -> Vec<DirSoFar> {
    let dir =
        |path: &str, tier, state| DirSoFar { path: RelPath::from(path), tier, allocated: Turns(10), state };
    let done = DirState::Done {
        used: Turns(12),
        borrowed: Turns(2),
        coverage: Share::new(0.4).unwrap(),
        completeness: Share::new(0.9),
        partial: true,
    };
    vec![
        dir("src/spokes", Tier::Default, done),
        dir("src", Tier::Priority, DirState::Running),
        dir("docs", Tier::Shallow, DirState::Waiting),
    ]
}

#[test]
fn the_survey_is_what_the_model_submits() {
    let submitted = json!({ "description": "A wheel.", "approach": "Look.", "confidence": "very", "skip_tools": ["search"] });
    let script = Script::new([say("Let me see."), call(&[("submit_survey", submitted)])]);
    let scan = scan();
    let survey = survey(&whole(&scan), &["read_file", "search"], &script).unwrap();
    assert_eq!((survey.description.as_str(), survey.confidence), ("A wheel.", Share::NONE));
    let tools: Vec<String> = script.asked.borrow()[0]
        .opening
        .as_ref()
        .unwrap()
        .tools
        .iter()
        .map(|tool| tool.name.clone())
        .collect();
    assert_eq!(tools, ["submit_survey"]);
}

#[test]
fn a_pass_that_does_not_submit_ends_with_its_turns() {
    let scan = scan();
    let script = Script::new([]);
    assert_eq!(survey(&whole(&scan), &[], &script), Err(EndReason::OutOfTurns));
    assert_eq!(script.turns(), 3);
    let script = Script::new([]).then_no(NoTurn::ModelFailed("down".to_owned()));
    assert_eq!(plan(&whole(&scan), None, &[], "", &script), Err(EndReason::ModelFailed("down".to_owned())));
}

#[test]
fn a_plan_is_taken_within_its_bounds() {
    let submitted = json!({
        "priority_dirs": [{ "path": "src", "reason": "the code", "suggested_turns": 99 }, { "path": "x", "suggested_turns": "many" }],
        "shallow_dirs": [{ "path": "docs" }], "investigation_order": "priority-first", "notes": "Mind the spokes.",
    });
    let script = Script::new([call(&[("submit_plan", submitted)])]);
    let scan = scan();
    let plan = plan(&whole(&scan), Some(&a_survey()), &[RelPath::from("docs")], "", &script).unwrap();
    let turns: Vec<u32> = plan.priority_dirs.iter().map(|dir| dir.suggested_turns.0).collect();
    assert_eq!((turns, plan.investigation_order), (vec![25, 15], Order::PriorityFirst));
    assert_eq!(plan.shallow_dirs[0].path, "docs");
}

#[test]
fn a_revision_moves_directories() {
    let submitted = json!({ "moves": [{ "path": "docs", "tier": "priority", "reason": "It is central." }] });
    let script = Script::new([call(&[("revise_plan", submitted)])]);
    let scan = scan();
    let revision = revise(&whole(&scan), None, &so_far(), &script).unwrap();
    assert_eq!((revision.moves[0].tier, revision.moves[0].turns), (Tier::Priority, Some(Turns::PRIORITY)));
}

fn many(dirs: usize) -> Vec<DirEntry> {
    let root = dir_entry("", "The top.");
    let rest = (0..dirs).map(|number| dir_entry(&format!("part{}/d{number:03}", number % 4), "A part."));
    std::iter::once(root).chain(rest).collect()
}

fn groups(groups: &[(&str, &[&str])]) -> (&'static str, Value) {
    let group =
        |(name, dirs): &(&str, &[&str])| json!({ "name": name, "description": "Some.", "directories": dirs });
    ("submit_grouping", json!({ "groups": groups.iter().map(group).collect::<Vec<_>>() }))
}

#[track_caller]
fn holds_each_once(subsystems: &[luminos_core::report::Subsystem], entries: &[DirEntry]) {
    let mut dirs: Vec<&RelPath> = subsystems.iter().flat_map(|subsystem| &subsystem.dirs).collect();
    dirs.sort();
    let mut all: Vec<&RelPath> = entries.iter().map(|entry| &entry.relative_path).collect();
    all.sort();
    assert_eq!(dirs, all);
}

#[test]
fn every_directory_is_in_one_subsystem() {
    let scan = scan();
    let entries = many(40);
    let script = Script::new([call(&[groups(&[
        ("Hub", &["part0/d000", "./part1/d001/", "nowhere"]),
        ("Rim", &["part0/d000", "part2/d002"]),
    ])])]);
    let subsystems = group(&whole(&scan), None, &entries, &script).unwrap();
    holds_each_once(&subsystems, &entries);
    let names: Vec<(&str, usize)> =
        subsystems.iter().map(|group| (group.name.as_str(), group.dirs.len())).collect();
    assert_eq!(names, [("Hub", 2), ("Rim", 1), ("Everything else", 38)]);
}

#[test]
fn a_huge_target_is_grouped_twice() {
    let scan = scan();
    let entries = many(400);
    let first = groups(&[("A", &["."]), ("B", &["part1/d001"]), ("C", &["part2/d002"])]);
    let second = groups(&[("All of it", &["A", "B"])]);
    let script = Script::new([call(&[first]), call(&[second])]);
    let subsystems = group(&whole(&scan), None, &entries, &script).unwrap();
    holds_each_once(&subsystems, &entries);
    assert_eq!(script.turns(), 2);
    let names: Vec<&str> = subsystems.iter().map(|group| group.name.as_str()).collect();
    assert_eq!(names[0], "All of it");
}

fn material<'a>(
    scan: &'a Scan,
    dirs: &'a [DirEntry],
    files: &'a [FileEntry],
    flags: &'a [Flag],
) -> Material<'a> {
    Material { whole: whole(scan), survey: None, dirs, files, flags, notes: &[] }
}

#[test]
fn the_report_is_written_from_entries_that_can_be_looked_up() {
    let scan = scan();
    let dirs = [dir_entry("", "Turns wheels."), dir_entry("src", "The program.")];
    let files = [file_entry("src/main.rs", "Starts it.")];
    let submitted = json!({ "brief": "It turns.", "detailed": "It turns wheels.", "tech_stack": ["Rust"],
        "components": [{ "name": "Hub", "description": "The middle.", "paths": ["src/"] }] });
    let wrong = json!({ "path": "src", "finding": "Parts disagree.", "severity": "concern" });
    let script = Script::new([
        call(&[
            ("list_cache", json!({ "cache_type": "dir" })),
            ("read_cache", json!({ "cache_type": "file", "path": "src/main.rs" })),
            ("flag", wrong),
        ]),
        call(&[("submit_report", submitted)]),
    ]);
    let synthesis = synthesise(&material(&scan, &dirs, &files, &[]), &script);
    assert_eq!((synthesis.origin, synthesis.findings.brief.as_str()), (Origin::Model, "It turns."));
    assert_eq!(synthesis.findings.sections[&Section::Components][0].path, Some(RelPath::from("src")));
    assert_eq!(synthesis.flags.len(), 1);
    let told = script.told(2);
    assert!(told.contains("2 entries.") && told.contains("Starts it."), "{told}");
    assert!(script.told(1).contains("src/main.rs: Starts it."), "a small target shows its files");
}

#[test]
fn there_is_always_a_report() {
    let scan = scan();
    let dirs = [dir_entry("", "Turns wheels.\n\nMore."), dir_entry("src", "The program.")];
    let flags = [flag("a", Severity::Info), flag("b", Severity::Critical)];
    let script = Script::new([]);
    let synthesis = synthesise(&material(&scan, &dirs, &[], &flags), &script);
    assert_eq!((synthesis.origin, script.turns()), (Origin::Mechanical, 5));
    assert_eq!(synthesis.failure, Some(EndReason::Repeating("5 turns without a tool call".to_owned())));
    assert!(
        synthesis.findings.brief.starts_with("Turns wheels. It has 4 files"),
        "{}",
        synthesis.findings.brief
    );
    assert_eq!(synthesis.findings.sections[&Section::Concerns].len(), 1);
    let script = Script::new([]).then_no(NoTurn::Limit("no money".to_owned()));
    let synthesis = synthesise(&material(&scan, &[], &[], &[]), &script);
    assert!(!synthesis.findings.brief.is_empty());
}

#[test]
fn scales_follow_the_numbers_of_the_contract() {
    let scales = [(4, 29), (5, 29), (4, 30), (30, 1), (31, 1), (150, 1), (151, 1)]
        .map(|(dirs, files)| Scale::of(dirs, files));
    use Scale::{Huge, Large, Medium, Small};
    assert_eq!(scales, [Small, Medium, Medium, Medium, Large, Large, Huge]);
}

/// The first message of a pass, as sent.
fn first_message(hold: impl FnOnce(&Script)) -> String {
    let script = Script::new([]).then_no(NoTurn::Stopped);
    hold(&script);
    script.told(1)
}

#[test]
fn prompts_are_sent_like_this() {
    let scan = scan();
    let whole = whole(&scan);
    let survey_block = a_survey();
    insta::assert_snapshot!(
        "survey",
        first_message(|script| drop(survey(&whole, &["read_file", "search"], script)))
    );
    let cached = [RelPath::from("docs")];
    let planned =
        first_message(|script| drop(plan(&whole, Some(&survey_block), &cached, "src used 12 turns", script)));
    insta::assert_snapshot!("plan", planned);
    let revised = first_message(|script| drop(revise(&whole, Some(&survey_block), &so_far(), script)));
    insta::assert_snapshot!("revise", revised);
    let dirs =
        [dir_entry("", "Turns wheels."), dir_entry("docs", "Half read."), dir_entry("src", "The program.")];
    let grouped = first_message(|script| drop(group(&whole, Some(&survey_block), &dirs, script)));
    insta::assert_snapshot!("group", grouped);
    let files = [file_entry("src/main.rs", "Starts it.")];
    let flags = [flag("a", Severity::Info), flag("b\u{202e}", Severity::Critical)];
    let notes = ["the token limit was reached".to_owned()];
    let material =
        Material { survey: Some(&survey_block), notes: &notes, ..material(&scan, &dirs, &files, &flags) };
    insta::assert_snapshot!("synthesis", first_message(|script| drop(synthesise(&material, script))));
}
