//! F15–F19, F22: the disk is full, has no names left, cannot be written, loses something, is slow, or goes away.
//!
//! What comes back is waited for: the run is paused, says why, and goes on by itself. What does not ends the daemon, and
//! the next run goes on.

use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use luminos_engine::Client;
use luminos_model_server::{Answer, Gate, Matcher, Policy, Script};
use luminos_wire::control::Request;
use rustix::process::{Pid, Signal};
use serde_json::Value;

use super::house::{House, Reference, ended, has_strace, not_tested, signal};
use crate::site::until;

const ARGUMENTS: &str = "--parallel 1 --workers 1 .";

/// The third question about `src` waits at the gate.
fn held(gate: &Gate) -> Script {
    let src = Matcher::any().offering("read_file").containing(r"directory: src\n");
    let answers = [Answer::policy(), Answer::policy(), Answer::policy().behind(gate)];
    Script::new().when(src, answers).otherwise(Policy::default())
}

/// A small disk that only processes in its own space of mounts see.
pub(super) struct Disk {
    keeper: Child,
    pub(super) place: tempfile::TempDir,
}

impl Disk {
    /// Mounts a disk in memory; `None` where the machine does not let us have one.
    fn mount(options: &str) -> Option<Self> {
        Self::of(&format!("-t tmpfs -o mode=0700,{options} small"))
    }

    /// Mounts what `mount` is told to; `None` where the machine does not let us.
    #[expect(clippy::disallowed_methods, reason = "a disk of one's own takes a process")]
    pub(super) fn of(what: &str) -> Option<Self> {
        let place = tempfile::tempdir().unwrap();
        let script = format!("mount {what} '{}' && echo ready && exec cat", place.path().display());
        let space = if rustix::process::geteuid().is_root() { "-m" } else { "-Urm" };
        let mut keeper = Command::new("unshare");
        keeper.args([space, "--propagation", "private", "sh", "-c", &script]);
        let mut keeper =
            keeper.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
        let mut word = [0; 5];
        let is_ready = keeper.stdout.as_mut().unwrap().read_exact(&mut word).is_ok();
        let disk = Self { keeper, place };
        if !is_ready {
            not_tested("this machine does not let us mount a disk of our own");
            return None;
        }
        Some(disk)
    }

    /// The state directory, as those who see the disk call it.
    pub(super) fn state(&self) -> PathBuf {
        self.place.path().join("state")
    }

    /// The same, as seen from here.
    pub(super) fn seen(&self, path: &str) -> PathBuf {
        let own = self.place.path().strip_prefix("/").unwrap();
        Path::new("/proc").join(self.keeper.id().to_string()).join("root").join(own).join(path)
    }

    /// The words that lead a program to where the disk is seen.
    fn way_in(&self) -> Vec<String> {
        let mut words =
            vec!["nsenter".to_owned(), format!("--target={}", self.keeper.id()), "--mount".to_owned()];
        if !rustix::process::geteuid().is_root() {
            words.extend(["--user".to_owned(), "--preserve-credentials".to_owned()]);
        }
        words
    }

    /// Takes all the space there is.
    fn fill(&self) {
        let mut file = File::create(self.seen("filler")).unwrap();
        let block = [0; 4096];
        while file.write_all(&block).is_ok() {}
        while file.write_all(&block[..1]).is_ok() {}
    }

    /// Takes all the names there are.
    fn take_names(&self) {
        fs::create_dir(self.seen("names")).unwrap();
        for number in 0.. {
            if File::create(self.seen(&format!("names/{number}"))).is_err() {
                return;
            }
        }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = self.keeper.kill();
        let _ = self.keeper.wait();
    }
}

/// A command of the house, where the disk is seen.
#[expect(clippy::disallowed_methods, reason = "the program under test is a process")]
pub(super) fn inside(disk: &Disk, command: &Command) -> Command {
    let way = disk.way_in();
    let mut inside = Command::new(&way[0]);
    // Whoever goes there is at its root first.
    let dir = command.get_current_dir().unwrap_or(Path::new("/"));
    inside
        .args(&way[1..])
        .arg(format!("--wd={}", dir.display()))
        .arg("--")
        .arg(command.get_program())
        .args(command.get_args());
    inside.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
    for (name, value) in command.get_envs() {
        inside.env(name, value.unwrap_or_default());
    }
    inside
}

/// What the daemon says about the run.
fn status(house: &House, disk: &Disk) -> Value {
    let output = inside(disk, &house.site.command("status . --json")).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_default()
}

/// Something is used up in the middle of a run; it is paused and says why, and goes on when there is some again.
fn used_up(options: &str, use_up: fn(&Disk), give_back: fn(&Disk), word: &str) {
    let Some(disk) = Disk::mount(options) else { return };
    let gate = Gate::shut();
    let house = House::at(disk.state(), held(&gate));
    // Whoever wants to see nothing of the run is told why it stands still all the same.
    let mut client = inside(&disk, &house.site.run_command(&format!("--quiet {ARGUMENTS}")));
    let client = client.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    house.site.until_asked(&[("src", 3)]);
    use_up(&disk);
    gate.open();
    let is_paused = |told: &Value| told["run"]["paused"].as_str().is_some_and(|why| why.contains(word));
    let mut told = Value::Null;
    let begun = Instant::now();
    until(|| {
        told = status(&house, &disk);
        assert!(begun.elapsed() < Duration::from_secs(30), "never paused: {told}");
        is_paused(&told)
    });
    // It is on the disk, too: there was space for last words.
    let state = disk.seen("state");
    let says_so = || {
        let meta = fs::read_dir(&state).unwrap().map(|entry| entry.unwrap().path().join("meta.json"));
        let meta = meta.filter_map(|path| fs::read_to_string(path).ok()).next().unwrap();
        meta.contains("\"paused\"") && meta.contains(word)
    };
    until(says_so);
    // Each try leaves nothing behind.
    until(|| super::house::temporaries(&state).is_empty());
    let asked = house.asked();
    give_back(&disk);
    let run = house.site.wait(client);
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.stderr.contains(word), "{run}");
    assert_eq!(run.stderr.matches("note: paused: ").count(), 1, "{run}");
    assert!(asked <= house.asked());
    let stopped = inside(&disk, &house.site.command("daemon stop")).output().unwrap();
    assert!(stopped.status.success());
    // Everything is compared where it can be seen.
    let copy = copied(&state);
    let house = House::seeing(house, copy);
    house.is_as(&Reference::new(ARGUMENTS), &run.to_string());
}

/// A copy of a state directory, outside.
#[expect(clippy::disallowed_methods, reason = "a directory is copied by a program")]
pub(super) fn copied(state: &Path) -> PathBuf {
    let place = tempfile::tempdir().unwrap().keep().join("state");
    assert!(Command::new("cp").arg("-a").arg(state).arg(&place).status().unwrap().success());
    place
}

#[test]
fn without_space_a_run_waits_and_goes_on() {
    let free = |disk: &Disk| rustix::fs::unlink(disk.seen("filler")).unwrap();
    used_up("size=24m", Disk::fill, free, "no space is left");
}

#[test]
fn without_names_a_run_waits_and_goes_on() {
    let free = |disk: &Disk| fs::remove_dir_all(disk.seen("names")).unwrap();
    used_up("size=24m,nr_inodes=300", Disk::take_names, free, "no space is left");
}

#[test]
fn a_disk_that_is_full_from_the_beginning_is_told_at_once() {
    let Some(disk) = Disk::mount("size=24m") else { return };
    let house = House::at(disk.state(), Policy::default());
    disk.fill();
    let output = inside(&disk, &house.site.run_command(ARGUMENTS)).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("No space left on device"), "{told}");
    assert_eq!(house.asked(), 0, "nothing is bought that cannot be kept");
    rustix::fs::unlink(disk.seen("filler")).unwrap();
    let output = inside(&disk, &house.site.run_command(ARGUMENTS)).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(inside(&disk, &house.site.command("daemon stop")).output().unwrap().status.success());
}

#[test]
fn a_disk_that_cannot_be_written_is_told_at_once_and_can_be_read() {
    let Some(disk) = Disk::mount("size=24m") else { return };
    let house = House::at(disk.state(), Policy::default());
    let done = inside(&disk, &house.site.run_command(ARGUMENTS)).output().unwrap();
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(inside(&disk, &house.site.command("daemon stop")).output().unwrap().status.success());
    let remount = house.site.machine.shell(&format!("mount -o remount,ro '{}'", disk.place.path().display()));
    // A daemon that was stopped has its log open until it is gone.
    let mut remount = inside(&disk, &remount);
    until(|| remount.stderr(Stdio::null()).status().unwrap().success());
    let run = inside(&disk, &house.site.run_command(ARGUMENTS)).output().unwrap();
    let told = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), Some(1), "{told}");
    assert!(told.contains("Read-only file system"), "{told}");
    for reading in ["show --json", "fsck", "list"] {
        let read = inside(&disk, &house.site.command(reading)).output().unwrap();
        assert_eq!(read.status.code(), Some(0), "{reading}: {}", String::from_utf8_lossy(&read.stderr));
    }
}

/// A daemon in whose system calls something goes wrong.
fn daemon_with(house: &House, inject: &str) -> Child {
    let strace =
        ["strace", "-f", "--seccomp-bpf", "-qq", "-o", "/dev/null", "-e", "signal=none", "-e", inject];
    let mut daemon = house.daemon(&strace).spawn().unwrap();
    assert!(house.is_served(&mut daemon), "{inject}");
    daemon
}

#[test]
fn a_disk_that_loses_something_ends_the_daemon_and_the_next_run_goes_on() {
    if !has_strace() {
        return;
    }
    let reference = Reference::new(ARGUMENTS);
    for when in [8, 20] {
        let house = House::new(Policy::default());
        let mut daemon = daemon_with(&house, &format!("inject=fdatasync:error=EIO:when={when}"));
        let run = house.site.run(ARGUMENTS);
        assert_eq!(run.code, Some(1), "{run}");
        assert!(run.stderr.contains("could not keep what it was given"), "{run}");
        // The disk is not asked a second time: the daemon ends and says why.
        assert_eq!(ended(&mut daemon).code(), Some(1));
        let mut said = String::new();
        daemon.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(said.contains("Input/output error"), "{said}");
        house.has_no_orphans("after a lost write");
        house.note_death();
        house.is_sound("after a lost write");
        house.ends_as_if_nothing_had_been(&reference, ARGUMENTS);
    }
}

#[test]
fn a_slow_disk_does_not_slow_the_door() {
    if !has_strace() {
        return;
    }
    let house = House::new(Policy::default());
    // Each line takes a second to last: the whole run would take a minute.
    let mut daemon = daemon_with(&house, "inject=fdatasync:delay_enter=1000000");
    let client = house.site.start(ARGUMENTS);
    house.site.until(|seen| 1 <= seen.requests);
    let mut door = Client::connect(&house.state(), "a test").unwrap();
    let mut took: Vec<Duration> = (0..40)
        .map(|_| {
            let start = Instant::now();
            door.ask(&Request::Status).unwrap();
            start.elapsed()
        })
        .collect();
    took.sort();
    println!("status while the disk takes a second: median {:?}, longest {:?}", took[20], took[39]);
    assert!(took[20] < Duration::from_millis(100), "{took:?}");
    drop(door);
    house.site.kill_daemon();
    ended(&mut daemon);
    house.site.wait(client);
    house.note_death();
    house.is_sound("after a slow disk");
    house.ends_as_if_nothing_had_been(&Reference::new(ARGUMENTS), ARGUMENTS);
}

#[test]
fn files_that_may_not_grow_pause_a_run_until_they_may() {
    let gate = Gate::shut();
    let house = House::new(held(&gate));
    let mut daemon = house.daemon(&[]).spawn().unwrap();
    assert!(house.is_served(&mut daemon));
    let client = house.site.start(ARGUMENTS);
    house.site.until_asked(&[("src", 3)]);
    let limit = |bytes: &str| {
        let command = format!("prlimit --pid={} --fsize={bytes}:unlimited", daemon.id());
        assert!(house.site.machine.shell(&command).status().unwrap().success());
    };
    limit("1024");
    gate.open();
    let paused = || {
        let output = house.site.command("status . --json").output().unwrap();
        let told: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        told["run"]["paused"].as_str().is_some_and(|why| why.contains("File too large"))
    };
    until(paused);
    limit("unlimited");
    let run = house.site.wait(client);
    assert_eq!(run.code, Some(0), "{run}");
    house.is_as(&Reference::new(ARGUMENTS), &run.to_string());
    ended(&mut daemon);
}

#[test]
fn a_state_directory_that_is_moved_away_ends_the_daemon_and_serves_again_when_it_is_back() {
    let gate = Gate::shut();
    let house = House::new(held(&gate));
    let mut daemon = house.daemon(&[]).spawn().unwrap();
    assert!(house.is_served(&mut daemon));
    let client = house.site.start(ARGUMENTS);
    house.site.until_asked(&[("src", 3)]);
    let (state, away) = (house.state(), house.state().with_file_name("away"));
    rustix::fs::rename(&state, &away).unwrap();
    gate.open();
    let run = house.site.wait(client);
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stderr.contains("was removed"), "{run}");
    assert_eq!(ended(&mut daemon).code(), Some(1));
    house.has_no_orphans("after the state directory was moved");
    let _ = fs::remove_dir_all(&state);
    rustix::fs::rename(&away, &state).unwrap();
    house.note_death();
    house.is_sound("after it came back");
    house.ends_as_if_nothing_had_been(&Reference::new(ARGUMENTS), ARGUMENTS);
}

#[test]
fn a_state_directory_that_is_deleted_ends_the_daemon_and_the_next_run_begins_anew() {
    let gate = Gate::shut();
    let house = House::new(held(&gate));
    let client = house.site.start(ARGUMENTS);
    house.site.until_asked(&[("src", 3)]);
    fs::remove_dir_all(house.state()).unwrap();
    gate.open();
    let run = house.site.wait(client);
    assert_eq!(run.code, Some(1), "{run}");
    house.has_no_orphans("after the state directory was deleted");
    house.site.done(ARGUMENTS);
    house.stop();
    assert_eq!(house.findings(), Vec::<Value>::new());
}

/// What a daemon has open is closed with it.
#[test]
fn a_daemon_without_descriptors_serves_again_when_there_are_some() {
    let house = House::new(Policy::default());
    let mut daemon = house.daemon(&["sh", "-c", "ulimit -n 40 && exec \"$@\"", "sh"]).spawn().unwrap();
    assert!(house.is_served(&mut daemon));
    let socket = house.state().join("run/control.sock");
    let crowd: Vec<_> =
        (0..100).filter_map(|_| std::os::unix::net::UnixStream::connect(&socket).ok()).collect();
    assert!(40 < crowd.len());
    // Somebody who cannot be let in is not tried again without a pause: that would take a whole core.
    let before = cpu(daemon.id());
    let start = Instant::now();
    until(|| Duration::from_millis(1500) < start.elapsed());
    let used = cpu(daemon.id()) - before;
    println!("{used} hundredths of a second of computing in {:?}", start.elapsed());
    assert!(used < 75, "{used} hundredths of a second");
    drop(crowd);
    house.ends_as_if_nothing_had_been(&Reference::new(ARGUMENTS), ARGUMENTS);
    signal(Pid::from_child(&daemon), Signal::TERM);
    ended(&mut daemon);
}

/// The time that a process has computed, in hundredths of a second.
fn cpu(process: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let rest = stat.rsplit_once(')').unwrap().1.split_whitespace();
    rest.skip(11).take(2).map(|field| field.parse::<u64>().unwrap()).sum()
}
