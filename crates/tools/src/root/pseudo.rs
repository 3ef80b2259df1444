//! File systems that hold no files but views into the kernel.

use std::os::fd::BorrowedFd;

use rustix::fs::fstatfs;
use rustix::io::Errno;

/// Magic numbers of file systems whose files are endless, tell secrets, or act when they are read.
const PSEUDO: &[(u64, &str)] = &[
    (0x9fa0, "proc"),
    (0x6265_6572, "sysfs"),
    (0x6462_6720, "debugfs"),
    (0x7472_6163, "tracefs"),
    (0x0027_e0eb, "cgroup"),
    (0x6367_7270, "cgroup2"),
    (0xcafe_4a11, "bpf"),
    (0x7363_6673, "securityfs"),
    (0xf97c_ff8c, "selinuxfs"),
    (0x6265_6570, "configfs"),
    (0x6573_5543, "fusectl"),
    (0x1cd1, "devpts"),
    (0x1980_0202, "mqueue"),
    (0x4249_4e4d, "binfmt_misc"),
    (0x6e73_6673, "nsfs"),
    (0x5049_4446, "pidfs"),
    (0x6165_676c, "pstore"),
    (0xde5e_81e4, "efivarfs"),
];

/// The name of the pseudo file system something is on, if it is on one.
pub(super) fn kind_of(fd: BorrowedFd<'_>) -> Result<Option<&'static str>, Errno> {
    let magic = fstatfs(fd)?.f_type as u64 & 0xffff_ffff;
    Ok(PSEUDO.iter().find(|(number, _)| *number == magic).map(|&(_, name)| name))
}
