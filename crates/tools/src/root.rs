//! The target, and the only way to anything in it.
//!
//! One descriptor per investigation; every path is resolved by the kernel beneath it, without leaving its file
//! system. No path is ever checked as text: what a text says and what the kernel opens are two things, and the
//! second can change between two looks.
//!
//! A file is first held by a descriptor that opens nothing, looked at, and only then opened for reading: opening a
//! pipe may wait for ever, and opening a device may do things. Both descriptors must be of the same file.
//!
//! Links that stay inside are followed, and the name they lead to is told.

use std::collections::HashSet;
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use luminos_core::RelPath;
use rustix::fs::{AtFlags, FileType, Mode, OFlags, ResolveFlags, fstat, open, openat, openat2, statat};
use rustix::io::Errno;

mod aliases;
mod directory;
mod pseudo;
mod refused;
mod stamp;
mod steps;
#[cfg(test)]
mod tests;

pub use directory::{Directory, Entry};
pub use refused::{Refused, Why};
pub use stamp::Stamp;
use steps::Step;

/// How often an opening is tried again that a rename somewhere else disturbed.
const TRIES: usize = 64;
/// Longest path handed to the kernel at once.
const PIECE: usize = 3_500;

const HELD: OFlags = OFlags::PATH.union(OFlags::CLOEXEC);
const READ: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);
const LIST: OFlags = READ.union(OFlags::DIRECTORY);

/// Why a target cannot be worked on.
#[derive(Debug, thiserror::Error)]
pub enum CannotOpen {
    /// It is not there, or not a directory, or not ours to read.
    #[error("cannot open {} as a directory", path.display())]
    Open {
        /// The target.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// It holds no files.
    #[error("{} is on a {file_system} file system, which holds no files but views into the kernel", path.display())]
    Pseudo {
        /// The target.
        path: PathBuf,
        /// The kind of file system.
        file_system: &'static str,
    },
}

/// Whether other file systems mounted inside the target may be entered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mounts {
    /// They may not.
    Stay,
    /// They may. Pseudo file systems still may not.
    Cross,
}

/// The target.
#[derive(Debug)]
pub struct Root {
    fd: OwnedFd,
    stamp: Stamp,
    mounts: Mounts,
    /// Whether the kernel can resolve beneath a descriptor by itself.
    has_openat2: bool,
    /// The state directory of Luminos, where it lies inside.
    own_state: Option<RelPath>,
    /// Files with several names of which one says that they keep secrets, once somebody has asked.
    aliases: OnceLock<HashSet<(u64, u64)>>,
    /// Their other names.
    alias_names: OnceLock<Vec<Vec<u8>>>,
}

/// A file that may be read.
#[derive(Debug)]
pub struct Opened {
    /// The file, at its beginning.
    pub file: File,
    /// What was known of it when it was opened.
    pub stamp: Stamp,
    /// Its name without any link on the way.
    pub name: RelPath,
}

impl Opened {
    /// Room for what is in the file, as far as it is not longer than `most`: it can then be read in one go.
    pub fn room(&self, most: u64) -> Vec<u8> {
        // One more, so that its end is seen without asking for more room.
        Vec::with_capacity(usize::try_from(self.stamp.size.min(most)).unwrap_or_default().saturating_add(1))
    }
}

impl Root {
    /// Opens a target. Other file systems inside stay closed.
    pub fn open(path: &Path) -> Result<Self, CannotOpen> {
        Self::open_with(path, Mounts::Stay)
    }

    /// Opens a target.
    pub fn open_with(path: &Path, mounts: Mounts) -> Result<Self, CannotOpen> {
        let failed = |errno: Errno| CannotOpen::Open { path: path.to_owned(), source: errno.into() };
        let fd = open(path, HELD | OFlags::DIRECTORY, Mode::empty()).map_err(failed)?;
        if let Some(file_system) = pseudo::kind_of(fd.as_fd()).map_err(failed)? {
            return Err(CannotOpen::Pseudo { path: path.to_owned(), file_system });
        }
        let stamp = Stamp::of(&fstat(&fd).map_err(failed)?);
        let probe = openat2(&fd, c".", HELD, Mode::empty(), ResolveFlags::BENEATH);
        // Old kernels do not know the call, and old containers forbid it.
        let has_openat2 = !matches!(probe, Err(Errno::NOSYS | Errno::PERM));
        Ok(Self {
            fd,
            stamp,
            mounts,
            has_openat2,
            own_state: None,
            aliases: OnceLock::new(),
            alias_names: OnceLock::new(),
        })
    }

    /// Keeps the state directory closed where it lies inside the target. Both paths are ours, not a model's; they must be
    /// absolute and without links.
    pub fn without_own_state(mut self, target: &Path, own_state: &Path) -> Self {
        let inside = own_state.strip_prefix(target).ok();
        self.own_state = inside.map(|path| RelPath::new(path.as_os_str().as_bytes()));
        self
    }

    /// Whether the state directory lies inside.
    pub fn holds_own_state(&self) -> bool {
        self.own_state.is_some()
    }

    /// Refuses what lies in the state directory, by a name that has no link in it.
    fn not_own(&self, name: &RelPath) -> Result<(), Why> {
        let is_own = |own: &RelPath| own == name || name.is_below(own);
        if self.own_state.as_ref().is_some_and(is_own) { Err(Why::OwnState) } else { Ok(()) }
    }

    /// The same target as on a kernel that cannot resolve beneath a descriptor.
    #[cfg(test)]
    fn stepwise(mut self) -> Self {
        self.has_openat2 = false;
        self
    }

    /// The descriptor, which opens nothing by itself: for the sandbox, which starts programs there.
    pub fn fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }

    /// The owner of the target.
    pub fn owner(&self) -> u32 {
        self.stamp.owner
    }

    /// Opens a regular file for reading.
    pub fn file(&self, path: &RelPath) -> Result<Opened, Refused> {
        self.file_disturbed(path, || {})
    }

    /// Opens a regular file, with something happening between the look at it and its opening.
    fn file_disturbed(&self, path: &RelPath, between: impl FnOnce()) -> Result<Opened, Refused> {
        let refused = |why: Why| Refused { path: path.clone(), why };
        let held = self.hold(path).map_err(refused)?;
        let seen = self.regular(held.fd.as_fd()).map_err(refused)?;
        between();
        let opened = self.reopen(&held, READ).map_err(refused)?;
        let stamp = Stamp::of(&fstat(&opened).map_err(|errno| refused(errno.into()))?);
        if !stamp.is_same_file(&seen) {
            return Err(refused(Why::Changed));
        }
        Ok(Opened { file: File::from(opened), stamp, name: held.name })
    }

    /// Opens a regular file of a directory that is open already, which spares the kernel the way there. Links are not
    /// followed.
    pub fn file_of(&self, dir: &Directory, name: &[u8]) -> Result<Opened, Refused> {
        let path = dir.child(name);
        let opened = self.not_own(&path).and_then(|()| self.file_in(dir.fd.as_fd(), name));
        match opened {
            Ok((file, stamp)) => Ok(Opened { file, stamp, name: path }),
            Err(why) => Err(Refused { path, why }),
        }
    }

    /// Opens a directory for listing.
    pub fn directory(&self, path: &RelPath) -> Result<Directory, Refused> {
        let refused = |why: Why| Refused { path: path.clone(), why };
        let held = self.hold(path).map_err(refused)?;
        let seen = Stamp::of(&fstat(&held.fd).map_err(|errno| refused(errno.into()))?);
        if seen.kind != FileType::Directory {
            return Err(refused(Why::NotADirectory));
        }
        self.not_pseudo(held.fd.as_fd(), &seen).map_err(refused)?;
        let opened = self.reopen(&held, LIST).map_err(refused)?;
        let stamp = Stamp::of(&fstat(&opened).map_err(|errno| refused(errno.into()))?);
        if !stamp.is_same_file(&seen) {
            return Err(refused(Why::Changed));
        }
        Ok(Directory { fd: opened, name: held.name })
    }

    /// Whether a program may be given a path to open. What is missing or closed to it, it can tell itself; pipes, sockets,
    /// devices and views into the kernel it would open.
    pub fn may_be_opened(&self, path: &RelPath) -> Result<(), Refused> {
        let is_file = || {
            let held = self.hold(path)?;
            let stamp = Stamp::of(&fstat(&held.fd)?);
            if !matches!(stamp.kind, FileType::RegularFile | FileType::Directory) {
                return Err(Why::NotRegular(stamp.kind));
            }
            self.not_pseudo(held.fd.as_fd(), &stamp)
        };
        match is_file() {
            Err(
                why @ (Why::Outside
                | Why::OtherFileSystem
                | Why::Pseudo(_)
                | Why::NotRegular(_)
                | Why::OwnState
                | Why::Changed),
            ) => Err(Refused { path: path.clone(), why }),
            Ok(())
            | Err(
                Why::NotADirectory
                | Why::LinkLoop
                | Why::Missing
                | Why::Denied
                | Why::TooLong
                | Why::Other(_),
            ) => Ok(()),
        }
    }

    /// What is at a path, whatever it is: a link at its end is not followed.
    pub fn look(&self, path: &RelPath) -> Result<(Stamp, RelPath), Refused> {
        let refused = |why: Why| Refused { path: path.clone(), why };
        let held = self.hold_with(path, OFlags::NOFOLLOW).map_err(refused)?;
        let stamp = fstat(&held.fd).map_err(|errno| refused(errno.into()))?;
        Ok((Stamp::of(&stamp), held.name))
    }

    /// Opens a directory that was found in another one.
    pub(crate) fn directory_in(&self, dir: &Directory, name: &[u8]) -> Result<Directory, Why> {
        let fd = self.open_in(dir.fd.as_fd(), name, LIST)?;
        let stamp = Stamp::of(&fstat(&fd)?);
        self.not_pseudo(fd.as_fd(), &stamp)?;
        let name = dir.child(name);
        self.not_own(&name)?;
        Ok(Directory { fd, name })
    }

    /// Opens a regular file that was found in a directory. Links are not followed.
    ///
    /// It is looked at by its name: that opens nothing, either, and takes a third of the calls. What comes to lie there
    /// afterwards is not the same file.
    pub(crate) fn file_in(&self, dir: BorrowedFd<'_>, name: &[u8]) -> Result<(File, Stamp), Why> {
        let seen = Stamp::of(&statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?);
        if seen.kind == FileType::Symlink {
            return Err(Errno::LOOP.into());
        }
        if seen.kind != FileType::RegularFile || seen.device != self.stamp.device {
            self.regular(self.open_in(dir, name, HELD)?.as_fd())?;
        }
        let opened = self.open_in(dir, name, READ)?;
        let stamp = Stamp::of(&fstat(&opened)?);
        if !stamp.is_same_file(&seen) {
            return Err(Why::Changed);
        }
        Ok((File::from(opened), stamp))
    }

    fn open_in(&self, dir: BorrowedFd<'_>, name: &[u8], flags: OFlags) -> Result<OwnedFd, Why> {
        let flags = flags | OFlags::NOFOLLOW;
        if self.has_openat2 {
            return Ok(beneath(dir, name, flags, self.resolve() | ResolveFlags::NO_SYMLINKS)?);
        }
        // One name: there is no way for it to lead elsewhere but a link or a mount.
        let fd = openat(dir, name, flags, Mode::empty())?;
        self.same_file_system(&fd)?;
        Ok(fd)
    }

    /// What must be true of every file: regular, and on a file system that holds files.
    fn regular(&self, fd: BorrowedFd<'_>) -> Result<Stamp, Why> {
        let stamp = Stamp::of(&fstat(fd)?);
        if stamp.kind != FileType::RegularFile {
            return Err(Why::NotRegular(stamp.kind));
        }
        self.not_pseudo(fd, &stamp)?;
        Ok(stamp)
    }

    /// The target itself is on no pseudo file system, so only what is on another one needs the question.
    fn not_pseudo(&self, fd: BorrowedFd<'_>, stamp: &Stamp) -> Result<(), Why> {
        if stamp.device == self.stamp.device {
            return Ok(());
        }
        pseudo::kind_of(fd)?.map_or(Ok(()), |kind| Err(Why::Pseudo(kind)))
    }

    fn same_file_system(&self, fd: &OwnedFd) -> Result<(), Why> {
        let is_other = fstat(fd)?.st_dev != self.stamp.device;
        if is_other && self.mounts == Mounts::Stay { Err(Why::OtherFileSystem) } else { Ok(()) }
    }

    fn resolve(&self) -> ResolveFlags {
        let mounts = match self.mounts {
            Mounts::Stay => ResolveFlags::NO_XDEV,
            Mounts::Cross => ResolveFlags::empty(),
        };
        ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS | mounts
    }

    /// Holds what is at a path without opening it.
    fn hold(&self, path: &RelPath) -> Result<Held, Why> {
        self.hold_with(path, OFlags::empty())
    }

    fn hold_with(&self, path: &RelPath, more: OFlags) -> Result<Held, Why> {
        let held = self.hold_anything(path, more)?;
        self.not_own(&held.name)?;
        Ok(held)
    }

    fn hold_anything(&self, path: &RelPath, more: OFlags) -> Result<Held, Why> {
        let flags = HELD | more;
        if !self.has_openat2 {
            return self.hold_stepwise(path, more.contains(OFlags::NOFOLLOW));
        }
        let (dir, rest) = self.first_pieces(path.as_bytes())?;
        let at = dir.as_ref().map_or(self.fd.as_fd(), AsFd::as_fd);
        let plain = self.resolve() | ResolveFlags::NO_SYMLINKS;
        match beneath(at, rest, flags, plain) {
            Ok(fd) => {
                let name = without_dots(path.as_bytes());
                Ok(Held { fd, dir, path: rest.into(), resolve: Some(plain), name })
            }
            Err(Errno::LOOP) if dir.is_none() => self.hold_through_links(path, flags),
            Err(Errno::XDEV) => Err(self.why_outside(at, rest)),
            Err(errno) => Err(errno.into()),
        }
    }

    /// Follows links as long as they stay inside. The kernel does the opening; the names are found step by step, and
    /// count only if both arrive at the same file.
    fn hold_through_links(&self, path: &RelPath, flags: OFlags) -> Result<Held, Why> {
        let fd = match beneath(self.fd.as_fd(), path.as_bytes(), flags, self.resolve()) {
            Err(Errno::XDEV) => return Err(self.why_outside(self.fd.as_fd(), path.as_bytes())),
            other => other?,
        };
        let step = self.hold_stepwise(path, flags.contains(OFlags::NOFOLLOW))?;
        if !Stamp::of(&fstat(&fd)?).is_same_file(&Stamp::of(&fstat(&step.fd)?)) {
            return Err(Why::Changed);
        }
        let resolve = Some(self.resolve());
        Ok(Held { fd, dir: None, path: path.as_bytes().into(), resolve, name: step.name })
    }

    fn hold_stepwise(&self, path: &RelPath, keeps_last: bool) -> Result<Held, Why> {
        let is_inside = |fd: &OwnedFd| self.same_file_system(fd);
        let Step { fd, dir, name } = steps::walk(self.fd.as_fd(), path.as_bytes(), keeps_last, is_inside)?;
        let last = name.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
        let path = if last.is_empty() { b"." } else { last }.into();
        Ok(Held { fd, dir, path, resolve: None, name: RelPath::new(name) })
    }

    /// Opens what is held, for reading or listing, in the way it was reached.
    fn reopen(&self, held: &Held, flags: OFlags) -> Result<OwnedFd, Why> {
        let at = held.dir.as_ref().map_or(self.fd.as_fd(), AsFd::as_fd);
        match held.resolve {
            Some(resolve) => Ok(beneath(at, &held.path, flags, resolve)?),
            None => Ok(openat(at, &held.path[..], flags | OFlags::NOFOLLOW, Mode::empty())?),
        }
    }

    /// Opens the directories of a path that is too long for one call, but for its last piece.
    fn first_pieces<'p>(&self, path: &'p [u8]) -> Result<(Option<OwnedFd>, &'p [u8]), Why> {
        let mut at: Option<OwnedFd> = None;
        let mut rest = path;
        loop {
            let (piece, next) = match cut(rest) {
                ([], rest) => return Ok((at, rest)),
                parts => parts,
            };
            let dir = at.as_ref().map_or(self.fd.as_fd(), AsFd::as_fd);
            let flags = HELD | OFlags::DIRECTORY;
            at = Some(beneath(dir, piece, flags, self.resolve() | ResolveFlags::NO_SYMLINKS)?);
            rest = next;
        }
    }

    /// What lies behind "crosses a boundary": the way out of the target, or onto another file system.
    fn why_outside(&self, dir: BorrowedFd<'_>, path: &[u8]) -> Why {
        let crossing = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        match beneath(dir, path, HELD, crossing) {
            Ok(_) => Why::OtherFileSystem,
            Err(_) => Why::Outside,
        }
    }
}

/// Something that is held without being open.
#[derive(Debug)]
struct Held {
    fd: OwnedFd,
    /// The directory from which it was reached, if not from the target.
    dir: Option<OwnedFd>,
    /// The path that leads there from that directory.
    path: Box<[u8]>,
    /// What the kernel was told when it resolved that path; `None` if it was walked step by step.
    resolve: Option<ResolveFlags>,
    /// Its name without any link on the way.
    name: RelPath,
}

fn beneath(dir: BorrowedFd<'_>, path: &[u8], flags: OFlags, resolve: ResolveFlags) -> Result<OwnedFd, Errno> {
    let path = if path.is_empty() { b".".as_slice() } else { path };
    for _ in 0..TRIES {
        match openat2(dir, path, flags, Mode::empty(), resolve) {
            // Something was renamed while `..` was resolved: the kernel cannot tell whether it led outside.
            Err(Errno::AGAIN | Errno::INTR) => {}
            other => return other,
        }
    }
    Err(Errno::AGAIN)
}

/// The first piece of a path that is too long, and the rest; no piece if it is not.
fn cut(path: &[u8]) -> (&[u8], &[u8]) {
    if path.len() <= PIECE {
        return (b"", path);
    }
    match path[..PIECE].iter().rposition(|&byte| byte == b'/') {
        Some(at) if 0 < at => (&path[..at], path.get(at + 1..).unwrap_or_default()),
        Some(_) | None => (b"", path),
    }
}

/// The name of what was reached without any link: only then `..` is what it looks like.
fn without_dots(path: &[u8]) -> RelPath {
    let mut names: Vec<&[u8]> = Vec::new();
    for name in path.split(|&byte| byte == b'/') {
        match name {
            b"" | b"." => {}
            b".." => {
                names.pop();
            }
            name => names.push(name),
        }
    }
    RelPath::new(names.join(&b'/'))
}
