//! Much at once: investigations, clients and directories. Everything ends, nobody starves, and memory has a bound.
//! `tests/soak` does the same for ten minutes, with figures (docs/load.md).

use std::fs;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use luminos_engine::Client;
use luminos_model_server::Policy;
use luminos_wire::control::{Reply, Request, RunEvent};

use crate::machine::{Machine, finish};
use crate::site::{PATIENCE, Site, until};

/// Memory of the daemon at its highest, in KiB: what it has used so far, whatever it uses now.
fn most_memory(site: &Site) -> u64 {
    let daemon = site.processes("serve")[0];
    let status = fs::read_to_string(format!("/proc/{daemon}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn twenty_investigations_and_fifty_clients_at_once() {
    let machine = (0..20).fold(Machine::new(), |machine, number| {
        let file = |name: &str| format!("project/t{number}/{name}");
        machine
            .with_file(file("README.md"), format!("# Target {number}\n\nOne of many.\n"))
            .with_file(file("src/main.py"), "print('hello')\n")
            .with_file(file("src/deep/words.py"), "WORDS = ['a', 'b']\n")
            .with_file(file("docs/guide.md"), "# Guide\n\nBegin anywhere.\n")
    });
    let site = Site::new(machine, Policy { latency: Duration::from_millis(5), ..Policy::default() });
    // The first one starts the daemon; without it all twenty would try to.
    assert_eq!(finish(&mut site.command("daemon start"), PATIENCE).status.code(), Some(0));
    let start = |number: usize| -> Child {
        let mut command = site.run_command(&format!("--quiet t{number}"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let runs: Vec<Child> = (0..20).map(start).collect();
    let (is_over, asked) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        for _ in 0..50 {
            scope.spawn(|| attend(&site, &is_over, &asked));
        }
        for run in runs {
            let ended = site.wait(run);
            assert_eq!(ended.code, Some(0), "{ended}\n{}", site.log());
        }
        is_over.store(true, Ordering::Relaxed);
    });
    assert_eq!(site.investigations().len(), 20);
    for dir in site.investigations() {
        assert!(dir.join("report.json").is_file(), "{}", dir.display());
    }
    assert!(50 < asked.load(Ordering::Relaxed), "the clients had nothing to do");
    let memory = most_memory(&site);
    assert!(memory < 400 << 10, "{memory} KiB");
    let looked_over = site.machine.ended(finish(&mut site.command("fsck"), PATIENCE));
    assert_eq!(looked_over.code, Some(0), "{looked_over}");
}

/// A client that asks what is under way, and listens to it, until all is over.
fn attend(site: &Site, is_over: &AtomicBool, asked: &AtomicUsize) {
    while !is_over.load(Ordering::Relaxed) {
        let Ok(mut line) = Client::connect(&site.store(), "one of fifty") else { continue };
        let Ok(Reply::Status(status)) = line.ask(&Request::Status) else { continue };
        asked.fetch_add(1, Ordering::Relaxed);
        let Some(run) = status.runs.first() else { continue };
        let subscribe = Request::Subscribe { investigation: run.investigation.clone() };
        if !matches!(line.ask(&subscribe), Ok(Reply::Subscribed(_))) {
            continue;
        }
        // Every run ends, and everybody who listens is told so.
        while let Ok(event) = line.next_event() {
            if matches!(event, RunEvent::Ended(_)) {
                break;
            }
        }
    }
}

#[test]
fn thousands_of_directories_in_one_investigation() {
    let machine = Machine::new();
    for outer in 0..30 {
        for inner in 0..50 {
            machine.write(
                format!("project/a{outer}/b{inner}/m.py"),
                format!("# Part {outer} {inner}\nX = {inner}\n"),
            );
        }
    }
    let site = Site::new(machine, Policy::default());
    let started = site
        .command("run --offline --quiet .")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until(|| !site.processes("serve").is_empty());
    let ended = site.wait(started);
    assert_eq!(ended.code, Some(0), "{ended}\n{}", site.log());
    let noted = std::fs::read_to_string(site.investigation().join("entries.jsonl")).unwrap();
    // The first line says what it is.
    assert_eq!(noted.lines().count(), 1 + 1531);
    let memory = most_memory(&site);
    assert!(memory < 400 << 10, "{memory} KiB");
}

/// All bytes below a directory.
fn bytes_below(dir: &std::path::Path) -> u64 {
    let entries = fs::read_dir(dir).unwrap().map(Result::unwrap);
    entries
        .map(|entry| match entry.metadata().unwrap() {
            found if found.is_dir() => bytes_below(&entry.path()),
            found => found.len(),
        })
        .sum()
}

/// What a target takes: bytes of state, and KiB of the daemon's memory.
fn cost_of(script: &str) -> (u64, u64) {
    let site = Site::new(Machine::new().with_file("project/a.py", "x = 1\n"), Policy::default());
    assert!(site.machine.shell(script).status().unwrap().success());
    let run = site.machine.ended(finish(&mut site.command("run . --offline --quiet"), PATIENCE * 3));
    assert_eq!(run.code, Some(0), "{run}");
    (bytes_below(&site.investigation()), most_memory(&site))
}

/// Directories in one another cost what directories beside one another do, and neither fills the memory.
#[test]
fn deep_and_wide_trees_cost_alike() {
    let nested = "set -e; i=0; while [ $i -lt 3000 ]; do mkdir d; cd -P d; i=$((i+1)); done; echo x > a.py";
    let (deep, deep_memory) = cost_of(nested);
    let beside = "set -e; i=0; while [ $i -lt 3000 ]; do mkdir d$i; i=$((i+1)); done";
    let (wide, wide_memory) = cost_of(beside);
    assert!(deep <= 2 * wide, "{deep} bytes for nested directories, {wide} for siblings");
    assert!(deep_memory.max(wide_memory) < 512 << 10, "{deep_memory} and {wide_memory} KiB");
}
