//! `luminosctl fsck`, on stores as runs leave them.

use std::fs;
use std::path::PathBuf;

use insta::assert_snapshot;

use crate::machine::Machine;

/// A machine on which a small project was investigated, and nothing runs any more.
fn machine() -> Machine {
    let machine = Machine::new()
        .with_file("project/README.md", "# Parcel\n\nCounts parcels.\n")
        .with_file("project/src/main.rs", "fn main() {}\n");
    let run = machine.run("run . --offline --quiet");
    assert_eq!(run.code, Some(0), "{run}");
    assert_eq!(machine.run("daemon stop").code, Some(0));
    machine
}

fn investigation(machine: &Machine) -> PathBuf {
    let found = fs::read_dir(machine.state()).unwrap().map(|entry| entry.unwrap().path());
    let mut found = found.filter(|path| path.join("meta.json").exists());
    let only = found.next().unwrap();
    assert_eq!(found.next(), None);
    only
}

#[test]
fn where_nothing_was_kept_everything_holds() {
    let run = Machine::new().run("fsck");
    assert_eq!(run.code, Some(0), "{run}");
    assert_snapshot!(run.stdout, @"
    [ROOT]/home/.local/state/luminos: 0 investigations, 0 documents and 0 lines of journals read

    everything holds
    ");
}

#[test]
fn what_a_run_leaves_holds_and_damage_is_told_with_what_follows() {
    let machine = machine();
    let run = machine.run("fsck");
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.stdout.ends_with("\neverything holds\n"), "{run}");

    let report = investigation(&machine).join("report.json");
    let length = fs::metadata(&report).unwrap().len();
    fs::File::options().write(true).open(&report).unwrap().set_len(length / 2).unwrap();
    let run = machine.run("fsck");
    assert_eq!(run.code, Some(1), "{run}");
    assert!(
        run.stdout
            .contains("/report.json\n       it is empty, or its end is missing\n       it counts as absent"),
        "{run}"
    );
    assert!(run.stdout.ends_with("\n1 fault found; nothing was changed\n"), "{run}");

    let run = machine.run("fsck --json");
    let found: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(found["findings"][0]["remedy"], "made-again", "{found}");

    // And that is what the next run does.
    assert_eq!(machine.run("run . --offline --quiet").code, Some(0));
    assert_eq!(machine.run("daemon stop").code, Some(0));
    let run = machine.run("fsck");
    assert_eq!(run.code, Some(0), "{run}");
}
