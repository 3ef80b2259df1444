//! Whether loops are alive: each gives signs of life, and the pulse of the worker listens.
//!
//! A loop that waits for an answer of the daemon is alive; one that works says something, or asks whether it should stop,
//! every few seconds at most. Silence is counted in beats of the pulse, so a process that was asleep has missed nothing.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use luminos_core::job::JobId;

use super::lock;

/// The signs of life of one loop.
#[derive(Debug, Default)]
pub(super) struct Life {
    signs: AtomicU64,
    is_waiting: AtomicBool,
}

impl Life {
    /// The loop did something.
    pub(super) fn sign(&self) {
        self.signs.fetch_add(1, Ordering::Relaxed);
    }

    /// The loop waits for the daemon while this is done.
    pub(super) fn waiting<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.is_waiting.store(true, Ordering::Relaxed);
        let waited = wait();
        self.sign();
        self.is_waiting.store(false, Ordering::Relaxed);
        waited
    }
}

#[derive(Debug, Default)]
struct Watched {
    life: Arc<Life>,
    signs: u64,
    quiet: u32,
}

/// All loops of a worker.
#[derive(Debug, Default)]
pub(super) struct Lives {
    loops: Mutex<HashMap<JobId, Watched>>,
}

impl Lives {
    /// A loop begins.
    pub(super) fn begin(&self, job: &JobId) -> Arc<Life> {
        let life = Arc::<Life>::default();
        let watched = Watched { life: Arc::clone(&life), ..Watched::default() };
        lock(&self.loops).insert(job.clone(), watched);
        life
    }

    /// A loop has ended; tells whether anybody still counted on it.
    pub(super) fn end(&self, job: &JobId) -> bool {
        lock(&self.loops).remove(job).is_some()
    }

    /// Listens once to every loop. Those that were silent for too long are counted on no more.
    pub(super) fn stuck(&self, interval: Duration, patience: Duration) -> Vec<JobId> {
        let mut loops = lock(&self.loops);
        for watched in loops.values_mut() {
            let signs = watched.life.signs.load(Ordering::Relaxed);
            let is_alive = signs != watched.signs || watched.life.is_waiting.load(Ordering::Relaxed);
            watched.signs = signs;
            watched.quiet = if is_alive { 0 } else { watched.quiet + 1 };
        }
        let is_stuck = |watched: &Watched| 0 < watched.quiet && patience <= interval * watched.quiet;
        loops.extract_if(|_, watched| is_stuck(watched)).map(|(job, _)| job).collect()
    }
}

#[cfg(test)]
mod tests {
    use luminos_core::RelPath;

    use super::*;

    const BEAT: Duration = Duration::from_secs(2);
    const PATIENCE: Duration = Duration::from_secs(6);

    fn job(name: &str) -> JobId {
        let dir = RelPath::new(name.as_bytes());
        JobId { investigation: "i".to_owned(), dir, attempt: 1, epoch: 1 }
    }

    #[test]
    fn who_says_nothing_for_long_is_stuck_and_told_once() {
        let lives = Lives::default();
        let (talks, silent) = (lives.begin(&job("talks")), lives.begin(&job("silent")));
        silent.sign();
        for beat in 0..6 {
            talks.sign();
            let expected = if beat == 3 { vec![job("silent")] } else { Vec::new() };
            assert_eq!(lives.stuck(BEAT, PATIENCE), expected, "beat {beat}");
        }
        assert!(lives.end(&job("talks")));
        assert!(!lives.end(&job("silent")), "nobody counts on it any more");
    }

    #[test]
    fn who_waits_for_an_answer_is_not_stuck() {
        let lives = Lives::default();
        let life = lives.begin(&job("waits"));
        life.waiting(|| (0..20).for_each(|_| assert_eq!(lives.stuck(BEAT, PATIENCE), [])));
        for _ in 0..3 {
            assert_eq!(lives.stuck(BEAT, PATIENCE), [], "its time begins when it has its answer");
        }
        assert_eq!(lives.stuck(BEAT, PATIENCE), [job("waits")]);
    }
}
