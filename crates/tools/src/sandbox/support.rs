//! What this machine has for a sandbox, and what that is worth.
#![expect(unsafe_code, reason = "asking the kernel for its Landlock version and its seccomp actions")]

use std::fmt;
use std::io;

use super::namespaces;

/// How strongly a process is held. Each level has all that the ones below it have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Not enough: file tools go on, confined by descriptors, but no command is offered.
    L0,
    /// Landlock 3 (Linux 6.2) and seccomp: read-only, one process, no sockets, no signals.
    L1,
    /// Landlock 6 (Linux 6.12) besides: signals and abstract sockets are cut off twice.
    L2,
    /// Namespaces besides: no network device, no shared memory of others.
    L3,
}

impl Level {
    /// The level in a word.
    pub fn name(self) -> &'static str {
        match self {
            Self::L0 => "none",
            Self::L1 => "compat",
            Self::L2 => "strict",
            Self::L3 => "namespaces",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{self:?} {}", self.name())
    }
}

/// What is missing for a higher level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lack {
    /// The kernel has no Landlock.
    LandlockMissing,
    /// The kernel has Landlock, but it was not switched on at boot.
    LandlockOff,
    /// Something around us, such as a container's profile, does not let us ask for Landlock.
    LandlockHidden,
    /// Landlock is there, but too old for the level named.
    LandlockOld {
        /// The version it has.
        abi: i32,
        /// The level that a newer one would give.
        for_level: Level,
    },
    /// System calls cannot be filtered.
    SeccompMissing,
    /// A namespace could not be made.
    NamespacesRefused {
        /// What the kernel said.
        errno: i32,
    },
    /// The configuration asks for no more.
    Capped(Level),
}

impl Lack {
    /// What somebody could do about it.
    pub fn way_out(&self) -> &'static str {
        match self {
            Self::LandlockMissing => "use Linux 6.2 or newer with Landlock built in",
            Self::LandlockOff => "add `landlock` to the kernel's `lsm=` boot parameter",
            Self::LandlockHidden => {
                "allow the landlock_* system calls in the container's seccomp profile (current default profiles do)"
            }
            Self::LandlockOld { for_level: Level::L1, .. } => "use Linux 6.2 or newer",
            Self::LandlockOld { .. } => "use Linux 6.12 or newer; nothing is lost but a second lock",
            Self::SeccompMissing => {
                "allow the seccomp system call, or use a kernel with CONFIG_SECCOMP_FILTER on x86-64, ARM64 or RISC-V"
            }
            Self::NamespacesRefused { .. } => {
                "allow user namespaces (sysctl, AppArmor or the container's profile); nothing is lost but a second lock"
            }
            Self::Capped(_) => "ask for a higher level",
        }
    }
}

impl fmt::Display for Lack {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LandlockMissing => write!(out, "this kernel has no Landlock"),
            Self::LandlockOff => write!(out, "Landlock was not switched on when this kernel started"),
            Self::LandlockHidden => write!(out, "Landlock is kept from this process"),
            Self::LandlockOld { abi, for_level: Level::L1 } => {
                write!(out, "Landlock is too old here: version {abi}, at least 3 is needed")
            }
            Self::LandlockOld { abi, .. } => write!(out, "Landlock has version {abi}, scopes come with 6"),
            Self::SeccompMissing => write!(out, "system calls cannot be filtered here (no seccomp)"),
            Self::NamespacesRefused { errno } => {
                write!(out, "no namespaces: {}", io::Error::from_raw_os_error(*errno))
            }
            Self::Capped(level) => write!(out, "no more than {level} is asked for"),
        }
    }
}

/// What a machine has for a sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Support {
    /// What it is worth.
    pub level: Level,
    /// The kernel's version of Landlock; 0 if it has none for us.
    pub landlock_abi: i32,
    /// Whether system calls can be filtered.
    pub seccomp: bool,
    /// Whether namespaces can be made.
    pub namespaces: bool,
    /// What is missing for the levels above.
    pub lacks: Vec<Lack>,
}

impl Support {
    /// Whether commands may be started at all.
    pub fn offers_commands(&self) -> bool {
        Level::L0 < self.level
    }

    /// The same, but no higher than this: to be cautious, or to see what a poorer machine would do.
    #[must_use]
    pub fn at_most(mut self, level: Level) -> Self {
        if level < self.level {
            self.level = level;
            self.lacks = vec![Lack::Capped(level)];
        }
        self
    }

    /// Lines for a person: what is missing, and what helps.
    pub fn lacks(&self) -> Vec<String> {
        self.lacks.iter().map(|lack| format!("{lack}; {}", lack.way_out())).collect()
    }

    /// Lines for a person: what there is, what is missing, what helps.
    pub fn words(&self) -> Vec<String> {
        let mut lines = vec![match self.level {
            Level::L0 => {
                format!("{}: commands are not offered to models; files are read all the same", self.level)
            }
            Level::L1 => format!("{}: Landlock {}, seccomp", self.level, self.landlock_abi),
            Level::L2 => format!("{}: Landlock {} with scopes, seccomp", self.level, self.landlock_abi),
            Level::L3 => {
                format!("{}: Landlock {}, seccomp, own network and IPC", self.level, self.landlock_abi)
            }
        }];
        lines.extend(self.lacks());
        lines
    }

    /// What these parts are worth together.
    pub(super) fn judge(landlock: Result<i32, i32>, seccomp: bool, namespaces: Result<(), i32>) -> Self {
        let mut lacks = Vec::new();
        let abi = landlock.unwrap_or(0);
        match landlock {
            Err(libc::ENOSYS) => lacks.push(Lack::LandlockMissing),
            Err(libc::EOPNOTSUPP) => lacks.push(Lack::LandlockOff),
            Err(_) => lacks.push(Lack::LandlockHidden),
            Ok(abi) if abi < 3 => lacks.push(Lack::LandlockOld { abi, for_level: Level::L1 }),
            Ok(abi) if abi < 6 => lacks.push(Lack::LandlockOld { abi, for_level: Level::L2 }),
            Ok(_) => {}
        }
        if !seccomp {
            lacks.push(Lack::SeccompMissing);
        }
        if let Err(errno) = namespaces {
            lacks.push(Lack::NamespacesRefused { errno });
        }
        let level = match (seccomp, abi) {
            (false, _) | (true, ..3) => Level::L0,
            (true, _) if namespaces.is_ok() => Level::L3,
            (true, 6..) => Level::L2,
            (true, _) => Level::L1,
        };
        Self { level, landlock_abi: abi, seccomp, namespaces: namespaces.is_ok(), lacks }
    }
}

/// Asks the kernel what it has. Nothing about this process changes.
pub fn probe() -> Support {
    Support::judge(landlock_abi(), has_seccomp(), namespaces::try_out())
}

/// The kernel's Landlock version, or the error it gives instead.
pub(super) fn landlock_abi() -> Result<i32, i32> {
    const VERSION: libc::c_uint = 1;
    // SAFETY: with this flag the call takes no pointer and only returns a number.
    let version = unsafe {
        libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<libc::c_void>(), 0_usize, VERSION)
    };
    if version < 0 {
        return Err(io::Error::last_os_error().raw_os_error().unwrap_or(libc::EINVAL));
    }
    Ok(i32::try_from(version).unwrap_or(i32::MAX))
}

/// Whether system calls can be refused with an error number of our choice.
pub(super) fn has_seccomp() -> bool {
    let action: u32 = libc::SECCOMP_RET_ERRNO;
    // SAFETY: the call reads four bytes at the pointer, which outlives it.
    let answer = unsafe {
        libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, std::ptr::from_ref(&action))
    };
    answer == 0 && seccompiler::TargetArch::try_from(std::env::consts::ARCH).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(landlock: Result<i32, i32>, seccomp: bool, namespaces: Result<(), i32>, level: Level) {
        let support = Support::judge(landlock, seccomp, namespaces);
        assert_eq!(support.level, level, "{support:?}");
        assert_eq!(support.offers_commands(), level != Level::L0);
    }

    #[test]
    fn the_floor_is_landlock_three_and_seccomp() {
        check(Ok(7), true, Ok(()), Level::L3);
        check(Ok(7), true, Err(libc::EPERM), Level::L2);
        check(Ok(5), true, Err(libc::EPERM), Level::L1);
        check(Ok(3), true, Ok(()), Level::L3);
        check(Ok(2), true, Ok(()), Level::L0);
        check(Err(libc::ENOSYS), true, Ok(()), Level::L0);
        check(Ok(9), false, Ok(()), Level::L0);
    }

    #[test]
    fn each_lack_comes_with_a_way_out() {
        let refused = Support::judge(Err(libc::EOPNOTSUPP), false, Err(libc::EPERM));
        insta::assert_snapshot!(refused.words().join("\n"), @r"
        L0 none: commands are not offered to models; files are read all the same
        Landlock was not switched on when this kernel started; add `landlock` to the kernel's `lsm=` boot parameter
        system calls cannot be filtered here (no seccomp); allow the seccomp system call, or use a kernel with CONFIG_SECCOMP_FILTER on x86-64, ARM64 or RISC-V
        no namespaces: Operation not permitted (os error 1); allow user namespaces (sysctl, AppArmor or the container's profile); nothing is lost but a second lock
        ");
        let old = Support::judge(Ok(2), true, Ok(()));
        insta::assert_snapshot!(old.words().join("\n"), @r"
        L0 none: commands are not offered to models; files are read all the same
        Landlock is too old here: version 2, at least 3 is needed; use Linux 6.2 or newer
        ");
        let whole = Support::judge(Ok(7), true, Ok(()));
        insta::assert_snapshot!(whole.words().join("\n"), @"L3 namespaces: Landlock 7, seccomp, own network and IPC");
        insta::assert_snapshot!(whole.at_most(Level::L1).words().join("\n"), @r"
        L1 compat: Landlock 7, seccomp
        no more than L1 compat is asked for; ask for a higher level
        ");
    }
}
