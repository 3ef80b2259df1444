//! Machines that lack something: the same kernel, with that part hidden.

use crate::theatre::{Theatre, User, users};

fn said(theatre: &Theatre, arguments: &[&str]) -> String {
    String::from_utf8(theatre.role(arguments, "wc hello.txt\n").stdout).unwrap()
}

#[track_caller]
fn check(hide: &[&str], level: &str, reason: &str) {
    for user in users() {
        let theatre = Theatre::set_up(user);
        let hide: Vec<String> = hide.iter().map(|part| format!("hide={part}")).collect();
        let hide: Vec<&str> = hide.iter().map(String::as_str).collect();
        for confined in [&[][..], &["worker=L3"]] {
            let told = said(&theatre, &[&hide, confined, &["in=doctor"]].concat());
            assert!(
                told.starts_with(level) && told.contains(reason),
                "{user:?} {hide:?} {confined:?}: {told}"
            );
            let ran = said(&theatre, &[&hide, confined, &["in=commands"]].concat());
            if level.starts_with("L0") {
                assert!(
                    ran.starts_with("failed\tprograms cannot be confined here"),
                    "{user:?} {hide:?}: {ran}"
                );
                assert!(!ran.contains("Exited"), "nothing is run unconfined: {ran}");
            } else {
                assert_eq!(ran, "Exited(0) \" 3  3 18 hello.txt\\n\" \"\"\n", "{user:?} {hide:?}");
            }
        }
    }
}

#[test]
fn without_landlock_nothing_is_run() {
    check(&["landlock"], "L0 none", "this kernel has no Landlock; use Linux 6.2 or newer");
    check(&["landlock-off"], "L0 none", "add `landlock` to the kernel's `lsm=` boot parameter");
    check(&["landlock-forbidden"], "L0 none", "in the container's seccomp profile");
}

#[test]
fn without_seccomp_nothing_is_run() {
    check(&["seccomp"], "L0 none", "system calls cannot be filtered here (no seccomp)");
    check(&["landlock", "seccomp", "namespaces"], "L0 none", "no seccomp");
}

#[test]
fn without_namespaces_commands_are_run_all_the_same() {
    check(&["namespaces"], expected_without_namespaces(), "allow user namespaces");
}

/// What this kernel has besides.
fn expected_without_namespaces() -> &'static str {
    let support = luminos_tools::sandbox::probe();
    match support.landlock_abi {
        ..3 => "L0 none",
        3..6 => "L1 compat",
        6.. => "L2 strict",
    }
}

#[test]
fn half_a_landlock_is_an_error_and_not_a_sandbox() {
    let theatre = Theatre::set_up(User::Same);
    let told = said(&theatre, &["hide=landlock-restrict", "worker=L3", "in=commands"]);
    assert_eq!(told, "failed\tcannot restrict file access, though this kernel has Landlock\n");
    let told = said(&theatre, &["hide=landlock-restrict", "in=commands"]);
    assert_eq!(told, "the command could not be run\n");
}
