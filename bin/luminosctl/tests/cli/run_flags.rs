//! Flags come with what is known of their directory, and go with it.

use std::fs;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::faults::house::has_strace;
use crate::machine::{Machine, finish};
use crate::site::{PATIENCE, until};

/// What a rule flags as critical. No token of anybody.
const TOKEN: &str = "gh = \"ghp_p8Qv3xW7mT2kR9sLd4Yh6NbC1jF5gZ0uAeXi\"\n";

/// A machine on which a project with a token was investigated.
fn machine() -> Machine {
    let machine = Machine::new()
        .with_file("project/src/a.py", TOKEN)
        .with_file("project/gone/a.py", TOKEN)
        .with_file("project/notes/x.md", "hello\n");
    assert_eq!(critical(&machine), ["gone/a.py", "src/a.py"]);
    machine
}

fn run(machine: &Machine) {
    let run = machine.run("run . --offline --quiet");
    assert_eq!(run.code, Some(0), "{run}");
}

/// The paths of critical flags, as `run`, `flags` and `--fail-on` tell them alike.
#[track_caller]
fn critical(machine: &Machine) -> Vec<String> {
    let ran = machine.run("run . --offline --quiet --format json --fail-on critical");
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran}"));
    let paths = |flags: Vec<Value>| -> Vec<String> {
        let flags = flags.into_iter().filter(|flag| flag["severity"] == "critical");
        flags.map(|flag| flag["path"].as_str().unwrap().to_owned()).collect()
    };
    let told = paths(report["flags"].as_array().unwrap().clone());
    assert_eq!(ran.code, Some(if told.is_empty() { 0 } else { 4 }), "{ran}");
    let listed = machine.run("flags --json").stdout;
    assert_eq!(paths(listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect()), told);
    let text = machine.run("show --full");
    assert!(told.iter().all(|path| text.stdout.contains(path.as_str())), "{text}");
    let sarif = machine.run("show --format sarif").stdout;
    assert_eq!(sarif.contains("secret.token"), !told.is_empty(), "{sarif}");
    told
}

#[test]
fn a_flag_that_was_mended_stays_away_whatever_else_changes() {
    let machine = machine();
    machine.write("project/src/a.py", "gh = os.environ[\"GH\"]\n");
    fs::remove_dir_all(machine.project().join("gone")).unwrap();
    assert_eq!(critical(&machine), [""; 0]);
    for more in ["hello\nmore\n", "hello\nagain\n"] {
        machine.write("project/notes/x.md", more);
        assert_eq!(critical(&machine), [""; 0], "{more}");
        let verified = machine.run("verify .");
        assert_eq!(verified.code, Some(0), "{verified}");
    }
    machine.write("project/new/x.md", "A directory.\n");
    assert_eq!(critical(&machine), [""; 0]);
    machine.write("project/src/a.py", TOKEN);
    assert_eq!(critical(&machine), ["src/a.py"], "what comes back is told again");
}

/// A line of a journal, as it is kept.
fn line(seq: u64, fields: &Value) -> String {
    let fields = fields.to_string();
    let body = format!("{{\"seq\":{seq},{}", &fields[1..fields.len() - 1]);
    let check: String =
        Sha256::digest(body.as_bytes())[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{body},\"check\":\"{check}\"}}\n")
}

/// The lines of a journal without what is the journal's own.
fn bodies(path: &Path) -> Vec<Value> {
    bodies_of(&fs::read_to_string(path).unwrap())
}

fn bodies_of(lines: &str) -> Vec<Value> {
    let bodies = lines.lines().map(|line| {
        let mut body: Value = serde_json::from_str(line).unwrap();
        let fields = body.as_object_mut().unwrap();
        ["seq", "id", "check"].iter().for_each(|name| drop(fields.shift_remove(*name)));
        body
    });
    bodies.collect()
}

#[expect(clippy::disallowed_methods, reason = "the test writes what an older program has written")]
fn write(path: &Path, lines: &[Value]) {
    let lines: String = (0..).zip(lines).map(|(seq, fields)| line(seq, fields)).collect();
    fs::write(path, lines).unwrap();
}

fn investigation(machine: &Machine) -> PathBuf {
    let mut found = fs::read_dir(machine.state()).unwrap().map(|entry| entry.unwrap().path());
    found.find(|path| path.join("meta.json").exists()).unwrap()
}

/// Makes a store what an older program would have left: entries without flags, and a journal of all flags there ever were.
fn make_older(machine: &Machine, ghosts: &[Value]) {
    assert_eq!(machine.run("daemon stop").code, Some(0));
    let dir = investigation(machine);
    let mut flags = vec![json!({"kind": "flags", "format": 1, "about": dir.file_name().unwrap().to_str()})];
    flags.extend(ghosts.iter().map(|flag| json!({ "flag": flag })));
    let entries = dir.join("entries.jsonl");
    let mut lines = bodies(&entries);
    for entry in lines.iter_mut().filter_map(|line| line.get_mut("dir")) {
        let entry = entry.as_object_mut().unwrap();
        entry.insert("format".to_owned(), json!(1));
        let own = entry.shift_remove("flags").unwrap_or_default();
        flags.extend(own.as_array().into_iter().flatten().map(|flag| json!({ "flag": flag })));
    }
    write(&entries, &lines);
    write(&dir.join("flags.jsonl"), &flags);
}

/// The copy for people is made from the report again, whatever became of it.
#[test]
#[expect(clippy::disallowed_methods, reason = "the test takes away what was written")]
fn a_copy_of_the_flags_that_is_cut_is_told_and_made_again() {
    let machine = machine();
    assert_eq!(machine.run("daemon stop").code, Some(0));
    let path = investigation(&machine).join("flags.jsonl");
    let whole = fs::read_to_string(&path).unwrap();
    let first = whole.lines().next().unwrap().len() + 1;
    for left in [0, first] {
        fs::write(&path, &whole[..left]).unwrap();
        let told = machine.run("fsck");
        assert!(told.code == Some(1) && told.stdout.contains("flags.jsonl"), "{told}");
        run(&machine);
        assert_eq!(machine.run("daemon stop").code, Some(0));
        assert_eq!(bodies(&path), bodies_of(&whole));
        assert_eq!(machine.run("fsck").code, Some(0));
    }
}

#[test]
fn a_store_of_an_older_program_loses_its_ghosts_and_keeps_its_flags() {
    let machine = machine();
    let dir = investigation(&machine);
    let known = bodies(&dir.join("flags.jsonl"));
    let ghosts: Vec<Value> = known[1..].iter().map(|line| line["flag"].clone()).collect();
    machine.write("project/src/a.py", "gh = os.environ[\"GH\"]\n");
    run(&machine);
    make_older(&machine, &ghosts);
    machine.write("project/notes/x.md", "hello\nmore\n");
    assert_eq!(critical(&machine), ["gone/a.py"]);
    machine.write("project/notes/x.md", "hello\nagain\n");
    assert_eq!(critical(&machine), ["gone/a.py"]);
    let sound = machine.run("fsck");
    assert_eq!(sound.code, Some(0), "{sound}");
}

/// Death at every write of entries and flags: whatever is there afterwards, the next run tells all.
#[test]
fn whenever_the_daemon_dies_no_flag_is_lost() {
    if !has_strace() {
        return;
    }
    let machine = Machine::new();
    let paths: Vec<String> = (0..12).map(|number| format!("d{number:02}/a.py")).collect();
    let write = |look: u32| {
        paths.iter().for_each(|path| {
            machine.write(format!("project/{path}"), format!("# look {look}\n{TOKEN}"));
        });
    };
    write(0);
    assert_eq!(critical(&machine), paths);
    let dir = investigation(&machine);
    let mut deaths = 0;
    for when in 1.. {
        assert_eq!(machine.run("daemon stop").code, Some(0));
        write(when);
        let (entries, flags) = (dir.join("entries.jsonl"), dir.join("flags.jsonl"));
        let strace = format!(
            "exec strace -f -qq -o /dev/null -e signal=none -P {} -P {} -e trace=write,rename,renameat2 \
             -e inject=write,rename,renameat2:signal=SIGKILL:when={when} $CTL daemon serve --home {}",
            entries.display(),
            flags.display(),
            machine.state().display()
        );
        let daemon = machine.shell(&strace).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        until(|| UnixStream::connect(machine.state().join("run/control.sock")).is_ok());
        let _ = finish(&mut machine.command(&["run", ".", "--offline", "--quiet"]), PATIENCE);
        let has_died = was_killed(&machine, daemon);
        deaths += u32::from(has_died);
        assert_eq!(critical(&machine), paths, "death at write {when}");
        if !has_died {
            break;
        }
    }
    println!("{deaths} deaths");
    assert!(0 < deaths, "nobody died");
}

/// Whether a daemon under strace was killed, as opposed to being stopped here. Strace ends as what it traces did.
fn was_killed(machine: &Machine, mut daemon: Child) -> bool {
    machine.run("daemon stop");
    daemon.wait().unwrap().signal().is_some()
}

/// Death at any call that changes the disk, in a first run: the next one ends with the same exit code.
#[test]
fn wherever_a_first_run_dies_the_next_one_fails_on_the_same_flags() {
    if !has_strace() {
        return;
    }
    let mut deaths = 0;
    for call in ["write", "fdatasync", "fsync", "/^rename", "mkdir", "/^unlink", "/^(ftruncate|fallocate)$"] {
        for when in 1.. {
            let machine = Machine::new()
                .with_file("project/conf/deploy.py", TOKEN)
                .with_file("project/more/a.py", TOKEN)
                .with_file("project/a.py", "x = 1\n");
            let strace = format!(
                "exec strace -f --seccomp-bpf -qq -o /dev/null -e signal=none \
                 -e 'inject={call}:signal=SIGKILL:when={when}' $CTL daemon serve --home {}",
                machine.state().display()
            );
            let mut daemon =
                machine.shell(&strace).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            let socket = machine.state().join("run/control.sock");
            until(|| UnixStream::connect(&socket).is_ok() || daemon.try_wait().unwrap().is_some());
            let _ = finish(&mut machine.command(&["run", ".", "--offline", "--quiet"]), PATIENCE);
            let has_died = was_killed(&machine, daemon);
            assert_eq!(critical(&machine), ["conf/deploy.py", "more/a.py"], "death at {call} {when}");
            let sound = machine.run("fsck");
            assert_eq!(sound.code, Some(0), "death at {call} {when}: {sound}");
            if !has_died {
                break;
            }
            deaths += 1;
        }
    }
    println!("{deaths} deaths");
    assert!(10 < deaths, "{deaths}");
}
