//! Files that are called by numbers, months or years: which of them are not there.

use std::collections::{BTreeMap, BTreeSet};

use luminos_core::fact::Fact;
use luminos_core::proof::Evidence;

use super::titles::Titled;
use super::warns;
use crate::words::{code, some_of};

/// Fewer are no series.
const FEWEST: usize = 10;
/// Larger numbers were not counted from one.
const LARGEST: u64 = 100_000;
/// So many series are told of.
const TOLD: usize = 2;

/// Numbers between the first and the last that no file has, in words; where files are numbered from one on.
pub(super) fn left_out(names: &BTreeSet<String>) -> Vec<String> {
    let mut series: BTreeMap<(&str, usize), BTreeSet<u64>> = BTreeMap::new();
    for name in names {
        let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
        let before = stem.trim_end_matches(|last: char| last.is_ascii_digit());
        let digits = &stem[before.len()..];
        if 2 < digits.len()
            && let Ok(number) = digits.parse::<u64>()
        {
            series.entry((before, digits.len())).or_default().insert(number);
        }
    }
    let told = series.into_iter().filter_map(|((before, width), numbers)| {
        let (first, last) = (*numbers.first()?, *numbers.last()?);
        if numbers.len() < FEWEST || 1 < first || LARGEST < last {
            return None;
        }
        let lost: Vec<String> = (first..last)
            .filter(|number| !numbers.contains(number))
            .map(|number| format!("{number:0width$}"))
            .collect();
        if lost.is_empty() || numbers.len() < lost.len() * 8 {
            return None;
        }
        let (noun, verb) = if lost.len() == 1 { ("number", "is") } else { ("numbers", "are") };
        let called =
            if before.is_empty() { String::new() } else { format!(" of {}", code(&format!("{before}*"))) };
        Some(format!(
            "{noun} {}{called} {verb} not there; the others run from {first:0width$} to {last:0width$}",
            some_of(&lost, 4)
        ))
    });
    told.take(TOLD).collect()
}

/// Months that are not there, where names carry nearly every month of a time.
pub(super) fn months_left_out<'n>(
    dir: &str,
    names: impl Iterator<Item = &'n str>,
    evidence: &[Evidence],
) -> Vec<Fact> {
    let mut series: BTreeMap<String, BTreeSet<i64>> = BTreeMap::new();
    for name in names {
        if let Some((shape, month)) = month_in(name) {
            series.entry(shape).or_default().insert(month);
        }
    }
    let told = series.into_iter().filter_map(|(shape, months)| {
        let (first, last) = (*months.first()?, *months.last()?);
        let lost: Vec<String> = (first..=last)
            .filter(|month| !months.contains(month))
            .map(|month| format!("{}-{:02}", month.div_euclid(12), month.rem_euclid(12) + 1))
            .collect();
        let is_series = 5 <= months.len() && !lost.is_empty() && lost.len() * 3 <= months.len();
        is_series.then(|| {
            format!("no {} for {}, where every other month has one", code(&shape), some_of(&lost, 4))
        })
    });
    let cited: Vec<Evidence> = evidence.iter().take(1).cloned().collect();
    told.map(|words| warns(dir, words, cited.clone())).take(3).collect()
}

/// Years that are not there, where the names of documents differ by years only.
pub(super) fn years_left_out(dir: &str, titled: &[Titled], evidence: &[Evidence]) -> Vec<Fact> {
    let mut series: BTreeMap<String, BTreeSet<i64>> = BTreeMap::new();
    for one in titled {
        if let Some((shape, year)) = year_in(&one.name) {
            series.entry(shape).or_default().insert(year);
        }
    }
    let told = series.into_iter().filter_map(|(shape, years)| {
        let (first, last) = (*years.first()?, *years.last()?);
        let lost: Vec<String> =
            (first..last).filter(|year| !years.contains(year)).map(|year| year.to_string()).collect();
        let is_series = 3 <= years.len() && !lost.is_empty() && lost.len() * 3 <= years.len();
        is_series
            .then(|| format!("no {} for {}, between {first} and {last}", code(&shape), some_of(&lost, 4)))
    });
    let cited: Vec<Evidence> = evidence.iter().take(1).cloned().collect();
    told.map(|words| warns(dir, words, cited.clone())).take(3).collect()
}

/// The only number in a name, where it is a year, and the name without it.
fn year_in(name: &str) -> Option<(String, i64)> {
    let at = name.find(|first: char| first.is_ascii_digit())?;
    let digits = name[at..].bytes().take_while(u8::is_ascii_digit).count();
    let rest = &name[at + digits..];
    let stem = rest.rsplit_once('.').map_or(rest, |(stem, _)| stem);
    let year: i64 = name[at..at + digits].parse().ok()?;
    let fits = digits == 4 && (1900..2100).contains(&year) && !stem.contains(|of: char| of.is_ascii_digit());
    fits.then(|| (format!("{}*{rest}", &name[..at]), year))
}

/// The month in a name, and the name without it.
fn month_in(name: &str) -> Option<(String, i64)> {
    let digits = |from: usize, to: usize| {
        let part = name.get(from..to)?;
        part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<i64>().ok())?
    };
    let bytes = name.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    name.char_indices().find_map(|(at, _)| {
        if 0 < at && is_digit(at - 1)
            || !matches!(bytes.get(at + 4), Some(b'-' | b'_' | b'.'))
            || is_digit(at + 7)
        {
            return None;
        }
        let (year, month) = (digits(at, at + 4)?, digits(at + 5, at + 7)?);
        let fits = (1980..2100).contains(&year) && (1..=12).contains(&month);
        fits.then(|| (format!("{}*{}", &name[..at], &name[at + 7..]), year * 12 + month - 1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_between_others_is_missed() {
        let names = |numbers: &[u32]| numbers.iter().map(|at| format!("box_{at:03}.tif")).collect();
        let all: Vec<u32> = (1..=20).filter(|at| *at != 7).collect();
        assert_eq!(
            left_out(&names(&all)),
            ["number 007 of `box_*` is not there; the others run from 001 to 020"]
        );
        assert!(left_out(&names(&(1..=20).collect::<Vec<_>>())).is_empty());
        // Cameras count on over the years.
        assert!(left_out(&names(&(300..320).filter(|at| *at != 307).collect::<Vec<_>>())).is_empty());
    }

    #[test]
    fn months_and_years_are_found_in_names() {
        assert_eq!(month_in("bill_2023-04.pdf"), Some(("bill_*.pdf".to_owned(), 2023 * 12 + 3)));
        assert_eq!(month_in("bill_2023-04-05.pdf").map(|(_, month)| month), Some(2023 * 12 + 3));
        assert_eq!(month_in("bill.pdf"), None);
        assert_eq!(year_in("tax-2019.pdf"), Some(("tax-*.pdf".to_owned(), 2019)));
        assert_eq!(year_in("tax-2019-2.pdf"), None);
    }
}
