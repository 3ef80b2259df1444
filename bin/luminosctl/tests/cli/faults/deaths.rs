//! F02, F03: the daemon dies at the first call that changes the disk, then at the second of the next life, and so on,
//! until it comes to the end. Small numbers hit recovery, large ones everything else; every life recovers from the last.
//!
//! All calls of the store alone are enumerated in `crates/store/tests/processes/steps.rs`.

use std::process::Stdio;

use luminos_model_server::Policy;

use super::house::{House, Reference, ended, has_strace};
use crate::site::PATIENCE;

const ARGUMENTS: &str = "--parallel 2 --workers 1 .";
/// More lives than this mean that nothing gets done in them.
const MOST_LIVES: u32 = 120;

/// Kills each life at a later call of a kind than the one before; tells how many died. Every `step`-th call is tried,
/// beginning with the `first`: calls that are many are shared between as many tests as leave none out.
fn dies_at_every(call: &str, first: usize, step: usize) {
    if !has_strace() {
        return;
    }
    let reference = Reference::new(ARGUMENTS);
    let mut house = House::new(Policy::default());
    let mut deaths = 0;
    for when in (first..).step_by(step) {
        assert!(deaths < MOST_LIVES, "{call}: it never ends");
        let inject = format!("inject={call}:signal=SIGKILL:when={when}");
        let strace =
            ["strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e", "signal=none", "-e", &inject];
        let mut daemon = house.daemon(&strace).stderr(Stdio::null()).spawn().unwrap();
        let mut is_done = false;
        // One that dies between opening its door and answering would be replaced by the run, and nobody would notice.
        if house.is_served(&mut daemon) && answers(&house) {
            let run = house.site.run(ARGUMENTS);
            is_done = run.code == Some(0);
        }
        if is_done && daemon.try_wait().unwrap().is_none() {
            // It is still counting.
            house.site.kill_daemon();
            ended(&mut daemon);
            break;
        }
        ended(&mut daemon);
        deaths += 1;
        if is_done {
            // It died between its answer and the run, which has started another one: nothing is left to be disturbed.
            house.stop();
            house.is_sound("after the run of another daemon");
            house = House::new(Policy::default());
            continue;
        }
        let moment = format!("death at call {when} of {call}");
        house.has_no_orphans(&moment);
        house.note_death();
        house.is_sound(&moment);
    }
    println!("{call} from {first}: {deaths} deaths");
    assert!(0 < deaths, "nobody died at {call}");
    house.ends_as_if_nothing_had_been(&reference, ARGUMENTS);
}

/// Somebody cleans, and the daemon dies over it: what was to go is gone or whole, and goes at the next try.
#[test]
fn in_the_middle_of_a_removal() {
    if !has_strace() {
        return;
    }
    let house = House::new(Policy::default());
    let run = |words: &str| crate::machine::finish(&mut house.site.command(words), PATIENCE);
    let mut deaths = 0;
    for call in ["/^rename", "/^unlink", "fsync", "rmdir"] {
        for when in 1..=4 {
            assert!(run("run . --offline --quiet").status.success());
            house.stop();
            let inject = format!("inject={call}:signal=SIGKILL:when={when}");
            let strace = [
                "strace",
                "-f",
                "--seccomp-bpf",
                "-qq",
                "-o",
                "/dev/null",
                "-e",
                "signal=none",
                "-e",
                &inject,
            ];
            let mut daemon = house.daemon(&strace).stderr(Stdio::null()).spawn().unwrap();
            if house.is_served(&mut daemon) {
                run("clean . --yes");
            }
            let moment = format!("removal that died at call {when} of {call}");
            house.is_sound(&moment);
            if daemon.try_wait().unwrap().is_some() {
                deaths += 1;
            }
            house.site.kill_daemon();
            ended(&mut daemon);
            house.is_sound(&moment);
            run("clean --all --yes");
            assert_eq!(house.site.investigations(), Vec::<std::path::PathBuf>::new(), "{moment}");
            house.is_sound(&moment);
        }
    }
    assert!(3 < deaths, "hardly anybody died");
}

/// Whether there is a daemon that answers; asking starts none.
fn answers(house: &House) -> bool {
    let mut command = house.site.command("daemon status");
    crate::machine::finish(&mut command, PATIENCE).status.success()
}

#[test]
fn at_fdatasync_odd() {
    dies_at_every("fdatasync", 1, 2);
}

#[test]
fn at_fdatasync_even() {
    dies_at_every("fdatasync", 2, 2);
}

#[test]
fn at_fsync() {
    dies_at_every("fsync", 1, 1);
}

#[test]
fn at_rename() {
    dies_at_every("/^rename", 1, 1);
}

#[test]
fn at_unlink() {
    dies_at_every("/^unlink", 1, 1);
}

#[test]
fn at_ftruncate() {
    dies_at_every("/^(ftruncate|fallocate)$", 1, 1);
}

#[test]
fn at_mkdir() {
    dies_at_every("mkdir", 1, 1);
}

#[test]
fn at_write_from_the_first() {
    dies_at_every("write", 1, 7);
}

#[test]
fn at_write_from_the_second() {
    dies_at_every("write", 2, 7);
}

#[test]
fn at_write_from_the_third() {
    dies_at_every("write", 3, 7);
}

#[test]
fn at_write_from_the_fourth() {
    dies_at_every("write", 4, 7);
}

#[test]
fn at_write_from_the_fifth() {
    dies_at_every("write", 5, 7);
}

#[test]
fn at_write_from_the_sixth() {
    dies_at_every("write", 6, 7);
}

#[test]
fn at_write_from_the_seventh() {
    dies_at_every("write", 7, 7);
}
