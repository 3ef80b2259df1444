//! What calls may cost, on disk before they are sent: so that limits hold over a kill.
//!
//! Every try is written down with its worst case, and is sent once that will survive; what it cost is written down when
//! it is known. A run that goes on counts what its earlier lives left open in full, as lost in flight.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use luminos_core::spend::{Books, CallEnd, PassSpend, SpendPosting, Spending, Usage, book};
use luminos_store::{Counters, Investigation, Meta, Records, State, Writer};

use crate::gateway::{Attempt, Objection, Overseer, Verdict};
use crate::received::{Received, ReceivedAnswers};

/// The journal of a run's spending. It is opened when it is known which investigation the run is for.
#[derive(Debug, Default)]
pub(crate) struct SpendJournal {
    place: OnceLock<Place>,
    /// Answers that have arrived and are not in a transcript yet.
    pub(crate) received: Arc<ReceivedAnswers>,
}

#[derive(Debug)]
struct Place {
    investigation: Investigation,
    writer: Writer,
    run: String,
    /// What the journal says, of all lives of the run.
    books: Mutex<Books>,
}

/// Why a call is not made.
#[derive(Debug, thiserror::Error)]
enum CannotKeep {
    #[error("what it may cost cannot be stored: {0}")]
    Store(#[from] luminos_store::Error),
    #[error("the run has not begun")]
    NotOpen,
}

impl SpendJournal {
    /// From now on calls can be made.
    pub(crate) fn open(&self, investigation: Investigation, writer: Writer, run: String) {
        // A damaged journal was refused before; one that cannot be read here has no lines of this run.
        let postings = investigation.spending::<SpendPosting>().map(Records::into_bodies).unwrap_or_default();
        let books = Mutex::new(Books::of(&run, postings).after_a_death());
        // A run is for one investigation: nobody opens a journal twice.
        let _ = self.place.set(Place { investigation, writer, run, books });
    }

    /// The answer to a call that an earlier life of the run has received and not put into a transcript. It is booked, if
    /// that is not done.
    pub(crate) fn answer_received(&self, call: &str) -> Option<Received> {
        let received = self.received.find(call)?;
        let place = self.place.get()?;
        let mut books = place.books();
        if books.is_open(call) {
            let (charged, usage) = (Some(received.charged), Some(received.usage));
            let posting = SpendPosting::Settle { call: call.to_owned(), charged, usage };
            drop(place.investigation.append_spending(&place.writer, &posting));
            books.post(posting);
        }
        Some(received)
    }

    /// What was spent, what is reserved and what was lost, in all lives of the run.
    pub(crate) fn spending(&self) -> Spending {
        self.place.get().map(|place| place.books().spending()).unwrap_or_default()
    }

    /// What the calls of each pass came to, in all lives of the run.
    pub(crate) fn by_pass(&self) -> BTreeMap<String, PassSpend> {
        self.place.get().map(|place| place.books().by_pass()).unwrap_or_default()
    }

    async fn reserve(&self, attempt: Attempt<'_>) -> Result<(), CannotKeep> {
        let place = self.place.get().ok_or(CannotKeep::NotOpen)?;
        let posting = SpendPosting::Reserve {
            run: place.run.clone(),
            call: call(attempt),
            worst: attempt.worst,
            pass: attempt.request.pass.word().to_owned(),
        };
        let receipt = place.investigation.append_spending(&place.writer, &posting);
        // Before it is waited for: a caller that leaves meanwhile settles what was written down.
        place.books().post(posting);
        receipt.await.map_err(|error| {
            place.books().post(SpendPosting::Settle { call: call(attempt), charged: None, usage: None });
            error.into()
        })
    }
}

impl Place {
    fn books(&self) -> std::sync::MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn call(attempt: Attempt<'_>) -> String {
    attempt.id.map(|id| id.0.clone()).unwrap_or_default()
}

impl Overseer for SpendJournal {
    fn before_paying<'a>(&'a self, attempt: Attempt<'a>) -> Verdict<'a> {
        Box::pin(async move { self.reserve(attempt).await.map_err(|error| Arc::new(error) as Objection) })
    }

    fn settled(&self, attempt: Attempt<'_>, end: CallEnd, usage: Option<Usage>) {
        let Some(place) = self.place.get() else { return };
        let call = call(attempt);
        if !place.books().is_open(&call) {
            return;
        }
        let charged = book(attempt.worst, end).map(|booking| booking.charged);
        let posting = SpendPosting::Settle { call, charged, usage };
        // A line that does not reach the disk leaves the worst case standing, which is never too little.
        drop(place.investigation.append_spending(&place.writer, &posting));
        place.books().post(posting);
    }
}

/// The books of a run that nobody works on, as the journal of its investigation tells.
pub(crate) fn books(investigation: &Investigation, run: &str) -> Result<Books, luminos_store::Problem> {
    let postings = investigation.spending::<SpendPosting>().map(Records::into_bodies)?;
    Ok(Books::of(run, postings).after_a_death())
}

/// What the lives of a run so far have spent, or may have.
#[derive(Debug, Default)]
pub(crate) struct SpentBefore {
    pub(crate) spent: Spending,
    /// For each line that the journal has lost, the most that a call of the run could cost: one of them may have told of a
    /// call that was on its way. It is in the sum, and is to be written down.
    pub(crate) lost: Vec<SpendPosting>,
}

pub(crate) fn spent_before(
    investigation: &Investigation,
    run: &str,
) -> Result<SpentBefore, luminos_store::Problem> {
    let journal = investigation.spending::<SpendPosting>()?;
    let skipped = journal.skipped;
    let postings = journal.into_bodies();
    let reserved = postings.iter().filter_map(|posting| match posting {
        SpendPosting::Reserve { run: whose, worst, pass, .. } if whose == run => Some((worst, pass)),
        SpendPosting::Reserve { .. } | SpendPosting::Settle { .. } => None,
    });
    let dearest = reserved.max_by_key(|(worst, _)| (worst.money, worst.tokens));
    let lost: Vec<SpendPosting> = match dearest {
        Some((worst, pass)) => {
            let id = investigation.id();
            let posting = |number| SpendPosting::Reserve {
                run: run.to_owned(),
                call: format!("{id}/lost/{}/{number}", postings.len()),
                worst: *worst,
                pass: pass.clone(),
            };
            (0..skipped).map(posting).collect()
        }
        None => Vec::new(),
    };
    let books = Books::of(run, postings.into_iter().chain(lost.iter().cloned()));
    let spent = books.after_a_death().spending();
    Ok(SpentBefore { spent, lost })
}

/// What an investigation has used, with what its last run has.
pub(crate) fn used_in_all(before: Counters, run: Spending) -> Counters {
    let Spending { spent, lost, reserved: _ } = run;
    Counters {
        calls: before.calls.saturating_add(spent.calls),
        tokens: before.tokens.saturating_add(spent.tokens.0),
        nanodollars: before.nanodollars.saturating_add(spent.money.nanodollars()),
        lost_tokens: before.lost_tokens.saturating_add(lost.tokens.0),
        lost_nanodollars: before.lost_nanodollars.saturating_add(lost.money.nanodollars()),
        turns: before.turns,
    }
}

/// What an investigation has used in all its runs. Of one that was cut off, the journal tells.
pub fn used(investigation: &Investigation, meta: &Meta) -> Counters {
    match meta.state {
        State::Running | State::Paused { .. } | State::Cancelled => {
            // A journal that cannot be read stops the next run, which says so; here what is known is shown.
            let run = spent_before(investigation, &meta.nonce).unwrap_or_default().spent;
            let turns = meta.counters.turns;
            Counters { turns, ..used_in_all(meta.before, run) }
        }
        State::Done | State::Partial | State::Failed => meta.counters,
    }
}
