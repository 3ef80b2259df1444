//! F11, F12: several daemons at once, and what the dead have left lying about.

use std::io::Read as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use luminos_model_server::Policy;
use rustix::process::{Pid, Signal};

use super::house::{House, Reference, ended, signal};

const STARTERS: usize = 8;
const ROUNDS: usize = 25;
const ARGUMENTS: &str = "--parallel 1 --workers 1 .";

/// `luminosd` itself, where it was built.
fn luminosd() -> PathBuf {
    let path = PathBuf::from(env!("CARGO_BIN_EXE_luminosctl")).with_file_name("luminosd");
    assert!(path.is_file(), "luminosd is not built: `cargo build --workspace` does that");
    path
}

#[expect(clippy::disallowed_methods, reason = "the program under test is a process")]
fn start(program: &PathBuf, house: &House) -> Child {
    let mut daemon = Command::new(program);
    daemon.arg("--home").arg(house.state()).arg("--detach");
    daemon.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Of eight that start at once one serves; the others end with 75 and say what to do. It is killed, and the next eight
/// find its socket and the words in its lock.
#[test]
fn of_eight_daemons_one_serves() {
    let program = luminosd();
    let house = House::new(Policy::default());
    for round in 0..ROUNDS {
        let mut starters: Vec<Child> = (0..STARTERS).map(|_| start(&program, &house)).collect();
        let mut winner = None;
        for (number, starter) in starters.iter_mut().enumerate() {
            let mut word = [0; 6];
            if starter.stdout.as_mut().unwrap().read_exact(&mut word).is_ok() {
                assert_eq!(&word, b"ready\n");
                assert_eq!(winner.replace(number), None, "two daemons serve in round {round}");
                continue;
            }
            assert_eq!(ended(starter).code(), Some(75), "round {round}");
            let mut told = String::new();
            starter.stderr.take().unwrap().read_to_string(&mut told).unwrap();
            assert!(told.contains("hint: wait for it, or stop it"), "{told}");
        }
        let winner = &mut starters[winner.unwrap_or_else(|| panic!("nobody serves in round {round}"))];
        // The socket is the winner's.
        let mut client = luminos_engine::Client::connect(&house.state(), "a test").unwrap();
        let luminos_wire::control::Reply::Status(status) =
            client.ask(&luminos_wire::control::Request::Status).unwrap()
        else {
            panic!("no status")
        };
        assert_eq!(status.pid, winner.id());
        signal(Pid::from_child(winner), Signal::KILL);
        ended(winner);
    }
    println!("{} starts in {ROUNDS} rounds, one winner each", STARTERS * ROUNDS);
    house.ends_as_if_nothing_had_been(&Reference::new(ARGUMENTS), ARGUMENTS);
}

/// Words of the dead, a pid that somebody else has now, a socket that nobody hears, a lock's file that is gone: a daemon
/// starts all the same.
#[test]
#[expect(clippy::disallowed_methods, reason = "the test leaves what the dead leave")]
fn what_the_dead_have_left_is_in_nobodys_way() {
    let reference = Reference::new(ARGUMENTS);
    let house = House::new(Policy::default());
    house.site.done(ARGUMENTS);
    house.site.kill_daemon();
    let state = house.state();
    assert!(state.join("run/control.sock").exists(), "the dead leave their socket");
    let words = std::fs::read_to_string(state.join("daemon.lock")).unwrap();
    // A process that lives, and is not the daemon.
    let recycled = words.replacen(r#""pid":"#, &format!(r#""pid":{},"was":"#, std::process::id()), 1);
    for text in ["", "nonsense", &words, &recycled] {
        std::fs::write(state.join("daemon.lock"), text).unwrap();
        house.site.done(ARGUMENTS);
        house.site.kill_daemon();
    }
    std::fs::remove_file(state.join("daemon.lock")).unwrap();
    std::fs::remove_file(state.join("run/control.sock")).unwrap();
    std::fs::write(state.join("run/control.sock"), "no socket").unwrap();
    house.ends_as_if_nothing_had_been(&reference, ARGUMENTS);
}

/// Somebody removes the lock's file, so that a second daemon can start beside the first: the first has no say any more,
/// and ends.
#[test]
#[expect(clippy::disallowed_methods, reason = "the test removes what nobody should")]
fn a_daemon_whose_lock_was_removed_gives_way_to_the_next() {
    let house = House::new(Policy::default());
    let mut first = house.daemon(&[]).spawn().unwrap();
    assert!(house.is_served(&mut first));
    house.site.done(ARGUMENTS);
    std::fs::remove_file(house.state().join("daemon.lock")).unwrap();
    std::fs::remove_file(house.state().join("run/control.sock")).unwrap();
    let mut second = house.daemon(&[]).spawn().unwrap();
    assert!(house.is_served(&mut second));
    // The first looks now and then whether it still has a say; it leaves the second's socket alone.
    assert_eq!(ended(&mut first).code(), Some(1));
    let mut told = String::new();
    first.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert!(told.contains("a newer daemon"), "{told}");
    house.is_as(&Reference::new(ARGUMENTS), "both were there");
    ended(&mut second);
}
