//! F25: the clock on the wall jumps, by hours, by days, to 1970 and into the next century.
//!
//! Every look at it tells another time. A small library that the daemon is started with stands between it and the clock;
//! time that only goes on (the monotonic clock) is left alone.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use luminos_model_server::Policy;
use rustix::process::{Pid, Signal};

use super::house::{House, Reference, ended, not_tested, signal};

const ARGUMENTS: &str = "--parallel 1 --workers 1 .";

/// Each look at the wall clock gets the next of these: seconds to add, or a time to tell.
const JUMPING: &str = r#"
#define _GNU_SOURCE
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static atomic_uint looks;
static const long jumps[] = {0, 86400, -86400, 3600, -3600, 1, -1, 31536000, -31536000};
int clock_gettime(clockid_t clock, struct timespec *time) {
    long result = syscall(SYS_clock_gettime, clock, time);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
        unsigned look = atomic_fetch_add(&looks, 1);
        if (look % 11 == 9) { time->tv_sec = 0; time->tv_nsec = 0; }
        else if (look % 11 == 10) { time->tv_sec = 4294967296; }
        else { time->tv_sec += jumps[look % 11]; }
    }
    return result;
}
"#;

/// The library, built where nobody else looks.
#[expect(clippy::disallowed_methods, reason = "a library is made by a compiler")]
fn jumping(dir: &std::path::Path) -> Option<PathBuf> {
    let (source, library) = (dir.join("jumping.c"), dir.join("jumping.so"));
    std::fs::write(&source, JUMPING).unwrap();
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).stdin(Stdio::null());
    let is_made = compiler.status().is_ok_and(|made| made.success());
    if !is_made {
        not_tested("there is no C compiler");
    }
    is_made.then_some(library)
}

#[test]
fn a_wall_clock_that_jumps_at_every_look_changes_nothing_but_what_it_is_asked_for() {
    let place = tempfile::tempdir().unwrap();
    let Some(library) = jumping(place.path()) else { return };
    let preload = format!("LD_PRELOAD={}", library.display());
    let house = House::new(Policy::default());
    let mut daemon = house.daemon(&["env", &preload]).spawn().unwrap();
    assert!(house.is_served(&mut daemon));
    let maps = std::fs::read_to_string(format!("/proc/{}/maps", daemon.id())).unwrap();
    assert!(maps.contains("jumping.so"), "the daemon looks at the real clock");
    let first = house.site.done(ARGUMENTS);
    let asked = house.asked();
    // Results from the future and from long ago count like others: nothing has changed, and nobody is asked.
    house.site.done(ARGUMENTS);
    assert_eq!(house.asked(), asked);
    signal(Pid::from_child(&daemon), Signal::TERM);
    ended(&mut daemon);
    house.is_sound("after a clock that jumps");
    // Nor do they for a daemon that looks at the real clock.
    house.site.done(ARGUMENTS);
    assert_eq!(house.asked(), asked);
    house.is_as(&Reference::new(ARGUMENTS), &first.to_string());
}

/// A run that is killed under such a clock goes on under another, and comes to the same.
#[test]
fn a_run_that_dies_while_the_clock_jumps_goes_on() {
    let place = tempfile::tempdir().unwrap();
    let Some(library) = jumping(place.path()) else { return };
    let preload = format!("LD_PRELOAD={}", library.display());
    let reference = Reference::new(ARGUMENTS);
    let house = House::new(Policy::default());
    for life in 1..=4 {
        let mut daemon = house.daemon(&["env", &preload]).spawn().unwrap();
        assert!(house.is_served(&mut daemon));
        let client = house.site.start(ARGUMENTS);
        house.site.until(|_| life * reference.asked / 5 <= house.asked());
        house.site.kill_daemon();
        ended(&mut daemon);
        house.site.wait(client);
        // A client that had not reached it yet has started another one.
        house.site.kill_daemon();
        house.note_death();
        house.is_sound("after a death while the clock jumps");
    }
    house.ends_as_if_nothing_had_been(&reference, ARGUMENTS);
}
