//! The turn ledger: who may spend how many turns.
//!
//! Pure bookkeeping. The budget actor feeds it one posting at a time and journals each one before it counts;
//! replaying the journal gives the same ledger, which is how a killed run resumes.
//!
//! **Invariant**, after every posting: `used + reserved + free == total`. Reserved is what directories hold that they
//! have not used: what is promised to those that have not started, and what is left to those that have.
//!
//! Turns are lent from what is free only, so what is promised to a directory that has not started is never lent.
//! Whoever asks while nothing is free waits, best band first, then first come, and is served as soon as something
//! comes free. It is refused when nothing that is out could still come back, or when what is likely to come back
//! cannot cover what is asked for.
//!
//! Not here: waiting itself, money (`spend`), and who may start (`ready`).

mod loans;
mod posting;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

pub use loans::{Band, LoanId, Refusal, Wait};
pub use posting::{Odd, Posting};

use crate::RelPath;
use crate::plan::Turns;
use loans::Loans;

/// What a directory holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Holding {
    /// What the plan gave it.
    allocated: u32,
    /// What it borrowed on top.
    borrowed: u32,
    /// What it has used.
    used: u32,
    /// The last attempt that has started; 0 while it is only promised.
    attempt: u32,
    /// Whether it has ended: what is left has gone back.
    ended: bool,
}

impl Holding {
    fn granted(&self) -> u32 {
        self.allocated + self.borrowed
    }

    fn left(&self) -> u32 {
        if self.ended { 0 } else { self.granted() - self.used }
    }
}

/// What came of a posting, for whoever waits for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Somebody gets more turns.
    Granted {
        /// Who asked.
        loan: LoanId,
        /// How many.
        turns: Turns,
    },
    /// Somebody gets none.
    Refused {
        /// Who asked.
        loan: LoanId,
        /// Why.
        because: Refusal,
    },
    /// Somebody has to wait until something comes back.
    Waits(LoanId),
}

/// What a directory had and used, for the evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Account {
    /// What the plan gave it.
    pub allocated: Turns,
    /// What it borrowed on top.
    pub borrowed: Turns,
    /// What it used.
    pub used: Turns,
    /// What it gave back.
    pub returned: Turns,
}

/// All turns of an investigation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ledger {
    total: u32,
    free: u32,
    used: u32,
    holdings: BTreeMap<RelPath, Holding>,
    loans: Loans,
    /// Turns that ended directories had, and those of them that they used.
    seen: (u64, u64),
    /// Whether no turn may be used any more.
    is_closed: bool,
}

impl Ledger {
    /// A ledger without turns; the first posting opens it.
    pub fn new() -> Self {
        Self::default()
    }

    /// Books a posting. An odd one changes nothing.
    pub fn post(&mut self, posting: &Posting) -> Result<Vec<Outcome>, Odd> {
        match posting {
            Posting::Open { total } => *self = Self { total: total.0, free: total.0, ..Self::default() },
            Posting::Limit { total } => self.limit(*total)?,
            Posting::Promise { dir, turns } => self.promise(dir, *turns)?,
            Posting::Release { dir } => self.release(dir)?,
            Posting::Start { dir, attempt } => self.start(dir, *attempt)?,
            Posting::Spend { dir, attempt, turn } => self.spend(dir, *attempt, *turn)?,
            Posting::Refund { dir, attempt } => self.refund(dir, *attempt)?,
            Posting::End { dir, attempt } => self.end(dir, *attempt)?,
            Posting::Borrow { dir, attempt, loan, turns, band } => {
                return self.borrow(dir, *attempt, *loan, *turns, *band);
            }
            Posting::Withdraw { loan } => self.loans.withdraw(*loan),
            Posting::RefuseOne => return Ok(self.loans.refuse_last(Refusal::Stuck).into_iter().collect()),
            Posting::Close => self.is_closed = true,
        }
        Ok(self.serve())
    }

    fn limit(&mut self, total: Turns) -> Result<(), Odd> {
        let out = self.total - self.free;
        if total.0 < out {
            return Err(Odd::LessThanOut { out: Turns(out) });
        }
        self.total = total.0;
        self.free = total.0 - out;
        self.is_closed = false;
        Ok(())
    }

    fn promise(&mut self, dir: &RelPath, turns: Turns) -> Result<(), Odd> {
        let before = match self.holdings.get(dir) {
            Some(holding) if holding.ended => return self.reopen(dir, turns),
            Some(holding) if 0 < holding.attempt => return Err(Odd::HasStarted),
            Some(holding) => holding.allocated,
            None => 0,
        };
        let free = self.free + before;
        if free < turns.0 {
            return Err(Odd::NotEnough { free: Turns(free) });
        }
        self.free = free - turns.0;
        let holding = Holding { allocated: turns.0, borrowed: 0, used: 0, attempt: 0, ended: false };
        self.holdings.insert(dir.clone(), holding);
        Ok(())
    }

    /// Gives turns to a directory that has ended and must be looked at again. What it used stays used.
    fn reopen(&mut self, dir: &RelPath, turns: Turns) -> Result<(), Odd> {
        if self.free < turns.0 {
            return Err(Odd::NotEnough { free: Turns(self.free) });
        }
        let holding = self.holdings.get_mut(dir).ok_or(Odd::Unknown)?;
        self.free -= turns.0;
        holding.allocated = holding.used + turns.0;
        holding.borrowed = 0;
        holding.ended = false;
        Ok(())
    }

    fn release(&mut self, dir: &RelPath) -> Result<(), Odd> {
        let holding = self.holdings.get_mut(dir).ok_or(Odd::Unknown)?;
        if holding.ended {
            return Err(Odd::HasEnded);
        }
        self.free += holding.left();
        holding.ended = true;
        self.loans.withdraw_all_of(dir);
        if holding.used == 0 && holding.attempt == 0 {
            self.holdings.remove(dir);
        }
        Ok(())
    }

    fn start(&mut self, dir: &RelPath, attempt: u32) -> Result<(), Odd> {
        let holding = self.holdings.get_mut(dir).ok_or(Odd::Unknown)?;
        if holding.ended {
            return Err(Odd::HasEnded);
        }
        if attempt <= holding.attempt {
            return Err(Odd::Stale { current: holding.attempt });
        }
        holding.attempt = attempt;
        self.loans.withdraw_all_of(dir);
        Ok(())
    }

    fn current(&mut self, dir: &RelPath, attempt: u32) -> Result<&mut Holding, Odd> {
        let holding = self.holdings.get_mut(dir).ok_or(Odd::Unknown)?;
        if holding.ended {
            return Err(Odd::HasEnded);
        }
        if attempt != holding.attempt || attempt == 0 {
            return Err(Odd::Stale { current: holding.attempt });
        }
        Ok(holding)
    }

    fn spend(&mut self, dir: &RelPath, attempt: u32, turn: u32) -> Result<(), Odd> {
        if self.is_closed {
            return Err(Odd::Closed);
        }
        let holding = self.current(dir, attempt)?;
        if turn <= holding.used {
            return Err(Odd::SpentAlready);
        }
        if turn != holding.used + 1 {
            return Err(Odd::OutOfOrder { next: holding.used + 1 });
        }
        if holding.left() == 0 {
            return Err(Odd::NothingLeft);
        }
        holding.used += 1;
        self.used += 1;
        Ok(())
    }

    fn refund(&mut self, dir: &RelPath, attempt: u32) -> Result<(), Odd> {
        let holding = self.current(dir, attempt)?;
        let used = std::mem::take(&mut holding.used);
        self.used -= used;
        Ok(())
    }

    fn end(&mut self, dir: &RelPath, attempt: u32) -> Result<(), Odd> {
        let holding = self.current(dir, attempt)?;
        let (left, granted, used) = (holding.left(), holding.granted(), holding.used);
        holding.ended = true;
        self.free += left;
        self.seen.0 += u64::from(granted);
        self.seen.1 += u64::from(used);
        self.loans.withdraw_all_of(dir);
        Ok(())
    }

    fn borrow(
        &mut self,
        dir: &RelPath,
        attempt: u32,
        loan: LoanId,
        turns: Turns,
        band: Band,
    ) -> Result<Vec<Outcome>, Odd> {
        if self.loans.knows(loan) {
            return Err(Odd::AskedAlready);
        }
        let is_closed = self.is_closed;
        let holding = self.current(dir, attempt)?;
        let room = Turns::MOST.0.saturating_sub(holding.granted());
        let refused = |because| Ok(vec![Outcome::Refused { loan, because }]);
        self.loans.note(loan);
        if is_closed {
            return refused(Refusal::Closed);
        }
        if room == 0 || turns.0 == 0 {
            return refused(Refusal::Cap);
        }
        let wait = Wait { loan, dir: dir.clone(), turns: Turns(turns.0.min(room)), band };
        if 0 < self.free {
            return Ok(vec![self.grant(wait)]);
        }
        let demand = self.loans.demand_before(band) + wait.turns.0;
        self.loans.add(wait);
        if let Some(because) = self.is_hopeless(u64::from(demand)) {
            return Ok(self.loans.refuse(loan, because).into_iter().collect());
        }
        Ok(vec![Outcome::Waits(loan)])
    }

    fn grant(&mut self, wait: Wait) -> Outcome {
        let turns = wait.turns.0.min(self.free);
        self.free -= turns;
        if let Some(holding) = self.holdings.get_mut(&wait.dir) {
            holding.borrowed += turns;
        }
        Outcome::Granted { loan: wait.loan, turns: Turns(turns) }
    }

    /// Serves those who wait, best first, and refuses those who wait for nothing.
    fn serve(&mut self) -> Vec<Outcome> {
        let mut outcomes = Vec::new();
        while let Some(loan) = self.loans.first() {
            if self.is_closed {
                outcomes.extend(self.loans.refuse(loan, Refusal::Closed));
            } else if 0 < self.free {
                outcomes.extend(self.loans.take(loan).map(|wait| self.grant(wait)));
            } else if self.could_come_back() == 0 {
                outcomes.extend(self.loans.refuse(loan, Refusal::NothingOut));
            } else {
                break;
            }
        }
        outcomes
    }

    /// Turns that are out and may come back: those of directories that do not wait themselves.
    fn could_come_back(&self) -> u64 {
        let waiting: u32 = self.loans.dirs().map(|dir| self.left(dir).0).sum();
        u64::from(self.reserved().0 - waiting)
    }

    fn is_hopeless(&self, demand: u64) -> Option<Refusal> {
        let out = self.could_come_back();
        if out == 0 {
            return Some(Refusal::NothingOut);
        }
        let (had, used) = self.seen;
        if had == 0 {
            return None;
        }
        // Of what is out, so much is likely to come back unused: no fractions, so that every machine decides alike.
        let unused = had.saturating_sub(used);
        (out * unused < demand * had).then_some(Refusal::TooLittleComesBack)
    }

    /// All turns.
    pub fn total(&self) -> Turns {
        Turns(self.total)
    }

    /// Turns that nobody holds.
    pub fn free(&self) -> Turns {
        Turns(self.free)
    }

    /// Turns that were used.
    pub fn used(&self) -> Turns {
        Turns(self.used)
    }

    /// Turns that directories hold and have not used.
    pub fn reserved(&self) -> Turns {
        Turns(self.total - self.free - self.used)
    }

    /// What is left to a directory.
    pub fn left(&self, dir: &RelPath) -> Turns {
        Turns(self.holdings.get(dir).map_or(0, Holding::left))
    }

    /// What a directory had and used.
    pub fn account(&self, dir: &RelPath) -> Account {
        let Some(holding) = self.holdings.get(dir) else { return Account::default() };
        let returned = if holding.ended { holding.granted() - holding.used } else { 0 };
        Account {
            allocated: Turns(holding.allocated),
            borrowed: Turns(holding.borrowed),
            used: Turns(holding.used),
            returned: Turns(returned),
        }
    }

    /// The last attempt of a directory that has started.
    pub fn attempt(&self, dir: &RelPath) -> u32 {
        self.holdings.get(dir).map_or(0, |holding| holding.attempt)
    }

    /// Whether a directory has ended.
    pub fn has_ended(&self, dir: &RelPath) -> bool {
        self.holdings.get(dir).is_some_and(|holding| holding.ended)
    }

    /// How many wait for turns.
    pub fn waiting(&self) -> usize {
        self.loans.len()
    }

    /// The directories that hold turns, or did.
    pub fn dirs(&self) -> impl Iterator<Item = &RelPath> {
        self.holdings.keys()
    }

    /// The number for the next wish.
    pub fn next_loan(&self) -> LoanId {
        self.loans.next()
    }

    /// Forgets those who wait: they are gone with the process in which they waited.
    pub fn forget_waiting(&mut self) {
        self.loans.forget();
    }

    /// Whether no turn may be used any more.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }
}
