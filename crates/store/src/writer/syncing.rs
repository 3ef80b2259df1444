//! Making things last.

use std::fs::File;
use std::io;
use std::os::fd::AsFd as _;
use std::path::Path;

/// What must survive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// A power cut: nothing is acknowledged before the disk has it.
    #[default]
    PowerLoss,
    /// The death of the process only: the system's memory is enough. For tests, and for state that can be lost.
    Kill,
}

/// More files than this are made to last together, by one call for the whole file system. On ext4 each file costs
/// a commit of the file system's journal, some 4 ms; one call for all costs about two of them, however many there
/// are. But it also writes what others left unwritten, so what a single turn leaves is made to last file by file.
pub(crate) const FEW: usize = 3;

/// The ways to make things last. A seam: tests count and break them.
pub(crate) trait Syncing: Send {
    /// One file's content, and its size.
    fn file(&mut self, file: &File) -> io::Result<()>;
    /// Everything on a file system.
    fn all(&mut self, home: &File) -> io::Result<()>;
    /// The names in a directory.
    fn dir(&mut self, dir: &Path) -> io::Result<()>;
}

/// Asks the disk.
struct Disk;

impl Syncing for Disk {
    fn file(&mut self, file: &File) -> io::Result<()> {
        file.sync_data()
    }

    fn all(&mut self, home: &File) -> io::Result<()> {
        Ok(rustix::fs::syncfs(home.as_fd())?)
    }

    fn dir(&mut self, dir: &Path) -> io::Result<()> {
        File::open(dir)?.sync_all()
    }
}

/// Asks nobody.
struct Nothing;

impl Syncing for Nothing {
    fn file(&mut self, _: &File) -> io::Result<()> {
        Ok(())
    }

    fn all(&mut self, _: &File) -> io::Result<()> {
        Ok(())
    }

    fn dir(&mut self, _: &Path) -> io::Result<()> {
        Ok(())
    }
}

impl Durability {
    pub(crate) fn syncing(self) -> Box<dyn Syncing> {
        match self {
            Self::PowerLoss => Box::new(Disk),
            Self::Kill => Box::new(Nothing),
        }
    }
}
