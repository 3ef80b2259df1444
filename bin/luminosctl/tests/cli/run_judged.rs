//! Reports are held against the files: what is wrong goes back, and what stays wrong is marked.

use luminos_model_server::{Answer, Block, Honesty, Matcher, Policy, Script, Turn};
use serde_json::{Value, json};

use crate::machine::finish;
use crate::site::{PATIENCE, Site, project};

#[test]
fn a_wrong_quote_goes_back_and_is_mended_on_borrowed_turns() {
    let wrong = Turn::call(
        "submit_report",
        &json!({
            "summary": "A guide.", "completeness": 1.0, "confidence": 0.9,
            "claims": [{ "text": "It tells where to begin.", "evidence": [
                { "path": "docs/guide.md", "start_line": 1, "end_line": 1, "quote": "no file says this" },
            ]}],
            "evidence": [{ "path": "docs/guide.md", "start_line": 1, "end_line": 1, "quote": "no file says this" }],
        }),
    );
    let docs = Matcher::any().offering("read_file").containing(r"directory: docs\n");
    let answers = [Answer::policy(), Answer::policy(), Answer::policy(), wrong.into()];
    let site = Site::new(project(), Script::new().when(docs, answers).otherwise(Policy::default()));
    site.done(".");
    let told = site.asked().into_iter().find(|asked| asked.dir == "docs" && asked.turn == 5).unwrap();
    assert!(told.body.contains("was checked against the files and has these faults"), "{}", told.body);
    let row = site.evaluated("docs");
    assert_eq!(row["turns_used"], 5, "{row}");
    assert!(0 < row["turns_borrowed"].as_u64().unwrap(), "{row}");
    let entry = site.entry("docs");
    let claims = entry["claims"].as_array().unwrap();
    assert!(!claims.is_empty() && claims.iter().all(|claim| claim["verified"] == true), "{entry}");
}

#[test]
fn what_stays_wrong_is_kept_and_marked() {
    let site = Site::new(project(), Policy { honesty: Honesty::Invents, ..Policy::default() });
    let run = site.done(".");
    let entry = site.entry("docs");
    let claims = entry["claims"].as_array().unwrap();
    assert!(!claims.is_empty() && claims.iter().all(|claim| claim["verified"] == false), "{entry}");
    assert!(run.stdout.contains("Not verified  7 of 7 claims"), "{run}");
    // Twice at most it goes back.
    let last = site.dir_turns().into_iter().filter(|(dir, _)| dir == "docs").map(|(_, turn)| turn).max();
    assert!(last.unwrap() <= 6, "{:?}", site.dir_turns());
}

/// A flag that a model raises beside its report in `docs`.
fn flag(finding: &str, severity: &str, evidence: &Value) -> Block {
    let path = "docs/guide.md";
    Block::call(
        "flag",
        &json!({ "path": path, "finding": finding, "severity": severity, "evidence": evidence }),
    )
}

/// Whatever a model calls critical without showing it is told last, as unproved, and decides nothing.
#[test]
fn a_flag_that_nothing_proves_is_shown_last_and_decides_nothing() {
    let proved = json!([{ "path": "docs/guide.md", "start_line": 1, "end_line": 1 }]);
    let refuted = json!([{ "path": "docs/guide.md", "start_line": 1, "end_line": 1, "quote": "rm -rf /" }]);
    let flags = Turn::of(vec![
        flag("It sends the history to a server in another country.", "critical", &json!([])),
        flag("It removes everything with `rm`.", "critical", &refuted),
        flag("The guide is short.", "info", &proved),
    ]);
    let docs = Matcher::any().offering("read_file").containing(r"directory: docs\n");
    let answers = [Answer::policy(), Answer::policy(), flags.into()];
    let site = Site::new(project(), Script::new().when(docs, answers).otherwise(Policy::default()));
    let run = site.done("--fail-on concern .");
    let report = site.report();
    let told: Vec<&str> =
        report["flags"].as_array().unwrap().iter().map(|flag| flag["finding"].as_str().unwrap()).collect();
    assert_eq!(told.len(), 3, "{report}");
    assert_eq!(told[0], "The guide is short.", "{told:?}");
    assert!(run.stdout.contains("Flags  1 info · 2 unproved"), "{run}");
    let place = |words: &str| run.stdout.find(words).unwrap_or_else(|| panic!("{words}: {run}"));
    assert!(place("The guide is short.") < place("It sends the history"), "{run}");
    let verified = site.machine.ended(finish(&mut site.command("verify ."), PATIENCE));
    assert_eq!(verified.code, Some(1), "{verified}");
    for format in ["md", "html", "sarif"] {
        let shown =
            site.machine.ended(finish(&mut site.command(&format!("show --format {format}")), PATIENCE));
        let shown = shown.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(shown.contains("unproved"), "{format}: {shown}");
    }
    let failed = site.machine.ended(finish(&mut site.command("show --fail-on info"), PATIENCE));
    assert_eq!(failed.code, Some(4), "what is proved counts: {failed}");
}

/// A report with every usual slip, in the last turn and with a flag behind it, is taken for what it says.
#[test]
fn no_work_is_lost_for_its_form() {
    let slips = json!({
        "summary": "A guide that tells where to begin. ".repeat(400), "completeness": "0.9", "confidence": 7,
        "notes": "an unknown field", "evidence": "none",
        "claims": [
            { "text": "It is a guide.", "evidence": [{ "path": "docs/guide.md", "start_line": "1", "endLine": 1 }] },
            { "said": 3 },
        ],
    });
    let proved = json!([{ "path": "docs/guide.md", "start_line": 1, "end_line": 1 }]);
    let last =
        Turn::of(vec![Block::call("submit_report", &slips), flag("The guide is short.", "info", &proved)]);
    let docs = Matcher::any().offering("read_file").containing(r"directory: docs\n");
    let answers = [Answer::policy(), Answer::policy(), last.into()];
    let site = Site::new(project(), Script::new().when(docs, answers).otherwise(Policy::default()));
    let run = site.done(".");
    let entry = site.entry("docs");
    assert!(entry["summary"].as_str().unwrap().starts_with("A guide that tells where to begin."), "{entry}");
    assert_eq!((&entry["partial"], &entry["completeness"]), (&json!(false), &json!(0.9)), "{entry}");
    assert_eq!(entry["claims"][0]["text"], "It is a guide.", "{entry}");
    assert!(!entry["corrections"].as_array().unwrap().is_empty(), "what was corrected is told: {entry}");
    let flags = site.report()["flags"].to_string();
    assert!(flags.contains("The guide is short."), "{flags}\n{run}");
}
