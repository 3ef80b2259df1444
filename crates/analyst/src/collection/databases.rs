//! Databases and their dumps: which tables with how many rows, whose data, and whether they are whole.

use std::collections::BTreeMap;
use std::io::Read as _;

use luminos_core::fact::{Fact, Holding};
use luminos_core::job::ListedFile;
use luminos_core::proof::Evidence;
use luminos_tools::structure::{self, DatabaseTable, Outline};

use super::{Look, kept, lacks, trifle, warns, words};
use crate::eyes::Peek;
use crate::words::{code, count, some_of};

/// So many tables are told.
const TABLES: usize = 6;
/// So many are told with so many of their columns.
const DESCRIBED: usize = 2;
const COLUMNS: usize = 8;
/// No more is unpacked of one dump.
const MOST_UNPACKED: u64 = 32 << 20;

/// Databases that programs keep for themselves, by tables that only they have.
const KNOWN: &[(&str, &str)] = &[
    ("moz_places", "history and bookmarks of Firefox"),
    ("moz_cookies", "cookies of Firefox"),
    ("moz_logins", "logins of Firefox"),
    ("visits", "history of Chrome"),
    ("gpkg_contents", "a GeoPackage of maps"),
    ("chat_message_join", "messages of an iPhone"),
    ("jid_map", "messages of WhatsApp"),
    ("ZWAMESSAGE", "messages of WhatsApp"),
    ("books_authors_link", "a library of Calibre"),
    ("revlog", "flash cards of Anki"),
    ("wp_posts", "a site of WordPress"),
    ("oc_filecache", "a Nextcloud"),
    ("AgLibraryFile", "a catalogue of Lightroom"),
];

/// Words in names of columns that are about people.
const PERSONAL: &[&str] = &[
    "email",
    "e_mail",
    "phone",
    "iban",
    "password",
    "passwd",
    "user_pass",
    "birth",
    "ssn",
    "address",
    "salary",
];

pub(super) fn look(files: &[&ListedFile], peek: Look<'_>) -> Vec<Fact> {
    let mut told = Vec::new();
    for file in files {
        let Some(head) = peek(file) else { continue };
        let outline = structure::outline(head.name.as_bytes(), &head.bytes, &structure::Limits::default());
        if let Some(words) = cut_off(&head.bytes, file.size) {
            told.push(warns(&head.word, words, vec![head.cite_head()]));
        }
        if let Ok(Outline::Database(database)) = outline {
            told.extend(tables_of(&head, &database.tables));
        }
    }
    told
}

/// Whether a database has fewer bytes than its head says.
fn cut_off(bytes: &[u8], size: u64) -> Option<String> {
    if !bytes.starts_with(b"SQLite format 3\0") {
        return None;
    }
    let page = u64::from(u16::from_be_bytes(bytes.get(16..18)?.try_into().ok()?));
    let page = if page == 1 { 65_536 } else { page };
    let pages = u64::from(u32::from_be_bytes(bytes.get(28..32)?.try_into().ok()?));
    // The number of pages counts only where it was written together with the rest.
    let is_current = bytes.get(24..28)? == bytes.get(92..96)?;
    (is_current && size < page * pages).then(|| "it has fewer pages than its head says: cut off".to_owned())
}

fn tables_of(head: &Peek, tables: &[DatabaseTable]) -> Vec<Fact> {
    let is_inner = |table: &&&DatabaseTable| {
        ["sqlite_", "gpkg_", "rtree_"].iter().any(|mark| table.name.starts_with(mark))
    };
    let all: Vec<&DatabaseTable> = tables.iter().filter(|table| !table.is_view).collect();
    let own: Vec<&DatabaseTable> = all.iter().filter(|table| !is_inner(table)).copied().collect();
    let cite = |table: &DatabaseTable| {
        let plain = format!("CREATE TABLE {}", table.name);
        head.cite(&plain).or_else(|| head.cite(&format!("CREATE TABLE \"{}\"", table.name)))
    };
    let mut by_rows = own.clone();
    by_rows.sort_by_key(|table| std::cmp::Reverse(table.rows));
    let names: Vec<String> = by_rows
        .iter()
        .map(|table| match table.rows {
            Some(rows) => format!("{} ({})", code(&table.name), count(rows, "row")),
            None => code(&table.name),
        })
        .collect();
    let mut evidence: Vec<Evidence> = by_rows.iter().filter_map(|table| cite(table)).take(4).collect();
    if evidence.is_empty() {
        evidence.push(head.cite_head());
    }
    let known = KNOWN.iter().find(|(name, _)| all.iter().any(|table| table.name == *name));
    let mut details: Vec<String> = known.map(|(_, what)| (*what).to_owned()).into_iter().collect();
    details.push(some_of(&names, TABLES));
    // What the largest tables are about is told by their columns.
    for table in
        by_rows.iter().filter(|table| table.rows != Some(0) && 1 < table.columns.len()).take(DESCRIBED)
    {
        let columns = table.columns.iter().map(|column| column.split_whitespace().next().unwrap_or(column));
        let columns: Vec<String> =
            columns.map(|name| code(name.trim_matches(['"', '`', '[', ']']))).collect();
        details.push(format!("{} has {}", code(&table.name), some_of(&columns, COLUMNS)));
    }
    let keeps = Holding {
        count: own.len() as u64,
        noun: "database table".to_owned(),
        period: None,
        details: words(details),
    };
    let mut told = vec![kept(&head.word, keeps, evidence)];
    let empty: Vec<&&DatabaseTable> = own.iter().filter(|table| table.rows == Some(0)).collect();
    if let Some(first) = empty.first() {
        let names: Vec<String> = empty.iter().map(|table| code(&table.name)).collect();
        let words = if names.len() == 1 {
            format!("its table {} has no rows", names.concat())
        } else {
            format!("its tables {} have no rows", some_of(&names, 4))
        };
        told.push(trifle(&head.word, words, vec![cite(first).unwrap_or_else(|| head.cite_head())]));
    }
    let columns = own.iter().filter(|table| table.rows != Some(0)).flat_map(|table| {
        table.columns.iter().map(move |column| (*table, column.split_whitespace().next().unwrap_or(column)))
    });
    told.extend(about_people(head, columns.map(|(table, column)| (table.name.as_str(), column)).collect()));
    told
}

fn about_people(head: &Peek, columns: Vec<(&str, &str)>) -> Option<Fact> {
    let is_personal = |(_, column): &&(&str, &str)| {
        let lower = column.to_lowercase();
        PERSONAL.iter().any(|word| lower.contains(word))
    };
    let found: Vec<String> = columns
        .iter()
        .filter(is_personal)
        .map(|(table, column)| code(&format!("{table}.{}", column.trim_matches(['"', '`', '[', ']']))))
        .collect();
    let words =
        format!("{} {} about people", some_of(&found, 4), if found.len() == 1 { "is" } else { "are" });
    (!found.is_empty()).then(|| lacks(&head.word, words, vec![head.cite_head()]))
}

/// Whether a file is a dump that was packed.
pub(super) fn is_packed_dump(name: &str) -> bool {
    name.ends_with(".sql.gz")
}

/// Dumps of databases as SQL.
pub(super) fn dumps(files: &[&ListedFile], peek: Look<'_>) -> Vec<Fact> {
    let mut told = Vec::new();
    for file in files {
        let Some(head) = peek(file) else { continue };
        let is_whole = head.bytes.len() as u64 == file.size;
        let text = match text_of(&head) {
            Some(text) => text,
            None => {
                let words = "it does not unpack to its end: cut off or damaged".to_owned();
                told.push(warns(&head.word, words, vec![head.cite_head()]));
                continue;
            }
        };
        let mut columns: Vec<(String, String)> = Vec::new();
        let mut defining: Option<String> = None;
        let mut made: Option<String> = None;
        let mut tables: BTreeMap<String, u64> = BTreeMap::new();
        let mut evidence = Vec::new();
        let mut copying: Option<String> = None;
        for line in text.lines() {
            if let Some(name) = &copying {
                if line == "\\." {
                    copying = None;
                } else {
                    *tables.entry(name.clone()).or_default() += 1;
                }
                continue;
            }
            let upper = line.get(..line.floor_char_boundary(40)).unwrap_or_default().to_ascii_uppercase();
            let name = |skip: usize| {
                let rest = line
                    .split_whitespace()
                    .skip(skip)
                    .find(|word| !["IF", "NOT", "EXISTS"].contains(word))?;
                Some(rest.trim_matches(['`', '"', '(', ';']).trim_start_matches("public.").to_owned())
            };
            if let Some(table) = &defining {
                if line.starts_with(')') {
                    defining = None;
                } else if let Some(column) = line.split_whitespace().next().filter(|_| line.starts_with(' '))
                {
                    columns.push((table.clone(), column.trim_matches(['`', '"', ',']).to_owned()));
                }
                continue;
            }
            if let Some(day) = line.strip_prefix("-- Dump completed on ") {
                made = day.get(..10).map(str::to_owned);
            }
            if upper.starts_with("CREATE TABLE ") {
                if let Some(name) = name(2) {
                    defining = (!line.trim_end().ends_with(';')).then(|| name.clone());
                    tables.entry(name).or_default();
                    if evidence.len() < 4 {
                        evidence.extend(head.cite(line));
                    }
                }
            } else if upper.starts_with("INSERT INTO ") {
                let rows = line.matches("),(").count() as u64 + 1;
                if let Some(name) = name(2) {
                    *tables.entry(name).or_default() += rows;
                }
            } else if upper.starts_with("COPY ") && line.ends_with("FROM stdin;") {
                copying = name(1);
            }
        }
        if tables.is_empty() {
            continue;
        }
        // A schema has no rows to tell of.
        let is_schema = tables.values().all(|rows| *rows == 0);
        let named = |(name, rows): (&String, &u64)| {
            if is_schema { code(name) } else { format!("{} ({})", code(name), count(*rows, "row")) }
        };
        let names: Vec<String> = tables.iter().map(named).collect();
        let known =
            KNOWN.iter().find(|(name, _)| tables.contains_key(*name)).map(|(_, what)| (*what).to_owned());
        let last = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let is_ended =
            last.ends_with(';') || last.starts_with("--") || last == "\\." || last.starts_with('\\');
        if is_whole && (copying.is_some() || !is_ended) {
            let words = "it ends in the middle of a statement: cut off".to_owned();
            told.push(warns(&head.word, words, vec![head.cite_head()]));
        }
        let keeps = Holding {
            count: tables.len() as u64,
            noun: if is_schema { "table definition" } else { "dumped table" }.to_owned(),
            period: None,
            details: words(
                [made.map(|day| format!("made on {day}")), known, Some(some_of(&names, TABLES))]
                    .into_iter()
                    .flatten(),
            ),
        };
        if evidence.is_empty() {
            evidence.push(head.cite_head());
        }
        told.push(kept(&head.word, keeps, evidence));
        let pairs = columns.iter().map(|(table, column)| (table.as_str(), column.as_str())).collect();
        told.extend(about_people(&head, pairs).filter(|_| !is_schema));
    }
    told
}

/// The text of a dump, unpacked where it is packed; `None` where that fails.
fn text_of(head: &Peek) -> Option<String> {
    if !head.bytes.starts_with(b"\x1f\x8b") {
        return Some(String::from_utf8_lossy(&head.bytes).into_owned());
    }
    let mut out = Vec::new();
    flate2::read::MultiGzDecoder::new(&head.bytes[..]).take(MOST_UNPACKED).read_to_end(&mut out).ok()?;
    Some(String::from_utf8_lossy(&out).into_owned())
}
