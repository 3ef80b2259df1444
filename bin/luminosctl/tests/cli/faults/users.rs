//! F18, F24, V52: what only shows to somebody who is not root. A state directory that may not be written, a user who may
//! have no more processes, a place that somebody else has prepared.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};

use luminos_model_server::{Answer, Gate, Matcher, Policy, Script};
use rustix::process::Signal;
use serde_json::Value;

use super::house::{House, Reference, is_alive, signal};
use crate::machine::finish;
use crate::site::{PATIENCE, until};

const ARGUMENTS: &str = "--parallel 1 --workers 1 .";

/// Users whom nobody has: what is counted for them is counted for one test.
const LOCKED_OUT: u32 = 64_518;
const CROWDED: u32 = 64_524;
const DECEIVED: u32 = 64_552;
const BLIND: u32 = 64_561;

#[test]
fn a_state_directory_that_may_not_be_written_is_told_at_once_and_can_be_read() {
    let Some(house) = House::of_user(LOCKED_OUT, Policy::default()) else { return };
    house.site.done(ARGUMENTS);
    house.stop();
    let asked = house.asked();
    let state = house.state();
    // The user's own bits say no; and then the directory is not even the user's.
    let modes = |mode: u32| {
        fs::set_permissions(&state, fs::Permissions::from_mode(mode)).unwrap();
        for dir in fs::read_dir(&state).unwrap().flatten().filter(|entry| entry.path().is_dir()) {
            fs::set_permissions(dir.path(), fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    modes(0o500);
    let run = house.site.run(ARGUMENTS);
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stderr.contains("Permission denied"), "{run}");
    assert!(run.stderr.contains("hint:"), "{run}");
    for reading in ["show --json", "fsck", "list"] {
        let read = house.site.machine.ended(finish(&mut house.site.command(reading), PATIENCE));
        assert_eq!(read.code, Some(0), "{reading}: {read}");
    }
    assert_eq!(house.asked(), asked, "nothing is bought that cannot be kept");
    assert!(house.processes("serve").is_empty(), "no daemon is left");
    modes(0o700);
    house.is_as(&Reference::new(ARGUMENTS), "as it was");
}

/// What may not be read is neither empty nor seen: report, coverage and notes say so.
#[test]
fn what_may_not_be_read_is_not_empty_and_not_seen() {
    let Some(house) = House::of_user(BLIND, Policy::default()) else { return };
    let project = house.site.machine.project();
    fs::create_dir(project.join("locked")).unwrap();
    house.site.machine.write("project/locked/inside.md", "# Inside\n");
    house.site.machine.write("project/docs/sealed.md", "# Sealed\n");
    for sealed in ["locked", "docs/sealed.md"] {
        fs::set_permissions(project.join(sealed), fs::Permissions::from_mode(0o000)).unwrap();
    }
    let run = house.site.machine.ended(finish(&mut house.site.command("run --offline --quiet ."), PATIENCE));
    let words = run.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(!words.contains("locked/ is empty"), "{run}");
    assert!(words.contains("locked") && words.contains("sealed.md"), "both are named: {run}");
    assert!(words.to_lowercase().contains("permission denied"), "{run}");
    let seen =
        words.split_once(" seen ").map(|(_, rest)| rest.split_once("symbols").map_or(rest, |(seen, _)| seen));
    assert!(
        seen.is_some_and(|seen| !seen.contains("100 %") && seen.contains("could not be read")),
        "{seen:?}: {run}"
    );
    let report: Value = house.site.report();
    assert!(
        report["totals"]["coverage"]["share"].as_f64().is_some_and(|share| share < 1.0),
        "{}",
        report["totals"]["coverage"]
    );
    assert!(
        0 < report["totals"]["coverage"]["unreadable"].as_u64().unwrap(),
        "{}",
        report["totals"]["coverage"]
    );
    fs::set_permissions(project.join("locked"), fs::Permissions::from_mode(0o700)).unwrap();
}

/// The second question about `src` waits at the gate.
fn held(gate: &Gate) -> Script {
    let src = Matcher::any().offering("read_file").containing(r"directory: src\n");
    Script::new().when(src, [Answer::policy(), Answer::policy().behind(gate)]).otherwise(Policy::default())
}

/// The worker dies when its user may have no more processes: the daemon goes on asking for one, with pauses, and gets one
/// when there is room.
#[test]
fn a_daemon_that_may_have_no_more_processes_waits_for_room() {
    let gate = Gate::shut();
    let Some(house) = House::of_user(CROWDED, held(&gate)) else { return };
    let client = house.site.start(ARGUMENTS);
    house.site.until_asked(&[("src", 2)]);
    let worker = *house.processes("worker").first().unwrap();
    let daemon = *house.processes("serve").first().unwrap();
    let limit = |most: &str| {
        let user = format!("setpriv --reuid={CROWDED} --regid={CROWDED} --clear-groups");
        let command = format!("{user} prlimit --pid={daemon} --nproc={most}:");
        assert!(house.site.machine.shell(&command).status().unwrap().success());
    };
    limit("1");
    signal(worker, Signal::KILL);
    until(|| !is_alive(worker));
    // It is tried again and again, with pauses that grow.
    until(|| 5 <= house.site.log().matches("no room for a worker").count());
    assert!(house.processes("worker").is_empty(), "there was room");
    // The door is open all the while.
    let status = finish(&mut house.site.command("status . --json"), PATIENCE);
    let told: Value = serde_json::from_slice(&status.stdout).unwrap();
    assert_ne!(told["run"], Value::Null, "{told}");
    limit("4096");
    until(|| !house.processes("worker").is_empty());
    gate.open();
    let run = house.site.wait(client);
    assert_eq!(run.code, Some(0), "{run}");
    house.is_as(&Reference::new(ARGUMENTS), &run.to_string());
}

/// What somebody else has put where the socket of a user would be, if its state directory has a long name.
struct Planted {
    place: PathBuf,
}

impl Planted {
    fn new(user: u32) -> Self {
        let place = PathBuf::from(format!("/tmp/luminos-{user}"));
        let planted = Self { place };
        planted.remove();
        planted
    }

    fn remove(&self) {
        let _ = rustix::fs::unlink(&self.place);
        let _ = fs::remove_dir_all(&self.place);
    }
}

impl Drop for Planted {
    fn drop(&mut self) {
        self.remove();
    }
}

#[test]
fn a_planted_socket_is_neither_spoken_to_nor_served_at() {
    let Some(mut house) = House::of_user(DECEIVED, Policy::default()) else { return };
    // Too long for a socket: its stand-in lies in a directory that has a known name.
    let long = house.state().join("l".repeat(90));
    house.site.see_state_at(long);
    let planted = Planted::new(DECEIVED);
    let place = &planted.place;
    let give = |path: &Path, user: u32| std::os::unix::fs::lchown(path, Some(user), Some(user)).unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    type Trap<'a> = (&'a str, Box<dyn Fn() + 'a>);
    let traps: [Trap<'_>; 4] = [
        ("a directory of somebody else's", Box::new(|| fs::create_dir(place).unwrap())),
        (
            "one that everybody can write to",
            Box::new(|| {
                fs::create_dir(place).unwrap();
                fs::set_permissions(place, fs::Permissions::from_mode(0o777)).unwrap();
                give(place, DECEIVED);
            }),
        ),
        (
            "a link to somewhere else",
            Box::new(|| {
                symlink(elsewhere.path(), place).unwrap();
                give(place, DECEIVED);
            }),
        ),
        ("a file", Box::new(|| drop(fs::File::create(place).unwrap()))),
    ];
    for (what, set) in traps {
        planted.remove();
        set();
        // A socket with the right name and the right owner, if there can be one: somebody listens.
        let name = socket_name(&house.state());
        let listener = UnixListener::bind(place.join(&name)).ok();
        if let Some(listener) = &listener {
            give(&place.join(&name), DECEIVED);
            fs::set_permissions(place.join(&name), fs::Permissions::from_mode(0o666)).unwrap();
            listener.set_nonblocking(true).unwrap();
        }
        assert_eq!(listener.is_some(), what != "a file", "{what}");
        let run = house.site.run(ARGUMENTS);
        assert_eq!(run.code, Some(1), "{what}: {run}");
        let is_told = ["belongs to another user", "not the user's own", "File exists"]
            .iter()
            .any(|words| run.stderr.contains(words));
        assert!(is_told && run.stderr.contains("hint:"), "{what}: {run}");
        if let Some(listener) = listener {
            let heard = listener.accept();
            assert!(heard.is_err(), "{what}: it was spoken to");
        }
        assert_eq!(house.asked(), 0, "{what}");
        for process in house.processes("serve") {
            signal(process, Signal::KILL);
        }
    }
    planted.remove();
    house.site.done(ARGUMENTS);
    let made = fs::metadata(place).unwrap();
    assert_eq!(made.permissions().mode() & 0o777, 0o700);
    house.is_as(&Reference::new(ARGUMENTS), "nobody was in the way any more");
}

/// The name of the stand-in: it is made of the state directory's.
fn socket_name(home: &Path) -> PathBuf {
    PathBuf::from(luminos_engine::socket_path(home).file_name().unwrap())
}
