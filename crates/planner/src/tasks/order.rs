//! Which task comes before which: dependencies put in order.
//!
//! Dependencies that name no task are dropped, circles are broken and named, tasks are sorted so that whatever a task waits
//! for stands before it (a reference to a later task moves that task, it is not lost), and edges that follow from others go.
//!
//! **Invariants** of [`normalise`]: every dependency points to a smaller index; what waited for what before, directly or
//! not, still does, unless a circle was broken; tasks that nothing orders keep their order.

mod reach;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::task::{Dep, Draft, Needs};
use reach::Reach;

/// Puts the dependencies of a plan in order. What had to be changed is told.
pub fn normalise(drafts: Vec<Draft>, warnings: &mut Vec<String>) -> Vec<Draft> {
    let mut drafts = drafts;
    drop_strangers(&mut drafts, warnings);
    break_circles(&mut drafts, warnings);
    let mut drafts = sorted(drafts);
    reduce(&mut drafts);
    drafts
}

/// Drops dependencies on oneself and on what is not there, and joins those on the same task.
fn drop_strangers(drafts: &mut [Draft], warnings: &mut Vec<String>) {
    let count = drafts.len();
    for (index, draft) in drafts.iter_mut().enumerate() {
        let before = std::mem::take(&mut draft.depends_on);
        for dep in before {
            if dep.on == index {
                warnings.push(format!("`{}` does not wait for itself", draft.title));
            } else if count <= dep.on {
                warnings.push(format!(
                    "`{}` does not wait for task {}: there are only {count} tasks",
                    draft.title,
                    dep.on + 1
                ));
            } else if let Some(same) = draft.depends_on.iter_mut().find(|same| same.on == dep.on) {
                same.needs = same.needs.min(dep.needs);
            } else {
                draft.depends_on.push(dep);
            }
        }
    }
}

/// Breaks every circle at the dependency that points furthest ahead, which contradicts the order of the plan most.
fn break_circles(drafts: &mut [Draft], warnings: &mut Vec<String>) {
    while let Some(circle) = find_circle(drafts) {
        let edges = circle.iter().zip(circle.iter().cycle().skip(1));
        let weakest = edges.max_by_key(|(from, on)| (on.saturating_sub(**from), Reverse(**from)));
        let Some((&from, &on)) = weakest else { return };
        let names: Vec<String> =
            circle.iter().chain(circle.first()).map(|index| format!("`{}`", drafts[*index].title)).collect();
        warnings.push(format!(
            "tasks wait for each other in a circle ({}); `{}` no longer waits for `{}`",
            names.join(" → "),
            drafts[from].title,
            drafts[on].title
        ));
        drafts[from].depends_on.retain(|dep| dep.on != on);
    }
}

/// A circle, if there is one: each waits for the next, the last for the first. Begins with its smallest index.
fn find_circle(drafts: &[Draft]) -> Option<Vec<usize>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Closed,
    }
    let mut marks = vec![Mark::New; drafts.len()];
    for start in 0..drafts.len() {
        // The way from the start, with the next dependency to look at on each step.
        let mut way: Vec<(usize, usize)> = Vec::new();
        if marks[start] == Mark::New {
            marks[start] = Mark::Open;
            way.push((start, 0));
        }
        while let Some((at, next)) = way.last_mut() {
            let Some(dep) = drafts[*at].depends_on.get(*next) else {
                marks[*at] = Mark::Closed;
                way.pop();
                continue;
            };
            *next += 1;
            match marks[dep.on] {
                Mark::New => {
                    marks[dep.on] = Mark::Open;
                    way.push((dep.on, 0));
                }
                Mark::Open => {
                    let circle = way.iter().map(|(at, _)| *at).skip_while(|at| *at != dep.on);
                    let mut circle: Vec<usize> = circle.collect();
                    let smallest = circle.iter().enumerate().min_by_key(|(_, index)| **index);
                    let smallest = smallest.map_or(0, |(place, _)| place);
                    circle.rotate_left(smallest);
                    return Some(circle);
                }
                Mark::Closed => {}
            }
        }
    }
    None
}

/// Sorts by dependencies; among those that are ready, the order of the plan counts.
fn sorted(drafts: Vec<Draft>) -> Vec<Draft> {
    let mut waiting: Vec<usize> = drafts.iter().map(|draft| draft.depends_on.len()).collect();
    let mut dependents: Vec<Vec<usize>> = vec![Vec::new(); drafts.len()];
    for (index, draft) in drafts.iter().enumerate() {
        for dep in &draft.depends_on {
            dependents[dep.on].push(index);
        }
    }
    let mut ready: BinaryHeap<Reverse<usize>> =
        (0..drafts.len()).filter(|index| waiting[*index] == 0).map(Reverse).collect();
    let mut place = vec![0; drafts.len()];
    let mut count = 0;
    while let Some(Reverse(index)) = ready.pop() {
        place[index] = count;
        count += 1;
        for &dependent in &dependents[index] {
            waiting[dependent] -= 1;
            if waiting[dependent] == 0 {
                ready.push(Reverse(dependent));
            }
        }
    }
    let mut drafts: Vec<(usize, Draft)> = place.iter().copied().zip(drafts).collect();
    drafts.sort_by_key(|(place, _)| *place);
    let mut drafts: Vec<Draft> = drafts.into_iter().map(|(_, draft)| draft).collect();
    for draft in &mut drafts {
        for dep in &mut draft.depends_on {
            dep.on = place[dep.on];
        }
    }
    drafts
}

/// Drops every dependency that follows from the others. The drafts are sorted.
pub(crate) fn reduce(drafts: &mut [Draft]) {
    let mut reach = Reach::new(drafts.len());
    for (index, draft) in drafts.iter_mut().enumerate() {
        let mut deps = std::mem::take(&mut draft.depends_on);
        deps.sort_unstable();
        let follows = |dep: &Dep, other: &Dep| {
            other.on != dep.on
                && other.needs == Needs::Done
                && match dep.needs {
                    Needs::Done => reach.done(other.on, dep.on),
                    Needs::Settled => reach.settled(other.on, dep.on),
                }
        };
        let kept: Vec<Dep> =
            deps.iter().copied().filter(|dep| !deps.iter().any(|other| follows(dep, other))).collect();
        for dep in &deps {
            reach.add(index, *dep);
        }
        draft.depends_on = kept;
    }
}
