//! The spend ledger: every call reserves its worst case before it is sent and settles afterwards.
//!
//! Pure bookkeeping with time as an argument. The engine feeds it one question at a time.
//!
//! **Invariants**, after every call: spent and reserved together never pass a limit; what is reserved is
//! exactly the sum of the open reservations; a reservation settles once.
//!
//! Not here: waiting for others to settle, and what a call costs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Money, Tokens};
use crate::Moment;

#[cfg(test)]
mod tests;

/// What may be spent in all. `None` is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Money.
    pub money: Option<Money>,
    /// Tokens, input and output together.
    pub tokens: Option<Tokens>,
    /// Calls that reach a model.
    pub calls: Option<u64>,
    /// No call starts at or after this moment.
    pub deadline: Option<Moment>,
}

/// What one call costs, at most or in fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Charge {
    /// Money; `None` where no price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub money: Option<Money>,
    /// Tokens, input and output together.
    pub tokens: Tokens,
}

/// Sums over calls. A call without a known price adds no money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    /// Money.
    pub money: Money,
    /// Tokens.
    pub tokens: Tokens,
    /// Calls.
    pub calls: u64,
}

impl Totals {
    pub(super) fn add(&mut self, charge: Charge) {
        self.money = self.money.plus(charge.money.unwrap_or_default());
        self.tokens += charge.tokens;
        self.calls = self.calls.saturating_add(1);
    }
}

/// Names an open reservation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReservationId(u64);

/// How the call of a reservation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It was answered; this is what it used.
    Used(Charge),
    /// It never reached a model, or the model refused it unread: nothing is owed.
    NotSent,
    /// It died on the way, or its caller did. Nobody knows what is owed, so it counts in full.
    Unknown,
}

impl Outcome {
    /// What a reservation of this worst case becomes; `None` if nothing is owed.
    pub fn settled(self, worst: Charge) -> Option<Settled> {
        match self {
            Self::NotSent => None,
            Self::Unknown => Some(Settled { charged: worst, exceeded: false }),
            Self::Used(used) => Some(settle_used(worst, used)),
        }
    }
}

/// What a reservation became.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settled {
    /// What was booked.
    pub charged: Charge,
    /// Whether more was reported than a call like this can use. The reservation was booked in full then:
    /// the report, or the estimate of the input, is wrong, and somebody should hear of it.
    pub exceeded: bool,
}

/// Whether asking again can help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// It fits as soon as enough of the open reservations settle below their maximum.
    ForOthers,
    /// It does not fit whatever the others do.
    InVain,
}

/// Why a call may not be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The money limit.
    #[error("the money limit of {limit} leaves {left}, and the next call can cost {asked}")]
    Money {
        /// The limit.
        limit: Money,
        /// What is neither spent nor reserved.
        left: Money,
        /// The worst case of the call.
        asked: Money,
        /// Whether asking again can help.
        wait: Wait,
    },
    /// The token limit.
    #[error("the limit of {} tokens leaves {}, and the next call can use {}", limit.0, left.0, asked.0)]
    Tokens {
        /// The limit.
        limit: Tokens,
        /// What is neither spent nor reserved.
        left: Tokens,
        /// The worst case of the call.
        asked: Tokens,
        /// Whether asking again can help.
        wait: Wait,
    },
    /// The limit of calls.
    #[error("the limit of {limit} model calls is reached")]
    Calls {
        /// The limit.
        limit: u64,
        /// Whether asking again can help.
        wait: Wait,
    },
    /// The deadline.
    #[error("the time limit is reached")]
    Deadline,
    /// There is a money limit, but the model has no known price.
    #[error("there is a money limit, and the price of the model is not known")]
    UnknownPrice,
}

/// Who may still spend how much.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ledger {
    limits: Limits,
    spent: Totals,
    open: BTreeMap<ReservationId, Charge>,
    next_id: u64,
}

impl Ledger {
    /// An empty ledger.
    pub fn new(limits: Limits) -> Self {
        Self::resume(limits, Totals::default())
    }

    /// A ledger in which something was spent already, by an earlier run.
    pub fn resume(limits: Limits, spent: Totals) -> Self {
        Self { limits, spent, open: BTreeMap::new(), next_id: 0 }
    }

    /// What was spent.
    pub fn spent(&self) -> Totals {
        self.spent
    }

    /// What the open reservations hold.
    pub fn reserved(&self) -> Totals {
        // Added up anew each time: a running sum would be wrong for good once it had hit the largest number.
        let mut reserved = Totals::default();
        for &worst in self.open.values() {
            reserved.add(worst);
        }
        reserved
    }

    /// Sets the worst case of a call aside, or says why it may not be made.
    pub fn reserve(&mut self, worst: Charge, now: Moment) -> Result<ReservationId, Refusal> {
        self.check(worst, now)?;
        let id = ReservationId(self.next_id);
        self.next_id += 1;
        self.open.insert(id, worst);
        Ok(id)
    }

    fn check(&self, worst: Charge, now: Moment) -> Result<(), Refusal> {
        if self.limits.deadline.is_some_and(|deadline| deadline <= now) {
            return Err(Refusal::Deadline);
        }
        let reserved = self.reserved();
        if let Some(limit) = self.limits.money {
            let asked = worst.money.ok_or(Refusal::UnknownPrice)?;
            let free = limit.minus(self.spent.money);
            let left = free.minus(reserved.money);
            if left < asked {
                return Err(Refusal::Money { limit, left, asked, wait: wait_if(asked <= free) });
            }
        }
        if let Some(limit) = self.limits.tokens {
            let asked = worst.tokens;
            let free = Tokens(limit.0.saturating_sub(self.spent.tokens.0));
            let left = Tokens(free.0.saturating_sub(reserved.tokens.0));
            if left < asked {
                return Err(Refusal::Tokens { limit, left, asked, wait: wait_if(asked <= free) });
            }
        }
        if let Some(limit) = self.limits.calls
            && limit <= self.spent.calls.saturating_add(reserved.calls)
        {
            return Err(Refusal::Calls { limit, wait: wait_if(self.spent.calls < limit) });
        }
        Ok(())
    }

    /// Books how the call of a reservation ended. `None` if the reservation is settled already: then nothing
    /// changes, so that a late answer cannot be booked twice.
    pub fn settle(&mut self, id: ReservationId, outcome: Outcome) -> Option<Settled> {
        let worst = self.open.remove(&id)?;
        let Some(settled) = outcome.settled(worst) else {
            return Some(Settled { charged: Charge::default(), exceeded: false });
        };
        self.spent.add(settled.charged);
        Some(settled)
    }
}

fn wait_if(others_can_make_room: bool) -> Wait {
    if others_can_make_room { Wait::ForOthers } else { Wait::InVain }
}

fn settle_used(worst: Charge, used: Charge) -> Settled {
    // An answer whose price is not known, although it was when the call was reserved, counts in full.
    let money = worst.money.map(|worst| used.money.map_or(worst, |used| used.min(worst)));
    let exceeded =
        worst.tokens < used.tokens || used.money.zip(worst.money).is_some_and(|(used, worst)| worst < used);
    Settled { charged: Charge { money, tokens: used.tokens.min(worst.tokens) }, exceeded }
}
