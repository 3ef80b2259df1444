//! Looking at the files of a directory.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use luminos_core::ContentHash;
use luminos_core::scan::{DirId, Embedded, FileId, FileRecord, Kind, Name, Reading, Trouble};
use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat, fstat, openat, readlinkat, statat};
use rustix::io::{Errno, read};
use sha2::{Digest, Sha256};

use super::{FilesTask, PORTION, Worker, joined, words};
use crate::cache::FileKey;
use crate::content::Content;

/// Opened without following links, without waiting for whoever is behind a pipe, without becoming its terminal.
const FILE_FLAGS: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

const SETUID: u32 = 0o4000;
const OWNER_EXECUTES: u32 = 0o100;

/// How a regular file was found.
struct Looked {
    stat: Stat,
    content: Content,
    was_read: bool,
    trouble: Option<Trouble>,
}

impl<'a> Worker<'_, 'a> {
    /// Looks at one portion of a directory's files.
    pub(super) fn files(&mut self, task: FilesTask<'a>) {
        let files = task.listing.files();
        let portion = &files[task.from..files.len().min(task.from + PORTION)];
        let (mut bytes, mut read, mut known) = (0, 0, 0);
        self.found.cache.start_dir(task.key);
        for &entry in portion {
            let name = task.listing.name(entry);
            match entry.kind {
                FileType::RegularFile => match self.regular(&task, name) {
                    Ok(looked) => {
                        bytes += looked.stat.st_size as u64;
                        read += u64::from(looked.was_read);
                        known += usize::from(!looked.was_read);
                        self.add_regular(&task, name, looked);
                    }
                    Err(error) => self.unread(&task, name, error),
                },
                FileType::Symlink => self.symlink(&task, name),
                FileType::Fifo
                | FileType::Socket
                | FileType::CharacterDevice
                | FileType::BlockDevice
                | FileType::Directory
                | FileType::Unknown => self.add_special(&task, name, entry.kind),
            }
        }
        let is_whole = portion.len() == files.len();
        let unchanged = read == 0 && is_whole && task.cached.as_ref().is_some_and(|dir| dir.files() == known);
        self.found.cache.end_dir(unchanged);
        self.found.files_read += read;
        self.walk.progress.add_files(portion.len() as u64, bytes, read);
    }

    /// Asks the cache, else reads.
    fn regular(&mut self, task: &FilesTask<'a>, name: &[u8]) -> Result<Looked, Errno> {
        if let Some(cached) = &task.cached {
            let stat = statat(&task.fd, name, AtFlags::SYMLINK_NOFOLLOW)?;
            if stat.st_dev == task.key.dev
                && let Some(content) = cached.find(name, &key_of(&stat))
            {
                return Ok(Looked { stat, content, was_read: false, trouble: None });
            }
        }
        let fd = openat(&task.fd, name, FILE_FLAGS, Mode::empty())?;
        let stat = fstat(&fd)?;
        if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
            return Err(Errno::STALE);
        }
        let (content, trouble) = self.reader.read(fd.as_fd(), &stat, name)?;
        Ok(Looked { stat, content, was_read: true, trouble })
    }

    fn add_regular(&mut self, task: &FilesTask<'a>, name: &[u8], looked: Looked) {
        let Looked { stat, content, trouble, .. } = looked;
        let is_remembered = content.reading == Reading::Whole
            && stat.st_dev == task.key.dev
            && modified(&stat).max(changed(&stat)) < self.walk.racy_after;
        if is_remembered {
            self.found.cache.add(name, &key_of(&stat), &content);
        }
        if let Some(trouble) = trouble {
            self.trouble(&joined(&task.path, name), trouble);
        }
        if stat.st_mode & SETUID != 0 {
            self.trouble(&joined(&task.path, name), Trouble::SetUid);
        }
        if 1 < stat.st_nlink && stat.st_uid != self.walk.root_stat.st_uid {
            let links = wide(stat.st_nlink);
            self.trouble(&joined(&task.path, name), Trouble::ForeignHardLink { links });
        }
        let file = FileId(self.found.files.len() as u32);
        for (language, counts) in content.embedded {
            self.found.embedded.push(Embedded { file, language, counts });
        }
        if let Some(description) = content.description {
            self.found.descriptions.push((file.0, description.into()));
        }
        let name = self.add_name(name);
        self.found.files.push(FileRecord {
            dir: DirId(task.dir_id),
            name,
            kind: Kind::File,
            executable: stat.st_mode & OWNER_EXECUTES != 0,
            category: content.category,
            reading: content.reading,
            language: content.language,
            description: 0,
            size: stat.st_size as u64,
            modified: modified(&stat),
            lines: content.lines,
            code: content.counts.code as u32,
            comments: content.counts.comments as u32,
            blanks: content.counts.blanks as u32,
            hash: content.hash,
        });
    }

    fn symlink(&mut self, task: &FilesTask<'a>, name: &[u8]) {
        let destination = match readlinkat(&task.fd, name, Vec::new()) {
            Ok(destination) => destination.into_bytes(),
            Err(error) => {
                self.unread(task, name, error);
                return;
            }
        };
        let hash = ContentHash(Sha256::digest(&destination).into());
        let size = destination.len() as u64;
        self.add_other(task, name, Kind::Symlink, size, hash);
    }

    /// Pipes, sockets and devices are listed and left alone.
    fn add_special(&mut self, task: &FilesTask<'a>, name: &[u8], kind: FileType) {
        let kind = match kind {
            FileType::Fifo => Kind::Fifo,
            FileType::Socket => Kind::Socket,
            FileType::BlockDevice => Kind::BlockDevice,
            FileType::CharacterDevice => Kind::CharDevice,
            FileType::RegularFile | FileType::Directory | FileType::Symlink | FileType::Unknown => {
                self.unread(task, name, Errno::STALE);
                return;
            }
        };
        self.add_other(task, name, kind, 0, ContentHash::default());
    }

    fn add_other(&mut self, task: &FilesTask<'a>, name: &[u8], kind: Kind, size: u64, hash: ContentHash) {
        let modified = statat(&task.fd, name, AtFlags::SYMLINK_NOFOLLOW).map_or(0, |stat| modified(&stat));
        let name = self.add_name(name);
        self.found.files.push(FileRecord {
            dir: DirId(task.dir_id),
            name,
            kind,
            reading: Reading::Unread,
            size,
            modified,
            hash,
            ..FileRecord::default()
        });
    }

    /// A file that cannot be read stays in the tree; one that is gone, or is something else by now, does not.
    fn unread(&mut self, task: &FilesTask<'a>, name: &[u8], error: Errno) {
        let path = joined(&task.path, name);
        match error {
            Errno::LOOP | Errno::STALE | Errno::NXIO | Errno::NODEV => self.trouble(&path, Trouble::Changed),
            Errno::NOENT => self.trouble(&path, Trouble::Unread("it vanished during the scan".to_owned())),
            error => {
                self.trouble(&path, Trouble::Unread(words(error)));
                let stat = statat(&task.fd, name, AtFlags::SYMLINK_NOFOLLOW).ok();
                let name = self.add_name(name);
                self.found.files.push(FileRecord {
                    dir: DirId(task.dir_id),
                    name,
                    reading: Reading::Unread,
                    executable: stat.is_some_and(|stat| stat.st_mode & OWNER_EXECUTES != 0),
                    size: stat.map_or(0, |stat| stat.st_size as u64),
                    modified: stat.map_or(0, |stat| modified(&stat)),
                    ..FileRecord::default()
                });
            }
        }
    }

    fn add_name(&mut self, name: &[u8]) -> Name {
        let start = self.found.names.len() as u32;
        self.found.names.extend_from_slice(name);
        Name { start, len: name.len() as u16 }
    }
}

/// Reads the start of a regular file.
pub(crate) fn read_start(dir: BorrowedFd<'_>, name: &[u8], limit: usize) -> Result<Vec<u8>, Errno> {
    // Opening a device may do things, so what it is is asked first.
    let seen = FileType::from_raw_mode(statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?.st_mode);
    if matches!(seen, FileType::Fifo | FileType::Socket | FileType::CharacterDevice | FileType::BlockDevice) {
        return Err(Errno::STALE);
    }
    let fd: OwnedFd = openat(dir, name, FILE_FLAGS, Mode::empty())?;
    if FileType::from_raw_mode(fstat(&fd)?.st_mode) != FileType::RegularFile {
        return Err(Errno::STALE);
    }
    let mut text = vec![0; limit];
    let mut len = 0;
    while len < limit {
        match read(&fd, &mut text[len..]) {
            Ok(0) => break,
            Ok(got) => len += got,
            Err(Errno::INTR) => {}
            Err(error) => return Err(error),
        }
    }
    text.truncate(len);
    Ok(text)
}

fn key_of(stat: &Stat) -> FileKey {
    FileKey { ino: stat.st_ino, size: stat.st_size as u64, modified: modified(stat), changed: changed(stat) }
}

/// The same number in 64 bits; how many the system uses differs between processors.
fn wide(number: impl Into<u64>) -> u64 {
    number.into()
}

fn modified(stat: &Stat) -> i64 {
    nanos(stat.st_mtime, stat.st_mtime_nsec as i64)
}

fn changed(stat: &Stat) -> i64 {
    nanos(stat.st_ctime, stat.st_ctime_nsec as i64)
}

fn nanos(seconds: i64, nanos: i64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(nanos)
}
