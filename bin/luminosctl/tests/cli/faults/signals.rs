//! F10: somebody asks the daemon to end, at ten points of a run.

use std::thread;
use std::time::{Duration, Instant};

use luminos_model_server::{Answer, Gate, Matcher, Policy, Script};
use rustix::process::{Pid, Signal};

use super::house::{House, Random, Reference, ended, signal};
use crate::site::until;

const ARGUMENTS: &str = "--parallel 2 --workers 1 .";

#[test]
fn a_daemon_that_is_asked_to_end_ends_soon_and_in_order() {
    let mut random = Random::new("a_daemon_that_is_asked_to_end");
    let reference = Reference::new(ARGUMENTS);
    let house = House::new(Policy { latency: Duration::from_millis(2), ..Policy::default() });
    for point in 0..10 {
        let mut daemon = house.daemon(&[]).spawn().unwrap();
        assert!(house.is_served(&mut daemon));
        let client = house.site.start(ARGUMENTS);
        // Before it is asked anything, the client might start a daemon of its own instead.
        let moment = house.asked() + 1 + random.below(5);
        let mut client = client;
        until(|| moment <= house.asked() || client.try_wait().unwrap().is_some());
        thread::park_timeout(Duration::from_micros(random.below(3000)));
        let way = [Signal::TERM, Signal::INT, Signal::HUP][point % 3];
        signal(Pid::from_child(&daemon), way);
        let asked_to = Instant::now();
        let status = ended(&mut daemon);
        assert_eq!(status.code(), Some(0), "{way:?}");
        // Five seconds for runs to end, and some for a machine that has other things to do.
        assert!(asked_to.elapsed() < Duration::from_secs(15), "{:?}", asked_to.elapsed());
        let run = house.site.wait(client);
        assert!(matches!(run.code, Some(0 | 1 | 130)), "{run}");
        house.has_no_orphans("after the end");
        assert!(!house.state().join("run/control.sock").exists());
        house.note_death();
        house.is_sound("after the end");
    }
    house.ends_as_if_nothing_had_been(&reference, ARGUMENTS);
}

#[test]
fn a_second_signal_does_not_wait_for_runs() {
    let gate = Gate::shut();
    let any = Matcher::any().offering("read_file");
    let script = Script::new().when(any, [Answer::policy().behind(&gate)]).otherwise(Policy::default());
    let house = House::new(script);
    let mut daemon = house.daemon(&[]).spawn().unwrap();
    assert!(house.is_served(&mut daemon));
    let client = house.site.start(ARGUMENTS);
    until(|| house.site.asked().iter().any(|asked| asked.pass == "dir"));
    // Its worker does not answer, so that the run cannot end in order.
    let worker = *house.processes("worker").first().unwrap();
    signal(worker, Signal::STOP);
    let process = Pid::from_child(&daemon);
    signal(process, Signal::INT);
    let asked_to = Instant::now();
    until(|| {
        !house.state().join("run/control.sock").exists() || Duration::from_millis(300) < asked_to.elapsed()
    });
    signal(process, Signal::INT);
    assert_eq!(ended(&mut daemon).code(), Some(0));
    assert!(asked_to.elapsed() < Duration::from_secs(4), "it waited: {:?}", asked_to.elapsed());
    house.site.wait(client);
    house.has_no_orphans("after a second signal");
    house.note_death();
    gate.open();
    house.ends_as_if_nothing_had_been(&Reference::new(ARGUMENTS), ARGUMENTS);
}
