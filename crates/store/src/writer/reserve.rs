//! Space that is set aside for the last words of an investigation that a full disk has stopped.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use rustix::fs::{FallocateFlags, Mode, OFlags};

const SIZE: u64 = 1 << 20;
/// With less than this free, nothing is set aside: it would take what is needed.
const ENOUGH: u64 = 8 * SIZE;

/// The file that holds the space.
#[derive(Debug)]
pub(crate) struct Reserve {
    path: PathBuf,
    is_there: bool,
}

impl Reserve {
    /// Sets space aside, if there is enough.
    pub(crate) fn new(path: PathBuf) -> Self {
        let mut reserve = Self { path, is_there: false };
        let found = std::fs::symlink_metadata(&reserve.path);
        reserve.is_there = found.is_ok_and(|found| found.is_file() && found.len() == SIZE);
        reserve.renew();
        reserve
    }

    pub(crate) fn is_there(&self) -> bool {
        self.is_there
    }

    /// Gives the space back; tells whether there was any.
    pub(crate) fn free(&mut self) -> bool {
        let freed = self.is_there && rustix::fs::unlink(&self.path).is_ok();
        self.is_there = false;
        freed
    }

    /// Sets space aside again once there is enough. A reserve that cannot be had is no reason to stop.
    pub(crate) fn renew(&mut self) {
        let Some(dir) = self.path.parent() else { return };
        if self.is_there || !has_enough(dir) {
            return;
        }
        self.is_there = allocate(&self.path).is_ok();
        if !self.is_there {
            let _ = rustix::fs::unlink(&self.path);
        }
    }
}

fn has_enough(dir: &Path) -> bool {
    rustix::fs::statvfs(dir).is_ok_and(|found| ENOUGH <= found.f_bavail.saturating_mul(found.f_frsize))
}

fn allocate(path: &Path) -> io::Result<()> {
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::TRUNC | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)?);
    Ok(rustix::fs::fallocate(&file, FallocateFlags::empty(), 0, SIZE)?)
}
