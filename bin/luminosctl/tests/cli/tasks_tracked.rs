//! Tasks get issues: in a tracker that speaks as GitHub's does, and in Markdown files.

use std::fs;
use std::process::{Command, Stdio};

use luminos_model_server::{Answer, Matcher, ModelServer, Script, Settings, Step};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::machine::{Machine, Run, finish};
use crate::site::{PATIENCE, until};
use crate::tasks::machine;

const ISSUES: &str = "/repos/ada/shop/issues";

/// An answer of the tracker's.
fn says(status: &str, body: &Value) -> Answer {
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    Answer::raw(vec![Step::Send(format!("{head}{body}").into_bytes()), Step::Finish])
}

fn made(number: u64) -> Answer {
    says(
        "201 Created",
        &json!({ "number": number, "html_url": format!("https://tracker.example/{number}"), "title": "t" }),
    )
}

fn tracker(answers: Vec<Answer>) -> ModelServer {
    let script = Script::new().when(Matcher::any().path(ISSUES), answers);
    ModelServer::start_on_thread(script, Settings::default()).unwrap()
}

fn command(machine: &Machine, server: &ModelServer, arguments: &str) -> Command {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let mut command = machine.command(&words);
    command
        .env("LUMINOS_PLANNER_TRACKER", "github:ada/shop")
        .env("LUMINOS_PLANNER_TRACKER_URL", server.url());
    command.env("GITHUB_TOKEN", "canary-token-4711");
    command
}

#[track_caller]
fn run(machine: &Machine, server: &ModelServer, arguments: &str) -> Run {
    machine.ended(finish(&mut command(machine, server, arguments), PATIENCE))
}

fn exported(machine: &Machine) -> Vec<Value> {
    serde_json::from_str(&machine.run("tasks export").stdout).unwrap()
}

const PLAN: &str = "tasks plan ../requirement.md --no-model --quiet";

#[test]
fn each_task_of_a_plan_gets_an_issue() {
    let (machine, server) = (machine(), tracker(vec![made(7), made(8)]));
    let planned = run(&machine, &server, PLAN);
    assert_eq!(planned.code, Some(3), "{planned}");
    assert!(
        planned.stderr.contains("2 issues: https://tracker.example/7 to https://tracker.example/8"),
        "{planned}"
    );
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    let first = &requests[0].request;
    assert_eq!(first.header("authorization"), Some("Bearer canary-token-4711"));
    assert_eq!(first.json()["title"], "[Task] A sixth log-in within a minute is refused");
    let tasks = exported(&machine);
    let body = first.json()["body"].as_str().unwrap().to_owned();
    assert!(body.contains(tasks[0]["id"].as_str().unwrap()), "{body}");
    assert!(body.contains("Limit how often somebody may log in.") && body.contains("`src/**`"), "{body}");
    let numbers: Vec<&Value> = tasks.iter().map(|task| &task["context"]["issue"]["number"]).collect();
    assert_eq!(numbers, [7, 8]);
    assert_eq!(tasks[0]["status"], "queued", "nothing waits for the tracker any more");
    let events = machine.run("tasks events --json").stdout;
    assert_eq!(events.matches("task.issue_linked").count(), 2, "{events}");
    // Such tasks are issue tasks for whoever plans next.
    machine.write("project/src/shop/more.py", "x = 1\n");
    let gate = run(&machine, &server, PLAN);
    assert!(gate.stderr.contains("2 issue tasks pending"), "{gate}");
}

#[test]
fn a_tracker_that_fails_holds_up_no_work_and_issues_are_not_made_twice() {
    let machine = machine();
    let server = tracker(vec![
        made(7),
        says("503 Service Unavailable", &json!({ "message": "canary-token-4711 is tired" })),
    ]);
    let planned = run(&machine, &server, PLAN);
    assert_eq!(planned.code, Some(3), "the plan is saved: {planned}");
    assert!(planned.stderr.contains("`luminosctl tasks link` tries again"), "{planned}");
    assert!(!planned.stderr.contains("canary"), "{planned}");
    let tasks = exported(&machine);
    assert_eq!(
        tasks.iter().map(|task| task["status"].as_str().unwrap()).collect::<Vec<_>>(),
        ["queued", "queued"]
    );
    // The issue was made after all, and the answer lost.
    let marker = format!("<!-- luminos-task: {} -->", tasks[1]["id"].as_str().unwrap());
    let there =
        json!([{ "number": 9, "html_url": "https://tracker.example/9", "title": "t", "body": marker }]);
    let server = tracker(vec![says("200 OK", &there)]);
    let linked = run(&machine, &server, "tasks link");
    assert_eq!(
        (linked.code, linked.stderr.as_str()),
        (Some(0), "1 issue: https://tracker.example/9\n"),
        "{linked}"
    );
    assert_eq!(server.requests().len(), 1, "it was found, not made");
    assert!(server.requests()[0].request.path.contains("state=all"), "{}", server.requests()[0].request.path);
}

/// The token is nowhere to be seen while the planner runs, and its death holds up no work.
#[test]
fn tasks_of_a_planner_that_died_before_their_issues_were_made_can_be_begun() {
    let (machine, server) = (machine(), tracker(vec![Answer::raw(vec![Step::Hang])]));
    let mut planner = command(&machine, &server, PLAN)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until(|| !server.requests().is_empty());
    let environment = fs::read(format!("/proc/{}/environ", planner.id())).unwrap();
    assert!(!String::from_utf8_lossy(&environment).contains("canary"), "the token can be read");
    let waits = run(&machine, &server, "tasks next");
    assert!(waits.stderr.contains("nothing can be begun now"), "the planner is at it: {waits}");
    kill_process(Pid::from_child(&planner), Signal::KILL).unwrap();
    planner.wait().unwrap();
    let next = run(&machine, &server, "tasks next");
    assert_eq!(next.code, Some(0), "{next}");
    assert!(next.stderr.contains("2 tasks had no issue when the planner ended"), "{next}");
    // What is missing can still be made.
    let server = tracker(vec![says("200 OK", &json!([])), made(8), made(9)]);
    let linked = run(&machine, &server, "tasks link");
    assert!(linked.stderr.contains("2 issues"), "{linked}");
}

#[test]
fn a_tracker_without_a_token_is_told_before_anything_is_planned() {
    let machine = machine();
    let run = machine.run_with(&[("LUMINOS_PLANNER_TRACKER", "github:ada/shop")], PLAN);
    insta::assert_snapshot!(run, @r#"
    exit code: 2
    ---- stderr
    error: there is no token for the issues of ada/shop

    hint: put one into GITHUB_TOKEN, or set `planner.tracker` to "none" to plan without issues
    "#);
    let run = machine.run_with(&[("LUMINOS_PLANNER_TRACKER", "github:ada")], PLAN);
    insta::assert_snapshot!(run, @r#"
    exit code: 2
    ---- stderr
    error: environment variable `LUMINOS_PLANNER_TRACKER` cannot be "github:ada" (hint: expected "none", "github:OWNER/NAME" or "markdown:DIRECTORY")
    "#);
    insta::assert_snapshot!(machine.run("tasks link"), @r#"
    exit code: 2
    ---- stderr
    error: no tracker is configured

    hint: set `planner.tracker` to "github:OWNER/NAME" or "markdown:DIRECTORY"
    "#);
    assert!(exported(&machine).is_empty());
}

#[test]
fn issues_can_be_files() {
    let machine = machine();
    let issues = machine.home().join("issues");
    let variable = format!("markdown:{}", issues.display());
    let planned = machine.run_with(&[("LUMINOS_PLANNER_TRACKER", &variable)], PLAN);
    assert_eq!(planned.code, Some(3), "{planned}");
    let mut files: Vec<_> = fs::read_dir(&issues).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 2);
    let texts: Vec<String> = files.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let is_first = |text: &&String| text.starts_with("# [Task] A sixth log-in within a minute is refused\n");
    assert_eq!(texts.iter().filter(is_first).count(), 1, "{texts:?}");
    let task = &exported(&machine)[0];
    assert!(task["context"]["issue"]["url"].as_str().unwrap().contains("/issues/"), "{task}");
    // Nothing of it lies in the repository.
    assert!(!machine.project().join("issues").exists());
}
