//! A try that is on its way: a task of its own, so that the gateway never waits for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use luminos_core::rate::{End, Signals};
use luminos_core::spend::{Charge, Outcome, Usage};
use luminos_models::{AnyModel, Error, Kind, Model as _, Models, Reply, Request, Settlement, rate_end};
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
    fn unanswered(outcome: Outcome, veto: Option<CallError>) -> Self {
        Self {
            result: Err(Error::new(Kind::BrokenOff, "the model's own code")),
            settlement: Settlement::unanswered(outcome),
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
#[derive(Debug)]
pub(super) struct Flight {
    task: AbortHandle,
    gate: Arc<Gate>,
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Flight {
    /// Sends a request. However the task ends, the gateway hears of it.
    pub(super) fn start(gateway: ActorRef<Msg>, plan: Plan) -> Self {
        let gate = Arc::new(Gate::default());
        let report = Report { gateway, number: plan.number, gate: gate.clone(), landing: None };
        let task = tokio::spawn(async move {
            let mut report = report;
            report.landing = Some(plan.fly(&report.gate).await);
        });
        Self { task: task.abort_handle(), gate }
    }

    /// Ends the try before its time; what that means for its reservation.
    pub(super) fn abort(&self) -> Outcome {
        self.task.abort();
        self.gate.shut()
    }
}

/// Whether the request may have left. Decided once, by whoever comes first: the task that sends it or the
/// caller that leaves.
#[derive(Debug, Default)]
struct Gate(AtomicU8);

const OPEN: u8 = 0;
const PASSED: u8 = 1;
const SHUT: u8 = 2;

impl Gate {
    fn turn(&self, to: u8) -> u8 {
        match self.0.compare_exchange(OPEN, to, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => to,
            Err(before) => before,
        }
    }

    /// Whether the request may be sent.
    fn pass(&self) -> bool {
        self.turn(PASSED) == PASSED
    }

    /// Lets nothing through any more; what becomes of the reservation.
    fn shut(&self) -> Outcome {
        if self.turn(SHUT) == PASSED { Outcome::Unknown } else { Outcome::NotSent }
    }
}

impl Plan {
    async fn fly(&self, gate: &Gate) -> Landing {
        let attempt = Attempt {
            id: self.id.as_ref(),
            model: self.model.id(),
            request: &self.request,
            worst: self.worst,
            retries: self.retries,
        };
        for overseer in self.overseers.iter() {
            if let Err(because) = overseer.before_paying(attempt).await {
                let veto = CallError::Vetoed { stage: Stage::Paying, because };
                self.settled(attempt, Outcome::NotSent, None);
                return Landing::unanswered(Outcome::NotSent, Some(veto));
            }
        }
        if !gate.pass() {
            self.settled(attempt, Outcome::NotSent, None);
            return Landing::unanswered(Outcome::NotSent, None);
        }
        let result = self.model.stream(&self.request, &mut |event| self.audience.tell(event)).await;
        self.audience.flush();
        let settlement = self.facts.settlement(attempt.model, &self.request, &result);
        let usage = result.is_ok().then_some(settlement.usage);
        self.settled(attempt, settlement.outcome, usage);
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

    fn settled(&self, attempt: Attempt<'_>, outcome: Outcome, usage: Option<Usage>) {
        self.overseers.iter().for_each(|overseer| overseer.settled(attempt, outcome, usage));
    }
}

/// Tells the gateway how the task ended, also if it panicked.
struct Report {
    gateway: ActorRef<Msg>,
    number: Number,
    gate: Arc<Gate>,
    landing: Option<Landing>,
}

impl Drop for Report {
    fn drop(&mut self) {
        let landing = self.landing.take();
        let landing = landing.unwrap_or_else(|| Landing::unanswered(self.gate.shut(), None));
        // Without a gateway there is no ledger either.
        let _ = self.gateway.cast(Msg::Landed { number: self.number, landing: Box::new(landing) });
    }
}
