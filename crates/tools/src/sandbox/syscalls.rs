//! Which system calls exist for a process.
//!
//! Lists of what is allowed, not of what is forbidden: what a kernel learns next year, and what other calling
//! conventions could smuggle in, is refused without anybody having thought of it. A refused call answers "not
//! implemented", which is what C libraries know how to live with: `clone3`, whose flags a filter cannot see,
//! becomes `clone`, whose flags it can.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch,
};

/// Who is to be filtered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Threads, a runtime, children, and rules for those.
    Worker,
    /// One process with one thread that reads files.
    Command,
    /// One process that is fully loaded and only computes.
    Parser,
    /// A program used as a model, with its children: a runtime with threads that reaches its provider.
    Program,
}

/// Memory, time, waiting, reading and writing what is open already: harmless, and needed by all.
const COMPUTE: &[libc::c_long] = &[
    libc::SYS_brk,
    libc::SYS_clock_getres,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_close,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_fstat,
    libc::SYS_futex,
    libc::SYS_getegid,
    libc::SYS_geteuid,
    libc::SYS_getgid,
    libc::SYS_getpid,
    libc::SYS_getppid,
    libc::SYS_getrandom,
    libc::SYS_getrusage,
    libc::SYS_gettid,
    libc::SYS_gettimeofday,
    libc::SYS_getuid,
    libc::SYS_lseek,
    libc::SYS_madvise,
    libc::SYS_membarrier,
    libc::SYS_mmap,
    libc::SYS_mprotect,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_nanosleep,
    libc::SYS_ppoll,
    libc::SYS_pread64,
    libc::SYS_pselect6,
    libc::SYS_read,
    libc::SYS_readv,
    libc::SYS_restart_syscall,
    libc::SYS_rseq,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_yield,
    libc::SYS_set_robust_list,
    libc::SYS_set_tid_address,
    libc::SYS_sigaltstack,
    libc::SYS_sysinfo,
    libc::SYS_times,
    libc::SYS_uname,
    libc::SYS_write,
    libc::SYS_writev,
];

/// The same by their older names.
#[cfg(target_arch = "x86_64")]
const COMPUTE_LEGACY: &[libc::c_long] =
    &[libc::SYS_arch_prctl, libc::SYS_getrlimit, libc::SYS_poll, libc::SYS_select, libc::SYS_time];
#[cfg(not(target_arch = "x86_64"))]
const COMPUTE_LEGACY: &[libc::c_long] = &[];

/// Looking at files, and becoming another program: Landlock says which.
const FILES: &[libc::c_long] = &[
    libc::SYS_chdir,
    libc::SYS_dup,
    libc::SYS_dup3,
    libc::SYS_execve,
    libc::SYS_faccessat,
    libc::SYS_faccessat2,
    libc::SYS_fadvise64,
    libc::SYS_fchdir,
    libc::SYS_fstatfs,
    libc::SYS_getcwd,
    libc::SYS_getdents64,
    libc::SYS_getgroups,
    libc::SYS_newfstatat,
    libc::SYS_readlinkat,
    libc::SYS_statfs,
    libc::SYS_statx,
    // Only ever narrows what the process can do; `file` filters itself with it.
    libc::SYS_seccomp,
];

/// The same by their older names.
#[cfg(target_arch = "x86_64")]
const FILES_LEGACY: &[libc::c_long] = &[
    libc::SYS_access,
    libc::SYS_dup2,
    libc::SYS_getdents,
    libc::SYS_lstat,
    libc::SYS_readlink,
    libc::SYS_stat,
];
#[cfg(not(target_arch = "x86_64"))]
const FILES_LEGACY: &[libc::c_long] = &[];

/// What a runtime with threads needs, and what it takes to start and end confined children.
const WORK: &[libc::c_long] = &[
    libc::SYS_capget,
    // Can only give up what one has: a process without new privileges never gets more.
    libc::SYS_capset,
    libc::SYS_close_range,
    libc::SYS_epoll_create1,
    libc::SYS_epoll_ctl,
    libc::SYS_epoll_pwait,
    libc::SYS_epoll_pwait2,
    libc::SYS_eventfd2,
    libc::SYS_getsockname,
    libc::SYS_getsockopt,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_restrict_self,
    // Its flags are out of a filter's sight; Landlock sees them.
    libc::SYS_openat2,
    // Without `pidfd_open` the only descriptors of processes are those of one's own children.
    libc::SYS_pidfd_send_signal,
    libc::SYS_pipe2,
    libc::SYS_recvfrom,
    libc::SYS_recvmsg,
    libc::SYS_sendmsg,
    libc::SYS_sendto,
    libc::SYS_setsid,
    libc::SYS_shutdown,
    libc::SYS_timerfd_create,
    libc::SYS_timerfd_settime,
    libc::SYS_umask,
    libc::SYS_wait4,
    libc::SYS_waitid,
];

/// The same by their older names.
#[cfg(target_arch = "x86_64")]
const WORK_LEGACY: &[libc::c_long] = &[libc::SYS_epoll_wait, libc::SYS_pipe, libc::SYS_setrlimit];
#[cfg(not(target_arch = "x86_64"))]
const WORK_LEGACY: &[libc::c_long] = &[];

/// What a whole runtime such as node needs besides: children, writing (Landlock says where) and the network. Nothing
/// here acts on a file by its name unless Landlock rules on it: no modes, owners, times or attributes.
const PROGRAM: &[libc::c_long] = &[
    libc::SYS_bind,
    libc::SYS_clock_nanosleep,
    libc::SYS_connect,
    libc::SYS_copy_file_range,
    libc::SYS_fallocate,
    libc::SYS_fchmod,
    libc::SYS_fdatasync,
    libc::SYS_flock,
    libc::SYS_fsync,
    libc::SYS_ftruncate,
    libc::SYS_getcpu,
    libc::SYS_getitimer,
    libc::SYS_getpeername,
    libc::SYS_getpgid,
    libc::SYS_getpriority,
    libc::SYS_getresgid,
    libc::SYS_getresuid,
    libc::SYS_getsid,
    libc::SYS_get_mempolicy,
    libc::SYS_get_robust_list,
    // Processes outside cannot be reached: by the namespace, or by Landlock's scope.
    libc::SYS_kill,
    libc::SYS_linkat,
    libc::SYS_mbind,
    libc::SYS_memfd_create,
    libc::SYS_mincore,
    libc::SYS_mkdirat,
    libc::SYS_mlock,
    libc::SYS_mlock2,
    libc::SYS_msync,
    libc::SYS_munlock,
    libc::SYS_openat,
    libc::SYS_pidfd_open,
    libc::SYS_pkey_alloc,
    libc::SYS_pkey_free,
    libc::SYS_pkey_mprotect,
    libc::SYS_preadv,
    libc::SYS_preadv2,
    libc::SYS_pwrite64,
    libc::SYS_pwritev,
    libc::SYS_pwritev2,
    libc::SYS_readahead,
    libc::SYS_recvmmsg,
    libc::SYS_renameat,
    libc::SYS_renameat2,
    libc::SYS_rt_sigpending,
    libc::SYS_rt_sigsuspend,
    libc::SYS_rt_sigtimedwait,
    libc::SYS_sched_getattr,
    libc::SYS_sched_getparam,
    libc::SYS_sched_getscheduler,
    libc::SYS_sched_get_priority_max,
    libc::SYS_sched_get_priority_min,
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sendfile,
    libc::SYS_sendmmsg,
    libc::SYS_setitimer,
    libc::SYS_setpgid,
    libc::SYS_setpriority,
    libc::SYS_setsockopt,
    libc::SYS_signalfd4,
    libc::SYS_splice,
    libc::SYS_symlinkat,
    libc::SYS_tee,
    libc::SYS_tgkill,
    libc::SYS_timer_create,
    libc::SYS_timer_delete,
    libc::SYS_timer_getoverrun,
    libc::SYS_timer_gettime,
    libc::SYS_timer_settime,
    libc::SYS_timerfd_gettime,
    libc::SYS_tkill,
    libc::SYS_truncate,
    libc::SYS_unlinkat,
];

/// The same by their older names.
#[cfg(target_arch = "x86_64")]
const PROGRAM_LEGACY: &[libc::c_long] = &[
    libc::SYS_alarm,
    libc::SYS_creat,
    libc::SYS_epoll_create,
    libc::SYS_eventfd,
    libc::SYS_fork,
    libc::SYS_getpgrp,
    libc::SYS_link,
    libc::SYS_mkdir,
    libc::SYS_open,
    libc::SYS_pause,
    libc::SYS_rename,
    libc::SYS_rmdir,
    libc::SYS_symlink,
    libc::SYS_unlink,
    libc::SYS_vfork,
];
#[cfg(not(target_arch = "x86_64"))]
const PROGRAM_LEGACY: &[libc::c_long] = &[];

/// Locks on files that are open, and what memory files are sealed with.
const PROGRAM_FCNTL: &[i32] = &[
    libc::F_GETLK,
    libc::F_SETLK,
    libc::F_SETLKW,
    libc::F_OFD_GETLK,
    libc::F_OFD_SETLK,
    libc::F_OFD_SETLKW,
    libc::F_ADD_SEALS,
    libc::F_GET_SEALS,
];

/// Descriptors may be copied, marked and made non-blocking; not given owners that signals are then sent to.
const FCNTL: &[i32] = &[
    libc::F_DUPFD,
    libc::F_GETFD,
    libc::F_SETFD,
    libc::F_GETFL,
    libc::F_SETFL,
    libc::F_DUPFD_CLOEXEC,
    libc::F_GETPIPE_SZ,
    libc::F_SETPIPE_SZ,
];

/// Whether it is a terminal and how wide; not what could be typed into it.
const IOCTL: &[libc::Ioctl] =
    &[libc::TCGETS, libc::TIOCGWINSZ, libc::FIONREAD, libc::FIONBIO, libc::FIOCLEX, libc::FIONCLEX];

/// Names of threads and of memory, and ways to get fewer rights.
const PRCTL: &[i32] = &[
    libc::PR_SET_NAME,
    libc::PR_GET_NAME,
    libc::PR_SET_NO_NEW_PRIVS,
    libc::PR_GET_NO_NEW_PRIVS,
    libc::PR_GET_SECCOMP,
    libc::PR_SET_SECCOMP,
    libc::PR_CAPBSET_READ,
    libc::PR_GET_DUMPABLE,
    libc::PR_SET_VMA,
];

const NEW_NAMESPACES: i32 = libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET;

/// What it takes for a runtime to look after its own processes.
const PROGRAM_PRCTL: &[i32] = &[
    libc::PR_GET_PDEATHSIG,
    libc::PR_SET_DUMPABLE,
    libc::PR_GET_TIMERSLACK,
    libc::PR_SET_TIMERSLACK,
    libc::PR_SET_CHILD_SUBREAPER,
    libc::PR_SET_THP_DISABLE,
];

/// The kind of a socket, without its flags.
const SOCKET_KIND: u64 = !((libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK) as u64);

/// Opening for anything but reading.
const WRITING: i32 = libc::O_ACCMODE | libc::O_CREAT | libc::O_TRUNC;

/// The filter of a role, ready for the kernel. `pid` is this process: a worker may raise signals in itself.
pub(super) fn filter(role: Role, pid: u32) -> Result<BpfProgram, seccompiler::BackendError> {
    let mut list = List::default();
    list.always(COMPUTE).always(COMPUTE_LEGACY);
    list.one_of(libc::SYS_fcntl, 1, FCNTL.iter().copied().map(value))?;
    list.one_of(libc::SYS_ioctl, 1, IOCTL.iter().copied())?;
    list.one_of(libc::SYS_prctl, 0, PRCTL.iter().copied().map(value))?;
    // Its own limits, not those of others.
    list.one_of(libc::SYS_prlimit64, 0, [0])?;
    if role != Role::Parser {
        list.always(FILES).always(FILES_LEGACY);
    }
    if matches!(role, Role::Command | Role::Worker) {
        list.without_bits(libc::SYS_openat, 2, WRITING)?;
        #[cfg(target_arch = "x86_64")]
        list.without_bits(libc::SYS_open, 1, WRITING)?;
    }
    if matches!(role, Role::Worker | Role::Program) {
        list.always(WORK).always(WORK_LEGACY);
        list.without_bits(libc::SYS_clone, 0, NEW_NAMESPACES)?;
        list.one_of(libc::SYS_prctl, 0, [value(libc::PR_SET_PDEATHSIG)])?;
        // A pair of streams: one of datagrams could be sent from to any socket that has a name.
        list.and(
            libc::SYS_socketpair,
            vec![equals(0, value(libc::AF_UNIX))?, masked(1, SOCKET_KIND, value(libc::SOCK_STREAM))?],
        )?;
    }
    if role == Role::Worker {
        list.one_of(libc::SYS_tgkill, 0, [u64::from(pid)])?;
    }
    if role == Role::Program {
        list.always(PROGRAM).always(PROGRAM_LEGACY);
        list.one_of(libc::SYS_fcntl, 1, PROGRAM_FCNTL.iter().copied().map(value))?;
        list.one_of(libc::SYS_prctl, 0, PROGRAM_PRCTL.iter().copied().map(value))?;
        // Times of a file that is open, not of one by its name.
        list.and(
            libc::SYS_utimensat,
            vec![SeccompCondition::new(1, SeccompCmpArgLen::Qword, SeccompCmpOp::Eq, 0)?],
        )?;
        // The network. No socket of this machine: agents of keys, containers and our own daemon listen on those.
        for family in [libc::AF_INET, libc::AF_INET6] {
            for kind in [libc::SOCK_STREAM, libc::SOCK_DGRAM] {
                list.and(
                    libc::SYS_socket,
                    vec![equals(0, value(family))?, masked(1, SOCKET_KIND, value(kind))?],
                )?;
            }
        }
        // C libraries ask the kernel for this machine's addresses before they look for others.
        list.and(
            libc::SYS_socket,
            vec![equals(0, value(libc::AF_NETLINK))?, equals(2, value(libc::NETLINK_ROUTE))?],
        )?;
    }
    let arch = TargetArch::try_from(std::env::consts::ARCH)?;
    let refuse = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
    SeccompFilter::new(list.rules, refuse, SeccompAction::Allow, arch)?.try_into()
}

#[derive(Default)]
struct List {
    rules: BTreeMap<i64, Vec<SeccompRule>>,
}

impl List {
    fn always(&mut self, calls: &[libc::c_long]) -> &mut Self {
        self.rules.extend(calls.iter().map(|call| (*call, Vec::new())));
        self
    }

    fn one_of(
        &mut self,
        call: libc::c_long,
        argument: u8,
        values: impl IntoIterator<Item = u64>,
    ) -> Result<(), seccompiler::BackendError> {
        for value in values {
            self.and(call, vec![equals(argument, value)?])?;
        }
        Ok(())
    }

    fn without_bits(
        &mut self,
        call: libc::c_long,
        argument: u8,
        bits: i32,
    ) -> Result<(), seccompiler::BackendError> {
        self.and(call, vec![masked(argument, value(bits), 0)?])
    }

    fn and(
        &mut self,
        call: libc::c_long,
        conditions: Vec<SeccompCondition>,
    ) -> Result<(), seccompiler::BackendError> {
        self.rules.entry(call).or_default().push(SeccompRule::new(conditions)?);
        Ok(())
    }
}

/// Flags and numbers are compared as the kernel takes them: 32 bits, whatever stands above.
fn equals(argument: u8, value: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, value)
}

fn masked(argument: u8, mask: u64, value: u64) -> Result<SeccompCondition, seccompiler::BackendError> {
    let mask = mask & u64::from(u32::MAX);
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(mask), value)
}

/// The bits of a constant of the C library.
fn value(constant: i32) -> u64 {
    u64::from(constant.cast_unsigned())
}
