//! Puts a [`Scan`] together from directories and files that come in any order.
//!
//! Ids given out while building are places in the order of coming; [`Builder::finish`] sorts everything
//! and gives the final ones. The same tree ends up as the same [`Scan`], byte for byte, whatever came first.
//!
//! Not here: hashes. Whoever has them sets them, before ([`Builder::dir_mut`]) or after `finish`.

use std::collections::HashMap;
use std::path::PathBuf;

use super::{
    DirId, DirRecord, Embedded, FileId, FileRecord, Kind, LanguageId, LineCounts, Name, Problem, Scan,
    Skipped,
};

/// A [`Scan`] in the making.
#[derive(Debug)]
pub struct Builder {
    /// Records in the order of coming.
    came: Scan,
    /// Where each description stands.
    known_descriptions: HashMap<Box<str>, u16>,
}

impl Builder {
    /// The directory that every scan has: the target itself.
    pub const ROOT: DirId = DirId(0);

    /// Starts with the target alone.
    pub fn new(root: impl Into<PathBuf>, languages: Vec<&'static str>) -> Self {
        let came = Scan { root: root.into(), languages, dirs: vec![DirRecord::default()], ..Scan::default() };
        Self { came, known_descriptions: HashMap::new() }
    }

    /// Adds a directory. Its parent must be there already.
    pub fn add_dir(&mut self, parent: DirId, name: &[u8]) -> DirId {
        let name = self.add_name(name);
        let depth = self.came.dir(parent).depth + 1;
        self.came.dirs.push(DirRecord { name, parent, depth, ..DirRecord::default() });
        DirId(self.came.dirs.len() as u32 - 1)
    }

    /// A directory's record, to set its hash or that it is unreadable. Place and totals come from `finish`.
    pub fn dir_mut(&mut self, dir: DirId) -> &mut DirRecord {
        &mut self.came.dirs[dir.0 as usize]
    }

    /// Adds a file; the record's own directory and name are replaced by these.
    pub fn add_file(&mut self, dir: DirId, name: &[u8], record: FileRecord) -> FileId {
        let name = self.add_name(name);
        self.came.files.push(FileRecord { dir, name, ..record });
        FileId(self.came.files.len() as u32 - 1)
    }

    /// Finds a directory by its path, or makes it and the ones above it. It looks through all directories:
    /// meant for small scans made by hand.
    pub fn dir_at(&mut self, path: &[u8]) -> DirId {
        let mut at = Self::ROOT;
        for name in path.split(|&byte| byte == b'/').filter(|name| !name.is_empty()) {
            let found = self.came.dir_ids().skip(1).find(|&dir| {
                let record = self.came.dir(dir);
                record.parent == at && self.came.name(record.name) == name
            });
            at = found.unwrap_or_else(|| self.add_dir(at, name));
        }
        at
    }

    /// Adds a file by its path, with the directories above it; for small scans, like [`Builder::dir_at`].
    pub fn file_at(&mut self, path: &[u8], record: FileRecord) -> FileId {
        let split = path.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
        let dir = self.dir_at(&path[..split]);
        self.add_file(dir, &path[split..], record)
    }

    /// What to set as [`FileRecord::description`] for this text. There is room for 65,535 different ones;
    /// any further one counts as none.
    pub fn describe(&mut self, text: &str) -> u16 {
        if let Some(&known) = self.known_descriptions.get(text) {
            return known;
        }
        let Ok(number) = u16::try_from(self.came.descriptions.len() + 1) else { return 0 };
        self.came.descriptions.push(text.into());
        self.known_descriptions.insert(text.into(), number);
        number
    }

    /// Adds lines of another language inside a file.
    pub fn embed(&mut self, file: FileId, language: LanguageId, counts: LineCounts) {
        self.came.embedded.push(Embedded { file, language, counts });
    }

    /// Adds something that could not be read.
    pub fn add_problem(&mut self, problem: Problem) {
        self.came.problems.push(problem);
    }

    /// Counts a path that was left out, and lists it.
    pub fn skip(&mut self, skipped: Skipped) {
        self.came.skipped_counts.count(&skipped.rule);
        self.came.skipped.push(skipped);
    }

    /// Sorts everything into its place and sums up the totals.
    pub fn finish(self) -> Scan {
        let mut came = self.came;
        let dir_order = preorder(&came);
        let mut dir_places = vec![0u32; dir_order.len()];
        for (place, dir) in dir_order.iter().enumerate() {
            dir_places[dir.0 as usize] = place as u32;
        }
        let siblings =
            Siblings::group(dir_order.len(), came.files.iter().map(|file| (file.dir, came.name(file.name))));
        let file_order: Vec<FileId> =
            dir_order.iter().flat_map(|&dir| siblings.of(dir)).map(|&file| FileId(file)).collect();

        let mut names = Vec::with_capacity(came.names.len());
        let mut dirs: Vec<DirRecord> = Vec::with_capacity(dir_order.len());
        for (place, &dir) in (0..).zip(&dir_order) {
            let record = came.dir(dir);
            dirs.push(DirRecord {
                name: append(&mut names, came.name(record.name)),
                parent: DirId(dir_places[record.parent.0 as usize]),
                subtree_end: place + 1,
                ..record.clone()
            });
        }
        let mut files = Vec::with_capacity(file_order.len());
        let mut file_places = vec![FileId::default(); file_order.len()];
        for (place, &file) in (0..).zip(&file_order) {
            file_places[file.0 as usize] = FileId(place);
            let record = came.file(file);
            let dir = DirId(dir_places[record.dir.0 as usize]);
            let name = append(&mut names, came.name(record.name));
            files.push(FileRecord { dir, name, ..record.clone() });
        }
        sum_up(&mut dirs, &files);
        let descriptions = renumber_descriptions(&came.descriptions, &mut files);
        for embedded in &mut came.embedded {
            embedded.file = file_places[embedded.file.0 as usize];
        }
        came.embedded.sort_by_key(|embedded| (embedded.file, embedded.language));
        came.problems.sort();
        came.skipped.sort();
        Scan { names, dirs, files, descriptions, ..came }
    }

    fn add_name(&mut self, name: &[u8]) -> Name {
        append(&mut self.came.names, name)
    }
}

/// Adds a name to the others. One that no longer fits is kept as an empty one: four gigabytes of names are
/// a target nobody reads by name.
fn append(names: &mut Vec<u8>, name: &[u8]) -> Name {
    let (Ok(start), Ok(len)) = (u32::try_from(names.len()), u16::try_from(name.len())) else {
        return Name::default();
    };
    names.extend_from_slice(name);
    Name { start, len }
}

/// All directories, parents before children, siblings by name. Deep trees make no deep stack.
fn preorder(came: &Scan) -> Vec<DirId> {
    let below = came.dirs.iter().skip(1);
    let siblings = Siblings::group(came.dirs.len(), below.map(|dir| (dir.parent, came.name(dir.name))));
    let mut order = Vec::with_capacity(came.dirs.len());
    let mut waiting = vec![Builder::ROOT];
    while let Some(dir) = waiting.pop() {
        order.push(dir);
        // The target itself was left out of the grouping.
        waiting.extend(siblings.of(dir).iter().rev().map(|&place| DirId(place + 1)));
    }
    order
}

/// Entries by the directory they lie in, and there by name. Each directory is sorted alone: its names came
/// one after another and lie side by side, which one sort over all entries would make nothing of.
struct Siblings {
    starts: Vec<usize>,
    places: Vec<u32>,
}

impl Siblings {
    fn group<'a>(dirs: usize, entries: impl Iterator<Item = (DirId, &'a [u8])> + Clone) -> Self {
        let mut starts = vec![0usize; dirs + 1];
        for (dir, _) in entries.clone() {
            starts[dir.0 as usize + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut named: Vec<(&[u8], u32)> = vec![(&[], 0); starts[dirs]];
        for (place, (dir, name)) in (0..).zip(entries) {
            let slot = &mut next[dir.0 as usize];
            named[*slot] = (name, place);
            *slot += 1;
        }
        for bounds in starts.windows(2) {
            named[bounds[0]..bounds[1]].sort_unstable();
        }
        Self { starts, places: named.into_iter().map(|(_, place)| place).collect() }
    }

    fn of(&self, dir: DirId) -> &[u32] {
        let dir = dir.0 as usize;
        &self.places[self.starts[dir]..self.starts[dir + 1]]
    }
}

/// Fills in what a directory knows of its files and its subtree.
fn sum_up(dirs: &mut [DirRecord], files: &[FileRecord]) {
    for file in files {
        let dir = &mut dirs[file.dir.0 as usize];
        dir.own_files += 1;
        if file.kind == Kind::File {
            dir.files += 1;
            dir.bytes += file.size;
        }
    }
    let mut first_file = 0;
    for dir in dirs.iter_mut() {
        dir.first_file = first_file;
        first_file += dir.own_files;
    }
    for place in (1..dirs.len()).rev() {
        let DirRecord { parent, subtree_end, files, bytes, .. } = dirs[place];
        let parent = &mut dirs[parent.0 as usize];
        parent.subtree_end = parent.subtree_end.max(subtree_end);
        parent.files += files;
        parent.bytes += bytes;
    }
}

/// Puts descriptions in the order in which files use them, and leaves out those that none uses.
fn renumber_descriptions(came: &[Box<str>], files: &mut [FileRecord]) -> Vec<Box<str>> {
    let mut numbers = vec![0u16; came.len() + 1];
    let mut descriptions = Vec::new();
    for file in files.iter_mut().filter(|file| file.description != 0) {
        let number = &mut numbers[usize::from(file.description)];
        if *number == 0 {
            descriptions.push(came[usize::from(file.description) - 1].clone());
            *number = descriptions.len() as u16;
        }
        file.description = *number;
    }
    descriptions
}

#[cfg(test)]
mod tests;
