//! `deploy/install`: what it puts where, what it says, and that it takes all of it away again.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use crate::machine::{Machine, Run, finish};

/// Runs the script; `$FROM` has both programs, and the prefix is a directory of the home.
#[track_caller]
fn install(machine: &Machine, arguments: &str) -> Run {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/install");
    // The daemon's program is not at hand in these tests; to be copied, any program will do.
    let mut command = machine.shell(&format!(
        r#"mkdir -p ../built && ln -f "$CTL" ../built/luminosctl 2>/dev/null || cp "$CTL" ../built/luminosctl
        cp ../built/luminosctl ../built/luminosd
        exec bash "$INSTALL" --prefix "$HOME/there" {arguments}"#
    ));
    machine.ended(finish(command.env("INSTALL", script), Duration::from_secs(60)))
}

fn files(below: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut left = vec![below.to_path_buf()];
    while let Some(dir) = left.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                left.push(path);
            } else {
                found.insert(path.strip_prefix(below).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found
}

#[test]
fn everything_is_put_in_place_and_taken_away_again() {
    let machine = Machine::new();
    let there = machine.home().join("there");
    for _ in ["first", "again, as an upgrade"] {
        let run = install(&machine, "--from ../built");
        assert_eq!(run.code, Some(0), "{run}");
        assert!(run.stdout.contains("next: luminosctl run DIRECTORY"), "{run}");
    }
    let installed = files(&there);
    for name in [
        "bin/luminosctl",
        "bin/luminosd",
        "share/man/man1/luminosctl.1",
        "share/man/man1/luminosctl-run.1",
        "share/bash-completion/completions/luminosctl",
        "share/zsh/site-functions/_luminosctl",
        "share/fish/vendor_completions.d/luminosctl.fish",
    ] {
        assert!(installed.contains(name), "{name} is missing in {installed:#?}");
    }
    let unit = installed.iter().find(|name| name.ends_with(".service")).unwrap();
    let unit = fs::read_to_string(there.join(unit)).unwrap();
    let start = format!("ExecStart={}/luminosd", there.join("bin").display());
    assert!(unit.lines().any(|line| line.starts_with(&start)), "{unit}");

    machine.write("there/bin/another", "not ours");
    let run = install(&machine, "--uninstall");
    assert_eq!(run.code, Some(0), "{run}");
    assert_eq!(files(&there), BTreeSet::from(["bin/another".to_owned()]));
}

#[test]
fn what_cannot_be_done_is_said_before_anything_is_written() {
    let machine = Machine::new();
    let run = install(&machine, "--from ../nowhere");
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stderr.contains("there is no program ../nowhere/luminosctl\nhint: cargo build"), "{run}");
    let run = install(&machine, "--prefxi /x");
    assert_eq!(run.code, Some(2), "{run}");
    assert!(run.stderr.contains("unknown argument '--prefxi'\nhint: deploy/install --help"), "{run}");
    assert_eq!(files(&machine.home().join("there")), BTreeSet::new());
}
