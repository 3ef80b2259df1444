//! Files that are numbered one after the other: which numbers are not there.

use std::collections::{BTreeMap, BTreeSet};

use crate::offline::words::{code, some_of};

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
}
