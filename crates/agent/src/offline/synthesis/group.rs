//! Subsystems by place: the directories at the top, or one level down where a single one holds nearly all.

use std::collections::BTreeMap;

use luminos_core::RelPath;
use luminos_core::entry::DirEntry;
use luminos_core::report::Subsystem;

use crate::offline::compose::gist_of;
use crate::offline::words::count;

/// As many as a reader can keep in mind.
const MOST: usize = 10;

/// Forms subsystems of directories.
pub(super) fn subsystems(dirs: &[DirEntry]) -> Vec<Subsystem> {
    let mut depth = 1;
    let mut groups = by_place(dirs, depth);
    // A single directory that holds most is no division: look inside.
    while depth < 4 && groups.values().any(|paths| dirs.len() * 6 < paths.len() * 10) {
        depth += 1;
        groups = by_place(dirs, depth);
    }
    let mut groups: Vec<(RelPath, Vec<RelPath>)> = groups.into_iter().collect();
    groups.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.0.cmp(&b.0)));
    let rest: Vec<RelPath> = if MOST < groups.len() {
        groups.split_off(MOST - 1).into_iter().flat_map(|(_, paths)| paths).collect()
    } else {
        Vec::new()
    };
    let mut subsystems: Vec<Subsystem> = groups
        .into_iter()
        .map(|(path, members)| {
            let entry = dirs.iter().find(|entry| entry.relative_path == path);
            let name = if path.is_root() { "The top".to_owned() } else { path.to_word() };
            let description = entry.map(gist_of).unwrap_or_else(|| count(members.len() as u64, "directory"));
            Subsystem { name, description, dirs: members }
        })
        .collect();
    if !rest.is_empty() {
        let description = count(rest.len() as u64, "smaller directory");
        subsystems.push(Subsystem { name: "Everything else".to_owned(), description, dirs: rest });
    }
    subsystems
}

fn by_place(dirs: &[DirEntry], depth: usize) -> BTreeMap<RelPath, Vec<RelPath>> {
    let mut groups: BTreeMap<RelPath, Vec<RelPath>> = BTreeMap::new();
    for entry in dirs {
        let bytes = entry.relative_path.as_bytes();
        let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        let end = ends.take(depth).nth(depth - 1).unwrap_or(bytes.len());
        groups.entry(RelPath::new(&bytes[..end])).or_default().push(entry.relative_path.clone());
    }
    groups
}
