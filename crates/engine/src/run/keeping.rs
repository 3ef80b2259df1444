//! What a run does when the store cannot be written.
//!
//! | what is wrong | what follows |
//! |---|---|
//! | no space, or something else is short that comes back | the writer waits with all it was given, and so does the run: it is paused, says why, and goes on by itself |
//! | the store refuses a document: it is too large, or makes no sense | the directory that it is about is known in part, the report says why, and the run goes on |
//! | one file cannot be written, or is damaged | the run is paused until somebody resumes it; at its end it has failed, and the next one goes on |
//! | the disk lost something, or the state directory is gone | the run fails at once, and the daemon ends; the next one re-reads what is there |

use std::time::Duration;

use luminos_core::entry::{DirEntry, ENTRY_FORMAT, cut_summary, cut_text};
use luminos_core::report::worst_first;
use luminos_core::run::{Event, Phase, RunEnd};
use luminos_store::{Error, Receipt, Standing, State, Urgency, Writer};
use luminos_wire::control::RunEvent;
use tokio::sync::watch;

use super::Msg;
use super::desk::Desk;

/// How often somebody who has been cancelled looks whether the writer waits.
const LOOK: Duration = Duration::from_millis(50);

impl Desk {
    /// Looks how the writer stands, and says so if that has changed.
    pub(super) fn look_at_store(&mut self) {
        if self.run.progress().phase == Phase::Ended {
            return;
        }
        match self.writer.standing() {
            Standing::Working => {
                if self.waits_for_store.take().is_some() {
                    self.meta.state = State::Running;
                    drop(self.investigation.put_meta(&self.writer, &self.meta, Urgency::Usual));
                    self.audience.tell(&RunEvent::Note("the store can be written again".to_owned()));
                }
            }
            Standing::Waiting(error) => {
                if self.waits_for_store.is_none() {
                    let reason = words(&error);
                    tracing::warn!(reason, "the store cannot be written now");
                    self.meta.state = State::Paused { reason: reason.clone() };
                    drop(self.investigation.put_meta(&self.writer, &self.meta, Urgency::LastWords));
                    self.audience.tell(&RunEvent::Note(format!("paused: {reason}")));
                    self.waits_for_store = Some(reason);
                }
            }
            // What is on disk says that it is under way, so the next run goes on where it was.
            Standing::Broken(error) => {
                let _ = self.myself.cast(Msg::Closed(RunEnd::Failed { reason: words(&error) }));
            }
        }
    }

    /// Why it is paused, if it is.
    pub(super) fn paused(&self) -> Option<&str> {
        self.waits_for_store.as_deref().or_else(|| self.run.paused())
    }

    /// There is a report, but the store refuses it: the run has failed.
    pub(super) fn no_report(&mut self, error: &Error) {
        self.store_failure.get_or_insert_with(|| words(error));
    }

    /// Something cannot be written: nothing more begins until somebody has seen to it.
    pub(super) fn store_failed(&mut self, error: &Error) {
        let reason = words(error);
        if error.is_refusal() {
            // The disk is all right, and waiting would change nothing: the report says what is missing.
            tracing::warn!(reason, "the store refuses something");
            if !self.degraded.contains(&reason) {
                self.degraded.push(reason);
            }
            return;
        }
        tracing::error!(reason, "the store cannot be written");
        self.store_failure.get_or_insert_with(|| reason.clone());
        if self.run.paused().is_some() || matches!(error, Error::Closed) {
            return;
        }
        self.meta.state = State::Paused { reason: reason.clone() };
        drop(self.investigation.put_meta(&self.writer, &self.meta, Urgency::LastWords));
        self.audience.tell(&RunEvent::Note(format!("paused: {reason}")));
        self.feed(Event::Pause { reason });
    }
}

/// More flags of a directory are not kept where all of them are too much.
const MOST_FLAGS: usize = 64;
/// The longest text of one of these flags, and of the words it cites.
const LONGEST_WORDS: usize = 4096;

/// Leaves of an entry what any store takes, and says what was in the way.
pub(super) fn cut_down(entry: &mut DirEntry, refusal: &Error) {
    entry.partial = true;
    entry.partial_reason =
        Some(cut_text(format!("not all that was found out can be kept: {refusal}"), LONGEST_WORDS));
    entry.summary = cut_summary(std::mem::take(&mut entry.summary));
    entry.format = ENTRY_FORMAT;
    entry.confidence_reason = None;
    entry.claims = Vec::new();
    entry.facts = Vec::new();
    entry.notable_files = Vec::new();
    entry.reads = Vec::new();
    entry.flags = worst_first(std::mem::take(&mut entry.flags));
    entry.flags.truncate(MOST_FLAGS);
    for flag in &mut entry.flags {
        flag.finding = cut_text(std::mem::take(&mut flag.finding), LONGEST_WORDS);
        flag.faults.truncate(1);
        flag.evidence.truncate(1);
        flag.evidence
            .retain(|evidence| evidence.quote.as_ref().is_none_or(|quote| quote.len() <= LONGEST_WORDS));
    }
}

fn words(error: &Error) -> String {
    match error.hint() {
        Some(hint) => format!("{} (hint: {hint})", error.in_full()),
        None => error.in_full(),
    }
}

/// Waits until something is kept. Whoever was cancelled does not wait for a writer that waits itself: what it has is
/// written when that is possible, and the next run finds it.
pub(super) async fn kept(
    receipt: Receipt,
    writer: &Writer,
    mut cancelled: watch::Receiver<bool>,
) -> Result<(), Error> {
    let given_up = async {
        // If nobody can cancel any more, the run is over.
        let _ = cancelled.wait_for(|is_so| *is_so).await;
        loop {
            match writer.standing() {
                Standing::Waiting(error) => return error,
                Standing::Working | Standing::Broken(_) => tokio::time::sleep(LOOK).await,
            }
        }
    };
    tokio::select! {
        kept = receipt => kept,
        error = given_up => Err(error),
    }
}

/// Waits until something is kept, but not for space: for those who can say no.
pub(crate) async fn kept_now(receipt: Receipt, writer: &Writer) -> Result<(), Error> {
    kept(receipt, writer, watch::Sender::new(true).subscribe()).await
}
