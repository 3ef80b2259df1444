//! Fitting a plan into fewer turns than it asks for.

use serde::{Deserialize, Serialize};

use super::{Allocation, Dirs, Tier, Turns};
use crate::RelPath;
use crate::scan::DirId;

/// A directory for which there were no turns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Where it lies.
    pub path: RelPath,
    /// What the plan had meant for it.
    pub tier: Tier,
}

/// Scales allocations down to a number of turns, in proportion, but to no fewer than [`Turns::LEAST`] each. Where even
/// that does not fit, shallow directories are left out first, then default ones, then priority ones; among equals
/// the last and deepest first, and the target itself never.
pub(super) fn fit(allocations: &mut [Allocation], dirs: &Dirs, most: Turns) -> Vec<DirId> {
    let sum = |allocations: &[Allocation]| -> u64 {
        allocations.iter().map(|allocation| u64::from(allocation.turns.0)).sum()
    };
    let most = u64::from(most.0);
    if sum(allocations) <= most {
        return Vec::new();
    }
    let left_out = leave_out(allocations, dirs, most);
    // Whoever would fall below the least keeps it; the others share what is left in proportion. Each round fixes at
    // least one more, so there are no more rounds than there are different allocations.
    let mut fixed: Vec<bool> =
        allocations.iter().map(|allocation| allocation.turns <= Turns::LEAST).collect();
    loop {
        let held = |is_fixed: bool| -> u64 {
            let those = allocations.iter().zip(&fixed).filter(|(_, fixed)| **fixed == is_fixed);
            those
                .map(|(allocation, _)| u64::from(allocation.turns.0.min(at_most(allocation, is_fixed))))
                .sum()
        };
        let (kept, shared) = (held(true), held(false));
        let left = most.saturating_sub(kept);
        if shared == 0 || shared <= left {
            break;
        }
        let scaled =
            |turns: Turns| Turns(u32::try_from(u64::from(turns.0) * left / shared).unwrap_or(turns.0));
        let mut fixed_more = false;
        for (allocation, fixed) in allocations.iter().zip(&mut fixed) {
            if !*fixed && scaled(allocation.turns) < Turns::LEAST {
                *fixed = true;
                fixed_more = true;
            }
        }
        if !fixed_more {
            for (allocation, _) in allocations.iter_mut().zip(&fixed).filter(|(_, fixed)| !**fixed) {
                allocation.turns = scaled(allocation.turns);
            }
            break;
        }
    }
    for (allocation, _) in allocations.iter_mut().zip(&fixed).filter(|(_, fixed)| **fixed) {
        allocation.turns = allocation.turns.min(Turns::LEAST);
    }
    left_out
}

/// The most that an allocation counts for: one that is fixed gets the least.
fn at_most(allocation: &Allocation, is_fixed: bool) -> u32 {
    if is_fixed { Turns::LEAST.0 } else { allocation.turns.0 }
}

/// Takes the turns of directories until the least for each of the others fits.
fn leave_out(allocations: &mut [Allocation], dirs: &Dirs, most: u64) -> Vec<DirId> {
    let least = |allocation: &Allocation| u64::from(allocation.turns.min(Turns::LEAST).0);
    let mut needed: u64 = allocations.iter().map(least).sum();
    let mut left_out = Vec::new();
    for tier in [Tier::Shallow, Tier::Default, Tier::Priority] {
        for dir in dirs.ids().rev() {
            if needed <= most || dir == DirId(0) {
                break;
            }
            let allocation = &mut allocations[dir.0 as usize];
            if allocation.tier == tier && Turns(0) < allocation.turns {
                needed -= least(allocation);
                allocation.turns = Turns(0);
                left_out.push(dir);
            }
        }
    }
    left_out
}
