//! A walk along a path, name by name, each opened from the directory before it and without following links.
//!
//! It finds the name that a path with links really has, and takes the kernel's place where the kernel cannot resolve
//! beneath a descriptor. A link is read and its names are walked like any others; `..` goes back to the directory
//! that was opened before, never to what the kernel would call the parent, so no rename can lead it out.

use std::collections::VecDeque;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{FileType, Mode, OFlags, fstat, openat, readlinkat};
use rustix::io::Errno;

use super::Why;

/// How many links a path may have, as in the kernel.
const LINKS: usize = 40;

const STEP: OFlags = OFlags::PATH.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Where a walk ended.
pub(super) struct Step {
    /// What is there, held.
    pub(super) fd: OwnedFd,
    /// The directory it is in; `None` if that is the target.
    pub(super) dir: Option<OwnedFd>,
    /// The name it has without any link.
    pub(super) name: Vec<u8>,
}

/// Walks along a path from a directory. `keeps_last` says that a link at the very end is what is wanted.
pub(super) fn walk(
    root: BorrowedFd<'_>,
    path: &[u8],
    keeps_last: bool,
    is_inside: impl Fn(&OwnedFd) -> Result<(), Why>,
) -> Result<Step, Why> {
    if path.contains(&0) {
        return Err(Why::Other(Errno::INVAL));
    }
    let mut dirs: Vec<(OwnedFd, Vec<u8>)> = Vec::new();
    let mut names = names_of(path)?;
    let mut links = 0;
    while let Some(name) = names.pop_front() {
        if name == b".." {
            dirs.pop().ok_or(Why::Outside)?;
            continue;
        }
        let at = dirs.last().map_or(root, |(fd, _)| fd.as_fd());
        let fd = openat(at, &name[..], STEP, Mode::empty())?;
        is_inside(&fd)?;
        let kind = FileType::from_raw_mode(fstat(&fd)?.st_mode);
        let is_last = names.is_empty();
        match kind {
            FileType::Symlink if !(is_last && keeps_last) => {
                links += 1;
                if LINKS < links {
                    return Err(Why::LinkLoop);
                }
                let target = readlinkat(&fd, c"", Vec::new())?;
                let mut next = names_of(target.as_bytes())?;
                next.append(&mut names);
                names = next;
            }
            FileType::Directory => dirs.push((fd, name)),
            FileType::RegularFile
            | FileType::Symlink
            | FileType::Fifo
            | FileType::Socket
            | FileType::CharacterDevice
            | FileType::BlockDevice
            | FileType::Unknown => {
                if !is_last {
                    return Err(Errno::NOTDIR.into());
                }
                let mut path: Vec<&[u8]> = dirs.iter().map(|(_, name)| &name[..]).collect();
                path.push(&name);
                let name = path.join(&b'/');
                return Ok(Step { fd, dir: dirs.pop().map(|(fd, _)| fd), name });
            }
        }
    }
    let name = dirs.iter().map(|(_, name)| &name[..]).collect::<Vec<_>>().join(&b'/');
    match dirs.pop() {
        Some((fd, _)) => Ok(Step { fd, dir: dirs.pop().map(|(fd, _)| fd), name }),
        None => Ok(Step { fd: openat(root, c".", STEP, Mode::empty())?, dir: None, name }),
    }
}

fn names_of(path: &[u8]) -> Result<VecDeque<Vec<u8>>, Why> {
    if path.first() == Some(&b'/') {
        return Err(Why::Outside);
    }
    let names = path.split(|&byte| byte == b'/').filter(|name| !matches!(name, [] | [b'.']));
    Ok(names.map(<[u8]>::to_vec).collect())
}
