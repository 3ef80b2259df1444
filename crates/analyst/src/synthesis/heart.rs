//! Where it begins and what is at its centre: the ways from its first files to what they use, and the files that most
//! rests on.

use std::collections::BTreeSet;

use luminos_core::entry::FileEntry;
use luminos_core::fact::FactKind;
use luminos_core::scan::Category;

use super::graph::named;
use super::resolve::Resolver;
use super::starts::{Start, What};
use super::{Known, Told};
use crate::sentence::{file_gist, symbol};
use crate::words::{clipped, code, count, list, some_of};

/// So many ways in are told.
const WAYS: usize = 2;
/// So many files that one uses.
const USED: usize = 5;
/// A way in that reaches less than one in so many files of the longest says nothing.
const LEAST_REACH: usize = 4;
/// So many steps with a single next one are followed.
const STEPS: usize = 3;
/// So many files are at the centre; so many of them are explained.
const CENTRAL: usize = 5;
const EXPLAINED: usize = 3;
/// Words about a file that are longer are left to its part.
const WORDS: usize = 150;

impl Told<'_> {
    /// The ways in, each with what it leads to.
    pub(super) fn ways_in(&self) -> Vec<String> {
        let mut ways: Vec<(usize, &What, String, String)> = Vec::new();
        let starts = self.starts();
        for Start { what, item, .. } in &starts {
            let Some(path) = item.path.as_ref().map(luminos_core::RelPath::to_word) else { continue };
            // What those start who work on it is no way into it.
            if super::starts::is_aside(&path) {
                continue;
            }
            let mut path = path;
            // A file that only loads what is built leads to what that is built from.
            let written = path.rsplit_once('/').map(|(dir, _)| format!("{dir}/src/index.ts"));
            if let Some(written) = written.filter(|written| self.files.contains_key(written))
                && matches!(what, What::Library { kind, .. } if kind == "npm package")
                && self.reach(&path) == 0
            {
                path = written;
            }
            let node = Resolver::node_of(&path).to_owned();
            let reach = self.reach(&node);
            if 0 < reach && !ways.iter().any(|(_, _, known, _)| *known == node) {
                ways.push((reach, what, node, path));
            }
        }
        if ways.is_empty() {
            return self.bare_start(&starts).into_iter().collect();
        }
        let longest = ways.iter().map(|(reach, ..)| *reach).max().unwrap_or(0);
        ways.retain(|(reach, ..)| longest <= reach * LEAST_REACH);
        // Of programs that nobody names, the one that leads to most comes first.
        ways.sort_by_key(|(reach, what, _, path)| {
            let is_bare = matches!(what, What::Code);
            let is_called = is_bare && super::starts::is_called_main(path);
            (is_bare, !is_called, if is_bare { std::cmp::Reverse(*reach) } else { std::cmp::Reverse(0) })
        });
        let is_library = ways.first().is_some_and(|(_, what, ..)| matches!(what, What::Library { .. }));
        ways.iter()
            .take(WAYS)
            .map(|(_, what, node, path)| {
                let begins = match what {
                    // Of Go, one imports whole packages.
                    What::Library { whole, .. } if node.is_empty() => {
                        format!("Whoever uses {whole} imports the top-level code")
                    }
                    What::Library { whole, .. } if path.ends_with("/src/index.ts") => {
                        format!("Whoever uses {whole} loads what is built from {}", code(path))
                    }
                    What::Library { whole, .. } => format!("Whoever uses {whole} loads {}", code(path)),
                    What::Program { name } => format!("The program {name} starts in {}", code(path)),
                    What::Code | What::Script | What::Several if is_library => {
                        format!("Run by itself, it starts in {}", code(path))
                    }
                    What::Code | What::Script | What::Several => format!("It starts in {}", code(path)),
                };
                format!("{begins}{}.", self.way_from(node))
            })
            .collect()
    }

    /// Where it starts, where nothing is known of what that uses.
    fn bare_start(&self, starts: &[Start]) -> Option<String> {
        let of_start = |Start { what, item, .. }: &Start| {
            let path = item.path.as_ref()?.to_word();
            if super::starts::is_aside(&path) {
                return None;
            }
            let gist = self.short_gist(&path).map(|gist| format!(" ({gist})")).unwrap_or_default();
            let is_program = matches!(what, What::Code | What::Program { .. } | What::Script);
            let is_source = |file: &&FileEntry| file.category == Category::Source;
            (is_program && self.files.get(&path).is_some_and(is_source))
                .then(|| format!("It starts in {}{gist}.", code(&path)))
        };
        starts.iter().find_map(of_start)
    }

    /// What a file leads to: a single next step is followed, several are listed.
    fn way_from(&self, node: &str) -> String {
        let mut words = String::new();
        let mut seen = BTreeSet::from([node]);
        let mut at = node;
        for step in 0..STEPS {
            let next: Vec<&str> = self
                .graph
                .imports_of(at)
                .into_iter()
                .filter(|to| !seen.contains(to) && !self.sides.tests(to) && !self.is_for_tests_alone(at, to))
                .collect();
            let verb = if step == 0 { ", which uses " } else { ", and that uses " };
            match next[..] {
                [] => break,
                [only] => {
                    words.push_str(&format!("{verb}{}", named(place(only))));
                    seen.insert(only);
                    at = only;
                }
                _ => {
                    let names: Vec<String> = next.iter().map(|to| named(place(to))).collect();
                    words.push_str(&format!("{verb}{}", some_of(&names, USED)));
                    break;
                }
            }
        }
        words
    }

    /// Whether a file belongs to a crate that needs another one for its tests alone: those often stand in the same file.
    fn is_for_tests_alone(&self, from: &str, to: &str) -> bool {
        let crates = || {
            self.facts.iter().filter_map(|Known { entry, fact, .. }| {
                let FactKind::Package { kind, name, .. } = fact else { return None };
                (kind == "Rust crate").then(|| (entry.relative_path.to_word(), name))
            })
        };
        let Some((_, name)) = crates().find(|(dir, _)| dir == to) else { return false };
        let is_within = |dir: &str| from.strip_prefix(dir).is_some_and(|rest| rest.starts_with('/'));
        let home = crates().map(|(dir, _)| dir).filter(|dir| is_within(dir)).max_by_key(String::len);
        let Some(home) = home else { return false };
        let of_home = || self.facts.iter().filter(|known| known.entry.relative_path.to_word() == home);
        let needs = |known: &Known<'_>| matches!(known.fact, FactKind::Dependencies { names } if names.contains(name));
        let tries = |known: &Known<'_>| matches!(known.fact, FactKind::DevelopmentDependencies { names } if names.contains(name));
        of_home().any(tries) && !of_home().any(needs)
    }

    /// How many files one leads to.
    fn reach(&self, node: &str) -> usize {
        let mut seen = BTreeSet::new();
        let mut open = vec![node];
        while let Some(at) = open.pop() {
            for to in self.graph.imports_of(at) {
                if seen.insert(to) {
                    open.push(to);
                }
            }
        }
        seen.len()
    }

    /// The files that most rests on, with how many use each, and what the first of them are.
    pub(super) fn centre(&self) -> Option<String> {
        let mut told: Vec<String> = Vec::new();
        for (path, users) in self.graph.central(CENTRAL, &self.sides) {
            let is_by_files = self.graph.users_of(path).iter().any(|user| self.files.contains_key(*user));
            let noun = if is_by_files { "file" } else { "package" };
            let gist = self.short_gist(path).filter(|_| told.len() < EXPLAINED);
            let gist = gist.map(|gist| format!(": {gist}")).unwrap_or_default();
            told.push(format!("{} (by {}{gist})", named(place(path)), count(users as u64, noun)));
        }
        let beside = self.named_beside();
        let beside = (!beside.is_empty()).then(|| format!("Most of it turns on {}.", list(&beside)));
        let imported = (!told.is_empty()).then(|| format!("Most imported: {}.", list(&told)));
        let told: Vec<String> = [beside, imported].into_iter().flatten().collect();
        (!told.is_empty()).then(|| told.join(" "))
    }

    /// Types that many files beside their own name: in some languages those of one package import nothing of each other.
    /// Those of the directory with most of the code.
    fn named_beside(&self) -> Vec<String> {
        let scan = self.material.whole.scan;
        let mut found: Vec<(u64, u64, &str, String)> = Vec::new();
        for Known { entry, path, fact, .. } in &self.facts {
            if let FactKind::NamedBeside { symbol: of, files } = fact
                && !self.sides.has(&entry.relative_path.to_word())
            {
                let dir = self.dirs.get(&entry.relative_path);
                let code = dir.map_or(0, |dir| self.sides.code(scan, dir.0..dir.0 + 1));
                found.push((code, *files, path, symbol(of)));
            }
        }
        let most = found.iter().map(|(code, ..)| *code).max().unwrap_or(0);
        found.retain(|(code, ..)| most < code * 2);
        found.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| (a.2, &a.3).cmp(&(b.2, &b.3))));
        found.truncate(EXPLAINED);
        let told = found.iter().map(|(_, users, path, name)| {
            format!("{name} of {} (named in {} beside it)", code(path), count(*users, "file"))
        });
        told.collect()
    }

    /// What a file is, where that takes few words.
    fn short_gist(&self, path: &str) -> Option<String> {
        let gist = file_gist(self.files.get(path)?)?.text;
        (gist.chars().count() <= WORDS).then(|| clipped(&gist, WORDS))
    }
}

/// A node as a part is called: files directly at the top have no directory.
fn place(node: &str) -> &str {
    if node.is_empty() { super::graph::TOP } else { node }
}
