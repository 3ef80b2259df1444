//! Requirements become tasks: by rule, with a model, twice at once, and after a kill.

use std::fs;
use std::process::Stdio;

use insta::assert_snapshot;
use luminos_model_server::{Answer, Gate, Script};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::machine::{Machine, Run, finish};
use crate::site::{Api, PATIENCE, Site};

const REQUIREMENT: &str = "\
# Goal
Limit how often somebody may log in.
## Background
Passwords are guessed.
## Constraints
- No new dependency
## Acceptance Criteria
- [ ] A sixth log-in within a minute is refused
- [ ] The limit is explained in docs/login.md
## Scope
- the log-in page
## Allowed Paths
- `src/**`, `tests/**`, `docs/**`
## Risk Assessment
- (low) somebody is locked out — the limit is per address
## Notes
Ask Kim.
";

fn machine() -> Machine {
    Machine::new()
        .with_file("requirement.md", REQUIREMENT)
        .with_file("project/README.md", "# Shop\n\nA shop with a log-in page.\n")
        .with_file("project/pyproject.toml", "[project]\nname = 'shop'\n")
        .with_file("project/src/shop/login.py", "def login(user, password):\n    \"\"\"Log somebody in.\"\"\"\n    return check(user, password)\n")
        .with_file("project/src/shop/cart.py", "def add(item):\n    return item\n")
        .with_file("project/tests/test_login.py", "def test_login():\n    assert login('a', 'b')\n")
}

fn inspection() -> String {
    let gap = |text: &str, number: u32| {
        json!({ "text": text, "criteria": [number],
        "evidence": [{ "path": "src/shop/login.py", "line": 1, "quote": "def login" }] })
    };
    json!({ "summary": "no limit", "satisfied": [], "notes": [], "gaps": [gap("no limit", 1), gap("no page", 2)] }).to_string()
}

fn tasks() -> String {
    let task = |title: &str, files: &[&str], after: &[u32], criterion: u32| {
        json!({ "title": title, "goal": format!("{title}: done."),
        "files": files, "specs": "five a minute", "allowedPaths": [], "commands": [], "role": "worker", "riskLevel": "low",
        "timeboxMinutes": 45, "dependsOn": after, "criteria": [criterion] })
    };
    json!({ "warnings": [], "tasks": [task("Explain the limit", &["docs/login.md"], &[1], 2),
        task("Refuse the sixth log-in", &["src/shop/login.py", "tests/test_login.py"], &[], 1)] })
    .to_string()
}

fn script() -> Script {
    Script::new()
        .then(Answer::text(&inspection()))
        .then(Answer::text(&tasks()))
        .then(Answer::text("{\"tasks\": []}"))
}

/// Names of tasks differ each time.
fn blanked(text: &str) -> String {
    let is_name = |word: &str| {
        word.len() == 8 && word.chars().all(|letter| letter.is_ascii_hexdigit() && !letter.is_uppercase())
    };
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        while let Some(at) = rest.find(|letter: char| letter.is_ascii_hexdigit()) {
            let (before, from) = rest.split_at(at);
            let end = from.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(from.len());
            let (word, after) = from.split_at(end);
            out.push_str(before);
            out.push_str(if is_name(word) { "[TASK]" } else { word });
            rest = after;
        }
        out.push_str(rest);
    }
    out
}

#[track_caller]
fn run(site: &Site, arguments: &str) -> Run {
    site.machine.ended(finish(&mut site.command(arguments), PATIENCE))
}

#[track_caller]
fn open_tasks(site: &Site) -> Vec<Value> {
    let run = run(site, "tasks export");
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run}"))
}

/// Every file of a directory with its content.
fn contents(dir: &std::path::Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(contents(&path))
        } else {
            all.push((path.clone(), fs::read(&path).unwrap()))
        }
    }
    all.sort();
    all
}

#[test]
fn without_a_model_a_plan_is_made_by_rule_and_says_so() {
    let site = Site::through(Api::Chat, machine(), Script::new());
    let before = contents(&site.machine.project());
    let planned = run(&site, "tasks plan ../requirement.md --no-model --quiet");
    assert_snapshot!(blanked(&planned.to_string()), @"");
    assert_eq!(contents(&site.machine.project()), before);
    let again = run(&site, "tasks plan ../requirement.md --no-model --quiet");
    assert_eq!(again.code, Some(0), "{again}");
    assert!(again.stderr.contains("this was planned"), "{again}");
    site.machine.write("project/src/shop/more.py", "x = 1\n");
    let refused = run(&site, "tasks plan ../requirement.md --no-model --quiet");
    assert_snapshot!(blanked(&refused.to_string()), @"");
    assert_eq!(open_tasks(&site).len(), 2);
}

#[test]
fn tasks_are_worked_through_in_order() {
    let site = Site::through(Api::Chat, machine(), script());
    let planned = run(&site, "tasks plan ../requirement.md --model openai/local-small --quiet");
    assert_eq!(planned.code, Some(0), "{planned}");
    assert_snapshot!(blanked(&planned.to_string()), @"");
    assert_snapshot!(blanked(&run(&site, "tasks graph").to_string()), @"");
    let first = run(&site, "tasks next --agent ada --json");
    let first: Value = serde_json::from_str(&first.stdout).unwrap_or_else(|_| panic!("{first}"));
    assert_eq!(first["task"]["title"], "Refuse the sixth log-in");
    assert_snapshot!(blanked(&run(&site, "tasks next --agent bob").to_string()), @"");
    let id = first["task"]["id"].as_str().unwrap();
    assert_eq!(run(&site, &format!("tasks done {id} --agent ada")).code, Some(0));
    assert!(run(&site, "tasks next --agent bob").stdout.contains("Explain the limit"));
    assert_snapshot!(run(&site, "tasks done nothing").to_string(), @"");
}

#[test]
fn the_same_plan_twice_at_once_is_made_once() {
    let gate = Gate::shut();
    let script = Script::new()
        .then(Answer::text(&inspection()).behind(&gate))
        .then(Answer::text(&tasks()))
        .then(Answer::text("{\"tasks\": []}"));
    let site = Site::through(Api::Chat, machine(), script);
    let arguments = "tasks plan ../requirement.md --model openai/local-small --quiet";
    let mut command = site.command(arguments);
    let first = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    site.until(|counters| 1 <= counters.requests);
    let second = run(&site, arguments);
    assert_snapshot!(second.to_string(), @"
    exit code: 0
    ---- stderr
    the same plan is being made by another process; nothing to do
    ");
    gate.open();
    assert_eq!(site.wait(first).code, Some(0));
    assert_eq!(open_tasks(&site).len(), 2);
    // Nothing was asked for the second.
    assert_eq!(site.server.requests().len(), 3);
}

#[test]
fn a_planner_that_is_killed_leaves_nothing_half_saved() {
    let gate = Gate::shut();
    let site =
        Site::through(Api::Chat, machine(), Script::new().then(Answer::text(&inspection()).behind(&gate)));
    let arguments = "tasks plan ../requirement.md --model openai/local-small --quiet";
    let mut command = site.command(arguments);
    let first = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    site.until(|counters| 1 <= counters.requests);
    kill_process(Pid::from_child(&first), Signal::KILL).unwrap();
    assert_eq!(site.wait(first).code, None);
    assert_eq!(open_tasks(&site), Vec::<Value>::new());
    site.server.play(script());
    gate.open();
    let again = run(&site, arguments);
    assert_eq!(again.code, Some(0), "{again}");
    assert_eq!(open_tasks(&site).len(), 2);
    let events = run(&site, "tasks events --json");
    let events: Vec<Value> = serde_json::from_str(&events.stdout).unwrap();
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["type"].as_str()).collect();
    assert_eq!(kinds, ["planner.plan_failed", "planner.plan_created"]);
}

#[test]
fn faults_are_told_with_a_way_out() {
    let machine = machine().with_file("empty.md", "\n").with_file(
        "project/.luminos/verify.contract.json",
        "{\n  \"commands\": [\n    \"make a && make b\"\n  ]\n}\n",
    );
    assert_snapshot!(machine.run("tasks plan ../empty.md"), @"");
    assert_snapshot!(machine.run("tasks plan ../none.md"), @"");
    assert_snapshot!(machine.run("tasks plan ../requirement.md --no-model"), @"");
    assert_snapshot!(machine.run("tasks list"), @"");
}

#[test]
fn help_of_tasks() {
    assert_snapshot!(Machine::new().run("tasks --help"), @"");
    assert_snapshot!(Machine::new().run("tasks plan --help"), @"");
}
