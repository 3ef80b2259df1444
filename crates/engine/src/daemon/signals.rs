//! Signals that ask the daemon to end.

use std::task::Poll;

use tokio::signal::unix::{Signal, SignalKind, signal};

/// SIGTERM, SIGINT and SIGHUP, from now on.
pub(super) struct Signals(Vec<Signal>);

impl Signals {
    pub(super) fn listen() -> Self {
        let kinds = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
        let heard = kinds.into_iter().filter_map(|kind| match signal(kind) {
            Ok(signal) => Some(signal),
            Err(error) => {
                tracing::error!(%error, "signals cannot be heard");
                None
            }
        });
        Self(heard.collect())
    }

    /// Waits for the next of them, whichever it is.
    pub(super) async fn next(&mut self) {
        std::future::poll_fn(|context| {
            // A signal that cannot be heard any more is none.
            let is_heard = |signal: &mut Signal| matches!(signal.poll_recv(context), Poll::Ready(Some(())));
            if self.0.iter_mut().any(is_heard) { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}
