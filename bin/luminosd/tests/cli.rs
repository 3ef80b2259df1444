//! The daemon's own command line. What it does is tested through `luminosctl`; that this test exists makes cargo build the
//! program wherever the tests of several daemons run.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::process::{Command, Output};

use insta::assert_snapshot;

#[expect(clippy::disallowed_methods, reason = "the program under test is a process")]
fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_luminosd"));
    command.env_clear().args(arguments).output().unwrap()
}

fn told(output: &Output) -> String {
    let text = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    format!("{:?}\n{}", output.status.code(), String::from_utf8(text).unwrap())
}

#[test]
fn help_says_what_it_is_for() {
    let told = told(&run(&["--help"]));
    assert!(told.starts_with("Some(0)\nServe investigations of one user\n"), "{told}");
    for flag in ["--home <DIR>", "--idle <SECONDS>", "--detach"] {
        assert!(told.contains(flag), "{told}");
    }
}

#[test]
fn a_flag_that_is_none_is_wrong_usage() {
    assert_snapshot!(told(&run(&["--idel", "3"])), @r"
    Some(2)
    error: unexpected argument '--idel' found

      tip: a similar argument exists: '--idle'

    Usage: luminosd --idle <SECONDS>

    For more information, try '--help'.
    ");
}

#[test]
fn a_home_that_cannot_be_used_is_told() {
    assert_snapshot!(told(&run(&["--home", "/dev/null/nowhere"])), @r"
    Some(1)
    error: cannot use the state directory `/dev/null/nowhere`
      because: Not a directory (os error 20)
    ");
}
