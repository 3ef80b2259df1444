use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::tasks::task::Origin;

fn plan(deps: &[&[usize]]) -> Vec<Draft> {
    let draft = |(index, deps): (usize, &&[usize])| Draft {
        depends_on: deps.iter().copied().map(Dep::done).collect(),
        ..Draft::new(format!("t{index}"), "x", Origin::Model)
    };
    deps.iter().enumerate().map(draft).collect()
}

fn shown(drafts: &[Draft]) -> String {
    let line = |draft: &Draft| {
        let deps: Vec<String> = draft
            .depends_on
            .iter()
            .map(|dep| {
                format!("{}{}", drafts[dep.on].title, if dep.needs == Needs::Settled { "?" } else { "" })
            })
            .collect();
        format!("{}<{}", draft.title, deps.join(","))
    };
    drafts.iter().map(line).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(deps: &[&[usize]], expected: &str, warned: usize) {
    let mut warnings = Vec::new();
    let drafts = normalise(plan(deps), &mut warnings);
    assert_eq!(shown(&drafts), expected);
    assert_eq!(warnings.len(), warned, "{warnings:?}");
}

#[test]
fn dependencies_on_later_tasks_move_those_tasks() {
    check(&[&[1], &[]], "t1< t0<t1", 0);
    check(&[&[2], &[0], &[]], "t2< t0<t2 t1<t0", 0);
}

#[test]
fn what_names_no_task_is_dropped_and_told() {
    check(&[&[], &[0, 0, 1, 5]], "t0< t1<t0", 2);
}

#[test]
fn edges_that_follow_from_others_go() {
    check(&[&[], &[0], &[0], &[2, 0, 1]], "t0< t1<t0 t2<t0 t3<t1,t2", 0);
    check(&[&[], &[0], &[1, 0], &[2, 1, 0]], "t0< t1<t0 t2<t1 t3<t2", 0);
}

#[test]
fn circles_are_broken_and_named() {
    let mut warnings = Vec::new();
    let drafts = normalise(plan(&[&[2], &[0], &[1], &[2]]), &mut warnings);
    assert_eq!(shown(&drafts), "t0< t1<t0 t2<t1 t3<t2");
    insta::assert_snapshot!(warnings.join("\n"), @"tasks wait for each other in a circle (`t0` → `t2` → `t1` → `t0`); `t0` no longer waits for `t2`");
}

#[test]
fn an_edge_that_only_orders_does_not_stand_for_one_that_builds() {
    let mut drafts = plan(&[&[], &[0], &[]]);
    // t2 waits until t1 is over, and needs t0 done: t1 may be given up without t0.
    drafts[2].depends_on = vec![Dep::settled(1), Dep::done(0)];
    reduce(&mut drafts);
    assert_eq!(shown(&drafts), "t0< t1<t0 t2<t0,t1?");
    let mut drafts = plan(&[&[], &[0], &[1]]);
    drafts[2].depends_on.push(Dep::settled(0));
    reduce(&mut drafts);
    assert_eq!(shown(&drafts), "t0< t1<t0 t2<t1");
}

/// Everything that must come before each task, by title.
fn closure(drafts: &[Draft]) -> Vec<(String, BTreeSet<String>)> {
    let mut all = Vec::new();
    for (start, draft) in drafts.iter().enumerate() {
        let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
        while let Some(at) = open.pop() {
            for dep in &drafts[at].depends_on {
                if seen.insert(drafts[dep.on].title.clone()) {
                    open.push(dep.on);
                }
            }
        }
        all.push((draft.title.clone(), seen));
    }
    all.sort();
    all
}

proptest! {
    #[test]
    fn the_result_is_sorted_and_minimal(
        deps in prop::collection::vec(prop::collection::vec(0usize..14, 0..4), 1..12),
    ) {
        let deps: Vec<&[usize]> = deps.iter().map(Vec::as_slice).collect();
        let mut warnings = Vec::new();
        let before = plan(&deps);
        let after = normalise(before.clone(), &mut warnings);
        prop_assert_eq!(before.len(), after.len());
        for (index, draft) in after.iter().enumerate() {
            prop_assert!(draft.depends_on.iter().all(|dep| dep.on < index));
        }
        if !warnings.iter().any(|warning| warning.contains("circle")) {
            let mut cleaned = before;
            drop_strangers(&mut cleaned, &mut Vec::new());
            prop_assert_eq!(closure(&cleaned), closure(&after));
        }
        // No edge follows from the others.
        for index in 0..after.len() {
            for at in 0..after[index].depends_on.len() {
                let mut fewer = after.clone();
                fewer[index].depends_on.remove(at);
                prop_assert_ne!(closure(&fewer), closure(&after));
            }
        }
    }
}
