//! The seal of a backlog: a short digest of what its tasks, plans and events say, in the file's header (SQLite's
//! `application_id`). Each change renews it in its own transaction. SQLite notices pages that do not fit together; a text
//! that was altered in its place only the seal notices.

use std::ops::Deref;

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Transaction};
use sha2::{Digest as _, Sha256};

/// What is sealed. Leases come and go with the clock, and research can be made again.
const SEALED: [&str; 5] = [
    "SELECT * FROM plans ORDER BY id",
    "SELECT * FROM tasks ORDER BY id",
    "SELECT * FROM edges ORDER BY task, needs_task",
    "SELECT * FROM runs ORDER BY id",
    "SELECT * FROM events ORDER BY seq",
];

/// A transaction that writes. Its end renews the seal.
pub(super) struct Writing<'a>(pub(super) Transaction<'a>);

impl<'a> Deref for Writing<'a> {
    type Target = Transaction<'a>;

    fn deref(&self) -> &Transaction<'a> {
        &self.0
    }
}

impl Writing<'_> {
    /// Seals what was written, and makes it last.
    pub(super) fn commit(self) -> Result<(), rusqlite::Error> {
        self.0.pragma_update(None, "application_id", digest(&self.0)?)?;
        self.0.commit()
    }
}

/// Whether a backlog says what it said when it was sealed; true for one that no program has sealed.
pub(super) fn holds(connection: &Connection) -> Result<bool, rusqlite::Error> {
    let sealed: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    Ok(sealed == 0 || sealed == digest(connection)?)
}

/// The digest; never 0, which says that there is none.
fn digest(connection: &Connection) -> Result<i32, rusqlite::Error> {
    let mut hash = Sha256::new();
    let mut part = |kind: u8, bytes: &[u8]| {
        hash.update([kind]);
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    for query in SEALED {
        part(0, query.as_bytes());
        let mut statement = connection.prepare_cached(query)?;
        let columns = statement.column_count();
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            for column in 0..columns {
                match row.get_ref(column)? {
                    ValueRef::Null => part(1, &[]),
                    ValueRef::Integer(value) => part(2, &value.to_le_bytes()),
                    ValueRef::Real(value) => part(3, &value.to_le_bytes()),
                    ValueRef::Text(text) => part(4, text),
                    ValueRef::Blob(bytes) => part(5, bytes),
                }
            }
        }
    }
    let digest: [u8; 32] = hash.finalize().into();
    Ok(i32::from_le_bytes([digest[0], digest[1], digest[2], digest[3]]) | 1)
}
