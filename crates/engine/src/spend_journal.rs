//! What calls may cost, on disk before they are sent: so that limits hold over a kill.
//!
//! Every try is written down with its worst case, and is sent once that will survive; what it cost is written down when
//! it is known. A run that goes on counts what its earlier lives left open in full.

use std::sync::{Arc, OnceLock};

use luminos_core::spend::{Outcome, SpendPosting, Totals, spent_by};
use luminos_store::{Investigation, Records, Writer};

use crate::gateway::{Attempt, Objection, Overseer, Verdict};

/// The journal of a run's spending. It is opened when it is known which investigation the run is for.
#[derive(Debug, Default)]
pub(crate) struct SpendJournal {
    place: OnceLock<Place>,
}

#[derive(Debug)]
struct Place {
    investigation: Investigation,
    writer: Writer,
    run: String,
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
        // A run is for one investigation: nobody opens a journal twice.
        let _ = self.place.set(Place { investigation, writer, run });
    }

    async fn reserve(&self, attempt: Attempt<'_>) -> Result<(), CannotKeep> {
        let Place { investigation, writer, run } = self.place.get().ok_or(CannotKeep::NotOpen)?;
        let posting = SpendPosting::Reserve { run: run.clone(), call: call(attempt), worst: attempt.worst };
        Ok(investigation.append_spending(writer, &posting).await?)
    }
}

fn call(attempt: Attempt<'_>) -> String {
    attempt.id.map(|id| id.0.clone()).unwrap_or_default()
}

impl Overseer for SpendJournal {
    fn before_paying<'a>(&'a self, attempt: Attempt<'a>) -> Verdict<'a> {
        Box::pin(async move { self.reserve(attempt).await.map_err(|error| Arc::new(error) as Objection) })
    }

    fn settled(&self, attempt: Attempt<'_>, outcome: Outcome) {
        let Some(Place { investigation, writer, .. }) = self.place.get() else { return };
        let charged = outcome.settled(attempt.worst).map(|settled| settled.charged);
        // A line that does not reach the disk leaves the worst case standing, which is never too little.
        drop(investigation.append_spending(writer, &SpendPosting::Settle { call: call(attempt), charged }));
    }
}

/// What the lives of a run so far have spent, or may have.
pub(crate) fn spent_before(
    investigation: &Investigation,
    run: &str,
) -> Result<Totals, luminos_store::Problem> {
    let postings = investigation.spending::<SpendPosting>().map(Records::into_bodies)?;
    Ok(spent_by(run, postings))
}
