//! What plans rest on: investigations that there are, questions and their tasks.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use luminos_model_server::{Answer, Gate, Script};
use serde_json::{Value, json};

use crate::history::{git, program};
use crate::machine::finish;
use crate::site::{Api, PATIENCE, Site};
use crate::tasks::{blanked, inspection, machine, open_tasks, run, tasks};

#[test]
fn an_investigation_that_saw_what_is_there_is_used_and_an_old_one_is_not() {
    let site = Site::through(Api::Chat, machine(), Script::new());
    let looked = run(&site, "run --offline .");
    assert_eq!(looked.code, Some(0), "{looked}");
    assert_eq!(site.investigations().len(), 1);
    let before = site.document("meta.json");
    let planned = run(&site, "tasks plan ../requirement.md --no-model");
    assert!(!planned.stderr.contains("looking at the repository"), "{planned}");
    assert_eq!(site.document("meta.json"), before, "nobody looked again");
    for task in open_tasks(&site) {
        run(&site, &format!("tasks cancel {}", task["id"].as_str().unwrap()));
    }
    site.machine.write("project/src/shop/limit.py", "def limit(user):\n    \"\"\"Limit log-ins.\"\"\"\n");
    let planned = run(&site, "tasks plan ../requirement.md --no-model");
    assert!(planned.stderr.contains("looking at the repository, without a model"), "{planned}");
    assert!(planned.stdout.contains("src/shop/limit.py"), "{planned}");
}

/// Leaves a file behind, where no box hinders it.
const MEDDLER: &str = r#"#!/bin/sh
cat > /dev/null
echo 'x = 1' > "$HOME/project/src/shop/odd.py"
echo no
"#;

#[test]
fn a_plan_that_fails_says_so_and_saves_nothing() {
    let site = Site::through(Api::Chat, machine(), Script::new());
    let refused = run(&site, "tasks plan ../requirement.md --model anthropic/claude-haiku-5-5 --quiet");
    assert_eq!(refused.code, Some(1), "{refused}");
    program(&site.machine, "agent", MEDDLER);
    site.machine.write(".config/luminos/config.toml", "[models]\ncommand = ['agent']\ncommand-box = false\n");
    let mut command = site.command("tasks plan ../requirement.md --model command --quiet");
    command.env("PATH", format!("{}:/usr/bin:/bin", site.machine.home().join("bin").display()));
    insta::assert_snapshot!(site.machine.ended(finish(&mut command, PATIENCE)), @"
    exit code: 1
    ---- stderr
    asking command (your own program here, which may send what it is asked anywhere); file names and lines of files are sent there, recognised secrets taken out
    error: files of the repository changed while the plan was made; nothing was saved

    hint: if you changed them yourself, plan again; otherwise look at what the model's program did with `git diff`
    ");
    assert!(site.machine.project().join("src/shop/odd.py").exists(), "the program wrote into the repository");
    assert!(open_tasks(&site).is_empty());
    let events: Vec<Value> = serde_json::from_str(&run(&site, "tasks events --json").stdout).unwrap();
    let told: Vec<_> =
        events.iter().map(|event| (event["type"].as_str(), event["payload"]["reason"].as_str())).collect();
    insta::assert_debug_snapshot!(told, @r#"
    [
        (
            Some(
                "planner.plan_failed",
            ),
            Some(
                "files of the repository changed while the plan was made; nothing was saved",
            ),
        ),
    ]
    "#);
}

#[test]
fn both_planners_take_turns() {
    let gate = Gate::shut();
    let script = Script::new()
        .then(Answer::text(&inspection()).behind(&gate))
        .then(Answer::text(&tasks()))
        .then(Answer::text("{\"tasks\": []}"));
    let site = Site::through(Api::Chat, machine(), script);
    git(&site.machine, "git init -q -b main . && git add -A && git commit -q -m Begin");
    let start = |arguments: &str| {
        let mut command = site.command(arguments);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let first = start("tasks plan ../requirement.md --model openai/local-small --quiet");
    site.until(|counters| 1 <= counters.requests);
    let mut second = start("evolve plan --goal Faster");
    let mut told = String::new();
    let stderr = second.stderr.take().unwrap();
    BufReader::new(stderr).read_line(&mut told).unwrap();
    assert!(told.starts_with("one plan at a time: waiting for process "), "{told}");
    assert!(
        told.contains(&format!("process {} ", first.id())) && told.contains("(luminosctl tasks plan "),
        "{told}"
    );
    gate.open();
    assert_eq!(site.wait(first).code, Some(0));
    let second = site.wait(second);
    assert_eq!(second.code, Some(0), "{second}");
    assert!(second.stdout.starts_with("# Plan: Faster"), "{second}");
}

fn claims() -> Answer {
    let claim = |text: &str, priority: u32| json!({ "text": text, "priority": priority, "risk": "low" });
    Answer::text(
        &json!({ "claims": [claim("Log-ins are checked", 90), claim("Log-ins are limited", 50)] })
            .to_string(),
    )
}

fn places(quote: &str, stance: &str) -> Answer {
    let place = json!({ "path": "src/shop/login.py", "line": 1, "quote": quote, "stance": stance });
    Answer::text(&json!({ "places": [place] }).to_string())
}

#[test]
fn a_question_is_planned_whatever_is_pending_and_answered_later() {
    let script = Script::new()
        .then(claims())
        .then(places("def login(user, password)", "supporting"))
        .then(places("def login(user, password)", "counter"));
    let site = Site::through(Api::Chat, machine(), script);
    let planned = run(&site, "tasks plan ../requirement.md --no-model --quiet");
    assert_eq!(planned.code, Some(3), "{planned}");
    let noted = run(&site, "tasks research Are-log-ins-limited? --profile low --later");
    let job = noted.stdout.trim().to_owned();
    assert_eq!(site.server.counters().requests, 0, "nobody was asked yet");
    let with = "--model openai/local-small --quiet";
    let made = run(&site, &format!("tasks plan --research-job {job} {with}"));
    assert_eq!(made.code, Some(0), "{made}");
    insta::assert_snapshot!(blanked(&made.stdout), @"
    [TASK]  Log-ins are checked
    [TASK]  Log-ins are limited
    ");
    let questions = |tasks: &[Value]| tasks.iter().filter(|task| task["kind"] == "research").count();
    assert_eq!(questions(&open_tasks(&site)), 2);
    // Again, nothing is new.
    let again = run(&site, &format!("tasks plan --research-job {job} {with}"));
    assert_eq!((again.stdout, site.server.counters().requests), (made.stdout, 1));
    assert_eq!(questions(&open_tasks(&site)), 2);
    let answered = run(&site, &format!("tasks research --job {job} {with}"));
    insta::assert_snapshot!(crate::server::blanked(&site.server, blanked(&answered.to_string())), @"
    exit code: 0
    ---- stdout
    # Are-log-ins-limited?

    ## supported: Log-ins are checked

    - supporting: src/shop/login.py:1 `def login(user, password)`

    ## refuted: Log-ins are limited

    - counter: src/shop/login.py:1 `def login(user, password)`

    2 claims: 1 supported, 1 refuted, 0 contested, 0 open; confidence 82 of 100; job [TASK]
    ---- stderr
    asking openai/local-small at [SERVER]; file names and lines of files are sent there, recognised secrets taken out
    ");
    assert_eq!(
        run(&site, &format!("tasks research --show {job}")).stdout.lines().next(),
        Some("# Are-log-ins-limited?")
    );
    insta::assert_snapshot!(blanked(&run(&site, "tasks research").to_string()), @"
    exit code: 0
    ---- stdout
    [TASK]  done      low    Are-log-ins-limited?
    ");
    insta::assert_snapshot!(run(&site, "tasks plan --research-job nope"), @"
    exit code: 2
    ---- stderr
    error: there is no research job `nope`

    hint: `luminosctl tasks research` without a question lists the jobs
    ");
}
