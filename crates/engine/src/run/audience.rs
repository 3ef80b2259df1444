//! Who is told what happens in a run.
//!
//! A client that does not keep up misses news, never the end, and never slows anybody down: it gets where the run is
//! instead, as soon as it listens again.

use std::time::Duration;

use luminos_wire::control::{Ended, RunEvent};
use tokio::sync::mpsc;

/// How often clients are told where a run is.
pub(super) const INTERVAL: Duration = Duration::from_millis(100);
/// News that may wait for a client.
const ROOM: usize = 256;

/// All clients of a run.
#[derive(Debug, Default)]
pub(super) struct Audience {
    listeners: Vec<mpsc::Sender<RunEvent>>,
}

impl Audience {
    /// One more.
    pub(super) fn join(&mut self) -> mpsc::Receiver<RunEvent> {
        let (sender, receiver) = mpsc::channel(ROOM);
        self.listeners.push(sender);
        receiver
    }

    /// Whether anybody listens.
    pub(super) fn is_empty(&self) -> bool {
        self.listeners.is_empty()
    }

    /// Tells everybody who has room, and forgets those who are gone.
    pub(super) fn tell(&mut self, event: &RunEvent) {
        self.listeners.retain(|listener| {
            !matches!(listener.try_send(event.clone()), Err(mpsc::error::TrySendError::Closed(_)))
        });
    }

    /// Tells everybody that it is over, however long they take to hear it.
    pub(super) fn end(&mut self, ended: &Ended) {
        for listener in std::mem::take(&mut self.listeners) {
            let ended = RunEvent::Ended(ended.clone());
            tokio::spawn(async move {
                let _ = listener.send(ended).await;
            });
        }
    }
}
