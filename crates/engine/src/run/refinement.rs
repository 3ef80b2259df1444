//! Second looks at weak results, with turns that are there for it.
//!
//! Each directory that is looked into again is promised the turns of its tier, and so is everything above it, which sees
//! its new result. Where nobody has limited turns, there are more of them for it; otherwise only those that are free.

use std::collections::BTreeSet;

use luminos_core::RelPath;
use luminos_core::job::Mind;
use luminos_core::plan::Turns;
use luminos_core::refine::{Weak, reads_new, weak};
use luminos_core::run::Event;
use luminos_core::scan::DirId;
use luminos_core::talk::Pass;
use luminos_core::turns::Posting;
use luminos_wire::control::RunEvent;

use super::Msg;
use super::desk::Desk;
use super::loops::Loop;
use crate::budget::BudgetTotals;

/// Second looks under way.
#[derive(Debug, Default)]
pub(super) struct Refinement {
    /// Which time, from 1; 0 while everything is looked at for the first time.
    pub(super) round: u32,
    /// What is to be looked into, and why.
    pub(super) weak: Vec<Weak>,
    /// Directories that have turns again after they had ended.
    pub(super) reopened: BTreeSet<RelPath>,
    /// Whether anything was read in this round that nobody had read.
    pub(super) has_read: bool,
}

impl Refinement {
    /// What is doubtful about a directory, if it is to be looked into again.
    pub(super) fn doubts(&self, dir: &RelPath) -> Option<&[String]> {
        self.weak.iter().find(|weak| weak.path == *dir).map(|weak| weak.doubts.as_slice())
    }
}

impl Desk {
    /// Everything has finished: finds out how many turns there are for a second look.
    pub(super) fn refine(&mut self, round: u32) -> Option<Event> {
        if self.minds.mind(Pass::Dir) == Mind::Offline {
            let why = "the analyst without a model would find the same again: --refine needs a model";
            self.degraded.push(why.to_owned());
            return Some(Event::Refine { dirs: Vec::new() });
        }
        if 1 < round && !self.refinement.has_read {
            self.audience
                .tell(&RunEvent::Note("the last second look read nothing new: it is enough".to_owned()));
            return Some(Event::Refine { dirs: Vec::new() });
        }
        let (budget, myself) = (self.budget.clone(), self.myself.clone());
        tokio::spawn(async move {
            let turns = budget.totals().await;
            let _ = myself.cast(Msg::Refine { round, turns });
        });
        None
    }

    /// Chooses what deserves a second look, and gives it turns.
    pub(super) fn choose(&mut self, round: u32, turns: BudgetTotals) {
        let Some((schedule, dirs)) = self.run.schedule() else { return };
        let entries = dirs.ids().filter(|dir| schedule.of(*dir).is_investigated());
        let entries = entries.filter_map(|dir| self.entries.get(dirs.path(dir)));
        let mut room = match self.limits.turns {
            Some(_) if self.minds.recordings().is_none_or(|known| known.is_fork()) => turns.free.0,
            Some(_) | None => u32::MAX,
        };
        let (mut chosen, mut promises, mut taken) = (Vec::new(), Vec::new(), BTreeSet::new());
        for weak in weak(entries.map(AsRef::as_ref)) {
            let Some(dir) = dirs.ids().find(|dir| *dirs.path(*dir) == weak.path) else { continue };
            // A run that repeats another looks again at what that one looked at again.
            let recorded = self.minds.recordings();
            if recorded.and_then(|known| known.had_turn(&weak.path, round, 1)) == Some(false) {
                continue;
            }
            let mut chain: Vec<(DirId, Turns)> = Vec::new();
            let mut next = Some(dir);
            while let Some(dir) = next {
                if schedule.of(dir).is_investigated() && !taken.contains(&dir) {
                    chain.push((dir, schedule.of(dir).turns));
                }
                next = dirs.parent(dir);
            }
            let needed: u32 = chain.iter().map(|(_, turns)| turns.0).sum();
            if room < needed {
                continue;
            }
            room -= needed;
            taken.extend(chain.iter().map(|(dir, _)| *dir));
            promises.extend(chain.into_iter().map(|(dir, turns)| (dirs.path(dir).clone(), turns)));
            chosen.push((dir, weak));
        }
        let needed: u32 = promises.iter().map(|(_, turns)| turns.0).sum();
        if turns.free.0 < needed {
            self.budget.post(Posting::Limit { total: Turns(turns.total.0 + needed - turns.free.0) });
        }
        self.refinement = Refinement {
            round,
            reopened: promises.iter().map(|(dir, _)| dir.clone()).collect(),
            has_read: false,
            weak: Vec::new(),
        };
        for (dir, turns) in promises {
            self.budget.post(Posting::Promise { dir, turns });
        }
        let dirs: Vec<DirId> = chosen.iter().map(|(dir, _)| *dir).collect();
        self.refinement.weak = chosen.into_iter().map(|(_, weak)| weak).collect();
        if !dirs.is_empty() {
            let word = if dirs.len() == 1 { "directory deserves" } else { "directories deserve" };
            self.audience.tell(&RunEvent::Note(format!("{} {word} a second look", dirs.len())));
        }
        self.feed(Event::Refine { dirs });
    }

    /// A second look is over: takes note of whether it has read anything new.
    pub(super) fn looked_again(&mut self, work: &Loop) {
        let (before, after) = work.served.split_at(work.inherited.min(work.served.len()));
        self.refinement.has_read |= reads_new(before, after);
    }
}
