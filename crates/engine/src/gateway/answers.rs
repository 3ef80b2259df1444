//! The last answers of calls that have an id, for callers that ask again.

use std::collections::{HashMap, VecDeque};

use luminos_core::ContentHash;

use super::{Answer, CallId};

/// How many answers are kept.
const KEPT: usize = 512;

#[derive(Default)]
pub(super) struct Answers {
    by_id: HashMap<CallId, (ContentHash, Answer)>,
    oldest_first: VecDeque<CallId>,
}

impl Answers {
    /// The answer to a call, and the fingerprint of what it asked.
    pub(super) fn get(&self, id: &CallId) -> Option<&(ContentHash, Answer)> {
        self.by_id.get(id)
    }

    pub(super) fn keep(&mut self, id: CallId, fingerprint: ContentHash, answer: Answer) {
        if self.by_id.insert(id.clone(), (fingerprint, answer)).is_none() {
            self.oldest_first.push_back(id);
        }
        if KEPT < self.oldest_first.len()
            && let Some(oldest) = self.oldest_first.pop_front()
        {
            self.by_id.remove(&oldest);
        }
    }
}
