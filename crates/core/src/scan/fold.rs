//! Very deep trees, made shallow enough to be investigated.
//!
//! Every record of an investigation names its directory by the whole path, so a chain of nested directories would cost
//! the square of its length. Directories below a depth limit are therefore merged into their ancestor at that depth: its
//! files include theirs, under names that lead down to them. Files, bytes and hashes stay what they were.
//!
//! Not here: the walk itself, which goes to any depth.

use super::{DirId, DirRecord, FileId, Kind, Name, Problem, Reading, Scan, Trouble};
use crate::RelPath;

/// Directories further below the target are investigated with their ancestor at this depth.
pub const DEEPEST: u32 = 64;

/// The longest path that the kernel opens in one piece, in bytes.
const LONGEST_PATH: usize = 4_095;

/// The directory that a file is investigated with: the one it lies in, unless that lies too deep.
pub fn home_of(file: &RelPath) -> RelPath {
    let bytes = file.as_bytes();
    let slashes = (0..).zip(bytes).filter(|(_, byte)| **byte == b'/').map(|(at, _): (usize, _)| at);
    let end = slashes.take(DEEPEST as usize).last().unwrap_or(0);
    RelPath::new(&bytes[..end])
}

/// How a path continues below the directory that everything deeper is merged into.
#[derive(Default)]
struct Descent {
    ancestor: RelPath,
    way: Vec<u8>,
    /// Where each part of `way` ends.
    ends: Vec<usize>,
}

impl Descent {
    fn from(ancestor: RelPath) -> Self {
        Self { ancestor, ..Self::default() }
    }

    /// Goes to a directory that lies so many levels below the ancestor.
    fn enter(&mut self, levels: usize, name: &[u8]) {
        self.ends.truncate(levels - 1);
        self.way.truncate(self.ends.last().copied().unwrap_or(0));
        self.way.extend_from_slice(name);
        self.way.push(b'/');
        self.ends.push(self.way.len());
    }

    /// The name of a file from the ancestor on; `None` where the kernel cannot open the whole path.
    fn name_of(&self, file: &[u8]) -> Option<Vec<u8>> {
        let length = self.ancestor.as_bytes().len() + 1 + self.way.len() + file.len();
        (length <= LONGEST_PATH).then(|| [&self.way, file].concat())
    }
}

impl Scan {
    /// Merges directories that lie deeper than `deepest` into their ancestors at that depth, and says how many there
    /// were.
    ///
    /// A file whose path is too long to be opened is listed as unread, under a shortened name.
    pub fn fold_below(&mut self, deepest: u32) -> u64 {
        if self.dirs.iter().all(|dir| dir.depth <= deepest) {
            return 0;
        }
        let mut kept: Vec<DirRecord> = Vec::new();
        // The new number of each directory, or of the ancestor it is merged into.
        let mut homes: Vec<DirId> = Vec::with_capacity(self.dirs.len());
        let mut descent = Descent::default();
        for dir in self.dir_ids() {
            let record = self.dir(dir).clone();
            let parent = homes.get(record.parent.0 as usize).copied().unwrap_or_default();
            if record.depth <= deepest {
                if record.depth == deepest {
                    descent = Descent::from(self.dir_path(dir));
                }
                homes.push(DirId(kept.len() as u32));
                kept.push(DirRecord { parent, ..record });
            } else {
                descent.enter((record.depth - deepest) as usize, self.name(record.name));
                kept[parent.0 as usize].folded += 1;
                homes.push(parent);
                self.files_of(dir).for_each(|file| self.rename_from(file, &descent));
            }
        }
        let folded = (self.dirs.len() - kept.len()) as u64;
        for file in &mut self.files {
            file.dir = homes[file.dir.0 as usize];
        }
        self.dirs = kept;
        self.put_in_order();
        folded
    }

    /// Gives a file the name that leads to it from the directory it is merged into.
    fn rename_from(&mut self, file: FileId, descent: &Descent) {
        let own = self.name(self.file(file).name);
        let name = match descent.name_of(own) {
            Some(name) => name,
            None => {
                let name = ["…/".as_bytes(), own].concat();
                let path = RelPath::new([descent.ancestor.as_bytes(), b"/", &name].concat());
                self.problems.push(Problem { path, trouble: Trouble::TooDeep });
                let record = &mut self.files[file.0 as usize];
                if record.kind == Kind::File {
                    record.reading = Reading::Unread;
                }
                name
            }
        };
        let (start, len) = (u32::try_from(self.names.len()), u16::try_from(name.len()));
        self.files[file.0 as usize].name = match (start, len) {
            (Ok(start), Ok(len)) => Name { start, len },
            (Err(_), _) | (_, Err(_)) => Name::default(),
        };
        self.names.extend_from_slice(&name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::{Builder, FileRecord};

    fn file(size: u64) -> FileRecord {
        FileRecord { size, ..FileRecord::default() }
    }

    fn nested(levels: usize) -> Vec<u8> {
        vec![b"d".as_slice(); levels].join(&b'/')
    }

    fn paths(scan: &Scan) -> Vec<String> {
        scan.file_ids().map(|file| scan.file_path(file).to_word()).collect()
    }

    #[test]
    fn what_is_not_too_deep_stays_as_it_is() {
        let mut builder = Builder::new("/t", Vec::new());
        builder.file_at(b"a/b/c.txt", file(3));
        let mut scan = builder.finish();
        let before = scan.clone();
        assert_eq!(scan.fold_below(2), 0);
        assert_eq!(scan, before);
    }

    #[test]
    fn deep_directories_belong_to_their_ancestor_at_the_limit() {
        let mut builder = Builder::new("/t", Vec::new());
        for path in ["a/x", "a/b/y", "a/b/c/d/z", "a/b/c/e", "a/b/f/g", "h/i/j/k", "l"] {
            builder.file_at(path.as_bytes(), file(1));
        }
        let mut scan = builder.finish();
        let before = paths(&scan);
        assert_eq!(scan.fold_below(2), 4);
        let mut after = paths(&scan);
        after.sort();
        let mut expected = before;
        expected.sort();
        assert_eq!(after, expected, "every file keeps its path");
        let dirs: Vec<(String, u32, u32, u64)> = scan
            .dir_ids()
            .map(|dir| {
                let record = scan.dir(dir);
                (scan.dir_path(dir).to_word(), record.own_files, record.folded, record.files)
            })
            .collect();
        let row = |path: &str, own, folded, all| (path.to_owned(), own, folded, all);
        assert_eq!(
            dirs,
            [
                row(".", 1, 0, 7),
                row("a", 1, 0, 5),
                row("a/b", 4, 3, 4),
                row("h", 0, 0, 1),
                row("h/i", 1, 1, 1),
            ]
        );
    }

    #[test]
    fn a_file_that_cannot_be_opened_for_its_depth_is_listed_as_unread() {
        let mut builder = Builder::new("/t", Vec::new());
        let mut dir = Builder::ROOT;
        for level in 1..=5_000 {
            dir = builder.add_dir(dir, b"d");
            if matches!(level, 2_000 | 5_000) {
                builder.add_file(dir, b"f", file(9));
            }
        }
        let mut scan = builder.finish();
        assert_eq!(scan.fold_below(DEEPEST), 5_000 - u64::from(DEEPEST));
        assert_eq!(scan.dirs.len(), 1 + DEEPEST as usize);
        assert_eq!((scan.dirs[0].files, scan.dirs[0].bytes), (2, 18));
        let last = RelPath::new([&nested(64)[..], "/…/f".as_bytes()].concat());
        let openable = RelPath::new([&nested(2_000)[..], b"/f"].concat());
        assert_eq!(paths(&scan), [openable.to_word(), last.to_word()]);
        assert_eq!(scan.problems, [Problem { path: last.clone(), trouble: Trouble::TooDeep }]);
        let readings: Vec<Reading> = scan.files.iter().map(|file| file.reading).collect();
        assert_eq!(readings, [Reading::Whole, Reading::Unread]);
        assert_eq!(home_of(&openable), RelPath::new(nested(64)));
        assert_eq!(home_of(&last), RelPath::new(nested(64)));
        assert!(scan.names.len() < 3 * LONGEST_PATH, "names do not grow with the square of the depth");
    }

    #[test]
    fn a_file_is_investigated_with_the_directory_it_lies_in() {
        for (file, home) in [("a", ""), ("a/b", "a"), ("a/b/c", "a/b")] {
            assert_eq!(home_of(&RelPath::from(file)), RelPath::from(home));
        }
    }
}
