//! The chain of commits: each has one parent, the one it was made from.
//!
//! All commits of a question are held at once, as numbers, so that walking costs nothing: a hundred thousand of them
//! take a few megabytes. Data may be bad: parents that are missing, and circles. Every walk ends.
//!
//! Not here: where commits come from, and what they say.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How far a common ancestor is looked for.
pub const MOST_DEPTH: usize = 4096;
/// How many characters of a commit's name are shown.
const SHOWN: usize = 12;

/// The name of a commit: its hash.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommitId(Arc<str>);

impl CommitId {
    /// A commit by its hash.
    pub fn new(hash: &str) -> Self {
        Self(hash.into())
    }

    /// The whole hash.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part of the hash that people see.
    pub fn short(&self) -> &str {
        self.0.get(..SHOWN).unwrap_or(&self.0)
    }
}

impl fmt::Display for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for CommitId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.short())
    }
}

impl Serialize for CommitId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for CommitId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|hash| Self::new(&hash))
    }
}

/// A commit's number in a chain.
pub type Place = u32;

/// Commits and their parents.
#[derive(Debug, Default)]
pub struct Chain {
    nodes: Vec<Node>,
    places: HashMap<CommitId, Place>,
}

#[derive(Debug)]
struct Node {
    id: CommitId,
    parent: Option<Place>,
    /// Whether the commit itself is known, and not only that it is somebody's parent.
    is_known: bool,
}

impl Chain {
    /// Adds a commit. One that is there already stays as it is.
    pub fn add(&mut self, id: CommitId, parent: Option<CommitId>) {
        let place = self.place_or_new(id);
        if self.node(place).is_some_and(|node| node.is_known) {
            return;
        }
        let parent = parent.map(|parent| self.place_or_new(parent));
        if let Some(node) = self.nodes.get_mut(place as usize) {
            node.parent = parent;
            node.is_known = true;
        }
    }

    fn place_or_new(&mut self, id: CommitId) -> Place {
        if let Some(&place) = self.places.get(&id) {
            return place;
        }
        let place = u32::try_from(self.nodes.len()).unwrap_or(Place::MAX);
        self.places.insert(id.clone(), place);
        self.nodes.push(Node { id, parent: None, is_known: false });
        place
    }

    fn node(&self, place: Place) -> Option<&Node> {
        self.nodes.get(place as usize)
    }

    /// How many commits are known.
    pub fn len(&self) -> usize {
        self.nodes.iter().filter(|node| node.is_known).count()
    }

    /// Whether no commit is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where a commit stands.
    pub fn place(&self, id: &CommitId) -> Option<Place> {
        self.places.get(id).copied()
    }

    /// Whether a commit is known, and not only named as somebody's parent.
    pub fn is_known(&self, id: &CommitId) -> bool {
        self.place(id).and_then(|place| self.node(place)).is_some_and(|node| node.is_known)
    }

    /// The commit at a place. There is always one: places come from this chain.
    pub fn id(&self, place: Place) -> CommitId {
        self.node(place).map_or_else(|| CommitId::new(""), |node| node.id.clone())
    }

    /// The parent of the commit at a place.
    pub fn parent(&self, place: Place) -> Option<Place> {
        self.node(place)?.parent
    }

    /// From a commit to its parent and on. The last one may be unknown. Ends before a commit that was there already.
    pub fn walk(&self, from: Place) -> Walk<'_> {
        Walk { chain: self, next: Some(from), seen: vec![false; self.nodes.len()] }
    }

    /// The commits from the one given towards the root, itself included, that are known.
    pub fn ancestors(&self, id: &CommitId) -> impl Iterator<Item = CommitId> {
        let start = self.place(id);
        start
            .into_iter()
            .flat_map(|start| self.walk(start))
            .filter(|&place| self.node(place).is_some_and(|node| node.is_known))
            .map(|place| self.id(place))
    }
}

/// A walk towards the root.
#[derive(Debug)]
pub struct Walk<'a> {
    chain: &'a Chain,
    next: Option<Place>,
    seen: Vec<bool>,
}

impl Iterator for Walk<'_> {
    type Item = Place;

    fn next(&mut self) -> Option<Place> {
        let place = self.next.take()?;
        let seen = self.seen.get_mut(place as usize)?;
        if std::mem::replace(seen, true) {
            return None;
        }
        self.next = self.chain.parent(place);
        Some(place)
    }
}

/// The commits that a base stands on. Made once for all inspirations.
#[derive(Debug)]
pub struct Ground<'a> {
    chain: &'a Chain,
    below: Vec<bool>,
    is_cut: bool,
}

impl<'a> Ground<'a> {
    /// What a base stands on, as far as is looked.
    pub fn new(chain: &'a Chain, base: &CommitId) -> Self {
        let mut below = vec![false; chain.nodes.len()];
        let mut steps = 0;
        for place in chain.place(base).into_iter().flat_map(|base| chain.walk(base)).take(MOST_DEPTH) {
            below[place as usize] = true;
            steps += 1;
        }
        Self { chain, below, is_cut: steps == MOST_DEPTH }
    }

    /// The nearest commit that an inspiration has in common with the base.
    pub fn common_ancestor(&self, inspiration: &CommitId) -> Option<Place> {
        let start = self.chain.place(inspiration)?;
        self.chain.walk(start).take(MOST_DEPTH).find(|&place| self.below[place as usize])
    }

    /// Whether an ancestor may be out of reach only because the chain is too long to look at.
    pub fn is_too_deep(&self, inspiration: &CommitId) -> bool {
        let start = self.chain.place(inspiration);
        let steps = start.map_or(0, |start| self.chain.walk(start).take(MOST_DEPTH).count());
        self.is_cut || steps == MOST_DEPTH
    }

    /// The steps from the common ancestor, which is not among them, to the inspiration, oldest first.
    pub fn unique_path(&self, inspiration: &CommitId, ancestor: Place) -> Vec<Place> {
        let Some(start) = self.chain.place(inspiration) else { return Vec::new() };
        let mut path: Vec<Place> = self
            .chain
            .walk(start)
            .take_while(|&place| {
                place != ancestor && self.chain.node(place).is_some_and(|node| node.is_known)
            })
            .take(MOST_DEPTH)
            .collect();
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> CommitId {
        CommitId::new(name)
    }

    fn chain(links: &[(&str, &str)]) -> Chain {
        let mut chain = Chain::default();
        for (child, parent) in links {
            chain.add(id(child), (!parent.is_empty()).then(|| id(parent)));
        }
        chain
    }

    fn common(chain: &Chain, base: &str, inspiration: &str) -> Option<String> {
        let place = Ground::new(chain, &id(base)).common_ancestor(&id(inspiration))?;
        Some(chain.id(place).to_string())
    }

    #[test]
    fn the_nearest_common_commit_is_found_in_a_tree() {
        let tree = chain(&[("r", ""), ("a", "r"), ("b", "a"), ("x", "a"), ("y", "x"), ("z", "r")]);
        assert_eq!(common(&tree, "b", "y").as_deref(), Some("a"));
        assert_eq!(common(&tree, "b", "z").as_deref(), Some("r"));
        assert_eq!(common(&tree, "b", "b").as_deref(), Some("b"));
        assert_eq!(common(&tree, "b", "a").as_deref(), Some("a"));
        assert_eq!(common(&tree, "a", "y").as_deref(), Some("a"));
        assert_eq!(common(&tree, "b", ""), None);
        assert_eq!(common(&tree, "", "b"), None);
        assert_eq!(common(&tree, "b", "nobody"), None);
    }

    #[test]
    fn the_first_commit_without_a_card_can_still_be_the_common_one() {
        let tree = chain(&[("a", "lost"), ("b", "lost")]);
        assert_eq!(common(&tree, "a", "b").as_deref(), Some("lost"));
        assert!(!tree.is_known(&id("lost")));
        assert_eq!(tree.len(), 2);
    }

    #[test]
    fn circles_end() {
        let circle = chain(&[("a", "b"), ("b", "c"), ("c", "a"), ("x", "x")]);
        assert_eq!(common(&circle, "a", "x"), None);
        assert_eq!(common(&circle, "c", "b").as_deref(), Some("b"));
        assert_eq!(circle.ancestors(&id("a")).count(), 3);
    }

    #[test]
    fn a_common_commit_too_far_away_is_not_found() {
        let mut long = Chain::default();
        long.add(id("0"), None);
        for at in 1..=MOST_DEPTH + 10 {
            long.add(id(&at.to_string()), Some(id(&(at - 1).to_string())));
        }
        let tip = (MOST_DEPTH + 10).to_string();
        assert_eq!(common(&long, "10", &tip), None);
        assert_eq!(common(&long, "11", &tip).as_deref(), Some("11"));
        assert!(Ground::new(&long, &id("10")).is_too_deep(&id(&tip)));
        assert!(!Ground::new(&long, &id("10")).is_too_deep(&id("12")));
    }

    #[test]
    fn commits_may_come_in_any_order_and_twice() {
        let tree = chain(&[("b", "a"), ("a", "r"), ("r", ""), ("b", "other")]);
        let seen: Vec<String> = tree.ancestors(&id("b")).map(|id| id.to_string()).collect();
        assert_eq!(seen, ["b", "a", "r"]);
    }
}
