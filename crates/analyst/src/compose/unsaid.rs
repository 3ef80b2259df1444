//! What a directory is where nobody wrote it down: by its name, or at last by what it contains.

use luminos_core::entry::DirEntry;
use luminos_core::fact::{FactKind, Inside, Opening};
use luminos_core::job::{Assignment, Child};
use luminos_core::scan::Category;

use super::amount::{contents, extent};
use super::{Known, Opened, inside, last_name, role_of};
use crate::look::Looked;
use crate::role::Role;
use crate::words::{code, count, first_sentence, list, some_of};

/// A file is an example of its directory with at most so many bytes of its words.
const EXAMPLE: usize = 120;
/// So many types.
const TYPES: usize = 6;
/// Maximum directories below that are named.
const BELOW: usize = 4;

/// What a directory is, by the best source there is but words.
pub(super) fn by_name_or_content<'a>(assignment: &Assignment, looked: &'a [Looked<'_>]) -> Opened<'a> {
    let role = role_of(assignment);
    let tests: u64 =
        looked.iter().filter_map(|file| file.source.as_ref()).map(|source| source.tests as u64).sum();
    match role {
        Some(Role::Tests) if 0 < tests => {
            let text = format!("holds {}", count(tests, "test"));
            return Opened::inside(Inside { has_tests: true, ..inside(text) }, Known::ByName);
        }
        // The name alone makes no tests.
        Some(Role::Tests) if !assignment.files.is_empty() => {
            let what = contents(assignment);
            let is_counted = !what.is_empty();
            if has_tests_below(assignment) {
                let text = format!("holds tests below it, and {what}");
                let opened = Opened::inside(Inside { has_tests: true, ..inside(text) }, Known::ByName);
                return Opened { is_counted, ..opened };
            }
            if !Role::Tests.begins_at(&assignment.job.dir.to_word()) {
                let extent = extent(assignment).map(|extent| format!(" ({extent})")).unwrap_or_default();
                let text = format!("holds {what}{extent} for the tests");
                return Opened { is_counted, ..Opened::inside(inside(text), Known::ByName) };
            }
        }
        Some(Role::Tests) if !has_tests_below(assignment) => {}
        Some(role) => {
            if let Some((told, is_counted)) = by_role(assignment, role) {
                let has_documents = role == Role::Docs || is_counted && has_documents(assignment);
                let has_tests = role == Role::Tests;
                let opened = Opened::inside(Inside { has_documents, has_tests, ..told }, Known::ByName);
                return Opened { is_counted, ..opened };
            }
        }
        None => {}
    }
    let words: Vec<&Looked<'_>> = looked.iter().filter(|file| file.own_words().is_some()).collect();
    if let [only] = words[..]
        && looked.len() == 1
        && let Some(words) = only.own_words()
    {
        let (file, text) = (only.name.clone(), words.to_owned());
        return Opened::written(Opening::OnlyFile { file, lines: u64::from(only.file.lines), text }, "");
    }
    let done = assignment.children.iter().filter(|child| matches!(child, Child::Done(_))).count();
    if assignment.files.is_empty() {
        let children: Vec<String> =
            assignment.children.iter().map(|child| code(last_name(&child.path().to_word()))).collect();
        let told = match children.len() {
            0 if 0 < assignment.folded => inside("holds no files, only other directories".to_owned()),
            0 => Inside { is_noun: true, ..inside("empty".to_owned()) },
            _ => inside(format!("only groups its child directories: {}", some_of(&children, 12))),
        };
        return Opened::inside(told, if 0 < done { Known::ByName } else { Known::ByContent });
    }
    let is_own = |file: &&Looked<'_>| !crate::rules::is_for_tests(&file.word);
    let mut said: Vec<&Looked<'_>> = looked.iter().filter(|file| file.own_words().is_some()).collect();
    said.sort_by(|a, b| {
        is_own(b)
            .cmp(&is_own(a))
            .then_with(|| b.file.lines.cmp(&a.file.lines))
            .then_with(|| a.name.cmp(&b.name))
    });
    let sources = looked.iter().filter(|file| file.source.is_some()).count();
    let known = if 0 < sources && sources <= said.len() * 2 { Known::ByFiles } else { Known::ByContent };
    let lines: u64 = assignment
        .files
        .iter()
        .filter(|file| file.category == Category::Source)
        .map(|file| u64::from(file.lines))
        .sum();
    let lines = (0 < lines).then(|| count(lines, "line"));
    let mut examples: Vec<String> = said
        .iter()
        .filter_map(|file| {
            // Whole sentences only: half of one says less than a shorter one of another file.
            let sentence = Some(first_sentence(file.own_words()?)).filter(|words| words.len() <= EXAMPLE)?;
            Some(format!("{} (“{sentence}”)", code(&file.name)))
        })
        .take(2)
        .collect();
    if examples.is_empty() {
        let mut explained: Vec<&Looked<'_>> =
            looked.iter().filter(|file| file.explained().is_some()).collect();
        explained.sort_by(|a, b| b.file.lines.cmp(&a.file.lines).then_with(|| a.name.cmp(&b.name)));
        let sentences = explained.iter().filter_map(|file| {
            let (name, words) = file.explained().filter(|(_, words)| words.len() <= EXAMPLE)?;
            Some(format!("{} ({name}, “{words}”)", code(&file.name)))
        });
        examples.extend(sentences.take(1));
    }
    if examples.is_empty() {
        let is_licence = |file: &&Looked<'_>| {
            let first = file.facts.first().map(|first| &first.fact);
            matches!(
                first,
                Some(
                    FactKind::Licence { .. }
                        | FactKind::DevelopmentDependencies { .. }
                        | FactKind::Dependencies { .. }
                )
            )
        };
        let shown = looked.iter().filter(|file| !file.facts.is_empty() && !is_licence(file));
        let shown = shown.map(|file| (file, file.gist())).filter(|(_, gist)| gist.len() <= EXAMPLE);
        examples.extend(shown.take(2).map(|(file, gist)| format!("{} ({gist})", code(&file.name))));
    }
    let what = contents(assignment);
    // What it does comes before how much there is of it.
    let (text, size) = match (examples.is_empty(), assignment.files.len()) {
        (true, _) => (format!("holds {what}"), lines),
        (false, 1) => {
            let lines = lines.map(|lines| format!(" ({lines})")).unwrap_or_default();
            (format!("holds {what}{lines}: {}", list(&examples)), None)
        }
        (false, _) => (format!("holds {} among {what}", list(&examples)), lines),
    };
    let is_settings = assignment.files.iter().all(|file| file.category == Category::Config);
    let (types, mut below) = (main_types(looked), below(assignment));
    let more_below = below.len().saturating_sub(BELOW) as u64;
    below.truncate(BELOW);
    let inside = Inside {
        is_settings: is_settings
            && examples.is_empty()
            && size.is_none()
            && types.is_empty()
            && below.is_empty(),
        has_documents: has_documents(assignment),
        has_tests: 0 < tests,
        size,
        types,
        below,
        more_below,
        ..inside(text)
    };
    Opened::inside(inside, known)
}

/// Whether documents are among the files that are counted.
fn has_documents(assignment: &Assignment) -> bool {
    assignment.files.iter().any(|file| file.kind.is_none() && file.category == Category::Document)
}

/// What a directory is by its role, the whole of it or what there is for it, and whether its files are counted; `None` for
/// one that only groups others.
fn by_role(assignment: &Assignment, role: Role) -> Option<(Inside, bool)> {
    let word = assignment.job.dir.to_word();
    let what = contents(assignment);
    let size = extent(assignment).filter(|_| !what.is_empty());
    let sized = match &size {
        Some(size) => format!("{what} ({size})"),
        None => what.clone(),
    };
    let is_inside = !role.begins_at(&word);
    let is_whole = word.rsplit_once('/').is_some_and(|(above, _)| role.begins_at(above));
    let is_flat = matches!(role, Role::Source | Role::Scripts | Role::Migrations | Role::Translations);
    if role == Role::Assets && word.ends_with("resources") && what.is_empty() {
        return Some((inside("holds resources".to_owned()), false));
    }
    if role == Role::Assets && !what.is_empty() {
        return Some((Inside { size, ..inside(format!("holds {what}")) }, true));
    }
    if is_flat || !is_inside {
        return Some((inside(format!("holds {}", role.noun())), false));
    }
    match (what.is_empty(), role == Role::Examples) {
        (false, true) if is_whole => {
            let text = format!("one of the examples: {what}");
            Some((Inside { is_noun: true, size, ..inside(text) }, true))
        }
        (false, true) => Some((inside(format!("holds {sized} for an example")), true)),
        (false, false) => Some((inside(format!("holds {sized}{}", role.aim())), true)),
        // Whoever looks for tests wants to hear where they begin.
        (true, _) => (role == Role::Tests).then(|| (inside(format!("holds {}", role.noun())), false)),
    }
}

/// The types that others can use, those of the largest files first.
fn main_types(looked: &[Looked<'_>]) -> Vec<String> {
    let mut files: Vec<&Looked<'_>> = looked.iter().collect();
    files.sort_by(|a, b| b.file.lines.cmp(&a.file.lines).then_with(|| a.name.cmp(&b.name)));
    let mut names: Vec<String> = Vec::new();
    files.retain(|file| !crate::rules::is_for_tests(&file.word));
    for name in files.iter().filter_map(|file| file.source.as_ref()?.main_types.first()) {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names.truncate(TYPES);
    if names.len() < 2 { Vec::new() } else { names }
}

/// Whether a child directory has tests, by what it says of itself.
fn has_tests_below(assignment: &Assignment) -> bool {
    let mut done = assignment.children.iter().filter_map(|child| match child {
        Child::Done(entry) => Some(entry),
        Child::Skipped { .. } | Child::Missing { .. } => None,
    });
    done.any(|entry| match entry.opening.as_deref() {
        Some(Opening::Inside(inside)) => inside.has_tests,
        Some(Opening::Readme { role, .. }) => role.as_deref() == Some(Role::Tests.noun()),
        Some(Opening::Package { .. } | Opening::MainFile { .. } | Opening::OnlyFile { .. }) => false,
        // A model wrote it: its name has to tell.
        None => Role::of(&entry.relative_path.to_word()) == Some(Role::Tests),
    })
}

/// The largest child directories by name, for a directory that is mostly what lies below it.
fn below(assignment: &Assignment) -> Vec<String> {
    let done = assignment.children.iter().filter_map(|child| match child {
        Child::Done(entry) => Some(entry.as_ref()),
        Child::Skipped { .. } | Child::Missing { .. } => None,
    });
    let mut done: Vec<&DirEntry> = done.collect();
    if done.len() < 2 {
        return Vec::new();
    }
    done.sort_by(|a, b| {
        b.child_count.cmp(&a.child_count).then_with(|| a.relative_path.cmp(&b.relative_path))
    });
    done.iter().map(|entry| format!("{}/", last_name(&entry.relative_path.to_word()))).collect()
}
