//! SQLite databases: tables, columns, row counts.
//!
//! A reader of its own, safe and small: the schema is one b-tree, counting rows is walking the others. No page is
//! visited twice for one count, so a file whose pages point at one another in circles ends like any other. What the rows say is
//! not looked at.

mod page;
mod schema;

use serde::{Deserialize, Serialize};

use super::NotParsed;
use page::Pages;

/// What a database begins with.
pub(super) const MAGIC: &[u8] = b"SQLite format 3\0";

/// Most tables that are described.
const MOST_TABLES: usize = 1_000;

/// A database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Database {
    /// Its tables and views.
    pub tables: Vec<DatabaseTable>,
    /// How many indices it has.
    pub indices: u32,
    /// How many triggers it has.
    pub triggers: u32,
    /// How many tables were left out.
    pub left_out: u32,
}

/// A table or view of a database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatabaseTable {
    /// Its name.
    pub name: String,
    /// Whether it is a view.
    pub is_view: bool,
    /// Its columns, each with the type that is written for it.
    pub columns: Vec<String>,
    /// How many rows it has, where they can be counted.
    pub rows: Option<u64>,
}

/// Reads a database.
pub(super) fn outline(bytes: &[u8]) -> Result<Database, NotParsed> {
    let malformed =
        || NotParsed::Malformed { what: "a SQLite database whose schema cannot be read".to_owned(), line: 0 };
    let pages = Pages::new(bytes).ok_or_else(malformed)?;
    let mut database = Database { tables: Vec::new(), indices: 0, triggers: 0, left_out: 0 };
    for entry in pages.schema().ok_or_else(malformed)? {
        match entry.kind.as_str() {
            "index" => database.indices += 1,
            "trigger" => database.triggers += 1,
            "table" | "view" if entry.name.starts_with("sqlite_") => {}
            "table" | "view" if database.tables.len() < MOST_TABLES => {
                let rows = if entry.root == 0 { None } else { pages.count(entry.root) };
                database.tables.push(DatabaseTable {
                    is_view: entry.kind == "view",
                    columns: schema::columns(&entry.sql),
                    name: entry.name,
                    rows,
                });
            }
            "table" | "view" => database.left_out += 1,
            _ => {}
        }
    }
    Ok(database)
}
