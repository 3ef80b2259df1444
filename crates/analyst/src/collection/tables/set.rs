//! Files of one form, told as one table: how many rows of what, over which time, and what is wrong with them.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use luminos_core::fact::{Day, Detail, Fact, Holding};
use luminos_core::proof::Evidence;

use super::super::{days, faulty, kept, lacks, warns};
use super::column::{Column, missing};
use super::form::{Cells, Form, cells};
use super::slips;
use super::source::Source;
use crate::words::{code, count, number, some_of};

/// Something that ends so many days before the rest has stopped.
const STOPPED: i64 = 10;
/// Rows of all tables of a directory that are compared with one another.
const COMPARED: usize = 3_000_000;
/// Values of keys of all tables of a directory that are remembered.
const KEYS: usize = 1_000_000;
/// Different days of a table that are told apart.
const DAYS: usize = 150_000;
/// A day at the end that is so far from the next is a slip.
const STRAY: i64 = 1_000;
/// In so many rows a column with days is looked for.
const SEARCHED: u64 = 1_000;
/// So many columns are named that nothing else is told of.
const NAMED: usize = 8;
/// In fewer rows two columns may miss as many as there are rows by chance.
const PAIRED: u64 = 20;
/// More gaps are a rhythm.
const GAPS: usize = 6;
/// So many remarks of one kind are told.
const REMARKS: usize = 3;

/// What may still be remembered of the tables of a directory: they may be as long as they like.
#[derive(Debug)]
pub(super) struct Room {
    rows: usize,
    keys: usize,
}

impl Default for Room {
    fn default() -> Self {
        Self { rows: COMPARED, keys: KEYS }
    }
}

/// Files with the same columns.
#[derive(Default)]
pub(super) struct Set {
    pub(super) files: Vec<String>,
    pub(super) rows: u64,
    /// Those that are looked at.
    pub(super) columns: Vec<Column>,
    /// How many columns there are.
    pub(super) width: usize,
    pub(super) head: Vec<Evidence>,
    /// Whether a file was too large to be read to its end.
    pub(super) is_partial: bool,
    /// How many lines with rows the scan counted.
    pub(super) lines: u64,
    pub(super) has_head: bool,
    dated: Option<usize>,
    /// The rows of each day, and where the first is.
    days: BTreeMap<i64, (u64, Evidence)>,
    seen: HashSet<u64>,
    twice: u64,
    twice_at: Option<Evidence>,
    uneven: u64,
    uneven_at: Option<Evidence>,
}

impl Set {
    pub(super) fn see(&mut self, row: &str, form: Form, head: &Source<'_>, at: usize, room: &mut Room) {
        self.rows += 1;
        let Cells { first: cells, all } = cells(row, form.mark);
        if all != self.width {
            self.uneven += 1;
            self.uneven_at.get_or_insert_with(|| head.cite_line(at));
        }
        if 0 < room.rows {
            let mut hasher = DefaultHasher::new();
            row.hash(&mut hasher);
            if self.seen.insert(hasher.finish()) {
                room.rows -= 1;
            } else {
                self.twice += 1;
                self.twice_at.get_or_insert_with(|| head.cite_line(at));
            }
        }
        // The first column that holds a day dates the row; what others hold may be birthdays.
        let day_in = |at: usize| Some(self.columns.get(at)?.day(cells.get(at)?.trim(), form)?.0);
        let dates_rows = |at: usize| self.columns.get(at).is_some_and(|column| !is_of_a_thing(&column.name));
        if self.dated.is_none() && self.rows <= SEARCHED {
            self.dated = (0..cells.len()).find(|at| day_in(*at).is_some() && dates_rows(*at));
        }
        let day = self.dated.and_then(day_in);
        if let Some(day) = day.filter(|day| self.days.len() < DAYS || self.days.contains_key(day)) {
            self.days.entry(day).or_insert_with(|| (0, head.cite_line(at))).0 += 1;
        }
        for (column, cell) in self.columns.iter_mut().zip(&cells) {
            column.see(cell.trim(), form, day.unwrap_or(0), head, at, &mut room.keys);
        }
    }

    /// A file with a slip in its head still belongs to the set: its rows and days count.
    pub(super) fn absorb(&mut self, other: Self) {
        self.files.extend(other.files);
        self.rows += other.rows;
        for (day, (rows, cited)) in other.days {
            self.days.entry(day).or_insert_with(|| (0, cited)).0 += rows;
        }
        for column in &mut self.columns {
            if let Some(theirs) = other.columns.iter().find(|theirs| theirs.name == column.name) {
                column.absorb(theirs);
            }
        }
    }

    /// The first and the last day, without those that are slips.
    fn period(&self) -> Option<(i64, i64)> {
        let strays: Vec<i64> = self.strays();
        let mut days = self.days.keys().filter(|day| !strays.contains(day));
        let first = *days.next()?;
        Some((first, days.next_back().copied().unwrap_or(first)))
    }

    /// The first and the last year, where a column holds years and none holds days.
    fn years(&self) -> Option<(Day, Day)> {
        let (least, greatest) = self.columns.iter().find_map(Column::years)?;
        Some((Day::of_year(least as i32), Day::of_year(greatest as i32)))
    }

    /// Single days at the ends that are years from all others.
    fn strays(&self) -> Vec<i64> {
        let days: Vec<i64> = self.days.keys().copied().collect();
        let [first, second, .., before, last] = days[..] else { return Vec::new() };
        let rows = |day: &i64| self.days.get(day).map_or(0, |(rows, _)| *rows);
        let is_stray = |day: &i64, next: i64, span: i64| {
            20 <= days.len() && STRAY.max(span) < (day - next).abs() && rows(day) * 50 <= self.rows
        };
        let ends = [(first, second, last - second), (last, before, before - first)];
        ends.into_iter()
            .filter(|(day, next, span)| is_stray(day, *next, *span))
            .map(|(day, _, _)| day)
            .collect()
    }

    fn cite_day(&self, day: i64) -> Option<Evidence> {
        self.days.get(&day).map(|(_, cited)| cited.clone())
    }

    fn path(&self, dir: &str) -> String {
        match &self.files[..] {
            [only] if dir != "." => format!("{dir}/{only}"),
            [only] => only.clone(),
            _ => dir.to_owned(),
        }
    }

    pub(super) fn told(self, dir: &str) -> Vec<Fact> {
        let path = self.path(dir);
        if self.rows == 0 {
            let cited = self.head.first().cloned().into_iter().collect();
            return vec![lacks(&path, "it has a head and no rows".to_owned(), cited)];
        }
        let period = self.period();
        let mut evidence: Vec<Evidence> = self.head.iter().take(1).cloned().collect();
        evidence.extend(
            period.iter().flat_map(|(first, last)| [*first, *last]).filter_map(|day| self.cite_day(day)),
        );
        let keeps = Holding {
            count: self.files.len() as u64,
            noun: format!("{}table", super::by_names(&self.files)),
            period: period
                .map(|(first, last)| (Day::of_number(first), Day::of_number(last)))
                .or_else(|| self.years()),
            details: self.details(),
        };
        let mut told = vec![kept(&path, keeps, evidence)];
        told.extend(self.stopped(&path));
        told.extend(self.gaps(&path));
        told.extend(self.slips(&path));
        told.extend(self.cells(&path));
        told.extend(self.rows_amiss(&path));
        told
    }

    fn details(&self) -> Vec<Detail> {
        let things: Vec<&Column> =
            self.columns.iter().filter(|column| column.names_things(self.rows)).collect();
        let often = self.how_often(things.first().map_or(1, |column| column.things.len() as u64));
        let often = often.map_or_else(String::new, |word| format!("{word}, "));
        let rows = count(self.rows, "row");
        let mut details = vec![Detail::Text(if self.is_partial {
            let all = if self.rows < self.lines {
                format!("about {}", count(self.lines, "row"))
            } else {
                format!("more than {rows}")
            };
            format!("{all}, of which the first {} were read", number(self.rows))
        } else {
            format!("{often}{rows}")
        })];
        if self.columns.len() < self.width {
            let all = count(self.width as u64, "column");
            details.push(Detail::Text(format!(
                "{all}, of which the first {} were looked at",
                number(self.columns.len() as u64)
            )));
        }
        let mut named: BTreeSet<&str> = BTreeSet::new();
        if !things.is_empty() {
            let told: Vec<String> = things.iter().map(|column| column.how_many()).collect();
            details.push(Detail::Names(some_of(&told, 3)));
            named.extend(things.iter().take(3).map(|column| column.name.as_str()));
        }
        let measured: Vec<(&Column, String)> =
            self.columns.iter().filter_map(|column| Some((column, column.range()?))).collect();
        // Years that are told as the time of the table are not told again.
        let is_time = |column: &Column| self.days.is_empty() && column.years().is_some();
        named.extend(self.columns.iter().filter(|column| is_time(column)).map(|column| column.name.as_str()));
        let measured: Vec<(&Column, String)> =
            measured.into_iter().filter(|(column, _)| !is_time(column)).collect();
        if !measured.is_empty() {
            let told: Vec<String> = measured.iter().map(|(_, range)| range.clone()).collect();
            details.push(Detail::Names(some_of(&told, 5)));
            named.extend(measured.iter().map(|(column, _)| column.name.as_str()));
        }
        let others: Vec<String> = self
            .columns
            .iter()
            .enumerate()
            .filter(|(at, column)| {
                let is_told = named.contains(column.name.as_str()) || self.dated == Some(*at);
                !is_told && 0 < column.seen() - column.missing
            })
            .map(|(_, column)| code(&column.name))
            .collect();
        if !self.has_head {
            details.push(Detail::Text(format!("{} without names", count(self.width as u64, "column"))));
        } else if !others.is_empty() {
            let others = some_of(&others, NAMED);
            details.push(match named.is_empty() {
                true => Detail::With(others),
                false => Detail::Text(format!("also {others}")),
            });
        }
        details
    }

    /// Values and names that do not fit their column, and days that do not fit the rest.
    fn slips(&self, path: &str) -> Vec<Fact> {
        let mut told = Vec::new();
        for column in self.columns.iter().filter(|column| column.is_measured()) {
            for (gravity, words, cited) in column.reach.slips(&column.name) {
                told.push(faulty(path, gravity, words, vec![cited]));
            }
        }
        for column in
            self.columns.iter().filter(|column| column.names_things(self.rows) && column.numbers == 0)
        {
            for (rare, times, name, usual, cited) in
                slips::misspelled(&column.things).into_iter().take(REMARKS)
            {
                let words = format!(
                    "{} has “{rare}” ({}) beside “{name}” ({}): one name in two spellings, it seems",
                    code(&column.name),
                    number(times),
                    number(usual)
                );
                told.push(lacks(path, words, vec![cited.clone()]));
            }
        }
        let strays: Vec<i64> = self.strays();
        let cited: Vec<Evidence> = strays.iter().filter_map(|day| self.cite_day(*day)).collect();
        if !cited.is_empty() {
            let shown: Vec<String> = strays.iter().map(|day| days::told(*day)).collect();
            let words = format!("a date is {}, years from the rest: a slip, it seems", some_of(&shown, 2));
            told.push(lacks(path, words, cited));
        }
        told
    }

    /// Cells that are missing, written in several ways, or about people.
    fn cells(&self, path: &str) -> Vec<Fact> {
        let mut told = Vec::new();
        let mut missing: Vec<&Column> = self.columns.iter().filter(|column| 0 < column.missing).collect();
        missing.sort_by_key(|column| std::cmp::Reverse(column.missing));
        // Two columns that together miss as many as there are rows: where one is filled, the other seldom is.
        if let [one, other, ..] = missing[..]
            && one.missing + other.missing == self.rows
            && self.rows < other.missing * 4
            && PAIRED <= self.rows
        {
            let words = format!(
                "{} of {} values of {} and {} of {} are missing: together as many as there are rows",
                number(one.missing),
                number(self.rows),
                code(&one.name),
                number(other.missing),
                code(&other.name)
            );
            told.push(lacks(path, words, one.missing_at.iter().cloned().collect()));
            missing.drain(..2);
        }
        for column in missing.into_iter().take(4) {
            let cited = column.missing_at.iter().cloned().collect();
            told.push(self::missing(path, column.missing, column.seen(), &column.name, cited));
        }
        for column in self.columns.iter().filter(|column| 1 < column.dates.len()) {
            let ways: Vec<String> = column
                .dates
                .iter()
                .map(|(form, (count, _))| format!("{} like {}", number(*count), form.shown()))
                .collect();
            let words = format!("{} writes days in several ways: {}", code(&column.name), some_of(&ways, 3));
            told.push(lacks(path, words, column.dates.values().map(|(_, cited)| cited.clone()).collect()));
        }
        let personal: Vec<&Column> = self.columns.iter().filter(|column| column.is_personal()).collect();
        if let Some(cited) = personal.first().and_then(|column| column.address_at.clone()) {
            let names: Vec<String> = personal.iter().map(|column| code(&column.name)).collect();
            let verb = if names.len() == 1 { "holds" } else { "hold" };
            told.push(warns(
                path,
                format!("{} {verb} e-mail addresses of people", some_of(&names, 3)),
                vec![cited],
            ));
        }
        // A few words among numbers, or one word that comes again and again, such as `<10`.
        let is_among = |column: &&Column| {
            0 < column.texts
                && column.texts < column.numbers
                && (column.texts * 20 < column.numbers || !column.has_many)
        };
        for column in self.columns.iter().filter(is_among) {
            let Some((text, cited)) = &column.text_at else { continue };
            if super::super::titles::is_private(text) {
                continue;
            }
            let values = if column.texts == 1 { "value that is none" } else { "values that are none" };
            let words = format!(
                "{} holds numbers, and {} {values}, such as “{text}”",
                code(&column.name),
                number(column.texts)
            );
            told.push(lacks(path, words, vec![cited.clone()]));
        }
        told
    }

    /// Rows that are there twice, or of another length.
    fn rows_amiss(&self, path: &str) -> Vec<Fact> {
        let mut told = Vec::new();
        if let Some(cited) = self.twice_at.clone().filter(|_| 0 < self.twice) {
            let verb = if self.twice == 1 { "stands" } else { "stand" };
            let words = if self.rows < self.twice * 5 {
                let (twice, rows) = (number(self.twice), number(self.rows));
                format!("{twice} of {rows} rows are repeats of others: no column tells them apart")
            } else {
                format!("{} {verb} there twice, word for word", count(self.twice, "row"))
            };
            told.push(lacks(path, words, vec![cited]));
        }
        if let Some(cited) = self.uneven_at.clone() {
            let words = format!("{} of another length than the head", count(self.uneven, "row"));
            told.push(lacks(path, words, vec![cited]));
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
        let span = self.period().map_or(0, |(first, last)| last - first + 1);
        span * 10 <= self.days.len() as i64 * 13
    }

    /// Things that end long before the others.
    fn stopped(&self, path: &str) -> Vec<Fact> {
        let Some((_, last)) = self.period() else { return Vec::new() };
        let things =
            self.columns.iter().find(|column| column.names_things(self.rows) && 2 < column.things.len());
        let Some(column) = things else { return Vec::new() };
        // What is rare comes and goes; what was there on nearly every day and is not any more has stopped.
        let days_until = |last: i64| self.days.range(..=last).count() as u64;
        let ended: Vec<_> = column
            .things
            .iter()
            .filter(|(_, thing)| {
                thing.last + STOPPED < last && days_until(thing.last) * 7 <= thing.count * 10
            })
            .collect();
        if column.things.len() < ended.len() * 3 {
            return Vec::new();
        }
        let told = ended.into_iter().take(REMARKS).map(|(name, thing)| {
            warns(
                path,
                format!("{} {name} stops on {}", code(&column.name), days::told(thing.last)),
                vec![thing.cited.clone()],
            )
        });
        told.collect()
    }

    /// Days without rows, where nearly every day has some.
    fn gaps(&self, path: &str) -> Option<Fact> {
        let (first, last) = self.period()?;
        let days: Vec<i64> = self.days.range(first..=last).map(|(day, _)| *day).collect();
        let lost = last - first + 1 - days.len() as i64;
        // Many small gaps are a rhythm: nobody works on Sundays.
        let parts = days.windows(2).filter(|pair| 1 < pair[1] - pair[0]).count();
        if lost == 0 || GAPS < parts || days.len() < 10 || (last - first) * 8 > days.len() as i64 * 10 {
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
        let evidence = [first, last].into_iter().filter_map(|day| self.cite_day(day)).collect();
        Some(warns(
            path,
            format!("no rows on {}: {}", count(lost.unsigned_abs(), "day"), some_of(&told, 3)),
            evidence,
        ))
    }
}

/// Names of columns whose days are of the thing that a row tells of, and not of the row.
fn is_of_a_thing(name: &str) -> bool {
    let lower = name.to_lowercase();
    [
        "birth", "born", "dob", "geburt", "geboren", "opened", "founded", "built", "expir", "valid", "until",
        "due",
    ]
    .iter()
    .any(|word| lower.contains(word))
}
