//! Directories into subsystems, for targets too large to be seen at once.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use luminos_core::entry::DirEntry;
use luminos_core::report::Subsystem;
use luminos_core::survey::Survey;
use luminos_core::{Fence, RelPath};
use luminos_tools::{Grouping, Limits, Scope, Session, Submission};

use super::synthesis::Known;
use luminos_core::whole::Whole;

use super::{Pass, fence_of, hold};
use crate::prompt::dir::survey_block;
use crate::prompt::{GROUP, GROUP_TASK, cut, fenced};
use luminos_core::end::EndReason;
use luminos_core::services::Answers;

/// Turns of one grouping.
const TURNS: u32 = 3;
/// Directories that one grouping sees. Of more, those are shown that together stand for all.
const SHOWN: usize = 150;
/// As many subsystems a reader can keep in mind.
const MOST: usize = 10;

/// Asks a model to form subsystems. With more directories than one look can take in, small groups are formed first,
/// and subsystems of these.
pub fn group(
    whole: &Whole<'_>,
    survey: Option<&Survey>,
    entries: &[DirEntry],
    answers: &impl Answers,
) -> Result<Vec<Subsystem>, EndReason> {
    let fence = fence_of(whole);
    let shown = frontier(entries, SHOWN);
    let summaries = shown.iter().map(|entry| (entry.relative_path.to_word(), entry.summary.clone()));
    let groups = ask(whole, survey, summaries.collect(), entries, &fence, answers)?;
    let groups = complete(groups, &shown, entries);
    if groups.len() <= MOST && entries.len() <= SHOWN {
        return Ok(groups);
    }
    let names = groups.iter().map(|group| (group.name.clone(), group.description.clone()));
    let Ok(grouped) = ask(whole, survey, names.collect(), entries, &fence, answers) else {
        return Ok(groups);
    };
    Ok(merged(groups, grouped))
}

fn ask(
    whole: &Whole<'_>,
    survey: Option<&Survey>,
    items: Vec<(String, String)>,
    entries: &[DirEntry],
    fence: &Fence,
    answers: &impl Answers,
) -> Result<Grouping, EndReason> {
    let survey = survey.map(|survey| survey_block(survey, fence)).unwrap_or_default();
    let lines: Vec<String> =
        items.iter().map(|(name, about)| format!("{name}: {}", cut(about, 240))).collect();
    let task = GROUP_TASK.fill(&[
        ("turns", &TURNS.to_string()),
        ("survey", survey.trim_start()),
        ("entries", &format!("What is to be grouped:\n{}", fenced(&lines.join("\n"), "directories", fence))),
    ]);
    let known = Known::new(entries, &[]);
    let mut session =
        Session::new(Scope::Grouping, fence.clone(), Limits::default()).with_entries(Arc::new(known));
    let pass = Pass {
        words: GROUP,
        task,
        submit: "submit_grouping",
        turns: TURNS,
        context_budget: whole.context_budget,
    };
    let Submission::Grouping(grouping) = hold(pass, &mut session, fence, answers).submission? else {
        return Err(EndReason::OutOfTurns);
    };
    Ok(grouping)
}

/// At most so many directories that together stand for all: the top ones, and of those with most below them what lies
/// below.
pub(crate) fn frontier(entries: &[DirEntry], most: usize) -> Vec<&DirEntry> {
    if entries.len() <= most {
        return entries.iter().collect();
    }
    let mut children: BTreeMap<Option<RelPath>, Vec<&DirEntry>> = BTreeMap::new();
    let known: BTreeSet<&RelPath> = entries.iter().map(|entry| &entry.relative_path).collect();
    let parent = |path: &RelPath| {
        let mut at = path.parent();
        while let Some(above) = at {
            if known.contains(&above) {
                return Some(above);
            }
            at = above.parent();
        }
        None
    };
    let mut below: BTreeMap<&RelPath, usize> = BTreeMap::new();
    for entry in entries {
        children.entry(parent(&entry.relative_path)).or_default().push(entry);
        let mut at = parent(&entry.relative_path);
        while let Some(above) = at {
            if let Some(above) = known.get(&above) {
                *below.entry(above).or_default() += 1;
            }
            at = parent(&above);
        }
    }
    let mut shown: Vec<&DirEntry> = children.get(&None).cloned().unwrap_or_default();
    let mut opened: BTreeSet<&RelPath> = BTreeSet::new();
    loop {
        let candidates = shown.iter().filter(|entry| !opened.contains(&entry.relative_path));
        let fits = |entry: &&&DirEntry| {
            let inside = children.get(&Some(entry.relative_path.clone())).map_or(0, Vec::len);
            0 < inside && shown.len() + inside <= most
        };
        let size = |entry: &&&DirEntry| below.get(&entry.relative_path).copied().unwrap_or(0);
        let Some(largest) = candidates
            .filter(fits)
            .max_by_key(|entry| (size(entry), std::cmp::Reverse(&entry.relative_path)))
        else {
            break;
        };
        let path = &largest.relative_path;
        opened.insert(path);
        shown.extend(children.get(&Some(path.clone())).into_iter().flatten());
    }
    shown.sort_by(|a, b| a.relative_path.cmp(&b.relative_path));
    shown
}

/// Groups in which every directory is exactly once: in the group that names it first, or with the nearest directory
/// above it, or in a group of those that nobody named.
fn complete(grouping: Grouping, shown: &[&DirEntry], entries: &[DirEntry]) -> Vec<Subsystem> {
    let known: BTreeSet<&RelPath> = shown.iter().map(|entry| &entry.relative_path).collect();
    let mut home: BTreeMap<RelPath, usize> = BTreeMap::new();
    let mut groups: Vec<Subsystem> = Vec::new();
    for group in grouping.groups {
        let place = groups.len();
        for word in &group.directories {
            let word = word.trim().trim_start_matches("./").trim_end_matches('/');
            if let Some(path) = RelPath::from_word(if word.is_empty() { "." } else { word })
                && known.contains(&path)
            {
                home.entry(path).or_insert(place);
            }
        }
        groups.push(Subsystem {
            told: Default::default(),
            name: group.name,
            description: group.description,
            dirs: Vec::new(),
        });
    }
    let mut homeless = Vec::new();
    for entry in entries {
        let mut at = Some(entry.relative_path.clone());
        let place = loop {
            match at {
                Some(path) => match home.get(&path) {
                    Some(place) => break Some(*place),
                    None => at = path.parent(),
                },
                None => break None,
            }
        };
        match place {
            Some(place) => groups[place].dirs.push(entry.relative_path.clone()),
            None => homeless.push(entry.relative_path.clone()),
        }
    }
    groups.retain(|group| !group.dirs.is_empty());
    if !homeless.is_empty() {
        let description = "Directories that belong to none of the others.".to_owned();
        groups.push(Subsystem {
            told: Default::default(),
            name: "Everything else".to_owned(),
            description,
            dirs: homeless,
        });
    }
    groups
}

/// Subsystems of groups: what was named together comes together, what was not named stays as it is.
fn merged(groups: Vec<Subsystem>, grouping: Grouping) -> Vec<Subsystem> {
    let mut left: Vec<Option<Subsystem>> = groups.into_iter().map(Some).collect();
    let mut subsystems = Vec::new();
    for group in grouping.groups {
        let mut dirs = Vec::new();
        for name in &group.directories {
            let named =
                |slot: &&mut Option<Subsystem>| slot.as_ref().is_some_and(|group| group.name == name.trim());
            if let Some(taken) = left.iter_mut().find(named).and_then(Option::take) {
                dirs.extend(taken.dirs);
            }
        }
        if !dirs.is_empty() {
            dirs.sort();
            subsystems.push(Subsystem {
                told: Default::default(),
                name: group.name,
                description: group.description,
                dirs,
            });
        }
    }
    subsystems.extend(left.into_iter().flatten());
    subsystems
}
