//! F04–F08, F13: workers that stop, crash, end without a word or run out of memory; a daemon that sleeps.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use luminos_model_server::{Answer, Gate, Matcher, Policy, Script};
use rustix::process::{Pid, Signal};

use super::house::{House, Reference, has_strace, is_alive, not_tested, signal};
use crate::site::until;

const ARGUMENTS: &str = "--parallel 1 --workers 1 .";

/// The second question about `src` waits at the gate.
fn held(gate: &Gate) -> Script {
    let src = Matcher::any().offering("read_file").containing(r"directory: src\n");
    Script::new().when(src, [Answer::policy(), Answer::policy().behind(gate)]).otherwise(Policy::default())
}

/// The worker, once the gate holds the model.
fn worker(house: &House) -> Pid {
    house.site.until_asked(&[("src", 2)]);
    *house.processes("worker").first().unwrap()
}

/// A worker goes; another takes over, nothing is bought twice, and what was said comes to the same.
fn replaced(go: impl FnOnce(&House, Pid, &Gate)) {
    let gate = Gate::shut();
    let house = House::new(held(&gate));
    let client = house.site.start(ARGUMENTS);
    let first = worker(&house);
    go(&house, first, &gate);
    until(|| house.processes("worker").iter().any(|worker| *worker != first));
    until(|| !is_alive(first));
    gate.open();
    let run = house.site.wait(client);
    assert_eq!(run.code, Some(0), "{run}");
    house.is_as(&Reference::new(ARGUMENTS), &run.to_string());
}

#[test]
fn a_worker_that_crashes_is_replaced() {
    for way in [Signal::ABORT, Signal::SEGV, Signal::KILL, Signal::XCPU] {
        // A signal that a fault would bring is taken for one the first time, and ends it the second time.
        let strike = |worker| {
            signal(worker, way);
            !is_alive(worker)
        };
        replaced(|_, worker, _| until(|| strike(worker)));
    }
}

/// It cannot have a thread for the next directory, and ends.
#[test]
fn a_worker_without_memory_is_replaced() {
    replaced(|house, worker, gate| {
        let pid = worker.as_raw_nonzero();
        let limit = format!("prlimit --pid={pid} --as=1048576");
        assert!(house.site.machine.shell(&limit).status().unwrap().success());
        gate.open();
    });
}

/// Readers have limits of their own. Behind them the kernel refuses a worker more memory, and the run says why it ended.
#[test]
fn a_worker_that_is_refused_memory_is_replaced_and_that_is_told() {
    let gate = Gate::shut();
    let house = House::new(held(&gate));
    let client = house.site.start(ARGUMENTS);
    let first = worker(&house);
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", first.as_raw_nonzero())).unwrap();
    let data = limits.lines().find(|line| line.starts_with("Max data size")).unwrap();
    let most: u64 = data.split_whitespace().nth(3).unwrap().parse().unwrap_or(u64::MAX);
    assert!(most < 512 << 20, "{data}");
    // It may not listen to signals before it has locked itself in.
    until(|| {
        signal(first, Signal::ABORT);
        !is_alive(first)
    });
    gate.open();
    let run = house.site.wait(client);
    assert_eq!(run.code, Some(0), "another worker goes on: {run}");
    assert!(run.stderr.contains("as one is that needs more than 448.0 MB of memory"), "{run}");
}

/// A group of processes whose memory the kernel limits; `None` where it cannot be made.
struct MemoryGroup {
    dir: PathBuf,
    /// The file with the limit, and the one that counts whom the kernel has killed.
    files: (&'static str, &'static str),
}

impl MemoryGroup {
    fn new() -> Option<Self> {
        let name = format!("luminos-test-{}", std::process::id());
        let kinds = [
            ("/sys/fs/cgroup/memory", ("memory.limit_in_bytes", "memory.oom_control")),
            ("/sys/fs/cgroup", ("memory.max", "memory.events")),
        ];
        for (place, files) in kinds {
            let dir = Path::new(place).join(&name);
            if std::fs::create_dir(&dir).is_err() {
                continue;
            }
            let group = Self { dir, files };
            if group.dir.join(files.0).exists() {
                return Some(group);
            }
        }
        not_tested("this machine does not let us limit the memory of a group of processes");
        None
    }

    #[expect(clippy::disallowed_methods, reason = "the kernel is told by writing into its files")]
    fn set(&self, file: &str, word: &str) {
        std::fs::write(self.dir.join(file), word).unwrap();
    }

    /// How many processes the kernel has killed in it.
    fn killed(&self) -> u64 {
        let told = std::fs::read_to_string(self.dir.join(self.files.1)).unwrap();
        let mut lines = told.lines().filter_map(|line| line.strip_prefix("oom_kill "));
        lines.next().unwrap_or_else(|| panic!("{told}")).parse().unwrap()
    }
}

impl Drop for MemoryGroup {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir(&self.dir);
    }
}

/// The kernel finds no memory for it, and kills it.
#[test]
fn a_worker_that_the_kernel_kills_for_its_memory_is_replaced() {
    let Some(group) = MemoryGroup::new() else { return };
    replaced(|_, worker, gate| {
        // What it has was counted elsewhere; every page that it touches anew is counted here, and there is none.
        group.set(group.files.0, "4096");
        group.set("cgroup.procs", &worker.as_raw_nonzero().to_string());
        gate.open();
        until(|| !is_alive(worker));
    });
    assert_eq!(group.killed(), 1);
}

/// Its end of the line closes as if the daemon had hung up: it leaves with success and without a word.
#[test]
fn a_worker_that_leaves_without_a_word_is_replaced() {
    if has_strace() {
        replaced(|_, worker, _| leave(worker));
    }
}

#[expect(clippy::disallowed_methods, reason = "another program makes the worker believe that it is alone")]
fn leave(worker: Pid) {
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-o", "/dev/null", "-e", "inject=read,recvfrom:retval=0:when=1+"]);
    strace.args(["-p", &worker.as_raw_nonzero().to_string()]);
    let mut strace = strace.stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // It waits in a call that began before; a signal that does nothing ends that call.
    until(|| {
        signal(worker, Signal::CONT);
        !is_alive(worker)
    });
    let _ = strace.kill();
    let _ = strace.wait();
}

/// It gives no sign of life, is taken for dead after ten seconds, and killed.
#[test]
fn a_worker_that_stops_is_killed_and_replaced() {
    replaced(|_, worker, _| signal(worker, Signal::STOP));
}

/// A daemon that was asleep for longer than any worker may be silent takes nobody for dead.
#[test]
fn a_daemon_that_sleeps_takes_nobody_for_dead() {
    let gate = Gate::shut();
    let house = House::new(held(&gate));
    let client = house.site.start(ARGUMENTS);
    let worker = worker(&house);
    let daemon = *house.processes("serve").first().unwrap();
    signal(daemon, Signal::STOP);
    let slept = Instant::now();
    until(|| Duration::from_secs(13) < slept.elapsed());
    signal(daemon, Signal::CONT);
    let awake = Instant::now();
    // Long enough for it to look twice whether all are alive.
    until(|| Duration::from_secs(5) < awake.elapsed());
    assert_eq!(house.processes("worker"), [worker], "it took a worker for dead");
    gate.open();
    let run = house.site.wait(client);
    assert_eq!(run.code, Some(0), "{run}");
    house.is_as(&Reference::new(ARGUMENTS), &run.to_string());
}

/// A worker that sleeps while its daemon dies does not wake up to speak for it: it dies with it.
#[test]
fn a_worker_of_an_earlier_daemon_is_not_there_to_speak() {
    let gate = Gate::shut();
    let house = House::new(held(&gate));
    let client = house.site.start(ARGUMENTS);
    let worker = worker(&house);
    signal(worker, Signal::STOP);
    signal(*house.processes("serve").first().unwrap(), Signal::KILL);
    until(|| !is_alive(worker));
    house.site.wait(client);
    house.has_no_orphans("after the daemon's death");
    house.note_death();
    gate.open();
    house.ends_as_if_nothing_had_been(&Reference::new(ARGUMENTS), ARGUMENTS);
}

/// A directory that takes its worker with it each time is given up, and the report says so.
#[test]
fn a_directory_that_kills_its_workers_is_given_up_and_named() {
    let gate = Gate::shut();
    let house = House::new(held(&gate));
    let client = house.site.start(ARGUMENTS);
    let mut worker = worker(&house);
    for _ in 0..3 {
        signal(worker, Signal::KILL);
        until(|| !is_alive(worker));
        let mut next = None;
        // After the third death somebody else's directory is next, or nobody's.
        until(|| {
            next = house.processes("worker").into_iter().find(|other| *other != worker && is_busy(*other));
            next.is_some()
        });
        worker = next.unwrap();
    }
    gate.open();
    let run = house.site.wait(client);
    assert_eq!(run.code, Some(3), "{run}");
    let report = house.site.document("report.json");
    let src =
        report["directories"].as_array().unwrap().iter().find(|dir| dir["relative_path"] == "src").unwrap();
    assert_eq!(src["partial"], true, "{src}");
    assert!(report["notes"].to_string().contains("src"), "{}", report["notes"]);
    house.stop();
    house.is_sound("after it was given up");
}

/// Whether a worker has begun: it is locked in and has its threads.
fn is_busy(worker: Pid) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{worker}/task")).map_or(0, Iterator::count);
    2 < threads
}
