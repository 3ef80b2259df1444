//! How fast a whole investigation without a model is, as ratios within one run: absolute times do not travel.
//!
//! Build both programs first: `cargo build --release && cargo bench -p luminosctl`. Rounds are interleaved, every
//! measurement has a state directory and a daemon of its own, and what is printed is the median of the ratios of each
//! round. `LUMINOS_BENCH_TREE` names a tree; without it one of 10,000 files is made. `LUMINOS_BENCH_STATE` is the
//! directory that state is kept in, for measurements without the disk.
//!
//! What a second worker gains is measured twice: with a second core for it, which is what it is for, and with two cores
//! in both cases, where the daemon has the second one to itself as long as there is one worker. How well tokei uses a
//! second core on the same tree tells what can be expected of this machine.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark prints, makes files, starts processes, and stops at the first surprise"
)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

const ROUNDS: usize = 5;
/// Files of the tree that is made, and how many lie in one directory.
const FILES: usize = 10_000;
const EACH: usize = 10;

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    if let Some(tree) = arguments.next() {
        count_lines(&tree);
        return;
    }
    let scratch = tempfile::tempdir().unwrap();
    let tree = match std::env::var_os("LUMINOS_BENCH_TREE") {
        Some(tree) => PathBuf::from(tree),
        None => make(&scratch.path().join("tree")),
    };
    let state =
        std::env::var_os("LUMINOS_BENCH_STATE").map_or_else(|| scratch.path().to_owned(), PathBuf::from);
    let mut rounds = Vec::new();
    for round in 0..=ROUNDS {
        let count = || timed(Command::new(std::env::current_exe().unwrap()).arg(&tree));
        let tokei = count();
        let tokei_on_one = on_one_core(count);
        let (one, _, _) = investigate(&tree, &state.join("one"), 1);
        let (one_on_one, _, _) = on_one_core(|| investigate(&tree, &state.join("one"), 1));
        let (two, unchanged, memory) = investigate(&tree, &state.join("two"), 2);
        // The first round only warms the caches.
        if 0 < round {
            let gains = [one_on_one / two, tokei_on_one / tokei, one / two];
            let [cores, yardstick, workers] = gains;
            rounds.push([two / tokei, cores, yardstick, workers, unchanged / tokei, memory, two]);
        }
    }
    println!("{} on {}", env!("CARGO_PKG_NAME"), tree.display());
    for (at, name) in [
        "whole run / tokei, wall          (must 8, aim 4)",
        "1 worker, 1 core / 2 workers, 2 cores (must 1.7)",
        "tokei, 1 core / 2 cores",
        "1 worker / 2 workers, 2 cores for both",
        "unchanged run / tokei, wall",
        "most memory of a worker, MB      (must 200)",
        "whole run, seconds",
    ]
    .into_iter()
    .enumerate()
    {
        let mut values: Vec<f64> = rounds.iter().map(|round| round[at]).collect();
        values.sort_by(f64::total_cmp);
        println!("{name:<50} {:.2} ({:.2}–{:.2})", values[ROUNDS / 2], values[0], values[ROUNDS - 1]);
    }
}

/// Does something with one core, for this process and all it starts.
fn on_one_core<T>(work: impl FnOnce() -> T) -> T {
    let all = sched_getaffinity(None).unwrap();
    let first = (0..CpuSet::MAX_CPU).find(|core| all.is_set(*core)).unwrap();
    let mut one = CpuSet::new();
    one.set(first);
    sched_setaffinity(None, &one).unwrap();
    let done = work();
    sched_setaffinity(None, &all).unwrap();
    done
}

/// What tokei does, in a process of its own.
fn count_lines(tree: &str) {
    let mut languages = tokei::Languages::new();
    languages.get_statistics(&[tree], &[".git"], &tokei::Config::default());
    println!("{}", languages.total().code);
}

fn timed(command: &mut Command) -> f64 {
    let start = Instant::now();
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    start.elapsed().as_secs_f64()
}

/// Seconds of a first run and of one where nothing has changed; the most memory that one worker had.
fn investigate(tree: &Path, home: &Path, workers: u32) -> (f64, f64, f64) {
    let program = Path::new(env!("CARGO_BIN_EXE_luminosctl"));
    let run = || {
        let mut command = Command::new(program);
        command.args(["run", "--quiet", "--workers", &workers.to_string()]).arg(tree);
        command.env("LUMINOS_HOME", home);
        timed(&mut command)
    };
    let is_over = AtomicBool::new(false);
    let (first, memory) = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut most = 0;
            while !is_over.load(Ordering::Relaxed) {
                most = most.max(largest_worker(&program.with_file_name("luminosd")));
                std::thread::sleep(Duration::from_millis(50));
            }
            most
        });
        let first = run();
        is_over.store(true, Ordering::Relaxed);
        (first, watcher.join().unwrap_or(0))
    });
    let unchanged = run();
    let _ = Command::new(program).args(["daemon", "stop"]).env("LUMINOS_HOME", home).output();
    let _ = std::fs::remove_dir_all(home);
    (first, unchanged, memory as f64 / 1024.0)
}

/// The peak of the largest worker of this very program, in KB.
fn largest_worker(program: &Path) -> u64 {
    let is_worker = |dir: &Path| {
        let line = std::fs::read(dir.join("cmdline")).unwrap_or_default();
        let mut words = line.split(|byte| *byte == 0);
        words.next() == Some(program.as_os_str().as_encoded_bytes()) && words.next() == Some(b"worker")
    };
    let processes = std::fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let peaks = processes.filter(|dir| is_worker(dir)).filter_map(|dir| {
        let status = std::fs::read_to_string(dir.join("status")).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.trim().trim_end_matches(" kB").parse().ok()
    });
    peaks.max().unwrap_or(0)
}

/// A repository as there are many: modules that import each other, with their tests.
fn make(tree: &Path) -> PathBuf {
    for number in 0..FILES {
        let dir = tree.join(format!("src/part{}/module{}", number / (EACH * 20), number / EACH));
        std::fs::create_dir_all(&dir).unwrap();
        let mut text =
            format!("\"\"\"Module number {number}: it keeps what belongs to it.\"\"\"\n\nimport os\n\n");
        let _ =
            writeln!(text, "from src.part0.module0.file{} import Thing{}\n", number % EACH, number % EACH);
        let _ = writeln!(text, "class Thing{number}:\n    \"\"\"A thing of its kind.\"\"\"\n");
        for method in 0..12 {
            let _ = writeln!(
                text,
                "    def method{method}(self, value):\n        \"\"\"Does step {method}.\"\"\"\n        if value:\n            return [item for item in value if item]\n        return os.path.join(str(value), 'x')\n"
            );
        }
        std::fs::write(dir.join(format!("file{number}.py")), text).unwrap();
    }
    std::fs::write(tree.join("README.md"), "# Many\n\nMany is a program of many modules.\n").unwrap();
    tree.to_owned()
}
