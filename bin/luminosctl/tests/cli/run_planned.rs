//! What a plan says is followed as far as it makes sense; what does not is told.

use luminos_model_server::{Answer, Matcher, Policy, Script, Turn};
use serde_json::{Value, json};

use crate::machine::Machine;
use crate::site::{Site, project};

fn planned(plan: Value) -> Script {
    let plan: Answer = Turn::call("submit_plan", &plan).into();
    Script::new().when(Matcher::any().offering("submit_plan"), [plan]).otherwise(Policy::default())
}

#[test]
fn unknown_duplicate_and_nested_directories() {
    let site = Site::new(
        project(),
        planned(json!({
            "priority_dirs": [
                { "path": "./src/", "reason": "the code", "suggested_turns": 14 },
                { "path": "nowhere", "reason": "a dream", "suggested_turns": 9 },
                { "path": "src/parser", "reason": "the heart", "suggested_turns": 13 },
                { "path": "docs", "reason": "important" },
            ],
            "shallow_dirs": [{ "path": "docs", "reason": "words only" }],
            "skip_dirs": [{ "path": ".", "reason": "why not" }, { "path": "tests", "reason": "tests" }],
            "investigation_order": "leaf-first", "notes": "Mind the parser.",
        })),
    );
    site.done(".");
    let notes = site.report()["notes"].to_string();
    assert!(notes.contains("nowhere"), "{notes}");
    assert!(notes.contains("docs"), "{notes}");
    assert_eq!(site.evaluated("src")["turns_allocated"], 14);
    assert_eq!(site.evaluated("src/parser")["turns_allocated"], 13);
    assert_eq!(site.evaluated("docs")["planned_tier"], "shallow");
    // The root is never skipped; what is, is not asked about, and its parent knows why.
    assert_eq!(site.evaluated(".")["turns_allocated"], 10);
    let asked = site.asked();
    assert!(asked.iter().all(|asked| asked.dir != "tests"));
    let root = asked.iter().find(|asked| asked.dir == ".").unwrap();
    assert!(root.body.contains("skipped by the plan"), "{}", root.body);
    assert!(root.body.contains("Mind the parser."));
}

#[test]
fn an_important_parent_pulls_its_children_forward_and_still_waits_for_them() {
    let machine = Machine::new()
        .with_file("project/README.md", "# Lantern\n")
        .with_file("project/docs/a/b/c/deep.md", "# Deep\n")
        .with_file("project/src/main.rs", "fn main() {}\n")
        .with_file("project/src/parser/mod.rs", "pub fn run() {}\n")
        .with_file("project/src/parser/words.rs", "pub struct Word;\n");
    let plan = |order| {
        planned(json!({
            "priority_dirs": [{ "path": "src", "reason": "the code", "suggested_turns": 10 }],
            "shallow_dirs": [], "skip_dirs": [], "investigation_order": order, "notes": "",
        }))
    };
    let order = |site: &Site| -> Vec<String> {
        let mut dirs: Vec<String> =
            site.asked().into_iter().filter(|asked| asked.pass == "dir").map(|asked| asked.dir).collect();
        dirs.dedup();
        dirs
    };
    let site = Site::new(machine, plan("priority-first"));
    site.done("--parallel 1 .");
    assert_eq!(order(&site), ["src/parser", "src", "docs/a/b/c", "docs/a/b", "docs/a", "docs", "."]);
    let before = order(&site).len();
    site.server.play(plan("leaf-first"));
    site.done("--fresh --parallel 1 .");
    let leaf_first = &order(&site)[before..];
    assert_eq!(leaf_first.first().map(String::as_str), Some("docs/a/b/c"), "{leaf_first:?}");
}
