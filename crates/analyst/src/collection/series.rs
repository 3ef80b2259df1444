//! Archives that were made again and again: those whose names differ by a date are one series, with its rhythm and its gaps.

use std::collections::BTreeMap;

use luminos_core::fact::{Day, Detail, Fact, Holding};
use luminos_core::proof::Evidence;

use super::{days, kept, warns};
use crate::words::{code, count, number, some_of};

/// Fewer are no series.
const FEWEST: usize = 3;

/// One archive with what is told of it alone.
pub(super) struct Member {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) keeps: Holding,
    pub(super) evidence: Vec<Evidence>,
    /// The directory that all of it lies in, if there is one.
    pub(super) top: Option<String>,
}

/// Tells series as a whole, and the other archives one by one.
pub(super) fn told(dir: &str, members: Vec<Member>) -> Vec<Fact> {
    let mut series: BTreeMap<String, Vec<(i64, Member)>> = BTreeMap::new();
    let mut told = Vec::new();
    for member in members {
        match date_in(&member.name) {
            Some((shape, day)) => series.entry(shape).or_default().push((day, member)),
            None => told.push(alone(member)),
        }
    }
    for (_, mut members) in series {
        members.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.name.cmp(&b.1.name)));
        if members.len() < FEWEST {
            told.extend(members.into_iter().map(|(_, member)| alone(member)));
        } else {
            told.extend(together(dir, &members));
        }
    }
    told
}

fn alone(member: Member) -> Fact {
    kept(&member.path, member.keeps, member.evidence)
}

fn together(dir: &str, members: &[(i64, Member)]) -> Vec<Fact> {
    let (Some((first, one)), Some((last, newest))) = (members.first(), members.last()) else {
        return Vec::new();
    };
    let files = || members.iter().map(|(_, member)| member.keeps.count);
    let (least, most) = (files().min().unwrap_or(0), files().max().unwrap_or(0));
    let each = if least == most {
        format!("{} in each", count(least, "packed file"))
    } else {
        format!("{} to {} in each", number(least), count(most, "packed file"))
    };
    // What is in all of them is told by the newest.
    let each = match &newest.top {
        Some(top) => format!("{each}, in {top}"),
        None => each,
    };
    let mut steps: Vec<i64> = members.windows(2).map(|pair| pair[1].0 - pair[0].0).collect();
    steps.sort_unstable();
    let usual = steps.get(steps.len() / 2).copied().unwrap_or(0);
    let rhythm = match usual {
        1 => Some("daily"),
        7 => Some("weekly"),
        28..=31 => Some("monthly"),
        _ => None,
    };
    let mut details: Vec<Detail> = rhythm.map(|word| Detail::Text(word.to_owned())).into_iter().collect();
    details.push(Detail::Names(format!("{} and the like", code(&one.name))));
    details.push(Detail::Text(each));
    let keeps = Holding {
        count: members.len() as u64,
        noun: "archive".to_owned(),
        period: Some((Day::of_number(*first), Day::of_number(*last))),
        details,
    };
    let evidence: Vec<Evidence> =
        [one, newest].iter().filter_map(|of| of.evidence.first().cloned()).collect();
    let mut told = vec![kept(dir, keeps, evidence)];
    let gap = members.windows(2).filter(|pair| 0 < usual && usual * 2 <= pair[1].0 - pair[0].0);
    if let Some(pair) = gap.max_by_key(|pair| pair[1].0 - pair[0].0) {
        let words = format!(
            "no archive between {} and {}, where one came every {}",
            days::told(pair[0].0),
            days::told(pair[1].0),
            if usual == 1 { "day".to_owned() } else { count(usual.unsigned_abs(), "day") }
        );
        let around = pair.iter().filter_map(|(_, member)| member.evidence.first().cloned()).collect();
        told.push(warns(dir, words, around));
    }
    let mut sizes: Vec<u64> = files().collect();
    sizes.sort_unstable();
    let middle = sizes.get(sizes.len() / 2).copied().unwrap_or(0);
    let small: Vec<&Member> =
        members.iter().map(|(_, member)| member).filter(|member| member.keeps.count * 2 < middle).collect();
    if !small.is_empty() && small.len() * 4 <= members.len() {
        let names: Vec<String> = small
            .iter()
            .map(|member| format!("{} packs only {}", code(&member.name), count(member.keeps.count, "file")))
            .collect();
        let words = format!("{}, where {} are usual", some_of(&names, 3), number(middle));
        let cited = small.iter().filter_map(|member| member.evidence.first().cloned()).take(3).collect();
        told.push(warns(dir, words, cited));
    }
    told
}

/// The day in a name, and the name without it: `www-2024-01-07.tar.gz` and `www-20240107.tar.gz`.
pub(super) fn date_in(name: &str) -> Option<(String, i64)> {
    let digits = |from: usize, to: usize| {
        let part = name.get(from..to)?;
        part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<i64>().ok())?
    };
    for (at, _) in name.char_indices() {
        let is_start = at == 0 || !name.as_bytes()[at - 1].is_ascii_digit();
        if !is_start {
            continue;
        }
        let is_mark = |at: usize| matches!(name.as_bytes().get(at), Some(b'-' | b'_' | b'.'));
        let parted = (is_mark(at + 4) && is_mark(at + 7))
            .then(|| Some((digits(at, at + 4)?, digits(at + 5, at + 7)?, digits(at + 8, at + 10)?, 10)))
            .flatten();
        let joined = || Some((digits(at, at + 4)?, digits(at + 4, at + 6)?, digits(at + 6, at + 8)?, 8));
        let Some((year, month, day, length)) = parted.or_else(joined) else { continue };
        let is_year = (1980..2100).contains(&year);
        if let Some(day) = days::number(year, month, day).filter(|_| is_year) {
            return Some((format!("{}*{}", &name[..at], &name[at + length..]), day));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_in_a_name_is_found_and_taken_out() {
        let day = days::number(2024, 1, 7);
        assert_eq!(date_in("www-2024-01-07.tar.gz"), day.map(|day| ("www-*.tar.gz".to_owned(), day)));
        assert_eq!(date_in("db_20240107.zip"), day.map(|day| ("db_*.zip".to_owned(), day)));
        assert_eq!(date_in("release-1.20.3.zip"), None);
        assert_eq!(date_in("99999999.zip"), None);
    }
}
