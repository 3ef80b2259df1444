//! A directory that is watched: what changes is looked at again, and what is new is told.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::process::Stdio;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use luminos_model_server::Policy;
use rustix::process::{Pid, Signal, kill_process};

use crate::machine::Machine;
use crate::site::{PATIENCE, Site, project};

/// Lines as they come.
fn lines(stream: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                return;
            }
        }
    });
    receiver
}

#[track_caller]
fn until(lines: &Receiver<String>, wanted: &str) -> String {
    let mut seen = String::new();
    while let Ok(line) = lines.recv_timeout(PATIENCE) {
        seen.push_str(&line);
        seen.push('\n');
        if line.contains(wanted) {
            return seen;
        }
    }
    panic!("`{wanted}` never came:\n{seen}");
}

#[test]
fn a_change_is_looked_into_and_told() {
    let site = Site::new(project(), Policy::default());
    let mut watch = site.command("watch --model anthropic/claude-haiku-5-5 .");
    watch.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut watch = watch.spawn().unwrap();
    let (out, err) = (lines(watch.stdout.take().unwrap()), lines(watch.stderr.take().unwrap()));
    until(&out, "5 entries were looked at");
    let before = site.dir_turns().len();
    site.machine.write("project/docs/guide.md", "# Guide\n\nBegin somewhere else.\n");
    until(&err, "changes in docs");
    let told = until(&out, "looked at again");
    assert!(told.contains("1 directory was looked at again, 4 stayed as they were"), "{told}");
    let again: Vec<_> = site.dir_turns().into_iter().map(|(dir, _)| dir).collect();
    let count = |wanted: &str| again.iter().filter(|dir| *dir == wanted).count();
    assert!(before < again.len());
    assert!(count("docs") == 8 && count("src") == 4 && count("tests") == 4, "{again:?}");
    // A file that is saved as it was is no change: nobody hears of it before the next one that is.
    let text = fs::read(site.machine.project().join("tests/all.rs")).unwrap();
    site.machine.write("project/tests/all.rs", text);
    site.machine.write("project/new/a.rs", "fn a() {}\n");
    until(&out, "looked at again");
    assert_eq!(site.entry("new")["relative_path"], "new");
    assert_eq!(site.dir_turns().iter().filter(|(dir, _)| dir == "tests").count(), 4);
    kill_process(Pid::from_child(&watch), Signal::INT).unwrap();
    assert_eq!(watch.wait().unwrap().code(), Some(130));
}

/// A flag that was mended does not come back with the next change, and one that stays is not told anew.
#[test]
fn a_mended_flag_is_told_once_and_stays_away() {
    let token = "gh = \"ghp_p8Qv3xW7mT2kR9sLd4Yh6NbC1jF5gZ0uAeXi\"\n";
    let machine = Machine::new()
        .with_file("project/src/a.py", token)
        .with_file("project/lib/b.py", token)
        .with_file("project/notes/x.md", "hello\n");
    let mut watch = machine.command(&["watch", "--offline", "--quiet", "."]);
    watch.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut watch = watch.spawn().unwrap();
    let out = lines(watch.stdout.take().unwrap());
    until(&out, "What this rests on");
    machine.write("project/src/a.py", "gh = os.environ[\"GH\"]\n");
    let told = until(&out, "no longer: critical: src/a.py");
    assert!(!told.contains("new flag"), "{told}");
    // The other one moves by a line, and is the same.
    machine.write("project/lib/b.py", format!("import os\n{token}"));
    until(&out, "looked at again");
    machine.write("project/notes/x.md", "hello\nmore\n");
    let told = until(&out, "looked at again");
    assert!(!told.contains("new flag") && !told.contains("no longer"), "{told}");
    let flags = machine.run("flags --json").stdout;
    assert!(flags.contains("lib/b.py") && !flags.contains("src/a.py"), "{flags}");
    kill_process(Pid::from_child(&watch), Signal::INT).unwrap();
    assert_eq!(watch.wait().unwrap().code(), Some(130));
}
