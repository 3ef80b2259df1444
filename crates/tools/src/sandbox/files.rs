//! Which files a process may open: Landlock rules.
//!
//! Rules hang on open files, not on names. Everything Landlock knows is refused unless a rule here allows it, and
//! no rule allows writing.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset,
    RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, Scope,
};

use super::support::{Level, Support};

/// What programs need to start and to know a file by its content. Read, never executed.
const SYSTEM: [&str; 17] = [
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec/coreutils",
    "/usr/share/misc",
    "/usr/share/file",
    "/usr/share/magic",
    "/usr/share/locale",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/magic",
    "/etc/magic.mgc",
    "/dev/null",
    "/sys/devices/system/cpu/online",
];

/// Loaders of dynamic programs, which the kernel executes on their behalf.
const LOADERS: [&str; 8] = [
    "/lib64/ld-linux-x86-64.so.2",
    "/lib/ld-linux-aarch64.so.1",
    "/lib/ld-linux-riscv64-lp64d.so.1",
    "/lib/ld-linux-x86-64.so.2",
    "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1",
    "/lib/ld-musl-riscv64.so.1",
    "/lib64/ld-linux-riscv64-lp64d.so.1",
];

/// Programs and libraries of the system: everybody on the machine has them, and nothing of the user's is in them.
const PROGRAM_SYSTEM: [&str; 17] = [
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/usr/bin",
    "/usr/sbin",
    "/usr/lib",
    "/usr/lib32",
    "/usr/lib64",
    "/usr/libexec",
    "/usr/share",
    "/usr/local/bin",
    "/usr/local/lib",
    "/usr/local/share",
    "/etc/alternatives",
    "/nix/store",
];

/// How names become addresses, which certificates are trusted, what time it is, and what the machine's owner wants of
/// the programs that we know. No directory of private keys is among them.
const PROGRAM_NETWORK: [&str; 24] = [
    "/etc/ca-certificates",
    "/etc/ca-certificates.conf",
    "/etc/claude-code",
    "/etc/codex",
    "/etc/crypto-policies",
    "/etc/gai.conf",
    "/etc/host.conf",
    "/etc/hosts",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/pki/ca-trust",
    "/etc/pki/tls/certs",
    "/etc/pki/tls/openssl.cnf",
    "/etc/protocols",
    "/etc/resolv.conf",
    "/etc/services",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/run/NetworkManager/resolv.conf",
    "/run/resolvconf",
    "/run/systemd/resolve/resolv.conf",
    "/run/systemd/resolve/stub-resolv.conf",
];

/// What runtimes ask the kernel: how many processors and how much memory there are. `/proc/self` is the process that
/// puts the rules on itself, not its children.
const PROGRAM_KERNEL: [&str; 12] = [
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/self",
    "/proc/stat",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/vm/overcommit_memory",
    "/proc/uptime",
    "/proc/version",
    "/sys/devices/system/cpu",
    "/sys/fs/cgroup",
];

const PROGRAM_DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// What may be read and what may be executed.
pub(super) struct Rules<'a> {
    /// Directories (or files) that may be read.
    pub(super) readable: &'a [BorrowedFd<'a>],
    /// Programs that may be executed, and for that read.
    pub(super) executable: &'a [&'a Path],
}

/// Builds the rules. What does not exist on this machine needs none.
pub(super) fn ruleset(support: &Support, rules: &Rules<'_>) -> Result<RulesetCreated, RulesetError> {
    // A fixed set of rights for each level, and every one of them required: half a rule set is none.
    let abi = match (support.level, support.landlock_abi) {
        (Level::L2 | Level::L3, 9..) => ABI::V9,
        (Level::L2 | Level::L3, 6..) => ABI::V6,
        _ => ABI::V3,
    };
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(abi))?;
    if ABI::V6 <= abi {
        ruleset = ruleset.handle_access(AccessNet::from_all(abi))?.scope(Scope::from_all(abi))?;
    }
    let mut created = ruleset.create()?.no_new_privs(false);
    for root in rules.readable {
        created = allow(created, root, AccessFs::ReadFile | AccessFs::ReadDir)?;
    }
    for path in SYSTEM.iter().filter_map(|path| PathFd::new(path).ok()) {
        created = allow(created, path, AccessFs::ReadFile | AccessFs::ReadDir)?;
    }
    for program in LOADERS.iter().map(Path::new).chain(rules.executable.iter().copied()) {
        if let Ok(program) = PathFd::new(program) {
            created = allow(created, program, AccessFs::ReadFile | AccessFs::Execute)?;
        }
    }
    Ok(created)
}

/// What a program used as a model may do with files, besides what [`PROGRAM_SYSTEM`] gives everybody.
pub(super) struct ProgramRules<'a> {
    /// Files and directories that it may read and execute.
    pub(super) readable: &'a [PathBuf],
    /// Files and directories that it may read and write.
    pub(super) writable: &'a [PathBuf],
}

/// Builds the rules of such a program. What does not exist on this machine needs none.
pub(super) fn program_ruleset(
    landlock_abi: i32,
    rules: &ProgramRules<'_>,
) -> Result<RulesetCreated, RulesetError> {
    let abi = match landlock_abi {
        9.. => ABI::V9,
        6.. => ABI::V6,
        _ => ABI::V3,
    };
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(abi))?;
    if ABI::V6 <= abi {
        // It may connect: that is how it reaches its provider. Nobody may connect to it.
        ruleset = ruleset.handle_access(AccessNet::BindTcp)?.scope(Scope::from_all(abi))?;
    }
    let mut created = ruleset.create()?.no_new_privs(false);
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    for path in PROGRAM_KERNEL.iter().chain(&PROGRAM_NETWORK).filter_map(|path| PathFd::new(path).ok()) {
        created = allow(created, path, read)?;
    }
    let given = rules.readable.iter().map(PathBuf::as_path);
    for path in PROGRAM_SYSTEM.iter().map(Path::new).chain(given).filter_map(|path| PathFd::new(path).ok()) {
        created = allow(created, path, read | AccessFs::Execute)?;
    }
    let special = AccessFs::MakeChar
        | AccessFs::MakeBlock
        | AccessFs::MakeSock
        | AccessFs::MakeFifo
        | AccessFs::Execute
        // Versions that do not know these two have no such bit.
        | AccessFs::IoctlDev;
    let write = AccessFs::from_all(ABI::V3) & !special;
    for path in rules.writable.iter().filter_map(|path| PathFd::new(path).ok()) {
        created = allow(created, path, write)?;
    }
    for path in PROGRAM_DEVICES.iter().filter_map(|path| PathFd::new(path).ok()) {
        created = allow(created, path, AccessFs::ReadFile | AccessFs::WriteFile)?;
    }
    Ok(created)
}

fn allow(
    created: RulesetCreated,
    file: impl AsFd,
    mut access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, RulesetError> {
    let is_dir = rustix::fs::fstat(file.as_fd())
        .is_ok_and(|stat| rustix::fs::FileType::from_raw_mode(stat.st_mode).is_dir());
    if !is_dir {
        access &= AccessFs::from_file(ABI::V9);
    }
    created.add_rule(PathBeneath::new(file, access))
}

/// The rules as a descriptor, to be put in force by a child that must not allocate.
pub(super) fn descriptor(support: &Support, rules: &Rules<'_>) -> Result<Option<OwnedFd>, RulesetError> {
    Ok(ruleset(support, rules)?.into())
}
