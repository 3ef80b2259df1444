//! Whether a new plan may be made: work that there is comes first.

use super::task::{Status, Task, block_reason};

/// What keeps a new plan from being made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Pending {
    /// Tasks of this backlog.
    pub local: Vec<Named>,
    /// Tasks that belong to issues.
    pub issues: Vec<Named>,
    /// Work that waits for a verdict.
    pub reviews: Vec<Named>,
}

/// A task, as somebody can find it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Named {
    /// The end of its name.
    pub short: String,
    /// Its title.
    pub title: String,
    /// Where it stands.
    pub status: Status,
}

/// No more tasks of a kind than this are named.
const NAMED: usize = 5;

impl Pending {
    /// Sorts what is not over yet. Tasks of research are nobody's backlog.
    pub fn of(tasks: &[Task]) -> Self {
        let mut pending = Self::default();
        for task in tasks {
            if matches!(task.status, Status::Done | Status::Cancelled) || task.context.research.is_some() {
                continue;
            }
            let named =
                Named { short: task.id.short().to_owned(), title: task.title.clone(), status: task.status };
            let awaits = task.status == Status::Blocked
                && task.block_reason.as_deref() == Some(block_reason::AWAITING_JUDGE);
            if awaits {
                pending.reviews.push(named);
            } else if task.context.issue.is_some() {
                pending.issues.push(named);
            } else {
                pending.local.push(named);
            }
        }
        pending
    }

    /// Whether nothing is pending.
    pub fn is_empty(&self) -> bool {
        self.local.is_empty() && self.issues.is_empty() && self.reviews.is_empty()
    }

    /// What is pending, a line for each kind.
    pub fn words(&self) -> Vec<String> {
        let kinds = [("task", &self.local), ("issue task", &self.issues), ("review", &self.reviews)];
        let line = |(word, tasks): (&str, &Vec<Named>)| {
            let plural = if tasks.len() == 1 { "" } else { "s" };
            let mut names: Vec<String> = tasks
                .iter()
                .take(NAMED)
                .map(|task| format!("{} {} ({})", task.short, task.title, task.status))
                .collect();
            if NAMED < tasks.len() {
                names.push(format!("and {} more", tasks.len() - NAMED));
            }
            format!("{} {word}{plural} pending: {}", tasks.len(), names.join(", "))
        };
        kinds.into_iter().filter(|(_, tasks)| !tasks.is_empty()).map(line).collect()
    }
}
