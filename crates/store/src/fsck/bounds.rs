//! Money and bounds: what calls cost adds up, nothing grows for ever.

use std::collections::HashSet;

use luminos_core::spend::SpendPosting;

use super::{Check, Promise, Remedy, entries, starts_with};
use crate::atomic::TEMPORARY;
use crate::evolution::Shelf;
use crate::layout::Layout;
use crate::{Investigation, document};

/// A log is put aside at 64 MiB; what a last long line adds is less than the rest.
const LONGEST_LOG: u64 = 80 << 20;
/// What is set aside for last words.
const LARGEST_RESERVE: u64 = 1 << 20;

impl Check<'_> {
    /// Every call that was booked had been reserved before, once.
    pub(super) fn spending(&mut self, investigation: &Investigation) {
        let path = investigation.dir().join("spend.jsonl");
        let Some(postings) = self.journal(investigation.spending::<SpendPosting>()) else { return };
        let mut open = HashSet::new();
        for posting in postings.into_bodies() {
            match posting {
                // One that is reserved again was cut off by a death, and counts in full.
                SpendPosting::Reserve { call, .. } => drop(open.insert(call)),
                SpendPosting::Settle { call, charged, .. } => {
                    if !open.remove(&call) && charged.is_some() {
                        let what = format!("books the call `{call}`, which was not reserved, or twice");
                        self.fault(Promise::LedgerConserved, &path, what, Remedy::StartFresh);
                    }
                }
            }
        }
    }

    /// Files of one investigation that could grow without end.
    pub(super) fn sizes(&mut self, investigation: &Investigation) {
        for (name, path) in entries(investigation.dir()) {
            let size = std::fs::symlink_metadata(&path).map_or(0, |found| found.len());
            if starts_with(&name, "investigation.log") && LONGEST_LOG < size {
                let what = format!("has {size} bytes, and should have been put aside before");
                self.fault(Promise::Bounded, &path, what, Remedy::Stays);
            }
        }
    }

    /// The shelves of the evolution planner, and what is set aside for last words.
    pub(super) fn shelves(&mut self, layout: &Layout) {
        let reserve = layout.reserve();
        let set_aside = std::fs::symlink_metadata(&reserve).map_or(0, |found| found.len());
        if LARGEST_RESERVE < set_aside {
            let what = format!("takes {set_aside} bytes, and {LARGEST_RESERVE} are enough");
            self.fault(Promise::Bounded, &reserve, what, Remedy::Stays);
        }
        for shelf in Shelf::ALL {
            let dir = self.home.join("evolve").join(shelf.name());
            let found = entries(&dir);
            if shelf.most() < found.len() {
                let what = format!("has {} documents; {} are kept", found.len(), shelf.most());
                self.note(Promise::Bounded, &dir, what, Remedy::Swept);
            }
            for (name, path) in found {
                if starts_with(&name, TEMPORARY) {
                    self.remains(&path, "a file that was being written");
                    continue;
                }
                match document::read(&path, shelf.kind()) {
                    Ok(found) => self.checkup.documents += u64::from(found.is_some()),
                    Err(problem) => self.problem(&problem, Remedy::Ignored),
                }
            }
        }
    }
}
