//! Completions and manual pages, which come from the same definitions as the help.

use std::fs;

use insta::assert_snapshot;

use crate::machine::Machine;

/// Commands and flags that the help lists.
const DEFINED: [&str; 12] = [
    "run",
    "estimate",
    "older-than",
    "scan",
    "why-skipped",
    "ask",
    "max-cost",
    "doctor",
    "config",
    "completions",
    "man",
    "origin",
];

#[test]
fn every_shell_gets_a_script_of_all_commands_and_flags() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = Machine::new().run(&format!("completions {shell}"));
        assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{shell}");
        for word in DEFINED {
            assert!(run.stdout.contains(word), "the script for {shell} lacks {word}");
        }
    }
}

#[test]
fn generated_text_needs_no_sound_configuration() {
    let machine = Machine::new().with_file("project/luminos.toml", "broken");
    assert_eq!(machine.run("completions bash").code, Some(0));
    assert_eq!(machine.run("man").code, Some(0));
}

#[test]
fn the_manual_page_says_what_the_help_says() {
    let run = Machine::new().run("man");
    assert_eq!((run.code, &*run.stderr), (Some(0), ""));
    for words in ["Look into directories and explain what is there", "Exit codes:", "luminosctl\\-config(1)"]
    {
        assert!(run.stdout.contains(words), "no {words:?} in\n{run}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let machine = Machine::new();
    assert_snapshot!(machine.run("man --out share/man1"), @"
    exit code: 0
    ---- stdout
    share/man1/luminosctl.1
    share/man1/luminosctl-run.1
    share/man1/luminosctl-watch.1
    share/man1/luminosctl-show.1
    share/man1/luminosctl-flags.1
    share/man1/luminosctl-coverage.1
    share/man1/luminosctl-verify.1
    share/man1/luminosctl-replay.1
    share/man1/luminosctl-bundle.1
    share/man1/luminosctl-diff.1
    share/man1/luminosctl-plan.1
    share/man1/luminosctl-estimate.1
    share/man1/luminosctl-export.1
    share/man1/luminosctl-export-agents-md.1
    share/man1/luminosctl-list.1
    share/man1/luminosctl-status.1
    share/man1/luminosctl-pause.1
    share/man1/luminosctl-resume.1
    share/man1/luminosctl-cancel.1
    share/man1/luminosctl-clean.1
    share/man1/luminosctl-fsck.1
    share/man1/luminosctl-scan.1
    share/man1/luminosctl-tasks.1
    share/man1/luminosctl-tasks-plan.1
    share/man1/luminosctl-tasks-list.1
    share/man1/luminosctl-tasks-show.1
    share/man1/luminosctl-tasks-next.1
    share/man1/luminosctl-tasks-start.1
    share/man1/luminosctl-tasks-done.1
    share/man1/luminosctl-tasks-fail.1
    share/man1/luminosctl-tasks-block.1
    share/man1/luminosctl-tasks-cancel.1
    share/man1/luminosctl-tasks-export.1
    share/man1/luminosctl-tasks-events.1
    share/man1/luminosctl-tasks-graph.1
    share/man1/luminosctl-tasks-judge.1
    share/man1/luminosctl-tasks-link.1
    share/man1/luminosctl-tasks-research.1
    share/man1/luminosctl-tool.1
    share/man1/luminosctl-ask.1
    share/man1/luminosctl-evolve.1
    share/man1/luminosctl-evolve-plan.1
    share/man1/luminosctl-evolve-evaluate.1
    share/man1/luminosctl-evolve-score.1
    share/man1/luminosctl-models.1
    share/man1/luminosctl-doctor.1
    share/man1/luminosctl-daemon.1
    share/man1/luminosctl-daemon-start.1
    share/man1/luminosctl-daemon-stop.1
    share/man1/luminosctl-daemon-status.1
    share/man1/luminosctl-config.1
    share/man1/luminosctl-config-show.1
    share/man1/luminosctl-config-path.1
    share/man1/luminosctl-completions.1
    share/man1/luminosctl-man.1
    ");
    let page = machine.home().join("project/share/man1/luminosctl-config-show.1");
    let page = fs::read_to_string(page).unwrap();
    for words in ["Print every setting as it holds here and now", "\\-\\-origin", "\\-\\-color"] {
        assert!(page.contains(words), "no {words:?} in\n{page}");
    }
}

#[test]
fn pages_that_cannot_be_written_are_a_failure() {
    let machine = Machine::new().with_file("project/file", "");
    assert_snapshot!(machine.run("man --out file"), @"
    exit code: 1
    ---- stderr
    error: cannot write manual pages into `file`
      because: File exists (os error 17)
    ");
}
