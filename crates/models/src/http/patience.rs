//! How long the next bytes of an answer may take.
//!
//! An answer comes in hundreds of pieces, and setting a timer for each of them takes longer than reading it. So there
//! is one for all: when it rings, it is set again by what has come in the meantime.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::Poll;
use std::time::Duration;

use tokio::time::{Instant, Sleep, sleep};

/// Waits for one thing after the other, for each of them so long.
pub(super) struct Patience {
    limit: Duration,
    timer: Pin<Box<Sleep>>,
}

impl Patience {
    pub(super) fn new(limit: Duration) -> Self {
        Self { limit, timer: Box::pin(sleep(limit)) }
    }

    /// What a future comes to; `None` if it takes too long.
    pub(super) async fn wait_for<T>(&mut self, future: impl Future<Output = T>) -> Option<T> {
        let mut future = pin!(future);
        // A moment that no clock reaches is one that nobody waits for.
        let end = Instant::now().checked_add(self.limit);
        poll_fn(|context| {
            if let Poll::Ready(value) = future.as_mut().poll(context) {
                return Poll::Ready(Some(value));
            }
            while self.timer.as_mut().poll(context).is_ready() {
                let Some(end) = end else { return Poll::Pending };
                if end <= Instant::now() {
                    return Poll::Ready(None);
                }
                self.timer.as_mut().reset(end);
            }
            Poll::Pending
        })
        .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(10);
    const SHORT: Duration = Duration::from_secs(7);

    #[tokio::test(start_paused = true)]
    async fn each_thing_gets_the_whole_time_and_no_more() {
        let start = Instant::now();
        let mut patience = Patience::new(LIMIT);
        for _ in 0..5 {
            assert_eq!(patience.wait_for(sleep(SHORT)).await, Some(()));
        }
        assert_eq!(start.elapsed(), SHORT * 5);
        assert_eq!(patience.wait_for(std::future::pending::<()>()).await, None);
        assert_eq!(start.elapsed(), SHORT * 5 + LIMIT);
        // Who lost patience once has it again.
        assert_eq!(patience.wait_for(sleep(SHORT)).await, Some(()));
        assert_eq!(patience.wait_for(sleep(LIMIT * 2)).await, None);
        assert_eq!(start.elapsed(), (SHORT + LIMIT) * 2 + SHORT * 4);
    }

    #[tokio::test(start_paused = true)]
    async fn a_limit_that_no_clock_reaches_is_none() {
        let mut patience = Patience::new(Duration::MAX);
        assert_eq!(patience.wait_for(sleep(LIMIT * 1000)).await, Some(()));
    }
}
