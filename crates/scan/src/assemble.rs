//! What the threads found, put in order and hashed.

use std::collections::HashMap;
use std::path::PathBuf;

use luminos_core::ContentHash;
use luminos_core::scan::{DirId, DirRecord, FileId, FileRecord, Kind, Name, Reading, Scan};
use sha2::{Digest, Sha256};

use crate::language;
use crate::walk::{Found, FoundDir, Portion};

/// Places in the list of descriptions fit in two bytes.
const MOST_DESCRIPTIONS: usize = u16::MAX as usize - 1;

/// Puts everything in the order of the tree. `None` when there is more than can be numbered.
pub(crate) fn assemble(root: PathBuf, parts: Vec<Found>) -> Option<Scan> {
    let mut scan = Scan { root, languages: language::names(), ..Scan::default() };
    let mut dirs = Vec::new();
    let mut portions = Vec::new();
    let mut descriptions: HashMap<u32, Box<str>> = HashMap::new();
    for part in parts {
        let names_before = u32::try_from(scan.names.len()).ok()?;
        let files_before = u32::try_from(scan.files.len()).ok()?;
        dirs.extend(part.dirs);
        portions.extend(part.portions.into_iter().map(|portion| {
            let before = files_before as usize;
            Portion { files: portion.files.start + before..portion.files.end + before, ..portion }
        }));
        append(&mut scan.names, part.names);
        append(&mut scan.files, part.files);
        for file in &mut scan.files[files_before as usize..] {
            file.name.start = file.name.start.checked_add(names_before)?;
        }
        scan.embedded.extend(part.embedded.into_iter().map(|mut embedded| {
            embedded.file.0 += files_before;
            embedded
        }));
        descriptions.extend(part.descriptions.into_iter().map(|(file, text)| (file + files_before, text)));
        scan.problems.extend(part.problems);
        scan.skipped.extend(part.skipped);
        scan.skipped_counts.add(part.skipped_counts);
    }
    u32::try_from(scan.files.len()).ok()?;
    let ranks = place_dirs(&mut scan, dirs)?;
    place_files(&mut scan, &ranks, portions, &mut descriptions);
    total_and_hash(&mut scan);
    scan.problems.sort_unstable();
    scan.skipped.sort_unstable();
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

/// Puts the directories in preorder; gives the place of each by the number it was found under.
fn place_dirs(scan: &mut Scan, mut found: Vec<FoundDir>) -> Option<Vec<u32>> {
    found.sort_unstable_by_key(|dir| dir.id);
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); found.len()];
    for (place, dir) in found.iter().enumerate().skip(1) {
        children[dir.parent as usize].push(place as u32);
    }
    let mut ranks = vec![0; found.len()];
    // A stack of what is still to be placed, with the place and depth of the parent.
    let mut stack = vec![(0_u32, 0_u32, 0_u32)];
    while let Some((id, parent, depth)) = stack.pop() {
        let dir = found.get(id as usize)?;
        let rank = scan.dirs.len() as u32;
        ranks[id as usize] = rank;
        let start = u32::try_from(scan.names.len()).ok()?;
        scan.names.extend_from_slice(&dir.name);
        scan.dirs.push(DirRecord {
            name: Name { start, len: dir.name.len() as u16 },
            parent: DirId(parent),
            depth,
            subtree_end: rank + 1,
            unreadable: dir.unreadable,
            ..DirRecord::default()
        });
        let mut below = std::mem::take(&mut children[id as usize]);
        below.sort_unstable_by(|&a, &b| found[b as usize].name.cmp(&found[a as usize].name));
        stack.extend(below.into_iter().map(|child| (child, rank, depth + 1)));
    }
    for place in (1..scan.dirs.len()).rev() {
        let DirRecord { parent, subtree_end, .. } = scan.dirs[place];
        let parent = &mut scan.dirs[parent.0 as usize];
        parent.subtree_end = parent.subtree_end.max(subtree_end);
    }
    Some(ranks)
}

/// Sorts the files by directory and name, and lets everything that points at them follow.
fn place_files(
    scan: &mut Scan,
    ranks: &[u32],
    mut portions: Vec<Portion>,
    descriptions: &mut HashMap<u32, Box<str>>,
) {
    for file in &mut scan.files {
        file.dir = DirId(ranks[file.dir.0 as usize]);
    }
    // Within a portion, and from one to the next of the same directory, the names are in order already.
    portions.sort_unstable_by_key(|portion| (ranks[portion.dir as usize], portion.from));
    let order: Vec<u32> =
        portions.into_iter().flat_map(|portion| portion.files).map(|file| file as u32).collect();
    let mut place_of = vec![0_u32; order.len()];
    for (place, &before) in order.iter().enumerate() {
        place_of[before as usize] = place as u32;
    }
    for embedded in &mut scan.embedded {
        embedded.file = FileId(place_of[embedded.file.0 as usize]);
    }
    scan.embedded.sort_unstable_by_key(|embedded| (embedded.file, embedded.language));

    let mut numbers: HashMap<Box<str>, u16> = HashMap::new();
    for &before in &order {
        let Some(text) = descriptions.remove(&before) else { continue };
        scan.files[before as usize].description = number_of(text, &mut numbers, &mut scan.descriptions);
    }
    permute(&mut scan.files, place_of);
    order_names(scan);
    for (place, file) in (0_u32..).zip(&scan.files) {
        let dir = &mut scan.dirs[file.dir.0 as usize];
        if dir.own_files == 0 {
            dir.first_file = place;
        }
        dir.own_files += 1;
    }
}

/// Writes the names anew in the order of the records: the threads left them in the order of finding.
fn order_names(scan: &mut Scan) {
    let mut names = Vec::with_capacity(scan.names.len());
    let dirs = scan.dirs.iter_mut().map(|dir| &mut dir.name);
    for name in dirs.chain(scan.files.iter_mut().map(|file| &mut file.name)) {
        let start = name.start as usize;
        name.start = names.len() as u32;
        names.extend_from_slice(&scan.names[start..start + usize::from(name.len)]);
    }
    scan.names = names;
}

/// Brings each element to its place by swapping, so that no second copy of all records is needed.
fn permute(files: &mut [FileRecord], mut place_of: Vec<u32>) {
    for at in 0..files.len() {
        while place_of[at] as usize != at {
            let to = place_of[at] as usize;
            files.swap(at, to);
            place_of.swap(at, to);
        }
    }
}

/// The number of a description, counted from 1. Beyond the most that can be numbered, details are dropped.
fn number_of(text: Box<str>, numbers: &mut HashMap<Box<str>, u16>, all: &mut Vec<Box<str>>) -> u16 {
    let text = if MOST_DESCRIPTIONS / 2 <= all.len() && !numbers.contains_key(&text) {
        text.split(',').next().unwrap_or_default().into()
    } else {
        text
    };
    if let Some(&number) = numbers.get(&text) {
        return number;
    }
    if MOST_DESCRIPTIONS <= all.len() {
        return 0;
    }
    all.push(text.clone());
    let number = all.len() as u16;
    numbers.insert(text, number);
    number
}

/// Sums up sizes and hashes from the leaves to the target.
fn total_and_hash(scan: &mut Scan) {
    for place in (0..scan.dirs.len()).rev() {
        let dir = DirId(place as u32);
        let regular = scan.files_of(dir).map(|file| scan.file(file)).filter(|file| file.kind == Kind::File);
        let (files, bytes) = regular.fold((0, 0), |(files, bytes), file| (files + 1, bytes + file.size));
        let hash = hash_dir(scan, dir);
        let record = &mut scan.dirs[place];
        record.files += files;
        record.bytes += bytes;
        record.hash = hash;
        let DirRecord { parent, files, bytes, .. } = *record;
        if place != 0 {
            scan.dirs[parent.0 as usize].files += files;
            scan.dirs[parent.0 as usize].bytes += bytes;
        }
    }
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
