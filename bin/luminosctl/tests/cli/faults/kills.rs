//! F01, F04: `kill -9` at any moment, two hundred times: the daemon, a worker, what a worker has started, the client.

use std::process::Child;
use std::thread;
use std::time::Duration;

use luminos_model_server::Policy;
use rustix::process::{Pid, Signal};

use super::house::{House, Random, Reference, signal};
use crate::site::until;

/// Each of the four tests kills so often.
const KILLS: u32 = 50;
const ARGUMENTS: &str = "--parallel 4 --workers 2 .";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Victim {
    Daemon,
    Worker,
    Command,
    Client,
}

/// Kills at random until it has killed enough, in one house after the other.
fn kill_at_random(name: &str) {
    let mut random = Random::new(name);
    let reference = Reference::new(ARGUMENTS);
    let (mut kills, mut houses) = (0, 0);
    let mut by_victim = [0_u32; 4];
    while kills < KILLS {
        let house = House::new(Policy { latency: Duration::from_millis(3), ..Policy::default() });
        houses += 1;
        let mut workers_killed = 0;
        // A house in which everything has been killed so often has seen enough.
        for _ in 0..12 {
            let mut client = house.site.start(ARGUMENTS);
            let moment = house.asked() + random.below(reference.asked / 2);
            let mut left_client = None;
            until(|| moment <= house.asked() || client.try_wait().unwrap().is_some());
            thread::park_timeout(Duration::from_micros(random.below(15_000)));
            let victim = match random.below(8) {
                // Three deaths under one daemon give a directory up: that is another test.
                0 | 1 if workers_killed < 2 => Victim::Worker,
                2 if workers_killed < 2 => Victim::Command,
                3 => Victim::Client,
                _ => Victim::Daemon,
            };
            let hit = strike(&house, victim, &mut client);
            kills += u32::from(hit);
            by_victim[victim as usize] += u32::from(hit);
            match victim {
                Victim::Worker | Victim::Command => workers_killed += u32::from(hit),
                Victim::Daemon => workers_killed = 0,
                Victim::Client => left_client = Some(()),
            }
            if victim == Victim::Daemon || left_client.is_some() {
                let _ = client.kill();
            }
            let run = house.site.wait(client);
            if victim == Victim::Daemon {
                // A client that had not reached it yet has started another one.
                house.site.kill(&house.processes("serve"));
                house.has_no_orphans("after a kill");
                house.note_death();
                house.is_sound("after a kill");
            } else if run.code == Some(0) {
                break;
            }
        }
        house.ends_as_if_nothing_had_been(&reference, ARGUMENTS);
    }
    println!("{kills} kills in {houses} houses: daemon, worker, command, client {by_victim:?}");
}

/// Kills somebody; tells whether there was anybody to kill.
fn strike(house: &House, victim: Victim, client: &mut Child) -> bool {
    let found: Option<Pid> = match victim {
        Victim::Daemon => house.processes("serve").first().copied(),
        Victim::Worker => house.processes("worker").first().copied(),
        Victim::Command => house.processes("parser").first().or(house.processes("worker").first()).copied(),
        Victim::Client => Some(Pid::from_child(client)),
    };
    if let Some(found) = found {
        signal(found, Signal::KILL);
    }
    found.is_some()
}

#[test]
fn first_fifty() {
    kill_at_random("first_fifty");
}

#[test]
fn second_fifty() {
    kill_at_random("second_fifty");
}

#[test]
fn third_fifty() {
    kill_at_random("third_fifty");
}

#[test]
fn fourth_fifty() {
    kill_at_random("fourth_fifty");
}
