//! What it costs to keep things. Run with `cargo bench -p luminos-store`; `-- DIR` chooses the disk.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints, and stops when it cannot go on"
)]

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use luminos_core::RelPath;
use luminos_core::entry::{Coverage, DirEntry, ENTRY_FORMAT, Stamp};
use luminos_core::scan::Category;
use luminos_store::{
    DaemonLock, Durability, Holder, Investigation, InvestigationId, NetworkState, Receipt, Settings, Store,
    Writer,
};
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;

const BURST: usize = 1500;

fn main() {
    let chosen = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).map(PathBuf::from);
    let place = chosen.unwrap_or_else(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")));
    let dir = tempfile::tempdir_in(place).unwrap();
    for (name, durability) in [("power loss", Durability::PowerLoss), ("kill", Durability::Kill)] {
        println!("-- must survive: {name}");
        let home = dir.path().join(name);
        documents(&home, durability);
        lines(&home, durability);
    }
}

struct Bench {
    writer: Writer,
    investigation: Investigation,
}

fn bench(home: &Path, durability: Durability) -> Bench {
    let store = Store::open(home).unwrap();
    let holder = Holder::this_process(Stamp::default(), "a benchmark");
    let lock = DaemonLock::try_acquire(&store, &holder, NetworkState::Allowed).unwrap();
    let (writer, _) = Writer::start(&store, lock, Settings { durability, ..Settings::default() }).unwrap();
    Bench { writer, investigation: store.investigation(InvestigationId::fresh()) }
}

fn documents(home: &Path, durability: Durability) {
    let Bench { writer, investigation } = bench(home, durability);
    let put = |number: usize| investigation.put_dir_entry(&writer, &entry(number));
    put(0).wait().unwrap();
    let mut per_document = Vec::new();
    let mut next = 1;
    for size in [1, 2, 3, 4, 8, 16, 64, 256, BURST] {
        let times = (0..7).map(|_| {
            let numbers = next..next + size;
            next += size;
            timed(|| wait(numbers.map(put)))
        });
        let (median, worst) = median_and_worst(times.collect());
        per_document.push(median.as_secs_f64() / size as f64);
        report(size, "new", median, worst);
    }
    let (median, worst) = median_and_worst((0..3).map(|_| timed(|| wait((1..=BURST).map(put)))).collect());
    report(BURST, "replaced", median, worst);
    let before = cpu_time();
    let count = (0..5).map(|_| black_box(investigation.dir_entries()).0.len()).sum::<usize>();
    let each = (cpu_time() - before).as_secs_f64() * 1e6 / count as f64;
    println!("      an entry is read in {each:.1} us CPU");
    let ratio = per_document[0] / per_document[per_document.len() - 1];
    println!("      a new entry in a burst of {BURST} is {ratio:.1} times cheaper than one alone");
    writer.close().wait().unwrap();
}

fn timed(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

fn report(size: usize, what: &str, median: Duration, worst: Duration) {
    let rate = size as f64 / median.as_secs_f64();
    println!(
        "{size:>5} {what:<8} entries at once {median:>10.1?} (worst {worst:>8.1?}) {rate:>8.0} entries/s"
    );
}

fn lines(home: &Path, durability: Durability) {
    let Bench { writer, investigation } = bench(home, durability);
    for size in [200, 2_000, 20_000] {
        let body = json!({"text": "x".repeat(size)});
        let dirs: Vec<RelPath> = (0..64).map(|number| RelPath::from(format!("d{number}").as_str())).collect();
        let (mut wall, mut cpu, mut written) = (Vec::new(), Duration::ZERO, 0_u32);
        for _ in 0..16 {
            let (start, before) = (Instant::now(), cpu_time());
            wait(dirs.iter().map(|dir| investigation.append_turn(&writer, dir, None, &body)));
            cpu += cpu_time() - before;
            wall.push(start.elapsed());
            written += 64;
        }
        let (median, worst) = median_and_worst(wall);
        let cpu = cpu.as_secs_f64() * 1e6 / f64::from(written);
        println!(
            "   64 transcripts, a line of {size:>5} bytes each {median:>10.1?} (worst {worst:>8.1?}) {cpu:>6.1} us CPU/line"
        );
    }
    let alone = (0..15).map(|number| {
        let start = Instant::now();
        investigation.append_budget(&writer, None, &json!({"number": number})).wait().unwrap();
        start.elapsed()
    });
    let (median, worst) = median_and_worst(alone.collect());
    println!("      one ledger line alone {median:>10.1?} (worst {worst:>8.1?})");
    writer.close().wait().unwrap();
}

fn wait(receipts: impl Iterator<Item = Receipt>) {
    let receipts: Vec<Receipt> = receipts.collect();
    receipts.into_iter().for_each(|receipt| receipt.wait().unwrap());
}

fn median_and_worst(mut times: Vec<Duration>) -> (Duration, Duration) {
    times.sort_unstable();
    (times[times.len() / 2], times[times.len() - 1])
}

/// What all threads of this process have used.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(u64::try_from(time.tv_sec).unwrap(), u32::try_from(time.tv_nsec).unwrap())
}

fn entry(number: usize) -> DirEntry {
    DirEntry {
        partial_end: None,
        opening: None,
        facts: Vec::new(),
        format: ENTRY_FORMAT,
        path: format!("/target/dir-{number}"),
        relative_path: RelPath::from(format!("dir-{number}").as_str()),
        child_count: 7,
        summary: "This directory holds parts of a program that does something. ".repeat(25),
        dominant_category: Category::Source,
        cached_at: Stamp("2030-01-01T00:00:00Z".to_owned()),
        notable_files: Vec::new(),
        confidence: None,
        confidence_reason: None,
        completeness: None,
        coverage: Coverage::default(),
        claims: Vec::new(),
        flags: Vec::new(),
        reads: Vec::new(),
        partial: false,
        partial_reason: None,
        filled_in: None,
        corrections: Vec::new(),
        content_hash: None,
        key: None,
        digest: None,
        epoch: 1,
        run: String::new(),
    }
}
