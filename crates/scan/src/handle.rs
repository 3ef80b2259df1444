//! Directories held open, so that names are always resolved relative to where they were found.
//!
//! A walk by full path ends where paths get too long, and follows whoever swaps a directory for a link. A walk
//! by descriptor does neither, but there are only so many descriptors: beyond a share of them a directory is
//! remembered by its path from the target and opened again, still without following links.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rustix::fs::{Mode, OFlags, ResolveFlags, openat, openat2};
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};

use crate::Options;
use crate::way::Way;

const DIR_FLAGS: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC)
    .union(OFlags::NONBLOCK);

/// Longest piece of a path handed to the system at once.
const PIECE: usize = 3_500;

/// The target, and how many directories in it may be held open.
#[derive(Debug)]
pub(crate) struct Root {
    fd: OwnedFd,
    held: AtomicUsize,
    most_held: usize,
    /// What holds for every name that is opened.
    resolve: ResolveFlags,
}

impl Root {
    pub(crate) fn new(fd: OwnedFd, options: &Options) -> Arc<Self> {
        let threads = options.threads.get();
        // A directory of the same file system that is mounted inside has the same device number, so only the
        // system itself can tell that it lies elsewhere.
        let no_mounts = if options.cross_mounts { ResolveFlags::empty() } else { ResolveFlags::NO_XDEV };
        let resolve =
            ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS | no_mounts;
        // Each thread has a directory and a file open besides; the rest of the process needs a few.
        let limit = getrlimit(Resource::Nofile).current.unwrap_or(1 << 20).min(1 << 16) as usize;
        let most_held = (limit / 2).saturating_sub(4 * threads + 16).max(1);
        Arc::new(Self { fd, held: AtomicUsize::new(0), most_held, resolve })
    }

    pub(crate) fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    /// Opens a directory by its path from the target, piece by piece.
    fn open(&self, path: &[u8]) -> Result<OwnedFd, Errno> {
        let mut at: Option<OwnedFd> = None;
        let mut rest = path;
        while !rest.is_empty() {
            let cut = if rest.len() <= PIECE {
                rest.len()
            } else {
                rest[..PIECE].iter().rposition(|&byte| byte == b'/').unwrap_or(rest.len())
            };
            let dir = at.as_ref().map_or(self.fd.as_fd(), AsFd::as_fd);
            let next = self.open_beneath(dir, &rest[..cut])?;
            at = Some(next);
            rest = rest.get(cut + 1..).unwrap_or_default();
        }
        match at {
            Some(fd) => Ok(fd),
            None => openat(&self.fd, c".", DIR_FLAGS, Mode::empty()),
        }
    }

    /// Opens a name, or several, without following any link. [`Errno::XDEV`] says that something else is
    /// mounted there.
    fn open_beneath(&self, dir: BorrowedFd<'_>, path: &[u8]) -> Result<OwnedFd, Errno> {
        match openat2(dir, path, DIR_FLAGS, Mode::empty(), self.resolve) {
            // Old kernels do not know the call, and old containers forbid it: name by name does the same, but
            // for mounts of the same file system.
            Err(Errno::NOSYS | Errno::PERM) => {
                let mut at: Option<OwnedFd> = None;
                for name in path.split(|&byte| byte == b'/') {
                    let dir = at.as_ref().map_or(dir, AsFd::as_fd);
                    at = Some(openat(dir, name, DIR_FLAGS, Mode::empty())?);
                }
                at.ok_or(Errno::NOENT)
            }
            other => other,
        }
    }
}

/// A directory of the target from which others are opened.
#[derive(Debug)]
pub(crate) struct Handle {
    root: Arc<Root>,
    /// `None` when there are too many: then the way there is what is left.
    fd: Option<Arc<OwnedFd>>,
    way: Arc<Way>,
}

impl Handle {
    /// Keeps a directory for later, by descriptor while there are some left.
    pub(crate) fn keep(root: &Arc<Root>, fd: Arc<OwnedFd>, way: &Arc<Way>) -> Arc<Self> {
        let is_held = root.held.fetch_add(1, Ordering::Relaxed) < root.most_held;
        if !is_held {
            root.held.fetch_sub(1, Ordering::Relaxed);
        }
        Arc::new(Self { root: Arc::clone(root), fd: is_held.then_some(fd), way: Arc::clone(way) })
    }

    /// Opens a directory that was found in this one; [`Errno::XDEV`] if something else is mounted there.
    pub(crate) fn open_dir(&self, name: &[u8]) -> Result<OwnedFd, Errno> {
        self.with_fd(|fd| self.root.open_beneath(fd, name))
    }

    /// Runs something with this directory open.
    fn with_fd<T>(&self, run: impl FnOnce(BorrowedFd<'_>) -> Result<T, Errno>) -> Result<T, Errno> {
        match &self.fd {
            Some(fd) => run(fd.as_fd()),
            None => run(self.root.open(&self.way.path_from_target())?.as_fd()),
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        if self.fd.is_some() {
            self.root.held.fetch_sub(1, Ordering::Relaxed);
        }
    }
}
