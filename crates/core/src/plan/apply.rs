//! From what a planner said to what each directory gets.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Dirs, LeftOut, Order, Plan, Revision, Tier, Turns, scale};
use crate::RelPath;
use crate::scan::DirId;

/// What one directory gets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allocation {
    /// How much it deserves.
    pub tier: Tier,
    /// How many turns it starts with: none for one that is not looked at.
    pub turns: Turns,
    /// Why, where the plan says.
    pub reason: String,
}

impl Allocation {
    fn usual() -> Self {
        Self { tier: Tier::Default, turns: Turns::DEFAULT, reason: String::new() }
    }

    /// Whether its directory is looked at.
    pub fn is_investigated(&self) -> bool {
        Turns(0) < self.turns
    }
}

/// Something about a plan that a reader should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum PlanWarning {
    /// There is no such directory.
    #[error("the plan names `{path}`, which is no directory of the target")]
    Unknown {
        /// As the planner wrote it, made safe to print.
        path: String,
    },
    /// It is named in several tiers.
    #[error("the plan names `{path}` as {also} and as {used}; {used} counts", path = .path.for_terminal(), also = .also.word(), used = .used.word())]
    Twice {
        /// The directory.
        path: RelPath,
        /// The tier that counts.
        used: Tier,
        /// The tier that does not.
        also: Tier,
    },
    /// The target itself is named to be skipped.
    #[error("the plan skips the target itself; it is looked at all the same")]
    SkipsRoot,
    /// A directory has started already and cannot change its tier.
    #[error("the plan moves `{path}`, which has started already", path = .path.for_terminal())]
    Started {
        /// The directory.
        path: RelPath,
    },
}

/// What each directory gets, by its number, and what was odd about the plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// Which directory is taken first.
    pub order: Order,
    /// What each directory gets.
    pub allocations: Vec<Allocation>,
    /// All turns that there are; no fewer than the allocations together.
    pub total: Turns,
    /// What a reader of the report should know.
    pub warnings: Vec<PlanWarning>,
    /// Directories for which a limit left no turns.
    pub left_out: Vec<LeftOut>,
}

impl Schedule {
    /// What a directory gets.
    pub fn of(&self, dir: DirId) -> &Allocation {
        &self.allocations[dir.0 as usize]
    }
}

/// What each directory gets under a plan. With a limit, allocations are scaled down until they fit.
pub fn apply_plan(plan: &Plan, dirs: &Dirs, most: Option<Turns>) -> Schedule {
    let mut warnings = Vec::new();
    let named = named_tiers(plan, dirs, &mut warnings);
    let mut allocations: Vec<Allocation> = Vec::with_capacity(dirs.len());
    // Parents stand before their children, so what a directory inherits is known when its turn comes.
    let mut skipped_by: Vec<Option<DirId>> = Vec::with_capacity(dirs.len());
    for dir in dirs.ids() {
        let inherited = dirs.parent(dir).and_then(|parent| skipped_by[parent.0 as usize]);
        let (allocation, skipper) = match (named.get(&dir), inherited) {
            (Some(allocation), _) if allocation.tier == Tier::Skip => (allocation.clone(), Some(dir)),
            (Some(allocation), inherited) => (allocation.clone(), inherited),
            (None, Some(skipper)) => (allocations[skipper.0 as usize].clone(), Some(skipper)),
            (None, None) => (Allocation::usual(), None),
        };
        allocations.push(allocation);
        skipped_by.push(skipper);
    }
    let left_out = match most {
        Some(most) => scale::fit(&mut allocations, dirs, most),
        None => Vec::new(),
    };
    let left_out = left_out
        .into_iter()
        .map(|dir| LeftOut { path: dirs.path(dir).clone(), tier: allocations[dir.0 as usize].tier });
    let left_out = left_out.collect();
    let total = most.unwrap_or_else(|| total_of(&allocations));
    Schedule { order: plan.investigation_order, allocations, total, warnings, left_out }
}

/// The larger of ten turns for each directory that is looked at and what the plan gives out.
fn total_of(allocations: &[Allocation]) -> Turns {
    let investigated = allocations.iter().filter(|allocation| allocation.is_investigated()).count() as u64;
    let given: u64 = allocations.iter().map(|allocation| u64::from(allocation.turns.0)).sum();
    let total = given.max(investigated * u64::from(Turns::DEFAULT.0));
    Turns(u32::try_from(total).unwrap_or(u32::MAX))
}

/// The directories that a plan names: skip beats shallow beats priority.
fn named_tiers(plan: &Plan, dirs: &Dirs, warnings: &mut Vec<PlanWarning>) -> BTreeMap<DirId, Allocation> {
    let mut named: BTreeMap<DirId, Allocation> = BTreeMap::new();
    let skips = plan.skip_dirs.iter().map(|dir| (&dir.path, Tier::Skip, Turns(0), &dir.reason));
    let shallow = plan.shallow_dirs.iter().map(|dir| (&dir.path, Tier::Shallow, Turns::SHALLOW, &dir.reason));
    let priority = plan.priority_dirs.iter().map(|dir| {
        let turns = Turns(dir.suggested_turns.0.clamp(1, Turns::MOST.0));
        (&dir.path, Tier::Priority, turns, &dir.reason)
    });
    for (path, tier, turns, reason) in skips.chain(shallow).chain(priority) {
        let Some(dir) = dirs.find(path) else {
            let path = crate::Untrusted::new(path.as_bytes()).for_terminal();
            warnings.push(PlanWarning::Unknown { path });
            continue;
        };
        if dir == DirId(0) && tier == Tier::Skip {
            warnings.push(PlanWarning::SkipsRoot);
            continue;
        }
        match named.get(&dir) {
            Some(other) => {
                warnings.push(PlanWarning::Twice {
                    path: dirs.path(dir).clone(),
                    used: other.tier,
                    also: tier,
                });
            }
            None => {
                named.insert(dir, Allocation { tier, turns, reason: reason.clone() });
            }
        }
    }
    named
}

/// What a change of plan means for directories that have not started, by their numbers. `has_started` also covers
/// those that are finished or were left out for good.
pub fn apply_revision(
    revision: &Revision,
    dirs: &Dirs,
    schedule: &Schedule,
    has_started: impl Fn(DirId) -> bool,
) -> (BTreeMap<DirId, Allocation>, Vec<PlanWarning>) {
    let mut changes = BTreeMap::new();
    let mut warnings = Vec::new();
    for change in &revision.moves {
        let Some(dir) = dirs.find(&change.path) else {
            let path = crate::Untrusted::new(change.path.as_bytes()).for_terminal();
            warnings.push(PlanWarning::Unknown { path });
            continue;
        };
        if dir == DirId(0) && change.tier == Tier::Skip {
            warnings.push(PlanWarning::SkipsRoot);
            continue;
        }
        if has_started(dir) {
            warnings.push(PlanWarning::Started { path: dirs.path(dir).clone() });
            continue;
        }
        let turns = match change.tier {
            Tier::Priority => Turns(change.turns.unwrap_or(Turns::PRIORITY).0.clamp(1, Turns::MOST.0)),
            Tier::Default => Turns::DEFAULT,
            Tier::Shallow => Turns::SHALLOW,
            Tier::Skip => Turns(0),
        };
        let allocation = Allocation { tier: change.tier, turns, reason: change.reason.clone() };
        if allocation != *schedule.of(dir) {
            changes.insert(dir, allocation);
        }
    }
    (changes, warnings)
}
