//! Scans that are interrupted.

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::machine::Machine;

const NAMES: u64 = 2_000;

/// Waits for something that must come true soon.
#[track_caller]
fn wait_until(what: &str, mut is_true: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !is_true() {
        assert!(Instant::now() < deadline, "{what}: not within 20 seconds");
        thread::sleep(Duration::from_millis(5));
    }
}

/// How many bytes a process has read so far.
fn bytes_read(child: &Child) -> u64 {
    let counters = fs::read_to_string(format!("/proc/{}/io", child.id())).unwrap_or_default();
    let read = counters.lines().find_map(|line| line.strip_prefix("rchar: "));
    read.and_then(|bytes| bytes.parse().ok()).unwrap_or(0)
}

/// Much to read that takes little room: one file of many names.
fn much_to_read() -> Machine {
    const SIZE: usize = 16 << 20;
    let machine = Machine::new().with_file("project/0", vec![b'x'; SIZE]);
    for number in 1..NAMES {
        fs::hard_link(machine.project().join("0"), machine.project().join(number.to_string())).unwrap();
    }
    machine
}

#[test]
fn a_signal_ends_a_scan_and_the_next_one_starts_afresh() {
    let machine = much_to_read();
    for signal in [Signal::INT, Signal::TERM, Signal::KILL] {
        let mut command = machine.command(&["scan"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        wait_until("the scan is on its way", || 50 << 20 < bytes_read(&child));
        kill_process(Pid::from_child(&child), signal).unwrap();
        let sent = Instant::now();
        let status = child.wait().unwrap();
        assert!(sent.elapsed() < Duration::from_secs(2), "{signal:?} took {:?}", sent.elapsed());
        assert_eq!(status.signal(), Some(signal.as_raw()));
    }
    for number in 1..NAMES {
        #[expect(clippy::disallowed_methods, reason = "a test removes its own files")]
        fs::remove_file(machine.project().join(number.to_string())).unwrap();
    }
    let next = machine.run("scan");
    assert_eq!((next.code, &*next.stderr), (Some(0), ""));
    assert_eq!(next.stdout, machine.run("scan --no-cache").stdout);
}
