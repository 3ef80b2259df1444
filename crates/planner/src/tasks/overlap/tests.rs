use proptest::prelude::*;

use super::*;
use crate::tasks::task::Origin;

fn draft(title: &str, files: &[&str], allowed: &[&str]) -> Draft {
    let list = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect::<Vec<_>>();
    let mut draft = Draft::new(title, "g", Origin::Model);
    draft.context.files = list(files);
    draft.allowed_paths = list(allowed);
    draft.implied_paths = list(&["Cargo.lock", "yarn.lock"]);
    draft
}

fn standing(title: &str, status: Status, writes: &[&str]) -> Standing {
    Standing {
        id: TaskId(format!("0000-{title}")),
        title: title.to_owned(),
        status,
        block_reason: (status == Status::Blocked).then(|| "awaiting_judge".to_owned()),
        writes: writes.iter().map(|path| (*path).to_owned()).collect(),
    }
}

#[test]
fn areas_come_from_what_is_written_and_never_from_lockfiles() {
    for (files, allowed, expected) in [
        (&["src/a.rs"][..], &["src/**"][..], Some("path:src/a.rs")),
        (&["src/a/x.rs", "src/a/y.rs"], &["**"], Some("path:src/a")),
        (&["src/a.rs", "lib/b.rs"], &["**"], None),
        (&[], &["src/**"], Some("path:src")),
        (&[], &["packages/core/**"], Some("path:packages/core")),
        (&[], &["**"], None),
        (&[], &["**/*.ts"], None),
    ] {
        let mut drafts = vec![draft("t", files, allowed)];
        fill_areas(&mut drafts);
        assert_eq!(drafts[0].target_area.as_deref(), expected, "{files:?} {allowed:?}");
    }
}

#[test]
fn tasks_of_a_plan_that_write_the_same_come_one_after_the_other() {
    let mut drafts = vec![
        draft("a", &["src/x.rs"], &["src/**"]),
        draft("b", &["src/y.rs"], &["src/**"]),
        draft("c", &["src/x.rs", "src/z.rs"], &["src/**"]),
        draft("d", &[], &["**"]),
    ];
    let mut warnings = Vec::new();
    serialise(&mut drafts, &[], &mut warnings);
    let deps: Vec<Vec<Dep>> = drafts.iter().map(|draft| draft.depends_on.clone()).collect();
    assert_eq!(deps, [vec![], vec![], vec![Dep::settled(0)], vec![]]);
    assert_eq!(warnings, ["1 task waits for another one of the plan that changes the same files"]);
}

#[test]
fn what_is_ordered_already_gets_no_second_edge() {
    let mut drafts = vec![draft("a", &["x"], &["x"]), draft("b", &["x"], &["x"]), draft("c", &["x"], &["x"])];
    drafts[1].depends_on = vec![Dep::done(0)];
    serialise(&mut drafts, &[], &mut Vec::new());
    assert_eq!(drafts[1].depends_on, [Dep::done(0)]);
    // c waits for b to end; b may be given up before a has ended, so c waits for both.
    assert_eq!(drafts[2].depends_on, [Dep::settled(0), Dep::settled(1)]);
}

#[test]
fn blocked_work_is_told_and_not_waited_for() {
    let backlog = [
        standing("old", Status::Queued, &["src/x.rs"]),
        standing("stuck", Status::Blocked, &["src/**"]),
        standing("over", Status::Failed, &["src/x.rs"]),
        standing("far", Status::Running, &["srcx/y"]),
        standing("lock", Status::Queued, &["Cargo.lock"]),
    ];
    let mut drafts = vec![draft("new", &["src/x.rs"], &["src/**"])];
    let mut warnings = Vec::new();
    serialise(&mut drafts, &backlog, &mut warnings);
    assert_eq!(drafts[0].waits_for, [Edge { task: TaskId("0000-old".to_owned()), needs: Needs::Settled }]);
    insta::assert_snapshot!(warnings.join("\n"), @"
    `new` changes the same files as blocked work, which it does not wait for: `stuck` (00-stuck, awaiting_judge)
    1 task waits for open tasks that change the same files
    ");
}

fn path() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("a"),
        Just("a/b"),
        Just("a/b/c.rs"),
        Just("a/*.rs"),
        Just("**/*.rs"),
        Just("a/**"),
        Just("d/e.ts"),
        Just("ab/c.rs"),
    ]
    .prop_map(str::to_owned)
}

proptest! {
    #[test]
    fn the_index_finds_exactly_what_globs_find(
        lists in prop::collection::vec(prop::collection::vec(path(), 0..3), 0..6),
        asked in prop::collection::vec(path(), 0..3),
    ) {
        let found = Index::new(lists.iter().map(Vec::as_slice)).overlapping(&asked);
        let meet = |a: &String, b: &String| Glob::new(a).unwrap().overlaps(&Glob::new(b).unwrap());
        let expected = lists.iter().enumerate()
            .filter(|(_, list)| list.iter().any(|a| asked.iter().any(|b| meet(a, b))))
            .map(|(at, _)| at)
            .collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn the_graph_stays_acyclic(files in prop::collection::vec(prop::collection::vec(path(), 0..3), 1..10)) {
        let mut drafts: Vec<Draft> = files
            .iter()
            .map(|files| draft("t", &[], &files.iter().map(String::as_str).collect::<Vec<_>>()))
            .collect();
        serialise(&mut drafts, &[], &mut Vec::new());
        for (index, draft) in drafts.iter().enumerate() {
            prop_assert!(draft.depends_on.iter().all(|dep| dep.on < index));
        }
    }
}
