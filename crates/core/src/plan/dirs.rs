//! The directories of a target, as far as planning needs to know them.

use std::collections::HashMap;

use super::meant;
use crate::RelPath;
use crate::scan::{DirId, Scan};

/// All directories of a target. A parent stands before its children, the target itself first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dirs {
    /// What the target itself is called.
    name: Vec<u8>,
    paths: Vec<RelPath>,
    parents: Vec<DirId>,
    by_path: HashMap<RelPath, DirId>,
}

impl Dirs {
    /// The directories of a scan, under the same numbers.
    pub fn of(scan: &Scan) -> Self {
        let name = scan.root.file_name().map(|name| name.as_encoded_bytes().to_vec());
        let paths: Vec<RelPath> = scan.dir_ids().map(|dir| scan.dir_path(dir)).collect();
        let parents = scan.dirs.iter().map(|dir| dir.parent).collect();
        Self::from_parts(name.unwrap_or_default(), paths, parents)
    }

    /// Directories by their paths, for tests and simulations. A parent stands before its children.
    pub fn from_paths(name: &str, paths: &[&str]) -> Self {
        let paths: Vec<RelPath> = paths.iter().map(|path| RelPath::from(*path)).collect();
        let place = |path: &RelPath| paths.iter().position(|other| other == path).unwrap_or(0);
        let parents = paths.iter().map(|path| {
            let parent = path.parent().map_or(0, |parent| place(&parent));
            DirId(u32::try_from(parent).unwrap_or(0))
        });
        let parents = parents.collect();
        Self::from_parts(name.as_bytes().to_vec(), paths, parents)
    }

    fn from_parts(name: Vec<u8>, paths: Vec<RelPath>, parents: Vec<DirId>) -> Self {
        let by_path = paths.iter().cloned().zip((0..).map(DirId)).collect();
        Self { name, paths, parents, by_path }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// Whether there is none, not even the target.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// All of them, parents first.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = DirId> + use<> {
        (0..u32::try_from(self.paths.len()).unwrap_or(u32::MAX)).map(DirId)
    }

    /// Where one lies.
    pub fn path(&self, dir: DirId) -> &RelPath {
        &self.paths[dir.0 as usize]
    }

    /// The directory that one lies in; `None` for the target itself.
    pub fn parent(&self, dir: DirId) -> Option<DirId> {
        (dir != DirId(0)).then(|| self.parents[dir.0 as usize])
    }

    /// The directory at a path.
    pub fn at(&self, path: &RelPath) -> Option<DirId> {
        self.by_path.get(path).copied()
    }

    /// The directory that a planner meant. The target itself may be called by its own name, unless something in it
    /// has that name.
    pub fn find(&self, path: &str) -> Option<DirId> {
        let path = meant(path)?;
        let named_after_itself = || (path.as_bytes() == self.name).then_some(DirId(0));
        self.at(&path).or_else(named_after_itself)
    }
}
