//! A network without devices and a memory shared with nobody.
//!
//! Made once, when a worker starts: its commands and parsers are born inside, so that the cost is paid per worker
//! and not per command. A process namespace is left out: commands cannot fork, so there is nothing in it to end.
//!
//! A plain user needs a user namespace for that, in which the user stays who they are. Root makes the others
//! directly: in a user namespace it would lose sight of everybody else's files, and reading them is what it is
//! there for.
#![expect(unsafe_code, reason = "unshare, and a child process that tries it out")]

use std::io;

use rustix::fd::OwnedFd;
use rustix::fs::{Mode, OFlags};
use rustix::process::{getegid, geteuid};

const KINDS: i32 = libc::CLONE_NEWNET | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;

/// Moves this process, which must have one thread, into namespaces of its own.
pub(super) fn enter() -> io::Result<()> {
    enter_kinds(KINDS)
}

/// Gives this process's next child a process namespace of its own: when that child ends, the kernel ends all in it.
/// Memory and queues are shared with nobody outside, either.
pub(super) fn enter_for_children() -> io::Result<()> {
    enter_kinds(libc::CLONE_NEWPID | libc::CLONE_NEWIPC)
}

fn enter_kinds(kinds: i32) -> io::Result<()> {
    let (uid, gid) = (geteuid().as_raw(), getegid().as_raw());
    if uid == 0 {
        return unshare(kinds);
    }
    // Opened before anything changes: a failure then leaves everything as it was.
    let (maps, deny) = ([map_file("uid_map")?, map_file("gid_map")?], map_file("setgroups")?);
    unshare(kinds | libc::CLONE_NEWUSER)?;
    rustix::io::write(deny, b"deny")?;
    for (file, id) in maps.iter().zip([uid, gid]) {
        rustix::io::write(file, format!("{id} {id} 1").as_bytes())?;
    }
    Ok(())
}

fn map_file(name: &str) -> io::Result<OwnedFd> {
    let path = format!("/proc/self/{name}");
    Ok(rustix::fs::open(path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?)
}

/// Whether [`enter`] would work, tried in a child process.
pub(super) fn try_out() -> Result<(), i32> {
    let kinds = if geteuid().is_root() { KINDS } else { KINDS | libc::CLONE_NEWUSER };
    // SAFETY: the child makes two system calls and nothing else: it allocates nothing, takes no lock and ends
    // without running anything that was registered for an exit.
    let pid = unsafe {
        match libc::fork() {
            0 => {
                let answer = libc::unshare(kinds);
                libc::_exit(if answer == 0 { 0 } else { *libc::__errno_location() });
            }
            pid => pid,
        }
    };
    let failed = || io::Error::last_os_error().raw_os_error().unwrap_or(libc::EINVAL);
    if pid < 0 {
        return Err(failed());
    }
    let mut status = 0;
    // SAFETY: the pointer is to a local number.
    while unsafe { libc::waitpid(pid, &raw mut status, 0) } < 0 {
        if failed() != libc::EINTR {
            return Err(failed());
        }
    }
    match libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)) {
        Some(0) => Ok(()),
        Some(errno) => Err(errno),
        None => Err(libc::EPERM),
    }
}

fn unshare(kinds: i32) -> io::Result<()> {
    // SAFETY: no flag here separates memory or descriptors; what changes is what the process sees of the machine.
    match unsafe { libc::unshare(kinds) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}
