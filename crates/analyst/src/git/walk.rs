//! From the newest commit to the oldest: how many, by whom, when, and which files change most.

use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet};
use std::rc::Rc;

use luminos_core::fact::Day;
use luminos_tools::Root;

use super::object::{Commit, Id, Kind, Objects, Tree, read_tree};
use super::{Tip, tip};

/// So many commits are counted.
const MOST_COMMITS: u64 = 100_000;
/// So many of the newest are compared with the ones before them.
pub(crate) const COMPARED: u64 = 200;
/// Trees read for that.
const MOST_TREES: usize = 20_000;
/// A year, in seconds.
const YEAR: i64 = 365 * 86_400;

/// What a repository tells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct History {
    pub(crate) tip: Tip,
    pub(crate) commits: u64,
    /// Whether there are more commits than were counted, or some are missing, as in a shallow clone.
    pub(crate) is_cut: bool,
    /// Different mail addresses.
    pub(crate) authors: u64,
    /// The first and the last day.
    pub(crate) first: Day,
    pub(crate) last: Day,
    /// In the year that ends with the last day.
    pub(crate) last_year: u64,
    pub(crate) last_year_authors: u64,
    pub(crate) churn: Churn,
}

/// Which files change most.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Churn {
    /// How many of the newest commits were looked at; merges are not.
    pub(crate) commits: u64,
    /// Paths with the number of commits that changed them, most first.
    pub(crate) files: Vec<(String, u64)>,
}

/// The history of a target; `None` where there is no repository, or none that is understood.
pub(crate) fn history(root: &Root) -> Option<History> {
    let tip = tip(root)?;
    let mut objects = Objects::open(root);
    let mut open = BinaryHeap::new();
    let mut seen = HashSet::new();
    let mut times = Vec::new();
    let mut authors: HashMap<String, i64> = HashMap::new();
    let mut newest = Vec::new();
    let mut is_cut = false;
    let newest_commit = commit(&mut objects, tip.id)?;
    let last = newest_commit.time;
    seen.insert(tip.id);
    open.push((last, tip.id));
    let mut known = HashMap::from([(tip.id, newest_commit)]);
    while let Some((time, id)) = open.pop() {
        let Some(commit) = known.remove(&id) else { continue };
        if MOST_COMMITS <= times.len() as u64 {
            is_cut = true;
            break;
        }
        times.push(time);
        let latest = authors.entry(commit.mail.clone()).or_insert(time);
        *latest = time.max(*latest);
        for parent in &commit.parents {
            if !seen.insert(*parent) {
                continue;
            }
            match self::commit(&mut objects, *parent) {
                Some(found) => {
                    open.push((found.time, *parent));
                    known.insert(*parent, found);
                }
                None => is_cut = true,
            }
        }
        if (newest.len() as u64) < COMPARED && commit.parents.len() == 1 {
            newest.push((commit.tree, commit.parents[0]));
        }
    }
    // Clocks of some are wrong: what lies after the last commit is none of its years.
    let in_last_year = |time: i64| last - YEAR < time && time <= last;
    Some(History {
        commits: times.len() as u64,
        is_cut,
        authors: authors.len() as u64,
        first: Day::of_moment(times.iter().copied().filter(|time| Day::of_moment(*time).is_some()).min()?)?,
        last: Day::of_moment(last)?,
        last_year: times.iter().filter(|time| in_last_year(**time)).count() as u64,
        last_year_authors: authors.values().filter(|time| in_last_year(**time)).count() as u64,
        churn: churn(&mut objects, &newest),
        tip,
    })
}

fn commit(objects: &mut Objects<'_>, id: Id) -> Option<Commit> {
    let object = objects.get(id).filter(|object| object.kind == Kind::Commit)?;
    Commit::read(&object.bytes)
}

struct Trees<'a, 'o> {
    objects: &'a mut Objects<'o>,
    known: HashMap<Id, Option<Rc<Tree>>>,
}

impl Trees<'_, '_> {
    fn get(&mut self, id: Id) -> Option<Rc<Tree>> {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let object = self.objects.get(id).filter(|object| object.kind == Kind::Tree);
        let tree = object.and_then(|object| read_tree(&object.bytes)).map(Rc::new);
        self.known.insert(id, tree.clone());
        tree
    }
}

fn churn(objects: &mut Objects<'_>, newest: &[(Id, Id)]) -> Churn {
    let mut files: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
    let mut commits = 0;
    let parents: Vec<Option<Id>> =
        newest.iter().map(|(_, parent)| commit(objects, *parent).map(|commit| commit.tree)).collect();
    let mut trees = Trees { objects, known: HashMap::new() };
    for ((tree, _), parent) in newest.iter().zip(parents) {
        let Some(parent) = parent else { continue };
        if MOST_TREES < trees.known.len() {
            break;
        }
        commits += 1;
        // Directories that differ: what is new, what was old, and where.
        let mut open = vec![(Some(*tree), Some(parent), Vec::new())];
        while let Some((new, old, place)) = open.pop() {
            let mut get = |id: Option<Id>| id.and_then(|id| trees.get(id)).unwrap_or_default();
            let (new, old) = (get(new), get(old));
            let gone = old.iter().filter(|(name, _)| !new.contains_key(*name));
            let changed = new.iter().filter(|(name, entry)| old.get(*name) != Some(*entry));
            for (name, _) in changed.chain(gone) {
                let path: Vec<u8> =
                    if place.is_empty() { name.clone() } else { [&place, &b"/"[..], name].concat() };
                let dir_in = |tree: &Tree| tree.get(name).filter(|(is_dir, _)| *is_dir).map(|(_, id)| *id);
                match (dir_in(&new), dir_in(&old)) {
                    (None, None) => *files.entry(path).or_default() += 1,
                    // A directory that came or went as a whole says nothing about single files.
                    (Some(new), Some(old)) if open.len() < MOST_TREES => {
                        open.push((Some(new), Some(old), path))
                    }
                    _ => {}
                }
            }
        }
    }
    let mut files: Vec<(String, u64)> = files
        .into_iter()
        .filter(|(_, changes)| 2 < *changes)
        .filter_map(|(path, changes)| Some((String::from_utf8(path).ok()?, changes)))
        .collect();
    files.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    Churn { commits, files }
}
