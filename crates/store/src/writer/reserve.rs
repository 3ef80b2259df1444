//! Space that is set aside for the last words of an investigation that a full disk has stopped.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{FallocateFlags, Mode, OFlags};

const SIZE: u64 = 1 << 20;
/// Less is not worth a file; between the two it is tried in such steps.
const SMALLEST: u64 = STEP;
const STEP: u64 = 64 << 10;
/// With less than this free, nothing is set aside: it would take what is needed.
const ENOUGH: u64 = 8 * SIZE;

/// The file that holds the space.
#[derive(Debug)]
pub(crate) struct Reserve {
    path: PathBuf,
    /// How much it holds.
    size: u64,
}

impl Reserve {
    /// Sets space aside, if there is enough.
    pub(crate) fn new(path: PathBuf) -> Self {
        let found = std::fs::symlink_metadata(&path);
        let size = found.ok().filter(|found| found.is_file()).map_or(0, |found| found.len());
        let mut reserve = Self { path, size: if size <= SIZE { size } else { 0 } };
        reserve.renew();
        reserve
    }

    pub(crate) fn is_there(&self) -> bool {
        0 < self.size
    }

    /// Gives the space back; tells whether there was any.
    pub(crate) fn free(&mut self) -> bool {
        let freed = self.is_there() && rustix::fs::unlink(&self.path).is_ok();
        self.size = 0;
        freed
    }

    /// Takes back what last words have left of it: they are not the last for ever, and nobody else shall use it up.
    pub(crate) fn take_back(&mut self) {
        let mut size = SIZE;
        while self.size == 0 && SMALLEST <= size {
            self.take(size);
            size -= STEP;
        }
    }

    /// Sets space aside again once there is enough. A reserve that cannot be had is no reason to stop.
    pub(crate) fn renew(&mut self) {
        let Some(dir) = self.path.parent() else { return };
        if self.size < SIZE && has_enough(dir) {
            self.take(SIZE);
        }
    }

    fn take(&mut self, size: u64) {
        self.size = if allocate(&self.path, size).is_ok() { size } else { 0 };
        if self.size == 0 {
            let _ = rustix::fs::unlink(&self.path);
        }
    }
}

fn has_enough(dir: &Path) -> bool {
    rustix::fs::statvfs(dir).is_ok_and(|found| ENOUGH <= found.f_bavail.saturating_mul(found.f_frsize))
}

fn allocate(path: &Path, size: u64) -> io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)?);
    Ok(rustix::fs::fallocate(&file, FallocateFlags::empty(), 0, size)?)
}
