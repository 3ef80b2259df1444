//! Databases, dumps, archives and documents, each by its own list of contents; and what lies among them that does not fit.

use std::collections::BTreeMap;
use std::io::Read as _;

use luminos_core::ByteSize;
use luminos_core::job::ListedFile;
use luminos_tools::structure::{self, Outline};

use super::documents::kinds_of;
use super::{Keeps, Kind, Look, Told, days, lacks, most, series, sound};
use crate::offline::words::{code, count, number, some_of};

/// Larger archives are not unpacked to see whether they can be.
const MOST_UNPACKED: usize = 8 << 20;

pub(super) fn databases(files: &[&ListedFile], peek: Look<'_>) -> Vec<Told> {
    let mut told = Vec::new();
    for file in files {
        let Some(head) = peek(file) else { continue };
        let Ok(Outline::Database(database)) =
            structure::outline(head.name.as_bytes(), &head.bytes, &structure::Limits::default())
        else {
            continue;
        };
        let tables: Vec<_> = database.tables.iter().filter(|table| !table.is_view).collect();
        let names: Vec<String> = tables
            .iter()
            .map(|table| match table.rows {
                Some(rows) => format!("{} ({})", code(&table.name), count(rows, "row")),
                None => code(&table.name),
            })
            .collect();
        let cited =
            tables.iter().filter_map(|table| head.cite(&format!("CREATE TABLE {}", table.name))).take(4);
        let mut evidence: Vec<_> = cited.collect();
        if evidence.is_empty() {
            evidence.push(head.cite_head());
        }
        let keeps = Keeps {
            path: head.word.clone(),
            count: tables.len() as u64,
            noun: "database table".to_owned(),
            period: None,
            details: some_of(&names, 6),
        };
        told.push(Told { text: keeps.sentence(), evidence });
        for table in tables.iter().filter(|table| table.rows == Some(0)).take(3) {
            let evidence =
                vec![head.cite(&format!("CREATE TABLE {}", table.name)).unwrap_or_else(|| head.cite_head())];
            told.push(lacks(&head.word, format!("its table {} has no rows", code(&table.name)), evidence));
        }
    }
    told
}

/// Dumps of databases as SQL.
pub(super) fn dumps(files: &[&ListedFile], peek: Look<'_>) -> Vec<Told> {
    let mut told = Vec::new();
    for file in files {
        let Some(head) = peek(file) else { continue };
        let text = String::from_utf8_lossy(&head.bytes);
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
            if upper.starts_with("CREATE TABLE ") {
                if let Some(name) = name(2) {
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
        let keeps = Keeps {
            path: head.word.clone(),
            count: tables.len() as u64,
            noun: if is_schema { "table definition" } else { "dumped table" }.to_owned(),
            period: None,
            details: some_of(&names, 6),
        };
        if evidence.is_empty() {
            evidence.push(head.cite_head());
        }
        told.push(Told { text: keeps.sentence(), evidence });
    }
    told
}

pub(super) fn archives(dir: &str, files: &[&ListedFile], peek: Look<'_>) -> Vec<Told> {
    let mut told = Vec::new();
    let mut whole: Vec<series::Member> = Vec::new();
    for file in files {
        let Some(head) = peek(file) else { continue };
        let Ok(Outline::Archive(archive)) =
            structure::outline(head.name.as_bytes(), &head.bytes, &structure::Limits::default())
        else {
            if let Some(words) = not_an_archive(&head.name, &head.bytes) {
                told.push(lacks(&head.word, words, vec![head.cite_head()]));
            }
            continue;
        };
        let members: Vec<_> = archive.entries.iter().filter(|entry| !entry.is_directory).collect();
        let mut tops: BTreeMap<String, u64> = BTreeMap::new();
        for member in &members {
            let name = member.name.trim_start_matches("./");
            // A packed single file has no name of its own: it is called like the archive.
            let inner = head.name.rsplit_once('.').map_or(head.name.as_str(), |(stem, _)| stem);
            let name = if name == "(no name)" || name.is_empty() { inner } else { name };
            let top = name.split_once('/').map_or_else(|| code(name), |(top, _)| code(&format!("{top}/")));
            *tops.entry(top).or_default() += 1;
        }
        let cited = members.iter().filter_map(|member| head.cite(&member.name)).take(3);
        let mut evidence: Vec<_> = cited.collect();
        if evidence.is_empty() {
            evidence.push(head.cite_head());
        }
        if let Some(words) = cut_off(&head) {
            told.push(lacks(&head.word, words, vec![head.cite_head()]));
            continue;
        }
        let details = format!("{} unpacked; {}", ByteSize(archive.size), most(&tops, 4).replace(" (1)", ""));
        let keeps = Keeps {
            path: head.word.clone(),
            count: members.len() as u64,
            noun: "packed file".to_owned(),
            period: None,
            details,
        };
        whole.push(series::Member { name: head.name.clone(), keeps, evidence });
        if archive.is_partial {
            told.push(lacks(
                &head.word,
                "its list ends before the file does: it is cut off or damaged".to_owned(),
                vec![head.cite_head()],
            ));
        }
    }
    series::told(dir, whole).into_iter().chain(told).collect()
}

/// What is wrong with a packed file that does not unpack to its end.
fn cut_off(head: &crate::offline::eyes::Peek) -> Option<String> {
    if !head.bytes.starts_with(b"\x1f\x8b") || MOST_UNPACKED < head.bytes.len() {
        return None;
    }
    let mut unpacked = flate2::read::MultiGzDecoder::new(&head.bytes[..]).take(MOST_UNPACKED as u64 * 8);
    std::io::copy(&mut unpacked, &mut std::io::sink()).err()?;
    Some("it does not unpack to its end: cut off or damaged".to_owned())
}

/// What is called an archive and has not the first bytes of one.
fn not_an_archive(name: &str, bytes: &[u8]) -> Option<String> {
    let marks: [(&str, &[u8]); 4] =
        [("zip", b"PK"), ("gz", b"\x1f\x8b"), ("xz", b"\xfd7zXZ"), ("7z", b"7z\xbc\xaf")];
    let (ending, _) = marks
        .iter()
        .find(|(ending, mark)| name.ends_with(&format!(".{ending}")) && !bytes.starts_with(mark))?;
    Some(format!("it is called .{ending} and does not begin like one: cut off, renamed or damaged"))
}

/// Films and sounds: how many of which kind, and when they were made where they say so.
pub(super) fn films(dir: &str, files: &[&ListedFile], peek: Look<'_>) -> Vec<Told> {
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    let mut made: Vec<i64> = Vec::new();
    let mut artists: BTreeMap<String, u64> = BTreeMap::new();
    let mut evidence = Vec::new();
    for file in files {
        let Some(head) = peek(file) else { continue };
        let ending = head.name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_uppercase();
        *kinds.entry(ending).or_default() += 1;
        made.extend(made_on(&head.bytes));
        if let Some(artist) = sound::artist(&head.bytes) {
            *artists.entry(artist).or_default() += 1;
        }
        if evidence.len() < 3 {
            evidence.push(head.cite_head());
        }
    }
    let by = if artists.is_empty() { String::new() } else { format!("; by {}", most(&artists, 3)) };
    let details = format!("{}{by}", kinds_of(&kinds));
    let seen: u64 = kinds.values().sum();
    let (Some(first), Some(last)) = (made.iter().min(), made.iter().max()) else {
        let keeps =
            Keeps { path: dir.to_owned(), count: seen, noun: "recording".to_owned(), period: None, details };
        return if seen == 0 { Vec::new() } else { vec![Told { text: keeps.sentence(), evidence }] };
    };
    let period = Some((days::told(*first), days::told(*last)));
    let keeps = Keeps { path: dir.to_owned(), count: seen, noun: "recording".to_owned(), period, details };
    vec![Told { text: keeps.sentence(), evidence }]
}

/// The day that the head of an MP4 or QuickTime film names: seconds since 1904.
fn made_on(bytes: &[u8]) -> Option<i64> {
    let at = memchr::memmem::find(bytes, b"mvhd")? + 4;
    let field = bytes.get(at + 4..at + 12)?;
    let seconds = match bytes.get(at)? {
        0 => u64::from(u32::from_be_bytes(field[..4].try_into().ok()?)),
        1 => u64::from_be_bytes(field.try_into().ok()?),
        _ => return None,
    };
    let day = i64::try_from(seconds / 86_400).ok()? - days::SINCE_1904;
    // Cameras whose clock was never set say 1904 or 1970.
    (days::number(1995, 1, 1)? <= day && day <= days::number(2100, 1, 1)?).then_some(day)
}

/// Programs among what is mostly something else.
pub(super) fn out_of_place(dir: &str, files: &[ListedFile], peek: Look<'_>) -> Vec<Told> {
    let mut kinds: BTreeMap<Kind, u64> = BTreeMap::new();
    files.iter().filter_map(Kind::of).for_each(|kind| *kinds.entry(kind).or_default() += 1);
    let all: u64 = kinds.values().sum();
    let Some((main, most)) = kinds.iter().max_by_key(|(_, count)| **count) else { return Vec::new() };
    if *most < 4 || *most * 10 < all * 6 || *main == Kind::Program {
        return Vec::new();
    }
    let strangers = files.iter().filter(|file| Kind::of(file) == Some(Kind::Program));
    let mut told = Vec::new();
    for file in strangers.take(3) {
        let Some(head) = peek(file) else { continue };
        let words = format!(
            "out of place: {} is a program among {} {}",
            code(&head.name),
            number(*most),
            main.plural()
        );
        told.push(lacks(dir, words, vec![head.cite_head()]));
    }
    told
}

impl Kind {
    fn plural(self) -> &'static str {
        match self {
            Self::Table | Self::Parquet | Self::Records => "tables",
            Self::Picture => "pictures",
            Self::Film => "films and sounds",
            Self::Mail => "mails",
            Self::Log => "logs",
            Self::Database => "databases",
            Self::Dump => "dumps",
            Self::Archive => "archives",
            Self::Document => "documents",
            Self::Program => "programs",
        }
    }
}
