//! Lanes: what a provider lets through for one model, shared by all gateways of a process.
//!
//! A provider counts everybody's calls together, so the limiter of a server's model is one, whoever asks. Gateways that
//! find no place wait in line, and each gets one call at its turn, so that a run with a thousand calls does not keep out
//! one with a single call. Whoever is first in line is woken when there may be a place.
//!
//! **Guarantee**: a gateway that ends leaves its line and gives back its places.
//!
//! Not here: the rule itself (`luminos_core::rate`), and the order of calls inside of a gateway (`desk`).

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use luminos_core::Moment;
use luminos_core::rate::{Admission, Concurrency, End, Limiter, Permit, Signals};
use luminos_core::spend::Tokens;
use luminos_models::{AnyModel, Model as _};
use ractor::ActorRef;
use tokio::time::Instant;

use super::Msg;

/// The lanes of a process. Clones are the same lanes.
#[derive(Debug, Clone, Default)]
pub struct Lanes {
    by_name: Arc<Mutex<ByName>>,
}

/// Lanes by server and model.
type ByName = BTreeMap<(String, String), Arc<Lane>>;

impl Lanes {
    /// A gateway's place at the lane of a model.
    pub(super) fn seat(&self, model: &AnyModel, concurrency: Concurrency, gateway: &ActorRef<Msg>) -> Seat {
        let name = (model.server().to_owned(), model.id().to_owned());
        let mut lanes = self.by_name.lock().unwrap_or_else(PoisonError::into_inner);
        let lane = lanes.entry(name).or_insert_with(|| Arc::new(Lane::new(concurrency)));
        Seat { lane: Arc::clone(lane), gateway: gateway.clone() }
    }
}

/// One limiter, and who waits for it.
#[derive(Debug)]
struct Lane {
    /// When this lane's clock stood at zero: gateways have clocks of their own.
    start: Instant,
    state: Mutex<LaneState>,
}

#[derive(Debug)]
struct LaneState {
    limiter: Limiter,
    /// Gateways that wait, each once, the next one first.
    line: VecDeque<ActorRef<Msg>>,
}

impl Lane {
    fn new(concurrency: Concurrency) -> Self {
        let state = LaneState { limiter: Limiter::new(concurrency), line: VecDeque::new() };
        Self { start: Instant::now(), state: Mutex::new(state) }
    }

    fn state(&self) -> (MutexGuard<'_, LaneState>, Moment) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        (state, Moment(self.start.elapsed()))
    }
}

impl LaneState {
    fn wake_first(&self) {
        if let Some(first) = self.line.front() {
            // One that is gone leaves the line by itself.
            let _ = first.cast(Msg::Wake);
        }
    }

    fn leave(&mut self, gateway: &ActorRef<Msg>) {
        let was_first = self.line.front().is_some_and(|first| first.get_id() == gateway.get_id());
        self.line.retain(|waiting| waiting.get_id() != gateway.get_id());
        if was_first {
            self.wake_first();
        }
    }
}

/// Whether a call may start.
pub(super) enum Entry {
    /// It may.
    Go(Permit),
    /// Not before so long, because the provider says so; ask again then.
    After(Duration),
    /// Not yet; the gateway is woken when it is worth asking again. The provider may have put everybody off meanwhile.
    WhenWoken {
        /// For how long.
        put_off: Option<Duration>,
    },
}

/// A gateway's place at a lane.
#[derive(Debug)]
pub(super) struct Seat {
    lane: Arc<Lane>,
    gateway: ActorRef<Msg>,
}

impl Seat {
    /// Asks to start a call that will use about so many tokens. Who may not is in line from then on.
    pub(super) fn admit(&self, tokens: Tokens) -> Entry {
        let (mut state, now) = self.lane.state();
        let is_me = |gateway: &ActorRef<Msg>| gateway.get_id() == self.gateway.get_id();
        let is_first = state.line.front().is_none_or(is_me);
        let admission = if is_first { state.limiter.admit(tokens, now) } else { Admission::WhenOneEnds };
        match admission {
            Admission::Go(permit) => {
                // The next call is at the end of the line, and there may be room for the next in it.
                state.line.pop_front();
                state.wake_first();
                return Entry::Go(permit);
            }
            Admission::Until(_) | Admission::WhenOneEnds => {}
        }
        if !state.line.iter().any(is_me) {
            state.line.push_back(self.gateway.clone());
        }
        match admission {
            Admission::Until(moment) => Entry::After(moment.since(now)),
            Admission::Go(_) | Admission::WhenOneEnds => {
                let put_off = state.limiter.pause(now).map(|until| until.since(now));
                Entry::WhenWoken { put_off }
            }
        }
    }

    /// Takes a permit back, learns from how its call ended, and wakes who is first in line.
    pub(super) fn end(&self, permit: Permit, end: End, signals: Signals) {
        let (mut state, now) = self.lane.state();
        state.limiter.end(permit, end, signals, now);
        state.wake_first();
    }

    /// No call waits here any more.
    pub(super) fn leave(&self) {
        self.lane.state().0.leave(&self.gateway);
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.leave();
    }
}
