//! What the server saw: every request as it came, and counts of what became of them.

use std::sync::{Mutex, PoisonError};

use tokio::sync::watch;

use crate::http::Request;

/// A request and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// Requests count from 1, over all connections.
    pub number: u64,
    /// Connections count from 1.
    pub connection: u64,
    /// What came.
    pub request: Request,
    /// What was made of it.
    pub outcome: Outcome,
}

/// What became of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It is being answered.
    Open,
    /// The last byte of the answer was sent.
    Answered,
    /// The server closed or reset the connection in the middle, as the script wanted.
    CutOff,
    /// The client closed the connection before the answer was complete.
    ClientLeft,
}

/// What happened so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Connections accepted.
    pub connections: u64,
    /// Connections open.
    pub connections_open: u64,
    /// Requests received.
    pub requests: u64,
    /// Requests being answered.
    pub in_flight: u64,
    /// The most requests that were being answered at one time.
    pub most_in_flight: u64,
    /// Answers sent to their last byte, refusals included.
    pub answered: u64,
    /// Requests that the real service would have refused as well: the client sent nonsense.
    pub invalid: u64,
    /// Requests for which the script had nothing.
    pub unexpected: u64,
    /// Answers cut off on purpose.
    pub cut_off: u64,
    /// Answers that the client did not wait for.
    pub clients_left: u64,
    /// Bytes sent.
    pub bytes_sent: u64,
    /// Tokens of all prompts that got a turn, those from the cache included.
    pub prompt_tokens: u64,
    /// Those of them that came from the cache.
    pub cached_tokens: u64,
    /// Tokens of all turns.
    pub turn_tokens: u64,
}

/// The memory of a server.
#[derive(Debug)]
pub(crate) struct Record {
    requests: Mutex<Vec<Received>>,
    counters: watch::Sender<Counters>,
}

impl Record {
    pub(crate) fn new() -> Record {
        Record { requests: Mutex::default(), counters: watch::Sender::new(Counters::default()) }
    }

    pub(crate) fn requests(&self) -> Vec<Received> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn counters(&self) -> Counters {
        *self.counters.borrow()
    }

    pub(crate) fn watch(&self) -> watch::Receiver<Counters> {
        self.counters.subscribe()
    }

    pub(crate) fn count(&self, change: impl FnOnce(&mut Counters)) {
        self.counters.send_modify(change);
    }

    /// Keeps a request; its number comes back.
    pub(crate) fn begin(&self, connection: u64, request: Request) -> u64 {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let number = requests.len() as u64 + 1;
        requests.push(Received { number, connection, request, outcome: Outcome::Open });
        drop(requests);
        self.count(|counters| {
            counters.requests += 1;
            counters.in_flight += 1;
            counters.most_in_flight = counters.most_in_flight.max(counters.in_flight);
        });
        number
    }

    /// Notes how a request ended. The request is marked before the counters tell of it.
    pub(crate) fn end(&self, number: u64, outcome: Outcome) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(received) = requests.get_mut(number.saturating_sub(1) as usize) {
            received.outcome = outcome;
        }
        drop(requests);
        self.count(|counters| {
            counters.in_flight -= 1;
            match outcome {
                Outcome::Open => {}
                Outcome::Answered => counters.answered += 1,
                Outcome::CutOff => counters.cut_off += 1,
                Outcome::ClientLeft => counters.clients_left += 1,
            }
        });
    }
}
