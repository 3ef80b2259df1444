//! What a plan says is followed as far as it makes sense; what does not is told.

use std::collections::{BTreeMap, BTreeSet};

use luminos_model_server::{Answer, Matcher, Policy, Script, Settings, Turn};
use serde_json::{Value, json};

use crate::machine::{Machine, finish};
use crate::site::{Api, PATIENCE, Site, project};

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

/// What an earlier run planned for a directory that has been removed since is no news.
#[test]
fn a_directory_that_was_removed_is_no_fault_of_the_plan() {
    let site = Site::new(
        project(),
        planned(json!({
            "priority_dirs": [{ "path": "tests", "reason": "tests", "suggested_turns": 12 }],
            "shallow_dirs": [{ "path": "docs", "reason": "words only" }], "skip_dirs": [],
            "investigation_order": "leaf-first", "notes": "",
        })),
    );
    site.done(".");
    for gone in ["tests", "docs"] {
        std::fs::remove_dir_all(site.machine.project().join(gone)).unwrap();
        site.done(".");
        let notes = site.report()["notes"].to_string();
        assert!(!notes.contains("no directory of the target"), "{gone}: {notes}");
    }
    // What is left of the plan counts, and one that is made anew has nothing to say about them.
    site.done("--refresh-plan .");
    let notes = site.report()["notes"].to_string();
    assert!(!notes.contains("no directory of the target"), "{notes}");
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

#[test]
fn an_estimate_rests_on_what_earlier_runs_took() {
    let site = Site::new(project(), Policy::default());
    let estimate = || {
        let arguments = "estimate --model anthropic/claude-haiku-5-5 --json .";
        let estimated = site.machine.ended(finish(&mut site.command(arguments), PATIENCE));
        serde_json::from_str::<Value>(&estimated.stdout).unwrap_or_else(|_| panic!("{estimated}"))
    };
    let before = estimate();
    assert!(before["assumptions"].to_string().contains("no earlier investigation"), "{before}");
    site.done(".");
    let asked = site.server.counters().requests;
    let after = estimate();
    assert_eq!(site.server.counters().requests, asked, "nobody is asked for it");
    assert!(after["assumptions"][0].as_str().unwrap().starts_with("5 of 5 directories take"), "{after}");
    let used = site.document("plan_evaluation.json")["total_turns_used"].as_u64().unwrap();
    let range = |end: &str| after["turns"][end].as_u64().unwrap();
    assert!(range("start") <= used && used <= range("end"), "{used} turns were used: {after}");
    assert!(range("end") < before["turns"]["end"].as_u64().unwrap(), "{before}");
}

#[test]
fn a_planner_is_told_what_earlier_runs_took() {
    let site = Site::new(project(), Policy::default());
    site.done(".");
    site.done("--refresh-plan .");
    let plans: Vec<_> = site.asked().into_iter().filter(|asked| asked.pass == "plan").collect();
    assert!(!plans[0].body.contains("What earlier investigations used"), "{}", plans[0].body);
    let last = &plans[plans.len() - 1].body;
    assert!(last.contains("What earlier investigations used"), "{last}");
    assert!(last.contains("src/parser: 4 turns used of"), "{last}");
}

/// A model for each pass, by the settings: each question goes to the model of its pass, and to no other.
#[test]
fn every_pass_asks_the_model_that_is_set_for_it() {
    let passes = ["survey", "plan", "dir", "judge", "synthesis"];
    let lines: String = passes.iter().map(|pass| format!("{pass} = 'anthropic/of-{pass}'\n")).collect();
    let machine = project().with_file(".config/luminos/config.toml", format!("[models]\n{lines}"));
    let mut served = Settings::default();
    let usual = served.messages_models[0].clone();
    served.messages_models.extend(passes.iter().map(|pass| {
        let mut facts = usual.clone();
        facts.id = format!("of-{pass}");
        facts
    }));
    let stands = Turn::call("submit_verdict", &json!({ "verdict": "stands", "reason": "it says so" }));
    let judge = Matcher::any().offering("submit_verdict");
    let script = Script::new().when(judge, vec![stands.into(); 200]).otherwise(Policy::default());
    let site = Site::served(served, Api::Messages, machine, script);
    let run = site.machine.ended(finish(&mut site.command("run --judge model ."), PATIENCE));
    assert_eq!(run.code, Some(0), "{run}\n{}", site.log());
    let mut models: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for asked in site.asked() {
        let body: Value = serde_json::from_str(&asked.body).unwrap();
        models.entry(asked.pass).or_default().insert(body["model"].as_str().unwrap().to_owned());
    }
    for pass in passes {
        assert_eq!(models.get(pass), Some(&BTreeSet::from([format!("of-{pass}")])), "{models:?}\n{run}");
    }
}
