//! The directories of a run that are under way and those to come: which may begin, which wait, how often each was begun.

use std::collections::BTreeMap;

use super::super::{DirEnd, RunNote};
use crate::RelPath;
use crate::plan::{Dirs, Schedule};
use crate::ready::ReadyQueue;
use crate::scan::DirId;

/// Below this many directories it is not worth asking the planner again.
const WORTH_REVISING: usize = 8;
/// The parts of the work, in hundredths, after which the planner is asked again.
const REVISE_AT: [usize; 2] = [25, 50];

/// A loop under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Running {
    attempt: u32,
    is_parked: bool,
    pub(super) is_stopped: bool,
}

/// Directories under way, and those to come.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Loops {
    pub(super) dirs: Dirs,
    pub(super) schedule: Schedule,
    pub(super) queue: ReadyQueue,
    pub(super) running: BTreeMap<DirId, Running>,
    /// How often each directory has begun, for those that have.
    pub(super) attempts: BTreeMap<DirId, u32>,
    /// How often each has died with its worker.
    pub(super) losses: BTreeMap<DirId, u32>,
    /// Directories that finished in this run.
    pub(super) fresh: usize,
    pub(super) reused: usize,
    /// How many of `REVISE_AT` are behind.
    pub(super) revisions: usize,
    pub(super) is_revising: bool,
    /// Whether somebody who waits is just being refused.
    pub(super) is_refusing: bool,
    /// How often weak results were looked for, and whether that is just being done.
    pub(super) rounds: u32,
    pub(super) is_choosing: bool,
}

impl Loops {
    pub(super) fn active(&self) -> usize {
        self.running.values().filter(|running| !running.is_parked).count()
    }

    pub(super) fn begin(&mut self, dir: DirId) -> u32 {
        let attempt = self.attempts.entry(dir).or_insert(0);
        *attempt += 1;
        self.running.insert(dir, Running { attempt: *attempt, is_parked: false, is_stopped: false });
        *attempt
    }

    pub(super) fn is_current(&self, dir: DirId, attempt: u32) -> bool {
        self.running.get(&dir).is_some_and(|running| running.attempt == attempt)
    }

    pub(super) fn reuse(&mut self, dir: DirId) {
        if self.running.remove(&dir).is_some() {
            self.attempts.remove(&dir);
            self.reused += 1;
            self.queue.finish(dir);
        }
    }

    pub(super) fn set_parked(&mut self, dir: DirId, is_parked: bool) {
        self.is_refusing = false;
        if let Some(running) = self.running.get_mut(&dir) {
            running.is_parked = is_parked;
        }
    }

    pub(super) fn finish(&mut self, dir: DirId, attempt: u32, end: DirEnd) -> Option<RunNote> {
        if !self.is_current(dir, attempt) {
            return None;
        }
        self.running.remove(&dir);
        self.is_refusing = false;
        self.fresh += 1;
        self.queue.finish(dir);
        match end {
            DirEnd::Done => None,
            DirEnd::Partial { reason } => {
                Some(RunNote::PartialDir { path: self.dirs.path(dir).clone(), reason })
            }
            DirEnd::FilledIn { reason, end } => {
                Some(RunNote::FilledIn { path: self.dirs.path(dir).clone(), reason, end })
            }
        }
    }

    pub(super) fn hand_back(&mut self, dir: DirId, attempt: u32) {
        if self.is_current(dir, attempt) {
            self.running.remove(&dir);
            self.is_refusing = false;
            self.queue.put_back(dir);
        }
    }

    /// Whether everything under way waits for turns and nothing else can begin.
    pub(super) fn is_stuck(&self) -> bool {
        !self.running.is_empty() && self.active() == 0 && !self.queue.has_ready()
    }

    pub(super) fn wants_revision(&mut self) -> bool {
        let all = self.fresh + self.queue.open();
        if self.is_revising || 0 < self.rounds || all < WORTH_REVISING || self.queue.is_done() {
            return false;
        }
        let is_behind = |part: &&usize| **part * all <= self.fresh * 100;
        let behind = REVISE_AT.iter().take_while(is_behind).count();
        if behind <= self.revisions {
            return false;
        }
        self.revisions = behind;
        self.is_revising = true;
        true
    }

    /// Opens directories again that have finished, and everything above them. Tells which.
    pub(super) fn reopen(&mut self, dirs: &[DirId]) -> Vec<RelPath> {
        let reopened = self.queue.reopen(dirs);
        self.queue.follow(&self.dirs, &self.schedule);
        for _ in &reopened {
            match self.fresh {
                0 => self.reused = self.reused.saturating_sub(1),
                fresh => self.fresh = fresh - 1,
            }
        }
        reopened.into_iter().map(|dir| self.dirs.path(dir).clone()).collect()
    }

    /// Gives up on everything that has not begun.
    pub(super) fn drop_the_rest(&mut self) -> Vec<RelPath> {
        let missed: Vec<DirId> = self.dirs.ids().filter(|dir| !self.queue.has_started(*dir)).collect();
        for dir in &missed {
            self.queue.finish(*dir);
        }
        missed.into_iter().map(|dir| self.dirs.path(dir).clone()).collect()
    }
}
