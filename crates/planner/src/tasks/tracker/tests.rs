use super::*;
use crate::tasks::task::{Context, Draft, Origin, Status, TaskId};

fn task() -> Task {
    let draft = Draft::new("Limit log-ins, per address", "A sixth log-in is refused.", Origin::Model);
    Task {
        id: TaskId("0190-abcdef12".to_owned()),
        repo: "/r".to_owned(),
        plan_id: None,
        title: draft.title,
        goal: draft.goal,
        context: Context {
            files: vec!["src/login.py".to_owned()],
            specs: "Five a minute.".to_owned(),
            ..Context::default()
        },
        allowed_paths: vec!["src/**".to_owned()],
        implied_paths: Vec::new(),
        commands: vec!["pytest tests".to_owned()],
        priority: 0,
        risk_level: draft.risk_level,
        role: draft.role,
        lane: draft.lane,
        kind: draft.kind,
        status: Status::Queued,
        block_reason: None,
        target_area: None,
        touches: Vec::new(),
        dependencies: Vec::new(),
        timebox_minutes: 45,
        retry_count: 0,
        origin: draft.origin,
        position: 0,
        created_at: 0,
        updated_at: 0,
    }
}

#[test]
fn an_issue_says_what_its_task_needs() {
    insta::assert_snapshot!(issue_body(&task(), Some("Safer log-ins")), @"
    <!-- luminos-task: 0190-abcdef12 -->

    A sixth log-in is refused.

    - Task: `abcdef12`
    - Role: worker
    - Risk: low
    - Time: 45 minutes

    ## Requirement

    Safer log-ins

    ## Allowed paths

    - `src/**`

    ## Verification

    - `pytest tests`

    ## Files to start from

    - `src/login.py`

    ## Specification

    Five a minute.
    ");
}

#[test]
fn a_file_is_written_once_and_then_peoples_own() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path().join("issues");
    let link = write_issue(&dir, &task(), None).unwrap();
    assert!(link.url.ends_with("issues/abcdef12-limit-log-ins-per-address.md"), "{}", link.url);
    let text = std::fs::read_to_string(&link.url).unwrap();
    assert!(
        text.starts_with("# [Task] Limit log-ins, per address\n\n<!-- luminos-task: 0190-abcdef12 -->\n"),
        "{text}"
    );
    std::fs::File::create(&link.url).unwrap().write_all(b"mine").unwrap();
    assert_eq!(write_issue(&dir, &task(), None).unwrap(), link);
    assert_eq!(std::fs::read_to_string(&link.url).unwrap(), "mine");
}

#[test]
fn what_a_service_says_is_read_with_care() {
    let read = |issue: Value| link(&issue, "https://api.example");
    let good = read(json!({ "number": 7, "html_url": "https://example/7", "title": "t" }));
    assert_eq!((good.number, good.url.as_str()), (7, "https://example/7"));
    let odd = read(json!({ "number": "7", "html_url": "javascript:alert(1)" }));
    assert_eq!((odd.number, odd.url.as_str()), (0, "https://api.example"));
}
