//! A try that is on its way: a task of its own, so that the gateway never waits for it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use luminos_core::rate::{End, Signals};
use luminos_core::spend::{CallEnd, Charge, Tokens};
use luminos_models::{
    AnyModel, Error, Event, Kind, Model as _, Models, Reply, Request, Sent, Settlement, estimate_text,
    rate_end,
};
use ractor::ActorRef;
use tokio::task::AbortHandle;

use super::audience::Audience;
use super::call::Stage;
use super::oversight::{Attempt, Overseer};
use super::{CallError, CallId, Msg, Number};

/// How a try ended, and what that means for those who let it start.
#[derive(Debug)]
pub(super) struct Landing {
    pub(super) result: Result<Reply, Error>,
    pub(super) settlement: Settlement,
    pub(super) end: End,
    pub(super) signals: Signals,
    /// An overseer's word against going on.
    pub(super) veto: Option<CallError>,
}

impl Landing {
    fn unanswered(settlement: Settlement, veto: Option<CallError>) -> Self {
        Self {
            result: Err(Error::new(Kind::BrokenOff, "the model's own code")),
            settlement,
            end: End::Failed,
            signals: Signals::default(),
            veto,
        }
    }
}

/// All that a try needs.
pub(super) struct Plan {
    pub(super) number: Number,
    pub(super) id: Option<CallId>,
    pub(super) model: Arc<AnyModel>,
    pub(super) facts: Arc<Models>,
    pub(super) overseers: Arc<[Arc<dyn Overseer>]>,
    pub(super) request: Arc<Request>,
    pub(super) worst: Charge,
    pub(super) retries: u32,
    pub(super) audience: Audience,
}

/// A try on its way. Dropping it ends the task, which closes the connection.
pub(super) struct Flight {
    task: AbortHandle,
    plan: Arc<Plan>,
    track: Arc<Track>,
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Flight {
    /// Sends a request. However the task ends, the gateway hears of it.
    pub(super) fn start(gateway: ActorRef<Msg>, plan: Plan) -> Self {
        let (plan, track) = (Arc::new(plan), Arc::new(Track::default()));
        let report = Report { gateway, plan: plan.clone(), track: track.clone(), landing: None };
        let task = tokio::spawn(async move {
            let mut report = report;
            report.landing = Some(report.plan.fly(&report.track).await);
        });
        Self { task: task.abort_handle(), plan, track }
    }

    /// Ends the try before its time; how it settles.
    pub(super) fn abort(&self) -> Settlement {
        self.task.abort();
        self.plan.settle(&self.track, || self.plan.broken_off(&self.track))
    }
}

/// How far a try is. Each step is taken once, by whoever comes first: the task that makes it or the caller that leaves.
#[derive(Debug, Default)]
struct Track {
    step: Mutex<Step>,
    /// Tokens of the answer that have come so far.
    received: AtomicU64,
}

#[derive(Debug, Clone, Copy, Default)]
enum Step {
    /// Nothing was sent.
    #[default]
    Ready,
    /// The request may have left.
    Sent,
    /// It is settled so.
    Settled(Settlement),
}

impl Track {
    /// A step is a value that is written at once, so a lock that somebody died with is as good as any.
    fn step(&self) -> MutexGuard<'_, Step> {
        self.step.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the request may be sent.
    fn may_send(&self) -> bool {
        let mut step = self.step();
        let is_ready = matches!(*step, Step::Ready);
        if is_ready {
            *step = Step::Sent;
        }
        is_ready
    }

    fn hear(&self, event: &Event<'_>) {
        let text = match event {
            Event::Started => return,
            Event::Text(text) | Event::Thinking(text) | Event::Arguments(text) => text,
            Event::ToolCall { name } => name,
        };
        self.received.fetch_add(estimate_text(text).0, Ordering::Relaxed);
    }
}

impl Plan {
    async fn fly(&self, track: &Track) -> Landing {
        let attempt = self.attempt();
        for overseer in self.overseers.iter() {
            if let Err(because) = overseer.before_paying(attempt).await {
                let veto = CallError::Vetoed { stage: Stage::Paying, because };
                let not_sent = || Settlement::without_usage(CallEnd::NotSent);
                return Landing::unanswered(self.settle(track, not_sent), Some(veto));
            }
        }
        if !track.may_send() {
            return Landing::unanswered(Settlement::without_usage(CallEnd::NotSent), None);
        }
        let mut listener = |event: Event<'_>| {
            track.hear(&event);
            self.audience.tell(event);
        };
        let result = self.model.stream(&self.request, &mut listener).await;
        self.audience.flush();
        let sent = self.sent(track);
        let settlement =
            self.settle(track, || self.facts.settlement(attempt.model, &self.request, sent, &result));
        let (end, signals) = rate_end(&result);
        let mut veto = None;
        for overseer in self.overseers.iter() {
            if let Err(because) = overseer.before_answering(attempt, &result).await {
                veto = Some(CallError::Vetoed { stage: Stage::Answering, because });
                break;
            }
        }
        Landing { result, settlement, end, signals, veto }
    }

    fn attempt(&self) -> Attempt<'_> {
        Attempt {
            id: self.id.as_ref(),
            model: self.model.id(),
            request: &self.request,
            worst: self.worst,
            retries: self.retries,
        }
    }

    fn sent(&self, track: &Track) -> Sent {
        let max_output = Tokens(u64::from(self.request.max_output));
        let input = Tokens(self.worst.tokens.0.saturating_sub(max_output.0));
        Sent { input, max_output, received: Tokens(track.received.load(Ordering::Relaxed)) }
    }

    /// How it ends if it ends now.
    fn broken_off(&self, track: &Track) -> Settlement {
        self.facts.broken_off(self.model.id(), self.sent(track))
    }

    /// Settles a try that has ended, unless that is done; gives how it is settled. One that was not sent costs nothing.
    fn settle(&self, track: &Track, sent: impl FnOnce() -> Settlement) -> Settlement {
        let settlement = {
            let mut step = track.step();
            let settlement = match *step {
                Step::Settled(settlement) => return settlement,
                Step::Ready => Settlement::without_usage(CallEnd::NotSent),
                Step::Sent => sent(),
            };
            *step = Step::Settled(settlement);
            settlement
        };
        let usage = match settlement.end {
            CallEnd::Answered { .. } | CallEnd::BrokenOff { .. } => Some(settlement.usage),
            CallEnd::NotSent | CallEnd::Refused | CallEnd::Died => None,
        };
        self.overseers.iter().for_each(|overseer| overseer.settled(self.attempt(), settlement.end, usage));
        settlement
    }
}

/// Tells the gateway how the task ended, also if it panicked.
struct Report {
    gateway: ActorRef<Msg>,
    plan: Arc<Plan>,
    track: Arc<Track>,
    landing: Option<Landing>,
}

impl Drop for Report {
    fn drop(&mut self) {
        let landing = self.landing.take().unwrap_or_else(|| {
            let died = || Settlement::without_usage(CallEnd::Died);
            Landing::unanswered(self.plan.settle(&self.track, died), None)
        });
        // Without a gateway there is no ledger either.
        let _ = self.gateway.cast(Msg::Landed { number: self.plan.number, landing: Box::new(landing) });
    }
}
