//! Who uses whom: the imports that the entries of files tell, resolved to files and directories of the target.
//!
//! What cannot be resolved lies outside the target, or is written in a way that nobody here knows; it is left out.
//! What tests import is left out, too: they import everything, and nothing rests on them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use luminos_core::entry::FileEntry;
use luminos_core::fact::FactKind;
use luminos_core::scan::{Kind, Scan};

use super::resolve::Resolver;
use super::sides::Sides;
use crate::words::code;

/// Rounds of the ranking: the order of the first ones no longer changes after a few.
const ROUNDS: usize = 20;
/// How much of its weight a file hands on to those it imports, in hundredths.
const HANDED_ON: f64 = 0.85;

/// A program of fewer files is a small one.
const SMALL: usize = 25;

/// The part that files directly at the top are.
pub(super) const TOP: &str = ".";

/// A part in words.
pub(super) fn named(part: &str) -> String {
    if part == TOP { "the top-level code".to_owned() } else { code(part) }
}

/// The imports inside a target.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// Files, or packages where a language imports those.
    nodes: Vec<String>,
    /// The number of each.
    numbers: BTreeMap<String, usize>,
    /// From whom to whom, each once.
    edges: BTreeSet<(usize, usize)>,
    /// What tests import, and how many of them.
    tested: BTreeMap<String, usize>,
    /// How much rests on each node, directly or not.
    weights: Vec<f64>,
    /// How many nodes import each.
    users: Vec<usize>,
}

impl Graph {
    /// Puts the imports of all files together, and what projects say of each other: whose directory uses whose.
    pub(super) fn of(
        scan: &Scan,
        files: &[FileEntry],
        modules: &[(String, String, String)],
        references: &[(String, String)],
        sides: &Sides,
    ) -> Self {
        let paths: Vec<String> = scan
            .file_ids()
            .filter(|file| scan.file(*file).kind == Kind::File)
            .map(|file| scan.file_path(file).to_word())
            .collect();
        let resolver = Resolver::new(&paths, modules);
        let mut graph = Self::default();
        let mut sorted: Vec<&FileEntry> = files.iter().collect();
        sorted.sort_by(|a, b| a.relative_path.cmp(&b.relative_path));
        for file in sorted {
            let path = file.relative_path.to_word();
            let is_test =
                sides.tests(&path) || 0 < tests_of(file) && is_named_test(&path) && !sides.is_shipped(&path);
            for module in imports_of(file) {
                let Some(target) = resolver.resolve(&path, module) else { continue };
                if is_test {
                    if 0 < tests_of(file) {
                        *graph.tested.entry(target).or_default() += 1;
                    }
                    continue;
                }
                let from = graph.node(Resolver::node_of(&path));
                let to = graph.node(&target);
                if from != to {
                    graph.edges.insert((from, to));
                }
            }
        }
        for (from, to) in references {
            if sides.tests(from) {
                *graph.tested.entry(to.clone()).or_default() += 1;
                continue;
            }
            let (from, to) = (graph.node(from), graph.node(to));
            if from != to {
                graph.edges.insert((from, to));
            }
        }
        graph.weigh();
        graph
    }

    /// Finds out how much rests on each node: what is imported by much that is imported by much.
    fn weigh(&mut self) {
        let count = self.nodes.len();
        let mut out = vec![0_u32; count];
        self.users = vec![0; count];
        for (from, to) in &self.edges {
            out[*from] += 1;
            self.users[*to] += 1;
        }
        self.weights = vec![1.0; count];
        for _ in 0..ROUNDS {
            let mut next = vec![1.0 - HANDED_ON; count];
            for (from, to) in &self.edges {
                next[*to] += HANDED_ON * self.weights[*from] / f64::from(out[*from]);
            }
            self.weights = next;
        }
    }

    /// What a file imports inside of the target, what most rests on first.
    pub(super) fn imports_of(&self, path: &str) -> Vec<&str> {
        let Some(from) = self.numbers.get(path).copied() else { return Vec::new() };
        let mut to: Vec<usize> =
            self.edges.range((from, 0)..=(from, usize::MAX)).map(|(_, to)| *to).collect();
        to.sort_by(|a, b| self.heavier(*a, *b));
        to.into_iter().map(|node| self.nodes[node].as_str()).collect()
    }

    /// Who imports a node.
    pub(super) fn users_of(&self, path: &str) -> Vec<&str> {
        let Some(node) = self.numbers.get(path) else { return Vec::new() };
        let users = self.edges.iter().filter(|(_, to)| to == node);
        users.map(|(from, _)| self.nodes[*from].as_str()).collect()
    }

    /// Each node with how many import it, what most rests on first.
    pub(super) fn ranked(&self) -> Vec<(&str, usize)> {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        order.sort_by(|a, b| self.heavier(*a, *b));
        order.into_iter().map(|node| (self.nodes[node].as_str(), self.users[node])).collect()
    }

    fn heavier(&self, a: usize, b: usize) -> std::cmp::Ordering {
        self.weights[b].total_cmp(&self.weights[a]).then_with(|| self.nodes[a].cmp(&self.nodes[b]))
    }

    fn node(&mut self, path: &str) -> usize {
        if let Some(node) = self.numbers.get(path) {
            return *node;
        }
        self.nodes.push(path.to_owned());
        self.numbers.insert(path.to_owned(), self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// The files most rests on, directly or not, and how many import each directly; most first.
    pub(super) fn central(&self, most: usize, sides: &Sides) -> Vec<(&str, usize)> {
        let (count, users) = (self.nodes.len(), &self.users);
        // In a small program, two are many.
        let least = if count < SMALL { 2 } else { 3 };
        let mut order: Vec<usize> = (0..count)
            .filter(|node| least <= users[*node] && !is_whole(&self.nodes[*node]))
            .filter(|node| !sides.has(self.nodes[*node].rsplit_once('/').map_or("", |(dir, _)| dir)))
            .filter(|node| !sides.tests(&self.nodes[*node]))
            .collect();
        order.sort_by(|a, b| self.heavier(*a, *b));
        // Of those that most rests on, the ones that many import themselves: who reads it can count them.
        order.truncate(most * 2);
        order.sort_by(|a, b| users[*b].cmp(&users[*a]).then_with(|| self.nodes[*a].cmp(&self.nodes[*b])));
        order.into_iter().take(most).map(|node| (self.nodes[node].as_str(), users[node])).collect()
    }

    /// The files themselves as parts, where the directories say nothing; `None` where there are too few or too many.
    pub(super) fn fine(&self, parts: &[String], sides: &Sides) -> Option<Vec<String>> {
        let homes = Homes::of(parts);
        let is_own = |node: &&String| {
            let dir = node.rsplit_once('/').map_or("", |(dir, _)| dir);
            homes.home(node).is_some() && !sides.has(dir) && !is_named_test(node)
        };
        let mut fine: Vec<String> = self.nodes.iter().filter(is_own).cloned().collect();
        fine.sort();
        (3..SMALL).contains(&fine.len()).then_some(fine)
    }

    /// Which parts tests import, and how often; most first.
    pub(super) fn touched_by_tests(&self, parts: &[String]) -> Vec<(String, usize)> {
        let homes = Homes::of(parts);
        let mut touched: BTreeMap<&String, usize> = BTreeMap::new();
        for (path, imports) in &self.tested {
            if let Some(part) = homes.home(path) {
                *touched.entry(part).or_default() += imports;
            }
        }
        let mut touched: Vec<(String, usize)> =
            touched.into_iter().map(|(part, imports)| (part.clone(), imports)).collect();
        touched.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        touched
    }

    /// The parts that something imports that lies in none of them, such as files directly above them.
    pub(super) fn used_by_rest(&self, parts: &[String]) -> BTreeSet<String> {
        let homes = Homes::of(parts);
        let edges = self.edges.iter().filter(|(from, _)| homes.home(&self.nodes[*from]).is_none());
        edges.filter_map(|(_, to)| homes.home(&self.nodes[*to]).cloned()).collect()
    }

    /// How many imports lead from one part to another. A part is a directory with all below it, but for other parts.
    pub(super) fn between(&self, parts: &[String]) -> BTreeMap<(String, String), usize> {
        let homes = Homes::of(parts);
        let homes: Vec<Option<&String>> = self.nodes.iter().map(|node| homes.home(node)).collect();
        let mut between: BTreeMap<(&String, &String), usize> = BTreeMap::new();
        for (from, to) in &self.edges {
            if let (Some(from), Some(to)) = (homes[*from], homes[*to])
                && from != to
            {
                *between.entry((from, to)).or_insert(0) += 1;
            }
        }
        between.into_iter().map(|((from, to), imports)| ((from.clone(), to.clone()), imports)).collect()
    }
}

/// The modules that a file imports.
pub(super) fn imports_of(file: &FileEntry) -> &[String] {
    let imports = file.facts.iter().find_map(|fact| match &fact.fact {
        FactKind::Imports { modules } => Some(&modules[..]),
        _ => None,
    });
    imports.unwrap_or_default()
}

/// How many tests a file has.
pub(super) fn tests_of(file: &FileEntry) -> u64 {
    let tests = file.facts.iter().find_map(|fact| match fact.fact {
        FactKind::Counts { tests, .. } => Some(tests),
        _ => None,
    });
    tests.unwrap_or_default()
}

/// Which part a path lies in: there may be thousands of both.
struct Homes<'p>(HashMap<&'p str, &'p String>);

impl<'p> Homes<'p> {
    fn of(parts: &'p [String]) -> Self {
        Self(parts.iter().map(|part| (part.as_str(), part)).collect())
    }

    /// The innermost part that holds a path.
    fn home(&self, path: &str) -> Option<&'p String> {
        let ways = std::iter::successors(Some(path), |way| way.rsplit_once('/').map(|(up, _)| up));
        let home = ways.filter(|way| *way != TOP).find_map(|way| self.0.get(way).copied());
        home.or_else(|| self.0.get(TOP).copied().filter(|_| !path.contains('/')))
    }
}

/// Whether a file with tests is only that, by its name; in some languages tests stand in the file they test.
pub(super) fn is_named_test(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
    name.contains("test") || name.contains("spec")
}

/// Whether a file stands for a whole package at the top: to import from it is to import something below it.
fn is_whole(path: &str) -> bool {
    path.ends_with("/__init__.py") && path.matches('/').count() == 1
}

/// Parts that lead back to each other, each group once, the largest first.
pub(super) fn circles(between: &BTreeMap<(String, String), usize>) -> Vec<Vec<&str>> {
    let names: BTreeSet<&str> = between.keys().flat_map(|(from, to)| [from.as_str(), to.as_str()]).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let number = |name: &str| names.binary_search(&name).unwrap_or_default();
    let (mut forth, mut back) = (vec![Vec::new(); names.len()], vec![Vec::new(); names.len()]);
    for (from, to) in between.keys() {
        let (from, to) = (number(from), number(to));
        forth[from].push(to);
        back[to].push(from);
    }
    // What is left last by one walk begins a group of the other one, which goes the opposite way.
    let mut left = Vec::with_capacity(names.len());
    let mut seen = vec![false; names.len()];
    for start in 0..names.len() {
        walk(start, &forth, &mut seen, &mut left);
    }
    let mut seen = vec![false; names.len()];
    let mut circles = Vec::new();
    for start in left.into_iter().rev() {
        let mut group = Vec::new();
        walk(start, &back, &mut seen, &mut group);
        if 1 < group.len() {
            group.sort_unstable();
            circles.push(group.into_iter().map(|node| names[node]).collect::<Vec<&str>>());
        }
    }
    circles.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    circles
}

/// Goes wherever ways lead that nobody has been to, and notes each place when all beyond it is done.
fn walk(start: usize, ways: &[Vec<usize>], seen: &mut [bool], left: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[start], true) {
        return;
    }
    let mut open = vec![(start, 0)];
    while let Some((at, next)) = open.last_mut() {
        match ways[*at].get(*next) {
            Some(to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[*to], true) {
                    open.push((*to, 0));
                }
            }
            None => {
                left.push(*at);
                open.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(edges: &[(&str, &str)]) -> Graph {
        let mut graph = Graph::default();
        for (from, to) in edges {
            let from = graph.node(from);
            let to = graph.node(to);
            graph.edges.insert((from, to));
        }
        graph.weigh();
        graph
    }

    #[test]
    fn what_much_rests_on_is_central() {
        let graph = graph(&[
            ("a/1", "c/base"),
            ("a/2", "c/base"),
            ("b/1", "c/base"),
            ("b/1", "a/1"),
            ("c/base", "d/x"),
        ]);
        assert_eq!(graph.central(5, &Sides::default()), [("c/base", 3)]);
        let parts: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        let between = graph.between(&parts);
        assert_eq!(between[&("a".to_owned(), "c".to_owned())], 2);
        assert_eq!(between.len(), 4);
        assert_eq!(circles(&between), Vec::<Vec<&str>>::new());
    }

    #[test]
    fn a_circle_is_seen_once() {
        let graph = graph(&[("a/1", "b/1"), ("b/2", "c/1"), ("c/2", "a/2"), ("d/1", "a/1")]);
        let parts: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
        assert_eq!(circles(&graph.between(&parts)), [["a", "b", "c"]]);
    }

    #[test]
    fn circles_that_only_touch_are_two() {
        let edges =
            [("a/1", "b/1"), ("b/1", "a/1"), ("b/1", "c/1"), ("c/1", "d/1"), ("d/1", "e/1"), ("e/1", "c/1")];
        let parts: Vec<String> = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
        assert_eq!(circles(&graph(&edges).between(&parts)), [vec!["c", "d", "e"], vec!["a", "b"]]);
    }
}
