//! One program, started behind bars.
//!
//! The child shares its parent's memory until it becomes the program (so that starting costs the same in a worker
//! of two megabytes and in one of two gigabytes), with a stack of its own. It may therefore do nothing but system
//! calls: everything is built before, down to the last pointer. The order matters: what needs rights comes first, and
//! the filter of system calls last, because it refuses what the steps before it need.
#![expect(
    unsafe_code,
    reason = "a child between its birth and its program can only be written with system calls"
)]

use std::ffi::CString;
use std::io;
use std::os::fd::{AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd, RawFd};
use std::ptr;

use seccompiler::BpfProgram;

/// Everything a child needs, built.
pub(super) struct Launch<'a> {
    pub(super) program: CString,
    pub(super) arguments: Vec<CString>,
    pub(super) environment: &'a [CString],
    pub(super) working_directory: BorrowedFd<'a>,
    /// Standard input, output, errors. None may be one of the standard three itself.
    pub(super) standard: [BorrowedFd<'a>; 3],
    /// Without one there is no restriction of files.
    pub(super) ruleset: Option<BorrowedFd<'a>>,
    /// Without one there is no restriction of system calls.
    pub(super) filter: Option<&'a BpfProgram>,
    pub(super) limits: Vec<(u32, u64)>,
}

/// A child that has become its program.
pub(super) struct Child {
    /// Its process, as a descriptor: numbers can come to mean another.
    pub(super) process: OwnedFd,
}

/// The step at which a child failed, in words that follow "cannot".
const STEPS: [&str; 12] = [
    "reset signals",
    "begin a session",
    "ask to end with its parent",
    "rule out new privileges",
    "enter the directory",
    "connect its input and output",
    "close inherited files",
    "set limits",
    "drop capabilities",
    "restrict file access",
    "filter system calls",
    "execute the program",
];

/// What the child works from: pointers into the launch, and a place for what went wrong.
struct Plan {
    program: *const libc::c_char,
    arguments: *const *const libc::c_char,
    environment: *const *const libc::c_char,
    parent: libc::pid_t,
    working_directory: RawFd,
    standard: [RawFd; 3],
    ruleset: Option<RawFd>,
    filter: Option<libc::sock_fprog>,
    limits: *const (u32, u64),
    limit_count: usize,
    kept_capabilities: u64,
    failed: Option<(usize, i32)>,
}

const STACK: usize = 256 << 10;

/// Starts it. The thread that calls this must live as long as the child is wanted: the child dies with it.
pub(super) fn start(launch: &Launch<'_>) -> Result<Child, (&'static str, io::Error)> {
    let arguments = pointers(&launch.arguments);
    let environment = pointers(launch.environment);
    let mut plan = Plan {
        program: launch.program.as_ptr(),
        arguments: arguments.as_ptr(),
        environment: environment.as_ptr(),
        // SAFETY: asks for a number.
        parent: unsafe { libc::getpid() },
        working_directory: launch.working_directory.as_raw_fd(),
        standard: launch.standard.map(|fd| fd.as_raw_fd()),
        ruleset: launch.ruleset.map(|ruleset| ruleset.as_raw_fd()),
        filter: launch.filter.map(|filter| libc::sock_fprog {
            len: u16::try_from(filter.len()).unwrap_or(u16::MAX),
            filter: filter.as_ptr().cast_mut().cast(),
        }),
        limits: launch.limits.as_ptr(),
        limit_count: launch.limits.len(),
        kept_capabilities: rustix::thread::capabilities(None)
            .map(|sets| super::worker::kept_capabilities(sets.permitted).bits())
            .unwrap_or(0),
        failed: None,
    };
    let mut stack: Vec<u128> = Vec::with_capacity(STACK / size_of::<u128>());
    let mut process: libc::c_int = -1;
    // SAFETY: the child runs `become_program` on a stack of its own, in memory it shares with this thread, which is
    // suspended until the child has become the program or ended (CLONE_VFORK): so everything `plan` points to is
    // alive and nobody else touches it. Signals are blocked meanwhile, so that no handler of ours runs in the child.
    let pid = unsafe {
        let (mut all, mut before): (libc::sigset_t, libc::sigset_t) =
            (std::mem::zeroed(), std::mem::zeroed());
        libc::sigfillset(&raw mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
        let pid = libc::clone(
            become_program,
            stack.as_mut_ptr().add(stack.capacity()).cast(),
            libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD,
            (&raw mut plan).cast(),
            &raw mut process,
            ptr::null_mut::<libc::c_void>(),
            ptr::null_mut::<libc::c_void>(),
        );
        let error = io::Error::last_os_error();
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, ptr::null_mut());
        if pid < 0 { Err(error) } else { Ok(()) }
    };
    pid.map_err(|error| ("create a process", error))?;
    // SAFETY: the kernel has just made this descriptor for us.
    let child = Child { process: unsafe { OwnedFd::from_raw_fd(process) } };
    // SAFETY: the child wrote through a pointer that the compiler may have lost sight of; a volatile read sees it.
    match unsafe { ptr::read_volatile(&raw const plan.failed) } {
        None => Ok(child),
        Some((step, errno)) => {
            super::watch::reap(&child.process);
            let step = STEPS.get(step).copied().unwrap_or("start");
            Err((step, io::Error::from_raw_os_error(errno)))
        }
    }
}

fn pointers(strings: &[CString]) -> Vec<*const libc::c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect()
}

/// The child's whole life before its program. It does not return.
extern "C" fn become_program(plan: *mut libc::c_void) -> libc::c_int {
    let plan: *mut Plan = plan.cast();
    // SAFETY: `start` passes a pointer to a plan that outlives this call. Nothing below allocates, locks or unwinds.
    unsafe {
        let failed = take_steps(&*plan);
        ptr::write_volatile(&raw mut (*plan).failed, Some((failed, *libc::__errno_location())));
        libc::_exit(127)
    }
}

/// Takes the steps in order and returns the number of the one that failed; the last does not return otherwise.
unsafe fn take_steps(plan: &Plan) -> usize {
    // SAFETY: system calls with arguments that `start` has checked or built; see `become_program`.
    unsafe {
        let mut default: libc::sigaction = std::mem::zeroed();
        default.sa_sigaction = libc::SIG_DFL;
        for signal in 1..=64 {
            // Two of them cannot be changed and two belong to the C library: nothing is lost if it refuses.
            libc::sigaction(signal, &raw const default, ptr::null_mut());
        }
        let none: libc::sigset_t = std::mem::zeroed();
        if libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut()) != 0 {
            return 0;
        }
        if libc::setsid() < 0 {
            return 1;
        }
        if libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0 || libc::getppid() != plan.parent {
            return 2;
        }
        if libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 {
            return 3;
        }
        if libc::fchdir(plan.working_directory) != 0 {
            return 4;
        }
        let [input, output, errors] = plan.standard;
        if libc::dup2(input, 0) < 0 || libc::dup2(output, 1) < 0 || libc::dup2(errors, 2) < 0 {
            return 5;
        }
        // Marked, not closed: two of them are needed for a moment yet.
        if libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) != 0 {
            return 6;
        }
        let mut index = 0;
        while index < plan.limit_count {
            let (resource, most) = *plan.limits.add(index);
            let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
            if libc::syscall(
                libc::SYS_prlimit64,
                0,
                resource,
                &raw const limit,
                ptr::null_mut::<libc::rlimit>(),
            ) != 0
            {
                return 7;
            }
            index += 1;
        }
        libc::umask(0o077);
        if !drop_capabilities(plan.kept_capabilities) {
            return 8;
        }
        if let Some(ruleset) = plan.ruleset
            && libc::syscall(libc::SYS_landlock_restrict_self, ruleset, 0) != 0
        {
            return 9;
        }
        if let Some(filter) = &plan.filter
            && libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, 0, ptr::from_ref(filter)) != 0
        {
            return 10;
        }
        libc::execve(plan.program, plan.arguments, plan.environment);
        11
    }
}

/// Leaves these, which are few and have low numbers.
unsafe fn drop_capabilities(kept: u64) -> bool {
    const VERSION_3: u32 = 0x2008_0522;
    let kept = kept as u32;
    let header: [u32; 2] = [VERSION_3, 0];
    // Effective, permitted, inheritable; low half, then high half.
    let sets: [u32; 6] = [kept, kept, 0, 0, 0, 0];
    // SAFETY: the two arrays have the form that this version of the interface wants.
    unsafe { libc::syscall(libc::SYS_capset, header.as_ptr(), sets.as_ptr()) == 0 }
}
