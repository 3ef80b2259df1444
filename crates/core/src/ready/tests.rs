use proptest::prelude::*;

use super::*;
use crate::plan::{NamedDir, Plan, PriorityDir, Turns, apply_plan};

fn priority(path: &str, turns: u32) -> PriorityDir {
    PriorityDir { path: path.to_owned(), reason: String::new(), suggested_turns: Turns(turns) }
}

fn named(path: &str) -> NamedDir {
    NamedDir { path: path.to_owned(), reason: String::new() }
}

/// The order in which directories are handed out when each finishes before the next is taken.
fn one_by_one(dirs: &Dirs, plan: &Plan) -> Vec<String> {
    let mut queue = ReadyQueue::new(dirs, &apply_plan(plan, dirs, None));
    let mut order = Vec::new();
    while let Some(dir) = queue.take() {
        order.push(dirs.path(dir).for_terminal());
        queue.finish(dir);
    }
    assert!(queue.is_done());
    order
}

#[test]
fn the_longest_chain_goes_first() {
    let dirs = Dirs::from_paths("t", &["", "a", "b", "b/c", "b/c/d"]);
    assert_eq!(one_by_one(&dirs, &Plan::default()), ["b/c/d", "b/c", "a", "b", "."]);
}

#[test]
fn a_priority_parent_pulls_its_children_forward_but_never_overtakes_them() {
    let dirs = Dirs::from_paths("t", &["", "deep", "deep/x", "deep/x/y", "main", "main/child"]);
    let plan = Plan {
        priority_dirs: vec![priority("main", 5)],
        investigation_order: Order::PriorityFirst,
        ..Plan::default()
    };
    assert_eq!(one_by_one(&dirs, &plan), ["main/child", "main", "deep/x/y", "deep/x", "deep", "."]);
}

#[test]
fn what_lies_below_a_skipped_directory_comes_before_what_lies_above() {
    let dirs = Dirs::from_paths("t", &["", "vendor", "vendor/ours"]);
    let plan = Plan {
        priority_dirs: vec![priority("vendor/ours", 5)],
        skip_dirs: vec![named("vendor")],
        ..Plan::default()
    };
    let mut queue = ReadyQueue::new(&dirs, &apply_plan(&plan, &dirs, None));
    assert_eq!(queue.take(), Some(DirId(2)));
    assert_eq!(queue.take(), None, "the target waits for what lies below the skipped directory");
    queue.finish(DirId(2));
    assert_eq!(queue.take(), Some(DirId(0)));
}

#[test]
fn what_was_lost_can_be_handed_out_again() {
    let dirs = Dirs::from_paths("t", &["", "a"]);
    let mut queue = ReadyQueue::new(&dirs, &apply_plan(&Plan::default(), &dirs, None));
    assert_eq!(queue.take(), Some(DirId(1)));
    assert!(!queue.has_ready());
    queue.put_back(DirId(1));
    assert_eq!(queue.take(), Some(DirId(1)));
    queue.finish(DirId(1));
    queue.put_back(DirId(1));
    assert_eq!(queue.take(), Some(DirId(0)));
}

#[test]
fn a_change_of_plan_is_followed() {
    let dirs = Dirs::from_paths("t", &["", "a", "a/x", "b"]);
    let mut schedule = apply_plan(&Plan::default(), &dirs, None);
    let mut queue = ReadyQueue::new(&dirs, &schedule);
    schedule.allocations[2].turns = Turns(0);
    schedule.allocations[3].turns = Turns(25);
    queue.follow(&dirs, &schedule);
    assert_eq!(queue.take(), Some(DirId(3)), "more turns, longer chain");
    assert_eq!(queue.take(), Some(DirId(1)), "its only child is not looked at any more");
    assert_eq!(queue.open(), 3);
}

/// A tree of so many directories: each one's parent is some directory before it.
fn any_tree() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(any::<prop::sample::Index>(), 0..40)
        .prop_map(|picks| picks.iter().enumerate().map(|(place, pick)| pick.index(place + 1)).collect())
}

fn dirs_of(parents: &[usize]) -> Dirs {
    let mut paths = vec![String::new()];
    for (place, parent) in parents.iter().enumerate() {
        let above = &paths[*parent];
        let name = format!("{place}");
        paths.push(if above.is_empty() { name } else { format!("{above}/{name}") });
    }
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    Dirs::from_paths("t", &paths)
}

proptest! {
    /// Whatever is skipped, lost, moved or finished in whatever order: no directory starts before everything below it
    /// that is looked at has finished, nothing starts twice, and in the end everything has finished.
    #[test]
    fn children_come_before_parents(
        parents in any_tree(),
        skip in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        first in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        by_priority in any::<bool>(),
        choices in prop::collection::vec((any::<prop::sample::Index>(), 0_u8..10), 300),
    ) {
        let dirs = dirs_of(&parents);
        let path = |pick: &prop::sample::Index| {
            dirs.path(DirId(u32::try_from(pick.index(dirs.len())).unwrap())).to_word()
        };
        let plan = Plan {
            priority_dirs: first.iter().map(|pick| priority(&path(pick), 20)).collect(),
            skip_dirs: skip.iter().map(|pick| named(&path(pick))).collect(),
            investigation_order: if by_priority { Order::PriorityFirst } else { Order::LeafFirst },
            ..Plan::default()
        };
        let mut schedule = apply_plan(&plan, &dirs, None);
        let mut queue = ReadyQueue::new(&dirs, &schedule);
        let mut out: Vec<DirId> = Vec::new();
        for (pick, what) in choices {
            if what < 5 && let Some(dir) = queue.take() {
                prop_assert!(schedule.of(dir).is_investigated());
                for below in dirs.ids().filter(|other| dirs.path(*other).is_below(dirs.path(dir))) {
                    let is_open = schedule.of(below).is_investigated() && !queue.has_finished(below);
                    prop_assert!(!is_open, "{:?} started before {:?}", dirs.path(dir), dirs.path(below));
                }
                prop_assert!(!out.contains(&dir));
                out.push(dir);
            } else if what < 8 && !out.is_empty() {
                queue.finish(out.swap_remove(pick.index(out.len())));
            } else if what == 8 && !out.is_empty() {
                queue.put_back(out.swap_remove(pick.index(out.len())));
            } else if what == 9 {
                let dir = DirId(u32::try_from(pick.index(dirs.len())).unwrap());
                if dir != DirId(0) && !queue.has_started(dir) {
                    schedule.allocations[dir.0 as usize].turns = Turns(0);
                    queue.follow(&dirs, &schedule);
                }
            }
        }
        while !queue.is_done() {
            match queue.take() {
                Some(dir) => queue.finish(dir),
                None => queue.finish(out.pop().expect("something that was handed out is still open")),
            }
        }
        prop_assert!(dirs.ids().all(|dir| queue.has_started(dir)));
    }
}
