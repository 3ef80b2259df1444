//! Working through a backlog: leases, conflicts, failures, and what is told of it all.

use insta::assert_snapshot;
use luminos_model_server::{Answer, Script};
use serde_json::{Value, json};

use crate::machine::Run;
use crate::site::{Api, Site, until};
use crate::tasks::{blanked, inspection, machine, open_tasks, run};

/// Two tasks for one file, one for another, and one that builds on the first.
fn script() -> Script {
    let task = |title: &str, file: &str, after: &[u32], criterion: u32| {
        json!({ "title": title, "goal": format!("{title}: done."), "files": [file], "specs": "", "allowedPaths": [],
            "commands": ["python -m pytest"], "role": "worker", "riskLevel": "low", "timeboxMinutes": 45,
            "dependsOn": after, "criteria": [criterion] })
    };
    let tasks = json!({ "warnings": [], "tasks": [
        task("Count log-ins", "src/shop/login.py", &[], 1), task("Refuse the sixth", "src/shop/login.py", &[], 1),
        task("Show the limit in the cart", "src/shop/cart.py", &[], 2), task("Explain it", "docs/login.md", &[0], 2)] });
    Script::new().then(Answer::text(&inspection())).then(Answer::text(&tasks.to_string()))
}

fn planned() -> Site {
    let site = Site::through(Api::Chat, machine(), script());
    let planned = run(&site, "tasks plan ../requirement.md --model openai/local-small --quiet");
    assert_eq!(planned.code, Some(0), "{planned}");
    site
}

#[track_caller]
fn next(site: &Site, more: &str) -> Value {
    let run = run(site, &format!("tasks next --json {more}"));
    serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run}"))
}

fn id(handed: &Value) -> &str {
    handed["task"]["id"].as_str().unwrap()
}

#[test]
fn tasks_that_change_the_same_files_are_not_handed_out_together() {
    let site = planned();
    assert_snapshot!(blanked(&run(&site, "tasks graph").to_string()), @"
    exit code: 0
    ---- stdout
    [TASK]  Count log-ins (queued)
    [TASK]  Refuse the sixth (queued)
              after [TASK] Count log-ins
    [TASK]  Show the limit in the cart (queued)
    [TASK]  Explain it (queued)
              needs [TASK] Count log-ins
    ");
    assert_snapshot!(blanked(&run(&site, "tasks graph --format mermaid").to_string()), @r#"
    exit code: 0
    ---- stdout
    flowchart TD
      t[TASK]["Count log-ins<br/>queued, worker"]
      t[TASK]["Refuse the sixth<br/>queued, worker"]
      t[TASK]["Show the limit in the cart<br/>queued, worker"]
      t[TASK]["Explain it<br/>queued, worker"]
      t[TASK] -.-> t[TASK]
      t[TASK] --> t[TASK]
    "#);
    let first = next(&site, "--agent ada");
    assert_eq!(first["task"]["title"], "Count log-ins");
    let second = next(&site, "--agent bob");
    assert_eq!(second["task"]["title"], "Show the limit in the cart");
    assert_snapshot!(blanked(&run(&site, "tasks next --agent eve").to_string()), @"
    exit code: 1
    ---- stderr
    nothing can be begun now:
      [TASK]  Count log-ins: somebody works on it
      [TASK]  Refuse the sixth: it waits for `Count log-ins` ([TASK]), which is running
      [TASK]  Show the limit in the cart: somebody works on it
      [TASK]  Explain it: it waits for `Count log-ins` ([TASK]), which is running
    ");
    // The one that only changes the same files goes on however the other ended; the one that builds on it does not.
    assert_snapshot!(blanked(&run(&site, &format!("tasks fail {} --agent ada --reason timeout", id(&first))).to_string()), @"
    exit code: 0
    ---- stdout
    [TASK]  failed  Count log-ins
    ---- stderr
    a failure of the kind `flaky`: worth another try (up to 6) with `luminosctl tasks start [TASK]`
    warning: `Explain it` ([TASK]) builds on it and cannot begin: cancel it, or put this one back with `tasks cancel --requeue [TASK]`
    ");
    assert_eq!(next(&site, "--agent ada")["task"]["title"], "Refuse the sixth");
    let none = run(&site, "tasks next --agent eve");
    assert!(none.stderr.contains("it can never begin unless that is done or this is cancelled"), "{none}");
}

#[test]
fn a_lease_that_runs_out_makes_its_task_free() {
    let site = planned();
    let first = next(&site, "--agent ada --lease 1h");
    let taken: Run = run(&site, &format!("tasks done {} --agent bob", id(&first)));
    assert_eq!(taken.code, Some(1), "{taken}");
    assert!(taken.stderr.contains("is leased to ada until"), "{taken}");
    run(&site, &format!("tasks cancel --requeue {} --agent ada", id(&first)));
    let short = next(&site, "--agent ada --lease 1ms");
    assert_eq!(id(&short), id(&first));
    until(|| run(&site, "tasks next --agent bob").stdout.contains("Count log-ins"));
    let events = run(&site, "tasks events --json");
    let events: Vec<Value> = serde_json::from_str(&events.stdout).unwrap();
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["type"].as_str()).collect();
    assert!(kinds.contains(&"task.lease_expired"), "{kinds:?}");
    assert_snapshot!(run(&site, "tasks next --lease never"), @"
    exit code: 2
    ---- stderr
    error: invalid value 'never' for '--lease <TIME>': expected minutes, or a time such as `90 s` or `2 h`

    For more information, try '--help'.
    ");
}

#[test]
fn the_event_of_a_plan_tells_all_of_it() {
    let site = planned();
    let events = run(&site, "tasks events --json");
    let events: Vec<Value> = serde_json::from_str(&events.stdout).unwrap();
    let payload = &events[0]["payload"];
    assert_eq!(events[0]["type"], "planner.plan_created");
    assert_eq!(payload["summary"]["calls"], 2);
    assert_eq!(payload["summary"]["degraded"], json!([]));
    assert!(payload["summary"]["inputTokens"].as_u64().is_some_and(|tokens| 0 < tokens), "{payload}");
    assert_eq!(payload["summary"]["costDollars"], Value::Null, "nobody knows what a local model costs");
    assert!(payload["summary"]["warnings"].to_string().contains("changes the same files"), "{payload}");
    let ids: Vec<&Value> = payload["taskIds"].as_array().unwrap().iter().collect();
    let dependencies = &payload["tasks"][1]["dependencies"];
    assert_eq!(dependencies[0]["task"], *ids[0], "resolved: {dependencies}");
    assert_eq!(dependencies[0]["needs"], "settled");
    let line = run(&site, "tasks events").stdout;
    assert!(line.contains("planner.plan_created") && line.ends_with("  4 tasks\n"), "{line}");
}

#[test]
fn a_backlog_can_be_taken_along() {
    let site = planned();
    let tasks = open_tasks(&site);
    assert_eq!(tasks.len(), 4);
    let markdown = run(&site, "tasks export --format md");
    assert_snapshot!(blanked(&markdown.to_string()));
    assert_snapshot!(blanked(&run(&site, "tasks list").to_string()), @"
    exit code: 0
    ---- stdout
    [TASK]  queued       40  low     worker  Count log-ins
    [TASK]  queued       30  low     worker  Refuse the sixth  after 1
    [TASK]  queued       20  low     worker  Show the limit in the cart
    [TASK]  queued       10  low     worker  Explain it  after 1
    ");
}
