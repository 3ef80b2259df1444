//! Probes at the kernel itself: the parts of it that a reader of files never needs.
#![expect(unsafe_code, reason = "probes are system calls")]

use std::ptr;

use libc::c_long;

use crate::stage::{HERE, Probe, Stage, Verdict, address, call};

pub(crate) const PROBES: &[Probe] = &[
    ("user_namespace", |_| unshare(libc::CLONE_NEWUSER)),
    ("mount_namespace", |_| unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNS)),
    ("network_namespace", |_| unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNET)),
    ("user_namespace_by_clone", |_| clone(c_long::from(libc::CLONE_NEWUSER | libc::SIGCHLD))),
    ("user_namespace_by_clone3", user_namespace_by_clone3),
    ("join_namespace", |_| {
        // SAFETY: a path that ends with a zero byte.
        unsafe {
            let namespace = libc::open(c"/proc/self/ns/uts".as_ptr(), libc::O_RDONLY);
            if namespace < 0 { Verdict::of(-1) } else { Verdict::of(i64::from(libc::setns(namespace, 0))) }
        }
    }),
    ("mount", |s| {
        let dir = s.outside("dir-mount");
        call(libc::SYS_mount, &[address(c"none"), address(dir.as_c_str()), address(c"tmpfs")])
    }),
    ("open_tree", |s| {
        let dir = s.outside("");
        call(libc::SYS_open_tree, &[HERE, address(dir.as_c_str()), 1])
    }),
    ("new_filesystem", |_| call(libc::SYS_fsopen, &[address(c"tmpfs")])),
    ("chroot", |s| call(libc::SYS_chroot, &[address(s.path("").as_c_str())])),
    ("io_uring", |_| {
        let parameters = [0_u8; 120];
        call(libc::SYS_io_uring_setup, &[1, address(&parameters)])
    }),
    ("bpf", bpf),
    ("perf_event", perf_event),
    ("userfaultfd", |_| call(libc::SYS_userfaultfd, &[1])),
    ("add_key", |_| {
        let (kind, name) = (address(c"user"), address(c"luminos-escape"));
        // The keyring of the process: it goes when the process does.
        call(libc::SYS_add_key, &[kind, name, name, 4, -2])
    }),
    ("keyctl", |_| call(libc::SYS_keyctl, &[0, -2, 1])),
    ("kexec", |_| call(libc::SYS_kexec_load, &[0])),
    ("delete_module", |_| {
        // A module that does not exist: whoever may is told so.
        // SAFETY: a string that ends with a zero byte.
        let answer = unsafe { libc::syscall(libc::SYS_delete_module, c"luminos-escape".as_ptr(), 0) };
        let errno = std::io::Error::last_os_error();
        Verdict::when(answer == 0 || errno.raw_os_error() == Some(libc::ENOENT), &errno.to_string())
    }),
    ("kernel_log", |_| call(libc::SYS_syslog, &[10])),
    ("hostname", hostname),
    ("shared_memory", |s| call(libc::SYS_shmget, &[s.number("shm"), 1])),
    ("message_queue", |_| call(libc::SYS_msgget, &[0, 0o1600])),
    ("semaphores", |_| call(libc::SYS_semget, &[0, 1, 0o1600])),
    ("posix_queue", |_| call(libc::SYS_mq_open, &[address(c"luminos-escape"), 0o100, 0o600])),
    ("memory_file", |_| call(libc::SYS_memfd_create, &[address(c"x")])),
    ("secret_memory", |_| call(libc::SYS_memfd_create, &[address(c"x"), 2])),
    ("personality", |_| call(libc::SYS_personality, &[0x0040_0000])),
    ("set_clock", |_| {
        const ADJ_SETOFFSET: u32 = 0x100;
        // Forward by nothing. SAFETY: all zeroes is such a structure.
        unsafe {
            let mut change: libc::timex = std::mem::zeroed();
            change.modes = ADJ_SETOFFSET;
            Verdict::of(i64::from(libc::adjtimex(&raw mut change)))
        }
    }),
    ("dumpable", |_| call(libc::SYS_prctl, &[c_long::from(libc::PR_SET_DUMPABLE), 1])),
];

fn unshare(kinds: i32) -> Verdict {
    call(libc::SYS_unshare, &[c_long::from(kinds)])
}

fn clone(flags: c_long) -> Verdict {
    // SAFETY: like a fork: the child has a copy of this memory, and ends at once.
    unsafe {
        match libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) {
            0 => libc::_exit(0),
            child if child < 0 => Verdict::of(child),
            child => Verdict::of(i64::from(libc::waitpid(child as i32, ptr::null_mut(), 0))),
        }
    }
}

fn user_namespace_by_clone3(_: &Stage) -> Verdict {
    let arguments = [libc::CLONE_NEWUSER as u64, 0, 0, 0, libc::SIGCHLD as u64, 0, 0, 0];
    // SAFETY: the form of the first version of the call; the child ends at once.
    unsafe {
        match libc::syscall(libc::SYS_clone3, arguments.as_ptr(), size_of_val(&arguments)) {
            0 => libc::_exit(0),
            child if child < 0 => Verdict::of(child),
            child => Verdict::of(i64::from(libc::waitpid(child as i32, ptr::null_mut(), 0))),
        }
    }
}

/// A map with one element.
fn bpf(_: &Stage) -> Verdict {
    let attributes = [2_u32, 4, 4, 1, 0, 0, 0, 0, 0, 0, 0, 0];
    call(libc::SYS_bpf, &[0, address(&attributes), 48])
}

/// Counts the instructions of this process.
fn perf_event(_: &Stage) -> Verdict {
    let mut attributes = [0_u64; 16];
    // A software counter (the time on a processor), 128 bytes of attributes, without the kernel's share.
    attributes[0] = 1 | 128 << 32;
    attributes[1] = 1;
    attributes[5] = 1 << 5 | 1 << 6;
    call(libc::SYS_perf_event_open, &[address(&attributes), 0, -1, -1])
}

/// The name it has already.
fn hostname(_: &Stage) -> Verdict {
    let mut name = [0_u8; 65];
    // SAFETY: room for a name, and the name that is there.
    unsafe {
        libc::gethostname(name.as_mut_ptr().cast(), name.len());
        let length = name.iter().position(|byte| *byte == 0).unwrap_or(0);
        Verdict::of(i64::from(libc::sethostname(name.as_ptr().cast(), length)))
    }
}
