//! Whether a backlog is whole. Looks, and changes nothing.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::schema::{SCHEMA_VERSION, tables};
use super::{Backlog, PATIENCE, rows};

/// No more faults than this are told one by one.
const MOST: usize = 10;

impl Backlog {
    /// What is wrong with the backlog of a state directory, a sentence each. Nothing is wrong with one that is not there.
    pub fn check(home: &Path) -> Vec<String> {
        let path = Self::path_in(home);
        match std::fs::symlink_metadata(&path) {
            Ok(found) if found.len() == 0 => vec!["is empty: its tasks are lost".to_owned()],
            Ok(_) => check(&path).unwrap_or_else(|error| vec![format!("cannot be read: {error}")]),
            Err(_) => Vec::new(),
        }
    }
}

fn check(path: &Path) -> Result<Vec<String>, rusqlite::Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(PATIENCE)?;
    let version: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version == 0 {
        return Ok(vec!["holds no tables: its tasks are lost".to_owned()]);
    }
    if SCHEMA_VERSION < version {
        return Ok(vec![format!(
            "was written by a newer program: its format is {version}, this one reads up to {SCHEMA_VERSION}"
        )]);
    }
    let mut faults = Vec::new();
    let mut statement = connection.prepare("PRAGMA integrity_check(10)")?;
    let told = statement.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
    faults.extend(told.into_iter().filter(|line| line != "ok").map(|line| format!("is damaged: {line}")));
    let broken: i64 =
        connection.query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0))?;
    if 0 < broken {
        faults.push(format!("has {broken} rows that name others which are not there"));
    }
    for table in tables(version) {
        let is_there: bool = connection.query_row(
            "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1)",
            [table],
            |row| row.get(0),
        )?;
        if !is_there {
            faults.push(format!("has no table `{table}`"));
        }
    }
    if faults.is_empty() {
        content(&connection, &mut faults)?;
    }
    faults.truncate(MOST);
    Ok(faults)
}

/// Whether what the tables say can be understood, and is all that was told.
fn content(connection: &Connection, faults: &mut Vec<String>) -> Result<(), rusqlite::Error> {
    if let Err(error) = rows::tasks(connection, &super::TaskFilter::default()) {
        faults.push(error.to_string());
    }
    if !super::seal::holds(connection)? {
        faults.push("does not say what was written: a task, a plan or an event was altered".to_owned());
    }
    let count = |query: &str| connection.query_row(query, [], |row| row.get::<_, i64>(0));
    // Events are never removed, and each has the next number.
    let (events, last) = (
        count("SELECT count(*) FROM events")?,
        count("SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'events'")?,
    );
    if events < last {
        faults.push(format!("has {events} events of {last} that were written"));
    }
    let emptied = count(
        "SELECT count(*) FROM plans WHERE state = 'created' AND NOT EXISTS (SELECT 1 FROM tasks WHERE plan_id = plans.id)",
    )?;
    if 0 < emptied {
        faults.push(format!("has {emptied} plans whose tasks are gone"));
    }
    Ok(())
}
