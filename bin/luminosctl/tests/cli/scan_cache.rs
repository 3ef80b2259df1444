//! Scans that build on earlier ones, and state directories that cannot be used.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use insta::assert_snapshot;

use crate::machine::Machine;
use crate::project::{broken_header, set_modified, typical};

const STATE: &str = ".local/state/luminos";

/// Waits until a scan may trust that no file of the project changes in the same tick of the clock again.
fn let_it_settle(machine: &Machine) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while newest(&machine.project()) + Duration::from_millis(2_100) > SystemTime::now() {
        assert!(Instant::now() < deadline, "the project never settles");
        thread::sleep(Duration::from_millis(50));
    }
}

/// When anything in a directory last changed.
fn newest(dir: &Path) -> SystemTime {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    let times = entries.map(|path| {
        let found = fs::symlink_metadata(&path).unwrap();
        if found.is_dir() {
            return newest(&path);
        }
        SystemTime::UNIX_EPOCH + Duration::new(found.ctime() as u64, found.ctime_nsec() as u32)
    });
    times.max().unwrap_or(SystemTime::UNIX_EPOCH)
}

/// The files that scans keep.
fn caches(machine: &Machine) -> Vec<PathBuf> {
    let dir = machine.home().join(STATE).join("scan");
    fs::read_dir(dir).map_or(Vec::new(), |entries| entries.map(|entry| entry.unwrap().path()).collect())
}

#[test]
fn with_and_without_memory_the_report_is_the_same() {
    let machine = typical();
    let_it_settle(&machine);
    let run = |arguments: &str| {
        let run = machine.run(&format!("scan {arguments}"));
        assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{arguments}");
        run.stdout
    };
    for form in ["", "--json", "--json --files --why-skipped", "--why-skipped"] {
        let first = run(&format!("{form} --no-cache"));
        for arguments in ["", "", "--threads 1", "--threads 1 --no-cache", "--threads 16", "--no-cache"] {
            assert_eq!(run(&format!("{form} {arguments}")), first, "{form} {arguments}");
        }
    }
}

#[test]
fn a_second_scan_reads_nothing_and_one_after_a_change_reads_the_change() {
    let machine = typical();
    let_it_settle(&machine);
    machine.run("scan --no-cache");
    assert_eq!(caches(&machine), Vec::<PathBuf>::new());
    let first = machine.run("scan");
    let [cache] = <[PathBuf; 1]>::try_from(caches(&machine)).unwrap();
    // A cache is replaced by another file whenever a scan has read anything.
    let inode = || fs::metadata(&cache).unwrap().ino();
    let before = inode();
    assert_eq!(machine.run("scan").stdout, first.stdout);
    assert_eq!(inode(), before);

    let machine = machine.with_file("project/README.md", "# Hello\n\nSays hello, and more.\n");
    set_modified(&machine.project().join("README.md"), 0);
    let changed = machine.run("scan");
    assert_ne!(inode(), before);
    assert_eq!(changed.stdout, machine.run("scan --no-cache").stdout);
    let new_lines: Vec<String> = (changed.stdout.lines().zip(first.stdout.lines()))
        .filter(|(new, old)| new != old && !new.contains("[ROOT]"))
        .map(|(new, _)| new.to_owned())
        .collect();
    assert_snapshot!(new_lines.join("\n"), @"
    9 files · 6 directories · 315 B · 1 symlink · f5f44884
    ├── README.md  31 B
      document  1  ██▉                          11.1%       31 B
      2026-11-16 04:00  README.md
      2026-11-16 04:00  src/main.rs
      2026-11-16 03:59  src/greet/words.rs
      2026-11-16 03:58  Cargo.toml
    Largest directories  of 315 B
           88 B   27.9%  ███████▎                    src/
           62 B   19.7%  █████                       web/
           35 B   11.1%  ██▉                         tools/
           33 B   10.5%  ██▋                         src/greet/
            9 B    2.9%  ▋                           data/
    ");
}

#[expect(clippy::disallowed_methods, reason = "a test damages its own files")]
fn overwrite(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_damaged_memory_is_as_good_as_none() {
    let machine = typical();
    let_it_settle(&machine);
    let first = machine.run("scan");
    let [cache] = <[PathBuf; 1]>::try_from(caches(&machine)).unwrap();
    let whole = fs::read(&cache).unwrap();
    let mut flipped = whole.clone();
    flipped[whole.len() / 2] ^= 1;
    for damaged in [&whole[..whole.len() / 2], &flipped, b""] {
        overwrite(&cache, damaged);
        let run = machine.run("scan");
        assert_eq!((run.code, &run.stdout, &*run.stderr), (Some(0), &first.stdout, ""));
        // Threads write in any order.
        assert_eq!(fs::read(&cache).unwrap().len(), whole.len(), "it is written anew");
    }
}

/// What others may see of what was remembered: nothing.
#[test]
fn memory_is_for_its_owner_alone() {
    let machine = typical();
    machine.run("scan");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&machine.home().join(STATE)), 0o700);
    for cache in caches(&machine) {
        assert_eq!(mode(&cache), 0o600);
    }
}

/// A scan is worth more than what it remembers.
#[track_caller]
fn scan_with_home(machine: &Machine, home: &str) -> String {
    let run = machine.run(&format!("scan --home {home}"));
    let expected = machine.run("scan --no-cache");
    assert_eq!(
        (run.code, broken_header(&run).lines().count()),
        (Some(0), broken_header(&expected).lines().count() + 2)
    );
    assert_eq!(run.stdout, expected.stdout);
    run.stderr
}

#[test]
fn a_state_directory_that_cannot_be_made_is_a_warning() {
    let machine = typical().with_file("file", "");
    assert_snapshot!(scan_with_home(&machine, "../file"), @"warning: cannot use the state directory `[ROOT]/home/project/../file`: File exists (os error 17); the next scan will read every file again (hint: --home names another state directory)");
    assert_snapshot!(scan_with_home(&machine, "../file/state"), @"warning: cannot use the state directory `[ROOT]/home/project/../file/state`: Not a directory (os error 20); the next scan will read every file again (hint: --home names another state directory)");
    assert_snapshot!(scan_with_home(&machine, "/proc/luminos"), @"warning: cannot use the state directory `/proc/luminos`: No such file or directory (os error 2); the next scan will read every file again (hint: --home names another state directory)");
}

#[test]
fn a_state_directory_open_to_others_is_a_warning() {
    let machine = typical().with_file("state/file", "");
    let state = machine.home().join("state");
    fs::set_permissions(&state, fs::Permissions::from_mode(0o777)).unwrap();
    assert_snapshot!(scan_with_home(&machine, "../state"), @"warning: the state directory `[ROOT]/home/project/../state` is not safe: other users can write to it; the next scan will read every file again (hint: --home names another state directory)");
    assert_eq!(fs::read_dir(&state).unwrap().count(), 1);
}

#[test]
fn a_memory_that_cannot_be_written_is_a_warning() {
    let machine = typical().with_file("state/scan", "");
    let warning = scan_with_home(&machine, "../state");
    let name = warning.split("/scan/").nth(1).unwrap().split(".cache").next().unwrap();
    assert_snapshot!(warning.replace(name, "[ID]"), @"warning: cannot write `[ROOT]/home/project/../state/scan/[ID].cache`: File exists (os error 17); the next scan will read every file again (hint: --home names another state directory)");
}

#[test]
fn the_state_directory_itself_is_no_target() {
    let machine = typical();
    machine.run("scan");
    assert_snapshot!(machine.run("scan ../.local/state/luminos/scan"), @"
    exit code: 1
    ---- stderr
    error: `[ROOT]/home/.local/state/luminos/scan` lies inside the state directory of Luminos

    hint: choose another directory, or move the state directory with --home
    ");
    let run = machine.run("scan .. -a --why-skipped");
    assert!(
        run.stdout.contains("the state directory of Luminos itself  1\n  .local/state/luminos\n"),
        "{run}"
    );
}
