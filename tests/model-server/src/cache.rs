//! The prompt cache: what of a prompt was there before, by true prefix.
//!
//! A prompt is a row of segments in the order tools, system, messages. An entry is written where a request
//! has a breakpoint, once the answer to it begins; a later request finds it if all its segments up to there
//! are the same bytes, at one of its own breakpoints or at most twenty segments before it. Prefixes below
//! the model's minimum are neither written nor found, and nobody is told.

use std::collections::HashMap;
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use tokio::time::Instant;

/// How far before a breakpoint an entry is looked for, in segments.
const LOOK_BACK: usize = 20;

/// How long an entry lives after its last use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ttl {
    FiveMinutes,
    OneHour,
}

impl Ttl {
    fn duration(self) -> Duration {
        match self {
            Ttl::FiveMinutes => Duration::from_secs(5 * 60),
            Ttl::OneHour => Duration::from_secs(60 * 60),
        }
    }
}

/// A piece of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Segment {
    /// What the prefix consists of: canonical, and without the breakpoints themselves.
    pub(crate) bytes: Vec<u8>,
    pub(crate) tokens: u64,
    pub(crate) breakpoint: Option<Ttl>,
}

/// How the tokens of a prompt are to be paid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Account {
    /// Neither read nor written.
    pub(crate) fresh: u64,
    pub(crate) read: u64,
    pub(crate) written_5m: u64,
    pub(crate) written_1h: u64,
}

impl Account {
    pub(crate) fn written(self) -> u64 {
        self.written_5m + self.written_1h
    }

    pub(crate) fn total(self) -> u64 {
        self.fresh + self.read + self.written()
    }
}

type Key = [u8; 32];

/// Entries that a request will make readable when its answer begins.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Pending(Vec<(Key, Ttl)>);

/// All entries.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    entries: HashMap<Key, (Ttl, Instant)>,
}

impl Cache {
    /// What the prompt costs at this moment, and what it will leave behind.
    pub(crate) fn look_up(
        &self,
        scope: &str,
        segments: &[Segment],
        min_cached: u64,
        now: Instant,
    ) -> (Account, Pending) {
        let (keys, sums) = prefixes(scope, segments);
        let breakpoints: Vec<(usize, Ttl)> = segments
            .iter()
            .enumerate()
            .filter_map(|(at, segment)| Some((at, segment.breakpoint?)))
            .filter(|(at, _)| min_cached <= sums[*at])
            .collect();
        let lives = |at: &usize| self.entries.get(&keys[*at]).is_some_and(|(_, until)| now < *until);
        let hit = breakpoints.iter().rev().find_map(|(at, _)| {
            let nearest = (at.saturating_sub(LOOK_BACK)..=*at).rev();
            nearest.filter(|at| min_cached <= sums[*at]).find(lives)
        });
        let mut account = Account { read: hit.map_or(0, |at| sums[at]), ..Account::default() };
        let mut covered = account.read;
        let mut pending = Pending::default();
        for (at, ttl) in breakpoints {
            let new = sums[at].saturating_sub(covered);
            covered = covered.max(sums[at]);
            match ttl {
                Ttl::FiveMinutes => account.written_5m += new,
                Ttl::OneHour => account.written_1h += new,
            }
            pending.0.push((keys[at], ttl));
        }
        // A use refreshes an entry without being paid for.
        if let Some(at) = hit
            && let Some((ttl, _)) = self.entries.get(&keys[at])
        {
            pending.0.push((keys[at], *ttl));
        }
        account.fresh = sums.last().copied().unwrap_or_default() - covered;
        (account, pending)
    }

    /// Makes entries readable. To be called when the answer begins.
    pub(crate) fn commit(&mut self, pending: Pending, now: Instant) {
        for (key, ttl) in pending.0 {
            let until = now + ttl.duration();
            let entry = self.entries.entry(key).or_insert((ttl, until));
            *entry = (entry.0.max(ttl), entry.1.max(until));
        }
    }

    /// The longest prefix that was seen before, for interfaces that cache by themselves.
    ///
    /// Counted in whole steps of 128 tokens, from 1024 on.
    pub(crate) fn look_up_automatic(
        &self,
        scope: &str,
        segments: &[Segment],
        now: Instant,
    ) -> (Account, Pending) {
        let (keys, sums) = prefixes(scope, segments);
        let lives = |at: &usize| self.entries.get(&keys[*at]).is_some_and(|(_, until)| now < *until);
        let hit = (0..segments.len()).rev().find(lives).map_or(0, |at| sums[at]);
        let read = if hit < 1024 { 0 } else { hit - hit % 128 };
        let total = sums.last().copied().unwrap_or_default();
        let account = Account { read, fresh: total - read, ..Account::default() };
        (account, Pending(keys.into_iter().map(|key| (key, Ttl::FiveMinutes)).collect()))
    }
}

/// Key and size of every prefix.
fn prefixes(scope: &str, segments: &[Segment]) -> (Vec<Key>, Vec<u64>) {
    let mut hasher = Sha256::new();
    hasher.update(scope.as_bytes());
    let mut sum = 0;
    let mut keys = Vec::with_capacity(segments.len());
    let mut sums = Vec::with_capacity(segments.len());
    for segment in segments {
        hasher.update((segment.bytes.len() as u64).to_le_bytes());
        hasher.update(&segment.bytes);
        sum += segment.tokens;
        keys.push(hasher.clone().finalize().into());
        sums.push(sum);
    }
    (keys, sums)
}

#[cfg(test)]
mod tests;
