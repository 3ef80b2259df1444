//! One place that starts, kills, resumes, checks and compares.

use std::cell::Cell;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use luminos_model_server::{Policy, Script};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use crate::run_interrupted::outcome;
use crate::site::{PATIENCE, Site, project, until};

/// What a run comes to: report, evaluation and plan.
pub(super) type Outcome = (Value, Value, Value);

/// A site whose state is kept in memory, where making things last costs nothing.
pub(super) struct House {
    pub(super) site: Site,
    memory: Option<TempDir>,
    /// What the model was asked, and what of that is in transcripts, when somebody died last.
    counted: Cell<(u64, u64)>,
    /// Questions that were on their way when somebody died.
    open: Cell<u64>,
}

impl House {
    pub(super) fn new(script: impl Into<Script>) -> Self {
        let memory = Path::new("/dev/shm");
        let memory = if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() };
        let memory = memory.unwrap();
        let state = memory.path().join("state");
        let site = Site::new(project(), script).keeping_state_at(state);
        Self { site, memory: Some(memory), counted: Cell::default(), open: Cell::default() }
    }

    /// The same, of another user. Nobody but root can make one: `None`.
    pub(super) fn of_user(user: u32, script: impl Into<Script>) -> Option<Self> {
        if !rustix::process::geteuid().is_root() {
            not_tested("only root can be somebody else");
            return None;
        }
        let mut house = Self::new(script);
        let memory = house.memory.as_ref().unwrap().path();
        std::os::unix::fs::chown(memory, Some(user), Some(user)).unwrap();
        house.site.become_user(user);
        Some(house)
    }

    /// The same, with its state on a disk that somebody else has prepared.
    pub(super) fn at(state: PathBuf, script: impl Into<Script>) -> Self {
        let site = Site::new(project(), script).keeping_state_at(state);
        Self { site, memory: None, counted: Cell::default(), open: Cell::default() }
    }

    /// The same house, with a copy of its state.
    pub(super) fn seeing(mut house: Self, state: PathBuf) -> Self {
        house.site.see_state_at(state);
        house
    }

    pub(super) fn state(&self) -> PathBuf {
        self.site.store()
    }

    /// The daemon, ready to be started in front of the test; these words come before it.
    #[expect(clippy::disallowed_methods, reason = "the program under test is a process")]
    pub(super) fn daemon(&self, before: &[&str]) -> Command {
        let program = self.site.program();
        let mut command = match before.split_first() {
            Some((first, rest)) => {
                let mut command = Command::new(first);
                command.args(rest).arg(program);
                command
            }
            None => Command::new(program),
        };
        command.args(["daemon", "serve", "--home"]).arg(self.state());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        command
    }

    /// Waits until a daemon answers, or has ended: then it says no.
    pub(super) fn is_served(&self, daemon: &mut Child) -> bool {
        let start = Instant::now();
        loop {
            if std::os::unix::net::UnixStream::connect(self.state().join("run/control.sock")).is_ok() {
                return true;
            }
            if daemon.try_wait().unwrap().is_some() {
                return false;
            }
            assert!(start.elapsed() < PATIENCE, "the daemon neither serves nor ends");
            thread::park_timeout(Duration::from_millis(1));
        }
    }

    /// The processes of this house.
    pub(super) fn processes(&self, word: &str) -> Vec<Pid> {
        self.site.processes(word)
    }

    /// What the model was asked so far.
    pub(super) fn asked(&self) -> u64 {
        self.site.server.requests().iter().filter(|received| received.request.method == "POST").count() as u64
    }

    /// How many turns are in transcripts. One that two attempts have heard stands there twice.
    fn journalled(state: &Path) -> u64 {
        let investigations = fs::read_dir(state).into_iter().flatten().flatten();
        let transcripts = investigations.map(|dir| dir.path().join("transcripts"));
        let files = transcripts.flat_map(|dir| fs::read_dir(dir).into_iter().flatten().flatten());
        let turns = files.flat_map(|file| {
            let text = fs::read_to_string(file.path()).unwrap_or_default();
            // The first line says what the file is, and one that was never finished does not count.
            let lines = text.lines().skip(1).filter_map(|line| serde_json::from_str::<Value>(line).ok());
            // A question that came to nothing is written down, too; it will be asked again.
            let lines = lines.filter(|line| line["failed"].is_null());
            let turns = lines.map(|line| (file.path(), line["ask"]["turn"].to_string()));
            turns.collect::<Vec<_>>()
        });
        turns.collect::<std::collections::BTreeSet<_>>().len() as u64
    }

    /// Notes what was on its way when the daemon died.
    #[track_caller]
    pub(super) fn note_death(&self) {
        self.lost_at_death(&self.state());
    }

    /// The same, and tells how much that was. The state directory is seen here.
    #[track_caller]
    pub(super) fn lost_at_death(&self, state: &Path) -> u64 {
        // What the dead had sent may still be on its way to the server, and wait there to be let in: whoever comes later
        // waits behind them.
        let mut last = TcpStream::connect(self.site.server.address()).unwrap();
        last.set_read_timeout(Some(PATIENCE)).unwrap();
        last.write_all(b"GET /v1/models HTTP/1.1\r\nHost: last\r\nConnection: close\r\n\r\n").unwrap();
        last.read_exact(&mut [0]).unwrap();
        drop(last);
        self.site.until(|seen| seen.connections_open == 0 && seen.in_flight == 0);
        let (asked, journalled) = (self.asked(), Self::journalled(state));
        let (asked_before, journalled_before) = self.counted.replace((asked, journalled));
        // What is gone from transcripts counts as well.
        let lost = (asked - asked_before + journalled_before).saturating_sub(journalled);
        self.open.set(self.open.get() + lost);
        lost
    }

    /// Looks the state directory over: no promise is broken.
    #[track_caller]
    pub(super) fn is_sound(&self, when: &str) {
        let findings = self.findings();
        let faults: Vec<&Value> = findings.iter().filter(|finding| finding["is_fault"] == true).collect();
        assert!(faults.is_empty(), "{when}: {faults:#?}");
    }

    /// What `fsck` finds.
    #[track_caller]
    pub(super) fn findings(&self) -> Vec<Value> {
        let mut command = self.site.command("fsck --json");
        let run = self.site.machine.ended(crate::machine::finish(&mut command, PATIENCE));
        let found: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run}"));
        found["findings"].as_array().unwrap().clone()
    }

    /// Nothing outlives a daemon: no worker, no command.
    #[track_caller]
    pub(super) fn has_no_orphans(&self, when: &str) {
        let start = Instant::now();
        let left = || ["serve", "worker", "parser"].iter().flat_map(|word| self.processes(word)).count();
        while left() != 0 {
            assert!(start.elapsed() < Duration::from_secs(20), "{when}: {} processes are left", left());
            thread::park_timeout(Duration::from_millis(2));
        }
    }

    /// Investigates to the end, stops the daemon, and holds everything against a run that nobody disturbed.
    #[track_caller]
    pub(super) fn ends_as_if_nothing_had_been(&self, reference: &Reference, arguments: &str) {
        let run = self.site.done(arguments);
        self.is_as(reference, &run.to_string());
    }

    /// Holds what there is against a run that nobody disturbed; nothing runs afterwards.
    #[track_caller]
    pub(super) fn is_as(&self, reference: &Reference, context: &str) {
        let asked = self.asked();
        assert!(
            asked <= reference.asked + self.open.get(),
            "{asked} questions, {} undisturbed, {} on their way at deaths\n{context}",
            reference.asked,
            self.open.get()
        );
        let outcome = outcome(&self.site);
        let names = ["report", "evaluation", "plan"];
        let parts = [
            (&outcome.0, &reference.outcome.0),
            (&outcome.1, &reference.outcome.1),
            (&outcome.2, &reference.outcome.2),
        ];
        for (name, (found, expected)) in names.iter().zip(parts) {
            assert!(found == expected, "the {name} differs: {}\n{context}", difference(found, expected, "$"));
        }
        assert_eq!(self.site.investigations().len(), 1);
        self.stop();
        assert_eq!(self.findings(), Vec::<Value>::new());
    }

    /// Stops the daemon; then there is no process, no socket and no half-written file.
    #[track_caller]
    pub(super) fn stop(&self) {
        let mut command = self.site.command("daemon stop");
        crate::machine::finish(&mut command, PATIENCE);
        self.has_no_orphans("after the end");
        assert!(!self.state().join("run/control.sock").exists(), "the socket is left");
        assert_eq!(temporaries(&self.state()), Vec::<PathBuf>::new());
    }
}

/// What was found out when nobody disturbed it.
pub(super) struct Reference {
    outcome: Outcome,
    pub(super) asked: u64,
}

impl Reference {
    pub(super) fn new(arguments: &str) -> Self {
        let house = House::new(Policy::default());
        house.site.done(arguments);
        Self { outcome: outcome(&house.site), asked: house.asked() }
    }
}

/// A house where something went wrong is kept, and everything in it ends.
impl Drop for House {
    fn drop(&mut self) {
        if !thread::panicking() {
            return;
        }
        if let Some(memory) = self.memory.take() {
            println!("the state directory is kept: {}", memory.keep().display());
        }
    }
}

/// Where two documents differ first.
fn difference(found: &Value, expected: &Value, place: &str) -> String {
    match (found, expected) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: std::collections::BTreeSet<&String> = a.keys().chain(b.keys()).collect();
            let differs = keys.into_iter().find(|key| a.get(*key) != b.get(*key));
            let Some(key) = differs else { return "nowhere".to_owned() };
            let null = Value::Null;
            difference(a.get(key).unwrap_or(&null), b.get(key).unwrap_or(&null), &format!("{place}.{key}"))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            let differs = (0..a.len()).find(|at| a[*at] != b[*at]);
            differs.map_or("nowhere".to_owned(), |at| difference(&a[at], &b[at], &format!("{place}[{at}]")))
        }
        (_, _) => format!("{place}: {found} instead of {expected}"),
    }
}

/// All half-written files below a directory.
pub(super) fn temporaries(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            found.extend(temporaries(&entry.path()));
        } else if entry.file_name().to_string_lossy().starts_with(".tmp-") {
            found.push(entry.path());
        }
    }
    found
}

/// Sends a signal to a process; one that is gone does not mind.
pub(super) fn signal(process: Pid, signal: Signal) {
    let _ = kill_process(process, signal);
}

/// Whether a process is there, and not only its name.
pub(super) fn is_alive(process: Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(" Z"))
}

/// Waits until a process has ended, and says how.
#[track_caller]
pub(super) fn ended(child: &mut Child) -> std::process::ExitStatus {
    let mut status = None;
    until(|| {
        status = child.try_wait().unwrap();
        status.is_some()
    });
    status.unwrap()
}

/// Whether strace can be used. Where tests are run by hand it may be missing; `tests/run` installs it.
#[expect(clippy::disallowed_methods, reason = "whether a program is there shows when it is started")]
pub(crate) fn has_strace() -> bool {
    let mut probe = Command::new("strace");
    probe.args(["-f", "-qq", "-o", "/dev/null", "-e", "inject=getppid:error=EIO", "true"]);
    let works = probe.status().is_ok_and(|status| status.success());
    if !works {
        not_tested("strace is missing, or it may not be used (`apt-get install strace`)");
    }
    works
}

/// Something cannot be tested on this machine. By hand that is borne; where everything must be tested (`tests/run` says
/// so, and build servers do), it is a failure.
#[track_caller]
pub(crate) fn not_tested(reason: &str) {
    let needs_all = std::env::vars_os().any(|(name, _)| name == "LUMINOS_TESTS_NEED_ALL" || name == "CI");
    assert!(!needs_all, "NOT TESTED: {reason}");
    println!("NOT TESTED: {reason}");
}

/// Random numbers that can be had again: `LUMINOS_SEED` repeats them.
pub(super) struct Random(u64);

impl Random {
    /// Prints its seed, which is only seen when the test fails.
    #[expect(clippy::disallowed_methods, reason = "the seed of a failure comes from whoever repeats it")]
    pub(super) fn new(test: &str) -> Self {
        let given = std::env::var("LUMINOS_SEED").ok().and_then(|seed| seed.parse().ok());
        let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        let seed: u64 = given.unwrap_or(time.as_nanos() as u64 | 1);
        println!("{test}: LUMINOS_SEED={seed} repeats it");
        Self(seed | 1)
    }

    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) % limit.max(1)
    }
}
