//! Plans: begun once, saved whole or not at all.

use rusqlite::{Connection, OptionalExtension as _, Transaction, params};
use serde_json::{Value, json};

use super::events::{News, record};
use super::rows::{Beginning, insert, insert_edge};
use super::{Backlog, Error};
use crate::tasks::task::{Draft, Edge, Status, TaskId, block_reason};
use crate::tasks::word::words;

words! {
    /// How a plan stands.
    PlanState, "a state of a plan" {
        /// Somebody makes it.
        Running = "running",
        /// Its tasks are in the backlog.
        Created = "created",
        /// It was given up.
        Failed = "failed",
    }
}

/// A plan that was begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlanRow {
    /// Its name.
    pub id: String,
    /// The repository.
    pub repo: String,
    /// What makes it the same as another.
    pub signature: String,
    /// The number of the planner that makes it.
    pub fence: u64,
    /// Who makes it.
    pub agent: String,
}

/// Whether a plan is to be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begun {
    /// Go ahead.
    Go(PlanRow),
    /// The same one is there.
    Skip(Skip),
}

/// A plan that is there already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skip {
    /// Its name.
    pub plan: String,
    /// How many tasks it has.
    pub tasks: u32,
    /// How long ago it was saved, in milliseconds.
    pub age: i64,
}

/// A plan that was saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// The tasks, in the order of the plan.
    pub tasks: Vec<TaskId>,
}

/// Whether new tasks wait until they have an issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Linking {
    /// They are free at once.
    No,
    /// They wait.
    First,
}

fn recent(connection: &Connection, signature: &str, window: i64, now: i64) -> Result<Option<Skip>, Error> {
    let found = connection
        .query_row(
            "SELECT id, ended_at, (SELECT count(*) FROM tasks WHERE plan_id = plans.id) FROM plans
             WHERE signature = ?1 AND state = 'created' AND ?2 - ended_at < ?3 ORDER BY ended_at DESC LIMIT 1",
            params![signature, now, window],
            |row| Ok(Skip { plan: row.get(0)?, age: now - row.get::<_, i64>(1)?, tasks: row.get(2)? }),
        )
        .optional()?;
    Ok(found)
}

impl Backlog {
    /// Begins a plan, unless the same one was saved within the window. From now on older planners of the repository are
    /// refused. Call this under the planner's lock, which gave the number.
    pub fn begin_plan(
        &mut self,
        repo: &str,
        signature: &str,
        agent: &str,
        fence: u64,
        window: i64,
        now: i64,
    ) -> Result<Begun, Error> {
        let transaction = self.writing()?;
        if let Some(skip) = recent(&transaction, signature, window, now)? {
            return Ok(Begun::Skip(skip));
        }
        raise_fence(&transaction, repo, fence)?;
        // Whoever was at it and left no word has died: this planner holds the lock.
        let dead: Vec<String> = {
            let mut statement =
                transaction.prepare("SELECT id FROM plans WHERE repo = ?1 AND state = 'running'")?;
            statement.query_map([repo], |row| row.get(0))?.collect::<Result<_, _>>()?
        };
        for id in dead {
            fail(
                &transaction,
                &id,
                repo,
                agent,
                "the planner ended without a word; nothing was saved",
                &Value::Null,
                now,
            )?;
        }
        let id = uuid::Uuid::now_v7().to_string();
        transaction.execute(
            "INSERT INTO plans (id, repo, signature, state, fence, agent, started_at) VALUES (?1, ?2, ?3, 'running', ?4, ?5, ?6)",
            params![id, repo, signature, fence as i64, agent, now],
        )?;
        transaction.commit()?;
        let row = PlanRow {
            id,
            repo: repo.to_owned(),
            signature: signature.to_owned(),
            fence,
            agent: agent.to_owned(),
        };
        Ok(Begun::Go(row))
    }

    /// Saves the tasks of a plan and tells of it, all in one. `told` is the payload of the event; the tasks with their
    /// resolved dependencies are added to it.
    pub fn save_plan(
        &mut self,
        plan: &PlanRow,
        drafts: &[Draft],
        told: &Value,
        linking: Linking,
        now: i64,
    ) -> Result<Saved, Error> {
        let transaction = self.writing()?;
        check_fence(&transaction, plan)?;
        let ids: Vec<TaskId> = drafts.iter().map(|_| TaskId::fresh()).collect();
        for (position, (draft, id)) in drafts.iter().zip(&ids).enumerate() {
            let waits = linking == Linking::First && draft.context.issue.is_none();
            let beginning = Beginning {
                repo: &plan.repo,
                plan: Some(&plan.id),
                status: if waits { Status::Blocked } else { Status::Queued },
                block_reason: waits.then_some(block_reason::ISSUE_LINKING),
                now,
            };
            insert(&transaction, id, draft, position, beginning)?;
        }
        let mut tasks = Vec::new();
        for (draft, id) in drafts.iter().zip(&ids) {
            let inside = draft
                .depends_on
                .iter()
                .filter_map(|dep| ids.get(dep.on).map(|on| Edge { task: on.clone(), needs: dep.needs }));
            let edges: Vec<Edge> = inside.chain(draft.waits_for.iter().cloned()).collect();
            for edge in &edges {
                insert_edge(&transaction, id, edge)?;
            }
            tasks.push(json!({
                "id": id, "title": draft.title, "goal": draft.goal, "role": draft.role, "riskLevel": draft.risk_level,
                "priority": draft.priority, "origin": draft.origin, "dependencies": edges, "warnings": draft.warnings,
            }));
        }
        let mut payload = told.clone();
        if let Some(fields) = payload.as_object_mut() {
            fields.insert("planId".to_owned(), json!(plan.id));
            fields.insert("signature".to_owned(), json!(plan.signature));
            fields.insert("taskIds".to_owned(), json!(ids));
            fields.insert("tasks".to_owned(), json!(tasks));
        }
        transaction.execute(
            "UPDATE plans SET state = 'created', ended_at = ?2 WHERE id = ?1 AND state = 'running'",
            params![plan.id, now],
        )?;
        let news = News {
            kind: "planner.plan_created",
            repo: Some(&plan.repo),
            entity: Some(&plan.id),
            agent: Some(&plan.agent),
            payload: &payload,
            now,
        };
        record(&transaction, &news)?;
        transaction.commit()?;
        Ok(Saved { tasks: ids })
    }

    /// The same plan, if it was saved within the window.
    pub fn recent_plan(&self, signature: &str, window: i64, now: i64) -> Result<Option<Skip>, Error> {
        recent(&self.connection, signature, window, now)
    }

    /// Whether somebody has begun a plan and not ended it.
    pub fn is_running(&self, repo: &str, signature: &str) -> Result<bool, Error> {
        let count: i64 = self.connection.query_row(
            "SELECT count(*) FROM plans WHERE repo = ?1 AND signature = ?2 AND state = 'running'",
            [repo, signature],
            |row| row.get(0),
        )?;
        Ok(0 < count)
    }

    /// Tells that a plan was given up, and why. Tasks stay as they are.
    pub fn fail_plan(&mut self, plan: &PlanRow, reason: &str, told: &Value, now: i64) -> Result<(), Error> {
        let transaction = self.writing()?;
        fail(&transaction, &plan.id, &plan.repo, &plan.agent, reason, told, now)?;
        transaction.commit()?;
        Ok(())
    }
}

fn raise_fence(transaction: &Transaction<'_>, repo: &str, fence: u64) -> Result<(), Error> {
    let latest: Option<i64> = transaction
        .query_row("SELECT fence FROM repos WHERE repo = ?1", [repo], |row| row.get(0))
        .optional()?;
    if latest.is_some_and(|latest| (fence as i64) < latest) {
        return Err(Error::Fenced { repo: repo.to_owned() });
    }
    transaction.execute(
        "INSERT INTO repos (repo, fence) VALUES (?1, ?2) ON CONFLICT (repo) DO UPDATE SET fence = excluded.fence",
        params![repo, fence as i64],
    )?;
    Ok(())
}

fn check_fence(transaction: &Transaction<'_>, plan: &PlanRow) -> Result<(), Error> {
    let latest: Option<i64> = transaction
        .query_row("SELECT fence FROM repos WHERE repo = ?1", [&plan.repo], |row| row.get(0))
        .optional()?;
    let state: Option<String> = transaction
        .query_row("SELECT state FROM plans WHERE id = ?1", [&plan.id], |row| row.get(0))
        .optional()?;
    if latest == Some(plan.fence as i64) && state.as_deref() == Some(PlanState::Running.word()) {
        Ok(())
    } else {
        Err(Error::Fenced { repo: plan.repo.clone() })
    }
}

fn fail(
    transaction: &Transaction<'_>,
    id: &str,
    repo: &str,
    agent: &str,
    reason: &str,
    told: &Value,
    now: i64,
) -> Result<(), Error> {
    let changed = transaction.execute(
        "UPDATE plans SET state = 'failed', ended_at = ?2, reason = ?3 WHERE id = ?1 AND state = 'running'",
        params![id, now, reason],
    )?;
    if changed == 0 {
        return Ok(());
    }
    let mut payload = if told.is_object() { told.clone() } else { json!({}) };
    if let Some(fields) = payload.as_object_mut() {
        fields.insert("reason".to_owned(), json!(reason));
    }
    let kind = "planner.plan_failed";
    record(
        transaction,
        &News { kind, repo: Some(repo), entity: Some(id), agent: Some(agent), payload: &payload, now },
    )
}
