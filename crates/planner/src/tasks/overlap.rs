//! Who would change the same files: areas, and conflicts over plan and backlog.
//!
//! What a task writes is what it says it touches, else the files it names, else its own paths; "everything" says nothing and
//! conflicts with nobody, and implied paths such as lockfiles never count. Two tasks that write the same are put one after
//! the other; the one that comes later waits until the other has *ended*, however. A task of the backlog that is blocked is
//! not waited for, since nobody knows for how long: that is told instead.
//!
//! **Invariant**: dependencies inside the plan point backwards, as before.

mod index;
#[cfg(test)]
mod tests;

use super::glob::{Glob, PathList, denied, is_pattern, plain};
use super::order;
use super::task::{Context, Dep, Draft, Edge, Needs, Status, Task, TaskId, add_new};
use index::Index;

/// A task of the backlog, as far as conflicts need it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Its name.
    pub id: TaskId,
    /// Its title.
    pub title: String,
    /// Where it stands.
    pub status: Status,
    /// Why it is blocked.
    pub block_reason: Option<String>,
    /// What it writes.
    pub writes: Vec<String>,
}

impl Standing {
    /// What conflicts need of a task.
    pub fn of(task: &Task) -> Self {
        Self {
            id: task.id.clone(),
            title: task.title.clone(),
            status: task.status,
            block_reason: task.block_reason.clone(),
            writes: writes(&task.touches, &task.context, &task.allowed_paths),
        }
    }
}

/// What a task writes.
pub fn writes(touches: &[String], context: &Context, allowed: &[String]) -> Vec<String> {
    let is_everything = |path: &String| Glob::new(path).is_ok_and(|glob| glob.is_everything());
    let specific = |list: &[String]| -> Vec<String> {
        let taken = list.iter().filter(|path| denied(path).is_none());
        let plain = taken.filter_map(|path| plain(path).ok());
        plain.filter(|path| !is_everything(path)).collect()
    };
    let named = specific(touches);
    if !named.is_empty() {
        return named;
    }
    let own = PathList::read(allowed);
    let mut files = specific(&context.files);
    files.retain(|file| own.matches(file));
    if files.is_empty() { specific(allowed) } else { files }
}

fn writes_of(draft: &Draft) -> Vec<String> {
    writes(&draft.touches, &draft.context, &draft.allowed_paths)
}

/// Fills in the area of each task that has none: the deepest directory, or the file, that holds all it writes.
pub fn fill_areas(drafts: &mut [Draft]) {
    for draft in drafts {
        if draft.target_area.as_deref().is_none_or(|area| area.trim().is_empty()) {
            draft.target_area = area(&writes_of(draft));
        }
    }
}

fn area(writes: &[String]) -> Option<String> {
    let literal = |path: &String| -> Vec<String> {
        path.split('/').take_while(|name| !is_pattern(name)).map(str::to_owned).collect()
    };
    let mut paths = writes.iter().map(literal);
    let mut common = paths.next()?;
    for path in paths {
        let shared = common.iter().zip(&path).take_while(|(a, b)| a == b).count();
        common.truncate(shared);
    }
    (!common.is_empty()).then(|| format!("path:{}", common.join("/")))
}

/// Serialises what would write the same files, inside the plan and with the backlog.
pub fn serialise(drafts: &mut [Draft], backlog: &[Standing], warnings: &mut Vec<String>) {
    let all_writes: Vec<Vec<String>> = drafts.iter().map(writes_of).collect();
    let with_backlog = with_backlog(drafts, &all_writes, backlog, warnings);
    let in_plan = in_plan(drafts, &all_writes);
    if 0 < in_plan {
        let tasks = if in_plan == 1 { "task waits" } else { "tasks wait" };
        warnings.push(format!("{in_plan} {tasks} for another one of the plan that changes the same files"));
    }
    if 0 < with_backlog {
        let tasks = if with_backlog == 1 { "task waits" } else { "tasks wait" };
        warnings.push(format!("{with_backlog} {tasks} for open tasks that change the same files"));
    }
    order::reduce(drafts);
}

fn with_backlog(
    drafts: &mut [Draft],
    writes: &[Vec<String>],
    backlog: &[Standing],
    warnings: &mut Vec<String>,
) -> usize {
    let open: Vec<&Standing> = backlog.iter().filter(|task| task.status.is_open()).collect();
    let index = Index::new(open.iter().map(|task| task.writes.as_slice()));
    let mut count = 0;
    for (draft, writes) in drafts.iter_mut().zip(writes) {
        let (mut edges, mut blocked) = (Vec::new(), Vec::new());
        for at in index.overlapping(writes) {
            let Some(other) = open.get(at) else { continue };
            if other.status == Status::Blocked {
                let reason = other.block_reason.as_deref().unwrap_or("nobody says why");
                blocked.push(format!("`{}` ({}, {reason})", other.title, other.id.short()));
            } else {
                edges.push(Edge { task: other.id.clone(), needs: Needs::Settled });
            }
        }
        count += usize::from(!edges.is_empty());
        let own: Vec<TaskId> = draft.waits_for.iter().map(|edge| edge.task.clone()).collect();
        add_new(&mut draft.waits_for, edges.into_iter().filter(|edge| !own.contains(&edge.task)));
        if !blocked.is_empty() {
            let more = blocked.len().saturating_sub(3);
            blocked.truncate(3);
            let more = if 0 < more { format!(" and {more} more") } else { String::new() };
            let told = format!(
                "changes the same files as blocked work, which it does not wait for: {}{more}",
                blocked.join(", ")
            );
            warnings.push(format!("`{}` {told}", draft.title));
            draft.warnings.push(told);
        }
    }
    count
}

fn in_plan(drafts: &mut [Draft], writes: &[Vec<String>]) -> usize {
    let index = Index::new(writes.iter().map(Vec::as_slice));
    let mut count = 0;
    for (later, writes) in writes.iter().enumerate() {
        let earlier: Vec<usize> = index.overlapping(writes).into_iter().filter(|at| *at < later).collect();
        let Some(draft) = drafts.get_mut(later) else { continue };
        let before = draft.depends_on.len();
        for on in earlier {
            if !draft.depends_on.iter().any(|dep| dep.on == on) {
                draft.depends_on.push(Dep::settled(on));
            }
        }
        count += usize::from(before < draft.depends_on.len());
    }
    count
}
