//! Probes at other processes, at survival, and at becoming another program.
#![expect(unsafe_code, reason = "probes are system calls")]

use std::ffi::{CStr, CString};
use std::ptr;

use libc::c_long;

use crate::stage::{Probe, Stage, Verdict, address, call};

pub(crate) const PROBES: &[Probe] = &[
    ("ptrace", ptrace),
    ("read_memory", |s| vm(s, libc::SYS_process_vm_readv)),
    ("write_memory", |s| vm(s, libc::SYS_process_vm_writev)),
    ("kill", |s| call(libc::SYS_kill, &[victim(s), CONTINUE])),
    ("kill_parent", |s| call(libc::SYS_kill, &[s.number("parent"), CONTINUE])),
    ("tgkill", |s| call(libc::SYS_tgkill, &[victim(s), victim(s), CONTINUE])),
    ("tkill", |s| call(libc::SYS_tkill, &[victim(s), CONTINUE])),
    ("queue_signal", queue_signal),
    ("signal_by_descriptor", signal_by_descriptor),
    ("signal_by_directory", signal_by_directory),
    ("signal_by_ownership", signal_by_ownership),
    ("take_descriptor", take_descriptor),
    ("limit_victim", limit_victim),
    ("slow_victim", |s| call(libc::SYS_setpriority, &[0, victim(s), 19])),
    ("pin_victim", |s| call(libc::SYS_sched_setaffinity, &[victim(s), 128, address(&[u64::MAX; 16])])),
    ("compare_victim", |s| call(libc::SYS_kcmp, &[victim(s), victim(s)])),
    ("fork_bomb", fork_bomb),
    ("fork_by_clone3", fork_by_clone3),
    ("setsid_survivor", setsid_survivor),
    ("leave_session", |_| call(libc::SYS_setsid, &[])),
    ("thread", |_| Verdict::when(std::thread::Builder::new().spawn(|| {}).is_ok(), "no thread")),
    ("huge_memory", huge_memory),
    ("unlimited_cpu", unlimited_cpu),
    ("become_another_user", |_| call(libc::SYS_setresuid, &[65533, 65533, 65533])),
    ("capabilities", capabilities),
    ("inherited_descriptor", inherited_descriptor),
    ("environment", |_| {
        Verdict::when(std::env::vars_os().any(|(name, _)| name == "LUMINOS_ESCAPE_KEY"), "not there")
    }),
    ("exec_script", |s| exec(&s.target("evil.sh"), &["exec_script"])),
    ("exec_binary", |s| exec(&s.target("evil.bin"), &["announce", "exec_binary"])),
    ("exec_shell", |_| exec(c"/bin/sh", &["-c", "echo 'exec_shell\tESCAPED\t'"])),
    ("exec_memory", exec_memory),
    ("exec_loader", exec_loader),
];

/// A signal that does no harm to a process that runs.
const CONTINUE: c_long = libc::SIGCONT as c_long;

fn victim(stage: &Stage) -> i64 {
    i64::from(stage.victim())
}

fn ptrace(stage: &Stage) -> Verdict {
    const SEIZE: libc::c_uint = 0x4206;
    // SAFETY: numbers only.
    unsafe {
        let answer = libc::ptrace(SEIZE as _, stage.victim(), ptr::null_mut::<u8>(), ptr::null_mut::<u8>());
        libc::ptrace(libc::PTRACE_DETACH, stage.victim(), ptr::null_mut::<u8>(), ptr::null_mut::<u8>());
        Verdict::of(answer)
    }
}

fn vm(stage: &Stage, number: c_long) -> Verdict {
    let mut buffer = *b"SECRETS!";
    let here = libc::iovec { iov_base: buffer.as_mut_ptr().cast(), iov_len: buffer.len() };
    let there = libc::iovec {
        iov_base: ptr::with_exposed_provenance_mut(usize::try_from(stage.number("address")).unwrap_or(0)),
        iov_len: buffer.len(),
    };
    // SAFETY: eight bytes here; what is there is the kernel's to check.
    Verdict::of(unsafe { libc::syscall(number, stage.victim(), &raw const here, 1, &raw const there, 1, 0) })
}

fn queue_signal(stage: &Stage) -> Verdict {
    // SAFETY: a signal with a number as its value.
    Verdict::of(i64::from(unsafe {
        libc::sigqueue(stage.victim(), libc::SIGCONT, libc::sigval { sival_ptr: ptr::null_mut() })
    }))
}

fn signal_by_descriptor(stage: &Stage) -> Verdict {
    // SAFETY: numbers only.
    unsafe {
        let process = libc::syscall(libc::SYS_pidfd_open, stage.victim(), 0);
        if process < 0 {
            return Verdict::of(process);
        }
        call(libc::SYS_pidfd_send_signal, &[process, CONTINUE])
    }
}

/// The directory of a process stands for the process.
fn signal_by_directory(stage: &Stage) -> Verdict {
    let path = CString::new(format!("/proc/{}", stage.victim())).unwrap_or_default();
    // SAFETY: a path that ends with a zero byte.
    let process = unsafe { libc::open(path.as_ptr(), libc::O_RDONLY | libc::O_DIRECTORY) };
    if process < 0 {
        return Verdict::of(-1);
    }
    call(libc::SYS_pidfd_send_signal, &[c_long::from(process), CONTINUE])
}

/// Whoever owns a descriptor gets a signal when something happens on it.
fn signal_by_ownership(stage: &Stage) -> Verdict {
    call(libc::SYS_fcntl, &[0, c_long::from(libc::F_SETOWN), victim(stage)])
}

fn take_descriptor(stage: &Stage) -> Verdict {
    // SAFETY: numbers only.
    unsafe {
        let process = libc::syscall(libc::SYS_pidfd_open, stage.victim(), 0);
        if process < 0 {
            return Verdict::of(process);
        }
        call(libc::SYS_pidfd_getfd, &[process, 0])
    }
}

/// Sets a limit to what it is already.
fn limit_victim(stage: &Stage) -> Verdict {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the limit outlives both calls.
    unsafe {
        if libc::prlimit(stage.victim(), libc::RLIMIT_CORE, ptr::null(), &raw mut limit) != 0 {
            return Verdict::of(-1);
        }
        let answer = libc::prlimit(stage.victim(), libc::RLIMIT_CORE, &raw const limit, ptr::null_mut());
        Verdict::of(i64::from(answer))
    }
}

/// Sixty-five children, more than any limit on their number would be.
fn fork_bomb(_: &Stage) -> Verdict {
    for _ in 0..65 {
        // SAFETY: the child ends at once.
        unsafe {
            match libc::fork() {
                0 => libc::_exit(0),
                child if child < 0 => return Verdict::of(-1),
                child => libc::waitpid(child, ptr::null_mut(), 0),
            };
        }
    }
    Verdict::Escaped
}

fn fork_by_clone3(_: &Stage) -> Verdict {
    let arguments = [0_u64, 0, 0, 0, libc::SIGCHLD as u64, 0, 0, 0];
    // SAFETY: the form of the first version of the call; the child ends at once.
    unsafe {
        match libc::syscall(libc::SYS_clone3, arguments.as_ptr(), size_of_val(&arguments)) {
            0 => libc::_exit(0),
            child if child < 0 => Verdict::of(child),
            child => Verdict::of(i64::from(libc::waitpid(child as i32, ptr::null_mut(), 0))),
        }
    }
}

/// A grandchild in a session of its own, which no signal to the group reaches. It ends when its pipe does.
fn setsid_survivor(_: &Stage) -> Verdict {
    let mut pipe = [0; 2];
    // SAFETY: room for two descriptors; the child only makes system calls and ends.
    unsafe {
        libc::pipe(pipe.as_mut_ptr());
        match libc::fork() {
            0 => {
                let away = libc::setsid();
                libc::_exit(if away < 0 { 1 } else { 0 })
            }
            child if child < 0 => Verdict::of(-1),
            child => {
                let mut status = 0;
                libc::waitpid(child, &raw mut status, 0);
                Verdict::when(status == 0, "the child could not leave")
            }
        }
    }
}

/// Sixteen gigabytes, mapped and never touched.
fn huge_memory(_: &Stage) -> Verdict {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new mapping that nothing refers to.
    unsafe {
        let map = libc::mmap(ptr::null_mut(), 16 << 30, libc::PROT_READ, flags, -1, 0);
        if map == libc::MAP_FAILED {
            Verdict::of(-1)
        } else {
            Verdict::of(i64::from(libc::munmap(map, 16 << 30)))
        }
    }
}

fn unlimited_cpu(_: &Stage) -> Verdict {
    let limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the limit outlives the call.
    Verdict::of(i64::from(unsafe { libc::setrlimit(libc::RLIMIT_CORE, &raw const limit) }))
}

/// Anything but reading, of what root can do; or reading and writing, where it does not have the one alone.
fn capabilities(_: &Stage) -> Verdict {
    const VERSION_3: u32 = 0x2008_0522;
    let header = [VERSION_3, 0];
    let mut sets = [0_u32; 6];
    // SAFETY: the forms that this version wants.
    let answer = unsafe { libc::syscall(libc::SYS_capget, header.as_ptr(), sets.as_mut_ptr()) };
    Verdict::when(
        answer == 0 && (![0, 1 << 1, 1 << 2].contains(&sets[0]) || sets[3] != 0),
        "no more than reading",
    )
}

/// The test leaves the secret open and tells its number.
fn inherited_descriptor(stage: &Stage) -> Verdict {
    let mut byte = [0_u8; 1];
    let descriptor = i32::try_from(stage.number("descriptor")).unwrap_or(-1);
    // SAFETY: a buffer of one byte.
    Verdict::of(unsafe { libc::pread(descriptor, byte.as_mut_ptr().cast(), 1, 0) } as i64)
}

/// Becomes the program; what it then prints is the escape.
fn exec(program: &CStr, arguments: &[&str]) -> Verdict {
    let arguments: Vec<CString> = arguments.iter().filter_map(|text| CString::new(*text).ok()).collect();
    let mut pointers = vec![program.as_ptr()];
    pointers.extend(arguments.iter().map(|argument| argument.as_ptr()));
    pointers.push(ptr::null());
    let environment = [ptr::null()];
    // SAFETY: arrays that end with a null pointer, of strings that end with a zero byte.
    Verdict::of(i64::from(unsafe { libc::execve(program.as_ptr(), pointers.as_ptr(), environment.as_ptr()) }))
}

/// A program that was never a file.
fn exec_memory(stage: &Stage) -> Verdict {
    let Ok(program) = std::fs::read(stage.folder.join("target/evil.bin")) else {
        return Verdict::Held("cannot even read it".to_owned());
    };
    let arguments = [c"evil".as_ptr(), c"announce".as_ptr(), c"exec_memory".as_ptr(), ptr::null()];
    let environment: [*const libc::c_char; 1] = [ptr::null()];
    // SAFETY: buffers of the sizes that are said, arrays that end with a null pointer.
    unsafe {
        let file = libc::syscall(libc::SYS_memfd_create, c"evil".as_ptr(), 0);
        if file < 0 {
            return Verdict::of(file);
        }
        libc::write(file as i32, program.as_ptr().cast(), program.len());
        let (arguments, environment) = (arguments.as_ptr(), environment.as_ptr());
        let empty_path = libc::AT_EMPTY_PATH;
        Verdict::of(libc::syscall(libc::SYS_execveat, file, c"".as_ptr(), arguments, environment, empty_path))
    }
}

/// The loader maps a program that it may only read.
fn exec_loader(stage: &Stage) -> Verdict {
    let Ok(loader) = CString::new(stage.fact("loader")) else { return Verdict::Held("no loader".to_owned()) };
    let evil = stage.target("evil.bin").into_string().unwrap_or_default();
    exec(&loader, &[&evil, "announce", "exec_loader"])
}
