//! A small project of the kind people have, always with the same times, and ways to ask about it.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;
use std::time::{Duration, SystemTime};

use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, utimensat};
use serde_json::Value;

use crate::machine::{Machine, Run};

/// 2026-11-16 03:00 UTC.
const START: u64 = 1_794_798_000;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";

const PAGE: &str = "<html>\n<!-- A page. -->\n<script>\nlet x = 1;\n</script>\n</html>\n";

const MAIN: &str = "// Greets.\nmod greet;\n\nfn main() {\n    greet::all();\n}\n";

/// What is in it, the last modified first.
const FILES: &[(&str, &[u8])] = &[
    ("src/main.rs", MAIN.as_bytes()),
    ("src/greet/words.rs", b"pub const HELLO: &str = \"hello\";\n"),
    ("Cargo.toml", b"[package]\nname = \"hello\"\n\n[dependencies]\n"),
    ("README.md", b"# Hello\n\nSays hello.\n"),
    ("web/index.html", PAGE.as_bytes()),
    ("tools/run", b"#!/bin/sh\n# Says hello.\necho hello\n"),
    ("data/names.csv", b"name\nAda\n"),
    ("logo.png", PNG),
    ("index", b"SQLite format 3\0"),
    (".gitignore", b"*.log\n/out\n"),
    (".editorconfig", b"root = true\n"),
    ("debug.log", b"hello\n"),
    ("out/page.html", b"<p>\n"),
    ("node_modules/left/index.js", b"left();\n"),
    ("target/debug/hello", b"\x7fELF"),
];

/// The project, in the current directory.
pub(crate) fn typical() -> Machine {
    let machine = of_files(FILES);
    let project = machine.project();
    fs::set_permissions(project.join("tools/run"), fs::Permissions::from_mode(0o755)).unwrap();
    let link = project.join("latest");
    symlink("src/main.rs", &link).unwrap();
    let time = Timespec { tv_sec: START as i64, tv_nsec: 0 };
    let times = Timestamps { last_access: time, last_modification: time };
    utimensat(CWD, link, &times, AtFlags::SYMLINK_NOFOLLOW).unwrap();
    machine
}

/// A project of these files; each was modified a minute before the one above.
pub(crate) fn of_files(files: &[(&str, &[u8])]) -> Machine {
    let mut machine = Machine::new();
    for (minutes, (path, content)) in (0..).zip(files) {
        let path = Path::new("project").join(path);
        machine = machine.with_file(&path, content);
        set_modified(&machine.home().join(path), minutes);
    }
    machine
}

/// Sets when a file was modified, in minutes before 04:00.
pub(crate) fn set_modified(path: &Path, minutes: u64) {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(START + (60 - minutes) * 60);
    File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}

/// The report in JSON.
pub(crate) fn json(machine: &Machine, arguments: &str) -> Value {
    report(&machine.run(&format!("scan --json {arguments}")))
}

/// The report that a run printed as JSON.
#[track_caller]
pub(crate) fn report(run: &Run) -> Value {
    assert_eq!(run.code, Some(0), "{run}");
    let report: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["schema"], "luminos.scan/1");
    report
}

/// The paths of all files in a report.
pub(crate) fn files(report: &Value) -> Vec<&str> {
    strings(&report["files"], "path")
}

/// One field of each object in an array.
pub(crate) fn strings<'a>(array: &'a Value, field: &str) -> Vec<&'a str> {
    array.as_array().unwrap().iter().map(|object| object[field].as_str().unwrap()).collect()
}

/// A report with a line break after the path, however long the path to the test's directory is.
pub(crate) fn broken_header(run: &Run) -> String {
    run.to_string().replace("[ROOT]/home/project · ", "[ROOT]/home/project\n")
}
