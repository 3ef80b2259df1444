//! `luminosctl scan`: what a person reads when there is nothing to see.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use insta::assert_snapshot;

use crate::machine::Machine;

#[test]
fn a_missing_directory() {
    assert_snapshot!(Machine::new().run("scan proejct"), @"
    exit code: 1
    ---- stderr
    error: there is no directory `proejct`

    hint: check the spelling; a relative path starts at the current directory
    ");
}

#[test]
fn a_file() {
    let machine = Machine::new().with_file("project/src/main.rs", "");
    assert_snapshot!(machine.run("scan src/main.rs"), @"
    exit code: 1
    ---- stderr
    error: `src/main.rs` is not a directory

    hint: scan the directory it lies in: `luminosctl scan src`
    ");
    let output = machine.command(&["scan", "main.rs"]).current_dir(machine.project().join("src")).output();
    assert_snapshot!(machine.ended(output.unwrap()), @"
    exit code: 1
    ---- stderr
    error: `main.rs` is not a directory

    hint: scan the directory it lies in: `luminosctl scan .`
    ");
}

#[test]
fn a_directory_without_permission() {
    let machine = Machine::new().with_file("project/secret/key", "");
    fs::set_permissions(machine.project().join("secret"), fs::Permissions::from_mode(0o000)).unwrap();
    assert_snapshot!(machine.ended(machine.unprivileged("scan secret").output().unwrap()), @"
    exit code: 1
    ---- stderr
    error: cannot open `secret`
      because: Permission denied (os error 13)

    hint: scan it as a user who may read it
    ");
}

#[test]
fn a_view_into_the_kernel() {
    assert_snapshot!(Machine::new().run("scan /proc"), @"
    exit code: 1
    ---- stderr
    error: `/proc` holds no files but a view into the kernel (proc)

    hint: choose a directory with files in it
    ");
}

#[test]
fn a_pattern_that_is_none() {
    assert_snapshot!(Machine::new().run("scan --exclude [z-a]"), @"
    exit code: 2
    ---- stderr
    error: `[z-a]` is not a pattern: invalid range; 'z' > 'a'

    hint: put a backslash before characters that are no wildcards
    ");
    assert_snapshot!(Machine::new().run("scan --exclude a/b"), @"
    exit code: 2
    ---- stderr
    error: invalid value 'a/b' for '--exclude <NAME>': expected a name without `/`

    For more information, try '--help'.
    ");
}

#[test]
fn numbers_that_are_none() {
    assert_snapshot!(Machine::new().run("scan --depth deep"), @"
    exit code: 2
    ---- stderr
    error: invalid value 'deep' for '--depth <LEVELS>': invalid digit found in string

    For more information, try '--help'.
    ");
    assert_snapshot!(Machine::new().run("scan --threads 5000"), @"
    exit code: 2
    ---- stderr
    error: invalid value '5000' for '--threads <N>': expected a whole number from 0 to 1024

    For more information, try '--help'.
    ");
    assert_snapshot!(Machine::new().run("scan --hash-limit big"), @"
    exit code: 2
    ---- stderr
    error: invalid value 'big' for '--hash-limit <SIZE>': not a size (hint: write a number of bytes, or a number with a unit, like `512 MB` or `1.5 GiB`)

    For more information, try '--help'.
    ");
}

#[test]
fn files_without_json() {
    assert_snapshot!(Machine::new().run("scan --files"), @"
    exit code: 2
    ---- stderr
    error: the following required arguments were not provided:
      --json

    Usage: luminosctl scan --json --files [PATH]

    For more information, try '--help'.
    ");
}

#[test]
fn two_directories() {
    assert_snapshot!(Machine::new().run("scan a b"), @"
    exit code: 2
    ---- stderr
    error: unexpected argument 'b' found

    Usage: luminosctl scan [OPTIONS] [PATH]

    For more information, try '--help'.
    ");
}

#[test]
fn a_setting_that_makes_no_sense() {
    let machine = Machine::new();
    assert_snapshot!(machine.run_with(&[("LUMINOS_SCAN_DEPTH", "x")], "scan"), @r#"
    exit code: 2
    ---- stderr
    error: environment variable `LUMINOS_SCAN_DEPTH` cannot be "x" (hint: expected a whole number, 0 or more)
    "#);
}

/// A name can be typed by a script that took it from a listing.
#[test]
fn names_in_messages_are_inert() {
    let machine =
        Machine::new().with_file("project/\x1b[2Jfile", "").with_file("project/\x1b]0;dir/file", "");
    for arguments in [
        ["scan", "\x1b[31mmissing"],
        ["scan", "\x1b[2Jfile"],
        ["scan", "\x1b]0;dir/file"],
        ["scan", "--exclude=[z-a]\x1b[31m"],
        ["scan", "--exclude=/\x1b[31m"],
        ["scan", "--depth=\x1b[31m"],
        ["scan", "--\x1b[31m"],
        ["scan", "--home=/dev/null/\x1b[31m"],
    ] {
        let run = machine.ended(machine.command(&arguments).output().unwrap());
        assert!(!run.stderr.chars().any(|character| character.is_control() && character != '\n'), "{run}");
        assert!(run.code.is_some_and(|code| code < 3) && !run.stderr.is_empty(), "{run}");
    }
}
