//! The backlog: tasks, what happened to them, and plans, in one SQLite file.
//!
//! Every change is one transaction that writes what changed and the event that tells of it; the file is in WAL mode with
//! full synchronisation, so what was answered is on the disk, and a kill leaves everything or nothing of a change. Many
//! processes may use it at once.
//!
//! **Guarantee**: tasks of a plan are saved all together, by a planner whose fencing number is the latest of the
//! repository, or not at all.
//!
//! Not here: what to plan, and whom to hand a task (`choose`).

mod check;
mod events;
mod leases;
mod plans;
mod research;
mod rows;
mod schema;
mod seal;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior, params};

use super::overlap::Standing;
use super::task::{Status, Task, TaskId};
use seal::Writing;
pub(super) use events::clipped;
pub use events::{Event, EventFilter};
pub use leases::{Asking, Claimed, Lease, NotClaimed};
pub use plans::{Begun, Linking, PlanRow, PlanState, Saved, Skip};
pub use research::{Claim, EvidenceRow, Job, JobEnd, JobState, ReportRow};
pub use schema::SCHEMA_VERSION;

/// How long a process waits for another one that writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// The backlog of one state directory.
#[derive(Debug)]
pub struct Backlog {
    connection: Connection,
    path: PathBuf,
}

/// Why the backlog could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be made or opened.
    #[error("cannot open the backlog {}", path.display())]
    Open {
        /// Where it should be.
        path: PathBuf,
        /// Why.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A newer program has written it.
    #[error("the backlog {} was written by a newer luminos (format {found}, this one reads up to {SCHEMA_VERSION})", path.display())]
    Newer {
        /// Where it is.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// The database failed.
    #[error("the backlog could not be read or written")]
    Database(#[from] rusqlite::Error),
    /// Something in it cannot be understood.
    #[error("the backlog holds something that cannot be understood: {0}")]
    Content(String),
    /// No task of that name.
    #[error("there is no task `{0}`")]
    NoTask(String),
    /// Several tasks of that name.
    #[error("`{word}` means several tasks: {}", among.join(", "))]
    Ambiguous {
        /// What was asked for.
        word: String,
        /// What it may mean.
        among: Vec<String>,
    },
    /// A task cannot go from one state to another.
    #[error("task {id} is {from} and cannot become {to}")]
    Transition {
        /// The task.
        id: TaskId,
        /// Where it stands.
        from: Status,
        /// Where it should go.
        to: Status,
    },
    /// Somebody else works on it.
    #[error("task {id} is leased to {agent} until {until}")]
    Leased {
        /// The task.
        id: TaskId,
        /// Who works on it.
        agent: String,
        /// Until when.
        until: String,
    },
    /// What a task needs is not there yet.
    #[error("task {id} waits for {}", waits_for.join(", "))]
    Waits {
        /// The task.
        id: TaskId,
        /// What it waits for, in words.
        waits_for: Vec<String>,
    },
    /// Nobody has begun it, so it can be neither done nor handed in.
    #[error("task {id} is {status} and nobody has begun it, so it cannot be done")]
    NotBegun {
        /// The task.
        id: TaskId,
        /// Where it stands.
        status: Status,
    },
    /// Its work was not handed in, so there is nothing to judge.
    #[error("task {id} is {status} and waits for no verdict")]
    NotHandedIn {
        /// The task.
        id: TaskId,
        /// Where it stands.
        status: Status,
    },
    /// Another planner has begun since.
    #[error("another planner has begun to plan {repo} since; nothing of this plan was saved")]
    Fenced {
        /// The repository.
        repo: String,
    },
    /// No research job of that name.
    #[error("there is no research job `{0}`")]
    NoJob(String),
}

impl Error {
    /// A way out.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NoTask(_) | Self::Ambiguous { .. } => Some("`luminosctl tasks list --all` lists all tasks"),
            Self::Newer { .. } => Some("upgrade luminos"),
            Self::Leased { .. } => Some("wait until the lease ends, or take it over with `--force`"),
            Self::Waits { .. } => {
                Some("`luminosctl tasks graph` shows the order; `tasks start --force` begins it all the same")
            }
            Self::NotBegun { .. } => Some(
                "begin it with `luminosctl tasks start TASK`; `--force` says that it is done all the same",
            ),
            Self::NotHandedIn { .. } => Some(
                "begin a task with `luminosctl tasks start TASK` and hand it in with `luminosctl tasks done TASK --review`; then it is judged",
            ),
            Self::Fenced { .. } => Some("plan again"),
            Self::NoJob(_) => Some("`luminosctl tasks research` without a question lists the jobs"),
            Self::Open { .. } | Self::Database(_) | Self::Content(_) | Self::Transition { .. } => None,
        }
    }
}

/// Milliseconds since 1970 as a moment that people can read.
pub fn moment(milliseconds: i64) -> String {
    jiff::Timestamp::from_millisecond(milliseconds)
        .map(|moment| moment.strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
        .unwrap_or_default()
}

/// Which tasks are wanted.
#[derive(Debug, Clone, Default)]
pub struct TaskFilter<'a> {
    /// Of this repository.
    pub repo: Option<&'a str>,
    /// In one of these states; all, if there are none.
    pub statuses: &'a [Status],
}

impl Backlog {
    /// The file of the backlog in a state directory.
    pub fn path_in(home: &Path) -> PathBuf {
        home.join("tasks/backlog.sqlite3")
    }

    /// Opens the backlog of a state directory, making or upgrading it where needed.
    pub fn open(home: &Path) -> Result<Self, Error> {
        let path = Self::path_in(home);
        let failed =
            |source: Box<dyn std::error::Error + Send + Sync>| Error::Open { path: path.clone(), source };
        let dir = path.parent().unwrap_or(home);
        let mut builder = std::fs::DirBuilder::new();
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.recursive(true).create(dir).map_err(|error| failed(error.into()))?;
        let connection = Connection::open(&path).map_err(|error| failed(error.into()))?;
        Self::set_up(connection, path)
    }

    fn set_up(mut connection: Connection, path: PathBuf) -> Result<Self, Error> {
        connection.busy_timeout(PATIENCE)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        schema::migrate(&mut connection, &path)?;
        Ok(Self { connection, path })
    }

    /// Where it is kept.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A transaction that writes: it waits for its turn at once, so that nothing it has read is old.
    fn writing(&mut self) -> Result<Writing<'_>, Error> {
        Ok(Writing(self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?))
    }

    /// The tasks that are wanted, in the order in which they were planned.
    pub fn tasks(&self, filter: &TaskFilter<'_>) -> Result<Vec<Task>, Error> {
        rows::tasks(&self.connection, filter)
    }

    /// Whether there is a task, a plan or a question of a repository.
    pub fn has_repo(&self, repo: &str) -> Result<bool, Error> {
        let query = "SELECT EXISTS (SELECT 1 FROM tasks WHERE repo = ?1)
                         OR EXISTS (SELECT 1 FROM plans WHERE repo = ?1)
                         OR EXISTS (SELECT 1 FROM research_jobs WHERE repo = ?1)";
        Ok(self.connection.query_row(query, [repo], |row| row.get(0))?)
    }

    /// The task that somebody means: its name, or as much of its beginning or end as nobody else has.
    pub fn find(&self, word: &str) -> Result<Task, Error> {
        let word = word.trim().to_lowercase();
        let is_name =
            !word.is_empty() && word.chars().all(|letter| letter.is_ascii_hexdigit() || letter == '-');
        let mut found = Vec::new();
        if is_name {
            let mut statement = self
                .connection
                .prepare("SELECT id FROM tasks WHERE id LIKE ?1 || '%' OR id LIKE '%' || ?1 LIMIT 6")?;
            found = statement
                .query_map([&word], |row| row.get::<_, String>(0))?
                .collect::<Result<Vec<_>, _>>()?;
        }
        match found.as_slice() {
            [] => Err(Error::NoTask(word)),
            [id] => rows::task(&self.connection, &TaskId(id.clone()))?.ok_or(Error::NoTask(word)),
            several => match several.iter().find(|id| **id == word) {
                Some(id) => rows::task(&self.connection, &TaskId(id.clone()))?.ok_or(Error::NoTask(word)),
                None => Err(Error::Ambiguous { word, among: found }),
            },
        }
    }

    /// The open tasks of a repository, as far as conflicts need them.
    pub fn standing(&self, repo: &str) -> Result<Vec<Standing>, Error> {
        let open = [Status::Queued, Status::Running, Status::Blocked];
        let tasks = self.tasks(&TaskFilter { repo: Some(repo), statuses: &open })?;
        Ok(tasks.iter().map(Standing::of).collect())
    }

    /// What keeps a new plan for a repository from being made.
    pub fn pending(&self, repo: &str) -> Result<super::gate::Pending, Error> {
        let statuses = [Status::Queued, Status::Running, Status::Blocked, Status::Failed];
        let tasks = self.tasks(&TaskFilter { repo: Some(repo), statuses: &statuses })?;
        Ok(super::gate::Pending::of(&tasks))
    }

    /// Puts an issue beside a task, and lets it go if it waited for that.
    pub fn link_issue(
        &mut self,
        id: &TaskId,
        issue: Option<&super::task::IssueLink>,
        now: i64,
    ) -> Result<(), Error> {
        let transaction = self.writing()?;
        let mut task = rows::task(&transaction, id)?.ok_or_else(|| Error::NoTask(id.to_string()))?;
        task.context.issue = issue.cloned().or(task.context.issue);
        let context = rows::json(&task.context)?;
        transaction.execute(
            "UPDATE tasks SET context = ?2, updated_at = ?3,
               status = CASE WHEN block_reason = 'issue_linking' THEN 'queued' ELSE status END,
               block_reason = CASE WHEN block_reason = 'issue_linking' THEN NULL ELSE block_reason END
             WHERE id = ?1",
            params![id.0, context, now],
        )?;
        if let Some(issue) = issue {
            let news = events::News {
                kind: "task.issue_linked",
                repo: Some(&task.repo),
                entity: Some(&id.0),
                agent: None,
                payload: &serde_json::json!({ "issue": issue }),
                now,
            };
            events::record(&transaction, &news)?;
        }
        transaction.commit()?;
        Ok(())
    }
}
