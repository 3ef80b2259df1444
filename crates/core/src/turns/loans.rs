//! Those who wait for turns.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde::{Deserialize, Serialize};

use super::Outcome;
use crate::RelPath;
use crate::plan::{Tier, Turns};

/// The number of a wish for turns, given by whoever keeps the ledger. Never used twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LoanId(pub u64);

/// How important a directory is to those who wait beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Band(pub u8);

impl From<Tier> for Band {
    fn from(tier: Tier) -> Self {
        match tier {
            Tier::Priority => Self(0),
            Tier::Default => Self(1),
            Tier::Shallow | Tier::Skip => Self(2),
        }
    }
}

/// Why a wish is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A directory gets no more than so many turns.
    #[error("a directory gets at most {} turns in all", Turns::MOST.0)]
    Cap,
    /// Nothing that is out could still come back.
    #[error("no turns are free, and none will come back")]
    NothingOut,
    /// What is likely to come back does not cover what is asked for.
    #[error("no turns are free, and too few are likely to come back")]
    TooLittleComesBack,
    /// Everybody waits for everybody.
    #[error("no turns are free, and everything under way is waiting for some")]
    Stuck,
    /// A limit was reached.
    #[error("a limit of the investigation was reached")]
    Closed,
}

/// A wish that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wait {
    /// Its number.
    pub loan: LoanId,
    /// Who asks.
    pub dir: RelPath,
    /// How many turns it wants.
    pub turns: Turns,
    /// How important it is.
    pub band: Band,
}

/// All who wait, and every wish there ever was.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Loans {
    waiting: BTreeMap<LoanId, Wait>,
    /// Best first: by band, then first come.
    in_order: BTreeSet<(Band, LoanId)>,
    dirs: HashSet<RelPath>,
    newest: Option<LoanId>,
}

impl Loans {
    /// Numbers grow, so all up to the newest are known.
    pub(super) fn knows(&self, loan: LoanId) -> bool {
        self.newest.is_some_and(|newest| loan <= newest)
    }

    pub(super) fn next(&self) -> LoanId {
        self.newest.map_or(LoanId(1), |newest| LoanId(newest.0 + 1))
    }

    pub(super) fn forget(&mut self) {
        self.waiting.clear();
        self.in_order.clear();
        self.dirs.clear();
    }

    /// Remembers that there was such a wish.
    pub(super) fn note(&mut self, loan: LoanId) {
        self.newest = self.newest.max(Some(loan));
    }

    pub(super) fn add(&mut self, wait: Wait) {
        self.in_order.insert((wait.band, wait.loan));
        self.dirs.insert(wait.dir.clone());
        self.waiting.insert(wait.loan, wait);
    }

    pub(super) fn take(&mut self, loan: LoanId) -> Option<Wait> {
        let wait = self.waiting.remove(&loan)?;
        self.in_order.remove(&(wait.band, loan));
        self.dirs.remove(&wait.dir);
        Some(wait)
    }

    pub(super) fn withdraw(&mut self, loan: LoanId) {
        self.take(loan);
    }

    pub(super) fn withdraw_all_of(&mut self, dir: &RelPath) {
        if !self.dirs.contains(dir) {
            return;
        }
        let theirs: Vec<LoanId> =
            self.waiting.values().filter(|wait| wait.dir == *dir).map(|wait| wait.loan).collect();
        theirs.into_iter().for_each(|loan| self.withdraw(loan));
    }

    pub(super) fn refuse(&mut self, loan: LoanId, because: Refusal) -> Option<Outcome> {
        self.take(loan).map(|wait| Outcome::Refused { loan: wait.loan, because })
    }

    pub(super) fn refuse_last(&mut self, because: Refusal) -> Option<Outcome> {
        let (_, loan) = *self.in_order.last()?;
        self.refuse(loan, because)
    }

    pub(super) fn first(&self) -> Option<LoanId> {
        self.in_order.first().map(|(_, loan)| *loan)
    }

    /// What those want who are served before a newcomer.
    pub(super) fn demand_before(&self, band: Band) -> u32 {
        self.waiting.values().filter(|wait| wait.band <= band).map(|wait| wait.turns.0).sum()
    }

    /// Those who wait.
    pub(super) fn dirs(&self) -> impl Iterator<Item = &RelPath> {
        self.dirs.iter()
    }

    pub(super) fn len(&self) -> usize {
        self.waiting.len()
    }
}
