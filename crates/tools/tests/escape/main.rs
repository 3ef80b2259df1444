//! What gets out: every way we could think of, tried by a program that wants to.
//!
//! The probes are in `probe/`; each tells whether it was held. They run unconfined first, which shows that they can
//! succeed, then in a worker, in a command, and in a command through the system's loader, at each level, as root and
//! as somebody else. What is known to get through is listed here, and nothing else may.
#![cfg(test)]

mod commands;
mod fallbacks;
mod parsers;
mod theatre;

use std::collections::BTreeSet;

use theatre::{Theatre, User, users};

/// Names can be asked about: whether they are there, how big, where they point.
const NAMES: [&str; 2] = ["stat", "readlink"];

/// What a command gets through with. The loader can map what it can read: which is why all probes run that way, too.
const KNOWN_OF_COMMANDS: [&str; 1] = ["exec_loader"];

/// A worker has threads and starts commands, in sessions of their own.
const KNOWN_OF_WORKERS: [&str; 5] =
    ["exec_loader", "fork_bomb", "setsid_survivor", "leave_session", "thread"];

/// What needs more than a plain user has, even unconfined.
const FOR_ROOT: [&str; 23] = [
    "bpf",
    "capabilities",
    "become_another_user",
    "change_kernel_setting",
    "chroot",
    "delete_module",
    "hostname",
    "join_namespace",
    "kernel_log",
    "kernel_log_device",
    "kexec",
    "kill_parent",
    "environment_of_parent",
    "mount",
    "new_filesystem",
    "open_by_handle",
    "open_tree",
    "packet_socket",
    "raw_socket",
    "set_clock",
    "unlimited_cpu",
    "watch_everything",
    "userfaultfd",
];

/// What a kernel may have been built or set up without.
const MAY_BE_MISSING: [&str; 21] = [
    "add_key",
    "keyctl",
    "bpf",
    "chmod_by_new_call",
    "compare_victim",
    "crypto_socket",
    "create_unnamed",
    "io_uring",
    "kexec",
    "delete_module",
    "kernel_log_device",
    "mount_namespace",
    "network_namespace",
    "user_namespace",
    "user_namespace_by_clone",
    "user_namespace_by_clone3",
    "perf_event",
    "socket_by_i386_call",
    "socket_by_x32_call",
    "vsock_socket",
    "posix_queue",
];

/// What a container or a hardened system may have taken away from root, too, besides.
const MAY_BE_FORBIDDEN: [&str; 22] = [
    "capabilities",
    "change_kernel_setting",
    "chroot",
    "hostname",
    "huge_memory",
    "join_namespace",
    "kernel_log",
    "memory_of_victim",
    "environment_of_victim",
    "files_of_victim",
    "mount",
    "new_filesystem",
    "open_by_handle",
    "open_tree",
    "ptrace",
    "read_memory",
    "write_memory",
    "set_clock",
    "setxattr",
    "take_descriptor",
    "tcp6_socket",
    "userfaultfd",
];

fn set(lists: &[&[&'static str]]) -> BTreeSet<&'static str> {
    lists.iter().flat_map(|list| list.iter().copied()).collect()
}

#[track_caller]
fn check_held(user: User, arguments: &[&str], known: &BTreeSet<&str>) {
    let theatre = Theatre::set_up(user);
    let verdicts = theatre.try_all(arguments);
    assert_eq!(verdicts.len(), theatre.names().len(), "{user:?} {arguments:?}: {verdicts:#?}");
    let escaped: BTreeSet<&str> = verdicts.escaped();
    let new: Vec<&&str> = escaped.difference(known).collect();
    assert!(new.is_empty(), "{user:?} {arguments:?}: {new:?} got through");
}

#[test]
fn unconfined_the_probes_get_through() {
    for user in users() {
        let theatre = Theatre::set_up(user);
        let verdicts = theatre.try_all(&[]);
        let mut excused = set(&[&MAY_BE_MISSING, &MAY_BE_FORBIDDEN]);
        if user != User::Root {
            excused.extend(FOR_ROOT);
        }
        let held: Vec<&str> = verdicts.held().into_iter().filter(|name| !excused.contains(name)).collect();
        assert!(held.is_empty(), "{user:?}: {held:?} cannot succeed, so nothing follows if they do not");
        // Even where much is missing, enough must be left for the other tests to mean something.
        assert!(60 <= verdicts.escaped().len(), "{user:?}: {verdicts:#?}");
    }
}

#[test]
fn there_are_probes_of_every_kind() {
    let names = Theatre::set_up(User::Same).names();
    assert!(100 <= names.len(), "{}", names.len());
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "names are given once");
}

#[test]
fn a_worker_is_held() {
    for user in users() {
        for level in ["worker=L1", "worker=L2", "worker=L3"] {
            check_held(user, &[level], &set(&[&NAMES, &KNOWN_OF_WORKERS]));
        }
    }
}

#[test]
fn a_command_is_held() {
    for user in users() {
        for level in ["worker=L1", "worker=L2", "worker=L3"] {
            check_held(user, &[level, "in=cage"], &set(&[&NAMES, &KNOWN_OF_COMMANDS]));
        }
    }
}

#[test]
fn a_command_is_held_by_its_own_bars_alone() {
    for user in users() {
        check_held(user, &["in=cage"], &set(&[&NAMES, &KNOWN_OF_COMMANDS]));
    }
}

/// Reading, where everything may be read; not of processes, though they look like files.
const READING: [&str; 7] = [
    "read_outside",
    "read_through_link",
    "read_passwd",
    "read_by_dotdot",
    "read_proc_root",
    "list_outside",
    "kernel_log_device",
];

#[test]
fn whoever_may_read_everything_may_still_do_nothing_else() {
    for user in users() {
        for level in ["worker=L1", "worker=L3"] {
            check_held(user, &[level, "root=/", "in=cage"], &set(&[&NAMES, &READING, &KNOWN_OF_COMMANDS]));
        }
        let mut known = set(&[&NAMES, &READING, &KNOWN_OF_WORKERS]);
        if luminos_tools::sandbox::probe().landlock_abi < 6 {
            // A worker signals its children, and without scopes whatever is opened in /proc passes for one.
            known.insert("signal_by_directory");
        }
        check_held(user, &["worker=L3", "root=/"], &known);
    }
}

#[test]
fn what_the_loader_maps_is_held() {
    for user in users() {
        for level in ["worker=L1", "worker=L2", "worker=L3"] {
            check_held(user, &[level, "in=loader"], &set(&[&NAMES, &KNOWN_OF_COMMANDS]));
        }
    }
}

#[test]
fn root_can_have_its_workers_be_somebody_else() {
    for user in users().into_iter().filter(|user| *user == User::Root) {
        check_held(user, &["worker=L3", "as=65534"], &set(&[&NAMES, &KNOWN_OF_WORKERS]));
        check_held(user, &["worker=L1", "as=65534", "in=cage"], &set(&[&NAMES, &KNOWN_OF_COMMANDS]));
    }
}
