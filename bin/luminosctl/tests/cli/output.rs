//! How the program writes: pipes, full disks, colours.

use std::fs::File;
use std::io;

use insta::assert_snapshot;

use crate::machine::Machine;

const COMMANDS: [&str; 7] = [
    "--help",
    "config show --origin",
    "config show --json",
    "config path",
    "completions bash",
    "man",
    "config shwo",
];

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let machine = Machine::new();
    for arguments in COMMANDS.iter().filter(|arguments| !arguments.contains("shwo")) {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let arguments: Vec<&str> = arguments.split(' ').collect();
        let run = machine.ended(machine.command(&arguments).stdout(writer).output().unwrap());
        assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn a_full_disk_is_a_failure() {
    let machine = Machine::new();
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = machine.command(&["config", "show"]).stdout(full).output().unwrap();
    assert_snapshot!(machine.ended(output), @"
    exit code: 1
    ---- stderr
    error: cannot write to standard output
      because: No space left on device (os error 28)
    ");
}

#[test]
fn nothing_is_coloured_in_a_pipe() {
    let machine = Machine::new();
    for arguments in COMMANDS {
        let run = machine.run_with(&[("LUMINOS_X", "1"), ("TERM", "xterm-256color")], arguments);
        assert!(!run.stdout.contains('\x1b') && !run.stderr.contains('\x1b'), "{arguments}: {run}");
    }
}

#[track_caller]
fn check_color(file: &str, variables: &[(&str, &str)], arguments: &str, expected: bool) {
    let machine = Machine::new().with_file("project/luminos.toml", file);
    let run = machine.run_with(variables, arguments);
    assert_eq!(run.stdout.contains('\x1b'), expected, "{run}");
}

#[test]
fn who_asks_for_colours_gets_them() {
    const SHOW: &str = "config show --origin";
    const ALWAYS: &str = "color = 'always'";
    check_color(ALWAYS, &[], SHOW, true);
    check_color(ALWAYS, &[("NO_COLOR", "")], SHOW, true);
    check_color(ALWAYS, &[("NO_COLOR", "1")], SHOW, false);
    check_color(ALWAYS, &[("LUMINOS_COLOR", "auto")], SHOW, false);
    check_color("", &[("NO_COLOR", "1"), ("LUMINOS_COLOR", "always")], SHOW, true);
    check_color("", &[("LUMINOS_COLOR", "always")], "config show --origin --color never", false);
    check_color("", &[("NO_COLOR", "1")], "config show --origin --color always", true);
    check_color("", &[("LUMINOS_COLOR", "always")], "--help", true);
}

#[test]
fn the_words_that_lead_a_message_are_coloured_and_nothing_else() {
    let machine = Machine::new().with_file("project/luminos.toml", "scan = 1");
    let run = machine.run("config show --color always");
    assert_snapshot!(run.stderr.replace('\x1b', "ESC"), @"
    ESC[1;31merror:ESC[0m `luminos.toml` line 1: `scan` cannot be 1 (hint: expected a table)

    ESC[1;36mhint:ESC[0m `luminosctl config path` names the files that are read
    ");
}

#[test]
fn a_name_that_would_steer_the_terminal_is_shown_inert() {
    let machine = Machine::new().with_file("project/luminos.toml", "\"\\u001b]0;pwned\\u0007\" = 1");
    let run = machine.run("config show");
    assert!(!run.stderr.contains('\x1b') && !run.stderr.contains('\x07'), "{run}");
}
