//! Waiting with what cannot be written now: until there is space again, or whatever else was short.
//!
//! Nothing is taken out of order: what came later waits behind it. Three things need no space, or make some, and are done
//! meanwhile: last words, removing an investigation, and closing.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::batch::{Batch, Held};
use super::receipt::Promise;
use super::scribe::{Commit, Scribe};
use super::standing::Standing;
use super::{Command, Order, Urgency};

/// The pause before it is tried again, and the longest one.
const PAUSE: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(1));

/// How waiting ended.
pub(super) enum Ended {
    /// Everything is written, or will never be.
    GoOn,
    /// Somebody wants the writer to close.
    Close(Promise),
    /// Nobody is there any more.
    Alone,
}

/// Tries again until what is held is written. What comes meanwhile is queued.
pub(super) fn wait(
    scribe: &mut Scribe,
    mut held: Held,
    orders: &Receiver<Order>,
    queue: &mut VecDeque<Order>,
) -> Ended {
    let mut pause = PAUSE.0;
    loop {
        scribe.board.put(Standing::Waiting(held.why.clone()));
        let until = Instant::now() + pause;
        loop {
            match orders.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Order { command: Command::Close, promise, .. }) => {
                    held.refuse();
                    return Ended::Close(promise);
                }
                Ok(order) => meanwhile(scribe, order, &mut held, queue),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => {
                    held.refuse();
                    return Ended::Alone;
                }
            }
        }
        match scribe.commit(held.into_batch()) {
            Commit::Done => {
                scribe.board.put(Standing::Working);
                return Ended::GoOn;
            }
            Commit::Held(still) => held = still,
        }
        pause = (pause * 2).min(PAUSE.1);
    }
}

/// Does what can be done without space; everything else is queued.
fn meanwhile(scribe: &mut Scribe, order: Order, held: &mut Held, queue: &mut VecDeque<Order>) {
    match &order.command {
        Command::Put { path, urgency: Urgency::LastWords, .. } => {
            // What was to be written there earlier must not come after it.
            let mut batch = Batch::default();
            for document in held.take_documents(path) {
                batch.put(document);
            }
            let is_earlier =
                |earlier: &Order| matches!(&earlier.command, Command::Put { path: at, .. } if at == path);
            for earlier in std::mem::take(queue) {
                if is_earlier(&earlier) {
                    batch.push(earlier);
                } else {
                    queue.push_back(earlier);
                }
            }
            batch.push(order);
            // Last words are written or refused, never held.
            let _ = scribe.commit(batch);
        }
        Command::Remove { id } => {
            let removed = scribe.remove(*id);
            scribe.renew_index(held);
            order.promise.keep(removed);
        }
        Command::Put { .. }
        | Command::Append { .. }
        | Command::Rewrite { .. }
        | Command::SetCurrent { .. }
        | Command::Quarantine { .. }
        | Command::Look
        | Command::Close => queue.push_back(order),
    }
}
