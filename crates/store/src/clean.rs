//! Which investigations can go.

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use crate::layout::Layout;
use crate::{InvestigationId, Investigations, Store, Target};

/// What is to go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cleaning {
    /// This one.
    One(InvestigationId),
    /// All but so many of each target, the newest.
    KeepNewest(usize),
    /// All to which nothing has happened since.
    UntouchedSince(SystemTime),
}

/// The investigations that a cleaning removes, oldest first. Those that run stay, whatever was asked.
pub fn to_clean(
    store: &Store,
    investigations: &Investigations,
    cleaning: Cleaning,
    running: &BTreeSet<InvestigationId>,
) -> Vec<InvestigationId> {
    let layout = Layout::new(store.home());
    let mut newer: BTreeMap<Option<&Target>, usize> = BTreeMap::new();
    let mut chosen = Vec::new();
    for known in investigations.all().iter().rev() {
        // Investigations that no longer tell their target are taken for those of one target.
        let newer = newer.entry(known.meta.as_ref().ok().map(|meta| &meta.target)).or_default();
        let goes = match cleaning {
            Cleaning::One(id) => id == known.id,
            Cleaning::KeepNewest(kept) => kept <= *newer,
            Cleaning::UntouchedSince(moment) => {
                let touched =
                    std::fs::symlink_metadata(layout.meta(known.id)).and_then(|found| found.modified());
                touched.is_ok_and(|touched| touched < moment)
            }
        };
        *newer += 1;
        if goes && !running.contains(&known.id) {
            chosen.push(known.id);
        }
    }
    chosen.reverse();
    chosen
}
