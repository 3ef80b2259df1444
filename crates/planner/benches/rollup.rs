//! How long it takes to roll up the histories of ten inspirations, and how much memory: `cargo bench -p luminos-planner`.
//!
//! The chain is held in memory; reading it from git is another matter, and told as well if LUMINOS_BENCH_REPO names a
//! repository.
#![expect(clippy::print_stdout, reason = "a benchmark tells its numbers")]

use std::path::Path;
use std::time::{Duration, Instant};

use luminos_planner::evolve::{Chain, CommitId, Ground, Repo, Rollup, RollupSettings, roll_up};

const INSPIRATIONS: usize = 10;
/// What 50,000 commits may take.
const MOST_TIME: Duration = Duration::from_secs(1);
const MOST_BYTES: u64 = 200 << 20;

/// A hash as long as git's.
fn id(branch: usize, at: usize) -> CommitId {
    CommitId::new(&format!("{branch:08x}{at:032x}"))
}

/// A straight chain, and branches that leave it at different places.
fn chain(length: usize) -> (Chain, CommitId, Vec<CommitId>) {
    let mut chain = Chain::default();
    chain.add(id(0, 0), None);
    for at in 1..length {
        chain.add(id(0, at), Some(id(0, at - 1)));
    }
    let mut tips = Vec::new();
    for branch in 1..=INSPIRATIONS {
        let mut parent = id(0, length - 200 * branch);
        for at in 0..branch * 100 {
            chain.add(id(branch, at), Some(parent));
            parent = id(branch, at);
        }
        tips.push(parent);
    }
    (chain, id(0, length - 1), tips)
}

fn roll_up_all(chain: &Chain, base: &CommitId, tips: &[CommitId]) -> usize {
    let ground = Ground::new(chain, base);
    let settings = RollupSettings::default();
    let lines = tips.iter().map(|tip| match roll_up(&ground, chain, tip, &settings) {
        Rollup::Path(path) => {
            path.lines(chain, |_| "what a step does".repeat(8), |_, _| "a summary".repeat(80)).len()
        }
        Rollup::Nothing | Rollup::Apart { .. } | Rollup::Contained { .. } => 0,
    });
    lines.sum()
}

/// The most memory this process has ever had.
fn peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kib.unwrap_or_default() * 1024
}

fn main() {
    for length in [50_000, 100_000] {
        let started = Instant::now();
        let (chain, base, tips) = chain(length);
        let made = started.elapsed();
        let started = Instant::now();
        let lines = roll_up_all(&chain, &base, &tips);
        let rolled = started.elapsed();
        let peak = peak_bytes();
        println!(
            "{length} commits, {INSPIRATIONS} inspirations: chain {made:?}, rollup {rolled:?}, {lines} lines, peak {} MiB",
            peak >> 20
        );
        assert!(
            lines > 0 && (length > 50_000 || (made + rolled < MOST_TIME && peak < MOST_BYTES)),
            "too slow or too large"
        );
    }
    let repo = std::env::vars_os().find(|(name, _)| name == "LUMINOS_BENCH_REPO").map(|(_, path)| path);
    if let Some(repo) = repo.as_deref().and_then(|path| Repo::open(Path::new(path)).ok())
        && let Ok(head) = repo.resolve("HEAD")
    {
        let started = Instant::now();
        let chain = repo.chain(&[head]);
        println!("{} commits read from git in {:?}", chain.map_or(0, |chain| chain.len()), started.elapsed());
    }
}
