//! Finished work is judged, and what the judge says comes back to the planner.

use insta::assert_snapshot;
use luminos_model_server::{Answer, Script};
use serde_json::{Value, json};

use crate::history::git;
use crate::machine::Run;
use crate::site::{Api, Site};
use crate::tasks::{blanked, inspection, machine, open_tasks, run, script, tasks};

const DIFF: &str = "diff --git a/src/shop/login.py b/src/shop/login.py\n--- a/src/shop/login.py\n+++ b/src/shop/login.py\n@@ -1 +1,2 @@\n def login(user, password):\n+    limit(user)\n";
const OUTSIDE: &str = "diff --git a/.env b/.env\n--- /dev/null\n+++ b/.env\n@@ -0,0 +1 @@\n+KEY=1\n";

/// A site with a plan, whose first task somebody has finished.
fn finished(answers: Script) -> (Site, String) {
    let machine = machine()
        .with_file("good.diff", DIFF)
        .with_file("bad.diff", format!("{DIFF}{OUTSIDE}"))
        .with_file("cut.diff", "diff --git a/src/shop/login.py b/src/shop/login.py\n--- a/src/shop/login.py\n+++ b/src/shop/login.py\n@@ -1,9 +1,9 @@\n-x\n")
        .with_file("passed.json", "{\"checks\": [{\"name\": \"test\", \"status\": \"success\"}]}")
        .with_file("pending.json", "[{\"name\": \"test\", \"status\": \"pending\"}]")
        .with_file("none.json", "[]")
        .with_file("odd.json", "{\"results\": 7}");
    let site = Site::through(Api::Chat, machine, script());
    let planned = run(&site, "tasks plan ../requirement.md --model openai/local-small --quiet");
    assert_eq!(planned.code, Some(0), "{planned}");
    let id = open_tasks(&site)[0]["id"].as_str().unwrap().to_owned();
    run(&site, &format!("tasks start {id}"));
    run(&site, &format!("tasks done {id} --review"));
    site.server.play(answers);
    (site, id)
}

#[track_caller]
fn judged(site: &Site, id: &str, more: &str) -> Run {
    run(site, &format!("tasks judge {id} {more}"))
}

fn status(site: &Site) -> String {
    let task = &open_tasks(site)[0];
    format!("{} {}", task["status"].as_str().unwrap(), task["blockReason"].as_str().unwrap_or("-"))
}

#[test]
fn what_is_not_known_to_be_right_is_not_approved() {
    let (site, id) = finished(Script::new());
    site.machine.write("project/src/shop/more.py", "x = 1\n");
    let gate = run(&site, "tasks plan ../requirement.md --no-model --quiet");
    assert_eq!(gate.code, Some(1), "{gate}");
    assert!(gate.stderr.contains("1 review pending:") && gate.stderr.contains("1 task pending:"), "{gate}");
    assert_snapshot!(judged(&site, &id, "--dry-run --diff ../good.diff"), @"
    exit code: 1
    ---- stdout
    needs_human, risk low
      no checks have run, which is not the same as checks that pass
    ");
    for (more, why) in [
        ("--diff ../good.diff --ci ../none.json", "no checks have run"),
        ("--diff ../good.diff --ci ../pending.json", "is `pending`, not passed"),
        ("--diff ../cut.diff --ci ../passed.json", "cut off"),
        ("--diff ../bad.diff --ci ../passed.json", ".env must not be changed by anybody"),
        (
            "--diff ../good.diff --ci ../passed.json --require lint",
            "the required check `lint` has not passed",
        ),
    ] {
        let run = judged(&site, &id, &format!("--dry-run {more}"));
        assert_eq!(run.code, Some(1), "{run}");
        assert!(run.stdout.contains(why), "{why}: {run}");
    }
    assert_eq!(status(&site), "blocked awaiting_judge", "--dry-run changes nothing");
    assert_snapshot!(judged(&site, &id, "--diff ../good.diff --ci ../odd.json"), @r#"
    exit code: 2
    ---- stderr
    error: `../odd.json` holds no results of checks
      because: missing field `checks` at line 1 column 14

    hint: it should be {"checks": [{"name": "test", "status": "success"}]}
    "#);
    assert_snapshot!(judged(&site, &id, "--diff ../good.diff --ci ../passed.json"), @"
    exit code: 0
    ---- stdout
    approve, risk low
    ");
    assert_eq!(status(&site), "done -");
}

#[test]
fn a_model_can_only_lower_a_verdict() {
    let review = |pass: bool, severity: &str| {
        let issue =
            json!({ "severity": severity, "file": "src/shop/login.py", "message": "it counts nothing" });
        Answer::text(&json!({ "pass": pass, "issues": [issue] }).to_string())
    };
    let with = "--model openai/local-small --dry-run --diff ../good.diff";
    let passed = format!("{with} --ci ../passed.json");
    for (answers, arguments, verdict, why) in [
        (Script::new().then(review(true, "info")), passed.as_str(), "approve", ""),
        (Script::new().then(review(true, "error")), passed.as_str(), "request_changes", "it counts nothing"),
        (Script::new().then(review(false, "info")), passed.as_str(), "request_changes", "the review objects"),
        (Script::new().then(review(true, "info")), with, "needs_human", "no checks have run"),
        (Script::new().times(2, Answer::text("fine!")), passed.as_str(), "needs_human", "there is no review"),
    ] {
        let (site, id) = finished(answers);
        let run = judged(&site, &id, arguments);
        assert!(run.stdout.starts_with(verdict) && run.stdout.contains(why), "{verdict}: {run}");
        assert_eq!(run.code, Some(i32::from(verdict != "approve")), "{run}");
    }
}

#[test]
fn revisions_are_judged_as_a_diff_would_be() {
    let (site, id) = finished(Script::new());
    git(&site.machine, "git init -q -b main . && git add -A && git commit -q -m Begin && git branch work");
    git(&site.machine, "echo other >> README.md && git commit -q -am 'Somebody else'");
    git(
        &site.machine,
        "git checkout -q work && echo '    limit()' >> src/shop/login.py && git commit -q -am Limit",
    );
    let whole = judged(&site, &id, "--dry-run --range main..work --ci ../passed.json");
    assert_snapshot!(whole, @"
    exit code: 0
    ---- stdout
    approve, risk low
    ");
    git(&site.machine, "echo KEY=1 > .env && git add -f .env && git commit -q -m Oops");
    let bad = judged(&site, &id, "--dry-run --range main..work --ci ../passed.json");
    assert!(bad.stdout.contains(".env must not be changed by anybody"), "{bad}");
    assert_snapshot!(judged(&site, &id, "--range main..nowhere"), @"
    exit code: 2
    ---- stderr
    error: `nowhere` names no commit in this repository: no branch, tag or commit is called so

    hint: `git log --oneline` lists commits, `git branch --all` branches; one of a remote is written `origin/NAME`
    ");
}

#[test]
fn what_the_judge_says_is_told_to_whoever_plans_next() {
    let (site, id) = finished(Script::new().then(Answer::text(&inspection())).then(Answer::text(&tasks())));
    let refused = judged(&site, &id, "--diff ../bad.diff --ci ../passed.json");
    assert_eq!(refused.code, Some(1));
    assert_eq!(status(&site), "blocked needs_rework");
    let gate = run(&site, "tasks plan ../requirement.md --model openai/local-small --quiet");
    // The same requirement for the same files was planned a moment ago.
    assert!(gate.stderr.contains("this was planned"), "{gate}");
    site.machine.write("project/src/shop/more.py", "x = 1\n");
    let gate = run(&site, "tasks plan ../requirement.md --model openai/local-small --quiet");
    assert_snapshot!(blanked(&gate.to_string()), @"
    exit code: 1
    ---- stderr
    error: there is work to do before a new plan is made
      because: 2 tasks pending: [TASK] Refuse the sixth log-in (blocked), [TASK] Explain the limit (queued)

    hint: finish or cancel it (`luminosctl tasks list`), or plan beside it with `--anyway`
    ");
    let planned = run(&site, "tasks plan ../requirement.md --model openai/local-small --quiet --anyway");
    assert!(planned.stderr.contains("which it does not wait for"), "{planned}");
    let requests = site.server.requests();
    let asked = |number: usize| String::from_utf8_lossy(&requests[number].request.body).into_owned();
    assert!(asked(3).contains("request_changes `Refuse the sixth log-in`"), "{}", asked(3));
    let events: Vec<Value> = serde_json::from_str(&run(&site, "tasks events --json").stdout).unwrap();
    assert!(events.iter().any(|event| event["type"] == "judge.review"), "{events:?}");
}
