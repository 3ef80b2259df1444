//! What it takes to ask again about a target in which nothing has changed: `luminosctl run` against a warm
//! `luminosctl scan`, with the real programs, rounds interleaved. Absolute times do not travel; their ratio does.
//!
//! `cargo bench -p luminosctl --bench unchanged`; `LUMINOS_BENCH_TREE=a:b` names other targets than the one it makes.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::error::Error;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Rounds of each measurement.
const ROUNDS: usize = 11;
/// The tree that is made: so many directories, of so many files each.
const SHAPE: (usize, usize) = (500, 20);

#[expect(clippy::disallowed_methods, reason = "nobody but `main` reads the environment: here it is")]
fn main() -> Result<(), Box<dyn Error>> {
    let place = tempfile::tempdir()?;
    let home = place.path().join("home");
    fs::create_dir(&home)?;
    let program = program(place.path())?;
    let trees: Vec<PathBuf> = match std::env::var_os("LUMINOS_BENCH_TREE") {
        Some(trees) => std::env::split_paths(&trees).collect(),
        None => vec![made(&place.path().join("made"))?],
    };
    println!("| target | scan, ms | run, ms | run / scan (least–most) | must |");
    println!("|---|---|---|---|---|");
    for tree in trees {
        // The first run investigates, the second finds everything warm.
        for _ in 0..2 {
            timed(&program, &home, "run", &tree)?;
            timed(&program, &home, "scan", &tree)?;
        }
        let (mut scans, mut runs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let scan = timed(&program, &home, "scan", &tree)?;
            let run = timed(&program, &home, "run", &tree)?;
            ratios.push(run.as_secs_f64() / scan.as_secs_f64());
            scans.push(scan.as_secs_f64() * 1e3);
            runs.push(run.as_secs_f64() * 1e3);
        }
        let [scan, run, ratio] = [&mut scans, &mut runs, &mut ratios].map(|numbers| median(numbers));
        let (least, most) = (ratios[0], ratios[ratios.len() - 1]);
        let name = tree.file_name().unwrap_or(OsStr::new("/")).to_string_lossy();
        println!("| {name} | {scan:.0} | {run:.0} | {ratio:.2} ({least:.2}–{most:.2}) | 1.5 |");
    }
    command(&program, &home).args(["daemon", "stop"]).stdout(Stdio::null()).status()?;
    Ok(())
}

fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}

/// The program in a place of its own, where no other `luminosd` lies beside it.
fn program(place: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let program = place.join("luminosctl");
    fs::copy(env!("CARGO_BIN_EXE_luminosctl"), &program)?;
    Ok(program)
}

/// A tree of small programs.
fn made(tree: &Path) -> Result<PathBuf, Box<dyn Error>> {
    for dir in 0..SHAPE.0 {
        let dir_path = tree.join(format!("part{}/unit{dir}", dir % 25));
        fs::create_dir_all(&dir_path)?;
        for file in 0..SHAPE.1 {
            let text = format!("# Unit {dir}.\n\ndef work{file}(x):\n    return x + {file}\n");
            write(&dir_path.join(format!("file{file}.py")), &text)?;
        }
    }
    Ok(tree.to_owned())
}

#[expect(clippy::disallowed_methods, reason = "a benchmark makes its own target")]
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    fs::write(path, text)
}

#[expect(clippy::disallowed_methods, reason = "the programs that are measured are processes")]
fn command(program: &Path, home: &Path) -> Command {
    let mut command = Command::new(program);
    command.env_clear().env("HOME", home).current_dir(home);
    command
}

fn timed(program: &Path, home: &Path, what: &str, tree: &Path) -> Result<Duration, Box<dyn Error>> {
    let mut command = command(program, home);
    command.arg(what).arg(tree).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let status = command.status()?;
    let took = start.elapsed();
    if status.success() { Ok(took) } else { Err(format!("`{what}` ended with {status}").into()) }
}
