//! Puts a [`Scan`] together from directories and files that come in any order.
//!
//! Ids given out while building are places in the order of coming; [`Builder::finish`] sorts everything
//! and gives the final ones. Meant for small scans made by hand; a walk fills a [`Scan`] itself and then calls
//! [`Scan::put_in_order`], as this does.
//!
//! Not here: hashes. Whoever has them sets them, before ([`Builder::dir_mut`]) or after `finish`.

use std::collections::HashMap;
use std::path::PathBuf;

use super::{
    DirId, DirRecord, Embedded, FileId, FileRecord, LanguageId, LineCounts, Name, Problem, Scan, Skipped,
};

/// A [`Scan`] in the making.
#[derive(Debug)]
pub struct Builder {
    /// Records in the order of coming.
    came: Scan,
    /// Where each description stands.
    known_descriptions: HashMap<Box<str>, u32>,
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
        self.came.dirs.push(DirRecord { name, parent, ..DirRecord::default() });
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

    /// What to set as [`FileRecord::description`] for this text.
    pub fn describe(&mut self, text: &str) -> u32 {
        if let Some(&known) = self.known_descriptions.get(text) {
            return known;
        }
        self.came.descriptions.push(text.into());
        let number = self.came.descriptions.len() as u32;
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
        let mut scan = self.came;
        scan.put_in_order();
        scan
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

#[cfg(test)]
mod tests;
