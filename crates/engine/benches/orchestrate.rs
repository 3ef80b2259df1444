//! What orchestration costs, and what the plan and borrowing buy. Everything is real but workers and models: loops only
//! wait as long as a model would take. Ratios in one run; absolute times do not travel.
//!
//! `cargo bench -p luminos-engine --bench orchestrate`
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use luminos_core::RelPath;
use luminos_core::plan::{Dirs, Plan};
use luminos_core::scan::DirId;
use luminos_engine::simulate::{Needs, Simulated, Simulation, fresh_home, simulate};

/// The time of a turn where all are the same.
const TURN: Duration = Duration::from_millis(100);

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let base = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    println!("| tree | loops | turns | best possible, s | took, s | ratio | must |");
    println!("|---|---|---|---|---|---|---|");
    let small = Tree::make(base.path(), "small", 400)?;
    let large = Tree::make(base.path(), "large", 3_200)?;
    let fixed: Needs = Arc::new(|_| vec![TURN; 4]);
    for (tree, loops) in [(&small, 16), (&large, 64)] {
        let took = tree.run(&runtime, loops, None, true, &fixed)?;
        let best = best(&tree.dirs, loops, &fixed);
        row(tree, loops, "4 of 100 ms", best, took.makespan, "1.05");
    }
    let varying: Needs = Arc::new(varying);
    let took = tree_run(&large, &runtime, &varying)?;
    let bound = bound(&large.dirs, 64, &varying);
    row(&large, 64, "2–14 of 20–80 ms", bound, took.makespan, "1.10");
    let one = Tree::make(base.path(), "one", 60)?;
    let alone = one.run(&runtime, 1, None, true, &fixed)?;
    let together = one.run(&runtime, 16, None, true, &fixed)?;
    println!();
    println!(
        "One directory at a time takes {:.1} times as long as 16 ({} directories, 4 turns of 100 ms each).",
        alone.makespan.as_secs_f64() / together.makespan.as_secs_f64(),
        one.dirs.len(),
    );
    println!();
    println!(
        "| {} turns for {} directories | turns used | ended in part |",
        6 * small.dirs.len(),
        small.dirs.len()
    );
    println!("|---|---|---|");
    let pool = u32::try_from(6 * small.dirs.len())?;
    let quick: Needs = Arc::new(|dir| varying_turns(dir).iter().map(|_| Duration::from_millis(2)).collect());
    for (name, borrows) in [("an even split, nothing lent", false), ("the same, with borrowing", true)] {
        let took = small.run(&runtime, 16, Some(pool), borrows, &quick)?;
        println!("| {name} | {} | {} |", took.turns, took.partial);
    }
    Ok(())
}

fn tree_run(
    tree: &Tree,
    runtime: &tokio::runtime::Runtime,
    needs: &Needs,
) -> Result<Simulated, Box<dyn Error + Send + Sync>> {
    tree.run(runtime, 64, None, true, needs)
}

fn row(tree: &Tree, loops: u32, turns: &str, best: Duration, took: Duration, must: &str) {
    let (best, took) = (best.as_secs_f64(), took.as_secs_f64());
    let dirs = tree.dirs.len();
    println!(
        "| {dirs} directories | {loops} | {turns} | {best:.2} | {took:.2} | {:.3} | {must} |",
        took / best
    );
}

/// A number that depends on a path alone.
fn dice(dir: &RelPath, salt: u64) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325 ^ salt;
    for byte in dir.as_bytes() {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash ^ hash >> 29
}

fn varying_turns(dir: &RelPath) -> Vec<u64> {
    let count = 2 + dice(dir, 1) % 13;
    (0..count).map(|turn| 20 + dice(dir, 100 + turn) % 61).collect()
}

fn varying(dir: &RelPath) -> Vec<Duration> {
    varying_turns(dir).into_iter().map(Duration::from_millis).collect()
}

/// A target of empty-handed directories, and what a planner knows of it.
struct Tree {
    base: PathBuf,
    path: PathBuf,
    dirs: Dirs,
}

impl Tree {
    /// So many directories below one another as in real trees: most are shallow, some lie deep.
    fn make(base: &Path, name: &str, count: usize) -> Result<Self, Box<dyn Error + Send + Sync>> {
        let path = base.join(name);
        let mut paths = vec![String::new()];
        for number in 1..count {
            let parent = &paths[dice(&RelPath::from(number.to_string().as_str()), 7) as usize
                % paths.len().min(number / 2 + 1)];
            let name = format!("d{number}");
            paths.push(if parent.is_empty() { name } else { format!("{parent}/{name}") });
        }
        for dir in &paths {
            std::fs::create_dir_all(path.join(dir))?;
            std::fs::File::create(path.join(dir).join("a.txt"))?;
        }
        paths.sort();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        Ok(Self { base: base.to_owned(), path, dirs: Dirs::from_paths(name, &paths) })
    }

    fn run(
        &self,
        runtime: &tokio::runtime::Runtime,
        loops: u32,
        turns: Option<u32>,
        borrows: bool,
        needs: &Needs,
    ) -> Result<Simulated, Box<dyn Error + Send + Sync>> {
        let simulation = Simulation {
            target: self.path.clone(),
            home: fresh_home(&self.base, "home"),
            loops,
            turns,
            plan: Some(Plan::default()),
            borrows,
            needs: Arc::clone(needs),
        };
        let simulated = runtime.block_on(simulate(simulation))?;
        assert_eq!(simulated.directories, self.dirs.len() as u64, "every directory was looked at");
        Ok(simulated)
    }
}

fn time_of(dirs: &Dirs, dir: DirId, needs: &Needs) -> Duration {
    needs(dirs.path(dir)).iter().sum()
}

/// The shortest time in which so many loops can do it where every directory takes the same: the one with the longest
/// chain first, which nothing can beat on a tree.
fn best(dirs: &Dirs, loops: u32, needs: &Needs) -> Duration {
    let mut chain = vec![Duration::ZERO; dirs.len()];
    let mut open_below = vec![0_u32; dirs.len()];
    for dir in dirs.ids() {
        let above = dirs.parent(dir);
        chain[dir.0 as usize] =
            time_of(dirs, dir, needs) + above.map_or(Duration::ZERO, |above| chain[above.0 as usize]);
        if let Some(above) = above {
            open_below[above.0 as usize] += 1;
        }
    }
    let mut ready: BinaryHeap<(Duration, Reverse<u32>)> = dirs
        .ids()
        .filter(|dir| open_below[dir.0 as usize] == 0)
        .map(|dir| (chain[dir.0 as usize], Reverse(dir.0)))
        .collect();
    let mut running: BinaryHeap<Reverse<(Duration, u32)>> = BinaryHeap::new();
    let mut now = Duration::ZERO;
    loop {
        while running.len() < loops as usize
            && let Some((_, Reverse(dir))) = ready.pop()
        {
            running.push(Reverse((now + time_of(dirs, DirId(dir), needs), dir)));
        }
        let Some(Reverse((at, dir))) = running.pop() else { return now };
        now = at;
        if let Some(above) = dirs.parent(DirId(dir)) {
            open_below[above.0 as usize] -= 1;
            if open_below[above.0 as usize] == 0 {
                ready.push((chain[above.0 as usize], Reverse(above.0)));
            }
        }
    }
}

/// No schedule can be shorter: neither than the longest chain, nor than the work shared by all loops.
fn bound(dirs: &Dirs, loops: u32, needs: &Needs) -> Duration {
    let mut chain = vec![Duration::ZERO; dirs.len()];
    let mut work = Duration::ZERO;
    for dir in dirs.ids() {
        let own = time_of(dirs, dir, needs);
        work += own;
        chain[dir.0 as usize] =
            own + dirs.parent(dir).map_or(Duration::ZERO, |above| chain[above.0 as usize]);
    }
    chain.into_iter().max().unwrap_or_default().max(work / loops)
}
