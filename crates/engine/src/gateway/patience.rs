//! How long a call has waited for a provider that puts it off, and how long it still may.
//!
//! Only waiting counts: the time in which a try is on its way does not.

use std::time::Duration;

use luminos_core::Moment;

/// The patience of one call, all its tries together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Patience {
    whole: Duration,
    waited: Duration,
    since: Option<Moment>,
}

impl Patience {
    pub(super) fn new(whole: Duration) -> Self {
        Self { whole, waited: Duration::ZERO, since: None }
    }

    /// The provider has put the call off.
    pub(super) fn begin(&mut self, now: Moment) {
        self.since.get_or_insert(now);
    }

    /// The call is on its way, or waits for something else.
    pub(super) fn end(&mut self, now: Moment) {
        if let Some(since) = self.since.take() {
            self.waited += now.since(since);
        }
    }

    /// How long it still may wait.
    pub(super) fn left(&self, now: Moment) -> Duration {
        let waiting = self.since.map_or(Duration::ZERO, |since| now.since(since));
        self.whole.saturating_sub(self.waited).saturating_sub(waiting)
    }

    /// Whether it waits now.
    pub(super) fn is_waiting(&self) -> bool {
        self.since.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Moment {
        Moment(Duration::from_secs(seconds))
    }

    #[test]
    fn only_waiting_counts_and_all_of_it() {
        let mut patience = Patience::new(Duration::from_secs(600));
        assert_eq!(patience.left(at(1000)), Duration::from_secs(600));
        patience.begin(at(1000));
        patience.begin(at(1100));
        assert!(patience.is_waiting());
        assert_eq!(patience.left(at(1200)), Duration::from_secs(400));
        patience.end(at(1200));
        patience.end(at(1300));
        assert_eq!(patience.left(at(5000)), Duration::from_secs(400), "it was on its way");
        patience.begin(at(5000));
        assert_eq!(patience.left(at(5400)), Duration::ZERO);
        assert_eq!(patience.left(at(9000)), Duration::ZERO);
    }
}
