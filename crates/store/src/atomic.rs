//! Files that are replaced as a whole or not at all.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{CWD, Mode, OFlags, RenameFlags, open, rename, renameat_with, unlink};
use rustix::io::Errno;

/// What the names of half-written files begin with.
pub(crate) const TEMPORARY: &str = ".tmp-";

/// A file under another name, in the directory where it belongs.
#[derive(Debug)]
pub(crate) struct Temporary {
    path: PathBuf,
}

impl Temporary {
    /// Writes a file that nobody sees yet. What was begun is removed if that fails.
    pub(crate) fn write(destination: &Path, bytes: &[u8]) -> io::Result<(Self, File)> {
        static NEXT: AtomicU64 = AtomicU64::new(0);

        let dir = destination.parent().ok_or(io::ErrorKind::InvalidInput)?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = dir.join(format!("{TEMPORARY}{}-{number}", std::process::id()));
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let mut file = File::from(open(&path, flags, Mode::RUSR | Mode::WUSR)?);
        let temporary = Self { path };
        match file.write_all(bytes) {
            Ok(()) => Ok((temporary, file)),
            Err(error) => {
                temporary.discard();
                Err(error)
            }
        }
    }

    /// Gives the file its name, replacing what had it.
    pub(crate) fn publish(self, destination: &Path) -> io::Result<()> {
        let renamed = rename(&self.path, destination);
        if renamed.is_err() {
            self.discard();
        }
        Ok(renamed?)
    }

    /// Gives the file its name. What had the name before comes back, to be removed when there is time: to give up
    /// a file's blocks can take longer than all else together.
    pub(crate) fn exchange(self, destination: &Path) -> io::Result<Option<Self>> {
        match renameat_with(CWD, &self.path, CWD, destination, RenameFlags::EXCHANGE) {
            Ok(()) => Ok(Some(self)),
            // Nothing had the name, or the file system cannot exchange.
            Err(Errno::NOENT | Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                self.publish(destination).map(|()| None)
            }
            Err(error) => {
                self.discard();
                Err(error.into())
            }
        }
    }

    /// Puts a file that was exchanged for another one into `bad/` of its investigation.
    pub(crate) fn put_aside(self, house: &Path, name: &Path) -> io::Result<()> {
        put_aside(&self.path, house, name)
    }

    /// Removes the file. What cannot be removed is swept away at the next start.
    pub(crate) fn discard(self) {
        let _ = unlink(&self.path);
    }
}

/// Moves a file to `bad/` in the directory of its investigation, under the name it had, or one beside that is free.
pub(crate) fn put_aside(path: &Path, house: &Path, name: &Path) -> io::Result<()> {
    let bad = house.join("bad");
    match rustix::fs::mkdir(&bad, Mode::RWXU) {
        Ok(()) | Err(Errno::EXIST) => {}
        Err(error) => return Err(error.into()),
    }
    let name = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
    for number in 0_u32.. {
        let place = bad.join(if number == 0 { name.clone() } else { format!("{name}.{number}") });
        match renameat_with(CWD, path, CWD, &place, RenameFlags::NOREPLACE) {
            Ok(()) | Err(Errno::NOENT) => return Ok(()),
            Err(Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

/// Replaces a file that can be lost without harm: readers never see half of it, but after a power cut it may
/// be gone or empty, so it must carry its own check.
pub(crate) fn replace_disposable(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (temporary, _) = Temporary::write(path, bytes)?;
    temporary.publish(path)
}

/// Replaces a file so that it survives a power cut. For the few files that belong to locks; all others go
/// through the writer.
pub(crate) fn replace_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let (temporary, file) = Temporary::write(path, bytes)?;
    if let Err(error) = file.sync_all() {
        temporary.discard();
        return Err(error);
    }
    temporary.publish(path)?;
    let dir = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    File::open(dir)?.sync_all()
}
