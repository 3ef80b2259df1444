//! How a worker locks itself in.
//!
//! Once, first thing in its life, while it has one thread: what follows binds that thread and everything born of
//! it. There is no way back, so a worker belongs to the roots it was started for.
#![expect(unsafe_code, reason = "closing inherited descriptors and wiping the environment")]

use std::io;
use std::os::fd::{AsRawFd as _, BorrowedFd, RawFd};
use std::path::{Path, PathBuf};

use landlock::RulesetError;
use rustix::fs::{Mode, OFlags};
use rustix::process::{DumpableBehavior, Resource, Rlimit, Signal};
use rustix::thread::CapabilitySet;

use super::files::{self, Rules};
use super::support::{self, Lack, Level, Support};
use super::syscalls::{self, Role};
use super::{cage, namespaces};

/// What a worker keeps when it gives up everything else.
#[derive(Debug, Clone)]
pub struct WorkerConfinement<'a> {
    /// Directories it may read, opened: the targets.
    pub readable: &'a [BorrowedFd<'a>],
    /// Programs it may start: those of [`crate::command::programs`], and its own file for other roles.
    pub executable: &'a [PathBuf],
    /// Further descriptors that stay open, besides the standard three and the readable ones.
    pub keep: &'a [BorrowedFd<'a>],
    /// The process that started it; if it is gone already, so is the worker.
    pub parent: Option<u32>,
    /// Whose rights it works with.
    pub identity: Identity,
    /// Most memory it may map, in bytes.
    pub address_space: u64,
    /// Most memory of its own that it may have, in bytes: what it allocates, not files that it maps.
    pub data: u64,
    /// Most descriptors it may have open.
    pub open_files: u64,
    /// Do no more than this, though the machine could.
    pub at_most: Level,
}

/// Whose rights a worker has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Identity {
    /// Those of whoever started it. Root keeps nothing of being root but the right to read.
    Same,
    /// Those of another user: for a daemon that runs as root.
    User {
        /// The user.
        uid: u32,
        /// The only group.
        gid: u32,
    },
}

/// The memory that a worker may allocate. With its program and the files it maps it stays below 512 MiB of resident memory;
/// readers have limits of their own, and this is the wall behind them.
pub const MOST_DATA: u64 = 448 << 20;

impl<'a> WorkerConfinement<'a> {
    /// The usual confinement to some roots and programs.
    pub fn to(readable: &'a [BorrowedFd<'a>], executable: &'a [PathBuf]) -> Self {
        Self {
            readable,
            executable,
            keep: &[],
            parent: None,
            identity: Identity::Same,
            address_space: 8 << 30,
            data: MOST_DATA,
            open_files: 1024,
            at_most: Level::L3,
        }
    }
}

/// Why a worker could not lock itself in. It must not go on then.
#[derive(Debug, thiserror::Error)]
pub enum CannotConfine {
    /// It is too late.
    #[error("a worker must lock itself in before it starts threads, and has {0} already")]
    Threads(usize),
    /// Whoever started it is gone.
    #[error("the process that started this worker has ended")]
    Orphan,
    /// A step failed that never should.
    #[error("cannot {step}")]
    Step {
        /// What it was about to do.
        step: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// Landlock is there and refuses.
    #[error("cannot restrict file access, though this kernel has Landlock")]
    Landlock(#[from] RulesetError),
    /// The filter of system calls could not be made.
    #[error("cannot build the filter of system calls")]
    Filter(#[from] seccompiler::BackendError),
    /// The filter of system calls was refused.
    #[error("cannot filter system calls, though this kernel can")]
    Seccomp(#[from] seccompiler::Error),
}

/// Locks this process in, for good, as well as the machine can, and says how well that is.
///
/// At [`Level::L0`] everything is done that can be done; commands are then not offered.
pub fn confine_worker(confinement: &WorkerConfinement<'_>) -> Result<Support, CannotConfine> {
    let step = |step| move |source: io::Error| CannotConfine::Step { step, source };
    require_one_thread()?;
    let kept = confinement.keep.iter().chain(confinement.readable).map(|fd| fd.as_raw_fd()).collect();
    close_others(kept).map_err(step("close inherited files"))?;
    clean_environment().map_err(step("clean the environment"))?;
    prefer_for_memory_shortage();

    let namespaces = match confinement.at_most {
        Level::L3 => namespaces::enter().map_err(|error| error.raw_os_error().unwrap_or(libc::EINVAL)),
        Level::L0 | Level::L1 | Level::L2 => Err(libc::ECANCELED),
    };
    let mut support = Support::judge(support::landlock_abi(), support::has_seccomp(), namespaces);
    if confinement.at_most < Level::L3 {
        support.lacks.retain(|lack| !matches!(lack, Lack::NamespacesRefused { .. }));
        support = support.at_most(confinement.at_most);
    }

    take_identity(confinement.identity).map_err(step("become another user"))?;
    drop_capabilities().map_err(step("drop capabilities"))?;
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))
        .map_err(io::Error::from)
        .map_err(step("ask to end with the parent process"))?;
    let parent = rustix::process::getppid().map(|pid| pid.as_raw_nonzero().get().unsigned_abs());
    // In other namespaces nothing about process numbers changes, so they can be compared.
    if confinement.parent.is_some() && parent != confinement.parent {
        return Err(CannotConfine::Orphan);
    }
    rustix::thread::set_no_new_privs(true)
        .map_err(io::Error::from)
        .map_err(step("rule out new privileges"))?;
    rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable)
        .map_err(io::Error::from)
        .map_err(step("hide its memory from others"))?;
    limit(Resource::As, confinement.address_space).map_err(step("limit memory"))?;
    limit(Resource::Data, confinement.data).map_err(step("limit memory of its own"))?;
    limit(Resource::Nofile, confinement.open_files).map_err(step("limit open files"))?;
    limit(Resource::Core, 0).map_err(step("rule out core dumps"))?;

    if 3 <= support.landlock_abi {
        let executable: Vec<&Path> = confinement.executable.iter().map(PathBuf::as_path).collect();
        let rules = Rules { readable: confinement.readable, executable: &executable };
        files::ruleset(&support, &rules)?.restrict_self()?;
    }
    if support.seccomp {
        seccompiler::apply_filter(&syscalls::filter(Role::Worker, std::process::id())?)?;
    }
    Ok(support)
}

fn require_one_thread() -> Result<(), CannotConfine> {
    // Where /proc is missing, whoever wrote `main` has to be trusted with it.
    let threads = std::fs::read_dir("/proc/self/task").map_or(1, Iterator::count);
    if threads == 1 { Ok(()) } else { Err(CannotConfine::Threads(threads)) }
}

/// Closes everything but the standard three and these, which are marked to close when a program is started.
pub(super) fn close_others(mut kept: Vec<RawFd>) -> io::Result<()> {
    kept.sort_unstable();
    let mut next = 3;
    for fd in kept.into_iter().filter(|fd| 3 <= *fd) {
        if next < fd {
            close_range(next, fd - 1)?;
        }
        // SAFETY: the descriptor is borrowed from its owner for as long as this function runs.
        let fd_is_open = unsafe { BorrowedFd::borrow_raw(fd) };
        rustix::io::fcntl_setfd(fd_is_open, rustix::io::FdFlags::CLOEXEC)?;
        next = next.max(fd + 1);
    }
    close_range(next, RawFd::MAX)
}

fn close_range(first: RawFd, last: RawFd) -> io::Result<()> {
    // SAFETY: the process has one thread that has just begun; what it opened itself it has named, and everything
    // else came from outside and belongs to nobody here.
    match unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Overwrites the variables where the kernel shows them, then forgets them.
fn clean_environment() -> io::Result<()> {
    unsafe extern "C" {
        static mut environ: *mut *mut libc::c_char;
    }
    // SAFETY: one thread, so nobody else reads or changes the environment; the array ends with a null pointer, each
    // string with a zero byte, and all of them are writable memory of this process.
    unsafe {
        let mut entry = environ;
        while !entry.is_null() && !(*entry).is_null() {
            libc::memset((*entry).cast(), 0, libc::strlen(*entry));
            entry = entry.add(1);
        }
        if libc::clearenv() != 0 {
            return Err(io::Error::other("the C library refuses"));
        }
        for (name, value) in cage::ENVIRONMENT {
            std::env::set_var(name, value);
        }
    }
    Ok(())
}

/// Better this process than the daemon, when memory runs out. Where it is not allowed, nothing is lost.
fn prefer_for_memory_shortage() {
    let file = rustix::fs::open("/proc/self/oom_score_adj", OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty());
    let _ = file.and_then(|file| rustix::io::write(file, b"500"));
}

fn take_identity(identity: Identity) -> io::Result<()> {
    let Identity::User { uid, gid } = identity else { return Ok(()) };
    let (uid, gid) = (rustix::process::Uid::from_raw(uid), rustix::process::Gid::from_raw(gid));
    rustix::thread::set_thread_groups(&[])?;
    rustix::thread::set_thread_res_gid(gid, gid, gid)?;
    rustix::thread::set_thread_res_uid(uid, uid, uid)?;
    Ok(())
}

fn drop_capabilities() -> io::Result<()> {
    let _ = rustix::thread::clear_ambient_capability_set();
    let mut sets = rustix::thread::capabilities(None)?;
    sets.permitted = kept_capabilities(sets.permitted);
    sets.effective = sets.permitted;
    sets.inheritable = CapabilitySet::empty();
    Ok(rustix::thread::set_capabilities(None, sets)?)
}

/// Root keeps the right to read every file, and no other; everybody else keeps none.
///
/// In containers it often has that right only together with the right to write: other layers rule out the latter.
pub(super) fn kept_capabilities(permitted: CapabilitySet) -> CapabilitySet {
    if !rustix::process::geteuid().is_root() {
        return CapabilitySet::empty();
    }
    match permitted & CapabilitySet::DAC_READ_SEARCH {
        read if read.is_empty() => permitted & CapabilitySet::DAC_OVERRIDE,
        read => read,
    }
}

/// Lowers a limit; one that is lower already stays.
fn limit(resource: Resource, most: u64) -> io::Result<()> {
    let hard = rustix::process::getrlimit(resource).maximum.unwrap_or(u64::MAX).min(most);
    Ok(rustix::process::setrlimit(resource, Rlimit { current: Some(hard), maximum: Some(hard) })?)
}
