//! One measurement: a process that does one job and tells what it took.

use std::num::NonZeroUsize;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use luminos_scan::{Cache, Options, Progress};
use nix::sys::resource::{Usage, UsageWho, getrusage};

use crate::limit;

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Job {
    /// Walk, read, count newlines, hash: the least that a scan must do.
    Limit,
    /// A first scan.
    Scan,
    /// A first scan with one thread.
    ScanOneThread,
    /// A scan of an unchanged tree.
    Warm,
    /// Tokei's own walk and count.
    Tokei,
    /// Describing every file.
    Describe,
    GitStatus,
}

impl Job {
    pub(crate) const ALL: [Job; 7] =
        [Job::Limit, Job::Scan, Job::ScanOneThread, Job::Warm, Job::Tokei, Job::Describe, Job::GitStatus];
}

/// What a job took.
#[derive(Debug)]
pub(crate) struct Cost {
    pub(crate) cpu: f64,
    pub(crate) wall: f64,
    pub(crate) peak_mb: f64,
}

/// Runs a job in a process of its own.
pub(crate) fn run(job: Job, tree: &Path, cache: &Path) -> Cost {
    let mut command = match job {
        Job::GitStatus => {
            let mut command = Command::new("git");
            command.args(["--no-optional-locks", "-C"]).arg(tree).args(["status", "--porcelain"]);
            command
        }
        _ => {
            let mut command = Command::new(std::env::current_exe().unwrap());
            command.arg(format!("{job:?}")).arg(tree).env("BENCH_CACHE", cache);
            command
        }
    };
    let before = cpu_of(&getrusage(UsageWho::RUSAGE_CHILDREN).unwrap());
    let start = Instant::now();
    let output = command.stdin(Stdio::null()).output().unwrap();
    let wall = start.elapsed().as_secs_f64();
    let cpu = cpu_of(&getrusage(UsageWho::RUSAGE_CHILDREN).unwrap()) - before;
    assert!(output.status.success(), "{job:?}: {}", String::from_utf8_lossy(&output.stderr));
    let told: Vec<f64> = String::from_utf8_lossy(&output.stdout)
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    match (job, told.as_slice()) {
        // The process itself knows how long the job took without starting up.
        (Job::Describe, &[wall, peak_mb, ..]) => Cost { cpu, wall, peak_mb },
        (Job::GitStatus, _) | (_, &[]) | (_, &[_]) => Cost { cpu, wall, peak_mb: 0.0 },
        (_, &[_, peak_mb, ..]) => Cost { cpu, wall, peak_mb },
    }
}

/// Does a job and prints seconds and peak memory.
pub(crate) fn be_child(job: &str, tree: &Path) {
    let options = Options::default();
    let two = NonZeroUsize::new(2).unwrap();
    let scan = |threads, cache: &Cache| {
        let options = Options { threads, ..options.clone() };
        luminos_scan::scan(tree, &options, cache, &Progress::default()).unwrap()
    };
    let start = Instant::now();
    let seconds = match job {
        "Limit" => {
            limit::run(tree, 2);
            start.elapsed()
        }
        "Scan" => {
            std::hint::black_box(scan(two, &Cache::default()));
            start.elapsed()
        }
        "ScanOneThread" => {
            std::hint::black_box(scan(NonZeroUsize::MIN, &Cache::default()));
            start.elapsed()
        }
        "Warm" => {
            let cache = Cache::decode(std::fs::read(std::env::var_os("BENCH_CACHE").unwrap()).unwrap());
            let scanned = scan(two, &cache);
            assert_eq!(scanned.files_read, 0, "nothing has changed");
            start.elapsed()
        }
        "Tokei" => {
            let mut languages = tokei::Languages::new();
            languages.get_statistics(&[tree], &[], &tokei::Config::default());
            std::hint::black_box(languages.total());
            start.elapsed()
        }
        "Describe" => describe_all(tree),
        other => panic!("no such job: {other}"),
    };
    println!("{} {}", seconds.as_secs_f64(), peak_mb());
}

/// Only the describing is timed, not the reading.
fn describe_all(tree: &Path) -> std::time::Duration {
    let mut taken = std::time::Duration::ZERO;
    for entry in
        ignore::Walk::new(tree).flatten().filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
    {
        let bytes = std::fs::read(entry.path()).unwrap();
        let head = &bytes[..bytes.len().min(64 << 10)];
        let start = Instant::now();
        std::hint::black_box(luminos_scan::describe(head, bytes.len() as u64));
        taken += start.elapsed();
    }
    taken
}

fn cpu_of(usage: &Usage) -> f64 {
    let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
    seconds(usage.user_time()) + seconds(usage.system_time())
}

/// The peak of this process alone: what the system counts for a child starts at the size of its parent.
fn peak_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    peak.trim().trim_end_matches(" kB").parse::<f64>().unwrap() / 1024.0
}
