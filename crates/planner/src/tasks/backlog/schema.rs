//! The tables, and how older files become newer ones.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use super::Error;

/// The format that this program writes.
pub const SCHEMA_VERSION: u32 = 2;

/// Each step brings a file from one format to the next. A step that was released is never changed.
pub(super) const STEPS: [&str; SCHEMA_VERSION as usize] = [
    "
    CREATE TABLE repos (
        repo TEXT PRIMARY KEY,
        fence INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE plans (
        id TEXT PRIMARY KEY,
        repo TEXT NOT NULL,
        signature TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('running', 'created', 'failed')),
        fence INTEGER NOT NULL,
        agent TEXT NOT NULL,
        started_at INTEGER NOT NULL,
        ended_at INTEGER,
        reason TEXT
    ) STRICT;
    CREATE INDEX plans_by_signature ON plans (signature, state, ended_at);
    CREATE TABLE tasks (
        id TEXT PRIMARY KEY,
        repo TEXT NOT NULL,
        plan_id TEXT REFERENCES plans (id),
        position INTEGER NOT NULL,
        title TEXT NOT NULL CHECK (title <> ''),
        goal TEXT NOT NULL CHECK (goal <> ''),
        context TEXT NOT NULL,
        allowed_paths TEXT NOT NULL,
        implied_paths TEXT NOT NULL,
        commands TEXT NOT NULL,
        touches TEXT NOT NULL,
        priority INTEGER NOT NULL,
        risk_level TEXT NOT NULL CHECK (risk_level IN ('low', 'medium', 'high')),
        role TEXT NOT NULL CHECK (role IN ('worker', 'tester', 'docser')),
        lane TEXT NOT NULL,
        kind TEXT NOT NULL,
        origin TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('queued', 'running', 'done', 'failed', 'blocked', 'cancelled')),
        block_reason TEXT,
        target_area TEXT,
        timebox_minutes INTEGER NOT NULL CHECK (timebox_minutes > 0),
        retry_count INTEGER NOT NULL DEFAULT 0,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX tasks_by_status ON tasks (repo, status);
    CREATE TABLE edges (
        task TEXT NOT NULL REFERENCES tasks (id),
        needs_task TEXT NOT NULL REFERENCES tasks (id),
        needs TEXT NOT NULL CHECK (needs IN ('done', 'settled')),
        PRIMARY KEY (task, needs_task)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE leases (
        task TEXT PRIMARY KEY REFERENCES tasks (id),
        agent TEXT NOT NULL,
        expires_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE runs (
        id TEXT PRIMARY KEY,
        task TEXT NOT NULL REFERENCES tasks (id),
        agent TEXT NOT NULL,
        status TEXT NOT NULL CHECK (status IN ('running', 'success', 'failed', 'cancelled')),
        started_at INTEGER NOT NULL,
        finished_at INTEGER,
        error TEXT,
        judged_at INTEGER,
        judgement_version INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    CREATE INDEX runs_by_task ON runs (task, started_at);
    CREATE TABLE events (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        type TEXT NOT NULL,
        repo TEXT,
        entity TEXT,
        agent TEXT,
        payload TEXT NOT NULL,
        created_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX events_by_type ON events (type, seq);
    ",
    "
    CREATE TABLE research_jobs (
        id TEXT PRIMARY KEY,
        repo TEXT NOT NULL,
        query TEXT NOT NULL CHECK (query <> ''),
        profile TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'blocked', 'done', 'failed', 'cancelled')),
        notes TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE research_claims (
        id TEXT PRIMARY KEY,
        job TEXT NOT NULL REFERENCES research_jobs (id),
        position INTEGER NOT NULL,
        text TEXT NOT NULL,
        stance TEXT NOT NULL DEFAULT 'provisional',
        confidence INTEGER NOT NULL,
        priority INTEGER NOT NULL,
        risk TEXT NOT NULL,
        task TEXT REFERENCES tasks (id)
    ) STRICT;
    CREATE TABLE research_evidence (
        id TEXT PRIMARY KEY,
        job TEXT NOT NULL REFERENCES research_jobs (id),
        claim TEXT NOT NULL REFERENCES research_claims (id),
        path TEXT NOT NULL,
        first_line INTEGER NOT NULL,
        last_line INTEGER NOT NULL,
        quote TEXT NOT NULL,
        stance TEXT NOT NULL,
        verified INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE research_reports (
        id TEXT PRIMARY KEY,
        job TEXT NOT NULL REFERENCES research_jobs (id),
        summary TEXT NOT NULL,
        body TEXT NOT NULL,
        confidence INTEGER NOT NULL,
        created_at INTEGER NOT NULL
    ) STRICT;
    ",
];

/// The tables that a file of some format has.
pub(super) fn tables(version: u32) -> impl Iterator<Item = &'static str> {
    let steps = STEPS.iter().take(version as usize);
    steps.flat_map(|step| step.split("CREATE TABLE ").skip(1)).filter_map(|made| made.split_whitespace().next())
}

/// Brings a file to the newest format, one step after the other, each as a whole.
pub(super) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), Error> {
    // Two processes may come at once: the version is read again under the lock.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found: u32 = transaction.query_row("PRAGMA user_version", [], |row| row.get(0))?;
    if SCHEMA_VERSION < found {
        return Err(Error::Newer { path: path.to_owned(), found });
    }
    for step in STEPS.iter().skip(found as usize) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", SCHEMA_VERSION)?;
    transaction.commit()?;
    Ok(())
}
