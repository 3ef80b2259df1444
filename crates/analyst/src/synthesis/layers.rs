//! How parts lie on each other: layers of which each uses only those below it, as far as imports tell.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::{circles, named};
use crate::words::{count, list, some_of};

/// How many imports lead from one part to another.
pub(super) type Between = BTreeMap<(String, String), usize>;

/// So many parts of one layer are named.
const NAMED: usize = 6;
/// Where more parts than this use each other in a circle, there are no layers to speak of.
const MOST_IN_A_CIRCLE: usize = 5;

/// How parts lie on each other.
pub(super) struct Layers {
    /// In sentences.
    pub(super) told: Vec<String>,
    /// Whether they say which parts lie above which, or use each other in a circle.
    pub(super) are_ordered: bool,
}

/// The layers in words, from the top; where most parts lead back to each other, only what stands above and below those.
/// What something else imports is not on top.
pub(super) fn told(parts: &[String], between: &Between, used: &BTreeSet<String>) -> Layers {
    let between = &connected(between);
    let circles = circles(between);
    let largest = circles.first().map_or(0, Vec::len);
    let (mut told, mut are_ordered) = (Vec::new(), false);
    match layered(between, &circles).filter(|_| largest <= MOST_IN_A_CIRCLE) {
        Some(words) => {
            are_ordered = true;
            told.push(words);
        }
        None => {
            if let Some((words, has_top)) = top_and_bottom(parts, between, used) {
                are_ordered = has_top;
                told.push(words);
            }
        }
    }
    // Parts are whole subtrees: many of them in one circle say more about how coarse the parts are than about the code.
    for circle in circles.iter().filter(|circle| circle.len() <= MOST_IN_A_CIRCLE).take(2) {
        let names: Vec<String> = circle.iter().map(|path| named(path)).collect();
        let how = if names.len() == 2 { "import each other" } else { "import each other in a circle" };
        // Where parts are files, nothing lies below them.
        let is_of_files =
            circle.iter().all(|path| path.rsplit('/').next().is_some_and(|name| name.contains('.')));
        let whose = if is_of_files { "" } else { "Files of " };
        told.push(format!("{whose}{} {how}.", list(&names)));
        // Where no order is told, a circle of directories is the most there is to tell.
        are_ordered |= told.len() == 1 && !is_of_files;
    }
    Layers { told, are_ordered }
}

/// The imports between those parts that have to do with each other: the largest such group.
fn connected(between: &Between) -> Between {
    let mut ways: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in between.keys() {
        ways.entry(from).or_default().push(to);
        ways.entry(to).or_default().push(from);
    }
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    let mut largest: BTreeSet<&str> = BTreeSet::new();
    for start in ways.keys().copied() {
        let (mut group, mut open) = (BTreeSet::new(), vec![start]);
        while let Some(part) = open.pop().filter(|_| !seen.contains(start)) {
            if group.insert(part) {
                open.extend(ways.get(part).into_iter().flatten().copied());
            }
        }
        seen.extend(&group);
        if largest.len() < group.len() {
            largest = group;
        }
    }
    between
        .iter()
        .filter(|((from, _), _)| largest.contains(from.as_str()))
        .map(|(key, n)| (key.clone(), *n))
        .collect()
}

/// The layers, where there are at least two arrows between at least three parts.
fn layered(between: &Between, circles: &[Vec<&str>]) -> Option<String> {
    let layers = layers(between, circles);
    let parts: usize = layers.iter().map(Vec::len).sum();
    // Where circles are, two layers say little.
    if layers.len() < if circles.is_empty() { 2 } else { 3 } || parts < 3 {
        return None;
    }
    let words: Vec<String> = layers
        .iter()
        .map(|layer| some_of(&layer.iter().map(|part| named(part)).collect::<Vec<_>>(), NAMED))
        .collect();
    Some(format!(
        "It lies in {}, each using only those named after it: {}.",
        count(layers.len() as u64, "layer"),
        words.join("; ")
    ))
}

/// The parts by how much lies below them, those that rest on most first. Those of one circle lie in one layer.
fn layers<'b>(between: &'b Between, circles: &[Vec<&'b str>]) -> Vec<Vec<&'b str>> {
    let head = |part: &'b str| {
        let circle = circles.iter().find(|circle| circle.contains(&part));
        circle.and_then(|circle| circle.first().copied()).unwrap_or(part)
    };
    let mut below: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, to) in between.keys() {
        let (from, to) = (head(from), head(to));
        below.entry(to).or_default();
        let used = below.entry(from).or_default();
        if from != to {
            used.insert(to);
        }
    }
    let mut level: BTreeMap<&str, usize> = BTreeMap::new();
    // Each round settles at least one more: the circles are gone.
    let mut open: Vec<&str> = below.keys().copied().collect();
    loop {
        let before = open.len();
        open.retain(|part| {
            let deepest = below[part]
                .iter()
                .try_fold(0, |deepest: usize, other| level.get(other).map(|level| deepest.max(level + 1)));
            deepest.map(|deepest| level.insert(part, deepest)).is_none()
        });
        if open.len() == before {
            break;
        }
    }
    let all: BTreeSet<&str> = between.keys().flat_map(|(from, to)| [from.as_str(), to.as_str()]).collect();
    let mut layers: BTreeMap<std::cmp::Reverse<usize>, Vec<&str>> = BTreeMap::new();
    for part in all {
        if let Some(level) = level.get(head(part)) {
            layers.entry(std::cmp::Reverse(*level)).or_default().push(part);
        }
    }
    layers.into_values().collect()
}

/// What is at the bottom and what at the top, where parts use each other.
fn top_and_bottom(parts: &[String], between: &Between, used: &BTreeSet<String>) -> Option<(String, bool)> {
    let uses = |part: &String| between.keys().any(|(from, _)| from == part);
    let is_used = |part: &String| between.keys().any(|(_, to)| to == part);
    let those = |test: &dyn Fn(&String) -> bool| -> Vec<String> {
        parts.iter().filter(|part| test(part)).map(|part| named(part)).collect()
    };
    let bottom = those(&|part| is_used(part) && !uses(part));
    // What only tests use is on top of nothing.
    let is_for_tests = |part: &String| part.rsplit('/').next().is_some_and(|name| name.starts_with("test"));
    let top = those(&|part| uses(part) && !is_used(part) && !used.contains(part) && !is_for_tests(part));
    if between.len() < 3 {
        return None;
    }
    let import = |names: &[String]| if names.len() == 1 { "imports" } else { "import" };
    match (top.is_empty(), bottom.is_empty()) {
        (false, false) => {
            let words = format!(
                "On top, imported by no other part: {}. At the bottom, importing none: {}.",
                some_of(&top, NAMED),
                some_of(&bottom, NAMED),
            );
            Some((words, true))
        }
        (true, false) => {
            let bottom_words = some_of(&bottom, NAMED);
            Some((format!("Of its parts, {bottom_words} {} none of the others.", import(&bottom)), false))
        }
        (false, true) => {
            Some((format!("On top, imported by no other part: {}.", some_of(&top, NAMED)), true))
        }
        (true, true) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(edges: &[(&str, &str)]) -> Between {
        edges.iter().map(|(from, to)| (((*from).to_owned(), (*to).to_owned()), 1)).collect()
    }

    fn parts(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn what_uses_others_lies_above_them() {
        let between = between(&[("cli", "grep"), ("grep", "walk"), ("grep", "match"), ("walk", "glob")]);
        assert_eq!(
            told(&parts(&["cli", "grep", "walk", "match", "glob"]), &between, &BTreeSet::new()).told,
            [
                "It lies in 4 layers, each using only those named after it: `cli`; `grep`; `walk`; `glob` and `match`."
            ]
        );
    }

    #[test]
    fn those_of_a_circle_lie_in_one_layer() {
        let between = between(&[("top", "a"), ("a", "b"), ("b", "a"), ("b", "base")]);
        assert_eq!(
            told(&parts(&["top", "a", "b", "base"]), &between, &BTreeSet::new()).told,
            [
                "It lies in 3 layers, each using only those named after it: `top`; `a` and `b`; `base`.",
                "Files of `a` and `b` import each other."
            ]
        );
    }

    #[test]
    fn a_large_circle_has_no_layers() {
        let names = ["a", "b", "c", "d", "e", "f"];
        let mut edges: Vec<(&str, &str)> = names.windows(2).map(|pair| (pair[0], pair[1])).collect();
        edges.extend([("f", "a"), ("top", "a"), ("c", "base")]);
        let mut all = names.to_vec();
        all.extend(["top", "base"]);
        assert_eq!(
            told(&parts(&all), &between(&edges), &BTreeSet::new()).told,
            ["On top, imported by no other part: `top`. At the bottom, importing none: `base`."]
        );
    }
}
