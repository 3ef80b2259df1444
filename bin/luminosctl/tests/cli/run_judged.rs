//! Reports are held against the files: what is wrong goes back, and what stays wrong is marked.

use luminos_model_server::{Answer, Honesty, Matcher, Policy, Script, Turn};
use serde_json::json;

use crate::site::{Site, project};

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
