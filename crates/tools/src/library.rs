//! The target as the judge sees it: files to compare quotes with, and names to look up.
//!
//! Files are opened beneath one descriptor, regular ones only, and read to their end. Nothing in them is parsed.

use std::collections::HashMap;
use std::io::Read as _;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::{CannotOpen, Root};
use luminos_core::judge::{Exhibit, Library, numbers_of};
use luminos_core::scan::{FileId, FileRecord, Kind, Reading, Scan};
use luminos_core::verify::Tree;
use luminos_core::{ContentHash, RelPath};
use sha2::{Digest as _, Sha256};

/// Of larger files only the beginning is read again: nobody can have read more of them.
const LARGEST: u64 = 64 << 20;
/// So many bytes of files are kept for the next claim about them.
const MOST_KEPT: usize = 16 << 20;
/// Words that went to another file are looked for in files up to this size.
const SEARCHED: u64 = 2 << 20;
/// And only if they have so many bytes.
const SHORTEST: usize = 16;

/// The target of an investigation, for its judge.
#[derive(Debug)]
pub struct TargetLibrary {
    root: Root,
    scan: Arc<Scan>,
    by_name: OnceLock<HashMap<Box<[u8]>, Vec<FileId>>>,
}

impl TargetLibrary {
    /// Opens a target that was scanned.
    pub fn open(target: &Path, scan: Arc<Scan>) -> Result<Self, CannotOpen> {
        Ok(Self { root: Root::open(target)?, scan, by_name: OnceLock::new() })
    }

    /// The same, from the point of view of one directory: names in its summary may be relative to it.
    pub fn of<'a>(&'a self, dir: &'a RelPath) -> impl Library + use<'a> {
        FromDir { library: self, dir, read: HashMap::new(), bytes: 0 }
    }

    fn named(&self, name: &[u8]) -> &[FileId] {
        let by_name = self.by_name.get_or_init(|| {
            let mut by_name: HashMap<Box<[u8]>, Vec<FileId>> = HashMap::new();
            for file in self.scan.file_ids() {
                let name = self.scan.name(self.scan.file(file).name);
                by_name.entry(name.into()).or_default().push(file);
            }
            by_name
        });
        by_name.get(name).map(Vec::as_slice).unwrap_or_default()
    }

    /// The hash that the scan saw, where it read the file whole.
    fn scanned(&self, path: &RelPath) -> Option<ContentHash> {
        let record = self.record(path)?;
        (record.reading == Reading::Whole).then_some(record.hash)
    }

    fn record(&self, path: &RelPath) -> Option<&FileRecord> {
        let files = self.named(name_of(path.as_bytes())).iter();
        let file = files.copied().find(|file| self.scan.file_path(*file) == *path)?;
        Some(self.scan.file(file))
    }
}

fn name_of(path: &[u8]) -> &[u8] {
    let start = path.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
    &path[start..]
}

/// A file beneath a root. The hash that a scan saw is for whoever has one to add.
///
/// A file that is too large to be read again counts as the one that was scanned while its size and its time are the same:
/// its beginning is there to be compared, and its hash is that of the scan.
pub fn exhibit(root: &Root, path: &RelPath, record: Option<&FileRecord>) -> Option<Exhibit> {
    let opened = root.file(path).ok()?;
    let (size, modified) = (opened.stamp.size, opened.stamp.modified);
    let mut bytes = opened.room(LARGEST);
    opened.file.take(LARGEST).read_to_end(&mut bytes).ok()?;
    if LARGEST < size {
        let known = record.filter(|record| {
            let is_same = record.size == size && record.modified == modified.0 * 1_000_000_000 + modified.1;
            record.reading == Reading::Whole && is_same
        })?;
        return Some(Exhibit { bytes: bytes.into(), blob: known.hash, scanned: None });
    }
    let blob = ContentHash(Sha256::digest(&bytes).into());
    Some(Exhibit { bytes: bytes.into(), blob, scanned: None })
}

/// A tree that an old report is checked against: as it is now, whatever it was.
#[derive(Debug)]
pub struct TreeOnDisk {
    root: Root,
    scan: Scan,
    by_content: HashMap<ContentHash, FileId>,
    /// The file that was read last: claims come file by file.
    last: Option<(RelPath, Option<Exhibit>)>,
}

impl TreeOnDisk {
    /// Opens a tree that was scanned.
    pub fn open(target: &Path, scan: Scan) -> Result<Self, CannotOpen> {
        let whole = |file: &FileId| {
            let record = scan.file(*file);
            record.reading == Reading::Whole && record.kind == Kind::File && 0 < record.size
        };
        let by_content = scan.file_ids().filter(whole).map(|file| (scan.file(file).hash, file)).collect();
        Ok(Self { root: Root::open(target)?, scan, by_content, last: None })
    }
}

impl Tree for TreeOnDisk {
    fn file(&mut self, path: &RelPath) -> Option<Exhibit> {
        if let Some((last, exhibit)) = &self.last
            && last == path
        {
            return exhibit.clone();
        }
        let name = name_of(path.as_bytes());
        let is_large = |file: &FileId| LARGEST < self.scan.file(*file).size;
        let mut large = self.scan.file_ids().filter(is_large);
        // Only of large files anything needs to be known before they are read.
        let record = large
            .find(|file| {
                self.scan.name(self.scan.file(*file).name) == name && self.scan.file_path(*file) == *path
            })
            .map(|file| self.scan.file(file));
        let found = exhibit(&self.root, path, record);
        self.last = Some((path.clone(), found.clone()));
        found
    }

    fn exists(&self, path: &str) -> bool {
        self.root.look(&RelPath::from(path)).is_ok()
    }

    fn with_content(&mut self, blob: ContentHash) -> Option<RelPath> {
        self.by_content.get(&blob).map(|file| self.scan.file_path(*file))
    }

    fn with_words(&mut self, words: &str, besides: &RelPath) -> Option<(RelPath, u64)> {
        // Short words stand everywhere, and prove nothing about where they went.
        if words.len() < SHORTEST {
            return None;
        }
        let is_candidate = |file: &FileId| {
            let record = self.scan.file(*file);
            record.kind == Kind::File && words.len() as u64 <= record.size && record.size <= SEARCHED
        };
        // Most files that move keep their names.
        let name = name_of(besides.as_bytes());
        let (same, other): (Vec<FileId>, Vec<FileId>) = self
            .scan
            .file_ids()
            .filter(is_candidate)
            .partition(|file| self.scan.name(self.scan.file(*file).name) == name);
        same.into_iter().chain(other).find_map(|file| {
            let path = self.scan.file_path(file);
            if path == *besides {
                return None;
            }
            let exhibit = exhibit(&self.root, &path, None)?;
            let at = memchr::memmem::find(&exhibit.bytes, words.as_bytes())?;
            let line = 1 + memchr::memchr_iter(b'\n', &exhibit.bytes[..at]).count() as u64;
            Some((path, line))
        })
    }
}

struct FromDir<'a> {
    library: &'a TargetLibrary,
    dir: &'a RelPath,
    /// What was read already, and how many bytes that is: most files are cited more than once.
    read: HashMap<RelPath, Option<Exhibit>>,
    bytes: usize,
}

impl Library for FromDir<'_> {
    fn file(&mut self, path: &RelPath) -> Option<Exhibit> {
        if let Some(known) = self.read.get(path) {
            return known.clone();
        }
        let scanned = self.library.scanned(path);
        let record = self.library.record(path);
        let exhibit = exhibit(&self.library.root, path, record).map(|exhibit| Exhibit { scanned, ..exhibit });
        self.bytes += exhibit.as_ref().map_or(0, |exhibit| exhibit.bytes.len());
        if MOST_KEPT < self.bytes {
            self.read.clear();
            self.bytes = exhibit.as_ref().map_or(0, |exhibit| exhibit.bytes.len());
        }
        self.read.insert(path.clone(), exhibit.clone());
        exhibit
    }

    fn numbers(&self, path: &RelPath) -> Vec<u64> {
        let record = self.library.record(path);
        record.map(|record| numbers_of(record.size, u64::from(record.lines))).unwrap_or_default()
    }

    fn has(&self, path: &str) -> bool {
        let wanted = path.trim_start_matches("./").as_bytes();
        let ends_so = |file: &FileId| {
            let full = self.library.scan.file_path(*file);
            let rest = full.as_bytes().strip_suffix(wanted);
            rest.is_some_and(|before| before.is_empty() || before.ends_with(b"/"))
        };
        if self.library.named(name_of(wanted)).iter().any(ends_so) {
            return true;
        }
        // What the scan left out is still there: hidden files, ignored ones, directories.
        let below = [self.dir.as_bytes(), b"/", wanted].concat();
        let candidates = [RelPath::new(wanted), RelPath::new(below)];
        candidates.iter().any(|path| self.library.root.look(path).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use luminos_core::scan::{Builder, FileRecord};

    use super::*;

    #[test]
    fn a_very_large_file_is_known_by_its_beginning_while_it_is_the_same() {
        let dir = tempfile::tempdir().unwrap();
        let file = std::fs::File::create(dir.path().join("a.csv")).unwrap();
        file.set_len(LARGEST + 1).unwrap();
        let modified = file.metadata().unwrap().modified().unwrap();
        let modified = modified.duration_since(std::time::UNIX_EPOCH).unwrap().as_nanos() as i64;
        let hash = ContentHash([7; 32]);
        for (shift, is_there) in [(0, true), (1, false)] {
            let mut builder = Builder::new(dir.path(), Vec::new());
            let record =
                FileRecord { hash, size: LARGEST + 1, modified: modified + shift, ..FileRecord::default() };
            builder.file_at(b"a.csv", record);
            let library = TargetLibrary::open(dir.path(), Arc::new(builder.finish())).unwrap();
            let exhibit = library.of(&RelPath::from("")).file(&RelPath::from("a.csv"));
            assert_eq!(
                exhibit.map(|exhibit| (exhibit.blob, exhibit.bytes.len())),
                is_there.then_some((hash, LARGEST as usize))
            );
        }
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test makes its own target")]
    fn files_are_read_and_names_are_found_wherever_they_lie() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("src/parse")).unwrap();
        std::fs::write(dir.path().join("src/parse/mod.rs"), "fn a() {}\n").unwrap();
        std::fs::write(dir.path().join("src/.hidden.toml"), "a = 1\n").unwrap();
        let mut builder = Builder::new(dir.path(), Vec::new());
        let hash = ContentHash(Sha256::digest(b"fn a() {}\n").into());
        builder.file_at(b"src/parse/mod.rs", FileRecord { hash, ..FileRecord::default() });
        let library = TargetLibrary::open(dir.path(), Arc::new(builder.finish())).unwrap();
        let src = RelPath::from("src");
        let mut from_src = library.of(&src);
        let exhibit = from_src.file(&RelPath::from("src/parse/mod.rs")).unwrap();
        assert_eq!((exhibit.blob, exhibit.scanned), (hash, Some(hash)));
        assert!(from_src.file(&RelPath::from("src")).is_none());
        assert!(from_src.file(&RelPath::from("../x")).is_none());
        for (name, is_there) in [
            ("mod.rs", true),
            ("parse/mod.rs", true),
            ("src/parse/mod.rs", true),
            (".hidden.toml", true),
            ("arse/mod.rs", false),
            ("lib.rs", false),
        ] {
            assert_eq!(from_src.has(name), is_there, "{name}");
        }
    }
}
