//! What happened, in order.

use rusqlite::{Connection, params};
use serde::Serialize;
use serde_json::Value;

use super::rows::json;
use super::{Backlog, Error, moment};
use crate::tasks::glob::{is_pattern, plain};
use crate::tasks::recovery::Hint;
use crate::tasks::task::{Role, TaskId};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Its number; later ones are greater.
    pub seq: i64,
    /// What happened, such as `planner.plan_created`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The repository.
    pub repo: Option<String>,
    /// The task, plan or job that it is about.
    pub entity: Option<String>,
    /// Who did it.
    pub agent: Option<String>,
    /// What is known about it.
    pub payload: Value,
    /// When.
    pub at: String,
}

/// Which events are wanted.
#[derive(Debug, Clone, Default)]
pub struct EventFilter<'a> {
    /// Whose type begins with this.
    pub kind: Option<&'a str>,
    /// About this task, plan or job.
    pub entity: Option<&'a str>,
    /// Of this repository.
    pub repo: Option<&'a str>,
    /// Not more than this, the newest.
    pub most: u32,
}

/// Something that is to be told.
pub(super) struct News<'a> {
    pub(super) kind: &'a str,
    pub(super) repo: Option<&'a str>,
    pub(super) entity: Option<&'a str>,
    pub(super) agent: Option<&'a str>,
    pub(super) payload: &'a Value,
    pub(super) now: i64,
}

pub(super) fn record(connection: &Connection, news: &News<'_>) -> Result<(), Error> {
    connection.execute(
        "INSERT INTO events (type, repo, entity, agent, payload, created_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![news.kind, news.repo, news.entity, news.agent, json(news.payload)?, news.now],
    )?;
    Ok(())
}

impl Backlog {
    /// The newest events, the oldest of them first.
    pub fn events(&self, filter: &EventFilter<'_>) -> Result<Vec<Event>, Error> {
        let mut statement = self.connection.prepare(
            "SELECT seq, type, repo, entity, agent, payload, created_at FROM events
             WHERE (?1 IS NULL OR substr(type, 1, length(?1)) = ?1)
               AND (?2 IS NULL OR entity = ?2) AND (?3 IS NULL OR repo = ?3)
             ORDER BY seq DESC LIMIT ?4",
        )?;
        let rows =
            statement.query_map(params![filter.kind, filter.entity, filter.repo, filter.most], |row| {
                let payload: String = row.get(5)?;
                Ok(Event {
                    seq: row.get(0)?,
                    kind: row.get(1)?,
                    repo: row.get(2)?,
                    entity: row.get(3)?,
                    agent: row.get(4)?,
                    payload: serde_json::from_str(&payload).unwrap_or(Value::Null),
                    at: moment(row.get(6)?),
                })
            })?;
        let mut events = rows.collect::<Result<Vec<_>, _>>()?;
        events.reverse();
        Ok(events)
    }

    /// Tells something that changes no task.
    pub fn tell(
        &mut self,
        kind: &str,
        repo: Option<&str>,
        entity: Option<&str>,
        payload: &Value,
        now: i64,
    ) -> Result<(), Error> {
        let transaction = self.writing()?;
        record(&transaction, &News { kind, repo, entity, agent: None, payload, now })?;
        Ok(transaction.commit()?)
    }

    /// What the judge said last, newest first, in a line each.
    pub fn judge_feedback(&self, repo: &str, most: u32) -> Result<Vec<String>, Error> {
        let events =
            self.events(&EventFilter { kind: Some("judge.review"), repo: Some(repo), most, entity: None })?;
        let line = |event: &Event| {
            let text =
                |name: &str| event.payload.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
            let reasons =
                event.payload.get("reasons").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            let reasons: Vec<String> =
                reasons.iter().filter_map(Value::as_str).take(3).map(|reason| clipped(reason, 200)).collect();
            format!("{} `{}`: {}", text("verdict"), text("taskTitle"), reasons.join("; "))
        };
        Ok(events.iter().rev().map(line).collect())
    }

    /// Paths that earlier tasks turned out to need, most frequent first.
    pub fn hints(&self, repo: &str) -> Result<Vec<Hint>, Error> {
        let filter = EventFilter {
            kind: Some("task.policy_recovery_applied"),
            repo: Some(repo),
            most: 60,
            entity: None,
        };
        let mut hints: Vec<Hint> = Vec::new();
        // The oldest come first, so that what the latest was about is what stays.
        for event in self.events(&filter)? {
            let Some(task) =
                event.entity.and_then(|id| super::rows::task(&self.connection, &TaskId(id)).ok().flatten())
            else {
                continue;
            };
            if task.role == Role::Docser {
                continue;
            }
            let source = format!("{} {} {}", task.title, task.goal, task.commands.join(" ")).to_lowercase();
            let added =
                event.payload.get("addedAllowedPaths").and_then(Value::as_array).cloned().unwrap_or_default();
            for path in added.iter().filter_map(Value::as_str).take(20) {
                let Ok(path) = plain(path) else { continue };
                if is_pattern(&path) || 200 < path.len() {
                    continue;
                }
                match hints.iter_mut().find(|hint| hint.path == path && hint.role == task.role) {
                    Some(hint) => {
                        hint.count += 1;
                        hint.source.clone_from(&source);
                    }
                    None => hints.push(Hint { path, role: task.role, count: 1, source: source.clone() }),
                }
            }
        }
        hints.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.path.cmp(&b.path)));
        hints.truncate(50);
        Ok(hints)
    }
}

/// The beginning of a text.
pub(crate) fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}
