//! Who may write, and who may plan: one process at a time each.
//!
//! A lock is an open file that the kernel has locked (flock); it is gone with its holder, however that ends. The
//! file is never removed. What stands in it is for people: no process id ever decides anything.
//!
//! A lock says who may begin. It cannot stop somebody who slept and wakes up late, so each acquisition also takes
//! a number: the daemon's *epoch*, the planner's *fence*. Whoever comes with a smaller one than the latest is refused.

mod holder;
mod number;
#[cfg(test)]
mod tests;

use std::fs::{File, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

pub use holder::Holder;
pub use number::Fence;
pub(crate) use number::{latest_epoch, latest_fence};
use rustix::fs::{Mode, OFlags};

use crate::layout::Layout;
use crate::{Error, Store};

/// Whether the state directory may lie on a network file system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NetworkState {
    /// Locks there cannot be relied on.
    #[default]
    Refused,
    /// Somebody knows better.
    Allowed,
}

/// The right to write. There is one in a store; the [`crate::Writer`] takes it.
#[derive(Debug)]
pub struct DaemonLock {
    _file: File,
    epoch: u64,
}

impl DaemonLock {
    const NAME: &str = "the daemon's lock";

    /// Takes the lock, or tells who has it.
    pub fn try_acquire(store: &Store, holder: &Holder, network: NetworkState) -> Result<Self, Error> {
        let layout = Layout::new(store.home());
        if network == NetworkState::Refused {
            refuse_network(store.home())?;
        }
        let path = layout.daemon_lock();
        let Some(file) = try_lock(&path)? else { return Err(busy(&path, Self::NAME)) };
        sign(&file, holder);
        let epoch = number::raise_epoch(&layout)?;
        Ok(Self { _file: file, epoch })
    }

    /// Which life of the daemon this is. Each is greater than all before.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }
}

/// The right to plan. There is one in a store.
#[derive(Debug)]
pub struct PlannerLock {
    _file: File,
    fence: Fence,
}

impl PlannerLock {
    const NAME: &str = "the planner's lock";

    /// Takes the lock, or tells who has it.
    pub fn try_acquire(store: &Store, holder: &Holder) -> Result<Self, Error> {
        let path = Layout::new(store.home()).planner_lock();
        match try_lock(&path)? {
            Some(file) => Self::begin(store, file, holder),
            None => Err(busy(&path, Self::NAME)),
        }
    }

    /// Takes the lock, waiting for it on this thread. If it must wait, it first tells for whom.
    pub fn acquire(store: &Store, holder: &Holder, on_wait: impl FnOnce(&str)) -> Result<Self, Error> {
        let path = Layout::new(store.home()).planner_lock();
        if let Some(file) = try_lock(&path)? {
            return Self::begin(store, file, holder);
        }
        on_wait(&holder::words(&path));
        loop {
            let file = open(&path)?;
            file.lock().map_err(|error| Error::writing(&path, error))?;
            if is_at(&file, &path) {
                return Self::begin(store, file, holder);
            }
        }
    }

    /// Who has the lock, or had it last, as far as its file tells.
    pub fn holder(store: &Store) -> String {
        holder::words(&Layout::new(store.home()).planner_lock())
    }

    fn begin(store: &Store, file: File, holder: &Holder) -> Result<Self, Error> {
        sign(&file, holder);
        let fence = number::raise_fence(&Layout::new(store.home()))?;
        Ok(Self { _file: file, fence })
    }

    /// The number for plans made under this lock. Each is greater than all before.
    pub fn fence(&self) -> Fence {
        self.fence
    }
}

/// The right to do something that has a name, such as planning for one repository. There is one for each name.
#[derive(Debug)]
pub struct NamedLock {
    _file: File,
}

impl NamedLock {
    /// Takes the lock, or tells who has it. A name is made of letters, digits and `-`.
    pub fn try_acquire(store: &Store, name: &str, holder: &Holder) -> Result<Self, Error> {
        let path = Layout::new(store.home()).named_lock(name);
        match try_lock(&path)? {
            Some(file) => {
                sign(&file, holder);
                Ok(Self { _file: file })
            }
            None => Err(busy(&path, "the lock on this repository's plan")),
        }
    }
}

/// Locks a file; `None` if somebody else has.
fn try_lock(path: &Path) -> Result<Option<File>, Error> {
    loop {
        let file = open(path)?;
        match file.try_lock() {
            Ok(()) if is_at(&file, path) => return Ok(Some(file)),
            // It was removed in between: the lock on it means nothing.
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(Error::writing(path, error)),
        }
    }
}

fn open(path: &Path) -> Result<File, Error> {
    let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let fd = rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR);
    fd.map(File::from).map_err(|error| Error::writing(path, error))
}

/// Whether an open file is the one that a path leads to.
fn is_at(file: &File, path: &Path) -> bool {
    let same = |open: std::fs::Metadata, named: std::fs::Metadata| {
        (open.dev(), open.ino()) == (named.dev(), named.ino())
    };
    file.metadata().and_then(|open| Ok(same(open, std::fs::symlink_metadata(path)?))).unwrap_or(false)
}

fn busy(path: &Path, lock: &'static str) -> Error {
    Error::Busy { lock, holder: holder::words(path) }
}

/// Writes who has the lock. That is for people, so it may fail.
fn sign(file: &File, holder: &Holder) {
    let write = || -> io::Result<()> {
        let mut file = file;
        let mut text = serde_json::to_vec(holder)?;
        text.push(b'\n');
        file.set_len(0)?;
        file.rewind()?;
        file.write_all(&text)
    };
    let _ = write();
}

/// The beginning of a small file, for people.
fn read_some(path: &Path) -> Option<String> {
    let mut text = String::new();
    File::open(path).ok()?.take(4096).read_to_string(&mut text).ok()?;
    Some(text)
}

/// Refuses a state directory on a network file system, as a daemon does.
pub fn refuse_network(home: &Path) -> Result<(), Error> {
    let found = rustix::fs::statfs(home).map_err(|error| Error::home(home, error))?;
    match network_kind(found.f_type as u64 & 0xffff_ffff) {
        Some(kind) => Err(Error::Network { path: home.to_owned(), kind }),
        None => Ok(()),
    }
}

/// Kinds of file systems whose locks may not reach others who use them.
fn network_kind(magic: u64) -> Option<&'static str> {
    match magic {
        0x6969 => Some("NFS"),
        0x517b | 0xff53_4d42 | 0xfe53_4d42 => Some("SMB"),
        0x6573_5546 => Some("FUSE"),
        0x0102_1997 => Some("9P"),
        0x00c3_6400 => Some("Ceph"),
        0x0bd0_0bd0 => Some("Lustre"),
        0x5346_414f | 0x6b41_4653 => Some("AFS"),
        0x7375_7245 => Some("Coda"),
        _ => None,
    }
}
