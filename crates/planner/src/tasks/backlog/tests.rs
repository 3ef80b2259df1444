use serde_json::json;

use super::plans::Linking;
use super::*;
use crate::tasks::task::{Dep, Draft, Edge, Needs, Origin, block_reason};
use crate::tasks::{Asking, Begun, EventFilter};

const REPO: &str = "/repo";
const HOUR: i64 = 3_600_000;

fn open() -> (tempfile::TempDir, Backlog) {
    let dir = tempfile::tempdir().unwrap();
    let backlog = Backlog::open(dir.path()).unwrap();
    (dir, backlog)
}

fn draft(title: &str, file: &str) -> Draft {
    let mut draft = Draft::new(title, "g", Origin::Model);
    draft.context.files = vec![file.to_owned()];
    draft.allowed_paths = vec![file.to_owned()];
    draft
}

fn begin(backlog: &mut Backlog, signature: &str, fence: u64, now: i64) -> PlanRow {
    match backlog.begin_plan(REPO, signature, "me", fence, 600_000, now).unwrap() {
        Begun::Go(plan) => plan,
        Begun::Skip(skip) => panic!("{skip:?}"),
    }
}

fn saved(backlog: &mut Backlog, drafts: &[Draft], now: i64) -> Vec<TaskId> {
    let plan = begin(backlog, &format!("s{now}"), now.unsigned_abs(), now);
    backlog.save_plan(&plan, drafts, &json!({}), Linking::No, now).unwrap().tasks
}

fn asking(agent: &str, now: i64) -> Asking<'_> {
    Asking { agent, lease: HOUR, force: false, now }
}

#[test]
fn a_plan_is_saved_whole_with_its_dependencies_and_its_event() {
    let (_dir, mut backlog) = open();
    let mut second = draft("b", "b.rs");
    second.depends_on = vec![Dep::done(0)];
    let ids = saved(&mut backlog, &[draft("a", "a.rs"), second], 1000);
    let tasks = backlog.tasks(&TaskFilter::default()).unwrap();
    assert_eq!(tasks.iter().map(|task| task.title.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(tasks[1].dependencies, [Edge { task: ids[0].clone(), needs: Needs::Done }]);
    let events = backlog.events(&EventFilter { most: 9, ..EventFilter::default() }).unwrap();
    assert_eq!(events.len(), 1);
    assert_eq!(events[0].kind, "planner.plan_created");
    assert_eq!(events[0].payload["tasks"][1]["dependencies"][0]["task"], json!(ids[0]));
    assert_eq!(backlog.find(ids[1].short()).unwrap().title, "b");
    assert!(matches!(backlog.find("zz"), Err(Error::NoTask(_))));
}

#[test]
fn the_same_plan_is_made_once_within_the_window() {
    let (_dir, mut backlog) = open();
    let plan = begin(&mut backlog, "s", 1, 0);
    backlog.save_plan(&plan, &[draft("a", "a")], &json!({}), Linking::No, 100).unwrap();
    let again = backlog.begin_plan(REPO, "s", "me", 2, 600_000, 600_000).unwrap();
    assert!(matches!(again, Begun::Skip(Skip { tasks: 1, age: 599_900, .. })));
    assert!(matches!(backlog.begin_plan(REPO, "s", "me", 3, 600_000, 600_101).unwrap(), Begun::Go(_)));
    assert!(matches!(backlog.begin_plan(REPO, "t", "me", 4, 600_000, 200).unwrap(), Begun::Go(_)));
}

#[test]
fn a_planner_that_slept_cannot_save() {
    let (_dir, mut backlog) = open();
    let old = begin(&mut backlog, "s", 1, 0);
    let new = begin(&mut backlog, "t", 2, 10);
    let refused = backlog.save_plan(&old, &[draft("a", "a")], &json!({}), Linking::No, 20);
    assert!(matches!(refused, Err(Error::Fenced { .. })));
    backlog.save_plan(&new, &[draft("b", "b")], &json!({}), Linking::No, 30).unwrap();
    let titles: Vec<String> =
        backlog.tasks(&TaskFilter::default()).unwrap().into_iter().map(|task| task.title).collect();
    assert_eq!(titles, ["b"]);
    assert!(matches!(backlog.begin_plan(REPO, "u", "me", 1, 1, 40), Err(Error::Fenced { .. })));
    // The one that was overtaken is told of as given up.
    let failed =
        backlog.events(&EventFilter { kind: Some("planner.plan_failed"), most: 9, ..EventFilter::default() });
    assert_eq!(failed.unwrap().len(), 1);
}

#[test]
fn tasks_are_handed_out_in_order_and_leases_expire() {
    let (_dir, mut backlog) = open();
    let mut second = draft("second", "a.rs");
    second.depends_on = vec![Dep::done(0)];
    second.priority = 100;
    let ids = saved(&mut backlog, &[draft("first", "a.rs"), second], 1000);
    let first = backlog.next(REPO, None, asking("ada", 2000)).unwrap().unwrap();
    assert_eq!((first.task.title.as_str(), first.task.status), ("first", Status::Running));
    let waiting = backlog.next(REPO, None, asking("bob", 3000)).unwrap().unwrap_err();
    insta::assert_snapshot!(waiting.waiting.iter().map(|(_, title, why)| format!("{title}: {}", why.replace(ids[0].short(), "ID"))).collect::<Vec<_>>().join("\n"), @"
    first: somebody works on it
    second: it waits for `first` (ID), which is running
    ");
    assert!(matches!(
        backlog.settle(&ids[0], Status::Done, None, asking("bob", 3000)),
        Err(Error::Leased { .. })
    ));
    // The lease runs out: somebody else gets the task.
    let again = backlog.next(REPO, None, asking("bob", 2000 + HOUR)).unwrap().unwrap();
    assert_eq!(again.task.title, "first");
    backlog.settle(&ids[0], Status::Done, None, asking("bob", 5000)).unwrap();
    let second = backlog.next(REPO, None, asking("bob", 6000)).unwrap().unwrap();
    assert_eq!(second.task.title, "second");
    assert!(matches!(
        backlog.settle(&ids[0], Status::Failed, None, asking("x", 7000)),
        Err(Error::Transition { .. })
    ));
}

#[test]
fn what_can_never_begin_is_told() {
    let (_dir, mut backlog) = open();
    let mut needs = draft("needs", "b.rs");
    needs.depends_on = vec![Dep::done(0)];
    let mut after = draft("after", "a.rs");
    after.depends_on = vec![Dep::settled(0)];
    let ids = saved(&mut backlog, &[draft("first", "a.rs"), needs, after], 1000);
    backlog.settle(&ids[0], Status::Failed, Some("no idea"), asking("ada", 2000)).unwrap();
    assert_eq!(backlog.stuck_behind(&ids[0]).unwrap().len(), 1);
    // What only had to come after it can begin.
    assert_eq!(backlog.next(REPO, None, asking("ada", 3000)).unwrap().unwrap().task.title, "after");
    assert!(matches!(backlog.start(&ids[1], asking("ada", 3000)), Err(Error::Waits { .. })));
    backlog.start(&ids[1], Asking { force: true, ..asking("ada", 3000) }).unwrap();
}

#[test]
fn only_work_that_somebody_began_is_done_handed_in_and_judged() {
    let (_dir, mut backlog) = open();
    let mut second = draft("second", "b.rs");
    second.depends_on = vec![Dep::done(0)];
    let ids = saved(&mut backlog, &[draft("first", "a.rs"), second], 1000);
    let review = Some(block_reason::AWAITING_JUDGE);
    let me = asking("ada", 2000);
    // Nobody has begun it, nor does it help that somebody blocked it.
    for reason in [None, Some("waits for a part")] {
        if reason.is_some() {
            backlog.settle(&ids[0], Status::Blocked, reason, me).unwrap();
        }
        assert!(matches!(backlog.settle(&ids[0], Status::Done, None, me), Err(Error::NotBegun { .. })));
        assert!(matches!(backlog.settle(&ids[0], Status::Blocked, review, me), Err(Error::NotBegun { .. })));
        assert!(matches!(backlog.check_handed_in(&ids[0]), Err(Error::NotHandedIn { .. })));
    }
    backlog.settle(&ids[0], Status::Queued, None, me).unwrap();
    let approve =
        |backlog: &mut Backlog, id: &TaskId| backlog.settle_by_verdict(id, Status::Done, None, 3000);
    assert!(matches!(approve(&mut backlog, &ids[0]), Err(Error::NotHandedIn { .. })));
    // What was begun is judged when it is handed in, not before.
    backlog.start(&ids[0], me).unwrap();
    assert!(matches!(approve(&mut backlog, &ids[0]), Err(Error::NotHandedIn { .. })));
    backlog.settle(&ids[0], Status::Blocked, review, me).unwrap();
    backlog.check_handed_in(&ids[0]).unwrap();
    // A task whose dependencies are open is not judged, however it came to be handed in.
    backlog.start(&ids[1], Asking { force: true, ..me }).unwrap();
    backlog.settle(&ids[1], Status::Blocked, review, me).unwrap();
    assert!(matches!(approve(&mut backlog, &ids[1]), Err(Error::Waits { .. })));
    approve(&mut backlog, &ids[0]).unwrap();
    assert_eq!(approve(&mut backlog, &ids[1]).unwrap().status, Status::Done);
    // The rule can be set aside for `done`, not for verdicts.
    let forced = saved(&mut backlog, &[draft("third", "c.rs")], 4000);
    let asking = Asking { force: true, ..asking("ada", 5000) };
    assert_eq!(backlog.settle(&forced[0], Status::Done, None, asking).unwrap().status, Status::Done);
}

#[test]
fn pending_work_is_named() {
    let (_dir, mut backlog) = open();
    let ids = saved(&mut backlog, &[draft("one", "a"), draft("two", "b"), draft("three", "c")], 1000);
    backlog.start(&ids[1], asking("a", 1)).unwrap();
    backlog.settle(&ids[1], Status::Blocked, Some("awaiting_judge"), asking("a", 1)).unwrap();
    backlog.settle(&ids[2], Status::Cancelled, None, asking("a", 1)).unwrap();
    let words = backlog.pending(REPO).unwrap().words().join("\n");
    let words = words.replace(ids[0].short(), "ID").replace(ids[1].short(), "ID");
    insta::assert_snapshot!(words, @"
    1 task pending: ID one (queued)
    1 review pending: ID two (blocked)
    ");
    assert!(backlog.pending("/other").unwrap().is_empty());
}

#[test]
fn an_older_file_is_brought_up_to_date_with_what_it_holds() {
    let dir = tempfile::tempdir().unwrap();
    let path = Backlog::path_in(dir.path());
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    let old = Connection::open(&path).unwrap();
    old.execute_batch(schema::STEPS[0]).unwrap();
    old.execute_batch(
        "PRAGMA user_version = 1;
         INSERT INTO tasks VALUES ('0a', '/repo', NULL, 0, 'old', 'g', '{}', '[\"a\"]', '[]', '[]', '[]', 0, 'low', 'worker',
           'feature', 'code', 'model', 'queued', NULL, NULL, 60, 0, 1, 1);",
    )
    .unwrap();
    drop(old);
    let mut backlog = Backlog::open(dir.path()).unwrap();
    assert_eq!(backlog.find("0a").unwrap().title, "old");
    assert!(backlog.add_job("/repo", "why?", "mid", 5).is_ok());
    let version: u32 = backlog.connection.query_row("PRAGMA user_version", [], |row| row.get(0)).unwrap();
    assert_eq!(version, SCHEMA_VERSION);
    let pragma = |name: &str| {
        backlog
            .connection
            .query_row(&format!("PRAGMA {name}"), [], |row| row.get::<_, rusqlite::types::Value>(0))
            .unwrap()
    };
    assert_eq!(pragma("journal_mode"), rusqlite::types::Value::Text("wal".to_owned()));
    assert_eq!(pragma("synchronous"), rusqlite::types::Value::Integer(2));
}

#[test]
fn a_newer_file_is_refused() {
    let (dir, backlog) = open();
    backlog.connection.pragma_update(None, "user_version", 99).unwrap();
    drop(backlog);
    let error = Backlog::open(dir.path()).unwrap_err();
    assert!(matches!(error, Error::Newer { found: 99, .. }));
}

#[test]
fn issues_are_linked_and_let_tasks_go() {
    let (_dir, mut backlog) = open();
    let plan = begin(&mut backlog, "s", 1, 0);
    let ids = backlog.save_plan(&plan, &[draft("a", "a")], &json!({}), Linking::First, 1).unwrap().tasks;
    assert_eq!(backlog.find(&ids[0].0).unwrap().status, Status::Blocked);
    let issue = crate::tasks::IssueLink { number: 7, url: "u".to_owned(), title: "t".to_owned() };
    backlog.link_issue(&ids[0], Some(&issue), 2).unwrap();
    let task = backlog.find(&ids[0].0).unwrap();
    assert_eq!((task.status, task.context.issue), (Status::Queued, Some(issue)));
}

#[test]
fn the_event_of_a_failure_says_what_kind_it_is_and_whether_to_try_again() {
    let (_dir, mut backlog) = open();
    let ids = saved(&mut backlog, &[draft("a", "a.rs"), draft("b", "b.rs")], 1000);
    for (id, reason) in [(&ids[0], "3 tests failed"), (&ids[1], "npm: missing script: test")] {
        backlog.settle(id, Status::Failed, Some(reason), asking("me", 2000)).unwrap();
    }
    let filter = EventFilter { kind: Some("task.failed"), most: 9, ..EventFilter::default() };
    let mut told: Vec<String> =
        backlog.events(&filter).unwrap().iter().map(|event| event.payload["failure"].to_string()).collect();
    told.sort();
    assert_eq!(told, [r#"{"kind":"setup","canRetry":false}"#, r#"{"kind":"test","canRetry":true}"#]);
}
