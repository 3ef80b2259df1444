//! What follows from waiting: which tasks are surely done, or surely over, once a task can begin.

use crate::tasks::task::{Dep, Needs};

/// For each task, the tasks that must be done and those that must be over before it can begin.
pub(super) struct Reach {
    width: usize,
    done: Vec<u64>,
    settled: Vec<u64>,
}

impl Reach {
    pub(super) fn new(count: usize) -> Self {
        let width = count.div_ceil(64);
        Self { width, done: vec![0; width * count], settled: vec![0; width * count] }
    }

    /// Whether `on` is done when `from` begins.
    pub(super) fn done(&self, from: usize, on: usize) -> bool {
        is_set(&self.done[from * self.width..], on)
    }

    /// Whether `on` is over when `from` begins.
    pub(super) fn settled(&self, from: usize, on: usize) -> bool {
        is_set(&self.settled[from * self.width..], on)
    }

    /// Adds a dependency on an earlier task, whose own are all there.
    pub(super) fn add(&mut self, from: usize, dep: Dep) {
        let row = from * self.width;
        set(&mut self.settled[row..], dep.on);
        if dep.needs == Needs::Settled {
            // A task that was given up need not have waited for anything.
            return;
        }
        set(&mut self.done[row..], dep.on);
        for place in 0..self.width {
            let theirs = dep.on * self.width + place;
            self.done[row + place] |= self.done[theirs];
            self.settled[row + place] |= self.settled[theirs];
        }
    }
}

fn is_set(bits: &[u64], at: usize) -> bool {
    bits.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
}

fn set(bits: &mut [u64], at: usize) {
    if let Some(word) = bits.get_mut(at / 64) {
        *word |= 1 << (at % 64);
    }
}
