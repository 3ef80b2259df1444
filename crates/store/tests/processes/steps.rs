//! Death at every step that changes the disk, one after the other.
//!
//! strace kills the process at the first, second, third … call of each kind, until it survives. That takes no change
//! of the program, but a machine that has strace and lets us use it.

use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use luminos_core::RelPath;
use luminos_core::entry::Stamp;
use luminos_core::survey::Survey;
use luminos_store::{Durability, Investigation, Meta, Store, Target, Urgency};
use serde_json::{Value, json};

use super::role::{Player, arguments, prepare, say};
use super::{in_memory, temporaries, writer};

/// The calls by which the store changes the disk.
const CALLS: &[&str] = &[
    "openat",
    "write",
    "fdatasync",
    "fsync",
    "syncfs",
    "rename",
    "renameat2",
    "unlink",
    "mkdir",
    "ftruncate",
    "fallocate",
];

/// More deaths by one kind of call than this mean that the role does not end.
const MOST: u32 = 400;

fn survey(version: u64) -> Survey {
    Survey { description: version.to_string(), ..Survey::default() }
}

/// Goes on from where the last one died: three rounds of a line, a turn and a document, said as they are acknowledged.
pub(crate) fn step(home: &Path) {
    let store = Store::open(home).unwrap();
    let writer = writer(&store, Durability::PowerLoss);
    let investigation = the_investigation(&store, &writer);
    let done = investigation.budget::<Value>().unwrap().records.len() as u64;
    for number in done + 1..=done + 3 {
        investigation
            .append_budget(&writer, Some(&number.to_string()), &json!({"n": number}))
            .wait()
            .unwrap();
        say(format!("line {number}"));
        let turn = investigation.append_turn(
            &writer,
            &RelPath::root(),
            Some(&number.to_string()),
            &json!({"n": number}),
        );
        let document = investigation.put_survey(&writer, &survey(number));
        turn.wait().unwrap();
        document.wait().unwrap();
        say(format!("all {number}"));
    }
    writer.close().wait().unwrap();
    say("end");
}

fn the_investigation(store: &Store, writer: &luminos_store::Writer) -> Investigation {
    let target = Target::new(Path::new("/x"));
    if let Some(meta) = store.investigations().current(&target) {
        return store.investigation(meta.id);
    }
    let meta = Meta::fresh(target, json!({}), Stamp::default(), writer.epoch());
    let investigation = store.investigation(meta.id);
    investigation.put_meta(writer, &meta, Urgency::Usual).wait().unwrap();
    writer.set_current(&meta.target, meta.id).wait().unwrap();
    investigation
}

/// What was acknowledged is there: so many lines, turns and the version of the document.
fn check(home: &Path, lines: u64, all: u64, when: &str) {
    let store = Store::existing(home).unwrap().unwrap();
    let investigations = store.investigations();
    assert_eq!(investigations.problems().count(), 0, "{when}");
    let Some(meta) = investigations.current(&Target::new(Path::new("/x"))) else {
        assert_eq!((lines, all), (0, 0), "{when}: the investigation is lost");
        return;
    };
    let investigation = store.investigation(meta.id);
    let numbers =
        |values: Vec<Value>| values.iter().map(|value| value["n"].as_u64().unwrap()).collect::<Vec<_>>();
    let budget = numbers(investigation.budget().unwrap().into_bodies());
    let turns = numbers(investigation.transcript(&RelPath::root()).unwrap().into_bodies());
    let version = investigation.survey().unwrap().map_or(0, |survey| survey.description.parse().unwrap());
    assert!(budget.is_sorted_by(|a, b| a < b) && turns.is_sorted_by(|a, b| a < b), "{when}");
    assert!(lines <= budget.len() as u64, "{when}: {lines} lines acknowledged, {} found", budget.len());
    assert!(
        all <= version && turns.last().copied().unwrap_or(0) >= all,
        "{when}: {all} acknowledged, {version} found"
    );
    // A document never comes before what it rests on.
    assert!(version <= budget.last().copied().unwrap_or(0), "{when}: the document came before its line");
}

#[expect(clippy::disallowed_methods, reason = "these tests are about processes")]
fn strace(inject: &str, home: &Path) -> Command {
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o", "/dev/null", "-e", "signal=none", "-e", inject]);
    command.arg(std::env::current_exe().unwrap()).args(arguments());
    prepare(&mut command, "step", home);
    command
}

/// Whether strace can be used here.
fn has_strace() -> bool {
    let dir = in_memory();
    let mut command = strace("inject=getppid:error=EIO", dir.path());
    let works =
        command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success());
    if !works {
        println!("there is no strace here, or it may not be used");
    }
    works
}

/// Lets something happen at the first call of a kind, then at the second, until it no longer stops the role; tells how
/// often it did.
fn until_it_survives(call: &str, effect: &str) -> u32 {
    let dir = in_memory();
    let (mut lines, mut all) = (0, 0);
    for step in 1..MOST {
        let when = format!("{effect} at call {step} of {call}");
        let mut command = strace(&format!("inject={call}:{effect}:when={step}"), dir.path());
        let complaints = tempfile::NamedTempFile::new().unwrap();
        command.stderr(complaints.reopen().unwrap());
        let (status, said) = Player::start(command).finish();
        for words in &said {
            match words.split_once(' ') {
                Some(("line", number)) => lines = number.parse().unwrap(),
                Some((_, number)) => all = number.parse().unwrap(),
                None => {}
            }
        }
        check(dir.path(), lines, all, &when);
        if said.last().is_some_and(|words| words == "end") {
            assert!(temporaries(dir.path()).is_empty(), "{when}");
            return step - 1;
        }
        // One that ends by itself instead of dying could not go on from where the last one was left.
        let is_killed = status.signal() == Some(9);
        let complaints = || std::fs::read_to_string(complaints.path()).unwrap_or_default();
        assert!(is_killed || effect != "signal=SIGKILL", "{when}: {status}: {said:?}\n{}", complaints());
    }
    panic!("{effect} at {call}: it never ends");
}

#[test]
fn death_at_any_step_loses_nothing() {
    if has_strace() {
        let deaths: u32 = CALLS.iter().map(|call| until_it_survives(call, "signal=SIGKILL")).sum();
        println!("{deaths} deaths");
        assert!(30 < deaths, "hardly anybody died");
    }
}

#[test]
fn a_disk_that_fails_at_any_step_loses_nothing() {
    let faults = [
        ("fdatasync", "error=EIO"),
        ("fsync", "error=EIO"),
        ("renameat2", "error=EIO"),
        ("rename", "error=ENOSPC"),
        ("mkdir", "error=ENOSPC"),
        ("mkdir", "error=EDQUOT"),
    ];
    if has_strace() {
        let failures: u32 = faults.iter().map(|(call, effect)| until_it_survives(call, effect)).sum();
        println!("{failures} failures");
        assert!(10 < failures, "hardly anything failed");
    }
}
