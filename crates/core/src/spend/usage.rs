//! What one model call used.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

/// A number of tokens.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize,
)]
#[serde(transparent)]
pub struct Tokens(pub u64);

impl Add for Tokens {
    type Output = Self;

    /// A provider may report any number, so sums stop at the largest there is.
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Tokens {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for Tokens {
    fn sum<I: Iterator<Item = Self>>(tokens: I) -> Self {
        tokens.fold(Self(0), Add::add)
    }
}

/// The tokens of one call, each counted once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Usage {
    /// Input that no cache was involved in.
    pub input: Tokens,
    /// Input that was written to the cache for five minutes.
    pub cache_write_5m: Tokens,
    /// Input that was written to the cache for an hour.
    pub cache_write_1h: Tokens,
    /// Input that was read from the cache.
    pub cache_read: Tokens,
    /// Output, thinking included.
    pub output: Tokens,
}

impl Usage {
    /// The size of the whole prompt, however it was paid for.
    pub fn prompt(&self) -> Tokens {
        self.input + self.cache_write_5m + self.cache_write_1h + self.cache_read
    }

    /// Prompt and output together.
    pub fn total(&self) -> Tokens {
        self.prompt() + self.output
    }
}

impl Add for Usage {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            input: self.input + other.input,
            cache_write_5m: self.cache_write_5m + other.cache_write_5m,
            cache_write_1h: self.cache_write_1h + other.cache_write_1h,
            cache_read: self.cache_read + other.cache_read,
            output: self.output + other.output,
        }
    }
}
