//! The budget: one actor owns the turns of an investigation.
//!
//! The rules are `luminos_core::turns`; here they get a journal and callers that can wait. Every posting is handed to
//! the store before it counts, and whoever needs to know that it will survive gets the answer only when the store says
//! so. Replaying the journal gives the same ledger, which is how a killed run goes on.
//!
//! A wish for turns that cannot be granted is kept with its reply port. The run is told that the loop is parked, so its
//! slot works on something else. If the actor dies, every caller gets an error at once.
//!
//! Not here: money and tokens (`gateway`), and who may start (`luminos_core::run`).

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use luminos_core::RelPath;
use luminos_core::job::Loan;
use luminos_core::plan::Turns;
use luminos_core::turns::{Account, Band, Ledger, LoanId, Odd, Outcome, Posting};
use luminos_store::{Investigation, Receipt, Writer};
use ractor::rpc::CallResult;
use ractor::{Actor, ActorCell, ActorId, ActorProcessingErr, ActorRef, RpcReplyPort};

/// Where postings are kept.
pub(crate) trait Journal: Send + 'static {
    /// Keeps a posting; the receipt tells when it will survive.
    fn keep(&mut self, posting: &Posting) -> Option<Receipt>;
}

/// The journal of an investigation in the store.
#[derive(Debug)]
pub(crate) struct StoredJournal {
    investigation: Investigation,
    writer: Writer,
}

impl StoredJournal {
    /// The journal of this investigation.
    pub(crate) fn new(investigation: Investigation, writer: Writer) -> Self {
        Self { investigation, writer }
    }
}

impl Journal for StoredJournal {
    fn keep(&mut self, posting: &Posting) -> Option<Receipt> {
        Some(self.investigation.append_budget(&self.writer, None, posting))
    }
}

/// What the budget tells while it works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BudgetNews {
    /// A loop waits for turns.
    Parked(RelPath),
    /// It waits no longer.
    Unparked(RelPath),
}

/// How the turns stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct BudgetTotals {
    /// All turns.
    pub total: Turns,
    /// Those that were used.
    pub used: Turns,
    /// Those that nobody holds.
    pub free: Turns,
    /// How many wait for some.
    pub waiting: usize,
}

/// Why a turn may not be used.
#[derive(Debug, Clone, thiserror::Error)]
pub(crate) enum NoSpend {
    /// The ledger does not allow it.
    #[error(transparent)]
    Odd(#[from] Odd),
    /// The journal cannot be written.
    #[error("the journal of turns cannot be written")]
    Journal(#[source] luminos_store::Error),
    /// The budget is gone.
    #[error("the budget has ended")]
    Gone,
}

/// What a budget works with.
pub(crate) struct BudgetSetup {
    /// The ledger as the journal left it.
    pub ledger: Ledger,
    /// Where postings go.
    pub journal: Box<dyn Journal>,
    /// Who hears of loops that wait.
    pub news: Box<dyn Fn(BudgetNews) + Send + Sync>,
}

/// The way to a budget. Clones lead to the same one.
#[derive(Debug, Clone)]
pub(crate) struct BudgetHandle {
    actor: ActorRef<Msg>,
}

#[derive(Debug)]
enum Msg {
    /// Book it, if it can be. From the run; needs no answer.
    Post(Posting),
    /// Use a turn. From whoever is about to ask a model.
    Spend { posting: Posting, reply: RpcReplyPort<Result<(), NoSpend>> },
    /// More turns. From a loop, which waits.
    Borrow { dir: RelPath, attempt: u32, turns: Turns, band: Band, reply: RpcReplyPort<Loan> },
    /// More turns, but only if they are there. From the judge.
    BorrowNow { dir: RelPath, attempt: u32, turns: Turns, band: Band, reply: RpcReplyPort<Turns> },
    /// What a directory had and used. From the run.
    Account { dir: RelPath, reply: RpcReplyPort<Account> },
    /// How the turns stand. From anybody.
    Totals { reply: RpcReplyPort<BudgetTotals> },
}

impl BudgetHandle {
    /// Starts a budget.
    pub(crate) async fn start(setup: BudgetSetup) -> Result<Self, ractor::SpawnErr> {
        let (actor, _) = Actor::spawn(None, Budget, setup).await?;
        Ok(Self { actor })
    }

    /// The same, watched over: if it dies, the supervisor is told.
    #[must_use]
    pub(crate) fn supervised_by(self, supervisor: ActorCell) -> Self {
        self.actor.link(supervisor);
        self
    }

    /// Whom a supervisor hears of.
    pub(crate) fn id(&self) -> ActorId {
        self.actor.get_id()
    }

    /// Books something. What the ledger does not allow changes nothing.
    pub(crate) fn post(&self, posting: Posting) {
        // A budget that is gone has ended its run, too.
        let _ = self.actor.cast(Msg::Post(posting));
    }

    /// Uses a turn, and answers once that will survive.
    pub(crate) async fn spend(&self, dir: RelPath, attempt: u32, turn: u32) -> Result<(), NoSpend> {
        let posting = Posting::Spend { dir, attempt, turn };
        ask(&self.actor, |reply| Msg::Spend { posting, reply }).await.unwrap_or(Err(NoSpend::Gone))
    }

    /// Asks for more turns, and waits until it is known.
    pub(crate) async fn borrow(&self, dir: RelPath, attempt: u32, turns: Turns, band: Band) -> Loan {
        let gone = || Loan::Refused("the budget has ended".to_owned());
        ask(&self.actor, |reply| Msg::Borrow { dir, attempt, turns, band, reply }).await.unwrap_or_else(gone)
    }

    /// Asks for more turns, and takes none rather than waiting.
    pub(crate) async fn borrow_now(&self, dir: RelPath, attempt: u32, turns: Turns, band: Band) -> Turns {
        ask(&self.actor, |reply| Msg::BorrowNow { dir, attempt, turns, band, reply })
            .await
            .unwrap_or_default()
    }

    /// What a directory had and used.
    pub(crate) async fn account(&self, dir: RelPath) -> Account {
        ask(&self.actor, |reply| Msg::Account { dir, reply }).await.unwrap_or_default()
    }

    /// How the turns stand.
    pub(crate) async fn totals(&self) -> BudgetTotals {
        ask(&self.actor, |reply| Msg::Totals { reply }).await.unwrap_or_default()
    }

    /// Ends the budget: whoever waits gets an error.
    pub(crate) fn stop(&self) {
        self.actor.stop(None);
    }
}

async fn ask<T: Send + 'static>(
    actor: &ActorRef<Msg>,
    question: impl FnOnce(RpcReplyPort<T>) -> Msg,
) -> Option<T> {
    match actor.call(question, None).await {
        Ok(CallResult::Success(answer)) => Some(answer),
        Ok(CallResult::Timeout | CallResult::SenderError) | Err(_) => None,
    }
}

struct Budget;

/// A loop that waits.
struct Waiter {
    dir: RelPath,
    reply: RpcReplyPort<Loan>,
}

struct Desk {
    ledger: Ledger,
    journal: Box<dyn Journal>,
    news: Box<dyn Fn(BudgetNews) + Send + Sync>,
    waiting: HashMap<LoanId, Waiter>,
    next: u64,
}

impl Actor for Budget {
    type Msg = Msg;
    type State = Desk;
    type Arguments = BudgetSetup;

    async fn pre_start(&self, _: ActorRef<Msg>, setup: BudgetSetup) -> Result<Desk, ActorProcessingErr> {
        let BudgetSetup { ledger, journal, news } = setup;
        let next = ledger.next_loan().0;
        Ok(Desk { ledger, journal, news, waiting: HashMap::new(), next })
    }

    async fn handle(&self, _: ActorRef<Msg>, msg: Msg, desk: &mut Desk) -> Result<(), ActorProcessingErr> {
        match msg {
            Msg::Post(posting) => {
                if let Err(odd) = desk.book(&posting) {
                    tracing::debug!(?posting, %odd, "posting refused");
                }
            }
            Msg::Spend { posting, reply } => desk.spend(&posting, reply),
            Msg::Borrow { dir, attempt, turns, band, reply } => desk.borrow(dir, attempt, turns, band, reply),
            Msg::BorrowNow { dir, attempt, turns, band, reply } => {
                let _ = reply.send(desk.borrow_now(dir, attempt, turns, band));
            }
            Msg::Account { dir, reply } => {
                let _ = reply.send(desk.ledger.account(&dir));
            }
            Msg::Totals { reply } => {
                let ledger = &desk.ledger;
                let _ = reply.send(BudgetTotals {
                    total: ledger.total(),
                    used: ledger.used(),
                    free: ledger.free(),
                    waiting: ledger.waiting(),
                });
            }
        }
        Ok(())
    }
}

impl Desk {
    /// Books a posting and keeps it; answers whoever it serves.
    fn book(&mut self, posting: &Posting) -> Result<Option<Receipt>, Odd> {
        let outcomes = self.ledger.post(posting)?;
        let receipt = self.journal.keep(posting);
        self.answer(outcomes);
        Ok(receipt)
    }

    fn answer(&mut self, outcomes: Vec<Outcome>) {
        for outcome in outcomes {
            let (loan, answer) = match outcome {
                Outcome::Granted { loan, turns } => (loan, Loan::Granted(turns)),
                Outcome::Refused { loan, because } => (loan, Loan::Refused(because.to_string())),
                Outcome::Waits(_) => continue,
            };
            if let Some(waiter) = self.waiting.remove(&loan) {
                (self.news)(BudgetNews::Unparked(waiter.dir));
                // Turns that reach nobody are in the directory's account, and come back with it.
                let _ = waiter.reply.send(answer);
            }
        }
    }

    fn spend(&mut self, posting: &Posting, reply: RpcReplyPort<Result<(), NoSpend>>) {
        match self.book(posting) {
            // A turn that was paid before a crash is not paid again.
            Err(Odd::SpentAlready) => drop(reply.send(Ok(()))),
            Err(odd) => drop(reply.send(Err(odd.into()))),
            Ok(None) => drop(reply.send(Ok(()))),
            Ok(Some(receipt)) => {
                tokio::spawn(async move {
                    let kept = receipt.await.map_err(NoSpend::Journal);
                    let _ = reply.send(kept);
                });
            }
        }
    }

    fn borrow(&mut self, dir: RelPath, attempt: u32, turns: Turns, band: Band, reply: RpcReplyPort<Loan>) {
        let loan = self.new_loan();
        let posting = Posting::Borrow { dir: dir.clone(), attempt, loan, turns, band };
        let outcomes = match self.ledger.post(&posting) {
            Ok(outcomes) => outcomes,
            Err(odd) => return drop(reply.send(Loan::Refused(odd.to_string()))),
        };
        // If this line cannot be written, the next one that somebody waits for cannot, either.
        drop(self.journal.keep(&posting));
        if outcomes.contains(&Outcome::Waits(loan)) {
            (self.news)(BudgetNews::Parked(dir.clone()));
            self.waiting.insert(loan, Waiter { dir, reply });
            return;
        }
        for outcome in outcomes {
            match outcome {
                Outcome::Granted { turns, .. } => return drop(reply.send(Loan::Granted(turns))),
                Outcome::Refused { because, .. } => {
                    return drop(reply.send(Loan::Refused(because.to_string())));
                }
                Outcome::Waits(_) => {}
            }
        }
    }

    fn borrow_now(&mut self, dir: RelPath, attempt: u32, turns: Turns, band: Band) -> Turns {
        if self.ledger.free() == Turns(0) {
            return Turns(0);
        }
        let loan = self.new_loan();
        let posting = Posting::Borrow { dir, attempt, loan, turns, band };
        let Ok(outcomes) = self.ledger.post(&posting) else { return Turns(0) };
        // If this line cannot be written, the next one that somebody waits for cannot, either.
        drop(self.journal.keep(&posting));
        let granted = outcomes.into_iter().find_map(|outcome| match outcome {
            Outcome::Granted { turns, .. } => Some(turns),
            Outcome::Refused { .. } | Outcome::Waits(_) => None,
        });
        granted.unwrap_or_default()
    }

    fn new_loan(&mut self) -> LoanId {
        let loan = LoanId(self.next);
        self.next += 1;
        loan
    }
}
