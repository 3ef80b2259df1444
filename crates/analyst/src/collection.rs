//! Directories that hold no program: what is collected there, from when to when, what is wrong with it, what does not belong.
//!
//! Files of one kind are told together: a year of photos is one sentence, not four hundred. Each sentence cites the bytes it
//! rests on. The sentences that the synthesis puts together are [`Keeps`]; what is wrong is told by `Statement::Lacks`.
//!
//! Not here: programs, and data that lies beside them (`collected`).

use luminos_core::job::{Assignment, ListedFile};
use luminos_core::proof::Evidence;

use super::bounds;
use super::eyes::{Eyes, Peek};
use super::statement::Statement;
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

/// A sentence about files of one kind, with what it rests on.
#[derive(Debug, Clone)]
pub(crate) struct Told {
    pub(crate) text: String,
    pub(crate) evidence: Vec<Evidence>,
}

/// What a directory keeps of one kind: a sentence that can be read back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Keeps {
    /// The directory or file.
    pub(crate) path: String,
    /// How many.
    pub(crate) count: u64,
    /// Of what: `photo`.
    pub(crate) noun: String,
    /// The first and the last day.
    pub(crate) period: Option<(String, String)>,
    /// What else, in words.
    pub(crate) details: String,
}

impl Keeps {
    /// The sentence.
    pub(crate) fn sentence(&self) -> String {
        let details = bounds::words(&self.details);
        let details = if details.is_empty() { String::new() } else { format!(": {details}") };
        format!("{} keeps {}{}{details}.", code(&self.path), count(self.count, &self.noun), self.when())
    }

    /// `, 2022-01-01 to 2024-12-31`.
    pub(crate) fn when(&self) -> String {
        match &self.period {
            Some((from, to)) if from == to => format!(", {from}"),
            Some((from, to)) => format!(", {from} to {to}"),
            None => String::new(),
        }
    }

    /// What a sentence says; `None` for other sentences.
    pub(crate) fn read(sentence: &str) -> Option<Self> {
        let (path, rest) = sentence.strip_prefix('`')?.split_once("` keeps ")?;
        let rest = rest.strip_suffix('.')?;
        let (head, details) = rest.split_once(": ").unwrap_or((rest, ""));
        let (what, when) = head
            .split_once(", 1")
            .or_else(|| head.split_once(", 2"))
            .map_or((head, None), |(what, _)| (what, head.get(what.len() + 2..)));
        let (count, noun) = what.split_once(' ')?;
        let count: u64 = count.replace(',', "").parse().ok()?;
        let period = when.map(|when| {
            let (from, to) = when.split_once(" to ").unwrap_or((when, when));
            (from.to_owned(), to.to_owned())
        });
        let noun = if count == 1 { noun.to_owned() } else { singular(noun) };
        Some(Self { path: path.to_owned(), count, noun, period, details: details.to_owned() })
    }
}

fn singular(noun: &str) -> String {
    match noun.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => noun.strip_suffix('s').unwrap_or(noun).to_owned(),
    }
}

/// The files of one directory, by what they are.
pub(crate) fn of_dir(assignment: &Assignment, eyes: &Eyes<'_, impl Services>) -> Vec<Told> {
    // Beside a program, data is told file by file.
    if assignment.target_kind.is_program() {
        return Vec::new();
    }
    let dir = assignment.job.dir.to_word();
    let dir = if dir.is_empty() { ".".to_owned() } else { dir };
    let mut told = Vec::new();
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
    if listed < assignment.file_count {
        told.iter_mut().for_each(|one| one.limit(&dir, listed, assignment));
    }
    in_order(&dir, told)
}

/// What is kept before what is wrong with it; of very many kinds, the smaller ones together.
fn in_order(dir: &str, told: Vec<Told>) -> Vec<Told> {
    let (keeps, remarks): (Vec<Told>, Vec<Told>) =
        told.into_iter().partition(|one| Keeps::read(&one.text).is_some());
    if keeps.len() <= MOST_KEPT {
        return keeps.into_iter().chain(remarks).collect();
    }
    let mut first = keeps;
    let rest = first.split_off(MOST_KEPT - 4);
    let mut kinds: Vec<(Keeps, Vec<String>, Vec<Evidence>)> = Vec::new();
    for one in rest {
        let Some(keeps) = Keeps::read(&one.text) else { continue };
        let name = code(keeps.path.rsplit('/').next().unwrap_or(&keeps.path));
        match kinds.iter_mut().find(|(kind, _, _)| kind.noun == keeps.noun) {
            Some((kind, names, evidence)) => {
                kind.count += keeps.count;
                kind.period = joint(kind.period.take(), keeps.period);
                names.push(name);
                evidence.extend(one.evidence.into_iter().take(1));
            }
            None => kinds.push((keeps, vec![name], one.evidence)),
        }
    }
    let folded = kinds.into_iter().map(|(kind, names, mut evidence)| {
        evidence.truncate(4);
        let details = format!("{}, together", some_of(&names, 6));
        Told { text: Keeps { path: dir.to_owned(), details, ..kind }.sentence(), evidence }
    });
    first.into_iter().chain(folded).chain(remarks).collect()
}

/// From the earlier beginning to the later end.
fn joint(one: Option<(String, String)>, other: Option<(String, String)>) -> Option<(String, String)> {
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

/// Something is wrong with what lies at a path.
fn lacks(path: &str, words: String, evidence: Vec<Evidence>) -> Told {
    Told { text: Statement::Lacks { path: path.to_owned(), words }.bounded().sentence(), evidence }
}

impl Told {
    /// Says first that not all files of a directory were looked at. Pictures, films and sounds are counted by their endings.
    fn limit(&mut self, dir: &str, listed: u64, assignment: &Assignment) {
        let Some(mut keeps) = Keeps::read(&self.text).filter(|keeps| keeps.path == dir) else { return };
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
        keeps.details = [words.as_str(), &keeps.details].join("; ").trim_end_matches("; ").to_owned();
        self.text = keeps.sentence();
    }

    /// The sentence as a claim of an entry.
    pub(crate) fn claim(&self) -> luminos_core::entry::Claim {
        luminos_core::entry::Claim {
            text: self.text.clone(),
            evidence: self.evidence.clone(),
            entries: Vec::new(),
            faults: Vec::new(),
            verified: false,
        }
    }
}

/// Whether a sentence about a single file says what the sentences about sets say better.
pub(crate) fn is_told(sentence: &str) -> bool {
    use Statement::{Columns, Holds, Lacks, Spans};
    matches!(Statement::read(sentence), Some(Columns { .. } | Holds { .. } | Spans { .. } | Lacks { .. }))
}

/// The summary of a directory by what it keeps; `None` where that says nothing.
pub(crate) fn summary(called: &str, told: &[Told]) -> Option<String> {
    let keeps: Vec<Keeps> = told.iter().filter_map(|told| Keeps::read(&told.text)).collect();
    // What a file browser left says nothing about a directory.
    if keeps.iter().all(|keeps| keeps.noun == others::LEFTOVER) {
        return None;
    }
    let parts: Vec<String> = together(keeps).iter().map(|keeps| named_part(called, keeps)).collect();
    let mut text = format!("{called} keeps {}.", some_of(&parts, 5));
    for one in told.iter().filter(|told| Keeps::read(&told.text).is_none()).take(8) {
        text.push_str("\n- ");
        let own = format!("{called} has a catch: ");
        match one.text.strip_prefix(&own).or_else(|| one.text.strip_prefix("`.` has a catch: ")) {
            Some(words) => text.push_str(words),
            None => text.push_str(&one.text.replacen(" has a catch: ", ": ", 1)),
        }
    }
    Some(text)
}

/// Files of one form beside each other as one set: the logs of a week, the pieces of a table.
pub(crate) fn together(keeps: Vec<Keeps>) -> Vec<Keeps> {
    let mut sets: Vec<Vec<Keeps>> = Vec::new();
    let place = |keeps: &Keeps| keeps.path.rsplit_once('/').map_or(".", |(dir, _)| dir).to_owned();
    for one in keeps {
        let is_piece = matches!(one.noun.as_str(), "log line" | "Parquet table");
        let is_like = |set: &&mut Vec<Keeps>| {
            set.first().is_some_and(|first| {
                is_piece
                    && first.noun == one.noun
                    && place(first) == place(&one)
                    && sum(first, &one).is_some()
            })
        };
        match sets.iter_mut().find(is_like) {
            Some(set) => set.push(one),
            None => sets.push(vec![one]),
        }
    }
    let merged = sets.into_iter().filter_map(|set| {
        let files = set.len() as u64;
        let dir = set.first().map(place)?;
        let whole = set.into_iter().reduce(|whole, one| sum(&whole, &one).unwrap_or(whole))?;
        if files == 1 {
            return Some(whole);
        }
        let details = format!("{}; {}", count(files, "file"), whole.details);
        Some(Keeps { path: dir, details, ..whole })
    });
    merged.collect()
}

/// Two pieces as one; `None` where they are not of one form. Numbers before words that both have are added.
fn sum(one: &Keeps, other: &Keeps) -> Option<Keeps> {
    let split = |text: &str| -> Vec<(Option<u64>, String)> {
        let pieces = text.split("; ").flat_map(|part| part.split(", ")).flat_map(|part| part.split(" and "));
        pieces
            .map(|piece| {
                match piece.split_once(' ').map(|(number, rest)| (number.replace(',', "").parse(), rest)) {
                    Some((Ok(number), rest)) => (Some(number), rest.to_owned()),
                    _ => (None, piece.to_owned()),
                }
            })
            .collect()
    };
    // Thousands are parted by commas, too.
    let plain = |text: &str| -> String {
        let bytes: Vec<char> = text.chars().collect();
        let is_parting = |at: usize| {
            bytes[at] == ','
                && 0 < at
                && bytes[at - 1].is_ascii_digit()
                && bytes.get(at + 1).is_some_and(char::is_ascii_digit)
        };
        (0..bytes.len()).filter(|at| !is_parting(*at)).map(|at| bytes[at]).collect()
    };
    let (mine, theirs) = (split(&plain(&one.details)), split(&plain(&other.details)));
    let (counted, words): (Vec<_>, Vec<_>) = mine.into_iter().partition(|(number, _)| number.is_some());
    let (more, others): (Vec<_>, Vec<_>) = theirs.into_iter().partition(|(number, _)| number.is_some());
    if words != others {
        return None;
    }
    let mut counts: std::collections::BTreeMap<String, u64> = std::collections::BTreeMap::new();
    for (number, word) in counted.into_iter().chain(more) {
        let word = if word == "row" { "rows".to_owned() } else { word };
        *counts.entry(word).or_default() += number.unwrap_or(0);
    }
    let counts: Vec<String> = counts.iter().map(|(word, of)| format!("{} {word}", number(*of))).collect();
    let words: Vec<String> = words.into_iter().map(|(_, word)| word).collect();
    let parts: Vec<String> =
        [list(&counts), list(&words)].into_iter().filter(|part| !part.is_empty()).collect();
    let period = joint(one.period.clone(), other.period.clone());
    let (path, noun) = (one.path.clone(), one.noun.clone());
    Some(Keeps { path, count: one.count + other.count, noun, period, details: parts.join("; ") })
}

/// `402 photos, 2021-03-02 to 2021-12-24 (by Canon EOS 80D)`.
pub(crate) fn part(keeps: &Keeps) -> String {
    let details = if keeps.details.is_empty() { String::new() } else { format!(" ({})", keeps.details) };
    format!("{}{}{details}", count(keeps.count, &keeps.noun), keeps.when())
}

/// A part with the file it is, where it is a single one: `orders.csv (3,001 rows)`.
fn named_part(called: &str, keeps: &Keeps) -> String {
    let name = keeps.path.rsplit('/').next().unwrap_or_default();
    let is_dir = keeps.path == "." || called == code(&keeps.path);
    let is_file = !is_dir;
    match keeps.noun.as_str() {
        "table" if is_file && keeps.count == 1 => {
            let details =
                if keeps.details.is_empty() { String::new() } else { format!(" ({})", keeps.details) };
            format!("the table {}{}{details}", code(name), keeps.when())
        }
        "packed file" | "log line" | "mail" | "database table" | "dumped table" | "table definition"
        | "map feature" | "track point" | "place mark" | "contact" | "appointment" | "record" | "sheet"
            if is_file =>
        {
            let details =
                if keeps.details.is_empty() { String::new() } else { format!(" ({})", keeps.details) };
            format!("{} with {}{}{details}", code(name), count(keeps.count, &keeps.noun), keeps.when())
        }
        _ => part(keeps),
    }
}

/// The most frequent of some names: `a (12), b (7) and 3 others`.
fn most(counts: &std::collections::BTreeMap<String, u64>, shown: usize) -> String {
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

pub(crate) use documents::SITE;
pub(crate) use tables::missing_in_words;
pub(crate) use titles::{form_of, gathered};

type Look<'a> = &'a dyn Fn(&ListedFile) -> Option<Peek>;
