use super::*;
use crate::tasks::recovery::RecoveryMode;
use crate::tasks::task::{Context, Kind, Lane, Origin, Role, Status, TaskId};

fn task() -> Task {
    Task {
        id: TaskId("t".to_owned()),
        repo: "/r".to_owned(),
        plan_id: None,
        title: "Limit log-ins".to_owned(),
        goal: "g".to_owned(),
        context: Context::default(),
        allowed_paths: vec!["src/**".to_owned()],
        implied_paths: vec!["Cargo.lock".to_owned()],
        commands: Vec::new(),
        priority: 0,
        risk_level: Risk::Low,
        role: Role::Worker,
        lane: Lane::Feature,
        kind: Kind::Code,
        status: Status::Blocked,
        block_reason: None,
        target_area: None,
        touches: Vec::new(),
        dependencies: Vec::new(),
        timebox_minutes: 60,
        retry_count: 0,
        origin: Origin::Model,
        position: 0,
        created_at: 0,
        updated_at: 0,
    }
}

fn diff(path: &str) -> String {
    format!("diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1,2 +1,2 @@\n-old\n+new\n same\n")
}

fn passed() -> Vec<Check> {
    vec![Check { name: "test".to_owned(), status: "success".to_owned() }]
}

#[track_caller]
fn verdict(diff: &str, checks: Option<&[Check]>, review: Review, policy: &JudgePolicy) -> String {
    let read = Diff::read(diff);
    let judgement = judge(&task(), read.as_ref(), checks, &review, policy, &Recovery::default());
    format!("{}: {}", judgement.verdict, judgement.reasons.join("; "))
}

#[test]
fn everything_right_is_approved_and_nothing_else() {
    let policy = JudgePolicy::default();
    let good = || Review::Seen { passes: true, issues: Vec::new() };
    let checks = passed();
    let failing = [Check { name: "lint".to_owned(), status: "failure".to_owned() }];
    let pending = [Check { name: "lint".to_owned(), status: "in_progress".to_owned() }];
    let required = JudgePolicy { required_checks: vec!["e2e".to_owned()], ..JudgePolicy::default() };
    let many: String =
        (0..150).map(|at| diff(&format!("src/{at}.rs"))).collect::<String>() + &diff("outside.rs");
    let all = [
        verdict(&diff("src/a.rs"), Some(&checks), good(), &policy),
        verdict(&diff("src/a.rs"), Some(&checks), Review::NotAsked, &policy),
        verdict(&diff("src/a.rs"), None, good(), &policy),
        verdict(&diff("src/a.rs"), Some(&[]), good(), &policy),
        verdict(&diff("src/a.rs"), Some(&failing), good(), &policy),
        verdict(&diff("src/a.rs"), Some(&pending), good(), &policy),
        verdict(&diff("src/a.rs"), Some(&checks), good(), &required),
        verdict(&diff("src/a.rs"), Some(&checks), Review::Failed("timeout".to_owned()), &policy),
        verdict(
            &diff("src/a.rs"),
            Some(&checks),
            Review::Seen { passes: false, issues: Vec::new() },
            &policy,
        ),
        verdict(
            &diff("src/a.rs"),
            Some(&checks),
            Review::Seen { passes: true, issues: vec!["src/a.rs: wrong".to_owned()] },
            &policy,
        ),
        verdict(&diff("docs/a.md"), Some(&checks), good(), &policy),
        verdict(&diff("src/.env"), Some(&checks), good(), &policy),
        verdict("nonsense", Some(&checks), good(), &policy),
        verdict("", Some(&checks), good(), &policy),
        verdict(&many, Some(&checks), good(), &policy),
    ];
    insta::assert_snapshot!(all.join("\n"), @"
    approve: 
    approve: 
    needs_human: no checks have run, which is not the same as checks that pass
    needs_human: no checks have run, which is not the same as checks that pass
    request_changes: the check `lint` failed (failure); no check has passed
    needs_human: the check `lint` is `in_progress`, not passed; no check has passed
    needs_human: the required check `e2e` has not passed
    needs_human: there is no review: timeout
    request_changes: the review objects
    request_changes: the review objects; src/a.rs: wrong
    request_changes: docs/a.md lies outside of what the task may change
    request_changes: src/.env must not be changed by anybody
    needs_human: the change cannot be judged: it is not a unified diff
    request_changes: nothing was changed
    request_changes: outside.rs lies outside of what the task may change; the change is too large to be judged by itself: 302 lines in 151 files (at most 500 in 20); its risk is high, and beyond medium people decide
    ");
}

#[test]
fn a_review_counts_only_as_a_whole() {
    let diff = Diff::read(&diff("src/a.rs")).unwrap();
    let read = |pass: bool, severity: &str, file: &str| {
        read_review(
            &json!({ "pass": pass, "issues": [{ "severity": severity, "file": file, "message": "m" }] }),
            &diff,
        )
    };
    assert!(matches!(read(true, "error", "src/a.rs"), Review::Seen { passes: false, .. }));
    assert!(matches!(read(false, "info", "src/a.rs"), Review::Seen { passes: false, .. }));
    assert!(matches!(read(true, "warning", "src/a.rs"), Review::Seen { passes: true, .. }));
    assert!(matches!(read_review(&Value::Null, &diff), Review::Seen { passes: false, .. }));
}

#[test]
fn a_diff_is_read_whole_and_content_is_no_header() {
    let text = "diff --git a/a b/b\nsimilarity index 90%\nrename from a\nrename to b\n--- a/a\n+++ b/b\n@@ -1 +1,3 @@\n-x\n+--- a/evil\n++++ b/evil\n+y\n";
    let read = Diff::read(text).unwrap();
    let names: Vec<&str> = read.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!((names, read.lines()), (vec!["a", "b"], 4));
    assert_eq!(Diff::read("--- a/x\n+++ b/x\n@@ -1,5 +1,5 @@\n-a\n"), Err(BadDiff::CutOff("x".to_owned())));
}

#[test]
fn risk_follows_size_and_place() {
    let policy = JudgePolicy::default();
    let risk = |path: &str| computed_risk(&Diff::read(&diff(path)).unwrap(), &policy);
    assert_eq!(risk("src/a.rs"), Risk::Low);
    assert_eq!(risk("src/auth/a.rs"), Risk::Medium);
    let large = Diff { files: vec![Changed { path: "src/a.rs".to_owned(), added: 200, removed: 100 }] };
    assert_eq!(computed_risk(&large, &policy), Risk::High);
}

/// A verdict on one changed file of a task with these words and commands.
fn passes(mode: RecoveryMode, title: &str, commands: &[&str], path: &str) -> bool {
    let mut task = task();
    task.implied_paths.clear();
    task.allowed_paths = vec!["web/src/**".to_owned()];
    task.title = title.to_owned();
    task.commands = commands.iter().map(|text| (*text).to_owned()).collect();
    let diff = Diff::read(&diff(path)).unwrap();
    let mut recovery = Recovery::default();
    recovery.mode = mode;
    let judged =
        judge(&task, Ok(&diff), Some(&passed()), &Review::NotAsked, &JudgePolicy::default(), &recovery);
    judged.verdict == Verdict::Approve
}

#[test]
fn a_file_passes_by_the_commands_of_its_task_and_never_by_words() {
    use RecoveryMode::{Aggressive, Balanced, Conservative};
    assert_eq!(Recovery::default().mode, Balanced);
    let all = [Conservative, Balanced, Aggressive];
    for path in ["LICENSE", "run.sh", "setup.sh", "conftest.py", "notes.txt", "Makefile", "package.json"] {
        for (title, command) in [
            ("Make login faster", "pytest -q"),
            ("Build, link and bootstrap the toolchain", "python3 -m unittest"),
            ("Limit log-ins", "tox"),
        ] {
            for mode in all {
                assert!(!passes(mode, title, &[command], path), "{mode:?}: {title}, {command}: {path}");
            }
        }
    }
    for (command, path, modes) in [
        ("make test", "Makefile", &[Balanced, Aggressive][..]),
        ("cargo test", "Cargo.toml", &[Balanced, Aggressive]),
        ("cargo test", "web/Cargo.toml", &[Balanced, Aggressive]),
        ("cargo test", "other/Cargo.toml", &[]),
        ("cargo test", "package.json", &[]),
        ("pytest -q", "setup.py", &[]),
        ("pytest -q", "requirements.txt", &[Aggressive]),
        ("pytest -q", "pyproject.toml", &[Balanced, Aggressive]),
        ("make", "link.ld", &[Balanced, Aggressive]),
        ("go test ./...", "link.ld", &[]),
    ] {
        for mode in all {
            assert_eq!(
                passes(mode, "Limit log-ins", &[command], path),
                modes.contains(&mode),
                "{mode:?}: {command}: {path}"
            );
        }
    }
}

#[test]
fn what_a_requirement_takes_out_is_refused_whatever_else_allows_it() {
    let mut task = task();
    task.allowed_paths.push("!src/legacy/**".to_owned());
    task.implied_paths.push("src/legacy/Cargo.lock".to_owned());
    let verdict = |path: &str| {
        let diff = Diff::read(&diff(path)).unwrap();
        judge(
            &task,
            Ok(&diff),
            Some(&passed()),
            &Review::NotAsked,
            &JudgePolicy::default(),
            &Recovery::default(),
        )
        .verdict
    };
    assert_eq!(verdict("src/a.rs"), Verdict::Approve);
    assert_eq!(verdict("src/legacy/a.rs"), Verdict::RequestChanges);
    assert_eq!(verdict("src/legacy/Cargo.lock"), Verdict::RequestChanges);
}
