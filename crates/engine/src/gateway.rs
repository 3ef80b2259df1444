//! The gateway: every model call passes here, and none can overspend.
//!
//! A call is freed of secrets and its input is estimated by whoever makes it; then the gateway reserves its
//! worst case, waits until the provider's limits let it start, sends it in a task of its own and settles by
//! what it used. A failed try is made again as the table of retries says.
//!
//! **Guarantees**: spent, lost and reserved together never pass a limit, unless a provider reports more than was reserved,
//! which is booked and told. Whatever becomes of a call, of its caller or of its task, its reservation settles by one rule
//! (`luminos_core::spend::book`) and its place is free again. A provider that says "too many" makes
//! everybody wait once. If the gateway ends, every caller gets an error.
//!
//! An actor: it alone changes the ledger, one message at a time, and awaits nothing. What a provider lets through it
//! shares with the other gateways of its process (`lanes`). Who waits is an entry in its queue (`desk`); what is on its
//! way is a task (`flight`). Others can have a say in every try (`oversight`): a budget, a journal, a recording.
//!
//! Not here: the rules themselves (`luminos_core::{spend, rate}`, `luminos_models::next_try`), what a call
//! asks, and how many turns somebody has.

mod answers;
mod audience;
mod call;
mod desk;
mod flight;
mod lanes;
mod open;
mod oversight;
mod patience;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use luminos_core::ContentHash;
use luminos_core::rate::Concurrency;
use luminos_core::spend::{Limits, Passed, Spending, Tokens, Usage};
use luminos_models::{AnyModel, Models, Note, Request, estimate_input, fingerprint, redact_request};
use luminos_wire::control::ProviderWait;
use ractor::{Actor, ActorCell, ActorId, ActorProcessingErr, ActorRef, RpcReplyPort};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

pub use call::{Answer, Call, CallError, CallId, News, Retries, Stage};
pub use lanes::Lanes;
pub use oversight::{Attempt, Objection, Overseer, Recording, Verdict};

use desk::Desk;
use flight::Landing;

/// What the gateway works with.
pub struct GatewaySetup {
    /// The models, by the names that callers use. One name for each provider and model.
    pub models: BTreeMap<String, AnyModel>,
    /// What is known about models: prices above all.
    pub facts: Models,
    /// How the tokens of a request are found before it is sent.
    pub input_count: InputCount,
    /// What may be spent in all. The deadline counts from `start`.
    pub limits: Limits,
    /// What was spent already, and lost, in earlier lives of a run.
    pub spent: Spending,
    /// Who has a say in every try, in this order.
    pub overseers: Vec<Arc<dyn Overseer>>,
    /// What providers let through. Gateways that ask the same providers have the same lanes.
    pub lanes: Lanes,
    /// How long a call waits for a provider that puts it off, all its tries together.
    pub patience: Duration,
    /// How many calls of one model may be on their way; counts for whoever is the first in a lane.
    pub concurrency: Concurrency,
    /// When the clock of this gateway stood at zero.
    pub start: Instant,
    /// Where random numbers come from: they spread the retries of many callers.
    pub random: Box<dyn FnMut() -> u32 + Send>,
}

impl fmt::Debug for GatewaySetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GatewaySetup").field("models", &self.models.keys()).finish_non_exhaustive()
    }
}

/// How the tokens of a request are found before it is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputCount {
    /// Estimated from above.
    Estimated,
    /// Counted by the server, where it can; otherwise estimated.
    Asked,
}

/// Sums over all calls so far, and what is going on.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GatewayTotals {
    /// What was spent, what is reserved and what was lost.
    pub spending: Spending,
    /// The limit that was passed because a provider reported more than was reserved.
    pub passed: Option<Passed>,
    /// The tokens of what was spent, by kind.
    pub usage: Usage,
    /// How many secrets were taken out of requests.
    pub redactions: u64,
    /// How many tries were made again.
    pub retries: u64,
    /// How many calls were answered without a known price.
    pub unpriced: u64,
    /// How many calls are on their way.
    pub in_flight: u64,
    /// How many calls wait.
    pub waiting: u64,
    /// The provider that calls wait for, if it has put them off.
    pub provider_wait: Option<ProviderWait>,
    /// What was unusual about the answers of which models.
    pub notes: BTreeSet<(String, Note)>,
}

impl GatewayTotals {
    /// The sums of two gateways.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            spending: self.spending.plus(other.spending),
            passed: self.passed.or(other.passed),
            usage: self.usage + other.usage,
            redactions: self.redactions + other.redactions,
            retries: self.retries + other.retries,
            unpriced: self.unpriced + other.unpriced,
            in_flight: self.in_flight + other.in_flight,
            waiting: self.waiting + other.waiting,
            provider_wait: self.provider_wait.clone().or_else(|| other.provider_wait.clone()),
            notes: self.notes.union(&other.notes).cloned().collect(),
        }
    }
}

/// The way to the gateway. Clones lead to the same one.
#[derive(Debug, Clone)]
pub struct GatewayHandle {
    actor: ActorRef<Msg>,
    next: Arc<AtomicU64>,
    /// The models that are asked how many tokens a request has.
    counting: Arc<Served>,
}

/// The models, by the names that callers use.
type Served = BTreeMap<String, Arc<AnyModel>>;

/// How long the gateway may take to say how things stand; it never waits for anything, so this is plenty.
const TOTALS_PATIENCE: Duration = Duration::from_secs(10);

/// How long a server may take to count before its count is done without.
const COUNT_PATIENCE: Duration = Duration::from_secs(10);

impl GatewayHandle {
    /// Starts a gateway. It lives until `stop`.
    pub async fn start(mut setup: GatewaySetup) -> Result<Self, CallError> {
        let models: Served = std::mem::take(&mut setup.models)
            .into_iter()
            .map(|(name, model)| (name, Arc::new(model)))
            .collect();
        let counting = match setup.input_count {
            InputCount::Estimated => Served::new(),
            InputCount::Asked => models.clone(),
        };
        let (actor, _) = Actor::spawn(None, Gateway, (setup, models)).await.map_err(|_| CallError::Gone)?;
        Ok(Self { actor, next: Arc::default(), counting: Arc::new(counting) })
    }

    /// Has somebody told if it dies.
    pub(crate) fn link(&self, supervisor: ActorCell) {
        self.actor.link(supervisor);
    }

    /// Whom a supervisor hears of.
    pub(crate) fn id(&self) -> ActorId {
        self.actor.get_id()
    }

    /// Makes a call and waits for its answer. Dropping the future ends the call.
    pub async fn complete(&self, call: Call) -> Result<Answer, CallError> {
        let (news, _) = mpsc::channel(1);
        self.stream(call, news).await
    }

    /// Makes a call and tells news of it while it is under way. Dropping the future ends the call.
    ///
    /// Who does not keep up with the news gets texts joined together and may miss the last of them; the
    /// answer always has all of it. That a text is void, because the call is tried again, nobody misses who
    /// was told the text. A channel should have room for a few: one place is kept for that news.
    pub async fn stream(&self, call: Call, news: mpsc::Sender<News>) -> Result<Answer, CallError> {
        let Call { model, mut request, id, retries } = call;
        let redactions = redact_request(&mut request);
        let id = id.map(|id| (id, fingerprint(&model, &request)));
        let number = Number(self.next.fetch_add(1, Ordering::Relaxed));
        let (reply, answer) = oneshot::channel();
        let input = self.count_input(&model, &request).await;
        let order = Order { number, model, request, id, retries, input, redactions, news, reply };
        self.actor.cast(Msg::Call(Box::new(order))).map_err(|_| CallError::Gone)?;
        let mut waiting = Waiting { actor: &self.actor, number, is_over: false };
        let result = answer.await.unwrap_or(Err(CallError::Gone));
        waiting.is_over = true;
        result
    }

    /// The most tokens that the input of a request has. A server's count may differ a little from its bill.
    async fn count_input(&self, model: &str, request: &Request) -> Tokens {
        let Some(model) = self.counting.get(model) else { return estimate_input(request) };
        match tokio::time::timeout(COUNT_PATIENCE, model.count_input(request)).await {
            Ok(Some(Ok(Tokens(counted)))) => Tokens(counted.saturating_add(counted / 20 + 64)),
            Ok(Some(Err(_)) | None) | Err(_) => estimate_input(request),
        }
    }

    /// How things stand.
    pub async fn totals(&self) -> Result<GatewayTotals, CallError> {
        let asked = self.actor.call(|reply| Msg::Totals { reply }, Some(TOTALS_PATIENCE)).await;
        match asked {
            Ok(ractor::rpc::CallResult::Success(totals)) => Ok(totals),
            Ok(ractor::rpc::CallResult::Timeout | ractor::rpc::CallResult::SenderError) | Err(_) => {
                Err(CallError::Gone)
            }
        }
    }

    /// Ends the gateway and all its calls.
    pub fn stop(&self) {
        self.actor.stop(None);
    }
}

/// A caller that waits. If it loses patience, the gateway is told.
struct Waiting<'a> {
    actor: &'a ActorRef<Msg>,
    number: Number,
    is_over: bool,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            // A gateway that is gone has no calls.
            let _ = self.actor.cast(Msg::Cancel { number: self.number });
        }
    }
}

/// Names a caller; a call has the number of its first one. Smaller numbers came first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Number(u64);

type Reply = oneshot::Sender<Result<Answer, CallError>>;

/// A call, ready to be made.
#[derive(Debug)]
struct Order {
    number: Number,
    model: String,
    request: Request,
    /// With the fingerprint of what is asked.
    id: Option<(CallId, ContentHash)>,
    retries: Retries,
    input: Tokens,
    redactions: usize,
    news: mpsc::Sender<News>,
    reply: Reply,
}

/// What the gateway understands.
#[derive(Debug)]
enum Msg {
    /// Make this call. From any handle; the answer goes through the order.
    Call(Box<Order>),
    /// The caller is gone. From a handle; needs no answer.
    Cancel { number: Number },
    /// A try ended. From its task.
    Landed { number: Number, landing: Box<Landing> },
    /// It is time to look at the queue again. From the gateway's own alarm.
    Wake,
    /// How things stand. From any handle.
    Totals { reply: RpcReplyPort<GatewayTotals> },
}

struct Gateway;

impl Actor for Gateway {
    type Msg = Msg;
    type State = Desk;
    type Arguments = (GatewaySetup, Served);

    async fn pre_start(
        &self,
        myself: ActorRef<Msg>,
        (setup, models): (GatewaySetup, Served),
    ) -> Result<Desk, ActorProcessingErr> {
        Ok(Desk::new(myself, setup, models))
    }

    async fn handle(&self, _: ActorRef<Msg>, msg: Msg, desk: &mut Desk) -> Result<(), ActorProcessingErr> {
        match msg {
            Msg::Call(order) => desk.take(*order),
            Msg::Cancel { number } => desk.cancel(number),
            Msg::Landed { number, landing } => desk.landed(number, *landing),
            Msg::Wake => desk.woken(),
            Msg::Totals { reply } => {
                // Whoever asked may have lost interest.
                let _ = reply.send(desk.totals());
                return Ok(());
            }
        }
        desk.pump();
        Ok(())
    }
}
