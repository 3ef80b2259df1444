//! How fast a scan is, as ratios within one run: absolute times do not travel between machines.
//!
//! Every measurement is a process of its own, rounds are interleaved, and what is printed is the median of the
//! ratios of each round. `LUMINOS_BENCH_TREE` names one or more trees, separated by colons; without it a tree
//! of 20,000 files is made.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::wildcard_enum_match_arm,
    reason = "a benchmark prints, makes files, starts processes, and stops at the first surprise"
)]

mod limit;
mod measure;
mod trees;

use std::path::{Path, PathBuf};

use luminos_scan::{Cache, Options, Progress};
use measure::{Cost, Job};

const ROUNDS: usize = 7;

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    if let (Some(job), Some(tree)) = (arguments.next(), arguments.next()) {
        measure::be_child(&job, Path::new(&tree));
        return;
    }
    let given = std::env::var_os("LUMINOS_BENCH_TREE");
    let scratch = tempfile::tempdir().unwrap();
    let trees: Vec<PathBuf> = match &given {
        Some(trees) => std::env::split_paths(trees).collect(),
        None => vec![trees::make(&scratch.path().join("tree"), 20_000)],
    };
    trees.iter().for_each(|tree| trees::wait_until_old(tree));
    let rows: Vec<Row> = trees.iter().map(|tree| Row::measure(tree, scratch.path())).collect();
    print_ratios(&rows);
    print_growth(scratch.path());
}

/// The costs of one tree, by round.
struct Row {
    name: String,
    files: u64,
    bytes: u64,
    rounds: Vec<Vec<(Job, Cost)>>,
}

impl Row {
    fn measure(tree: &Path, scratch: &Path) -> Self {
        let cache = scratch.join("cache");
        let scanned = scan(tree, &Cache::default());
        std::fs::write(&cache, scanned.cache.unwrap_or_default()).unwrap();
        let has_git = tree.join(".git").exists();
        let mut rounds = Vec::new();
        for round in 0..=ROUNDS {
            let jobs = Job::ALL.into_iter().filter(|&job| has_git || job != Job::GitStatus);
            let costs = jobs.map(|job| (job, measure::run(job, tree, &cache))).collect();
            // The first round only fills the page cache.
            if round > 0 {
                rounds.push(costs);
            }
        }
        let name = tree.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self { name, files: scanned.scan.dirs[0].files, bytes: scanned.scan.dirs[0].bytes, rounds }
    }

    /// The median over the rounds of what one job costs, in parts of another.
    fn ratio(&self, job: Job, of: Job, what: impl Fn(&Cost) -> f64) -> Option<(f64, f64, f64)> {
        let find = |round: &[(Job, Cost)], job| {
            round.iter().find(|(found, _)| *found == job).map(|(_, cost)| what(cost))
        };
        let mut ratios: Vec<f64> =
            self.rounds.iter().filter_map(|round| Some(find(round, job)? / find(round, of)?)).collect();
        ratios.sort_by(f64::total_cmp);
        let median = *ratios.get(ratios.len() / 2)?;
        Some((median, ratios[0], ratios[ratios.len() - 1]))
    }

    fn least(&self, job: Job, what: impl Fn(&Cost) -> f64) -> f64 {
        let costs = self.rounds.iter().flatten().filter(|(found, _)| *found == job);
        costs.map(|(_, cost)| what(cost)).fold(f64::INFINITY, f64::min)
    }
}

fn print_ratios(rows: &[Row]) {
    println!("\n{ROUNDS} interleaved rounds; median of the rounds' ratios (least–most)\n");
    type What = fn(&Cost) -> f64;
    let (cpu, wall): (What, What) = (|cost| cost.cpu, |cost| cost.wall);
    let lines: [(&str, &str, Job, Job, What); 9] = [
        ("scan / tokei, CPU", "0.60", Job::Scan, Job::Tokei, cpu),
        ("scan / tokei, wall", "0.60", Job::Scan, Job::Tokei, wall),
        ("scan / limit program, CPU", "2.00", Job::Scan, Job::Limit, cpu),
        ("scan / limit program, wall", "2.00", Job::Scan, Job::Limit, wall),
        ("2 threads / 1 thread, wall", "0.70", Job::Scan, Job::ScanOneThread, wall),
        ("unchanged / git status, CPU", "1.00", Job::Warm, Job::GitStatus, cpu),
        ("unchanged / git status, wall", "1.00", Job::Warm, Job::GitStatus, wall),
        ("unchanged / first scan, CPU", "", Job::Warm, Job::Scan, cpu),
        ("unchanged / first scan, wall", "", Job::Warm, Job::Scan, wall),
    ];
    print!("{:30} {:>5}", "", "must");
    for row in rows {
        print!("  {:>20}", row.name);
    }
    println!();
    for (name, must, job, of, what) in lines {
        print!("{name:30} {must:>5}");
        for row in rows {
            match row.ratio(job, of, what) {
                Some((median, least, most)) => {
                    print!("  {:>20}", format!("{median:.2} ({least:.2}–{most:.2})"))
                }
                None => print!("  {:>20}", "–"),
            }
        }
        println!();
    }
    print!("{:30} {:>5}", "description, µs per file", "10");
    for row in rows {
        print!("  {:>20.2}", row.least(Job::Describe, wall) / row.files as f64 * 1e6);
    }
    println!();
    for (name, value) in [("files", 0), ("MB", 1), ("first scan, s (least)", 2), ("its peak memory, MB", 3)] {
        print!("{name:36}");
        for row in rows {
            let value = match value {
                0 => row.files.to_string(),
                1 => (row.bytes >> 20).to_string(),
                2 => format!("{:.3}", row.least(Job::Scan, wall)),
                _ => format!("{:.1}", row.least(Job::Scan, |cost| cost.peak_mb)),
            };
            print!("  {value:>20}");
        }
        println!();
    }
}

/// How time and memory grow with the number of files.
fn print_growth(scratch: &Path) {
    println!(
        "\n{:>9} {:>12} {:>14} {:>12} {:>14}",
        "files", "scan µs/file", "scan peak MB", "warm µs/file", "warm peak MB"
    );
    let mut peaks = Vec::new();
    for files in [10_000, 50_000, 200_000] {
        let tree = trees::make(&scratch.join(format!("grow-{files}")), files);
        let cache = scratch.join("cache");
        trees::wait_until_old(&tree);
        std::fs::write(&cache, scan(&tree, &Cache::default()).cache.unwrap_or_default()).unwrap();
        let best = |job| {
            (0..3).map(|_| measure::run(job, &tree, &cache)).min_by(|a, b| a.cpu.total_cmp(&b.cpu)).unwrap()
        };
        let (cold, warm) = (best(Job::Scan), best(Job::Warm));
        let each = |cost: &Cost| cost.cpu / files as f64 * 1e6;
        println!(
            "{files:>9} {:>12.2} {:>14.1} {:>12.2} {:>14.1}",
            each(&cold),
            cold.peak_mb,
            each(&warm),
            warm.peak_mb
        );
        peaks.push((files as f64, cold.peak_mb, warm.peak_mb));
        std::fs::remove_dir_all(&tree).unwrap();
    }
    let (first, last) = (peaks[0], peaks[peaks.len() - 1]);
    let growth = |from: f64, to: f64| (to - from) / (last.0 - first.0) * 100_000.0;
    println!(
        "memory per 100,000 files: {:.1} MB first scan, {:.1} MB unchanged (must: 40)",
        growth(first.1, last.1),
        growth(first.2, last.2)
    );
}

fn scan(tree: &Path, cache: &Cache) -> luminos_scan::Scanned {
    luminos_scan::scan(tree, &Options::default(), cache, &Progress::default()).unwrap()
}
