//! Flags of one rule as one: a reader wants to know that there are forty, where the worst is, and some of the others.

use std::collections::BTreeMap;

use luminos_core::RelPath;
use luminos_core::flag::{Flag, Severity};
use luminos_core::proof::Evidence;

use crate::measure::number;

/// So many of one rule and severity stand by themselves.
const APART: usize = 3;
/// So many other places are kept of those that are told together.
const PLACES: usize = 4;

/// The flags as they are shown: those that a rule raised many times are told once, where the first of them stood, by the
/// worst. Doing it twice changes nothing.
pub(super) fn gathered(flags: &[Flag]) -> Vec<Flag> {
    let mut groups: BTreeMap<(bool, Severity, &str), Vec<&Flag>> = BTreeMap::new();
    for flag in flags {
        if let Some(rule) = &flag.rule {
            groups.entry((flag.is_unproved(), flag.severity, rule)).or_default().push(flag);
        }
    }
    let mut shown = Vec::new();
    for flag in flags {
        let key = flag.rule.as_deref().map(|rule| (flag.is_unproved(), flag.severity, rule));
        match key.and_then(|key| Some((key, groups.get(&key)?))) {
            Some((_, group)) if group.len() <= APART => shown.push(flag.clone()),
            Some((key, _)) => shown.extend(groups.remove(&key).and_then(together)),
            None if key.is_none() => shown.push(flag.clone()),
            None => {}
        }
    }
    shown
}

fn together(mut group: Vec<&Flag>) -> Option<Flag> {
    group.sort_by_key(|flag| std::cmp::Reverse(weight(&flag.finding)));
    let (worst, others) = group.split_first()?;
    let place = |flag: &&Flag| Evidence {
        quote: None,
        quote_hash: None,
        ..flag.evidence.first().cloned().unwrap_or_else(|| lines(&flag.path, 0))
    };
    let own = worst.evidence.first().cloned();
    let evidence = own.into_iter().chain(others.iter().take(PLACES).map(place)).collect();
    let finding = format!("{} There are {} more of this kind.", worst.finding, number(others.len() as u64));
    Some(Flag { evidence, finding, ..(*worst).clone() })
}

fn lines(path: &RelPath, line: u64) -> Evidence {
    let path = path.clone();
    Evidence {
        path,
        start_line: line,
        end_line: line,
        quote: None,
        quote_hash: None,
        start: None,
        end: None,
        blob: None,
        call: None,
    }
}

/// How much a finding counts, by its largest number: of lines, of places, of files. Names and numbers of lines are none.
fn weight(finding: &str) -> u64 {
    let plain = finding.split('`').step_by(2).flat_map(str::split_whitespace);
    let mut before = "";
    let mut most = 0;
    for word in plain {
        let digits: String = word.chars().filter(char::is_ascii_digit).collect();
        let is_count = word.trim_start_matches('(').starts_with(|first: char| first.is_ascii_digit());
        if is_count && !before.eq_ignore_ascii_case("line") {
            most = most.max(digits.parse().unwrap_or(0));
        }
        before = word;
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flag(path: &str, rule: &str, finding: &str) -> Flag {
        Flag {
            path: RelPath::from(path),
            finding: finding.to_owned(),
            severity: Severity::Info,
            rule: Some(rule.to_owned()),
            evidence: vec![lines(&RelPath::from(path), 7)],
            directory: RelPath::root(),
            verified: true,
            faults: Vec::new(),
        }
    }

    #[test]
    fn many_of_one_rule_are_told_by_the_worst() {
        let mut flags: Vec<Flag> = (1..=9)
            .map(|n| flag(&format!("{n}.c"), "long", &format!("`f9999` has {} lines.", n % 8 * 100)))
            .collect();
        flags.insert(4, flag("x.c", "odd", "Line 9 holds something."));
        let shown = gathered(&flags);
        assert_eq!(shown.len(), 2);
        assert_eq!(shown[0].finding, "`f9999` has 700 lines. There are 8 more of this kind.");
        assert_eq!(shown[0].evidence.len(), 1 + PLACES);
        assert_eq!(shown[1].finding, "Line 9 holds something.");
        assert_eq!(gathered(&shown), shown);
    }

    #[test]
    fn a_few_stand_by_themselves() {
        let flags: Vec<Flag> = (1..=3).map(|n| flag(&format!("{n}.c"), "long", "Long.")).collect();
        assert_eq!(gathered(&flags), flags);
    }
}
