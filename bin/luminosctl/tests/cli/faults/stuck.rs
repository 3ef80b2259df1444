//! F05: a loop that panics, or hangs, in a process that is alive otherwise.

use std::fs;
use std::process::{Child, Command, Stdio};

use luminos_model_server::{Answer, Gate, Matcher, Policy, Script};
use rustix::process::Pid;
use serde_json::Value;

use super::house::{House, Reference, ended, has_strace, is_alive};
use crate::site::until;

const ARGUMENTS: &str = "--parallel 1 --workers 1 .";

/// Interferes with the system calls of a process and of all that it starts, as soon as this returns.
#[expect(clippy::disallowed_methods, reason = "another program interferes with system calls")]
pub(crate) fn interfere(process: Pid, inject: &[&str]) -> Child {
    let mut strace = Command::new("strace");
    strace.args(["-f", "-qq", "-o", "/dev/null", "-e", "signal=none"]).args(inject);
    strace.args(["-p", &process.as_raw_nonzero().to_string()]);
    let mut strace = strace.stdin(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let is_held = |task: &fs::DirEntry| {
        let status = fs::read_to_string(task.path().join("status")).unwrap_or_default();
        status.lines().any(|line| line == format!("TracerPid:\t{}", strace.id()))
    };
    let tasks = || fs::read_dir(format!("/proc/{process}/task")).unwrap().flatten();
    until(|| tasks().all(|task| is_held(&task)));
    assert!(strace.try_wait().unwrap().is_none(), "strace has ended");
    strace
}

fn leave_alone(mut strace: Child) {
    let _ = strace.kill();
    let _ = strace.wait();
}

/// Whether something is written down about a directory.
fn is_given_up(house: &House, dir: &str) -> bool {
    let entries = fs::read_dir(house.site.investigation().join("dirs")).into_iter().flatten().flatten();
    let said = entries.filter_map(|entry| fs::read_to_string(entry.path()).ok());
    let parsed = said.filter_map(|text| serde_json::from_str::<Value>(&text).ok());
    parsed.into_iter().any(|entry| entry["relative_path"] == dir || entry["body"]["relative_path"] == dir)
}

/// The next thread that wants random numbers for a map gets none, which is a panic of the standard library's: that is the loop
/// of the directory after this one. Its directory is looked at by another process, and all comes to the same.
#[test]
fn a_loop_that_panics_is_lost_and_another_process_goes_on() {
    if !has_strace() {
        return;
    }
    let gate = Gate::shut();
    let src = Matcher::any().offering("read_file").containing(r"directory: src\n");
    let script = Script::new()
        .when(src, [Answer::policy(), Answer::policy().behind(&gate)])
        .otherwise(Policy::default());
    let house = House::new(script);
    let mut daemon = house.daemon(&[]);
    let log = house.site.machine.home().join("daemon.stderr");
    let mut daemon = daemon.stderr(fs::File::create(&log).unwrap()).spawn().unwrap();
    assert!(house.is_served(&mut daemon));
    let client = house.site.start(ARGUMENTS);
    house.site.until_asked(&[("src", 2)]);
    let worker = *house.processes("worker").first().unwrap();
    let strace = interfere(worker, &["-e", "inject=getrandom:error=EIO"]);
    gate.open();
    let run = house.site.wait(client);
    leave_alone(strace);
    assert_eq!(run.code, Some(0), "{run}");
    assert!(run.stderr.contains("it broke off: a fault of the program"), "{run}");
    assert!(!is_alive(worker), "nobody works where somebody broke off");
    let said = fs::read_to_string(&log).unwrap();
    assert!(said.contains("failed to generate random data"), "the panic is told: {said}");
    house.is_as(&Reference::new(ARGUMENTS), &run.to_string());
    ended(&mut daemon);
}

/// Whoever reads one file never gets an answer from the disk, while the process it works in is alive. Each time another process
/// takes over; then the directory is given up, the rest is done, and the report says so. When the disk is well again, the next
/// run looks at it.
#[test]
fn a_directory_in_which_everybody_gets_stuck_is_given_up_and_named() {
    if !has_strace() {
        return;
    }
    let gate = Gate::shut();
    // The first look at the whole waits: everything is scanned, and no worker is there yet.
    let script =
        Script::new().when(Matcher::any(), [Answer::policy().behind(&gate)]).otherwise(Policy::default());
    let house = House::new(script);
    let mut daemon = house.daemon(&[]);
    let mut daemon = daemon.args(["--patience", "2"]).stderr(Stdio::null()).spawn().unwrap();
    assert!(house.is_served(&mut daemon));
    let client = house.site.start(ARGUMENTS);
    // Before it is asked anything, it is asked whether it is there.
    until(|| 1 <= house.asked());
    let file = house.site.machine.project().join("src/parser/words.rs");
    let hang = ["-P", file.to_str().unwrap(), "-e", "inject=read,pread64:delay_enter=3600000000"];
    let strace = interfere(Pid::from_child(&daemon), &hang);
    gate.open();
    // The daemon looks at the file in the end, too, and shall get its answer.
    until(|| is_given_up(&house, "src/parser"));
    leave_alone(strace);
    let run = house.site.wait(client);
    assert_eq!(run.code, Some(3), "{run}");
    let told = "src/parser: it gave no sign of life for 2 s";
    assert_eq!(run.stderr.matches(told).count(), 3, "{run}");
    let report = house.site.document("report.json");
    let dirs = report["directories"].as_array().unwrap();
    let partial: Vec<_> = dirs.iter().filter(|dir| dir["partial"] == true).collect();
    assert_eq!(partial.len(), 1, "{partial:?}");
    assert_eq!(partial[0]["relative_path"], "src/parser");
    assert!(report["notes"].to_string().contains("src/parser"), "{}", report["notes"]);
    house.is_sound("after it was given up");
    let run = house.site.done(ARGUMENTS);
    let dirs = house.site.document("report.json")["directories"].as_array().unwrap().clone();
    assert!(dirs.iter().all(|dir| dir["partial"] != true), "{run}");
    house.stop();
    ended(&mut daemon);
    house.is_sound("after it was looked at");
}
