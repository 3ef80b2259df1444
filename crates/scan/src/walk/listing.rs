//! The entries of one directory.

use std::os::fd::BorrowedFd;

use rustix::fs::{AtFlags, FileType, RawDir, statat};
use rustix::io::Errno;

/// How much of a directory the system tells at once.
const BUFFER: usize = 64 << 10;

/// Names and kinds, as few bytes as possible: a directory may have a million entries.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    names: Vec<u8>,
    entries: Vec<Entry>,
    /// How many of the entries are files; directories come after them once sorted.
    files: usize,
    buffer: Vec<u8>,
}

/// One entry of a directory.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    start: u32,
    len: u16,
    pub(crate) kind: FileType,
}

impl Listing {
    /// Lists a directory; what was listed before an error stays.
    pub(crate) fn read(&mut self, fd: BorrowedFd<'_>) -> Result<(), Errno> {
        self.names.clear();
        self.entries.clear();
        self.files = 0;
        self.buffer.reserve(BUFFER);
        let mut raw = RawDir::new(fd, self.buffer.spare_capacity_mut());
        while let Some(entry) = raw.next() {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." {
                continue;
            }
            let start = u32::try_from(self.names.len()).map_err(|_| Errno::OVERFLOW)?;
            let len = u16::try_from(name.len()).map_err(|_| Errno::NAMETOOLONG)?;
            self.names.extend_from_slice(name);
            self.entries.push(Entry { start, len, kind: entry.file_type() });
        }
        Ok(())
    }

    pub(crate) fn name(&self, entry: Entry) -> &[u8] {
        name_in(&self.names, entry)
    }

    /// Whether there is an entry of this name.
    pub(crate) fn has(&self, name: &[u8]) -> bool {
        self.entries.iter().any(|&entry| self.name(entry) == name)
    }

    /// Names that start with a dot.
    pub(crate) fn dot_names(&self) -> impl Iterator<Item = &[u8]> {
        self.entries.iter().map(|&entry| self.name(entry)).filter(|name| name.starts_with(b"."))
    }

    /// Keeps the entries that are wanted; the kind may be corrected on the way.
    pub(crate) fn retain(&mut self, mut wanted: impl FnMut(&[u8], &mut FileType) -> bool) {
        let names = &self.names;
        self.entries.retain_mut(|entry| wanted(name_in(names, *entry), &mut entry.kind));
    }

    /// Sorts files before directories, each by name.
    pub(crate) fn sort(&mut self) {
        let names = &self.names;
        self.entries.sort_unstable_by(|&a, &b| {
            let is_dir = |entry: Entry| entry.kind == FileType::Directory;
            is_dir(a).cmp(&is_dir(b)).then_with(|| name_in(names, a).cmp(name_in(names, b)))
        });
        self.files = self.entries.partition_point(|entry| entry.kind != FileType::Directory);
    }

    /// Everything that is no directory, by name.
    pub(crate) fn files(&self) -> &[Entry] {
        &self.entries[..self.files]
    }

    pub(crate) fn has_dirs(&self) -> bool {
        self.files < self.entries.len()
    }

    /// The names of the directories.
    pub(crate) fn dirs(&self) -> impl Iterator<Item = &[u8]> {
        self.entries[self.files..].iter().map(|&entry| self.name(entry))
    }
}

fn name_in(names: &[u8], entry: Entry) -> &[u8] {
    let start = entry.start as usize;
    &names[start..start + usize::from(entry.len)]
}

/// Asks for the kind of an entry where the file system's listing does not tell.
pub(crate) fn kind_of(fd: BorrowedFd<'_>, name: &[u8]) -> FileType {
    statat(fd, name, AtFlags::SYMLINK_NOFOLLOW)
        .map_or(FileType::Unknown, |stat| FileType::from_raw_mode(stat.st_mode))
}
