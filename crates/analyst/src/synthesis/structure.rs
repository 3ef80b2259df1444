//! How the parts hang together, in words: shares of code, who uses whom, circles, what most rests on.

use std::collections::BTreeMap;

use luminos_core::RelPath;
use luminos_core::entry::DirEntry;
use luminos_core::fact::FactKind;
use luminos_core::report::{Item, ItemKind};

use super::graph::{TOP, named};
use super::layers::{self, Between};
use super::{Known, Told, prose};
use crate::role::Role;
use crate::words::{code, count, list, some_of};

/// Files are told instead of directories where they have so many times as many imports between them.
const FINER: usize = 4;

/// So many parts are told with what they use.
const PARTS: usize = 12;
/// So many that one part uses.
const USED: usize = 5;
/// So many that use one are named.
const USERS: usize = 3;

impl Told<'_> {
    /// How it is built.
    pub(super) fn architecture(&self) -> Vec<Item> {
        let mut tops = self.tops();
        // How pages look is no part of how a program works.
        tops.retain(|(entry, _, _)| {
            let role = Role::of(&entry.relative_path.to_word());
            !matches!(role, Some(Role::Assets | Role::Docs))
        });
        let own = self.own_code();
        let all: u64 = own + tops.iter().map(|(_, code, _)| code).sum::<u64>();
        if all == 0 {
            return Vec::new();
        }
        let share = |code: u64| (code * 100 + all / 2) / all;
        let mut main: Vec<(u64, String)> = tops
            .iter()
            .filter(|(_, code, _)| 4 < share(*code))
            .take(6)
            .map(|(entry, lines, _)| (share(*lines), code(&entry.relative_path.to_word())))
            .collect();
        if 4 < share(own) {
            main.push((share(own), "files directly at the top".to_owned()));
            main.sort_by_key(|(share, _)| std::cmp::Reverse(*share));
        }
        let main: Vec<String> = main.into_iter().map(|(share, name)| format!("{name} ({share} %)")).collect();
        let mut told = vec![match main.is_empty() {
            false => format!("Most of the code lies in {}.", list(&main)),
            true => format!(
                "The code is spread over {}, none with more than 4 % of it.",
                count(tops.len() as u64, "part")
            ),
        }];
        told.extend(self.of_root().find_map(|Known { path, fact, .. }| {
            let FactKind::Members { names } = fact else { return None };
            let names: Vec<String> = names.iter().map(|name| code(name)).collect();
            Some(format!("{} makes one workspace of {}.", code(path), some_of(&names, 12)))
        }));
        // Tests use everything; parts are told by size, and tests are not among them.
        let mut parts = self.own_parts();
        let mut between = self.between(&parts);
        // A program in one directory is told by its files, where those say much more.
        if between.len() < 2
            && let Some(fine) = self.graph.fine(&parts, &self.sides)
        {
            let finer = self.between(&fine);
            if FINER * between.len().max(1) <= finer.len() {
                (parts, between) = (fine, finer);
            }
        }
        let mut items: Vec<Item> = self.ways_in().into_iter().map(prose).collect();
        items.extend(self.centre().map(prose));
        let layers = layers::told(&parts, &between, &self.graph.used_by_rest(&parts));
        if !layers.told.is_empty() {
            let kind = layers.are_ordered.then_some(ItemKind::Layers);
            items.push(Item { kind, ..prose(layers.told.join(" ")) });
        }
        items.push(prose(told.join(" ")));
        items.extend(parts.iter().filter_map(|part| uses(part, &between)).take(PARTS));
        items
    }
}

impl Told<'_> {
    /// How many imports lead from one part to another. What a crate needs for its tests alone is no part of how it works:
    /// its tests often stand in the same files.
    fn between(&self, parts: &[String]) -> Between {
        let mut between = self.graph.between(parts);
        let mut crates: BTreeMap<String, &str> = BTreeMap::new();
        for Known { entry, fact, .. } in &self.facts {
            if let FactKind::Package { kind, name, .. } = fact
                && kind == "Rust crate"
            {
                crates.entry(entry.relative_path.to_word()).or_insert(name);
            }
        }
        let names: BTreeMap<&String, &str> =
            parts.iter().filter_map(|part| Some((part, *crates.get(part)?))).collect();
        let lists = |names: &[String], entry: &DirEntry, part: &str, wanted: &str| {
            entry.relative_path.to_word() == part && names.iter().any(|name| name == wanted)
        };
        let needs = |part: &str, wanted: &str| {
            self.facts.iter().any(|Known { entry, fact, .. }| {
                matches!(fact, FactKind::Dependencies { names, .. } if lists(names, entry, part, wanted))
            })
        };
        let tries = |part: &str, wanted: &str| {
            self.facts.iter().any(|Known { entry, fact, .. }| {
                matches!(fact, FactKind::DevelopmentDependencies { names, .. } if lists(names, entry, part, wanted))
            })
        };
        between.retain(|(from, to), _| match (names.get(from), names.get(to)) {
            (Some(_), Some(name)) => !tries(from, name) || needs(from, name),
            _ => true,
        });
        between
    }
}

/// What one part uses of the others.
fn uses(part: &str, between: &Between) -> Option<Item> {
    let mut used: Vec<(&str, usize)> =
        between.iter().filter(|((from, _), _)| from == part).map(|((_, to), n)| (to.as_str(), *n)).collect();
    // What it imports most comes first; how often it does is of no use to anybody.
    used.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    if used.is_empty() {
        return None;
    }
    let names: Vec<String> = used.iter().map(|(path, _)| named(path)).collect();
    let users: Vec<String> =
        between.keys().filter(|(_, to)| to == part).map(|(from, _)| named(from)).collect();
    let by = match users.len() {
        0 => String::new(),
        few if few <= USERS => format!("; used by {}", list(&users)),
        many => format!("; used by {}", count(many as u64, "other part")),
    };
    let path = if part == TOP { RelPath::default() } else { RelPath::from(part) };
    Some(Item {
        name: called(part),
        path: (part != TOP).then(|| path.clone()),
        text: format!("uses {}{by}", some_of(&names, USED)),
        sources: vec![path],
        kind: Some(ItemKind::Uses { parts: used.iter().take(USED).map(|(path, _)| called(path)).collect() }),
    })
}

/// A part as it is called where it is told.
fn called(part: &str) -> String {
    if part == TOP { "top-level code".to_owned() } else { part.to_owned() }
}
