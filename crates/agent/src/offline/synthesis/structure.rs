//! How the parts hang together, in words: shares of code, who uses whom, circles, what most rests on.

use std::collections::BTreeMap;

use luminos_core::RelPath;
use luminos_core::entry::DirEntry;
use luminos_core::report::Item;

use super::graph::{TOP, circles, named};
use super::{Told, prose};
use crate::offline::role::Role;
use crate::offline::statement::Statement;
use crate::offline::tree::languages;
use crate::offline::words::{code, count, list, some_of};

/// Larger circles are not told.
const MOST_IN_A_CIRCLE: usize = 5;

/// Files are told instead of directories where they have so many times as many imports between them.
const FINER: usize = 4;

/// So many parts are told with what they use.
const PARTS: usize = 12;
/// So many that one part uses.
const USED: usize = 5;

impl Told<'_> {
    /// How it is built.
    pub(super) fn architecture(&self) -> Vec<Item> {
        let mut tops = self.tops();
        // How pages look is no part of how a program works.
        tops.retain(|(entry, _, _)| Role::of(&entry.relative_path.to_word()) != Some(Role::Assets));
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
        told.extend(self.of_root().find_map(|(_, statement, _)| {
            let Statement::Members { path, names } = statement else { return None };
            let names: Vec<String> = names.iter().map(|name| code(name)).collect();
            Some(format!("{} makes one workspace of {}.", code(path), some_of(&names, 12)))
        }));
        let central: Vec<String> = self
            .graph
            .central(5)
            .into_iter()
            .map(|(path, users)| format!("{} (imported by {users})", code(path)))
            .collect();
        if !central.is_empty() {
            told.push(format!("Most rests on {}.", list(&central)));
        }
        // Tests use everything; parts are told by size, and tests are not among them.
        let mut parts = self.own_parts();
        let mut between = self.between(&parts);
        // A program in one directory is told by its files, where those say much more.
        if let Some(fine) = self.graph.fine(&parts).filter(|_| between.len() < 2) {
            let finer = self.between(&fine);
            if FINER * between.len().max(1) <= finer.len() {
                (parts, between) = (fine, finer);
            }
        }
        // What lies inside of a namespace of .NET sees it without importing it.
        let is_dotnet = languages(self.material.whole.scan).first().is_some_and(|(name, _)| *name == "C#");
        told.extend(layers(&parts, &between).filter(|_| !is_dotnet));
        // Parts are whole subtrees: many of them in one circle say more about how coarse the parts are than about the
        // code, and in some languages its packages cannot even form one.
        for circle in circles(&between).iter().filter(|circle| circle.len() <= MOST_IN_A_CIRCLE).take(2) {
            let names: Vec<String> = circle.iter().map(|path| named(path)).collect();
            told.push(match names.len() {
                2 => format!("Files below {} import each other.", list(&names)),
                _ => format!("Files below {} import each other in a circle.", list(&names)),
            });
        }
        let mut items = vec![prose(told.join(" "))];
        items.extend(parts.iter().filter_map(|part| uses(part, &between)).take(PARTS));
        items
    }
}

impl Told<'_> {
    /// How many imports lead from one part to another. What a crate needs for its tests alone is no part of how it works:
    /// its tests often stand in the same files.
    fn between(&self, parts: &[String]) -> BTreeMap<(String, String), usize> {
        let mut between = self.graph.between(parts);
        let name_of = |part: &str| {
            self.statements.iter().find_map(|(entry, statement, _)| {
                let Statement::Declares { kind, name, .. } = statement else { return None };
                (kind == "Rust crate" && entry.relative_path.to_word() == part).then_some(name.as_str())
            })
        };
        let names: BTreeMap<&String, &str> =
            parts.iter().filter_map(|part| Some((part, name_of(part)?))).collect();
        let lists = |names: &[String], entry: &DirEntry, part: &str, wanted: &str| {
            entry.relative_path.to_word() == part && names.iter().any(|name| name == wanted)
        };
        let needs = |part: &str, wanted: &str| {
            self.statements.iter().any(|(entry, statement, _)| {
                matches!(statement, Statement::Needs { names, .. } if lists(names, entry, part, wanted))
            })
        };
        let tries = |part: &str, wanted: &str| {
            self.statements.iter().any(|(entry, statement, _)| {
                matches!(statement, Statement::Develops { names, .. } if lists(names, entry, part, wanted))
            })
        };
        between.retain(|(from, to), _| match (names.get(from), names.get(to)) {
            (Some(_), Some(name)) => !tries(from, name) || needs(from, name),
            _ => true,
        });
        between
    }
}

/// What is at the bottom and what at the top, where parts use each other.
fn layers(parts: &[String], between: &BTreeMap<(String, String), usize>) -> Option<String> {
    let uses = |part: &String| between.keys().any(|(from, _)| from == part);
    let is_used = |part: &String| between.keys().any(|(_, to)| to == part);
    let those = |test: &dyn Fn(&String) -> bool| -> Vec<String> {
        parts.iter().filter(|part| test(part)).map(|part| named(part)).collect()
    };
    let bottom = those(&|part| is_used(part) && !uses(part));
    let top = those(&|part| uses(part) && !is_used(part));
    if between.len() < 3 || (bottom.is_empty() && top.is_empty()) {
        return None;
    }
    let import = |names: &[String]| if names.len() == 1 { "imports" } else { "import" };
    Some(match (top.is_empty(), bottom.is_empty()) {
        (false, false) => format!(
            "Of its parts, {} {} others and no other imports {}; {} {} none of the others.",
            some_of(&top, 5),
            import(&top),
            if top.len() == 1 { "it" } else { "them" },
            some_of(&bottom, 5),
            import(&bottom)
        ),
        (true, _) => format!("Of its parts, {} {} none of the others.", some_of(&bottom, 5), import(&bottom)),
        (false, true) => format!("No other part imports {}.", some_of(&top, 5)),
    })
}

/// What one part uses of the others. The report's diagram is drawn from these words.
fn uses(part: &str, between: &BTreeMap<(String, String), usize>) -> Option<Item> {
    let mut used: Vec<(&str, usize)> =
        between.iter().filter(|((from, _), _)| from == part).map(|((_, to), n)| (to.as_str(), *n)).collect();
    used.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let users = between.keys().filter(|(_, to)| to == part).count() as u64;
    if used.is_empty() {
        return None;
    }
    let names: Vec<String> =
        used.iter().map(|(path, imports)| format!("{} ({imports}×)", code(path))).collect();
    let by = if users == 0 { String::new() } else { format!("; used by {}", count(users, "other part")) };
    let path = if part == TOP { RelPath::default() } else { RelPath::from(part) };
    Some(Item {
        name: part.to_owned(),
        path: Some(path.clone()),
        text: format!("uses {}{by}", some_of(&names, USED)),
        sources: vec![path],
    })
}
