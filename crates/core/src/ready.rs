//! Which directory may start, and which of those goes first.
//!
//! A directory may start when everything below it that is looked at has finished: children before parents, in both
//! orders, whatever the plan says. A skipped directory is transparent: what lies below it still comes before what
//! lies above.
//!
//! Among those that may start, the one with the longest chain of turns up to the root goes first: on a tree that is
//! the best a schedule can do. With `priority-first` the band goes before the chain; a directory has the best band
//! of itself and everything above it, since a priority parent cannot start before its children, and ranking it alone
//! would change nothing.

use std::collections::BTreeSet;

use crate::plan::{Dirs, Order, Schedule};
use crate::scan::DirId;
use crate::turns::Band;

#[cfg(test)]
mod tests;

/// How far a directory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// It is not looked at.
    Skipped,
    /// Something below it has not finished.
    Waiting,
    /// It may start.
    Ready,
    /// It was handed out.
    Taken,
    /// It has finished, one way or another.
    Finished,
}

/// What decides who goes first: the smallest.
type Rank = (Band, std::cmp::Reverse<u64>, DirId);

/// All directories of an investigation by how far they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadyQueue {
    stages: Vec<Stage>,
    /// For each directory the next one above it that is looked at.
    above: Vec<Option<DirId>>,
    /// How many directories right below it, skipped ones seen through, have not finished.
    open_below: Vec<u32>,
    ranks: Vec<Rank>,
    ready: BTreeSet<Rank>,
    /// How many have neither finished nor are skipped.
    open: usize,
}

impl ReadyQueue {
    /// A queue in which nothing has started.
    pub fn new(dirs: &Dirs, schedule: &Schedule) -> Self {
        let mut queue = Self {
            stages: vec![Stage::Waiting; dirs.len()],
            above: Vec::new(),
            open_below: Vec::new(),
            ranks: Vec::new(),
            ready: BTreeSet::new(),
            open: 0,
        };
        queue.follow(dirs, schedule);
        queue
    }

    /// Follows a plan, or a change of it. What has not started and is not to be looked at is skipped from now on; what
    /// was skipped before stays so.
    pub fn follow(&mut self, dirs: &Dirs, schedule: &Schedule) {
        for dir in dirs.ids().filter(|dir| !schedule.of(*dir).is_investigated()) {
            let stage = &mut self.stages[dir.0 as usize];
            if matches!(stage, Stage::Waiting | Stage::Ready) {
                *stage = Stage::Skipped;
            }
        }
        self.above.clear();
        for dir in dirs.ids() {
            let next = dirs.parent(dir).and_then(|parent| match self.stages[parent.0 as usize] {
                Stage::Skipped => self.above[parent.0 as usize],
                Stage::Waiting | Stage::Ready | Stage::Taken | Stage::Finished => Some(parent),
            });
            self.above.push(next);
        }
        self.open = 0;
        self.open_below = vec![0; dirs.len()];
        for dir in dirs.ids() {
            if matches!(self.stages[dir.0 as usize], Stage::Skipped | Stage::Finished) {
                continue;
            }
            self.open += 1;
            if let Some(above) = self.above[dir.0 as usize] {
                self.open_below[above.0 as usize] += 1;
            }
        }
        self.ranks = self.rank(dirs, schedule);
        self.ready.clear();
        for dir in dirs.ids() {
            match self.stages[dir.0 as usize] {
                Stage::Ready => {
                    self.ready.insert(self.ranks[dir.0 as usize]);
                }
                Stage::Waiting => self.settle(dir),
                Stage::Skipped | Stage::Taken | Stage::Finished => {}
            }
        }
    }

    fn rank(&self, dirs: &Dirs, schedule: &Schedule) -> Vec<Rank> {
        let mut ranks: Vec<Rank> = Vec::with_capacity(dirs.len());
        for dir in dirs.ids() {
            let allocation = schedule.of(dir);
            let own = match schedule.order {
                Order::LeafFirst => Band(0),
                Order::PriorityFirst => Band::from(allocation.tier),
            };
            let (band, chain) = match self.above[dir.0 as usize] {
                Some(above) => {
                    let (band, std::cmp::Reverse(chain), _) = ranks[above.0 as usize];
                    (band.min(own), chain)
                }
                None => (own, 0),
            };
            ranks.push((band, std::cmp::Reverse(chain + u64::from(allocation.turns.0)), dir));
        }
        ranks
    }

    /// Moves a directory that waits for nothing to those that may start.
    fn settle(&mut self, dir: DirId) {
        let place = dir.0 as usize;
        if self.stages[place] == Stage::Waiting && self.open_below[place] == 0 {
            self.stages[place] = Stage::Ready;
            self.ready.insert(self.ranks[place]);
        }
    }

    /// Hands out the directory that goes first.
    pub fn take(&mut self) -> Option<DirId> {
        let (_, _, dir) = self.ready.pop_first()?;
        self.stages[dir.0 as usize] = Stage::Taken;
        Some(dir)
    }

    /// A directory that was handed out may start again.
    pub fn put_back(&mut self, dir: DirId) {
        if self.stages[dir.0 as usize] == Stage::Taken {
            self.stages[dir.0 as usize] = Stage::Ready;
            self.ready.insert(self.ranks[dir.0 as usize]);
        }
    }

    /// A directory has finished, one way or another. Said twice, it counts once.
    pub fn finish(&mut self, dir: DirId) {
        let place = dir.0 as usize;
        match self.stages[place] {
            Stage::Skipped | Stage::Finished => return,
            Stage::Ready => {
                self.ready.remove(&self.ranks[place]);
            }
            Stage::Waiting | Stage::Taken => {}
        }
        self.stages[place] = Stage::Finished;
        self.open -= 1;
        if let Some(above) = self.above[place] {
            self.open_below[above.0 as usize] -= 1;
            self.settle(above);
        }
    }

    /// Lets directories that have finished, and everything above them, begin again. [`Self::follow`] must come next.
    pub fn reopen(&mut self, dirs: &[DirId]) -> BTreeSet<DirId> {
        let mut reopened = BTreeSet::new();
        for dir in dirs {
            let mut next = Some(*dir).filter(|dir| self.has_finished(*dir));
            while let Some(dir) = next.filter(|dir| reopened.insert(*dir)) {
                self.stages[dir.0 as usize] = Stage::Waiting;
                next = self.above[dir.0 as usize];
            }
        }
        reopened
    }

    /// Whether a directory was handed out, has finished, or is not looked at at all.
    pub fn has_started(&self, dir: DirId) -> bool {
        !matches!(self.stages[dir.0 as usize], Stage::Waiting | Stage::Ready)
    }

    /// Whether a directory has finished.
    pub fn has_finished(&self, dir: DirId) -> bool {
        self.stages[dir.0 as usize] == Stage::Finished
    }

    /// Whether something may start.
    pub fn has_ready(&self) -> bool {
        !self.ready.is_empty()
    }

    /// Whether everything has finished.
    pub fn is_done(&self) -> bool {
        self.open == 0
    }

    /// How many have not finished.
    pub fn open(&self) -> usize {
        self.open
    }

    /// How important a directory is, what it inherits included.
    pub fn band(&self, dir: DirId) -> Band {
        self.ranks[dir.0 as usize].0
    }
}
