//! Taking a part of the kernel away, to see what happens on a machine that lacks it.

use std::collections::BTreeMap;

use seccompiler::{SeccompAction, SeccompFilter, TargetArch};

/// Makes system calls fail as they do where they are missing or forbidden.
pub(crate) fn hide(parts: &[&str]) -> Result<(), crate::Failure> {
    // A filter that hides `seccomp` must be the last.
    let mut parts = parts.to_vec();
    parts.sort_by_key(|part| *part == "seccomp");
    for part in parts {
        let (calls, errno): (&[i64], i32) = match part {
            "landlock" => {
                (&[libc::SYS_landlock_create_ruleset, libc::SYS_landlock_restrict_self], libc::ENOSYS)
            }
            "landlock-off" => {
                (&[libc::SYS_landlock_create_ruleset, libc::SYS_landlock_restrict_self], libc::EOPNOTSUPP)
            }
            "landlock-forbidden" => (&[libc::SYS_landlock_create_ruleset], libc::EPERM),
            // The version is told, but the rules are refused: half a kernel.
            "landlock-restrict" => (&[libc::SYS_landlock_restrict_self], libc::ENOSYS),
            "namespaces" => (&[libc::SYS_unshare], libc::EPERM),
            "seccomp" => (&[libc::SYS_seccomp], libc::ENOSYS),
            other => return Err(format!("cannot hide {other}").into()),
        };
        let rules: BTreeMap<i64, Vec<_>> = calls.iter().map(|call| (*call, Vec::new())).collect();
        let refuse = SeccompAction::Errno(errno.unsigned_abs());
        let arch = TargetArch::try_from(std::env::consts::ARCH)?;
        let filter: seccompiler::BpfProgram =
            SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch)?.try_into()?;
        seccompiler::apply_filter(&filter)?;
    }
    Ok(())
}
