//! How fast outlines are made: megabytes of source a second on one core, by language, over whole trees.
//!
//! `LUMINOS_BENCH_TREE` names one or more trees, separated by colons; without it, this project is its own example. Files are
//! read before the clock starts; what is refused (too large, minified) is not counted. Times are those of the processor, the
//! best of several rounds, so that a busy machine tells the same as an idle one.
//!
//! `-- compare` names the files whose outline differs when their function bodies are read, too.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark prints, reads the environment, and stops at the first surprise"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use luminos_tools::structure::{Bodies, Language, Limits, Outline, outline};

const ROUNDS: usize = 2;

/// Most bytes of one language: more would tell the same.
const MOST_BYTES: usize = 8 << 20;

/// What an outline must reach, in megabytes a second on one core.
const GOAL: f64 = 15.0;

/// A name and its bytes.
type File = (Vec<u8>, Vec<u8>);

fn main() {
    let trees = std::env::var_os("LUMINOS_BENCH_TREE");
    let trees: Vec<PathBuf> = match &trees {
        Some(trees) => std::env::split_paths(trees).collect(),
        None => vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")],
    };
    let mut files: BTreeMap<Language, Vec<File>> = BTreeMap::new();
    for tree in &trees {
        collect(tree, &mut files);
    }
    if std::env::args().any(|argument| argument == "compare") {
        return compare(&files);
    }
    println!("{:<12} {:>7} {:>9} {:>9} {:>9}", "language", "files", "MB", "MB/s", "µs/file");
    let (mut all_bytes, mut all_time) = (0, Duration::ZERO);
    for (language, files) in &files {
        let bytes: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
        let time = (0..ROUNDS).map(|_| round(files)).min().unwrap();
        print_row(language.name(), files.len(), bytes, time);
        all_bytes += bytes;
        all_time += time;
    }
    let count = files.values().map(Vec::len).sum();
    print_row("all", count, all_bytes, all_time);
    let speed = all_bytes as f64 / 1e6 / all_time.as_secs_f64();
    println!("goal: {GOAL} MB/s; {}", if GOAL <= speed { "reached" } else { "missed" });
}

fn print_row(name: &str, files: usize, bytes: usize, time: Duration) {
    let megabytes = bytes as f64 / 1e6;
    let speed = megabytes / time.as_secs_f64();
    let each = time.as_secs_f64() * 1e6 / files.max(1) as f64;
    println!("{name:<12} {files:>7} {megabytes:>9.2} {speed:>9.1} {each:>9.0}");
}

/// Whether the outlines are the same with and without function bodies, but for the branches in them.
fn compare(files: &BTreeMap<Language, Vec<File>>) {
    let whole = Limits { bodies: Bodies::Read, ..Limits::default() };
    for (language, files) in files {
        let (mut differ, mut branches) = (0, [0_u64; 2]);
        for (name, bytes) in files {
            let outlines = [&Limits::default(), &whole].map(|limits| outline(name, bytes, limits));
            let [Ok(Outline::Source(mut short)), Ok(Outline::Source(mut long))] = outlines else { continue };
            for (source, sum) in [&mut short, &mut long].into_iter().zip(&mut branches) {
                source.metrics.deepest_nesting = 0;
                for function in &mut source.functions {
                    *sum += u64::from(function.metrics.branches);
                    function.metrics.branches = 0;
                    function.metrics.nesting = 0;
                }
            }
            if short != long {
                differ += 1;
                let lines = |source| format!("{source:#?}").lines().map(str::to_owned).collect::<Vec<_>>();
                let (short, long) = (lines(&short), lines(&long));
                let first = short.iter().zip(&long).find(|(short, long)| short != long);
                println!("  {}: {first:?}", String::from_utf8_lossy(name));
            }
        }
        let name = language.name();
        println!(
            "{name:<12} {:>7} files, {differ} differ; branches {} : {}",
            files.len(),
            branches[0],
            branches[1]
        );
    }
}

/// Outlines all files once; how long the processor worked.
fn round(files: &[File]) -> Duration {
    let start = processor_time();
    for (name, bytes) in files {
        std::hint::black_box(outline(name, bytes, &Limits::default()).is_ok());
    }
    processor_time() - start
}

fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap(), u32::try_from(time.tv_nsec).unwrap())
}

/// The programs of a tree, by language.
fn collect(tree: &Path, files: &mut BTreeMap<Language, Vec<File>>) {
    let mut todo = vec![tree.to_path_buf()];
    let mut totals: BTreeMap<Language, usize> = BTreeMap::new();
    while let Some(path) = todo.pop() {
        if path.is_symlink() || path.file_name().is_some_and(|name| name == "target" || name == ".git") {
            continue;
        }
        if path.is_dir() {
            let mut entries: Vec<PathBuf> =
                std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()).collect();
            entries.sort();
            todo.extend(entries);
            continue;
        }
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let name = path.as_os_str().as_encoded_bytes().to_vec();
        if let Ok(Outline::Source(source)) = outline(&name, &bytes, &Limits::default()) {
            let known = files.entry(source.language).or_default();
            let total = totals.entry(source.language).or_insert(0);
            if *total < MOST_BYTES {
                *total += bytes.len();
                known.push((name, bytes));
            }
        }
    }
}
