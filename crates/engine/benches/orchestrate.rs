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
use luminos_core::plan::{Dirs, NamedDir, Plan, PriorityDir, Turns};
use luminos_core::scan::DirId;
use luminos_engine::simulate::{Needs, Simulated, Simulation, Talk, fresh_home, simulate};

/// The time of a turn where all are the same.
const TURN: Duration = Duration::from_millis(100);

/// What is said in a turn where a model is asked: some 20 KB are on the table in the middle of a conversation.
const TALK: Talk = Talk { opening: 10_000, new: 2_000, answer: 500 };

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let base = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    if std::env::args().any(|argument| argument == "hold") {
        return hold(base.path(), &runtime);
    }
    turns(base.path(), &runtime)?;
    memory()?;
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
    // A plan that sees which directories are large, as planners do, though not how many turns each will take.
    let plan = guessed(&small.dirs);
    for (name, plan, borrows) in [
        ("an even split, nothing lent", Plan::default(), false),
        ("an even split, with borrowing", Plan::default(), true),
        ("a plan, nothing lent", plan.clone(), false),
        ("a plan, with borrowing", plan, true),
    ] {
        let simulation = Simulation { plan: Some(plan), ..small.simulation(16, Some(pool), borrows, &quick) };
        let took = runtime.block_on(simulate(simulation))?;
        println!("| {name} | {} | {} |", took.turns, took.partial);
    }
    Ok(())
}

/// What a turn takes besides the model: the difference between long and short conversations, so that nothing counts that
/// a directory takes anyway.
fn turns(base: &Path, runtime: &tokio::runtime::Runtime) -> Result<(), Box<dyn Error + Send + Sync>> {
    let tree = Tree::make(base, "talk", 200)?;
    let measured = |turns: usize| -> Result<(f64, u64, Simulated), Box<dyn Error + Send + Sync>> {
        let needs: Needs = Arc::new(move |_| vec![Duration::ZERO; turns]);
        let before = cpu();
        let took = runtime
            .block_on(simulate(Simulation { talk: Some(TALK), ..tree.simulation(16, None, true, &needs) }))?;
        let bytes = size(&took.kept.join("transcripts"))
            + size(&took.kept.join("budget.jsonl"))
            + size(&took.kept.join("spend.jsonl"));
        Ok(((cpu() - before).as_secs_f64(), bytes, took))
    };
    let mut cpus = Vec::new();
    let (mut stored, mut wait) = (0.0, Duration::ZERO);
    for _ in 0..5 {
        let (short, long) = (measured(2)?, measured(10)?);
        let more = (long.2.turns - short.2.turns) as f64;
        cpus.push((long.0 - short.0) / more * 1e3);
        stored = (long.1 - short.1) as f64 / more / (TALK.new + TALK.answer) as f64;
        wait = long.2.waits[long.2.waits.len() / 2];
    }
    cpus.sort_by(f64::total_cmp);
    println!("| a journalled turn with some 20 KB of context, 16 loops | measured | must |");
    println!("|---|---|---|");
    println!("| CPU, ms (least–most) | {:.2} ({:.2}–{:.2}) | 0.4 |", cpus[2], cpus[0], cpus[4]);
    println!("| from the question to the answer, ms, median | {:.1} | 5 |", wait.as_secs_f64() * 1e3);
    println!("| bytes stored / new bytes | {stored:.2} | 3 |");
    println!();
    Ok(())
}

/// What 5,000 directories take that are under way, or wait for those below them; in a process of its own.
#[expect(clippy::disallowed_methods, reason = "memory is measured in a process of its own")]
fn memory() -> Result<(), Box<dyn Error + Send + Sync>> {
    let held = std::process::Command::new(std::env::current_exe()?).arg("hold").output()?;
    println!("{}", String::from_utf8_lossy(&held.stdout).trim());
    println!();
    Ok(())
}

fn hold(base: &Path, runtime: &tokio::runtime::Runtime) -> Result<(), Box<dyn Error + Send + Sync>> {
    let tree = Tree::make(base, "held", 5_000)?;
    let needs: Needs = Arc::new(|_| vec![Duration::from_millis(500); 4]);
    let took = tree.run(runtime, 5_000, None, true, &needs)?;
    let status = std::fs::read_to_string("/proc/self/status")?;
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    println!("{} directories waiting or running: {} at most (must: 300 MB)", took.directories, most.trim());
    Ok(())
}

/// The time of the processor that this process has used.
fn cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec.cast_unsigned(), u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// The bytes of a file, or of all files in a directory.
fn size(path: &Path) -> u64 {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().filter_map(|entry| Some(entry.metadata().ok()?.len())).sum(),
        Err(_) => path.metadata().map_or(0, |found| found.len()),
    }
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

/// Those that need many turns get more, those that need few get less; a quarter of the guesses are wrong.
fn guessed(dirs: &Dirs) -> Plan {
    let mut plan = Plan::default();
    for dir in dirs.ids().skip(1).map(|dir| dirs.path(dir)) {
        let is_wrong = dice(dir, 3).is_multiple_of(4);
        let (path, reason) = (dir.to_word(), String::new());
        match (varying_turns(dir).len(), is_wrong) {
            (10.., false) | (..=4, true) => {
                plan.priority_dirs.push(PriorityDir { path, reason, suggested_turns: Turns::PRIORITY })
            }
            (..=4, false) | (10.., true) => plan.shallow_dirs.push(NamedDir { path, reason }),
            (5..10, _) => {}
        }
    }
    plan
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

    fn simulation(&self, loops: u32, turns: Option<u32>, borrows: bool, needs: &Needs) -> Simulation {
        Simulation {
            target: self.path.clone(),
            home: fresh_home(&self.base, "home"),
            loops,
            turns,
            plan: Some(Plan::default()),
            borrows,
            needs: Arc::clone(needs),
            talk: None,
        }
    }

    fn run(
        &self,
        runtime: &tokio::runtime::Runtime,
        loops: u32,
        turns: Option<u32>,
        borrows: bool,
        needs: &Needs,
    ) -> Result<Simulated, Box<dyn Error + Send + Sync>> {
        let simulation = self.simulation(loops, turns, borrows, needs);
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
