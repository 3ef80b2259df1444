//! Rows become tasks, and tasks rows.

use std::collections::BTreeMap;

use rusqlite::{Connection, OptionalExtension as _, Row, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Error, TaskFilter};
use crate::tasks::task::{Draft, Edge, Status, Task, TaskId};

/// A value as it is kept in a column.
pub(super) fn json(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::Content(error.to_string()))
}

/// A word of a column as a value.
pub(super) fn word<T: std::str::FromStr>(text: &str) -> rusqlite::Result<T>
where
    T::Err: std::fmt::Display,
{
    text.parse().map_err(|error: T::Err| rusqlite::Error::ToSqlConversionFailure(error.to_string().into()))
}

fn read<T: DeserializeOwned>(row: &Row<'_>, column: &str) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

fn task_of(row: &Row<'_>) -> rusqlite::Result<Task> {
    let text = |column: &str| row.get::<_, String>(column);
    Ok(Task {
        id: TaskId(text("id")?),
        repo: text("repo")?,
        plan_id: row.get("plan_id")?,
        title: text("title")?,
        goal: text("goal")?,
        context: read(row, "context")?,
        allowed_paths: read(row, "allowed_paths")?,
        implied_paths: read(row, "implied_paths")?,
        commands: read(row, "commands")?,
        priority: row.get("priority")?,
        risk_level: word(&text("risk_level")?)?,
        role: word(&text("role")?)?,
        lane: word(&text("lane")?)?,
        kind: word(&text("kind")?)?,
        status: word(&text("status")?)?,
        block_reason: row.get("block_reason")?,
        target_area: row.get("target_area")?,
        touches: read(row, "touches")?,
        dependencies: Vec::new(),
        timebox_minutes: row.get("timebox_minutes")?,
        retry_count: row.get("retry_count")?,
        origin: word(&text("origin")?)?,
        position: row.get("position")?,
        created_at: row.get("created_at")?,
        updated_at: row.get("updated_at")?,
    })
}

fn edge_of(row: &Row<'_>) -> rusqlite::Result<(String, Edge)> {
    let needs: String = row.get(2)?;
    Ok((row.get(0)?, Edge { task: TaskId(row.get(1)?), needs: word(&needs)? }))
}

pub(super) fn task(connection: &Connection, id: &TaskId) -> Result<Option<Task>, Error> {
    let found = connection.query_row("SELECT * FROM tasks WHERE id = ?1", [&id.0], task_of).optional()?;
    let Some(mut task) = found else { return Ok(None) };
    let mut edges = connection.prepare("SELECT task, needs_task, needs FROM edges WHERE task = ?1")?;
    let edges = edges.query_map([&id.0], edge_of)?.collect::<Result<Vec<_>, _>>()?;
    task.dependencies = edges.into_iter().map(|(_, edge)| edge).collect();
    Ok(Some(task))
}

pub(super) fn tasks(connection: &Connection, filter: &TaskFilter<'_>) -> Result<Vec<Task>, Error> {
    // A rowid grows with every insertion; names of one millisecond do not.
    let mut statement = connection
        .prepare("SELECT * FROM tasks WHERE ?1 IS NULL OR repo = ?1 ORDER BY created_at, position, id")?;
    let all = statement.query_map([filter.repo], task_of)?.collect::<Result<Vec<_>, _>>()?;
    let is_wanted = |status: Status| filter.statuses.is_empty() || filter.statuses.contains(&status);
    let mut tasks: Vec<Task> = all.into_iter().filter(|task| is_wanted(task.status)).collect();
    let places: BTreeMap<String, usize> =
        tasks.iter().enumerate().map(|(at, task)| (task.id.0.clone(), at)).collect();
    let mut edges = connection.prepare("SELECT task, needs_task, needs FROM edges")?;
    for edge in edges.query_map([], edge_of)? {
        let (from, edge) = edge?;
        if let Some(task) = places.get(&from).and_then(|at| tasks.get_mut(*at)) {
            task.dependencies.push(edge);
        }
    }
    Ok(tasks)
}

/// The state that a new task begins in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Beginning<'a> {
    pub(super) repo: &'a str,
    pub(super) plan: Option<&'a str>,
    pub(super) status: Status,
    pub(super) block_reason: Option<&'a str>,
    pub(super) now: i64,
}

pub(super) fn insert(
    connection: &Connection,
    id: &TaskId,
    draft: &Draft,
    position: usize,
    beginning: Beginning<'_>,
) -> Result<(), Error> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO tasks (id, repo, plan_id, position, title, goal, context, allowed_paths, implied_paths, commands,
           touches, priority, risk_level, role, lane, kind, origin, status, block_reason, target_area, timebox_minutes,
           created_at, updated_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?22)",
    )?;
    statement.execute(params![
        id.0,
        beginning.repo,
        beginning.plan,
        i64::try_from(position).unwrap_or(i64::MAX),
        draft.title,
        draft.goal,
        json(&draft.context)?,
        json(&draft.allowed_paths)?,
        json(&draft.implied_paths)?,
        json(&draft.commands)?,
        json(&draft.touches)?,
        draft.priority,
        draft.risk_level.word(),
        draft.role.word(),
        draft.lane.word(),
        draft.kind.word(),
        draft.origin.word(),
        beginning.status.word(),
        beginning.block_reason,
        draft.target_area,
        draft.timebox_minutes.max(1),
        beginning.now,
    ])?;
    Ok(())
}

pub(super) fn insert_edge(connection: &Connection, from: &TaskId, edge: &Edge) -> Result<(), Error> {
    let mut statement = connection
        .prepare_cached("INSERT OR IGNORE INTO edges (task, needs_task, needs) VALUES (?1, ?2, ?3)")?;
    statement.execute(params![from.0, edge.task.0, edge.needs.word()])?;
    Ok(())
}
