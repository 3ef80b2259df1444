//! A column of a table: what its cells are, how far they reach, which are missing.

use std::collections::BTreeMap;

use luminos_core::proof::Evidence;

use super::super::days;
use crate::offline::eyes::Peek;
use crate::offline::words::{code, count, number};

/// A column with more different values names no things.
const THINGS: usize = 64;
/// A value beyond all others is told among so many, and when it is so many times as large as the next.
const COMPARABLE: u64 = 30;
const FAR: f64 = 20.0;

#[derive(Default)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) missing: u64,
    pub(super) missing_at: Option<Evidence>,
    pub(super) numbers: u64,
    pub(super) texts: u64,
    pub(super) text_at: Option<(String, Evidence)>,
    least: f64,
    greatest: f64,
    greatest_at: Option<Evidence>,
    /// The greatest but one, and how often the greatest is there.
    next: f64,
    peaks: u64,
    addresses: u64,
    pub(super) address_at: Option<Evidence>,
    /// Different values, with the last day of each and where it is.
    pub(super) things: BTreeMap<String, (i64, Evidence)>,
    has_many: bool,
    dates: u64,
}

impl Column {
    /// A column of which nothing was seen yet.
    pub(super) fn called(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    pub(super) fn see(&mut self, cell: &str, day: i64, head: &Peek, at: usize) {
        if matches!(cell, "" | "NA" | "N/A" | "n/a" | "NaN" | "nan" | "null" | "NULL" | "None" | "-" | "?") {
            self.missing += 1;
            self.missing_at.get_or_insert_with(|| head.cite_line(at));
            return;
        }
        if days::at_start(cell).is_some() {
            self.dates += 1;
            return;
        }
        match cell.parse::<f64>().ok().filter(|number| number.is_finite()) {
            Some(number) => {
                if self.numbers == 0 {
                    (self.least, self.greatest, self.next, self.peaks) = (number, number, f64::MIN, 1);
                    self.greatest_at = Some(head.cite_line(at));
                } else if self.greatest < number {
                    (self.next, self.greatest, self.peaks) = (self.greatest, number, 1);
                    self.greatest_at = Some(head.cite_line(at));
                } else if number.total_cmp(&self.greatest).is_eq() {
                    self.peaks += 1;
                } else {
                    self.next = self.next.max(number);
                }
                self.least = self.least.min(number);
                self.numbers += 1;
            }
            None => {
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
        }
        if self.has_many || 40 < cell.len() || cell.contains('`') {
            return;
        }
        let known = self.things.len();
        match self.things.get_mut(cell) {
            Some((last, cited)) if *last < day => (*last, *cited) = (day, head.cite_line(at)),
            Some(_) => {}
            None if known < THINGS => {
                self.things.insert(cell.to_owned(), (day, head.cite_line(at)));
            }
            None => self.has_many = true,
        }
    }

    /// A single value far beyond all others: the value, the next one, and where it is.
    pub(super) fn outlier(&self) -> Option<(f64, f64, &Evidence)> {
        let is_measured =
            COMPARABLE <= self.numbers && self.texts * 20 < self.numbers && !is_thing(&self.name);
        let is_id = self.name.to_ascii_lowercase().ends_with("id");
        let is_far = self.peaks == 1 && 0.0 < self.next && self.next * FAR < self.greatest;
        (is_measured && is_far && !is_id).then_some(())?;
        Some((self.greatest, self.next, self.greatest_at.as_ref()?))
    }

    /// Whether most of its values are addresses of people.
    pub(super) fn is_personal(&self) -> bool {
        2 < self.addresses && self.texts < self.addresses * 2
    }

    /// How many cells it has.
    pub(super) fn seen(&self) -> u64 {
        self.missing + self.numbers + self.texts + self.dates
    }

    /// Whether its values are names of a few things that come again and again.
    pub(super) fn names_things(&self, rows: u64) -> bool {
        let is_decimal = self.things.keys().any(|thing| thing.contains('.') && thing.parse::<f64>().is_ok());
        !self.has_many
            && !is_decimal
            && 1 < self.things.len()
            && (self.things.len() as u64) * 5 <= rows
            && self.dates == 0
            && (self.numbers <= self.texts
                || self.name.to_ascii_lowercase().ends_with("id")
                || is_thing(&self.name))
    }

    /// `12 stations`, where the name says what they are.
    pub(super) fn how_many(&self) -> String {
        let things = self.things.len() as u64;
        if is_thing(&self.name) && !self.name.contains('_') {
            count(things, &self.name)
        } else {
            format!("{things} different {}", code(&self.name))
        }
    }

    /// ``decimal `price` (0.5 to 99)``, of columns that are measured and not names.
    pub(super) fn range(&self) -> Option<String> {
        let is_measured = 0 < self.numbers
            && self.texts * 20 < self.numbers
            && !self.name.to_ascii_lowercase().ends_with("id")
            && !is_thing(&self.name);
        (is_measured && self.least < self.greatest)
            .then(|| format!("{} {} to {}", code(&self.name), self.least, self.greatest))
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

/// `1 of 4 values of `rent` is missing`.
pub(crate) fn missing_in_words(missing: u64, all: u64, column: &str) -> String {
    let verb = if missing == 1 { "is" } else { "are" };
    format!("{} of {} values of {} {verb} missing", number(missing), number(all), code(column))
}
