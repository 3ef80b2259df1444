//! Probes at files: reading, writing, and everything about a file that is not its content.
#![expect(unsafe_code, reason = "probes are system calls")]

use std::ffi::CStr;

use libc::{c_int, c_void};

use crate::stage::{HERE, Probe, Stage, Verdict, address, call};

pub(crate) const PROBES: &[Probe] = &[
    ("read_outside", |s| read(&s.outside("secret"))),
    ("read_through_link", |s| read(&s.target("link-out"))),
    ("read_passwd", |_| read(c"/etc/passwd")),
    ("read_by_dotdot", |s| read(&s.target("../outside/secret"))),
    ("read_proc_root", |s| {
        read(&s.path(&format!("{}{}", "../../../../../../../../proc/self/root/", "etc/passwd")))
    }),
    ("list_outside", |s| open(&s.outside(""), libc::O_RDONLY | libc::O_DIRECTORY)),
    ("write_outside", |s| open(&s.outside("victim"), libc::O_WRONLY)),
    ("append_outside", |s| open(&s.outside("victim"), libc::O_WRONLY | libc::O_APPEND)),
    ("create_outside", |s| open(&s.outside("new"), libc::O_WRONLY | libc::O_CREAT)),
    ("create_unnamed", |s| open(&s.outside(""), libc::O_RDWR | libc::O_TMPFILE)),
    ("write_target", |s| open(&s.target("hello.txt"), libc::O_RDWR)),
    ("create_in_target", |s| open(&s.target("new"), libc::O_WRONLY | libc::O_CREAT)),
    ("create_in_tmp", |s| open(&s.path("../luminos-escape-new"), libc::O_WRONLY | libc::O_CREAT)),
    ("create_in_shm", |_| open(c"/dev/shm/luminos-escape-new", libc::O_WRONLY | libc::O_CREAT)),
    ("truncate", |s| call(libc::SYS_truncate, &[text(&s.outside("victim")), 0])),
    ("truncate_by_reading", |s| open(&s.target("hello.txt"), libc::O_RDONLY | libc::O_TRUNC)),
    ("unlink", |s| call(libc::SYS_unlinkat, &[HERE, text(&s.outside("doomed")), 0])),
    ("mkdir", |s| call(libc::SYS_mkdirat, &[HERE, text(&s.outside("new-dir")), 0o700])),
    ("rmdir", |s| call(libc::SYS_unlinkat, &[HERE, text(&s.outside("dir")), i64::from(libc::AT_REMOVEDIR)])),
    ("mkfifo", |s| call(libc::SYS_mknodat, &[HERE, text(&s.outside("fifo")), 0o010_600, 0])),
    ("rename", |s| two_paths(s, "victim", "moved", libc::SYS_renameat2)),
    ("hard_link", |s| two_paths(s, "secret", "linked", libc::SYS_linkat)),
    ("symlink", |s| call(libc::SYS_symlinkat, &[text(&s.outside("secret")), HERE, text(&s.outside("sym"))])),
    ("chmod", |s| call(libc::SYS_fchmodat, &[HERE, text(&s.outside("attributes")), 0o600])),
    ("chmod_by_new_call", |s| call(SYS_FCHMODAT2, &[HERE, text(&s.outside("attributes")), 0o644])),
    ("chown", |s| {
        let (uid, gid) = (s.number("uid"), s.number("uid"));
        call(libc::SYS_fchownat, &[HERE, text(&s.outside("attributes")), uid, gid])
    }),
    ("utimes", |s| call(libc::SYS_utimensat, &[HERE, text(&s.outside("attributes"))])),
    ("setxattr", setxattr),
    ("lock_target", lock_target),
    ("watch_outside", watch_outside),
    ("watch_everything", |_| call(libc::SYS_fanotify_init, &[0x200])),
    ("open_by_handle", open_by_handle),
    ("stat", stat),
    ("readlink", readlink),
    ("environment_of_parent", |s| read(&proc_file(s.number("parent"), "environ"))),
    ("environment_of_victim", |s| read(&proc_file(s.number("victim"), "environ"))),
    ("memory_of_victim", |s| open(&proc_file(s.number("victim"), "mem"), libc::O_RDONLY)),
    ("files_of_victim", |s| open(&proc_file(s.number("victim"), "fd/0"), libc::O_RDONLY)),
    ("change_kernel_setting", |_| open(c"/proc/sys/kernel/core_pattern", libc::O_WRONLY)),
    ("own_memory_file", |_| open(c"/proc/self/mem", libc::O_RDWR)),
    ("kernel_log_device", |_| open(c"/dev/kmsg", libc::O_RDONLY)),
    ("terminal", |_| open(c"/dev/ptmx", libc::O_RDWR)),
];

const SYS_FCHMODAT2: libc::c_long = 452;

/// Where a path is, for a system call. It lives as long as the statement that asks.
fn text(path: &CStr) -> libc::c_long {
    address(path)
}

fn proc_file(pid: i64, name: &str) -> std::ffi::CString {
    std::ffi::CString::new(format!("/proc/{pid}/{name}")).unwrap_or_default()
}

fn open(path: &CStr, flags: c_int) -> Verdict {
    // SAFETY: a path that ends with a zero byte.
    Verdict::of(i64::from(unsafe { libc::open(path.as_ptr(), flags, 0o600) }))
}

fn read(path: &CStr) -> Verdict {
    let mut buffer = [0_u8; 64];
    // SAFETY: the buffer is as long as it is said to be.
    unsafe {
        let fd = libc::open(path.as_ptr(), libc::O_RDONLY);
        if fd < 0 {
            return Verdict::of(-1);
        }
        let count = libc::read(fd, buffer.as_mut_ptr().cast::<c_void>(), buffer.len());
        libc::close(fd);
        Verdict::of(count as i64)
    }
}

fn two_paths(stage: &Stage, from: &str, to: &str, number: libc::c_long) -> Verdict {
    let (from, to) = (stage.outside(from), stage.outside(to));
    call(number, &[HERE, text(&from), HERE, text(&to)])
}

fn setxattr(stage: &Stage) -> Verdict {
    let path = stage.outside("attributes");
    call(libc::SYS_setxattr, &[text(&path), text(c"user.x"), text(c"1"), 1])
}

/// An exclusive lock on a file of the target would stop whoever works with it.
fn lock_target(stage: &Stage) -> Verdict {
    // SAFETY: a path that ends with a zero byte.
    unsafe {
        let fd = libc::open(stage.target("hello.txt").as_ptr(), libc::O_RDONLY);
        Verdict::of(i64::from(libc::flock(fd, libc::LOCK_EX | libc::LOCK_NB)))
    }
}

fn watch_outside(stage: &Stage) -> Verdict {
    let path = stage.outside("");
    // SAFETY: a path that ends with a zero byte.
    unsafe {
        let watch = libc::inotify_init1(0);
        if watch < 0 {
            return Verdict::of(-1);
        }
        Verdict::of(i64::from(libc::inotify_add_watch(watch, path.as_ptr(), libc::IN_ALL_EVENTS)))
    }
}

fn open_by_handle(stage: &Stage) -> Verdict {
    let path = stage.outside("secret");
    let mut handle = [0_u8; 8 + 128];
    handle[0] = 128;
    let mut mount: c_int = 0;
    // SAFETY: the handle has the size that its first word says.
    unsafe {
        let handle = handle.as_mut_ptr();
        let known = libc::syscall(
            libc::SYS_name_to_handle_at,
            libc::AT_FDCWD,
            path.as_ptr(),
            handle,
            &raw mut mount,
            0,
        );
        if known < 0 {
            return Verdict::of(known);
        }
        let mount = libc::open(stage.outside("").as_ptr(), libc::O_RDONLY);
        Verdict::of(libc::syscall(libc::SYS_open_by_handle_at, mount, handle, libc::O_RDONLY))
    }
}

fn stat(stage: &Stage) -> Verdict {
    Verdict::when(std::fs::metadata(stage.folder.join("outside/secret")).is_ok(), "not there")
}

fn readlink(stage: &Stage) -> Verdict {
    Verdict::when(std::fs::read_link(stage.folder.join("outside/link")).is_ok(), "not there")
}
