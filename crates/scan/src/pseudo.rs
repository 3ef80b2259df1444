//! File systems that hold no files but views into the kernel.

use std::os::fd::BorrowedFd;

use rustix::fs::fstatfs;

/// Magic numbers of file systems whose files are endless, or act when they are read.
const PSEUDO: &[(u64, &str)] = &[
    (0x9fa0, "proc"),
    (0x6265_6572, "sysfs"),
    (0x6462_6720, "debugfs"),
    (0x7472_6163, "tracefs"),
    (0x0027_e0eb, "cgroup"),
    (0x6367_7270, "cgroup2"),
    (0xcafe_4a11, "bpf"),
    (0x7363_6673, "securityfs"),
    (0x6265_6570, "configfs"),
    (0x1cd1, "devpts"),
    (0x1980_0202, "mqueue"),
    (0x4249_4e4d, "binfmt_misc"),
    (0x6e73_6673, "nsfs"),
    (0x6165_676c, "pstore"),
    (0xde5e_81e4, "efivarfs"),
];

/// The name of the pseudo file system a directory is on, if it is on one.
pub(crate) fn kind_of(fd: BorrowedFd<'_>) -> Option<&'static str> {
    let magic = fstatfs(fd).ok()?.f_type as u64 & 0xffff_ffff;
    PSEUDO.iter().find(|(number, _)| *number == magic).map(|&(_, name)| name)
}
