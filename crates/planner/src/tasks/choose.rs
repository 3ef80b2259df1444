//! Which task comes next: dependencies, conflicts, lanes, then the score.

use std::collections::BTreeMap;

use super::glob::read_all;
use super::overlap::writes;
use super::task::{Lane, Needs, Risk, Role, Status, Task, TaskId};

/// A task that somebody holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held(pub TaskId);

/// What is to be chosen from.
#[derive(Debug, Clone, Copy)]
pub struct Chooser<'a> {
    /// All tasks of a repository, those that are over included.
    pub tasks: &'a [Task],
    /// Those that somebody holds.
    pub held: &'a [Held],
    /// The role of whoever asks; any, if they do not say.
    pub role: Option<Role>,
    /// Now, in milliseconds since 1970.
    pub now: i64,
}

/// At most so many tasks of a lane at once.
fn most_of(lane: Lane) -> usize {
    match lane {
        Lane::Feature | Lane::Research => usize::MAX,
        Lane::ConflictRecovery => 2,
        Lane::Docser => 1,
    }
}

/// How much a task deserves to be next. Waiting counts up to ten hours; short tasks come a little earlier.
pub fn score(task: &Task, now: i64) -> f64 {
    let factor = match task.risk_level {
        Risk::Low => 1.5,
        Risk::Medium => 1.0,
        Risk::High => 0.5,
    };
    let hours = now.saturating_sub(task.created_at).max(0) as f64 / 3_600_000.0;
    let short = if task.timebox_minutes <= 30 { 5.0 } else { 0.0 };
    task.priority as f64 * 10.0 * factor + (2.0 * hours).min(20.0) + short
}

/// Chooses; if nothing can be begun, says of every open task what it waits for.
pub fn choose<'a>(chooser: &Chooser<'a>) -> Result<&'a Task, Vec<(TaskId, String, String)>> {
    let by_id: BTreeMap<&TaskId, &Task> = chooser.tasks.iter().map(|task| (&task.id, task)).collect();
    let running: Vec<&Task> = chooser.tasks.iter().filter(|task| task.status == Status::Running).collect();
    let mut ready: Vec<&Task> = Vec::new();
    let mut waiting = Vec::new();
    for task in chooser.tasks.iter().filter(|task| task.status.is_open()) {
        let wait = |why: String| (task.id.clone(), task.title.clone(), why);
        match obstacle(task, chooser, &by_id, &running) {
            None => ready.push(task),
            Some(why) => waiting.push(wait(why)),
        }
    }
    let in_lane = |lane: Lane| running.iter().filter(|task| task.lane == lane).count();
    let mut allowed: Vec<&Task> =
        ready.iter().copied().filter(|task| in_lane(task.lane) < most_of(task.lane)).collect();
    if allowed.is_empty() && running.is_empty() {
        // Rather too much of one lane than nothing.
        allowed = ready.clone();
    }
    let best = allowed.iter().copied().max_by(|a, b| {
        let by_score = score(a, chooser.now).total_cmp(&score(b, chooser.now));
        by_score
            .then_with(|| b.created_at.cmp(&a.created_at))
            .then_with(|| b.position.cmp(&a.position))
            .then_with(|| b.id.cmp(&a.id))
    });
    best.ok_or_else(|| {
        let full = ready.iter().map(|task| {
            (
                task.id.clone(),
                task.title.clone(),
                format!("enough tasks of the lane {} are under way", task.lane),
            )
        });
        waiting.into_iter().chain(full).collect()
    })
}

/// Why a task cannot be begun.
fn obstacle(
    task: &Task,
    chooser: &Chooser<'_>,
    by_id: &BTreeMap<&TaskId, &Task>,
    running: &[&Task],
) -> Option<String> {
    match task.status {
        Status::Blocked => {
            return Some(format!(
                "it is blocked: {}",
                task.block_reason.as_deref().unwrap_or("nobody says why")
            ));
        }
        Status::Running => return Some("somebody works on it".to_owned()),
        Status::Queued | Status::Done | Status::Failed | Status::Cancelled => {}
    }
    if chooser.held.iter().any(|held| held.0 == task.id) {
        return Some("somebody holds a lease on it".to_owned());
    }
    if let Some(role) = chooser.role.filter(|role| *role != task.role) {
        return Some(format!("it is for a {}, not for a {role}", task.role));
    }
    for edge in &task.dependencies {
        let Some(other) = by_id.get(&edge.task) else { continue };
        if edge.needs.is_met_by(other.status) {
            continue;
        }
        let ended = other.status.is_terminal() && edge.needs == Needs::Done;
        let way_out =
            if ended { "; it can never begin unless that is done or this is cancelled" } else { "" };
        return Some(format!(
            "it waits for `{}` ({}), which is {}{way_out}",
            other.title,
            other.id.short(),
            other.status
        ));
    }
    let own = read_all(&writes(&task.touches, &task.context, &task.allowed_paths));
    for other in running {
        let same_area = task.target_area.is_some() && task.target_area == other.target_area;
        let theirs = read_all(&writes(&other.touches, &other.context, &other.allowed_paths));
        if same_area || own.iter().any(|glob| theirs.iter().any(|other| glob.overlaps(other))) {
            return Some(format!(
                "`{}` ({}) is under way and changes the same files",
                other.title,
                other.id.short()
            ));
        }
    }
    None
}
