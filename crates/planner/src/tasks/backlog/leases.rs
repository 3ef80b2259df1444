//! Handing tasks out: leases that expire, and the ways a task can go.

use rusqlite::{OptionalExtension as _, Transaction, params};
use serde::Serialize;
use serde_json::json;

use super::events::{News, record};
use super::rows;
use super::{Backlog, Error, TaskFilter, moment};
use crate::tasks::choose::{Chooser, Held, choose};
use crate::tasks::failure::classify;
use crate::tasks::task::{Edge, Needs, Role, Status, Task, TaskId, block_reason};

/// The right to work on a task for a while.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Lease {
    /// Whose it is.
    pub agent: String,
    /// Until when, in milliseconds since 1970.
    pub expires_at: i64,
}

/// A task that was handed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimed {
    /// The task.
    pub task: Task,
    /// For how long.
    pub lease: Lease,
}

/// Why no task was handed out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotClaimed {
    /// What each open task waits for, in words.
    pub waiting: Vec<(TaskId, String, String)>,
}

/// Who asks for something, and when.
#[derive(Debug, Clone, Copy)]
pub struct Asking<'a> {
    /// Who.
    pub agent: &'a str,
    /// For how long a task is theirs, in milliseconds.
    pub lease: i64,
    /// Whether rules are set aside.
    pub force: bool,
    /// Now.
    pub now: i64,
}

impl Backlog {
    /// The lease on a task, if somebody holds one.
    pub fn lease(&self, id: &TaskId, now: i64) -> Result<Option<Lease>, Error> {
        Ok(lease(&self.connection, id)?.filter(|lease| now < lease.expires_at))
    }

    /// Hands out the best task of a repository that can be begun. What somebody let expire can be begun again.
    pub fn next(
        &mut self,
        repo: &str,
        role: Option<Role>,
        asking: Asking<'_>,
    ) -> Result<Result<Claimed, NotClaimed>, Error> {
        let transaction = self.writing()?;
        free_expired(&transaction, repo, asking.now)?;
        let tasks = rows::tasks(&transaction, &TaskFilter { repo: Some(repo), statuses: &[] })?;
        let held = {
            let mut statement = transaction.prepare("SELECT task FROM leases WHERE expires_at > ?1")?;
            statement
                .query_map([asking.now], |row| Ok(Held(TaskId(row.get(0)?))))?
                .collect::<Result<Vec<_>, _>>()?
        };
        match choose(&Chooser { tasks: &tasks, held: &held, role, now: asking.now }) {
            Ok(task) => {
                let claimed = begin(&transaction, task.clone(), asking)?;
                transaction.commit()?;
                Ok(Ok(claimed))
            }
            Err(waiting) => {
                transaction.commit()?;
                Ok(Err(NotClaimed { waiting }))
            }
        }
    }

    /// Begins a task by name.
    pub fn start(&mut self, id: &TaskId, asking: Asking<'_>) -> Result<Claimed, Error> {
        let transaction = self.writing()?;
        let task = rows::task(&transaction, id)?.ok_or_else(|| Error::NoTask(id.to_string()))?;
        let other = lease(&transaction, id)?
            .filter(|lease| asking.now < lease.expires_at && lease.agent != asking.agent);
        if let Some(lease) = other.filter(|_| !asking.force) {
            return Err(Error::Leased {
                id: id.clone(),
                agent: lease.agent,
                until: moment(lease.expires_at),
            });
        }
        let can = matches!(task.status, Status::Queued | Status::Running | Status::Failed)
            || asking.force && task.status == Status::Blocked;
        if !can {
            return Err(Error::Transition { id: id.clone(), from: task.status, to: Status::Running });
        }
        let waits_for = unmet(&transaction, &task)?;
        if !waits_for.is_empty() && !asking.force {
            return Err(Error::Waits { id: id.clone(), waits_for });
        }
        let claimed = begin(&transaction, task, asking)?;
        transaction.commit()?;
        Ok(claimed)
    }

    /// Ends or interrupts a task: it goes to a state, for a reason. What nobody has begun is neither done nor handed in,
    /// unless that is forced.
    pub fn settle(
        &mut self,
        id: &TaskId,
        to: Status,
        reason: Option<&str>,
        asking: Asking<'_>,
    ) -> Result<Task, Error> {
        let transaction = self.writing()?;
        let task = rows::task(&transaction, id)?.ok_or_else(|| Error::NoTask(id.to_string()))?;
        let can = match to {
            Status::Done | Status::Failed => {
                matches!(task.status, Status::Running | Status::Blocked | Status::Queued)
            }
            Status::Blocked => matches!(task.status, Status::Running | Status::Queued | Status::Blocked),
            Status::Cancelled => task.status != Status::Done,
            Status::Queued => task.status != Status::Done,
            Status::Running => false,
        };
        if !can {
            return Err(Error::Transition { id: id.clone(), from: task.status, to });
        }
        let is_finished = to == Status::Done || reason == Some(block_reason::AWAITING_JUDGE);
        if is_finished && !asking.force && !is_begun(&transaction, &task)? {
            return Err(Error::NotBegun { id: id.clone(), status: task.status });
        }
        let other = lease(&transaction, id)?
            .filter(|lease| asking.now < lease.expires_at && lease.agent != asking.agent);
        if let Some(lease) = other.filter(|_| !asking.force) {
            return Err(Error::Leased {
                id: id.clone(),
                agent: lease.agent,
                until: moment(lease.expires_at),
            });
        }
        change(&transaction, &task, to, reason, asking)?;
        let task = rows::task(&transaction, id)?.ok_or_else(|| Error::NoTask(id.to_string()))?;
        transaction.commit()?;
        Ok(task)
    }

    /// Whether a task can be judged: its work was handed in, and what it builds on is done.
    pub fn check_handed_in(&mut self, id: &TaskId) -> Result<(), Error> {
        let transaction = self.writing()?;
        handed_in(&transaction, id).map(drop)
    }

    /// Moves a task on by a verdict, if it still waits for one. Nothing sets this rule aside.
    pub fn settle_by_verdict(
        &mut self,
        id: &TaskId,
        to: Status,
        reason: Option<&str>,
        now: i64,
    ) -> Result<Task, Error> {
        let transaction = self.writing()?;
        let task = handed_in(&transaction, id)?;
        change(&transaction, &task, to, reason, Asking { agent: "judge", lease: 0, force: false, now })?;
        let task = rows::task(&transaction, id)?.ok_or_else(|| Error::NoTask(id.to_string()))?;
        transaction.commit()?;
        Ok(task)
    }

    /// What tasks wait for a task, and can never begin because it ended without being done.
    pub fn stuck_behind(&self, id: &TaskId) -> Result<Vec<Task>, Error> {
        let tasks = self.tasks(&TaskFilter { repo: None, statuses: &[Status::Queued] })?;
        let waits = |edge: &Edge| edge.task == *id && edge.needs == Needs::Done;
        Ok(tasks.into_iter().filter(|task| task.dependencies.iter().any(waits)).collect())
    }
}

fn lease(connection: &rusqlite::Connection, id: &TaskId) -> Result<Option<Lease>, Error> {
    let read = |row: &rusqlite::Row<'_>| Ok(Lease { agent: row.get(0)?, expires_at: row.get(1)? });
    Ok(connection
        .query_row("SELECT agent, expires_at FROM leases WHERE task = ?1", [&id.0], read)
        .optional()?)
}

/// A task whose work was handed in and can be judged.
fn handed_in(transaction: &Transaction<'_>, id: &TaskId) -> Result<Task, Error> {
    let task = rows::task(transaction, id)?.ok_or_else(|| Error::NoTask(id.to_string()))?;
    let is_awaiting =
        task.status == Status::Blocked && task.block_reason.as_deref() == Some(block_reason::AWAITING_JUDGE);
    if !is_awaiting || !is_begun(transaction, &task)? {
        return Err(Error::NotHandedIn { id: id.clone(), status: task.status });
    }
    let waits_for = unmet(transaction, &task)?;
    if waits_for.is_empty() { Ok(task) } else { Err(Error::Waits { id: id.clone(), waits_for }) }
}

/// Whether somebody works on a task, or did and has not put it back into the queue.
fn is_begun(transaction: &Transaction<'_>, task: &Task) -> Result<bool, Error> {
    let has_run = || {
        let query = "SELECT EXISTS (SELECT 1 FROM runs WHERE task = ?1)";
        transaction.query_row(query, [&task.id.0], |row| row.get::<_, bool>(0))
    };
    Ok(match task.status {
        Status::Running => true,
        Status::Blocked => has_run()?,
        Status::Queued | Status::Failed | Status::Done | Status::Cancelled => false,
    })
}

/// What a task still waits for, in words.
fn unmet(transaction: &Transaction<'_>, task: &Task) -> Result<Vec<String>, Error> {
    let mut waits = Vec::new();
    for edge in &task.dependencies {
        let Some(other) = rows::task(transaction, &edge.task)? else { continue };
        if !edge.needs.is_met_by(other.status) {
            waits.push(format!("`{}` ({}, {})", other.title, other.id.short(), other.status));
        }
    }
    Ok(waits)
}

fn begin(transaction: &Transaction<'_>, task: Task, asking: Asking<'_>) -> Result<Claimed, Error> {
    let lease = Lease { agent: asking.agent.to_owned(), expires_at: asking.now.saturating_add(asking.lease) };
    transaction.execute(
        "INSERT INTO leases (task, agent, expires_at) VALUES (?1, ?2, ?3)
         ON CONFLICT (task) DO UPDATE SET agent = excluded.agent, expires_at = excluded.expires_at",
        params![task.id.0, lease.agent, lease.expires_at],
    )?;
    let again = i64::from(task.status != Status::Queued);
    transaction.execute(
        "UPDATE tasks SET status = 'running', block_reason = NULL, retry_count = retry_count + ?3, updated_at = ?2 WHERE id = ?1",
        params![task.id.0, asking.now, again],
    )?;
    transaction.execute(
        "UPDATE runs SET status = 'cancelled', finished_at = ?2 WHERE task = ?1 AND status = 'running'",
        params![task.id.0, asking.now],
    )?;
    transaction.execute(
        "INSERT INTO runs (id, task, agent, status, started_at) VALUES (?1, ?2, ?3, 'running', ?4)",
        params![uuid::Uuid::now_v7().to_string(), task.id.0, asking.agent, asking.now],
    )?;
    let payload = json!({ "from": task.status, "leaseUntil": moment(lease.expires_at) });
    tell(transaction, &task, "task.started", &payload, asking)?;
    let task = rows::task(transaction, &task.id)?.ok_or_else(|| Error::NoTask(task.id.to_string()))?;
    Ok(Claimed { task, lease })
}

fn change(
    transaction: &Transaction<'_>,
    task: &Task,
    to: Status,
    reason: Option<&str>,
    asking: Asking<'_>,
) -> Result<(), Error> {
    transaction.execute(
        "UPDATE tasks SET status = ?2, block_reason = ?3, updated_at = ?4 WHERE id = ?1",
        params![task.id.0, to.word(), reason, asking.now],
    )?;
    transaction.execute("DELETE FROM leases WHERE task = ?1", [&task.id.0])?;
    let run = match to {
        Status::Done => "success",
        Status::Failed => "failed",
        // Work that waits for a verdict was done.
        Status::Blocked if reason == Some(block_reason::AWAITING_JUDGE) => "success",
        Status::Blocked | Status::Cancelled | Status::Queued | Status::Running => "cancelled",
    };
    transaction.execute(
        "UPDATE runs SET status = ?2, finished_at = ?3, error = ?4 WHERE task = ?1 AND status = 'running'",
        params![task.id.0, run, asking.now, reason],
    )?;
    let mut payload = json!({ "from": task.status, "to": to, "reason": reason });
    if to == Status::Failed {
        let (kind, can_retry) = classify(reason.unwrap_or_default());
        payload["failure"] =
            json!({ "kind": kind, "canRetry": can_retry && task.retry_count < kind.most_retries() });
    }
    tell(transaction, task, &format!("task.{to}"), &payload, asking)
}

fn tell(
    transaction: &Transaction<'_>,
    task: &Task,
    kind: &str,
    payload: &serde_json::Value,
    asking: Asking<'_>,
) -> Result<(), Error> {
    let news = News {
        kind,
        repo: Some(&task.repo),
        entity: Some(&task.id.0),
        agent: Some(asking.agent),
        payload,
        now: asking.now,
    };
    record(transaction, &news)
}

/// Tasks whose lease has run out are free again.
fn free_expired(transaction: &Transaction<'_>, repo: &str, now: i64) -> Result<(), Error> {
    let expired: Vec<(String, String)> = {
        let mut statement = transaction.prepare(
            "SELECT leases.task, leases.agent FROM leases JOIN tasks ON tasks.id = leases.task
             WHERE leases.expires_at <= ?1 AND tasks.repo = ?2 AND tasks.status = 'running'",
        )?;
        statement
            .query_map(params![now, repo], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<Result<_, _>>()?
    };
    for (id, agent) in expired {
        let Some(task) = rows::task(transaction, &TaskId(id))? else { continue };
        let asking = Asking { agent: &agent, lease: 0, force: true, now };
        change(transaction, &task, Status::Queued, None, asking)?;
        tell(transaction, &task, "task.lease_expired", &json!({ "agent": agent }), asking)?;
    }
    Ok(())
}
