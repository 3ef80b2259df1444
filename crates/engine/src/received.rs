//! Answers that the gateway has received whole, kept before anything else happens to them: a daemon that dies between
//! the last byte of an answer and the line of its transcript does not buy it again.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use luminos_core::spend::{CallEnd, Charge, Usage, book};
use luminos_core::talk::{AssistantBlock, StopReason};
use luminos_models::{Error, Note, Reply};
use luminos_store::Investigation;
use serde::{Deserialize, Serialize};

use crate::gateway::{Attempt, Overseer, Verdict};

/// An answer as it is kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Received {
    /// The call that it answers.
    pub(crate) call: String,
    pub(crate) content: Vec<AssistantBlock>,
    pub(crate) stop: StopReason,
    pub(crate) usage: Usage,
    /// What is booked for it.
    pub(crate) charged: Charge,
    pub(crate) notes: Vec<Note>,
}

/// Keeps the answers of a run. It is opened when it is known which investigation the run is for.
#[derive(Debug, Default)]
pub(crate) struct ReceivedAnswers {
    place: OnceLock<Place>,
    /// What was booked for calls whose answers are about to be kept.
    booked: Mutex<HashMap<String, (Charge, Usage)>>,
}

#[derive(Debug)]
struct Place {
    investigation: Investigation,
    /// Whether answers of an earlier life may be there.
    is_resumed: bool,
}

impl ReceivedAnswers {
    /// From now on answers are kept. Those of another run go.
    pub(crate) fn open(&self, investigation: Investigation, is_resumed: bool) {
        if !is_resumed {
            investigation.forget_all_received();
        }
        // A run is for one investigation: nobody opens this twice.
        let _ = self.place.set(Place { investigation, is_resumed });
    }

    /// The answer to a call that an earlier life of the run received.
    pub(crate) fn find(&self, call: &str) -> Option<Received> {
        let place = self.place.get().filter(|place| place.is_resumed)?;
        place.investigation.received::<Received>(call).filter(|received| received.call == call)
    }

    /// The answer is in its transcript.
    pub(crate) fn journalled(&self, call: &str) {
        if let Some(place) = self.place.get() {
            place.investigation.forget_received(call);
        }
    }
}

impl Overseer for ReceivedAnswers {
    fn settled(&self, attempt: Attempt<'_>, end: CallEnd, usage: Option<Usage>) {
        let CallEnd::Answered { .. } = end else { return };
        if let (Some(id), Some(usage), Some(booking)) = (attempt.id, usage, book(attempt.worst, end)) {
            let mut booked = self.booked.lock().unwrap_or_else(PoisonError::into_inner);
            booked.insert(id.0.clone(), (booking.charged, usage));
        }
    }

    fn before_answering<'a>(&'a self, attempt: Attempt<'a>, result: &'a Result<Reply, Error>) -> Verdict<'a> {
        if let (Some(place), Some(id), Ok(reply)) = (self.place.get(), attempt.id, result) {
            let booked = self.booked.lock().unwrap_or_else(PoisonError::into_inner).remove(&id.0);
            let (charged, usage) = booked.unwrap_or((attempt.worst, reply.usage.unwrap_or_default()));
            let received = Received {
                call: id.0.clone(),
                content: reply.content.clone(),
                stop: reply.stop.clone(),
                usage,
                charged,
                notes: reply.notes.clone(),
            };
            if let Err(error) = place.investigation.keep_received(&id.0, &received) {
                tracing::debug!(%error, "an answer could not be kept before it is in its transcript");
            }
        }
        Box::pin(async { Ok(()) })
    }
}
