//! A column of a table: what its cells are, how far they reach, which are missing.

use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use luminos_core::fact::Fact;
use luminos_core::proof::Evidence;

use super::super::{days, lacks, trifle};
use super::form::{DayForm, Form};
use super::slips::{self, shown};
use super::source::Source;
use crate::words::{code, count, number};

/// A column with more different values names no things.
const THINGS: usize = 64;
/// So many different values of a key are kept, to be looked for in other tables.
const KEYS: usize = 200_000;

/// A value of a column that comes again and again.
#[derive(Debug, Clone)]
pub(super) struct Thing {
    pub(super) count: u64,
    /// The last day it has, and where.
    pub(super) last: i64,
    pub(super) cited: Evidence,
}

#[derive(Default)]
pub(super) struct Column {
    pub(super) name: String,
    /// Whether eight digits in it are a day.
    is_called_a_day: bool,
    pub(super) missing: u64,
    pub(super) missing_at: Option<Evidence>,
    pub(super) numbers: u64,
    pub(super) texts: u64,
    pub(super) text_at: Option<(String, Evidence)>,
    pub(super) reach: slips::Reach,
    addresses: u64,
    pub(super) address_at: Option<Evidence>,
    pub(super) things: BTreeMap<String, Thing>,
    pub(super) has_many: bool,
    pub(super) dates: BTreeMap<DayForm, (u64, Evidence)>,
    /// The hashes of all its values, where it is called like a key.
    pub(super) keys: Option<HashSet<u64>>,
}

impl Column {
    /// A column of which nothing was seen yet.
    pub(super) fn called(name: &str) -> Self {
        let keys = is_key(name).then(HashSet::new);
        let lower = name.to_ascii_lowercase();
        let is_called_a_day = ["date", "datum", "day", "tag"].iter().any(|word| lower.contains(word));
        Self { name: name.to_owned(), keys, is_called_a_day, ..Self::default() }
    }

    /// Sees a cell; the day of its row is for what names things.
    pub(super) fn see(
        &mut self,
        cell: &str,
        form: Form,
        day: i64,
        head: &Source<'_>,
        at: usize,
        room: &mut usize,
    ) {
        if matches!(cell, "" | "NA" | "N/A" | "n/a" | "NaN" | "nan" | "null" | "NULL" | "None" | "-" | "?") {
            self.missing += 1;
            self.missing_at.get_or_insert_with(|| head.cite_line(at));
            return;
        }
        if let Some((_, written)) = self.day(cell, form) {
            self.dates.entry(written).or_insert_with(|| (0, head.cite_line(at))).0 += 1;
            return;
        }
        if let Some(keys) = &mut self.keys {
            let mut hasher = DefaultHasher::new();
            cell.hash(&mut hasher);
            *room -= usize::from(keys.insert(hasher.finish())).min(*room);
            if KEYS < keys.len() || *room == 0 {
                *room += keys.len();
                self.keys = None;
            }
        }
        match form.number(cell) {
            Some(number) => {
                self.numbers += 1;
                self.reach.see(number, &|| head.cite_line(at));
            }
            None => self.see_text(cell, head, at),
        }
        if self.has_many || 40 < cell.len() || cell.contains('`') {
            return;
        }
        let known = self.things.len();
        match self.things.get_mut(cell) {
            Some(thing) => {
                thing.count += 1;
                if thing.last < day {
                    (thing.last, thing.cited) = (day, head.cite_line(at));
                }
            }
            None if known < THINGS => {
                let thing = Thing { count: 1, last: day, cited: head.cite_line(at) };
                self.things.insert(cell.to_owned(), thing);
            }
            None => {
                self.has_many = true;
                self.things = BTreeMap::new();
            }
        }
    }

    /// The day that a cell begins with; eight digits are one where the column is called so.
    pub(super) fn day(&self, cell: &str, form: Form) -> Option<(i64, DayForm)> {
        let joined = || days::joined(cell).filter(|_| self.is_called_a_day && cell.len() == 8);
        form.day(cell).or_else(|| Some((joined()?, DayForm::Joined)))
    }

    /// From which year to which its numbers reach, where they are years.
    pub(super) fn years(&self) -> Option<(f64, f64)> {
        let lower = self.name.to_ascii_lowercase();
        let is_called_so = ["year", "jahr", "année", "annee", "anno", "año"].contains(&lower.as_str());
        let (least, greatest) = self.reach.usual();
        let is_years = 0 < self.numbers
            && self.texts == 0
            && 1600.0 <= least
            && greatest < 2200.0
            && !self.reach.has_fractions();
        (is_called_so && is_years).then_some((least, greatest))
    }

    fn see_text(&mut self, cell: &str, head: &Source<'_>, at: usize) {
        self.texts += 1;
        if is_address(cell) {
            self.addresses += 1;
            self.address_at.get_or_insert_with(|| head.cite_line(at));
        }
        let is_told = cell.len() <= 30 && !cell.contains(['`', '“', '”']);
        if self.text_at.is_none() && is_told {
            self.text_at = Some((cell.to_owned(), head.cite_line(at)));
        }
    }

    /// The same column of another file of the set.
    pub(super) fn absorb(&mut self, other: &Self) {
        self.missing += other.missing;
        self.missing_at = self.missing_at.take().or_else(|| other.missing_at.clone());
        self.numbers += other.numbers;
        self.texts += other.texts;
        self.text_at = self.text_at.take().or_else(|| other.text_at.clone());
        self.reach.absorb(&other.reach);
        self.has_many |= other.has_many;
        for (form, (count, cited)) in &other.dates {
            self.dates.entry(*form).or_insert_with(|| (0, cited.clone())).0 += count;
        }
        for (name, thing) in &other.things {
            let known =
                self.things.entry(name.clone()).or_insert_with(|| Thing { count: 0, ..thing.clone() });
            known.count += thing.count;
            if known.last < thing.last {
                (known.last, known.cited) = (thing.last, thing.cited.clone());
            }
        }
    }

    /// Whether most of its values are addresses of people.
    pub(super) fn is_personal(&self) -> bool {
        2 < self.addresses && self.texts < self.addresses * 2
    }

    /// How many cells hold a day.
    pub(super) fn days(&self) -> u64 {
        self.dates.values().map(|(count, _)| count).sum()
    }

    /// How many cells it has.
    pub(super) fn seen(&self) -> u64 {
        self.missing + self.numbers + self.texts + self.days()
    }

    /// Whether its values are names of a few things that come again and again.
    pub(super) fn names_things(&self, rows: u64) -> bool {
        let is_decimal = self.things.keys().any(|thing| thing.contains('.') && thing.parse::<f64>().is_ok());
        !self.has_many
            && !is_decimal
            && 1 < self.things.len()
            && (self.things.len() as u64) * 5 <= rows
            && self.days() == 0
            && (self.numbers <= self.texts && !self.is_clock()
                || self.name.to_ascii_lowercase().ends_with("id")
                || is_thing(&self.name))
    }

    /// Whether its values are times of day.
    fn is_clock(&self) -> bool {
        let is_time = |cell: &String| {
            cell.contains(':') && cell.bytes().all(|byte| byte.is_ascii_digit() || b":.".contains(&byte))
        };
        self.things.keys().all(is_time)
    }

    /// `12 stations`, where the name says what they are; few things are told by their names.
    pub(super) fn how_many(&self) -> String {
        let things = self.things.len() as u64;
        let counted = if is_thing(&self.name) && !self.name.contains('_') {
            count(things, &self.name.to_lowercase())
        } else {
            format!("{things} different {}", code(&self.name))
        };
        let is_word = |name: &&String| {
            2 <= name.chars().count()
                && name.chars().count() <= 24
                && name.chars().any(char::is_alphabetic)
                && !name.contains([';', '`', ':', '(', ')', ','])
                && !super::super::titles::is_private(name)
        };
        if 4 < things || !self.things.keys().all(|name| is_word(&name)) {
            return counted;
        }
        let mut names: Vec<(&String, u64)> =
            self.things.iter().map(|(name, thing)| (name, thing.count)).collect();
        names.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        let names: Vec<&str> = names.into_iter().map(|(name, _)| name.as_str()).collect();
        format!("{counted} ({})", names.join(", "))
    }

    /// ``decimal `price` (0.5 to 99)``, of columns that are measured and not names. A value far from all others is told
    /// elsewhere.
    pub(super) fn range(&self) -> Option<String> {
        if !self.is_measured() {
            return None;
        }
        let (least, greatest) = self.reach.usual();
        let greatest = self.reach.without_too_old(&self.name).unwrap_or(greatest);
        (least < greatest).then(|| format!("{} {} to {}", code(&self.name), shown(least), shown(greatest)))
    }

    /// Whether its cells are numbers that somebody measured or counted.
    pub(super) fn is_measured(&self) -> bool {
        0 < self.numbers && self.texts * 20 < self.numbers && !is_key(&self.name) && !is_thing(&self.name)
    }
}

/// `ada@example.org`.
fn is_address(cell: &str) -> bool {
    cell.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty()
            && !name.contains(char::is_whitespace)
            && host.split_once('.').is_some_and(|(first, rest)| !first.is_empty() && 1 < rest.len())
            && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
    })
}

/// Names of columns whose values lead to rows elsewhere.
pub(super) fn is_key(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    ["id", "_key", "_no", "_nr", "uuid", "isbn", "ean", "zip", "postcode", "plz"]
        .iter()
        .any(|word| lower == word.trim_start_matches('_') || lower.ends_with(word))
        || lower.ends_with("code")
}

/// Names of columns that name things.
fn is_thing(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [
        "station", "sensor", "device", "site", "shop", "store", "branch", "region", "product", "machine",
        "room", "meter",
    ]
    .iter()
    .any(|word| name == *word || name.starts_with(&format!("{word}_")))
}

/// Says that values of a column are missing; that all of them are, hardly anybody needs to know.
pub(crate) fn missing(path: &str, missing: u64, all: u64, column: &str, evidence: Vec<Evidence>) -> Fact {
    let words = missing_in_words(missing, all, column);
    if missing == all { trifle(path, words, evidence) } else { lacks(path, words, evidence) }
}

/// `1 of 4 values of `rent` is missing`.
pub(crate) fn missing_in_words(missing: u64, all: u64, column: &str) -> String {
    if missing == all {
        return format!("{} is empty in every row", code(column));
    }
    let verb = if missing == 1 { "is" } else { "are" };
    format!("{} of {} values of {} {verb} missing", number(missing), number(all), code(column))
}
