//! Directories that hold no program: what is collected there, from when to when, what is wrong with it, what does not belong.
//!
//! Files of one kind are told together: a year of photos is one sentence, not four hundred. Each sentence cites the bytes it
//! rests on. What is there is a [`Holding`], what is wrong with it a fault.
//!
//! Not here: programs, and data that lies beside them (`collected`).

use std::collections::BTreeMap;

use luminos_core::RelPath;
use luminos_core::fact::{Count, Day, Detail, Fact, FactKind, Gravity, Holding, Inside, Reader, Subject};
use luminos_core::job::{Assignment, ListedFile};
use luminos_core::proof::Evidence;

use super::eyes::{Eyes, Peek};
use super::sentence::{details, part, when};
use super::words::{code, count, list, number, some_of};
use luminos_core::services::Services;

mod alarms;
mod books;
mod databases;
mod days;
mod documents;
mod encoded;
mod films;
mod geo;
mod length;
mod logs;
mod mail;
mod numbered;
mod office;
mod others;
mod parquet;
mod people;
mod photos;
mod records;
mod series;
mod sheets;
mod sound;
mod tables;
#[cfg(test)]
mod tests;
mod things;
mod titles;
mod tongues;

/// So many sentences of what is kept are told of one directory.
const MOST_KEPT: usize = 16;

/// The files of one directory, by what they are.
pub(crate) fn of_dir(assignment: &Assignment, eyes: &Eyes<'_, impl Services>) -> Vec<Fact> {
    // Beside a program, data is told file by file.
    if assignment.target_kind.is_program() {
        return Vec::new();
    }
    let dir = assignment.job.dir.to_word();
    let dir = if dir.is_empty() { ".".to_owned() } else { dir };
    let mut told: Vec<Fact> = Vec::new();
    let of = |kind: Kind| -> Vec<&ListedFile> {
        assignment
            .files
            .iter()
            .filter(|file| !is_letter(&dir, file) && Kind::of(file) == Some(kind))
            .collect()
    };
    let peek = |file: &ListedFile| eyes.peek(&file.path_in(&assignment.job.dir), file);
    told.extend(tables::look(&dir, &of(Kind::Table), &peek));
    told.extend(photos::look(&dir, &of(Kind::Picture), &peek));
    told.extend(films::look(&dir, &of(Kind::Film), &peek));
    told.extend(parquet::look(&of(Kind::Parquet), &peek));
    told.extend(records::look(&of(Kind::Records), &peek));
    told.extend(records::documents(&of(Kind::Json), &peek));
    told.extend(geo::look(&of(Kind::Map), &assignment.files, &peek));
    let letters = assignment.files.iter().filter(|file| is_letter(&dir, file));
    let mails: Vec<&ListedFile> = of(Kind::Mail).into_iter().chain(letters).collect();
    told.extend(mail::look(&dir, &mails, &peek));
    told.extend(logs::look(&dir, &of(Kind::Log), &peek));
    told.extend(databases::look(&of(Kind::Database), &peek));
    told.extend(databases::dumps(&of(Kind::Dump), &peek));
    told.extend(things::archives(&dir, &of(Kind::Archive), &peek));
    told.extend(books::look(&dir, &of(Kind::Book), &peek));
    told.extend(people::look(&of(Kind::People), &peek));
    let (sheets, plain) = sheets::look(&of(Kind::Sheets), &peek);
    told.extend(sheets);
    let papers: Vec<&ListedFile> = of(Kind::Document).into_iter().chain(plain).collect();
    told.extend(documents::look(&dir, &papers, &peek));
    told.extend(others::look(&dir, &of(Kind::Other), &peek));
    told.extend(others::programs(&dir, &of(Kind::Program), &peek));
    told.extend(things::out_of_place(&dir, &assignment.files, &peek));
    let listed = assignment.files.len() as u64;
    for fact in &mut told {
        // What a reader says of the whole directory is about that.
        if fact.subject == Subject::File(assignment.job.dir.clone()) {
            fact.subject = Subject::Dir(assignment.job.dir.clone());
            if listed < assignment.file_count {
                limit(fact, listed, assignment);
            }
        }
    }
    in_order(&assignment.job.dir, told)
}

/// What is kept before what is wrong with it; of very many kinds, the smaller ones together.
fn in_order(dir: &RelPath, told: Vec<Fact>) -> Vec<Fact> {
    let (keeps, remarks): (Vec<Fact>, Vec<Fact>) =
        told.into_iter().partition(|one| matches!(one.fact, FactKind::Holding(_)));
    if keeps.len() <= MOST_KEPT {
        return keeps.into_iter().chain(remarks).collect();
    }
    let mut first = keeps;
    let rest = first.split_off(MOST_KEPT - 4);
    let mut kinds: Vec<(Holding, Vec<String>, Vec<Evidence>)> = Vec::new();
    for one in rest {
        let FactKind::Holding(keeps) = one.fact else { continue };
        let path = one.subject.path(dir).to_word();
        let name = code(path.rsplit('/').next().unwrap_or(&path));
        match kinds.iter_mut().find(|(kind, _, _)| kind.noun == keeps.noun) {
            Some((kind, names, evidence)) => {
                kind.count += keeps.count;
                kind.period = joint(kind.period, keeps.period);
                names.push(name);
                evidence.extend(one.evidence.into_iter().take(1));
            }
            None => kinds.push((keeps, vec![name], one.evidence)),
        }
    }
    let folded = kinds.into_iter().map(|(kind, names, mut evidence)| {
        evidence.truncate(4);
        let details = vec![Detail::Names(format!("{}, together", some_of(&names, 6)))];
        let kind = FactKind::Holding(Holding { details, ..kind });
        Fact::new(Subject::Dir(dir.clone()), kind, evidence, Reader::Collection)
    });
    first.into_iter().chain(folded).chain(remarks).collect()
}

/// From the earlier beginning to the later end.
fn joint(one: Option<(Day, Day)>, other: Option<(Day, Day)>) -> Option<(Day, Day)> {
    match (one, other) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (a, b) => a.or(b),
    }
}

/// What a file of a collection is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Table,
    Parquet,
    Records,
    Json,
    Map,
    Picture,
    Film,
    Mail,
    Log,
    Database,
    Dump,
    Archive,
    Document,
    Sheets,
    Book,
    People,
    Program,
    /// Known by its ending alone.
    Other,
}

impl Kind {
    /// By its name.
    pub(crate) fn of(file: &ListedFile) -> Option<Self> {
        if file.kind.is_some() || file.size == 0 {
            return None;
        }
        let name = file.name.to_utf8()?.to_ascii_lowercase();
        // What tells of the others is not one of them.
        if name.ends_with(".txt") && super::manifest::is_manifest(&name) || super::readme::is_readme(&name) {
            return None;
        }
        if others::is_leftover(&name) || luminos_core::is_secret_file(&file.name) {
            return Some(Self::Other);
        }
        if others::is_login_record(&name) {
            return Some(Self::Other);
        }
        if is_log(&name) {
            return Some(Self::Log);
        }
        if databases::is_packed_dump(&name) {
            return Some(Self::Dump);
        }
        if name.ends_with(".csv.gz") || name.ends_with(".tsv.gz") {
            return Some(Self::Table);
        }
        if [".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst"].iter().any(|end| name.ends_with(end)) {
            return Some(Self::Archive);
        }
        Some(match name.rsplit_once('.').map(|(_, ending)| ending)? {
            "csv" | "tsv" => Self::Table,
            "parquet" => Self::Parquet,
            "jsonl" | "ndjson" => Self::Records,
            "json" => Self::Json,
            "geojson" | "gpx" | "kml" | "shp" => Self::Map,
            "epub" | "mobi" | "azw" | "azw3" | "fb2" | "cbz" | "cbr" => Self::Book,
            "vcf" | "ics" => Self::People,
            ending if photos::is_picture(ending) => Self::Picture,
            ending if films::is_film(ending) => Self::Film,
            "mbox" | "eml" => Self::Mail,
            "sqlite" | "sqlite3" | "db" | "db3" | "gpkg" => Self::Database,
            "sql" => Self::Dump,
            "zip" | "tar" | "tgz" | "gz" | "7z" | "xz" | "bz2" => Self::Archive,
            "xlsx" | "xlsm" | "ods" => Self::Sheets,
            "ipynb" | "pdf" | "txt" | "md" | "docx" | "odt" | "doc" | "rtf" | "pptx" | "odp" | "xls"
            | "ppt" | "tex" | "html" | "htm" => Self::Document,
            "exe" | "dll" | "so" | "bat" | "msi" | "scr" | "com" | "jar" | "apk" => Self::Program,
            _ if others::noun_of(&name).is_some() => Self::Other,
            _ => return None,
        })
    }
}

/// Whether a file is a mail of a maildir: those lie in `cur` and `new`.
fn is_letter(dir: &str, file: &ListedFile) -> bool {
    let is_box = matches!(dir.rsplit('/').next(), Some("cur" | "new"));
    is_box && is_called_letter(file.name.as_bytes()) && file.kind.is_none()
}

/// Whether a file is called like a mail of a maildir: by the second it came in, and by the machine, whose name may look like
/// the ending of anything.
pub(crate) fn is_called_letter(name: &[u8]) -> bool {
    let seconds = name.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (9..=11).contains(&seconds)
        && name.get(seconds) == Some(&b'.')
        && name.get(seconds + 1).is_some_and(u8::is_ascii_alphanumeric)
        && (name[seconds + 1..].contains(&b'.') || name.contains(&b':'))
}

/// `app.log`, `app.log.2`, `app.log.3.gz`, `app.log-20240101.gz`.
fn is_log(name: &str) -> bool {
    let name = name.strip_suffix(".gz").unwrap_or(name);
    let is_turn = |rest: &str| {
        let digits = rest.trim_start_matches(['.', '-', '_']);
        digits.is_empty() || digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
    };
    name.rfind(".log").is_some_and(|at| is_turn(&name[at + 4..]))
        || name == "syslog"
        || name.starts_with("syslog.")
}

/// Something is kept at a path.
fn kept(path: &str, holding: Holding, evidence: Vec<Evidence>) -> Fact {
    Fact::new(at(path), FactKind::Holding(holding), evidence, Reader::Collection)
}

/// Something is wrong with what lies at a path.
fn lacks(path: &str, words: String, evidence: Vec<Evidence>) -> Fact {
    faulty(path, Gravity::Usual, words, evidence)
}

/// The same, where it tells about the world, or makes a file useless.
fn warns(path: &str, words: String, evidence: Vec<Evidence>) -> Fact {
    faulty(path, Gravity::High, words, evidence)
}

/// The same, where hardly anybody needs to know.
fn trifle(path: &str, words: String, evidence: Vec<Evidence>) -> Fact {
    faulty(path, Gravity::Low, words, evidence)
}

fn faulty(path: &str, gravity: Gravity, text: String, evidence: Vec<Evidence>) -> Fact {
    Fact::new(at(path), FactKind::Fault { gravity, text }, evidence, Reader::Collection)
}

fn at(path: &str) -> Subject {
    Subject::File(RelPath::from_word(path).unwrap_or_default())
}

/// Details in words.
fn words(details: impl IntoIterator<Item = String>) -> Vec<Detail> {
    details.into_iter().filter(|detail| !detail.is_empty()).map(Detail::Text).collect()
}

/// Says first that not all files of a directory were looked at. Pictures, films and sounds are counted by their endings.
fn limit(fact: &mut Fact, listed: u64, assignment: &Assignment) {
    let FactKind::Holding(keeps) = &mut fact.fact else { return };
    let of = |is_one: fn(&str) -> bool| -> u64 {
        assignment.endings.iter().filter(|(ending, _)| is_one(ending)).map(|(_, files)| files).sum()
    };
    let all = match keeps.noun.as_str() {
        "photo" | "picture" | "scan" | "screenshot" => of(photos::is_picture),
        "video" => of(films::is_video),
        "recording" => of(|ending| films::is_film(ending) && !films::is_video(ending)),
        _ => 0,
    };
    let words = if keeps.count < all {
        let looked_at = number(keeps.count);
        keeps.count = all;
        format!("{looked_at} of them, spread evenly, were looked at")
    } else {
        format!("only {} of {} files here were looked at", number(listed), number(assignment.file_count))
    };
    keeps.details.insert(0, Detail::Text(words));
}

/// Whether a fact about a single file says what the facts about sets say better.
pub(crate) fn is_told(fact: &FactKind) -> bool {
    use FactKind::{Columns, Contents, Fault, Period};
    match fact {
        Contents(contents) => !contents.sets_up_machines(),
        fact => matches!(fact, Columns { .. } | Period { .. } | Fault { .. }),
    }
}

/// What a directory keeps, as its summary begins, and the remarks on it, a line each; `None` where that says nothing.
pub(crate) fn summary(dir: &RelPath, told: &[Fact]) -> Option<(Inside, String)> {
    let keeps: Vec<Kept> = told.iter().filter_map(|fact| Kept::of(fact, dir)).collect();
    // What a file browser left says nothing about a directory.
    if keeps.iter().all(|keeps| keeps.holding.noun == others::LEFTOVER) {
        return None;
    }
    let parts: Vec<String> = together(keeps).iter().map(|keeps| named_part(dir, keeps)).collect();
    let opening = Inside { text: format!("keeps {}", some_of(&parts, 5)), ..Inside::default() };
    let mut remarks = String::new();
    let faults = told.iter().filter_map(|fact| {
        let FactKind::Fault { text, .. } = &fact.fact else { return None };
        Some((fact.subject.path(dir), text))
    });
    for (path, text) in faults.take(8) {
        let called = if path == dir { String::new() } else { format!("{}: ", code(&path.to_word())) };
        remarks.push_str(&format!("\n- {called}{text}."));
    }
    Some((opening, remarks))
}

/// What lies at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Kept {
    /// The directory or file; `.` for the target itself.
    pub(crate) path: String,
    pub(crate) holding: Holding,
}

impl Kept {
    /// What a fact says is kept; `None` for other facts.
    pub(crate) fn of(fact: &Fact, home: &RelPath) -> Option<Self> {
        let FactKind::Holding(holding) = &fact.fact else { return None };
        Some(Self { path: fact.subject.path(home).to_word(), holding: holding.clone() })
    }
}

/// Files of one form beside each other as one set: the logs of a week, the pieces of a table.
pub(crate) fn together(keeps: Vec<Kept>) -> Vec<Kept> {
    let mut sets: Vec<Vec<Kept>> = Vec::new();
    let place = |keeps: &Kept| keeps.path.rsplit_once('/').map_or(".", |(dir, _)| dir).to_owned();
    for one in keeps {
        let is_piece = matches!(one.holding.noun.as_str(), "log line" | "Parquet table");
        let is_like = |set: &&mut Vec<Kept>| {
            set.first().is_some_and(|first| {
                is_piece
                    && first.holding.noun == one.holding.noun
                    && place(first) == place(&one)
                    && sum(&first.holding, &one.holding).is_some()
            })
        };
        match sets.iter_mut().find(is_like) {
            Some(set) => set.push(one),
            None => sets.push(vec![one]),
        }
    }
    let merged = sets.into_iter().filter_map(|set| {
        let files = set.len() as u64;
        let first = set.first()?.clone();
        let path = place(&first);
        if files == 1 {
            return Some(first);
        }
        let holdings = set.into_iter().map(|one| one.holding);
        let mut holding = holdings.reduce(|whole, one| sum(&whole, &one).unwrap_or(whole))?;
        holding.details.insert(0, Detail::Text(count(files, "file")));
        Some(Kept { path, holding })
    });
    merged.collect()
}

/// Two pieces as one; `None` where they are not of one form. Numbers of the same are added.
fn sum(one: &Holding, other: &Holding) -> Option<Holding> {
    let counts = |holding: &Holding| -> Vec<Count> {
        let counts = holding.details.iter().filter_map(|detail| match detail {
            Detail::Counts(counts) => Some(counts.clone()),
            _ => None,
        });
        counts.flatten().collect()
    };
    let others = |holding: &Holding| -> Vec<Detail> {
        holding.details.iter().filter(|detail| !matches!(detail, Detail::Counts(_))).cloned().collect()
    };
    let rest = others(one);
    if rest != others(other) {
        return None;
    }
    let mut sums: BTreeMap<String, u64> = BTreeMap::new();
    for Count { number, of } in counts(one).into_iter().chain(counts(other)) {
        *sums.entry(if of == "row" { "rows".to_owned() } else { of }).or_default() += number;
    }
    let sums: Vec<Count> = sums.into_iter().map(|(of, number)| Count { number, of }).collect();
    let sums = (!sums.is_empty()).then_some(Detail::Counts(sums));
    Some(Holding {
        count: one.count + other.count,
        noun: one.noun.clone(),
        period: joint(one.period, other.period),
        details: sums.into_iter().chain(rest).collect(),
    })
}

/// A part with the file it is, where it is a single one: `orders.csv (3,001 rows)`.
fn named_part(dir: &RelPath, keeps: &Kept) -> String {
    let Kept { path, holding } = keeps;
    let name = path.rsplit('/').next().unwrap_or_default();
    let is_file = path != "." && *path != dir.to_word();
    let details = details(&holding.details);
    let details = if details.is_empty() { String::new() } else { format!(" ({details})") };
    match holding.noun.as_str() {
        "table" if is_file && holding.count == 1 => {
            format!("the table {}{}{details}", code(name), when(holding.period))
        }
        "packed file" | "log line" | "mail" | "database table" | "dumped table" | "table definition"
        | "map feature" | "track point" | "place mark" | "contact" | "appointment" | "record" | "sheet"
            if is_file =>
        {
            let many = count(holding.count, &holding.noun);
            format!("{} with {many}{}{details}", code(name), when(holding.period))
        }
        _ => part(holding),
    }
}

/// The most frequent of some names: `a (12), b (7) and 3 others`.
fn most(counts: &BTreeMap<String, u64>, shown: usize) -> String {
    let mut all: Vec<(&String, u64)> = counts.iter().map(|(name, count)| (name, *count)).collect();
    all.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let names: Vec<String> =
        all.iter().take(shown).map(|(name, count)| format!("{name} ({})", number(*count))).collect();
    match all.len().saturating_sub(shown) {
        0 => list(&names),
        1 => format!("{} and 1 other", names.join(", ")),
        more => format!("{} and {more} others", names.join(", ")),
    }
}

pub(crate) use tables::missing_in_words;
pub(crate) use titles::{form_of, gathered};

type Look<'a> = &'a dyn Fn(&ListedFile) -> Option<Peek>;
