//! The spend ledger: every call reserves its worst case before it is sent and settles afterwards.
//!
//! Pure bookkeeping with time as an argument. The engine feeds it one question at a time.
//!
//! **Invariants**, after every call: spent, lost and reserved together never pass a limit, unless a provider reports more
//! than was reserved, which is told (`Limits::passed_by`); what is reserved is exactly the sum of the open reservations;
//! a reservation settles once.
//!
//! Not here: waiting for others to settle, and what a call is booked at (`book`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Booking, CallEnd, Money, Tokens, book};
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Totals {
    /// Money.
    pub money: Money,
    /// Tokens.
    pub tokens: Tokens,
    /// Calls.
    pub calls: u64,
}

impl Totals {
    /// The sums of two.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            money: self.money.plus(other.money),
            tokens: self.tokens + other.tokens,
            calls: self.calls.saturating_add(other.calls),
        }
    }

    pub(super) fn add(&mut self, charge: Charge) {
        self.money = self.money.plus(charge.money.unwrap_or_default());
        self.tokens += charge.tokens;
        self.calls = self.calls.saturating_add(1);
    }
}

/// Names an open reservation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReservationId(u64);

/// What calls have come to: three numbers that are never mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Spending {
    /// What calls that ended have used.
    #[serde(default)]
    pub spent: Totals,
    /// The most that calls on their way can use.
    #[serde(default)]
    pub reserved: Totals,
    /// What was reserved for calls whose process died: nobody knows whether they used it.
    #[serde(default)]
    pub lost: Totals,
}

impl Spending {
    /// The sums of two.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            spent: self.spent.plus(other.spent),
            reserved: self.reserved.plus(other.reserved),
            lost: self.lost.plus(other.lost),
        }
    }

    /// What counts against limits.
    pub fn all(self) -> Totals {
        self.spent.plus(self.reserved).plus(self.lost)
    }
}

/// A limit that was passed although every call was reserved within it: a provider reported more than a call could use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Passed {
    /// The money limit.
    #[error(
        "the money limit of {limit} was passed: {spent} was spent, as the provider reported more than was reserved"
    )]
    Money {
        /// The limit.
        limit: Money,
        /// What was spent, and lost in flight.
        spent: Money,
    },
    /// The token limit.
    #[error(
        "the limit of {} tokens was passed: {} were used, as the provider reported more than was reserved",
        limit.0,
        spent.0
    )]
    Tokens {
        /// The limit.
        limit: Tokens,
        /// What was used, and lost in flight.
        spent: Tokens,
    },
}

impl Limits {
    /// The limit that was passed, if one was.
    pub fn passed_by(&self, spending: Spending) -> Option<Passed> {
        let Totals { money, tokens, .. } = spending.spent.plus(spending.lost);
        let by_money =
            self.money.filter(|limit| *limit < money).map(|limit| Passed::Money { limit, spent: money });
        let by_tokens = || {
            self.tokens.filter(|limit| *limit < tokens).map(|limit| Passed::Tokens { limit, spent: tokens })
        };
        by_money.or_else(by_tokens)
    }
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
    lost: Totals,
    open: BTreeMap<ReservationId, Charge>,
    next_id: u64,
}

impl Ledger {
    /// An empty ledger.
    pub fn new(limits: Limits) -> Self {
        Self::resume(limits, Spending::default())
    }

    /// A ledger of a run that goes on: what earlier lives have spent counts, and so does what was lost in flight.
    pub fn resume(limits: Limits, earlier: Spending) -> Self {
        let lost = earlier.lost.plus(earlier.reserved);
        Self { limits, spent: earlier.spent, lost, open: BTreeMap::new(), next_id: 0 }
    }

    /// What was spent, what is reserved and what was lost.
    pub fn spending(&self) -> Spending {
        // Added up anew each time: a running sum would be wrong for good once it had hit the largest number.
        let mut reserved = Totals::default();
        for &worst in self.open.values() {
            reserved.add(worst);
        }
        Spending { spent: self.spent, reserved, lost: self.lost }
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
        let reserved = self.spending().reserved;
        let used = self.spent.plus(self.lost);
        if let Some(limit) = self.limits.money {
            let asked = worst.money.ok_or(Refusal::UnknownPrice)?;
            let free = limit.minus(used.money);
            let left = free.minus(reserved.money);
            if left < asked {
                return Err(Refusal::Money { limit, left, asked, wait: wait_if(asked <= free) });
            }
        }
        if let Some(limit) = self.limits.tokens {
            let asked = worst.tokens;
            let free = Tokens(limit.0.saturating_sub(used.tokens.0));
            let left = Tokens(free.0.saturating_sub(reserved.tokens.0));
            if left < asked {
                return Err(Refusal::Tokens { limit, left, asked, wait: wait_if(asked <= free) });
            }
        }
        if let Some(limit) = self.limits.calls
            && limit <= used.calls.saturating_add(reserved.calls)
        {
            return Err(Refusal::Calls { limit, wait: wait_if(used.calls < limit) });
        }
        Ok(())
    }

    /// What may be used before a limit is reached: beside the open reservations, or when all of them have given back what
    /// they hold.
    pub fn left(&self, wait: Wait) -> (Option<Money>, Option<Tokens>) {
        let used = match wait {
            Wait::ForOthers => self.spending().all(),
            Wait::InVain => self.spent.plus(self.lost),
        };
        let money = self.limits.money.map(|limit| limit.minus(used.money));
        (money, self.limits.tokens.map(|limit| Tokens(limit.0.saturating_sub(used.tokens.0))))
    }

    /// Books how the call of a reservation ended, and gives what was booked, if it cost something. A reservation that is
    /// settled already changes nothing, so that a late answer is not booked twice.
    pub fn settle(&mut self, id: ReservationId, end: CallEnd) -> Option<Booking> {
        let booking = book(self.open.remove(&id)?, end)?;
        if booking.is_lost { &mut self.lost } else { &mut self.spent }.add(booking.charged);
        Some(booking)
    }
}

fn wait_if(others_can_make_room: bool) -> Wait {
    if others_can_make_room { Wait::ForOthers } else { Wait::InVain }
}
