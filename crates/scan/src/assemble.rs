//! What the threads found, put in order and hashed.

use std::collections::HashMap;
use std::path::PathBuf;

use luminos_core::ContentHash;
use luminos_core::scan::{DirId, DirRecord, FileRecord, Kind, Name, Reading, Scan};
use sha2::{Digest, Sha256};

use crate::language;
use crate::walk::{Found, FoundDir};

/// Puts everything in the order of the tree. `None` when there is more than can be numbered.
pub(crate) fn assemble(root: PathBuf, parts: Vec<Found>) -> Option<Scan> {
    let mut scan = Scan { root, languages: language::names(), ..Scan::default() };
    let mut dirs = Vec::new();
    let mut known_descriptions: HashMap<Box<str>, u32> = HashMap::new();
    for part in parts {
        let names_before = u32::try_from(scan.names.len()).ok()?;
        let files_before = u32::try_from(scan.files.len()).ok()?;
        dirs.extend(part.dirs);
        append(&mut scan.names, part.names);
        append(&mut scan.files, part.files);
        for file in &mut scan.files[files_before as usize..] {
            file.name.start = file.name.start.checked_add(names_before)?;
        }
        scan.embedded.extend(part.embedded.into_iter().map(|mut embedded| {
            embedded.file.0 += files_before;
            embedded
        }));
        for (file, text) in part.descriptions {
            let number = known_descriptions.entry(text).or_insert_with_key(|text| {
                scan.descriptions.push(text.clone());
                scan.descriptions.len() as u32
            });
            scan.files[(file + files_before) as usize].description = *number;
        }
        scan.problems.extend(part.problems);
        scan.skipped.extend(part.skipped);
        scan.skipped_counts.add(part.skipped_counts);
    }
    u32::try_from(scan.files.len()).ok()?;
    add_dirs(&mut scan, dirs)?;
    scan.put_in_order();
    for place in (0..scan.dirs.len()).rev() {
        scan.dirs[place].hash = hash_dir(&scan, DirId(place as u32));
    }
    Some(scan)
}

/// Moves everything over, without a copy where the first part can simply be taken.
fn append<T>(all: &mut Vec<T>, mut part: Vec<T>) {
    if all.is_empty() {
        *all = part;
    } else {
        all.append(&mut part);
    }
}

/// Adds the directories under the numbers they were found under.
fn add_dirs(scan: &mut Scan, mut found: Vec<FoundDir>) -> Option<()> {
    found.sort_unstable_by_key(|dir| dir.id);
    for FoundDir { parent, name, unreadable, .. } in found {
        let start = u32::try_from(scan.names.len()).ok()?;
        scan.names.extend_from_slice(&name);
        let name = Name { start, len: name.len() as u16 };
        scan.dirs.push(DirRecord { name, parent: DirId(parent), unreadable, ..DirRecord::default() });
    }
    u32::try_from(scan.names.len()).ok().map(|_| ())
}

/// Covers name, kind, executable bit and hash of each entry, by name. Times and listing order do not matter.
fn hash_dir(scan: &Scan, dir: DirId) -> ContentHash {
    let mut hasher = Sha256::new();
    hasher.update(b"luminos directory\0");
    let mut add = |kind: u8, name: &[u8], hash: &ContentHash| {
        hasher.update([kind]);
        hasher.update((name.len() as u16).to_le_bytes());
        hasher.update(name);
        hasher.update(hash.0);
    };
    if scan.dir(dir).unreadable {
        add(b'!', b"", &ContentHash::default());
    }
    let mut files = scan.files_of(dir).peekable();
    let mut children = scan.children_of(dir).peekable();
    loop {
        let file = files.peek().map(|&file| scan.file(file));
        let child = children.peek().map(|&child| scan.dir(child));
        match (file, child) {
            (None, None) => break,
            (Some(file), child) if child.is_none_or(|child| scan.name(file.name) < scan.name(child.name)) => {
                add(kind_byte(file), scan.name(file.name), &file.hash);
                files.next();
            }
            (_, Some(child)) => {
                add(b'd', scan.name(child.name), &child.hash);
                children.next();
            }
            (Some(_), None) => break,
        }
    }
    ContentHash(hasher.finalize().into())
}

fn kind_byte(file: &FileRecord) -> u8 {
    match (file.kind, file.reading, file.executable) {
        (Kind::File, Reading::Unread, _) => b'?',
        (Kind::File, Reading::Sampled, false) => b's',
        (Kind::File, Reading::Sampled, true) => b'S',
        (Kind::File, Reading::Whole, false) => b'f',
        (Kind::File, Reading::Whole, true) => b'x',
        (Kind::Symlink, ..) => b'l',
        (Kind::Fifo, ..) => b'p',
        (Kind::Socket, ..) => b'k',
        (Kind::BlockDevice, ..) => b'b',
        (Kind::CharDevice, ..) => b'c',
    }
}
