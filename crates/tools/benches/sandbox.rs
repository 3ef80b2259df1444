//! What it costs to start a program behind bars. Run with `cargo bench -p luminos-tools --bench sandbox`.
//!
//! Plain starts and confined ones take turns, so that both see the same machine; what counts is the difference of
//! their medians, which must stay below two milliseconds, and their ratio, which travels between machines. The first
//! tenths stand beside them: where both differ much, the machine had other work, and the limit may be missed for it.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark prints, starts processes, and stops when it cannot go on"
)]

use std::ffi::OsStr;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::fd::AsFd as _;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use luminos_tools::sandbox::{
    Cage, CageRules, End, Level, Limits, ParserLimits, ParserProcess, ParserRole, Start, Support,
    WorkerConfinement, confine_worker, probe, serve_parser,
};

const ROUNDS: usize = 400;
const LIMIT: Duration = Duration::from_millis(2);
const PROGRAM: &str = "/usr/bin/true";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    match arguments.first().map(String::as_str) {
        Some("worker") => be_worker(),
        Some("parser") => serve_parser(<[u8]>::to_vec).unwrap(),
        _ => compare(),
    }
}

fn compare() {
    let support = probe();
    println!("{}", support.words().join("\n"));
    let root = File::open("/usr/share").unwrap();
    let alone = |level| cage(&support.clone().at_most(level), &root);
    let (compat, strict) = (alone(Level::L1), alone(Level::L2));
    let mut worker = Worker::start();
    let mut times: [Vec<Duration>; 5] = Default::default();
    for round in 0..ROUNDS {
        // Whoever comes after another is helped or hurt by it: everybody comes after everybody.
        for turn in 0..times.len() {
            let mode = (round + turn) % times.len();
            times[mode].push(match mode {
                1 => confined(&compat, &root),
                2 => confined(&strict, &root),
                3 => worker.ask(),
                // Once more, to see how much two equal things differ here.
                _ => plain(),
            });
        }
    }
    let [plain, compat, strict, worker, _] = times.each_ref().map(|times| median(times));
    println!("{:<36} {:>9} {:>9} {:>9} {:>9} {:>7}", "", "p10", "over", "median", "over", "ratio");
    let undisturbed = tenth(&times[0]);
    let names = ["plain spawn", "L1 compat", "L2 strict", "in a worker", "plain spawn again"];
    for (name, times) in names.iter().zip(&times) {
        let over = median(times).saturating_sub(plain);
        let ratio = median(times).as_secs_f64() / plain.as_secs_f64();
        let (first, middle) = (tenth(times), median(times));
        println!(
            "{name:<36} {first:>9.2?} {:>9.2?} {middle:>9.2?} {over:>9.2?} {ratio:>6.2}×",
            first.saturating_sub(undisturbed)
        );
    }
    parser(&support);
    with_much_memory(&support, &root);
    for (name, median) in [("L1", compat), ("L2", strict), ("worker", worker)] {
        assert!(
            median.saturating_sub(plain) <= LIMIT,
            "{name} costs {:?} more",
            median.saturating_sub(plain)
        );
    }
}

/// A child shares its parent's memory until it becomes its program: how much there is must not matter.
fn with_much_memory(support: &Support, root: &File) {
    let ballast = vec![1_u8; 1 << 30];
    let cage = cage(support, root);
    let mut times = Vec::new();
    for _ in 0..ROUNDS / 4 {
        times.push(confined(&cage, root));
    }
    println!("{:<36} {:>9.2?} {:>9.2?}", "with 1 GiB in use", tenth(&times), median(&times));
    drop(std::hint::black_box(ballast));
}

fn parser(support: &Support) {
    let role = ParserRole { program: std::env::current_exe().unwrap(), arguments: vec!["parser".into()] };
    let start = || ParserProcess::new(support, role.clone(), ParserLimits::default()).unwrap();
    let first: Vec<Duration> = (0..50).map(|_| timed(|| drop(start().call(b"x").unwrap()))).collect();
    let running = start();
    let request = vec![b'x'; 64 << 10];
    let calls: Vec<Duration> = (0..ROUNDS).map(|_| timed(|| drop(running.call(&request).unwrap()))).collect();
    println!("{:<36} {:>9.2?} {:>9.2?}", "parser: start and first call", tenth(&first), median(&first));
    println!("{:<36} {:>9.2?} {:>9.2?}", "parser: 64 KiB there and back", tenth(&calls), median(&calls));
}

fn cage(support: &Support, root: &File) -> Cage {
    let rules = CageRules { readable: &[root.as_fd()], executable: &[Path::new(PROGRAM)] };
    Cage::new(support, &rules).unwrap()
}

fn confined(cage: &Cage, root: &File) -> Duration {
    let start = Start {
        program: Path::new(PROGRAM),
        arguments: &[OsStr::new("true")],
        working_directory: root.as_fd(),
        limits: Limits::default(),
    };
    timed(|| assert_eq!(cage.run(&start).unwrap().end, End::Exited(0)))
}

fn plain() -> Duration {
    timed(|| assert!(Command::new(PROGRAM).output().unwrap().status.success()))
}

fn timed(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

fn median(times: &[Duration]) -> Duration {
    quantile(times, 2)
}

fn tenth(times: &[Duration]) -> Duration {
    quantile(times, 10)
}

fn quantile(times: &[Duration], part: usize) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted[sorted.len() / part]
}

/// Another process, confined as a worker is, that measures a start whenever it is asked.
struct Worker {
    _child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Worker {
    fn start() -> Self {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let mut child = command.arg("worker").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (to, from) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Self { _child: child, to, from }
    }

    fn ask(&mut self) -> Duration {
        self.to.write_all(b"\n").unwrap();
        let mut line = String::new();
        self.from.read_line(&mut line).unwrap();
        Duration::from_nanos(line.trim().parse().unwrap())
    }
}

fn be_worker() {
    let root = File::open("/usr/share").unwrap();
    let support = confine_worker(&WorkerConfinement::to(&[root.as_fd()], &[PathBuf::from(PROGRAM)])).unwrap();
    let cage = cage(&support, &root);
    for _ in std::io::stdin().lines() {
        println!("{}", confined(&cage, &root).as_nanos());
    }
}
