//! Runs that are under way: `pause`, `resume`, `cancel`, and what is not done to them.

use std::net::TcpListener;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::machine::Machine;

/// A server that takes questions and never answers.
struct Silent {
    address: String,
}

impl Silent {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        thread::spawn(move || {
            // Those who ask must not be hung up on.
            let _open: Vec<_> = listener.incoming().map_while(Result::ok).collect();
        });
        Self { address }
    }
}

const MODEL: &str = "openai/silent";

/// Starts a run that cannot end by itself.
fn start(machine: &Machine, server: &Silent, arguments: &[&str]) -> Child {
    let mut command = machine.command(arguments);
    command.env("OPENAI_BASE_URL", &server.address).env("OPENAI_API_KEY", "sk-test-0123456789abcdefghij");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn status(machine: &Machine) -> Option<Value> {
    let run = machine.run("status . --json");
    serde_json::from_str(&run.stdout).ok()
}

/// Waits until the investigation is in a state.
#[track_caller]
fn await_state(machine: &Machine, state: &str) -> Value {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        let now = status(machine);
        if let Some(now) = now.as_ref().filter(|now| now["state"] == state) {
            return now.clone();
        }
        assert!(Instant::now() < deadline, "never {state}: {now:?}");
        thread::park_timeout(Duration::from_millis(20));
    }
}

#[test]
fn a_run_is_paused_resumed_cancelled_and_taken_up_again() {
    let machine = Machine::new().with_file("project/main.py", "print(1)\n");
    let server = Silent::new();
    let mut child = start(&machine, &server, &["run", "--model", MODEL, "--all"]);
    let running = await_state(&machine, "running");
    assert_eq!(running["run"]["dirs_done"], 0);

    let run = machine.run("pause");
    assert_eq!(run.code, Some(0), "{run}");
    await_state(&machine, "paused");
    assert!(machine.run("status").stdout.contains("paused"));
    let run = machine.run("clean . --yes");
    assert_eq!(run.code, Some(1), "{run}");
    assert!(run.stderr.contains("is running"), "{run}");
    assert!(machine.run("clean --all --yes").stderr.contains("nothing to remove"));

    let run = machine.run("resume");
    assert_eq!(run.code, Some(0), "{run}");
    await_state(&machine, "running");
    let run = machine.run("cancel");
    assert_eq!(run.code, Some(0), "{run}");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    await_state(&machine, "cancelled");
    for command in ["cancel", "pause"] {
        let run = machine.run(command);
        assert_eq!(run.code, Some(1), "{run}");
        assert!(run.stderr.contains("is not running"), "{run}");
    }

    // It goes on with the model and the settings that it had.
    let mut child = start(&machine, &server, &["resume"]);
    let again = await_state(&machine, "running");
    assert_eq!((&again["id"], &again["models"]["dir"]), (&running["id"], &MODEL.into()));
    assert_eq!(machine.run("cancel").code, Some(0));
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

#[test]
fn a_run_whose_daemon_was_stopped_counts_as_interrupted_or_cancelled() {
    let machine = Machine::new().with_file("project/main.py", "print(1)\n");
    let server = Silent::new();
    let mut child = start(&machine, &server, &["run", "--model", MODEL]);
    await_state(&machine, "running");
    assert_eq!(machine.run("daemon stop").code, Some(0));
    child.wait().unwrap();
    let state = status(&machine).unwrap()["state"].clone();
    assert!(state == "cancelled" || state == "interrupted", "{state}");
    // Without the model, the analyst does it; nothing is in the way.
    assert_eq!(machine.run("run --offline --quiet").code, Some(0));
    await_state(&machine, "done");
}

#[test]
fn a_daemon_leaves_when_it_has_been_idle_for_as_long_as_the_settings_say() {
    let machine = Machine::new().with_file("project/main.py", "print(1)\n");
    let run = machine.run_with(&[("LUMINOS_DAEMON_IDLE", "1")], "run --quiet");
    assert_eq!(run.code, Some(0), "{run}");
    // Asking keeps it awake, so its socket is watched instead.
    let socket = machine.state().join("run/control.sock");
    let deadline = Instant::now() + Duration::from_secs(60);
    while socket.exists() {
        assert!(Instant::now() < deadline, "the daemon is still there");
        thread::park_timeout(Duration::from_millis(20));
    }
    assert_eq!(machine.run("daemon status").code, Some(1));
}
