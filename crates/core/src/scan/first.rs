//! The first few of many, without sorting them all.

use std::collections::BinaryHeap;

/// Keeps the smallest items it is offered, up to a limit.
#[derive(Debug)]
pub(super) struct First<T> {
    limit: usize,
    offered: u64,
    /// What is kept; the largest of it on top, because that one has to go first.
    kept: BinaryHeap<T>,
}

impl<T: Ord> First<T> {
    pub(super) fn new(limit: usize) -> Self {
        Self { limit, offered: 0, kept: BinaryHeap::with_capacity(limit) }
    }

    pub(super) fn offer(&mut self, item: T) {
        self.offered += 1;
        if self.kept.len() < self.limit {
            self.kept.push(item);
        } else if let Some(mut largest) = self.kept.peek_mut()
            && item < *largest
        {
            *largest = item;
        }
    }

    /// How many were offered and not kept.
    pub(super) fn turned_away(&self) -> u64 {
        self.offered - self.kept.len() as u64
    }

    pub(super) fn into_sorted(self) -> Vec<T> {
        self.kept.into_sorted_vec()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::First;

    proptest! {
        #[test]
        fn it_keeps_what_sorting_would_put_first(items in prop::collection::vec(0u8..50, 0..60), limit in 0usize..12) {
            let mut first = First::new(limit);
            for &item in &items {
                first.offer(item);
            }
            let mut sorted = items;
            sorted.sort_unstable();
            prop_assert_eq!(first.turned_away(), sorted.len().saturating_sub(limit) as u64);
            sorted.truncate(limit);
            prop_assert_eq!(first.into_sorted(), sorted);
        }
    }
}
