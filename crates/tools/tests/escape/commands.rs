//! Commands that misbehave, with the policy out of the way.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use luminos_tools::command::{self, Commands};
use luminos_tools::sandbox::{Cage, CageRules, End, Level, Limits, Outcome, Start, probe};

use crate::theatre::{Theatre, User, users};

/// Runs something in a cage, at the level that this machine has.
fn run(theatre: &Theatre, program: &Path, arguments: &[&str], limits: Limits) -> Outcome {
    let root = File::open(theatre.target()).unwrap();
    let mut executable = command::programs();
    executable.push(program.to_owned());
    let executable: Vec<&Path> = executable.iter().map(PathBuf::as_path).collect();
    let cage =
        Cage::new(&probe(), &CageRules { readable: &[root.as_fd()], executable: &executable }).unwrap();
    let mut all = vec![program.as_os_str()];
    all.extend(arguments.iter().map(OsStr::new));
    cage.run(&Start { program, arguments: &all, working_directory: root.as_fd(), limits }).unwrap()
}

/// The tests of this machine's sandbox need one; that there is none is tested by hiding it.
fn has_sandbox() -> bool {
    Level::L0 < probe().level
}

#[test]
fn what_the_policy_refuses_does_no_harm_without_it() {
    if !has_sandbox() {
        return assert!(Commands::new(&probe(), &[]).is_err());
    }
    let theatre = Theatre::set_up(User::Same);
    let names = || {
        let mut names: Vec<_> = ["target", "outside"]
            .into_iter()
            .flat_map(|dir| fs::read_dir(theatre.path().join(dir)).unwrap())
            .map(|entry| entry.unwrap().path())
            .collect();
        names.sort();
        names
    };
    let (before, text) = (names(), fs::read_to_string(theatre.target().join("hello.txt")).unwrap());
    let made = theatre.path().join("outside/made");
    let made = made.to_str().unwrap();
    let secret = theatre.path().join("outside/secret");
    let secret = secret.to_str().unwrap();
    for line in [
        "find . -exec /bin/sh -c id ;",
        "find . -execdir wc hello.txt ;",
        "find . -delete",
        "find . -fprint MADE",
        "find . -fprintf made %p",
        "find . -fls made",
        "find -files0-from SECRET",
        "sort -o made hello.txt",
        "sort -o MADE hello.txt",
        "sort -o hello.txt hello.txt",
        "sort --compress-program=/bin/sh -S 1k evil.bin",
        "sort SECRET",
        "uniq hello.txt made",
        "uniq hello.txt MADE",
        "grep -f SECRET hello.txt",
        "grep -r . ..",
        "grep -R secret .",
        "grep . SECRET link-out /etc/passwd",
        "file -C -m hello.txt",
        "file -m SECRET hello.txt",
        "file -f SECRET",
        "wc --files0-from=SECRET",
        "du --files0-from=SECRET",
        "head -n 5 SECRET link-out",
        "tail -c 5 ../outside/secret",
    ] {
        let line = line.replace("MADE", made).replace("SECRET", secret);
        let words: Vec<&str> = line.split_whitespace().collect();
        let program = command::Program::named(words[0]).unwrap().path().unwrap();
        let outcome = run(&theatre, &program, &words[1..], Limits::default());
        let said = String::from_utf8_lossy(&[outcome.stdout, outcome.stderr].concat()).into_owned();
        assert!(
            !said.contains(&theatre.secret()) && !said.contains("uid=") && !said.contains("root:"),
            "{line}: {said}"
        );
        assert_eq!(names(), before, "{line}: {said}");
        assert_eq!(fs::read_to_string(theatre.target().join("hello.txt")).unwrap(), text, "{line}: {said}");
    }
}

#[test]
fn who_talks_too_much_is_cut_off() {
    if !has_sandbox() {
        return assert!(Commands::new(&probe(), &[]).is_err());
    }
    let theatre = Theatre::set_up(User::Same);
    let program = theatre.path().join("probe");
    let limits = Limits { time: Duration::from_secs(60), ..Limits::default() };
    let outcome = run(&theatre, &program, &["flood"], limits);
    assert_eq!((outcome.end, outcome.truncated()), (End::Flooded, true));
    assert_eq!((outcome.stdout.len(), outcome.stderr.len()), (limits.output, 0));
    let outcome = run(&theatre, &program, &["flood-errors"], limits);
    assert_eq!((outcome.end, outcome.truncated()), (End::Flooded, true));
    assert_eq!((outcome.stdout.len(), outcome.stderr.len()), (0, limits.output));
    assert!(outcome.took < limits.time / 2, "{:?}", outcome.took);
}

/// How many processes have this word among their arguments.
fn processes_with(word: &str) -> usize {
    let with = |path: PathBuf| {
        let line = fs::read(path.join("cmdline")).unwrap_or_default();
        line.split(|byte| *byte == 0).any(|argument| argument == word.as_bytes())
    };
    fs::read_dir("/proc").unwrap().filter(|entry| with(entry.as_ref().unwrap().path())).count()
}

/// A word that no other process has.
fn unlikely(theatre: &Theatre) -> String {
    format!("mark-{}", theatre.path().file_name().unwrap().display())
}

#[track_caller]
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(20);
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::yield_now();
    }
}

#[test]
fn who_takes_too_long_is_ended_whatever_it_does() {
    if !has_sandbox() {
        return assert!(Commands::new(&probe(), &[]).is_err());
    }
    let theatre = Theatre::set_up(User::Same);
    let program = theatre.path().join("probe");
    let limits = Limits { time: Duration::from_millis(300), ..Limits::default() };
    for role in ["burn", "linger"] {
        let mark = unlikely(&theatre);
        let outcome = run(&theatre, &program, &[role, &mark], limits);
        assert_eq!((outcome.end, outcome.truncated()), (End::TimedOut, false), "{role}");
        assert!(limits.time <= outcome.took, "{role}: {:?}", outcome.took);
        assert_eq!(processes_with(&mark), 0, "{role} is still there");
    }
    let limits = Limits { cpu_seconds: 1, ..Limits::default() };
    assert!(matches!(run(&theatre, &program, &["burn"], limits).end, End::Signalled(_)));
}

/// A worker that runs a command without end, and the word that both have among their arguments.
fn endless(theatre: &Theatre, before: &[&str]) -> (Child, String) {
    let mark = unlikely(theatre);
    let stage = format!("stage={}", theatre.path().display());
    let arguments = [before, &["worker=L3", "in=hold", &stage, "linger", &mark]].concat();
    let child = theatre.probe(&arguments).stdin(Stdio::null()).spawn().unwrap();
    wait_until("the command has begun", || processes_with(&mark) == 2 + before.len());
    (child, mark)
}

#[test]
fn a_command_dies_with_its_worker() {
    for user in users().into_iter().filter(|_| has_sandbox()) {
        let theatre = Theatre::set_up(user);
        let (mut worker, mark) = endless(&theatre, &[]);
        worker.kill().unwrap();
        worker.wait().unwrap();
        wait_until("nothing is left", || processes_with(&mark) == 0);
    }
}

#[test]
fn a_worker_dies_with_its_parent() {
    for user in users().into_iter().filter(|_| has_sandbox()) {
        let theatre = Theatre::set_up(user);
        let (mut parent, mark) = endless(&theatre, &["parent"]);
        parent.kill().unwrap();
        parent.wait().unwrap();
        wait_until("nothing is left", || processes_with(&mark) == 0);
    }
}

#[test]
fn nobody_sees_the_environment_that_a_worker_was_started_with() {
    for user in users().into_iter().filter(|_| has_sandbox()) {
        let theatre = Theatre::set_up(user);
        let (mut worker, mark) = endless(&theatre, &[]);
        let seen = fs::read(format!("/proc/{}/environ", worker.id()));
        // Little is hidden from root, so it must not be there any more.
        assert!(user == User::Root || seen.is_err() || rustix::process::geteuid().is_root(), "{user:?}");
        assert!(!contains(&seen.unwrap_or_default(), b"LUMINOS_ESCAPE_KEY"), "{user:?}");
        worker.kill().unwrap();
        worker.wait().unwrap();
        wait_until("nothing is left", || processes_with(&mark) == 0);
    }
}

fn contains(bytes: &[u8], word: &[u8]) -> bool {
    bytes.windows(word.len()).any(|window| window == word)
}

#[test]
fn a_command_inherits_three_descriptors_and_four_variables() {
    if !has_sandbox() {
        return assert!(Commands::new(&probe(), &[]).is_err());
    }
    let theatre = Theatre::set_up(User::Same);
    let outcome = run(&theatre, &theatre.path().join("probe"), &["inheritance"], Limits::default());
    insta::assert_snapshot!(String::from_utf8(outcome.stdout).unwrap(), @r"
    [0, 1, 2]
    PATH=/usr/bin:/bin
    LANG=C.UTF-8
    LC_ALL=C.UTF-8
    TZ=UTC0
    ");
}

const LINES: &str = "wc -l hello.txt\nfile -b hello.txt\ngrep -rn world --include=*.txt .\nhead -1 hello.txt\n\
    tail -n 1 hello.txt\nstat -c %s hello.txt\ndu -b hello.txt\nfind . -name *.txt\nsort -u hello.txt\n\
    uniq -c hello.txt\ngrep nothing hello.txt\nwc link-out\nls\nfind . -delete\n";

#[test]
fn every_program_works_at_every_level() {
    for user in users().into_iter().filter(|_| has_sandbox()) {
        for level in ["worker=L1", "worker=L2", "worker=L3"] {
            let theatre = Theatre::set_up(user);
            let output = theatre.role(&[level, "in=commands"], LINES);
            let said = String::from_utf8(output.stdout).unwrap();
            insta::allow_duplicates! {
                insta::assert_snapshot!(said, @r#"
                Exited(0) "3 hello.txt\n" ""
                Exited(0) "ASCII text\n" ""
                Exited(0) "./hello.txt:2:world\n" ""
                Exited(0) "hello\n" ""
                Exited(0) "hello\n" ""
                Exited(0) "18\n" ""
                Exited(0) "18\thello.txt\n" ""
                Exited(0) "./hello.txt\n" ""
                Exited(0) "hello\nworld\n" ""
                Exited(0) "      1 hello\n      1 world\n      1 hello\n" ""
                Exited(1) "" ""
                Exited(1) "" "wc: link-out: Permission denied\n"
                "ls" is not offered: the programs are wc, file, grep, head, tail, stat, du, find, sort, uniq; there is no shell
                find -delete is refused: it removes files, and nothing is changed here
                "#);
            }
        }
    }
}

#[test]
fn root_reads_what_is_its_right_and_nothing_if_it_is_nobody() {
    for user in users().into_iter().filter(|user| has_sandbox() && *user == User::Root) {
        use std::os::unix::fs::PermissionsExt as _;
        let theatre = Theatre::set_up(user);
        let hidden = theatre.target().join("hidden");
        crate::theatre::write(&hidden, "1\n");
        fs::set_permissions(&hidden, fs::Permissions::from_mode(0o600)).unwrap();
        std::os::unix::fs::chown(&hidden, Some(12345), Some(12345)).unwrap();
        let said = |arguments: &[&str]| {
            let output = theatre.role(arguments, "wc -l hidden\n");
            String::from_utf8(output.stdout).unwrap()
        };
        assert_eq!(said(&["worker=L3", "in=commands"]), "Exited(0) \"1 hidden\\n\" \"\"\n");
        let refused = "Exited(1) \"\" \"wc: hidden: Permission denied\\n\"\n";
        assert_eq!(said(&["worker=L3", "as=65534", "in=commands"]), refused);
    }
}
