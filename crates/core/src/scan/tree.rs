//! The upper levels of a target as nested nodes, small enough to show.
//!
//! Three limits hold whatever the target looks like: levels, entries of one directory, nodes in all. A level
//! is shown as a whole or not at all: of a huge target the overview stays, instead of whatever comes first.
//!
//! Not here: what a tree looks like on paper (`luminos-report`).

use std::collections::HashMap;

use super::{DirId, FileId, Kind, Reading, Scan, Trouble};
use crate::RelPath;

/// How much of a target a tree shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeOptions {
    /// Levels below the target; more than [`Tree::MAX_DEPTH`] counts as that.
    pub depth: u32,
    /// Entries shown of one directory.
    pub per_directory: usize,
    /// Nodes in all, the target apart.
    pub nodes: usize,
}

impl Default for TreeOptions {
    fn default() -> Self {
        Self { depth: 3, per_directory: 200, nodes: 1_000 }
    }
}

/// The upper levels of a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The target itself.
    pub root: Node,
    /// Whether entries that lie within its levels are not shown, for there are too many.
    pub is_cut: bool,
}

/// An entry of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Its name, as raw bytes.
    pub name: Box<[u8]>,
    /// What it is.
    pub kind: NodeKind,
    /// Its bytes; for a directory those of its whole subtree.
    pub size: u64,
    /// Whether it is a directory with content that is not shown at all.
    pub truncated: bool,
    /// Why it could not be read, where it could not.
    pub error: Option<String>,
    /// What lies in it, by name.
    pub children: Vec<Node>,
    /// How many more entries it has than those in `children`, when it is not truncated.
    pub omitted: u64,
}

impl Node {
    fn new(name: &[u8], kind: NodeKind, size: u64) -> Self {
        Self {
            name: name.into(),
            kind,
            size,
            truncated: false,
            error: None,
            children: Vec::new(),
            omitted: 0,
        }
    }
}

/// What an entry of a tree is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NodeKind {
    /// A directory.
    Directory,
    /// Anything else.
    Other(Kind),
}

impl NodeKind {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            NodeKind::Directory => "directory",
            NodeKind::Other(kind) => kind.name(),
        }
    }
}

impl Tree {
    /// No tree is deeper than this. Each level is two brackets in JSON, and common readers of JSON give up
    /// at 128.
    pub const MAX_DEPTH: u32 = 60;

    /// The upper levels of a scan.
    pub fn of(scan: &Scan, options: &TreeOptions) -> Self {
        let mut growing = Growing::new(scan);
        let mut left = options.nodes;
        let mut is_cut = false;
        // So that the first level is always shown, if not wholly.
        let per_directory = options.per_directory.min(options.nodes);
        let mut level: Vec<(DirId, usize)> = scan.dir_ids().take(1).map(|root| (root, ROOT)).collect();
        while let Some(&(first, _)) = level.first() {
            let opened: Vec<(usize, Children)> = level
                .iter()
                .filter_map(|&(dir, place)| Some((place, Children::of(scan, dir, per_directory)?)))
                .collect();
            let needed: usize = opened.iter().map(|(_, children)| children.shown.len()).sum();
            let is_deepest = scan.dir(first).depth >= options.depth.min(Self::MAX_DEPTH);
            is_cut |=
                !is_deepest && (left < needed || opened.iter().any(|(_, children)| children.omitted > 0));
            level.clear();
            if is_deepest || left < needed {
                opened.iter().for_each(|&(place, _)| growing.node_mut(place).truncated = true);
                break;
            }
            left -= needed;
            for (place, children) in opened {
                growing.node_mut(place).omitted = children.omitted;
                for child in children.shown {
                    let child_place = growing.add(child, place);
                    if let Entry::Dir(dir) = child {
                        level.push((dir, child_place));
                    }
                }
            }
        }
        growing.explain_errors();
        Self { root: growing.into_root(), is_cut }
    }
}

/// What lies directly in a directory: what is shown of it, by name, and how much more there is.
struct Children {
    shown: Vec<Entry>,
    omitted: u64,
}

#[derive(Debug, Clone, Copy)]
enum Entry {
    Dir(DirId),
    File(FileId),
}

impl Children {
    /// Nothing for an empty directory.
    fn of(scan: &Scan, dir: DirId, limit: usize) -> Option<Self> {
        let files = scan.dir(dir).own_files as usize;
        let dirs = scan.children_of(dir).count();
        if files + dirs == 0 {
            return None;
        }
        // Directories tell more than files do: where both do not fit, they may take what files leave of the
        // first half and all of the second.
        let shown_dirs = dirs.min(limit - files.min(limit / 2));
        let shown_files = files.min(limit - shown_dirs);
        let mut shown: Vec<Entry> = scan.children_of(dir).take(shown_dirs).map(Entry::Dir).collect();
        shown.extend(scan.files_of(dir).take(shown_files).map(Entry::File));
        shown.sort_by_key(|&entry| entry.name(scan));
        Some(Self { omitted: (files + dirs - shown.len()) as u64, shown })
    }
}

impl Entry {
    fn name(self, scan: &Scan) -> &[u8] {
        scan.name(match self {
            Entry::Dir(dir) => scan.dir(dir).name,
            Entry::File(file) => scan.file(file).name,
        })
    }

    fn path(self, scan: &Scan) -> RelPath {
        match self {
            Entry::Dir(dir) => scan.dir_path(dir),
            Entry::File(file) => scan.file_path(file),
        }
    }

    fn has_failed(self, scan: &Scan) -> bool {
        match self {
            Entry::Dir(dir) => scan.dir(dir).unreadable,
            Entry::File(file) => {
                let record = scan.file(file);
                record.kind == Kind::File && record.reading == Reading::Unread
            }
        }
    }

    fn to_node(self, scan: &Scan) -> Node {
        let (kind, size) = match self {
            Entry::Dir(dir) => (NodeKind::Directory, scan.dir(dir).bytes),
            Entry::File(file) => (NodeKind::Other(scan.file(file).kind), scan.file(file).size),
        };
        Node::new(self.name(scan), kind, size)
    }
}

/// A tree whose nodes still stand in a row, level by level. The root's place is 0, the others follow.
struct Growing<'a> {
    scan: &'a Scan,
    root: Node,
    others: Vec<Leaf>,
}

/// The place of the root among the nodes of a growing tree.
const ROOT: usize = 0;

/// A node that does not hang under its parent yet.
struct Leaf {
    entry: Entry,
    node: Node,
    parent: usize,
}

impl<'a> Growing<'a> {
    fn new(scan: &'a Scan) -> Self {
        let name = scan.root.file_name().unwrap_or(scan.root.as_os_str());
        let size = scan.dirs.first().map_or(0, |dir| dir.bytes);
        let root = Node::new(name.as_encoded_bytes(), NodeKind::Directory, size);
        Self { scan, root, others: Vec::new() }
    }

    fn node_mut(&mut self, place: usize) -> &mut Node {
        if place == ROOT { &mut self.root } else { &mut self.others[place - 1].node }
    }

    fn add(&mut self, entry: Entry, parent: usize) -> usize {
        self.others.push(Leaf { entry, node: entry.to_node(self.scan), parent });
        self.others.len()
    }

    /// Goes through the problems once, however many nodes have failed.
    fn explain_errors(&mut self) {
        let mut failed: HashMap<RelPath, usize> = HashMap::new();
        if self.scan.dirs.first().is_some_and(|root| root.unreadable) {
            failed.insert(RelPath::root(), ROOT);
        }
        for (place, leaf) in (1..).zip(&self.others) {
            if leaf.entry.has_failed(self.scan) {
                failed.insert(leaf.entry.path(self.scan), place);
            }
        }
        if failed.is_empty() {
            return;
        }
        for problem in &self.scan.problems {
            let is_failure =
                matches!(problem.trouble, Trouble::Unlisted(_) | Trouble::Unread(_) | Trouble::Changed);
            if is_failure && let Some(place) = failed.remove(&problem.path) {
                self.node_mut(place).error = Some(problem.trouble.to_string());
            }
        }
        for place in failed.into_values() {
            self.node_mut(place).error = Some("not read".to_owned());
        }
    }

    /// Hangs each node under its parent, the last one first, so that a node is complete before it moves.
    fn into_root(mut self) -> Node {
        while let Some(Leaf { mut node, parent, .. }) = self.others.pop() {
            node.children.reverse();
            self.node_mut(parent).children.push(node);
        }
        self.root.children.reverse();
        self.root
    }
}

#[cfg(test)]
mod tests;
