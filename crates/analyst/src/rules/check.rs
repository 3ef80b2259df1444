//! Rules that look for a shape in a line: one pass over the file finds the words that shapes begin with, and only lines
//! that hold one are looked at closely.

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use luminos_core::flag::Severity;
use luminos_core::scan::Category;
use regex::Regex;

use super::table::{ORDERS, Rule};
use super::tongue::{Tongue, is_code};
use super::{calls, orders, secrets, text};
use crate::eyes::FileText;

/// Longer lines were made by machines.
pub(super) const LONGEST_LINE: usize = 1_000;

/// Where a shape counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In code of these languages, comments and strings apart.
    Code(&'static [Tongue]),
    /// In every text.
    Anywhere,
}

/// A shape to look for.
pub(super) struct Check {
    pub(super) rule: &'static Rule,
    pub(super) place: Place,
    /// Every line that matters holds one of these, in whatever case.
    pub(super) hints: &'static [&'static str],
    pub(super) pattern: &'static str,
    /// A line that holds one of these is harmless.
    pub(super) unless: &'static [&'static str],
    /// The file must hold this somewhere.
    pub(super) needs: &'static str,
    /// What was found, as a sentence without its end.
    pub(super) words: &'static str,
    /// Less than what the rule says.
    pub(super) severity: Option<Severity>,
    /// Programs have reasons to write it, wherever it stands in them.
    pub(super) is_for_programs: bool,
}

impl Check {
    pub(super) const fn new(rule: &'static Rule, place: Place, words: &'static str) -> Self {
        Self {
            rule,
            place,
            hints: &[],
            pattern: "",
            unless: &[],
            needs: "",
            words,
            severity: None,
            is_for_programs: false,
        }
    }

    fn concerns(&self, tongue: Option<Tongue>) -> bool {
        match self.place {
            Place::Code(tongues) => tongue.is_some_and(|tongue| tongues.contains(&tongue)),
            Place::Anywhere => true,
        }
    }
}

/// A line that has the shape.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Hit {
    pub(super) line: usize,
    /// Where the shape begins in the line, and where what matters in it does.
    pub(super) start: usize,
    pub(super) heart: usize,
    pub(super) end: usize,
}

struct Hunt {
    checks: Vec<Sought>,
    words: Option<AhoCorasick>,
    /// What a word is for.
    owners: Vec<Owner>,
}

/// A check, and its shape once somebody has needed it: most files need none, and to make all takes a while.
struct Sought {
    check: &'static Check,
    shape: OnceLock<Option<Regex>>,
}

impl Sought {
    fn shape(&self) -> Option<&Regex> {
        self.shape.get_or_init(|| Regex::new(self.check.pattern).ok()).as_ref()
    }
}

/// What a word is a sign of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// A check, and whether that is one for orders to machine readers.
    Check(usize, bool),
    /// An order that is turned round.
    Turned,
}

static HUNT: LazyLock<Hunt> = LazyLock::new(|| {
    let all = calls::CHECKS.iter().chain(secrets::CHECKS).chain(text::CHECKS);
    let checks: Vec<Sought> = all.map(|check| Sought { check, shape: OnceLock::new() }).collect();
    let words = checks.iter().enumerate().flat_map(|(index, Sought { check, .. })| {
        let owner = Owner::Check(index, check.rule.id == ORDERS.id);
        check.hints.iter().map(move |hint| (owner, (*hint).to_owned()))
    });
    let turned = orders::turned_hints().map(|hint| (Owner::Turned, hint));
    let (owners, words): (Vec<Owner>, Vec<String>) = words.chain(turned).unzip();
    Hunt { checks, words: automaton(words), owners }
});

/// Where words stand in a file that somebody should look at: every byte is gone through once, for all rules together.
#[derive(Debug, Default)]
pub(super) struct Sightings {
    /// For each check, the lines that hold one of its words.
    lines: BTreeMap<usize, Vec<usize>>,
    /// Where words of orders begin, and those of orders that are turned round.
    pub(super) orders: Vec<usize>,
    pub(super) turned: Vec<usize>,
}

impl Sightings {
    /// Goes through a file.
    pub(super) fn of(file: &FileText, tongue: Option<Tongue>) -> Self {
        let mut seen = Self::default();
        let Some(words) = &HUNT.words else { return seen };
        for found in words.find_overlapping_iter(&file.text) {
            let check = match HUNT.owners[found.pattern().as_usize()] {
                Owner::Check(check, is_order) => {
                    if is_order {
                        seen.orders.push(found.start());
                    }
                    check
                }
                Owner::Turned => {
                    seen.turned.push(found.start());
                    continue;
                }
            };
            if !HUNT.checks[check].check.concerns(tongue) {
                continue;
            }
            let line = file.line_at(found.start());
            let lines = seen.lines.entry(check).or_default();
            if lines.last() != Some(&line) {
                lines.push(line);
            }
        }
        seen.orders.sort_unstable();
        seen.turned.sort_unstable();
        seen
    }
}

/// Looks for words in whatever case. Every byte of a target goes through it, so it is a table, which is larger and much
/// faster.
pub(super) fn automaton(words: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Option<AhoCorasick> {
    let mut builder = AhoCorasick::builder();
    builder.ascii_case_insensitive(true).match_kind(MatchKind::Standard).kind(Some(AhoCorasickKind::DFA));
    builder.build(words).ok()
}

/// Every check that found something, with the lines.
pub(super) fn hits(
    file: &FileText,
    category: Category,
    tongue: Option<Tongue>,
    seen: &Sightings,
) -> Vec<(&'static Check, Vec<Hit>)> {
    let mut prose = None;
    let mut out = Vec::new();
    for (index, lines) in &seen.lines {
        let sought = &HUNT.checks[*index];
        let check = sought.check;
        let mut lines = lines.clone();
        lines.dedup();
        if !check.needs.is_empty() && !file.text.contains(check.needs) {
            continue;
        }
        let is_code_only = matches!(check.place, Place::Code(_));
        if is_code_only && !matches!(category, Category::Source | Category::Config) {
            continue;
        }
        let mut found = Vec::new();
        for line in lines {
            let text = file.line(line);
            if LONGEST_LINE < text.len() || check.unless.iter().any(|word| text.contains(word)) {
                continue;
            }
            let Some(captures) = sought.shape().and_then(|shape| shape.captures(text)) else { continue };
            let Some(whole) = captures.get(0) else { continue };
            let heart = captures.get(1).unwrap_or(whole);
            if is_code_only && let Some(tongue) = tongue {
                let ranges = prose.get_or_insert_with(|| tongue.prose(&file.text));
                if !is_code(ranges, file.start_of(line) + heart.start()) {
                    continue;
                }
            }
            found.push(Hit { line, start: whole.start(), heart: heart.start(), end: heart.end() });
        }
        if !found.is_empty() {
            out.push((check, found));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_one_and_every_check_has_a_hint() {
        let all = calls::CHECKS.iter().chain(secrets::CHECKS).chain(text::CHECKS);
        for check in all {
            assert!(Regex::new(check.pattern).is_ok(), "{}", check.pattern);
            assert!(!check.hints.is_empty(), "{}", check.pattern);
        }
        assert!(HUNT.words.is_some());
    }
}
