//! Values that do not fit their column: one far beyond all others, marks for missing, names with a slip in them.

use std::collections::BTreeMap;

use luminos_core::fact::Gravity;
use luminos_core::proof::Evidence;

use super::column::Thing;
use crate::words::{code, number};

/// A value beyond all others is told among so many.
const COMPARABLE: u64 = 30;
/// So many times as large as the next it is far in any case, and so many where the others lie close together.
const FAR: f64 = 20.0;
const BEYOND: f64 = 3.0;
/// How many times their spread that is.
const SPREADS: f64 = 20.0;
/// Columns with ages of people in years, and how old people become.
const AGES: [&str; 5] = ["age", "age_years", "alter", "âge", "edad"];
const OLDEST: f64 = 120.0;
/// Numbers that people write where there is none.
const MARKS: [f64; 7] = [-999.0, -9999.0, -99999.0, 999.0, 9999.0, 99999.0, 999_999.0];

/// How far numbers reach, at both ends.
#[derive(Debug, Clone, Default)]
pub(super) struct Reach {
    count: u64,
    mean: f64,
    /// The sum of the squares of distances from the mean.
    spread: f64,
    least: End,
    greatest: End,
    below_zero: u64,
    /// Whether any is no whole number: what is measured may be below zero, what is counted may not.
    has_fractions: bool,
    below_zero_at: Option<Evidence>,
}

/// The last value at one end, how often it is there, the one before it, and where it is.
#[derive(Debug, Clone, Default)]
struct End {
    value: f64,
    times: u64,
    next: Option<f64>,
    at: Option<Evidence>,
}

impl End {
    fn see(&mut self, value: f64, is_beyond: fn(f64, f64) -> bool, cite: &dyn Fn() -> Evidence) {
        if self.times == 0 || is_beyond(value, self.value) {
            let next = (0 < self.times).then_some(self.value);
            *self = Self { value, times: 1, next, at: Some(cite()) };
        } else if value.total_cmp(&self.value).is_eq() {
            self.times += 1;
        } else if self.next.is_none_or(|next| is_beyond(value, next)) {
            self.next = Some(value);
        }
    }

    fn absorb(&mut self, other: &Self, is_beyond: fn(f64, f64) -> bool) {
        let Some(cited) = &other.at else { return };
        let (own, times) = (self.times, other.times);
        self.see(other.value, is_beyond, &|| cited.clone());
        if 0 < own || 1 < times {
            self.times =
                if self.value.total_cmp(&other.value).is_eq() { self.times - 1 + times } else { self.times };
        }
        if let Some(next) = other.next.filter(|next| self.next.is_none_or(|own| is_beyond(*next, own))) {
            self.next = Some(next);
        }
    }
}

impl Reach {
    pub(super) fn see(&mut self, value: f64, cite: &dyn Fn() -> Evidence) {
        self.count += 1;
        let distance = value - self.mean;
        self.mean += distance / self.count as f64;
        self.spread += distance * (value - self.mean);
        self.greatest.see(value, |one, other| one > other, cite);
        self.least.see(value, |one, other| one < other, cite);
        self.has_fractions |= value.fract() != 0.0;
        if value < 0.0 {
            self.below_zero += 1;
            self.below_zero_at.get_or_insert_with(cite);
        }
    }

    /// Whether any of the numbers is not whole.
    pub(super) fn has_fractions(&self) -> bool {
        self.has_fractions
    }

    pub(super) fn absorb(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        let (mine, theirs) = (self.count as f64, other.count as f64);
        let distance = other.mean - self.mean;
        self.count += other.count;
        self.mean += distance * theirs / self.count as f64;
        self.spread += other.spread + distance * distance * mine * theirs / self.count as f64;
        self.greatest.absorb(&other.greatest, |one, other| one > other);
        self.least.absorb(&other.least, |one, other| one < other);
        self.has_fractions |= other.has_fractions;
        self.below_zero += other.below_zero;
        self.below_zero_at = self.below_zero_at.take().or_else(|| other.below_zero_at.clone());
    }

    /// From where to where the numbers reach, without one that does not fit.
    pub(super) fn usual(&self) -> (f64, f64) {
        let end = |end: &End| if self.is_far(end) { end.next.unwrap_or(end.value) } else { end.value };
        (end(&self.least), end(&self.greatest))
    }

    /// Whether the last value at one end is far from all others.
    fn is_far(&self, end: &End) -> bool {
        let Some(next) = end.next else { return false };
        // Where all others are the same, one that differs is no slip.
        let other = if std::ptr::eq(end, &self.greatest) { self.least.value } else { self.greatest.value };
        if other.total_cmp(&next).is_eq() && !MARKS.contains(&end.value) {
            return false;
        }
        let is_mark = MARKS.contains(&end.value);
        if self.count < COMPARABLE || !(end.times == 1 || is_mark && end.times * 2 < self.count) {
            return false;
        }
        // The mean and the spread of the others.
        let others = (self.count - end.times) as f64;
        let sum = self.mean * self.count as f64 - end.value * end.times as f64;
        let mean = sum / others;
        let squares = self.spread + self.count as f64 * self.mean * self.mean
            - end.times as f64 * end.value * end.value
            - others * mean * mean;
        let spread = (squares.max(0.0) / others).sqrt();
        let is_beyond_spread = 0.0 < spread && SPREADS * spread < (end.value - mean).abs();
        let is_many_times = 0.0 < next && next * FAR < end.value;
        is_many_times || is_beyond_spread && next.abs() * BEYOND < end.value.abs()
    }

    /// What does not fit, in words, with where it is.
    pub(super) fn slips(&self, column: &str) -> Vec<(Gravity, String, Evidence)> {
        let mut told = Vec::new();
        for (end, most) in [(&self.greatest, "at most"), (&self.least, "at least")] {
            let (Some(next), Some(cited)) = (end.next, &end.at) else { continue };
            if !self.is_far(end) {
                continue;
            }
            let (gravity, times, means) = if end.times == 1 && !MARKS.contains(&end.value) {
                (Gravity::High, "once".to_owned(), "a slip, or something rare")
            } else if end.times == 1 {
                (Gravity::Usual, "once".to_owned(), "a slip, or a mark for a missing value")
            } else {
                let times = format!("{} times", number(end.times));
                (Gravity::Usual, times, "a mark for a missing value, it seems")
            };
            let words = format!(
                "{} is {} {times}, and {most} {} everywhere else: {means}",
                code(column),
                shown(end.value),
                shown(next)
            );
            told.push((gravity, words, cited.clone()));
        }
        if let Some((words, cited)) = self.too_old(column) {
            told.push((Gravity::Usual, words, cited));
        }
        let is_rare = COMPARABLE <= self.count && self.below_zero * 50 <= self.count && !self.has_fractions;
        let is_told = self.is_far(&self.least);
        if let Some(cited) = self.below_zero_at.clone().filter(|_| is_rare && 0 < self.below_zero && !is_told)
        {
            let times = if self.below_zero == 1 {
                "once".to_owned()
            } else {
                format!("{} times", number(self.below_zero))
            };
            let least = self.least.value;
            told.push((
                Gravity::Usual,
                format!(
                    "{} is below zero {times} among {} values, down to {least}",
                    code(column),
                    number(self.count)
                ),
                cited,
            ));
        }
        told
    }
}

impl Reach {
    /// The greatest age, where the one beyond it is one that nobody has.
    pub(super) fn without_too_old(&self, column: &str) -> Option<f64> {
        self.too_old(column).and(self.greatest.next)
    }

    /// An age that nobody has.
    fn too_old(&self, column: &str) -> Option<(String, Evidence)> {
        let is_age = AGES.contains(&column.to_lowercase().as_str());
        let end = &self.greatest;
        let (next, cited) = (end.next?, end.at.clone()?);
        let is_slip = end.times == 1 && OLDEST < end.value && next <= OLDEST && !self.is_far(end);
        (is_age && is_slip).then(|| {
            let (value, next) = (shown(end.value), shown(next));
            (
                format!(
                    "{} is {value} once, and at most {next} everywhere else: a slip, or something rare",
                    code(column)
                ),
                cited,
            )
        })
    }
}

/// A number as people write it: digits that only come from reckoning are left out.
pub(in crate::collection) fn shown(number: f64) -> String {
    if number.abs() < 0.001 {
        return number.to_string();
    }
    let rounded = format!("{number:.4}");
    if rounded.contains('.') {
        rounded.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        rounded
    }
}

/// A rare name that is nearly a frequent one: `terestris` beside `terrestris`.
pub(super) fn misspelled(things: &BTreeMap<String, Thing>) -> Vec<(&str, u64, &str, u64, &Evidence)> {
    let mut told = Vec::new();
    for (rare, thing) in things {
        let like = things
            .iter()
            .filter(|(name, other)| *name != rare && thing.count * 10 <= other.count && is_slip(rare, name));
        if let Some((name, other)) = like.max_by_key(|(_, other)| other.count) {
            told.push((rare.as_str(), thing.count, name.as_str(), other.count, &thing.cited));
        }
    }
    told
}

/// Whether two names differ by one letter, by case or by spaces only. Numbers are never slips of one another.
fn is_slip(one: &str, other: &str) -> bool {
    if one.to_lowercase().split_whitespace().eq(other.to_lowercase().split_whitespace()) {
        return true;
    }
    let (short, long): (Vec<char>, Vec<char>) = match one.chars().count() <= other.chars().count() {
        true => (one.chars().collect(), other.chars().collect()),
        false => (other.chars().collect(), one.chars().collect()),
    };
    if short.len() < 6
        || 1 < long.len() - short.len()
        || one.chars().chain(other.chars()).any(|c| c.is_numeric())
    {
        return false;
    }
    let same = short.iter().zip(&long).take_while(|(a, b)| a == b).count();
    if short.len() == long.len() {
        return short[same + 1..] == long[same + 1..];
    }
    short[same..] == long[same + 1..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_one_letter_and_no_number() {
        assert!(is_slip("Bombus terestris", "Bombus terrestris"));
        assert!(is_slip("zürich", "Zürich"));
        assert!(is_slip("Zurich ", "Zurich"));
        assert!(!is_slip("sensor1", "sensor2"));
        assert!(!is_slip("male", "fale"));
        assert!(!is_slip("Bern", "Basel"));
        assert!(!is_slip("Genève", "Genève Nord"));
    }

    #[test]
    fn a_value_far_from_all_others_is_found_at_both_ends() {
        let cited = || Evidence {
            path: luminos_core::RelPath::from("x"),
            start_line: 1,
            end_line: 1,
            quote: None,
            quote_hash: None,
            start: None,
            end: None,
            blob: None,
            call: None,
        };
        let mut reach = Reach::default();
        (0..100).for_each(|at| reach.see(f64::from(110 + at % 30), &cited));
        reach.see(1280.0, &cited);
        assert_eq!(reach.usual(), (110.0, 139.0));
        let told = reach.slips("systolic");
        assert_eq!(
            told[0].1,
            "`systolic` is 1280 once, and at most 139 everywhere else: a slip, or something rare"
        );
        (0..3).for_each(|_| reach.see(-9999.0, &cited));
        assert!(
            reach.slips("x")[0].1.starts_with("`x` is -9999 3 times, and at least 110"),
            "{:?}",
            reach.slips("x")
        );
        let mut prices = Reach::default();
        (1..200).for_each(|at: u32| prices.see(f64::from(at * at), &cited));
        assert!(prices.slips("price").is_empty());
        let mut other = Reach::default();
        other.see(-5.0, &cited);
        prices.absorb(&other);
        assert_eq!(prices.slips("n")[0].1, "`n` is below zero once among 200 values, down to -5");
    }
}
