//! Questions that are interrupted, and what others can see of a process that asks.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use luminos_model_server::{Answer, Cut, Lasts, ModelServer, Script, WireFault};
use rustix::process::{Pid, Signal, kill_process};

use crate::history::program;
use crate::machine::Machine;
use crate::programs::processes_with;
use crate::server::{chat_url, serve};

/// A key that would be noticed anywhere.
const CANARY: &str = "canary-Qx7Vb2-lantern-8841-meadow";

/// Waits for something that must come true soon.
#[track_caller]
fn wait_until(what: &str, mut is_true: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !is_true() {
        assert!(Instant::now() < deadline, "{what}: not within 20 seconds");
        thread::sleep(Duration::from_millis(5));
    }
}

/// A server that begins to answer and then says nothing more.
fn hanging() -> ModelServer {
    let answer = Answer::text("Once upon a time there was a lighthouse.");
    serve(Script::new().always(answer.with(WireFault::Hang(Cut::AfterEvents(5), Lasts::Forever))))
}

fn ask(machine: &Machine, server: &ModelServer) -> Child {
    let mut command = machine.command(&["ask", "--model", "openai/tiny", "Hello?"]);
    command.env("OPENAI_BASE_URL", chat_url(server)).env("OPENAI_API_KEY", CANARY);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The text that has come so far.
fn first_bytes(child: &mut Child) -> String {
    let mut bytes = [0; 4];
    child.stdout.as_mut().unwrap().read_exact(&mut bytes).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn ended(mut child: Child) -> (Option<i32>, String) {
    let status = child.wait().unwrap();
    assert_eq!(status.signal(), None, "it ends by itself");
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    (status.code(), stderr)
}

#[test]
fn an_interrupted_question_closes_its_connection() {
    for signal in [Signal::INT, Signal::TERM] {
        let server = hanging();
        let mut child = ask(&Machine::new(), &server);
        assert_eq!(first_bytes(&mut child), "Once");
        kill_process(Pid::from_child(&child), signal).unwrap();
        let sent = Instant::now();
        let (code, stderr) = ended(child);
        assert!(sent.elapsed() < Duration::from_secs(3), "{:?}", sent.elapsed());
        let (told, rest) = stderr.split_once('\n').unwrap();
        assert!(told.starts_with("asking openai/tiny at 127.0.0.1:"), "{stderr}");
        assert_eq!((code, rest), (Some(130), "\ninterrupted; the provider may count what it was asked\n"));
        wait_until("the connection is closed", || server.counters().clients_left == 1);
    }
}

#[test]
fn a_key_of_the_environment_is_not_in_the_environment_of_the_process() {
    let server = hanging();
    let mut child = ask(&Machine::new(), &server);
    assert_eq!(first_bytes(&mut child), "Once");
    let key = format!("Bearer {CANARY}");
    assert_eq!(server.requests()[0].request.header("authorization"), Some(&*key), "it is used");
    let proc = format!("/proc/{}", child.id());
    let environment = fs::read(format!("{proc}/environ"));
    // Without special rights nobody can read it at all.
    if let Ok(environment) = environment {
        let environment = String::from_utf8_lossy(&environment);
        assert!(environment.contains("OPENAI_BASE_URL=") && !environment.contains(CANARY), "{environment}");
        assert!(!environment.contains("OPENAI_API_KEY"), "{environment}");
    }
    let arguments = fs::read(format!("{proc}/cmdline")).unwrap();
    let arguments = String::from_utf8_lossy(&arguments);
    assert!(arguments.ends_with("\0ask\0--model\0openai/tiny\0Hello?\0"), "{arguments}");
    assert_eq!(fs::read_to_string(format!("{proc}/comm")).unwrap(), "luminosctl\n");
    // The memory in which it came is gone as well.
    if let Ok(open) = fs::read_dir(format!("{proc}/fd")) {
        for file in open {
            let target = fs::read_link(file.unwrap().path()).unwrap_or_default();
            assert!(!target.to_string_lossy().contains("memfd"), "{}", target.display());
        }
    }
    kill_process(Pid::from_child(&child), Signal::KILL).unwrap();
    child.wait().unwrap();
}

#[test]
fn nobody_can_look_into_a_process_that_holds_a_key() {
    let server = hanging();
    let machine = Machine::new();
    let mut command = machine.unprivileged("ask --model openai/tiny Hello?");
    command.env("OPENAI_BASE_URL", chat_url(&server)).env("OPENAI_API_KEY", CANARY);
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    assert_eq!(first_bytes(&mut child), "Once");
    let owner = |file: &str| fs::metadata(format!("/proc/{}/{file}", child.id())).unwrap().uid();
    // A process that may be looked into owns its files there; the others belong to root.
    assert_eq!((owner("environ"), owner("mem")), (0, 0));
    kill_process(Pid::from_child(&child), Signal::KILL).unwrap();
    child.wait().unwrap();
}

#[test]
fn a_variable_that_is_ours_alone_cannot_be_used_to_read_other_files() {
    let run = Machine::new().run_with(&[("LUMINOS_KEYS_HANDED_OVER", "0")], "models --json");
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.stderr.contains("LUMINOS_KEYS_HANDED_OVER is for internal use"), "{run}");
}

#[test]
fn an_interrupted_program_ends_with_all_that_it_started() {
    let script = "#!/bin/sh
echo '{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\",\"text\":\"Working.\"}}'
sleep 86306 &
wait
";
    let machine = Machine::new();
    program(&machine, "codex", script);
    let mut command = machine.command(&["ask", "--model", "codex", "Hello?"]);
    command.env("PATH", format!("{}:/usr/bin:/bin", machine.home().join("bin").display()));
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // What the program says is shown while it goes on.
    let mut line = [0; 8];
    child.stdout.as_mut().unwrap().read_exact(&mut line).unwrap();
    assert_eq!(&line, b"Working.");
    wait_until("the program is at work", || !processes_with("86306").is_empty());
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(ended(child).0, Some(130));
    wait_until("what the program started is gone", || processes_with("86306").is_empty());
}

#[test]
fn a_failed_beginning_is_told_and_the_answer_is_printed_whole() {
    let answer = Answer::text("Once upon a time.");
    let broken = answer.clone().with(WireFault::Reset(Cut::AfterEvents(5)));
    let server = serve(Script::new().then(broken).always(answer));
    let mut child = ask(&Machine::new(), &server);
    let lines: Vec<String> =
        BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap).collect();
    assert_eq!(lines.last().map(String::as_str), Some("Once upon a time."), "{lines:?}");
    let (code, stderr) = ended(child);
    assert_eq!(code, Some(0));
    assert!(stderr.contains("broke off before its end") && stderr.contains("asking again in 0."), "{stderr}");
    assert!(stderr.contains("note: tries that failed before: 1"), "{stderr}");
}
