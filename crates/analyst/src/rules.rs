//! What deserves a flag: rules that are seldom wrong, each with a name that stays.
//!
//! Each rule is declared once, in `table`. A file is gone through once for the words that rules begin with; only what holds
//! one is looked at closely. What is quoted of a secret is enough to find it and not enough to use it. Nothing that stands
//! in a file can keep a rule from speaking. In tests, examples and documentation a finding is good to know and no more, and
//! is told once for a directory.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use luminos_core::RelPath;
use luminos_core::flag::{Flag, Severity};
use luminos_core::job::{Assignment, ListedFile};
use luminos_core::proof::Evidence;
use luminos_core::scan::Category;
use luminos_tools::Root;
use regex::Regex;

use super::eyes::FileText;
use super::words::{code, count, some_of};
pub(crate) use spoken::Spoken;
use table::{CARD, INVISIBLE, ORDERS, PRIVATE_KEY, Rule, SHELL, TODO};

mod calls;
mod check;
pub(crate) mod functions;
mod guise;
mod install;
pub(crate) mod links;
mod meant;
pub(crate) mod orders;
mod place;
mod secrets;
mod spoken;
mod table;
#[cfg(test)]
mod tests;
mod text;
mod tongue;
pub(crate) mod tree;

/// So many places are shown for one flag.
const PLACES: usize = 5;
/// More findings of one rule in a directory are told together.
const TOGETHER: usize = 3;

/// Findings of one kind in a file are one: the rule, the words, and how much less bad they are than the rule says.
type Kind = (&'static str, &'static str, Option<Severity>);

/// What is said of text in a program that would be an order elsewhere.
const OWN_ORDERS: &str = "Text in this program reads like orders to AI readers, as prompts of its own do";

/// What a rule found in a file: the words, how bad, and where.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    rule: &'static Rule,
    severity: Severity,
    finding: String,
    evidence: Vec<Evidence>,
}

impl Found {
    fn new(rule: &'static Rule, finding: String, evidence: Vec<Evidence>) -> Self {
        Self { rule, severity: rule.severity, finding, evidence }
    }

    /// The flag for a file, or for what lies beside the program.
    pub(crate) fn flag(self, path: RelPath, dir: &RelPath) -> Flag {
        // On purpose or not, somebody may want to know; but nobody needs to come running.
        let word = path.to_word();
        let is_side = is_aside(&word) || self.rule.id.starts_with("code.") && is_for_developers(&word);
        let severity = if is_side { Severity::Info } else { self.severity };
        Flag {
            path,
            finding: self.finding,
            severity,
            rule: Some(self.rule.id.to_owned()),
            evidence: self.evidence,
            directory: dir.clone(),
            verified: false,
            faults: Vec::new(),
        }
    }
}

/// Whether a path looks like test material, where secrets and dangers are usually there on purpose.
pub(crate) fn is_for_tests(path: &str) -> bool {
    static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(
            r"(?i)(^|[/_.-])(tests?|testing|testdata|testutils?|specs?|fixtures?|mocks?|e2e)([/_.-]|$)|(^|[/_.-])(examples?|samples?|demos?|benches|benchmarks?|docs?|playground|tutorials?)([_.-][^/]*)?/",
        )
        .ok()
    });
    // `FooTest.java`, `FooTests.cs`.
    let name = path.rsplit('/').next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    // What packages are called says nothing: `src/main/java/org/x/samples`. A program may be called `x-benchmark`, too.
    let place = super::role::before_packages(path);
    let is_match = |text: &str| WORDS.as_ref().is_some_and(|words| words.is_match(text));
    let is_placed = if place.len() < path.len() {
        is_match(&format!("{place}/")) || is_match(name)
    } else {
        is_match(path)
    };
    is_placed || stem.ends_with("Test") || stem.ends_with("Tests")
}

/// Whether a path lies beside the program itself: test material, or code of others.
pub(crate) fn is_aside(path: &str) -> bool {
    is_for_tests(path) || is_copied(path)
}

fn is_copied(path: &str) -> bool {
    let names = [
        "vendor",
        "vendored",
        "third_party",
        "third-party",
        "thirdparty",
        "3rdparty",
        "external",
        "deps",
        "node_modules",
    ];
    path.rsplit_once('/').is_some_and(|(dirs, _)| dirs.split('/').any(|dir| names.contains(&dir)))
}

/// Whether only those who work on the program run it.
fn is_for_developers(path: &str) -> bool {
    let names = ["hack", "contrib", "ci", "dev", "migrations", "migrate", "post_migrate"];
    let Some((dirs, _)) = path.rsplit_once('/') else { return false };
    let steps = || dirs.match_indices('/').map(|(at, _)| &dirs[..at]).chain([dirs]);
    dirs.split('/').any(|dir| names.contains(&dir))
        || steps().any(|dir| super::role::Role::of(dir) == Some(super::role::Role::Scripts))
}

/// All flags that a file deserves by what stands in it.
pub(crate) fn flags(file: &FileText, category: Category, dir: &RelPath, beside: &[ListedFile]) -> Vec<Flag> {
    let is_test = is_for_tests(&file.word);
    let mut found = Vec::new();
    let spoken = Spoken::of(file);
    let mut merged: BTreeMap<Kind, (Found, Vec<Evidence>)> = BTreeMap::new();
    let tongue = tongue::Tongue::of(&file.name, &file.text);
    let seen = check::Sightings::of(file, tongue);
    for (check, mut hits) in check::hits(file, category, tongue, &seen) {
        if check.rule.id == SHELL.id {
            hits.retain(|hit| {
                !(file.line(hit.line).contains("shell") && calls::is_fixed_line(file, hit.line))
            });
        }
        if hits.is_empty() {
            continue;
        }
        if check.rule.id == TODO.id {
            found.extend(
                text::unfinished(file, &hits)
                    .filter(|_| category == Category::Source && !is_aside(&file.word)),
            );
            continue;
        }
        if check.rule.id.starts_with("secret.") {
            let real: Vec<_> = hits.into_iter().filter(|hit| secrets::is_real(check, file, hit)).collect();
            let leaks = real.iter().map(|hit| secrets::Leak {
                rule: check.rule,
                words: check.words,
                line: hit.line,
                end: file.start_of(hit.line) + secrets::shown(hit),
                less: None,
            });
            found.extend(told_together(file, &leaks.collect::<Vec<_>>(), is_test, &spoken));
            continue;
        }
        for hit in &hits {
            let is_order = check.rule.id == ORDERS.id;
            // Tests do dangerous things on purpose; text that addresses readers is told wherever it is.
            if !is_order && (is_test || spoken.is_test(hit.line)) {
                continue;
            }
            // Programs that ask models, or look for such text, hold it in strings.
            let is_own = is_order
                && spoken.is_program()
                && (check.is_for_programs || spoken.is_string(file.start_of(hit.line) + hit.heart));
            let meant = meant::of(check.rule.id, file, hit.line);
            let (words, less) = match is_own {
                true => (OWN_ORDERS, Some(Severity::Info)),
                false if let Some(meant) = meant => meant,
                false if is_order && spoken.is_test(hit.line) => (check.words, Some(Severity::Info)),
                false => (check.words, None),
            };
            let entry = merged.entry((check.rule.id, words, less)).or_insert_with(|| {
                let severity = less.or(check.severity).unwrap_or(check.rule.severity);
                (Found { severity, ..Found::new(check.rule, words.to_owned(), Vec::new()) }, Vec::new())
            });
            entry.1.push(file.cite_lines(hit.line, hit.line));
        }
    }
    let mut leaks: BTreeMap<&str, Vec<secrets::Leak>> = BTreeMap::new();
    for leak in secrets::leaks(file) {
        leaks.entry(leak.words).or_default().push(leak);
    }
    found.extend(leaks.values().filter_map(|leaks| told_together(file, leaks, is_test, &spoken)));
    for (mut one, mut evidence) in merged.into_values() {
        evidence.sort_by_key(|evidence| evidence.start_line);
        // A line that has two shapes of the same is one place.
        evidence.dedup_by_key(|evidence| evidence.start_line);
        let places = places(&mut evidence);
        one.finding = if one.rule.id == ORDERS.id {
            format!(
                "{}{places}. It was treated as data; tools that feed this file to a model may not do that.",
                one.finding
            )
        } else {
            format!("{}{places}.", one.finding)
        };
        found.push(Found { evidence, ..one });
    }
    // Tests of what handles text are full of odd characters.
    let is_odd =
        |found: &Found| is_test && found.rule.id == INVISIBLE.id && found.severity != Severity::Critical;
    found.extend(text::look(file, category).into_iter().filter(|found| !is_odd(found)));
    found.extend(orders::hidden(file, &seen));
    if !is_aside(&file.word) {
        found.extend(install::look(file, beside));
    }
    keep_one_secret(&mut found);
    let is_in_tests = |found: &&mut Found| {
        !found.evidence.is_empty()
            && found.evidence.iter().all(|evidence| spoken.is_test(evidence.start_line as usize))
    };
    found.iter_mut().filter(is_in_tests).for_each(|found| found.severity = Severity::Info);
    found.into_iter().map(|found| found.flag(file.path.clone(), dir)).collect()
}

/// Secrets of one kind in a file as one finding: the worst of them, and how many more there are.
fn told_together(
    file: &FileText,
    leaks: &[secrets::Leak],
    is_test: bool,
    spoken: &Spoken<'_>,
) -> Option<Found> {
    let severity = |leak: &secrets::Leak| leak.less.unwrap_or(leak.rule.severity);
    // One that is not in tests says more.
    let rank =
        |leak: &&secrets::Leak| (!spoken.is_test(leak.line), severity(leak), std::cmp::Reverse(leak.line));
    let worst = leaks.iter().max_by_key(rank)?;
    let line = worst.line;
    let more = match leaks.len() - 1 {
        0 => String::new(),
        more => format!(" ({more} more in this file)"),
    };
    let is_shown = worst.less == Some(Severity::Info);
    let advice = match is_test || is_shown {
        true => ", as tests and examples do. Make sure that nothing real trusts it.",
        // A card is in no history of a program.
        false if worst.rule.id == CARD.id => ".",
        false => ". If it is real, revoke it: it stays in the history even after it is removed.",
    };
    let finding = format!("Line {line} holds what looks like {}{more}{advice}", worst.words);
    let found = Found::new(worst.rule, finding, vec![file.cite_up_to(line, worst.end)]);
    Some(Found { severity: severity(worst), ..found })
}

/// What a file is good for, where no scan tells.
pub(crate) fn category_of(file: &FileText, known: Category) -> Category {
    let is_program = known == Category::Unknown && tongue::Tongue::of(&file.name, &file.text).is_some();
    if is_program { Category::Source } else { known }
}

/// The flag for a file that is no text and gives orders to machine readers all the same.
pub(crate) fn in_bytes(bytes: &[u8], path: &RelPath, dir: &RelPath) -> Option<Flag> {
    let how = orders::in_bytes(bytes)?;
    let finding = format!(
        "This file tries to instruct AI readers, {how}. It was treated as data; tools that feed it to a model may not do that."
    );
    Some(Found::new(&ORDERS, finding, Vec::new()).flag(path.clone(), dir))
}

/// A line that has two shapes of secrets is told once, by the surer one.
fn keep_one_secret(found: &mut Vec<Found>) {
    let line = |found: &Found| found.evidence.first().map(|evidence| evidence.start_line);
    let sure: Vec<Option<u64>> = found
        .iter()
        .filter(|one| one.rule.id.starts_with("secret.") && one.severity == PRIVATE_KEY.severity)
        .map(line)
        .collect();
    let mut seen = Vec::new();
    found.retain(|one| {
        if !one.rule.id.starts_with("secret.") || one.severity == PRIVATE_KEY.severity {
            return true;
        }
        let is_new = !seen.contains(&one.rule.id);
        seen.push(one.rule.id);
        is_new && !sure.contains(&line(one))
    });
}

/// Hidden files of a directory that often hold passwords, with their sizes.
pub(crate) fn hidden_files(assignment: &Assignment, root: &Root) -> Vec<(RelPath, u64)> {
    place::hidden(assignment, root)
}

/// Flags about a directory's files as files, and about links of its documents.
pub(crate) fn of_dir(assignment: &Assignment, root: &Root, links: &[(RelPath, &[links::Link])]) -> Vec<Flag> {
    let dir = &assignment.job.dir;
    let about_files = place::look(assignment, root).into_iter().map(|(path, found)| found.flag(path, dir));
    let about_links = links
        .iter()
        .filter(|(path, _)| !is_copied(&path.to_word()))
        .filter_map(|(path, links)| Some(links::broken(links, dir, root)?.flag(path.clone(), dir)));
    about_files.chain(about_links).collect()
}

/// What to do about a finding of a rule, as a sentence with a space before it.
pub(crate) fn advice(id: &str) -> Option<String> {
    table::ALL.iter().find(|rule| rule.id == id).map(|rule| format!(" {}", rule.remedy))
}

/// Flags as a reader wants them: what lies in tests, and what a rule says of many files, is told once for the directory.
pub(crate) fn together(flags: Vec<Flag>) -> Vec<Flag> {
    let mut groups: BTreeMap<(bool, Option<String>), Vec<Flag>> = BTreeMap::new();
    let mut out = Vec::new();
    for flag in flags {
        if flag.severity == Severity::Info {
            groups.entry((is_aside(&flag.path.to_word()), flag.rule.clone())).or_default().push(flag);
        } else {
            out.push(flag);
        }
    }
    for ((is_side, _), mut flags) in groups {
        flags.sort_by(|a, b| a.path.cmp(&b.path));
        if flags.len() <= if is_side { 1 } else { TOGETHER } {
            out.extend(flags);
            continue;
        }
        let rest = if is_side { 1 } else { TOGETHER };
        // The longest finding says most; of the rest the files are enough.
        let others: Vec<String> = flags.iter().skip(rest).map(|flag| code(&name_of(&flag.path))).collect();
        let more = format!(
            " The like is in {} here: {}.",
            count(others.len() as u64, "more file"),
            some_of(&others, 5)
        );
        flags.truncate(rest);
        if let Some(last) = flags.last_mut() {
            last.finding.push_str(&more);
        }
        out.extend(flags);
    }
    out.sort_by(|a, b| {
        b.severity.cmp(&a.severity).then_with(|| a.path.cmp(&b.path)).then_with(|| a.rule.cmp(&b.rule))
    });
    out
}

/// So many flags and no more; the worst, but at least one of each rule: who raises many of one cannot hide another.
pub(crate) fn at_most(flags: Vec<Flag>, most: usize) -> Vec<Flag> {
    let left_out = flags.len().saturating_sub(most);
    if left_out == 0 {
        return flags;
    }
    let mut rules = BTreeSet::new();
    let is_first: Vec<bool> = flags.iter().map(|flag| rules.insert(flag.rule.clone())).collect();
    let mut room = most.saturating_sub(rules.len());
    let kept = flags.into_iter().zip(is_first).filter(|(_, is_first)| {
        let has_room = 0 < room;
        room -= usize::from(has_room && !is_first);
        *is_first || has_room
    });
    let mut kept: Vec<Flag> = kept.map(|(flag, _)| flag).collect();
    if let Some(last) = kept.last_mut() {
        last.finding.push_str(&format!(
            " {} of this directory are not listed.",
            count(left_out as u64, "more finding")
        ));
    }
    kept
}

fn name_of(path: &RelPath) -> String {
    path.to_word().rsplit('/').next().unwrap_or_default().to_owned()
}

/// Places as evidence, and how many there are in words: ` (3 places)`.
fn places(evidence: &mut Vec<Evidence>) -> String {
    let all = evidence.len();
    evidence.truncate(PLACES);
    if all == 1 { String::new() } else { format!(" ({all} places)") }
}
