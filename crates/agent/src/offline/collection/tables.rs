//! Tables that belong together: files of one directory with the same columns are one set, told as a whole.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use luminos_core::job::ListedFile;
use luminos_core::proof::Evidence;

use super::{Keeps, Look, Told, days, lacks};
use crate::offline::eyes::Peek;
use crate::offline::words::{code, count, some_of};

mod column;

pub(crate) use column::missing_in_words;

use column::Column;

/// Something that ends so many days before the rest has stopped.
const STOPPED: i64 = 10;
/// So many rows are compared with one another.
const COMPARED: usize = 3_000_000;

#[derive(Default)]
struct Set {
    files: Vec<String>,
    rows: u64,
    columns: Vec<Column>,
    head: Vec<Evidence>,
    days: BTreeSet<i64>,
    first: Option<(i64, Evidence)>,
    last: Option<(i64, Evidence)>,
    seen: HashSet<u64>,
    twice: u64,
    twice_at: Option<Evidence>,
    uneven: u64,
    uneven_at: Option<Evidence>,
}

pub(super) fn look(dir: &str, files: &[&ListedFile], peek: Look<'_>) -> Vec<Told> {
    let mut sets: BTreeMap<Vec<String>, Set> = BTreeMap::new();
    for file in files {
        let Some(head) = peek(file) else { continue };
        let text = String::from_utf8_lossy(&head.bytes);
        let Some(first) = text.lines().next() else { continue };
        let mark = [',', ';', '\t', '|']
            .into_iter()
            .max_by_key(|mark| (first.matches(*mark).count(), *mark == ','))
            .unwrap_or(',');
        let names: Vec<String> = cells(first.trim_start_matches('\u{feff}'), mark)
            .into_iter()
            .map(|name| name.trim().to_owned())
            .collect();
        let is_head = 1 < names.len()
            && names
                .iter()
                .all(|name| !name.is_empty() && name.parse::<f64>().is_err() && !name.contains('`'));
        if !is_head {
            continue;
        }
        let set = sets.entry(names.clone()).or_default();
        if set.columns.is_empty() {
            set.columns = names.iter().map(|name| Column::called(name)).collect();
        }
        set.files.push(head.name.clone());
        set.head.push(head.cite_head());
        for (at, line) in text.lines().enumerate().skip(1).filter(|(_, line)| !line.trim().is_empty()) {
            set.see(line, mark, &head, at + 1);
        }
    }
    let mut sets: Vec<(Vec<String>, Set)> = sets.into_iter().collect();
    sets.sort_by(|a, b| b.1.files.len().cmp(&a.1.files.len()).then_with(|| a.0.cmp(&b.0)));
    let main = sets.first().map(|(names, set)| (names.clone(), set.files.len()));
    let mut told = Vec::new();
    let mut whole: Vec<Set> = Vec::new();
    for (names, set) in sets {
        // One file with other columns beside many that agree is a fault of that file.
        let differs = main.as_ref().filter(|(main, files)| {
            *main != names && 3 <= *files && set.files.len() == 1 && is_near(main, &names)
        });
        if let (Some((main, files)), Some(file), Some(head)) = (differs, set.files.first(), set.head.first())
        {
            let other: Vec<String> =
                names.iter().filter(|name| !main.contains(name)).map(|name| code(name)).collect();
            let lost: Vec<String> =
                main.iter().filter(|name| !names.contains(name)).map(|name| code(name)).collect();
            let words = match (other.is_empty(), lost.is_empty()) {
                (true, _) => format!(
                    "{} lacks the column {} that {files} files beside it have",
                    code(file),
                    some_of(&lost, 3)
                ),
                (_, true) => format!(
                    "{} has the column {} that {files} files beside it lack",
                    code(file),
                    some_of(&other, 3)
                ),
                (false, false) => format!(
                    "{} has {} where {files} files beside it have {}",
                    code(file),
                    some_of(&other, 3),
                    some_of(&lost, 3)
                ),
            };
            told.push(lacks(dir, words, vec![head.clone()]));
            if let Some(main) = whole.first_mut() {
                main.absorb(set);
                continue;
            }
        }
        whole.push(set);
    }
    let sets = whole.into_iter().flat_map(|set| set.told(dir));
    sets.chain(told).collect()
}

fn is_near(a: &[String], b: &[String]) -> bool {
    let same = a.iter().filter(|name| b.contains(name)).count();
    a.len().max(b.len()) <= same * 2
}

/// The cells of a row; quotes are taken off.
fn cells(line: &str, mark: char) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut is_quoted = false;
    for character in line.trim_end_matches('\r').chars() {
        match character {
            '"' => is_quoted = !is_quoted,
            character if character == mark && !is_quoted => out.push(String::new()),
            character => {
                if let Some(cell) = out.last_mut() {
                    cell.push(character);
                }
            }
        }
    }
    out
}

impl Set {
    fn see(&mut self, line: &str, mark: char, head: &Peek, at: usize) {
        self.rows += 1;
        let cells = cells(line, mark);
        if cells.len() != self.columns.len() {
            self.uneven += 1;
            self.uneven_at.get_or_insert_with(|| head.cite_line(at));
        }
        if self.seen.len() < COMPARED {
            let mut hasher = DefaultHasher::new();
            line.hash(&mut hasher);
            if !self.seen.insert(hasher.finish()) {
                self.twice += 1;
                self.twice_at.get_or_insert_with(|| head.cite_line(at));
            }
        }
        let day = cells.iter().find_map(|cell| days::at_start(cell.trim()));
        if let Some(day) = day {
            self.days.insert(day);
            if self.first.as_ref().is_none_or(|(first, _)| day < *first) {
                self.first = Some((day, head.cite_line(at)));
            }
            if self.last.as_ref().is_none_or(|(last, _)| *last < day) {
                self.last = Some((day, head.cite_line(at)));
            }
        }
        for (column, cell) in self.columns.iter_mut().zip(&cells) {
            column.see(cell.trim(), day.unwrap_or(0), head, at);
        }
    }

    /// A file with a slip in its head still belongs to the set: its rows and days count.
    fn absorb(&mut self, other: Self) {
        self.files.extend(other.files);
        self.rows += other.rows;
        self.days.extend(other.days);
        for (day, cited) in other.first.into_iter().chain(other.last) {
            if self.first.as_ref().is_none_or(|(first, _)| day < *first) {
                self.first = Some((day, cited.clone()));
            }
            if self.last.as_ref().is_none_or(|(last, _)| *last < day) {
                self.last = Some((day, cited));
            }
        }
    }

    fn told(self, dir: &str) -> Vec<Told> {
        if self.rows == 0 {
            return Vec::new();
        }
        let path = match &self.files[..] {
            [only] if dir != "." => format!("{dir}/{only}"),
            [only] => only.clone(),
            _ => dir.to_owned(),
        };
        let things: Vec<&Column> =
            self.columns.iter().filter(|column| column.names_things(self.rows)).collect();
        let main = things.first();
        let mut details = Vec::new();
        let often = self.how_often(main.map_or(1, |column| column.things.len() as u64));
        details.push(format!(
            "{}{}",
            often.map_or_else(String::new, |word| format!("{word}, ")),
            count(self.rows, "row")
        ));
        if !things.is_empty() {
            let told: Vec<String> = things.iter().map(|column| column.how_many()).collect();
            details.push(some_of(&told, 3));
        }
        let numbers: Vec<String> = self.columns.iter().filter_map(Column::range).collect();
        if !numbers.is_empty() {
            details.push(some_of(&numbers, 4));
        }
        let period = self
            .first
            .as_ref()
            .zip(self.last.as_ref())
            .map(|(first, last)| (days::told(first.0), days::told(last.0)));
        let mut evidence: Vec<Evidence> = self.head.iter().take(1).cloned().collect();
        evidence.extend(self.first.iter().chain(&self.last).map(|(_, cited)| cited.clone()));
        let keeps = Keeps {
            path: path.clone(),
            count: self.files.len() as u64,
            noun: format!("{}table", by_names(&self.files)),
            period,
            details: details.join("; "),
        };
        let mut told = vec![Told { text: keeps.sentence(), evidence }];
        told.extend(self.stopped(&path));
        told.extend(self.gaps(&path));
        let mut missing: Vec<&Column> = self.columns.iter().filter(|column| 0 < column.missing).collect();
        missing.sort_by_key(|column| std::cmp::Reverse(column.missing));
        for column in missing.into_iter().take(4) {
            let words = missing_in_words(column.missing, column.seen(), &column.name);
            told.push(lacks(&path, words, column.missing_at.iter().cloned().collect()));
        }
        for column in &self.columns {
            let Some((value, next, cited)) = column.outlier() else { continue };
            let words = format!(
                "{} is {value} once, and at most {next} everywhere else: a slip, or something rare",
                code(&column.name)
            );
            told.push(lacks(&path, words, vec![cited.clone()]));
        }
        let personal: Vec<&Column> = self.columns.iter().filter(|column| column.is_personal()).collect();
        if let Some(cited) = personal.first().and_then(|column| column.address_at.clone()) {
            let names: Vec<String> = personal.iter().map(|column| code(&column.name)).collect();
            let verb = if names.len() == 1 { "holds" } else { "hold" };
            told.push(lacks(
                &path,
                format!("{} {verb} e-mail addresses of people", some_of(&names, 3)),
                vec![cited],
            ));
        }
        for column in
            self.columns.iter().filter(|column| 0 < column.texts && column.texts * 20 < column.numbers)
        {
            let Some((text, cited)) = &column.text_at else { continue };
            let words = format!(
                "{} holds numbers, and {} that is none, such as “{text}”",
                code(&column.name),
                count(column.texts, "value")
            );
            told.push(lacks(&path, words, vec![cited.clone()]));
        }
        if let Some(cited) = self.twice_at.filter(|_| 0 < self.twice) {
            told.push(lacks(
                &path,
                format!(
                    "{} {} there twice, word for word",
                    count(self.twice, "row"),
                    if self.twice == 1 { "stands" } else { "stand" }
                ),
                vec![cited],
            ));
        }
        if let Some(cited) = self.uneven_at {
            told.push(lacks(
                &path,
                format!("{} of another length than the head", count(self.uneven, "row")),
                vec![cited],
            ));
        }
        told
    }

    /// By the number of rows for each thing and day.
    fn how_often(&self, things: u64) -> Option<&'static str> {
        let days = self.days.len() as u64;
        let each = self.rows as f64 / (days * things).max(1) as f64;
        match () {
            () if days < 3 || !self.is_dense() => None,
            () if (20.0..=25.0).contains(&each) => Some("hourly"),
            () if (85.0..=97.0).contains(&each) => Some("every quarter of an hour"),
            () if (0.7..=1.05).contains(&each) => Some("daily"),
            () => None,
        }
    }

    /// Whether nearly every day from the first to the last has rows.
    fn is_dense(&self) -> bool {
        let span =
            self.first.as_ref().zip(self.last.as_ref()).map_or(0, |(first, last)| last.0 - first.0 + 1);
        span * 10 <= self.days.len() as i64 * 13
    }

    /// Things that end long before the others.
    fn stopped(&self, path: &str) -> Vec<Told> {
        let Some((last, _)) = self.last else { return Vec::new() };
        let things =
            self.columns.iter().find(|column| column.names_things(self.rows) && 2 < column.things.len());
        let Some(column) = things else { return Vec::new() };
        let ended: Vec<_> = column.things.iter().filter(|(_, (day, _))| *day + STOPPED < last).collect();
        if column.things.len() < ended.len() * 3 {
            return Vec::new();
        }
        let told = ended.into_iter().take(3).map(|(name, (day, cited))| {
            lacks(
                path,
                format!("{} {name} stops on {}", code(&column.name), days::told(*day)),
                vec![cited.clone()],
            )
        });
        told.collect()
    }

    /// Days without rows, where nearly every day has some.
    fn gaps(&self, path: &str) -> Option<Told> {
        let days: Vec<i64> = self.days.iter().copied().collect();
        let (first, last) = (*days.first()?, *days.last()?);
        let lost = last - first + 1 - days.len() as i64;
        if lost == 0 || days.len() < 10 || (last - first) * 8 > days.len() as i64 * 10 {
            return None;
        }
        let mut gaps: Vec<(i64, i64)> = days
            .windows(2)
            .filter(|pair| 1 < pair[1] - pair[0])
            .map(|pair| (pair[0] + 1, pair[1] - 1))
            .collect();
        gaps.sort_by_key(|(from, to)| (from - to, *from));
        let told: Vec<String> = gaps
            .iter()
            .map(|(from, to)| {
                if from == to {
                    days::told(*from)
                } else {
                    format!("{} to {}", days::told(*from), days::told(*to))
                }
            })
            .collect();
        let evidence = self.first.iter().chain(&self.last).map(|(_, cited)| cited.clone()).collect();
        Some(lacks(
            path,
            format!("no rows on {}: {}", count(lost.unsigned_abs(), "day"), some_of(&told, 3)),
            evidence,
        ))
    }
}

/// `monthly `, where every name carries a month.
fn by_names(files: &[String]) -> &'static str {
    let shape = |name: &String| -> String {
        name.chars().map(|character| if character.is_ascii_digit() { '0' } else { character }).collect()
    };
    let shapes: BTreeSet<String> = files.iter().map(shape).collect();
    let all = |word: &str| shapes.iter().all(|shape| shape.contains(word));
    match () {
        () if files.len() < 3 => "",
        () if all("0000-00-00") || all("00000000") => "daily ",
        () if all("0000-00") || all("0000_00") || all("000000") => "monthly ",
        () if all("0000") => "yearly ",
        () => "",
    }
}
