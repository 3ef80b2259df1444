//! Locks between processes.

use std::path::Path;
use std::sync::mpsc::channel;

use luminos_store::{Error, PlannerLock, Store};

use super::role::{Player, command, say, told};
use super::{daemon, in_memory, me};

/// Takes the daemon's lock and keeps it.
pub(crate) fn hold(home: &Path) {
    let store = Store::open(home).unwrap();
    let lock = daemon(&store).unwrap();
    say(lock.epoch());
    assert_eq!(told(), None);
}

/// Takes the planner's lock and keeps it.
pub(crate) fn plan(home: &Path) {
    let store = Store::open(home).unwrap();
    let lock = PlannerLock::try_acquire(&store, &me()).unwrap();
    say(lock.fence().0);
    assert_eq!(told(), None);
}

/// Tries to become the daemon as often as it is told to.
pub(crate) fn compete(home: &Path) {
    let store = Store::open(home).unwrap();
    let mut held = None;
    say("ready");
    while let Some(word) = told() {
        match word.as_str() {
            "go" => match daemon(&store) {
                Ok(lock) => {
                    say(format!("won {}", lock.epoch()));
                    held = Some(lock);
                }
                Err(Error::Busy { .. }) => say("busy"),
                Err(error) => panic!("{error}"),
            },
            _ => {
                held = None;
                say("released");
            }
        }
    }
    drop(held);
}

#[test]
fn a_killed_daemon_frees_its_lock_at_once() {
    let dir = in_memory();
    let store = Store::open(dir.path()).unwrap();
    for round in 0..5 {
        let mut holder = Player::start(command("hold", dir.path()));
        assert_eq!(holder.hear(), Some((2 * round + 1).to_string()));
        let Err(Error::Busy { holder: words, .. }) = daemon(&store) else { panic!("two daemons") };
        assert!(words.starts_with(&format!("process {} on ", holder.id())), "{words}");
        holder.kill();
        assert_eq!(daemon(&store).unwrap().epoch(), 2 * round + 2);
    }
}

#[test]
fn of_eight_that_start_at_once_exactly_one_wins() {
    let dir = in_memory();
    let mut players: Vec<Player> = (0..8).map(|_| Player::start(command("compete", dir.path()))).collect();
    players.iter_mut().for_each(|player| assert_eq!(player.hear().as_deref(), Some("ready")));
    let mut last = 0;
    for round in 0..25 {
        players.iter_mut().for_each(|player| player.tell("go"));
        let answers: Vec<String> = players.iter_mut().map(|player| player.hear().unwrap()).collect();
        let won: Vec<&str> = answers.iter().filter_map(|answer| answer.strip_prefix("won ")).collect();
        assert_eq!(won.len(), 1, "round {round}: {answers:?}");
        assert_eq!(answers.iter().filter(|answer| *answer == "busy").count(), 7);
        let epoch: u64 = won[0].parse().unwrap();
        assert!(last < epoch, "round {round}: {epoch} after {last}");
        last = epoch;
        players.iter_mut().for_each(|player| player.tell("release"));
        players.iter_mut().for_each(|player| assert_eq!(player.hear().as_deref(), Some("released")));
    }
    assert_eq!(last, 25, "those who lost took no number");
}

#[test]
fn a_second_planner_waits_and_goes_on_when_the_first_is_killed() {
    let dir = in_memory();
    let store = Store::open(dir.path()).unwrap();
    let mut first = Player::start(command("plan", dir.path()));
    assert_eq!(first.hear().as_deref(), Some("1"));
    let Err(Error::Busy { holder, .. }) = PlannerLock::try_acquire(&store, &me()) else {
        panic!("two planners")
    };
    let (sender, waits_for) = channel();
    std::thread::scope(|scope| {
        let second = scope.spawn(|| {
            PlannerLock::acquire(&store, &me(), |words| sender.send(words.to_owned()).unwrap()).unwrap()
        });
        assert_eq!(waits_for.recv().unwrap(), holder);
        first.kill();
        assert_eq!(second.join().unwrap().fence().0, 2);
    });
}
