//! What is left of one limit of the provider, as a bucket that fills steadily.

use std::time::Duration;

use super::Allowance;
use crate::Moment;

/// What is left, reckoned from the last thing the provider said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Bucket {
    limit: u64,
    remaining: u64,
    told: Moment,
    full: Moment,
    /// What was taken since the provider spoke.
    taken: u64,
}

impl Bucket {
    /// A bucket as the provider describes it. `on_the_way` was taken by calls it has not counted yet.
    pub(super) fn new(allowance: Allowance, on_the_way: u64, now: Moment) -> Self {
        let remaining = allowance.remaining.min(allowance.limit);
        Self {
            limit: allowance.limit,
            remaining,
            told: now,
            full: now.after(allowance.resets_in),
            taken: on_the_way,
        }
    }

    pub(super) fn take(&mut self, amount: u64) {
        self.taken = self.taken.saturating_add(amount);
    }

    /// When so much is there. More than the limit can never be there: a full bucket is enough then, and the
    /// provider may refuse.
    pub(super) fn ready_at(&self, amount: u64, now: Moment) -> Moment {
        let needed = amount.saturating_add(self.taken);
        if needed <= self.remaining || self.full <= now {
            return now;
        }
        let (missing, to_fill) = (needed - self.remaining, self.limit - self.remaining);
        if to_fill <= missing {
            return self.full;
        }
        let filling = self.full.since(self.told).as_nanos();
        let nanoseconds = filling * u128::from(missing) / u128::from(to_fill);
        self.told.after(Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(u64::MAX))).max(now)
    }
}
