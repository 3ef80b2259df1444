//! How fast the tools are: `read_file` in microseconds, `search` as a ratio to `rg` within one run.
//!
//! `LUMINOS_BENCH_TREE` names one or more trees to search, separated by colons; without it a tree of 10,000 files is
//! made. Both searchers are processes of their own, rounds are interleaved, and what is printed is the median.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark prints, makes files, starts processes, and stops at the first surprise"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use luminos_core::talk::{Arguments, ToolCall};
use luminos_core::{Fence, RelPath};
use luminos_tools::{Limits, Outcome, Root, Scope, Session};
use serde_json::{Value, json};

const ROUNDS: usize = 9;
const READS: usize = 20_000;

/// Patterns that occur so rarely that the whole tree must be searched: a word, a class, alternatives.
const PATTERNS: [&str; 3] =
    ["unlikely_word_here", r"[A-Z]{5}_[0-9]{7}[a-z]", r"(?i)\b(leap second|daylight-saving)s\b"];

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    if let (Some(tree), Some(pattern)) = (arguments.next(), arguments.next()) {
        println!("{}", searched(Path::new(&tree), &pattern));
        return;
    }
    let scratch = tempfile::tempdir().unwrap();
    read_file(scratch.path());
    let trees: Vec<PathBuf> = match std::env::var_os("LUMINOS_BENCH_TREE") {
        Some(trees) => std::env::split_paths(&trees).collect(),
        None => vec![made(&scratch.path().join("tree"))],
    };
    println!("\n{:<12} {:<42} {:>9} {:>9} {:>6}  files", "tree", "pattern", "rg ms", "ours ms", "ratio");
    for tree in &trees {
        for pattern in PATTERNS {
            search(tree, pattern);
        }
    }
}

fn session(target: &Path) -> Session {
    let root = Arc::new(Root::open(target).unwrap());
    Session::new(Scope::Dir, Fence::new(7), Limits::default()).in_directory(root, RelPath::root())
}

fn call(session: &mut Session, name: &str, arguments: &Value) -> String {
    session.begin_turn();
    let arguments = Arguments::parse(&arguments.to_string());
    let call = ToolCall { id: "bench".to_owned(), name: name.to_owned(), arguments };
    match session.call(&call) {
        Outcome::Result { text, failed, .. } => {
            assert!(!failed, "{text}");
            text
        }
        Outcome::Submit { submission, .. } => format!("{submission:?}"),
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// The time of one call, from the arguments as text to the result, for a file seen before and for new ones.
fn read_file(scratch: &Path) {
    let target = scratch.join("files");
    std::fs::create_dir_all(target.join("some/directory")).unwrap();
    let line = "let value = compute(first, second); // of some length\n";
    let text: String = line.chars().cycle().take(4096).collect();
    for number in 0..1000 {
        std::fs::write(target.join(format!("some/directory/{number}.rs")), &text).unwrap();
    }
    let timed = |session: &mut Session, number: usize, numbered: bool| {
        let arguments = json!({"path":format!("some/directory/{number}.rs"),"numbered":numbered});
        let start = Instant::now();
        let text = call(session, "read_file", &arguments);
        let time = start.elapsed();
        assert!(4096 < text.len());
        time
    };
    let mut session = session(&target);
    let first: Vec<Duration> = (0..1000).map(|number| timed(&mut session, number, false)).collect();
    let again: Vec<Duration> = (0..READS).map(|number| timed(&mut session, number % 1000, false)).collect();
    let numbered: Vec<Duration> = (0..READS).map(|number| timed(&mut session, number % 1000, true)).collect();
    println!("read_file of 4 KB: {:?} warm, {:?} with line numbers", median(again), median(numbered));
    println!("                   {:?} the first time, with its hash", median(first));
}

/// What a search in a process of its own says.
fn searched(tree: &Path, pattern: &str) -> String {
    call(&mut session(tree), "search", &json!({"pattern":pattern}))
}

fn search(tree: &Path, pattern: &str) {
    let ours = || {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.arg(tree).arg(pattern);
        command
    };
    let theirs = || {
        let mut command = Command::new("rg");
        command.args(["--no-config", "-n", "--", pattern]).arg(tree);
        command
    };
    let timed = |mut command: Command| {
        let start = Instant::now();
        let output = command.stderr(Stdio::null()).output().unwrap();
        (start.elapsed(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (mut our_times, mut their_times) = (Vec::new(), Vec::new());
    let (mut we_say, mut they_say) = (String::new(), String::new());
    for round in 0..=ROUNDS {
        let (our_time, ours) = timed(ours());
        let (their_time, theirs) = timed(theirs());
        // The first round warms the machine up.
        if 0 < round {
            our_times.push(our_time);
            their_times.push(their_time);
        }
        (we_say, they_say) = (ours, theirs);
    }
    let found = we_say.lines().next().unwrap_or_default().to_owned();
    assert!(found.contains("Searched: "), "the whole tree must be searched: {found}");
    let (ours, theirs) = (median(our_times).as_secs_f64(), median(their_times).as_secs_f64());
    println!(
        "{:<12} {pattern:<42} {:>9.1} {:>9.1} {:>6.2}  {} (rg: {} lines)",
        tree.file_name().unwrap_or_default().to_string_lossy(),
        theirs * 1e3,
        ours * 1e3,
        ours / theirs,
        found,
        they_say.lines().count()
    );
}

/// A tree of 10,000 files of source-like text.
fn made(tree: &Path) -> PathBuf {
    let words = ["fn", "let", "return", "value", "struct", "if", "else", "match", "self", "mut"];
    for number in 0..10_000usize {
        let directory = tree.join(format!("d{}/e{}", number % 40, number % 7));
        std::fs::create_dir_all(&directory).unwrap();
        let line =
            |at: usize| format!("    {} x{} = {};\n", words[(number + at) % 10], at, number * at % 977);
        let text: String = (0..150).map(line).collect();
        std::fs::write(directory.join(format!("f{number}.rs")), text).unwrap();
    }
    tree.to_owned()
}
