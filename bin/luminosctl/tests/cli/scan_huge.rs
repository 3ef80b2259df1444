//! Targets that are too wide, or too deep, for a careless walk.

use std::fs;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, linkat, mkdirat, mknodat, openat, statvfs};
use serde_json::Value;
use tempfile::TempDir;

use crate::machine::{Machine, finish};
use crate::project::report;

const DIR: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
const FILE_MODE: Mode = Mode::RUSR.union(Mode::WUSR);

/// A target that goes away in reasonable time: the library's own removal holds a descriptor for each level.
struct Huge {
    dir: TempDir,
}

impl Huge {
    /// In memory, where there is room for this many entries.
    fn new(entries: u64) -> Self {
        let memory = Path::new("/dev/shm");
        let has_room = statvfs(memory).is_ok_and(|found| entries < found.f_favail);
        let dir = if has_room { TempDir::new_in(memory) } else { TempDir::new() };
        Self { dir: dir.unwrap() }
    }

    fn open(&self) -> OwnedFd {
        openat(CWD, self.dir.path(), DIR, Mode::empty()).unwrap()
    }

    fn path(&self) -> PathBuf {
        self.dir.path().to_owned()
    }
}

impl Drop for Huge {
    #[expect(clippy::disallowed_methods, reason = "a test cleans up what the library cannot")]
    fn drop(&mut self) {
        let _ = std::process::Command::new("rm").arg("-rf").arg(self.dir.path()).status();
        let _ = fs::create_dir(self.dir.path());
    }
}

fn make_file(dir: impl AsFd, name: &str) {
    mknodat(dir, name, FileType::RegularFile, FILE_MODE, 0).unwrap();
}

fn make_dir(dir: impl AsFd, name: &str) -> OwnedFd {
    mkdirat(&dir, name, Mode::RWXU).unwrap();
    openat(&dir, name, DIR, Mode::empty()).unwrap()
}

/// V14: a million entries in one directory.
#[test]
fn a_million_entries_give_a_short_report_in_little_memory() {
    const ENTRIES: u64 = 1_000_000;
    /// File systems allow only so many names for one file.
    const NAMES_OF_A_FILE: u64 = 50_000;

    let huge = Huge::new(ENTRIES + 10);
    let dir = huge.open();
    let mut first = String::new();
    for number in 0..ENTRIES {
        let name = format!("{number:06}.txt");
        if number % NAMES_OF_A_FILE == 0 {
            make_file(&dir, &name);
            first = name;
        } else {
            linkat(&dir, &*first, &dir, &*name, AtFlags::empty()).unwrap();
        }
    }
    let machine = Machine::new();
    let path = huge.path();
    let run = |arguments: &[&str]| {
        let mut command = machine.command(arguments);
        machine.ended(finish(command.arg(&path), Duration::from_secs(110)))
    };
    let text = run(&["scan"]);
    assert_eq!((text.code, &*text.stderr), (Some(0), ""));
    assert!(text.stdout.contains("1,000,000 files"), "{text}");
    assert!(text.stdout.lines().count() < 100, "{text}");
    let json = run(&["scan", "--json"]);
    assert!(json.stdout.len() < 1_000_000, "{} bytes", json.stdout.len());
    assert_eq!(report(&json)["totals"]["files"], ENTRIES);

    // Of all children so far, the largest.
    let peak = getrusage(UsageWho::RUSAGE_CHILDREN).unwrap().max_rss();
    assert!(peak < 600_000, "{peak} KB");
}

/// Runs a scan that may hold 40 descriptors, and no more.
#[track_caller]
fn scan_with_few_descriptors(machine: &Machine, target: &Path, arguments: &str) -> Value {
    let script = format!("ulimit -n 40; exec $CTL scan --json {arguments} {}", target.to_str().unwrap());
    report(&machine.ended(finish(&mut machine.shell(&script), Duration::from_secs(120))))
}

/// V13: deeper than a path may be long, and much deeper than there are descriptors. On the way down, siblings
/// wait at each level.
#[test]
fn five_thousand_levels_with_siblings_need_few_descriptors() {
    // The cost grows with the square of the depth: once is enough.
    for (levels, threads) in [(500, 1), (500, 2), (5_000, 8)] {
        check_deep(levels, threads);
    }
}

#[track_caller]
fn check_deep(levels: u64, threads: usize) {
    let huge = Huge::new(4 * levels);
    let mut at = huge.open();
    for _ in 0..levels {
        make_dir(&at, "a");
        make_dir(&at, "z");
        at = make_dir(&at, "deep");
    }
    make_file(&at, "bottom.rs");
    let machine = Machine::new();
    let report = scan_with_few_descriptors(&machine, &huge.path(), &format!("--threads {threads}"));
    assert_eq!(report["problems"], Value::Array(Vec::new()), "{threads} threads");
    assert_eq!(report["totals"]["directories"], 3 * levels + 1);
    assert_eq!(report["totals"]["files"], 1);
    assert_eq!(report["totals"]["max_depth"], levels);
}

/// What waits at each level must not remember its whole path: together those would fill gigabytes.
#[test]
fn long_names_on_many_levels_need_little_memory() {
    const LEVELS: u64 = 3_000;

    let huge = Huge::new(2 * LEVELS);
    let mut at = huge.open();
    let long = "n".repeat(250);
    for _ in 0..LEVELS {
        make_dir(&at, "a");
        at = make_dir(&at, &long);
    }
    let machine = Machine::new();
    let path = huge.path();
    let script = format!("ulimit -v 400000; exec $CTL scan --threads 1 {}", path.to_str().unwrap());
    let run = machine.ended(finish(&mut machine.shell(&script), Duration::from_secs(60)));
    assert_eq!((run.code, &*run.stderr), (Some(0), ""));
    assert!(run.stdout.contains("6,001 directories"), "{run}");
    assert!(!run.stdout.contains("Problems"), "{run}");
}

/// Directories with so many files that threads share them are held open, too.
#[test]
fn wide_levels_need_few_descriptors() {
    const LEVELS: u64 = 100;
    const FILES: u64 = 600;

    let huge = Huge::new(2 * LEVELS * (FILES + 1));
    let mut at = huge.open();
    for _ in 0..LEVELS {
        for dir in [make_dir(&at, "a"), make_dir(&at, "deep")] {
            (0..FILES).for_each(|number| make_file(&dir, &number.to_string()));
            at = dir;
        }
    }
    let machine = Machine::new();
    for threads in [1, 2, 8] {
        let report = scan_with_few_descriptors(&machine, &huge.path(), &format!("--threads {threads}"));
        assert_eq!(report["problems"], Value::Array(Vec::new()), "{threads} threads");
        assert_eq!(report["totals"]["files"], 2 * LEVELS * FILES);
    }
}
