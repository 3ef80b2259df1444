//! A point in time, for code that has no clock.

use std::time::Duration;

/// A point in time, counted from a start that whoever owns the clock has chosen. Two moments can be compared
/// only if they come from the same clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Moment(pub Duration);

impl Moment {
    /// The moment that lies so much later; the latest there is, if that is beyond it.
    pub fn after(self, time: Duration) -> Self {
        Self(self.0.saturating_add(time))
    }

    /// How much time lies between an earlier moment and this one; none if that one is not earlier.
    pub fn since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}
