//! How long planning takes outside of the model: 500 tasks against a backlog of 5,000.

use std::time::{Duration, Instant};

use luminos_planner::tasks::{
    Backlog, Begun, CommandPolicy, Dep, Draft, Linking, Origin, PathLists, Recovery, RepoFacts, Requirement,
    Surroundings, VerifySettings, prepare, refine,
};

/// What all of it may take, outside of a model.
const MOST_TIME: Duration = Duration::from_secs(1);

fn drafts(count: usize, from: usize) -> Vec<Draft> {
    let one = |index: usize| {
        let mut draft = Draft::new(format!("Task {index}"), "g", Origin::Model);
        draft.context.files = vec![
            format!("src/module{}/part{}.rs", index % 97, (index * 7 + from) % 1009),
            format!("tests/module{}_{}.rs", index % 89, index % 13),
        ];
        draft.allowed_paths =
            vec![format!("src/module{}/**", index % 97), format!("tests/**/*{}.rs", index % 31)];
        draft.depends_on =
            [index / 2, index / 3].into_iter().filter(|on| *on < index).map(Dep::done).collect();
        draft
    };
    (0..count).map(one).collect()
}

#[expect(clippy::print_stdout, clippy::unwrap_used, reason = "a benchmark tells, and may stop")]
fn main() {
    let dir = tempfile::tempdir().unwrap();
    let mut backlog = Backlog::open(dir.path()).unwrap();
    let Begun::Go(row) = backlog.begin_plan("/r", "old", "bench", 1, 1, 0).unwrap() else { return };
    backlog.save_plan(&row, &drafts(5000, 1), &serde_json::json!({}), Linking::No, 1).unwrap();
    let mut facts = RepoFacts::default();
    for draft in drafts(5000, 1) {
        facts.files.extend(draft.context.files);
    }
    facts.files.extend(["Cargo.toml".to_owned(), "Cargo.lock".to_owned(), "README.md".to_owned()]);
    facts.top.extend(["src".to_owned(), "README.md".to_owned()]);
    let requirement = Requirement::parse("Build it").unwrap().requirement;
    let (lists, recovery, verify, policy) =
        (PathLists::default(), Recovery::default(), VerifySettings::default(), CommandPolicy::default());

    let start = Instant::now();
    let standing = backlog.standing("/r").unwrap();
    let loaded = start.elapsed();
    let around = Surroundings {
        facts: &facts,
        lists: &lists,
        recovery: &recovery,
        verify: &verify,
        contract: None,
        policy: &policy,
        backlog: &standing,
        hints: &[],
        has_docs_task: false,
        e2e_command: None,
    };
    let mut warnings = Vec::new();
    let prepared =
        prepare(drafts(500, 3), &requirement, &requirement.allowed_paths, around, None, &mut warnings);
    let refined = refine(prepared, &[], around, warnings);
    let planned = start.elapsed();
    let Begun::Go(row) = backlog.begin_plan("/r", "new", "bench", 2, 1, 2).unwrap() else { return };
    backlog.save_plan(&row, &refined.tasks, &serde_json::json!({}), Linking::No, 3).unwrap();
    let edges: usize = refined.tasks.iter().map(|task| task.waits_for.len() + task.depends_on.len()).sum();
    assert!(start.elapsed() < MOST_TIME, "too slow");
    println!(
        "500 tasks against 5000: loaded {loaded:?}, planned {planned:?}, saved {:?}; {edges} dependencies",
        start.elapsed()
    );
}
