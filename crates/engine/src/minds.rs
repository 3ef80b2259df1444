//! Who thinks in a run: the embedded analyst, or models behind the gateway.
//!
//! Each pass can have its own. Of every limit a tenth is kept back while directories are looked at, so that there is
//! something left to write the report with.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use luminos_core::config::ModelsConfig;
use luminos_core::job::{Ask, Mind, NoTurn, Said};
use luminos_core::spend::{Charge, Limits, Money, PassSpend, Refusal, Spending, Tokens};
use luminos_core::talk::{Pass, Request};
use luminos_core::{Moment, RelPath};
use luminos_models::{AnyModel, CannotConnect, Model as _, Models, Note};
use luminos_wire::control::RunLimits;
use ractor::{ActorCell, ActorId};
use tokio::time::Instant;

use crate::gateway::{
    Answer, Call, CallError, CallId, GatewayHandle, GatewaySetup, GatewayTotals, Lanes, Overseer,
};
use crate::model_access::gateway_setup;
use crate::received::Received;
use crate::recordings::Recordings;
use crate::spend_journal::SpendJournal;

mod health;

pub(crate) use health::{Standing, Unreachable};

use health::Health;

/// The name of the embedded analyst, where models are named.
pub const OFFLINE: &str = "offline";

/// The context that a model is taken to have if nobody knows.
const USUAL_WINDOW: u64 = 32_000;
/// How much of a model's window a conversation may fill, in hundredths.
const WINDOW_SHARE: u64 = 70;
/// How long a server may take to say what it serves.
const PATIENCE_OF_PROBE: Duration = Duration::from_secs(12);
/// Why there is no answer when time is up.
const TIME_IS_UP: &str = "the time limit was reached";

/// How the models of a run are reached.
#[derive(Clone)]
pub(crate) struct Connect {
    /// Connects to them; by the names that passes use.
    pub models: Arc<dyn Fn() -> Result<BTreeMap<String, AnyModel>, CannotConnect> + Send + Sync>,
    /// What their providers let through, for all runs together.
    pub lanes: Lanes,
}

/// Why nobody can think.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Mindless {
    /// A model cannot be used.
    #[error(transparent)]
    Connect(#[from] CannotConnect),
    /// The gateway cannot be started.
    #[error(transparent)]
    Gateway(#[from] CallError),
}

/// A question, and where in the run it is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    /// The pass.
    pub pass: Pass,
    /// The conversation.
    pub place: &'a RelPath,
    /// What is new in it.
    pub ask: &'a Ask,
    /// Which time the directory is looked into again; 0 for a first look.
    pub round: u32,
}

/// What was said to it.
#[derive(Debug, Clone)]
pub(crate) struct Heard {
    /// The answer.
    pub said: Said,
    /// What was booked for it.
    pub charged: Charge,
    /// The model.
    pub model: String,
    /// What was unusual about it.
    pub notes: Vec<Note>,
    /// How many secrets were taken out of the question.
    pub redactions: u64,
}

/// Who thinks in a run. Clones share what was spent.
#[derive(Clone)]
pub(crate) struct Minds {
    shared: Arc<Shared>,
}

struct Shared {
    /// The model of each pass that has one.
    names: BTreeMap<Pass, String>,
    /// The tokens that each pass's model can take in, where that is known.
    windows: BTreeMap<Pass, Tokens>,
    /// How much of it a conversation could fill in the run that is repeated.
    budgets: BTreeMap<Pass, u64>,
    remote: Option<Remote>,
    limits: RunLimits,
    started: Instant,
    /// When these minds stop thinking.
    deadline: Option<Instant>,
    gateway: Option<GatewayHandle>,
    /// What an earlier run was told, for one that repeats it.
    recordings: Option<Arc<Recordings>>,
    /// What calls came to.
    spending: Option<Arc<SpendJournal>>,
    /// All gateways there ever were in this run: what it used is the sum of what they did.
    all: Arc<Mutex<Vec<GatewayHandle>>>,
    /// Who is told if one of them dies.
    supervisor: Arc<OnceLock<ActorCell>>,
    /// Whether models answer.
    health: Arc<Health>,
}

/// How models are reached.
#[derive(Clone)]
struct Remote {
    connect: Connect,
    facts: Models,
    config: ModelsConfig,
    overseers: Vec<Arc<dyn Overseer>>,
}

impl Minds {
    /// Nobody but the embedded analyst.
    pub(crate) fn offline(limits: RunLimits) -> Self {
        let shared = Shared {
            names: BTreeMap::new(),
            windows: BTreeMap::new(),
            budgets: BTreeMap::new(),
            remote: None,
            limits,
            started: Instant::now(),
            deadline: None,
            gateway: None,
            recordings: None,
            spending: None,
            all: Arc::default(),
            supervisor: Arc::default(),
            health: Arc::default(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// A model for directories that nobody can ask.
    #[cfg(test)]
    pub(crate) fn of_dirs(name: &str) -> Self {
        let Self { shared } = Self::offline(RunLimits::default());
        let names = BTreeMap::from([(Pass::Dir, name.to_owned())]);
        Self { shared: Arc::new(Shared { names, ..shared.copy() }) }
    }

    /// Those who thought in an earlier run, by their names: they say what they said then, and nothing else.
    pub(crate) fn recorded(
        names: BTreeMap<Pass, String>,
        budgets: &BTreeMap<String, u64>,
        recordings: Arc<Recordings>,
    ) -> Self {
        let Self { shared } = Self::offline(RunLimits::default());
        let budget = |pass: &Pass| budgets.get(pass.word()).copied();
        let budgets = names.keys().filter_map(|pass| Some((*pass, budget(pass)?))).collect();
        let shared = Shared {
            names,
            windows: BTreeMap::new(),
            budgets,
            remote: None,
            limits: shared.limits,
            started: shared.started,
            deadline: None,
            gateway: None,
            recordings: Some(recordings),
            spending: None,
            all: Arc::default(),
            supervisor: Arc::default(),
            health: Arc::default(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// The same minds, which repeat what was said before they say something of their own.
    #[must_use]
    pub(crate) fn with_recordings(self, recordings: Arc<Recordings>) -> Self {
        let shared = self.shared.copy();
        Self { shared: Arc::new(Shared { recordings: Some(recordings), ..shared }) }
    }

    /// Models for some passes, by their names; the analyst for the others. `spent` is what earlier lives of the run used.
    pub(crate) async fn remote(
        names: BTreeMap<Pass, String>,
        connect: Connect,
        facts: Models,
        config: ModelsConfig,
        limits: RunLimits,
        spent: Spending,
        spending: Arc<SpendJournal>,
    ) -> Result<Self, Mindless> {
        // An answer is kept before anything else is done about it.
        let overseers: Vec<Arc<dyn Overseer>> = vec![
            Arc::clone(&spending.received) as Arc<dyn Overseer>,
            Arc::clone(&spending) as Arc<dyn Overseer>,
        ];
        let kept_back = Limits {
            money: limits.cost.map(|money| Money::from_nanodollars(nine_tenths(money.nanodollars()))),
            tokens: limits.tokens.map(|tokens| Tokens(nine_tenths(tokens.0))),
            calls: None,
            deadline: limits
                .seconds
                .map(|seconds| Moment(Duration::from_millis(nine_tenths(seconds * 1000)))),
        };
        let models = (connect.models)()?;
        let window = |name: &String| facts.get(models.get(name)?.id())?.window;
        let windows = names.iter().filter_map(|(pass, name)| Some((*pass, window(name)?))).collect();
        let started = Instant::now();
        let gateway = GatewayHandle::start(GatewaySetup {
            spent,
            lanes: connect.lanes.clone(),
            overseers: overseers.clone(),
            ..gateway_setup(models, facts.clone(), kept_back, &config)
        })
        .await?;
        let all = Arc::new(Mutex::new(vec![gateway.clone()]));
        let shared = Shared {
            names,
            windows,
            budgets: BTreeMap::new(),
            remote: Some(Remote { connect, facts, config, overseers }),
            limits,
            started,
            deadline: kept_back.deadline.map(|deadline| started + deadline.0),
            gateway: Some(gateway),
            recordings: None,
            spending: Some(spending),
            all,
            supervisor: Arc::default(),
            health: Arc::default(),
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Who thinks in a pass.
    pub(crate) fn mind(&self, pass: Pass) -> Mind {
        if self.shared.names.contains_key(&pass) { Mind::Remote } else { Mind::Offline }
    }

    /// What thinks in a pass is called.
    pub(crate) fn name(&self, pass: Pass) -> &str {
        self.shared.names.get(&pass).map_or(OFFLINE, String::as_str)
    }

    /// All passes and what thinks in them.
    pub(crate) fn names(&self) -> BTreeMap<String, String> {
        let passes = [Pass::Survey, Pass::Plan, Pass::Dir, Pass::Judge, Pass::Synthesis];
        passes.map(|pass| (pass.word().to_owned(), self.name(pass).to_owned())).into_iter().collect()
    }

    /// How many tokens a conversation in a pass may have.
    pub(crate) fn context_budget(&self, pass: Pass) -> u64 {
        if let Some(budget) = self.shared.budgets.get(&pass) {
            return *budget;
        }
        let window = self.shared.windows.get(&pass);
        window.map_or(USUAL_WINDOW, |window| window.0) * WINDOW_SHARE / 100
    }

    /// The same of each pass that a model thinks in.
    pub(crate) fn context_budgets(&self) -> BTreeMap<String, u64> {
        let passes = self.shared.names.keys();
        passes.map(|pass| (pass.word().to_owned(), self.context_budget(*pass))).collect()
    }

    /// What is repeated, if something is.
    pub(crate) fn recordings(&self) -> Option<&Arc<Recordings>> {
        self.shared.recordings.as_ref()
    }

    /// A turn of a model: what was said before to the very same question, where there is a record of it; otherwise the
    /// model of the pass is asked. Made again with the same id, it is paid once.
    pub(crate) async fn turn(&self, asked: Asked<'_>, request: Request, id: String) -> Result<Heard, NoTurn> {
        if let Some(known) = self.recordings().and_then(|recordings| recordings.answer(&asked, &request)) {
            return known;
        }
        if let Some(received) =
            self.shared.spending.as_ref().and_then(|spending| spending.answer_received(&id))
        {
            let Received { content, stop, usage, charged, notes, .. } = received;
            let redactions = luminos_models::redact_request(&mut request.clone()) as u64;
            let (said, model) = (Said { content, stop, usage }, self.name(asked.pass).to_owned());
            return Ok(Heard { said, charged, model, notes, redactions });
        }
        let Answer { reply, usage, charged, redactions, .. } = self.ask(asked.pass, request, id).await?;
        let said = Said { content: reply.content, stop: reply.stop, usage };
        let (model, redactions) = (self.name(asked.pass).to_owned(), redactions as u64);
        Ok(Heard { said, charged, model, notes: reply.notes, redactions })
    }

    /// The answer to a call is in its transcript.
    pub(crate) fn journalled(&self, call: &str) {
        if let Some(spending) = &self.shared.spending {
            spending.received.journalled(call);
        }
    }

    async fn ask(&self, pass: Pass, request: Request, id: String) -> Result<Answer, NoTurn> {
        let Some(gateway) = &self.shared.gateway else {
            return Err(NoTurn::ModelFailed("no model is set up for this pass".to_owned()));
        };
        let call = Call::new(self.name(pass), request).with_id(CallId(id));
        let answer = gateway.complete(call);
        // The gateway lets a call that was sent come to its end; a model that hangs must not outlast the run.
        let answer = match self.shared.deadline {
            Some(deadline) => match tokio::time::timeout_at(deadline, answer).await {
                Ok(answer) => answer,
                Err(_) => return Err(NoTurn::Limit(TIME_IS_UP.to_owned())),
            },
            None => answer.await,
        };
        self.shared.health.note(self.name(pass), answer.as_ref().err());
        answer.map_err(|error| no_turn(&error, &self.shared.limits))
    }

    /// Whether models are asked at all, rather than recordings or nobody.
    pub(crate) fn asks_models(&self) -> bool {
        self.shared.remote.is_some()
    }

    /// Whether the model of a pass is worth asking, by what became of the calls so far.
    pub(crate) fn standing(&self, pass: Pass) -> Standing {
        self.shared.health.standing(self.name(pass))
    }

    /// Asks the servers of all models that will be needed whether they are there and accept the key: for the list of
    /// what they serve, which costs nothing. Where there is no such list, the first call of the run will tell.
    pub(crate) async fn probe(&self, second_judge: bool) -> Result<(), Unreachable> {
        let Some(remote) = &self.shared.remote else { return Ok(()) };
        let models = (remote.connect.models)()
            .map_err(|error| Unreachable { error: error.to_string(), hint: None })?;
        let needed = |name: &String| {
            self.shared
                .names
                .iter()
                .any(|(pass, known)| known == name && (second_judge || *pass != Pass::Judge))
        };
        for (_, model) in models.iter().filter(|(name, _)| needed(name)) {
            match tokio::time::timeout(PATIENCE_OF_PROBE, model.served()).await {
                Ok(Err(error)) if health::is_out_of_reach(error.kind()) => return Err((&error).into()),
                Ok(Ok(_) | Err(_)) | Err(_) => {}
            }
        }
        Ok(())
    }

    /// The same minds with all of what is left, the tenth that was kept back included.
    pub(crate) async fn to_the_end(&self) -> Result<Self, Mindless> {
        let shared = &self.shared;
        let Some(remote) = &shared.remote else { return Ok(self.clone()) };
        let spent = self.totals().await.map(|totals| totals.spending).unwrap_or_default();
        let left = shared.started.elapsed();
        let limits = Limits {
            money: shared.limits.cost,
            tokens: shared.limits.tokens,
            calls: None,
            deadline: shared
                .limits
                .seconds
                .map(|seconds| Moment(Duration::from_secs(seconds).saturating_sub(left))),
        };
        let (lanes, overseers) = (remote.connect.lanes.clone(), remote.overseers.clone());
        let setup = gateway_setup((remote.connect.models)()?, remote.facts.clone(), limits, &remote.config);
        let gateway = GatewayHandle::start(GatewaySetup { lanes, overseers, spent, ..setup }).await?;
        if let Some(supervisor) = shared.supervisor.get() {
            gateway.link(supervisor.clone());
        }
        shared.all.lock().unwrap_or_else(PoisonError::into_inner).push(gateway.clone());
        let shared = Shared {
            deadline: shared.limits.seconds.map(|seconds| shared.started + Duration::from_secs(seconds)),
            gateway: Some(gateway),
            ..shared.copy()
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// What was used so far; `None` where nothing can be.
    pub(crate) async fn totals(&self) -> Option<GatewayTotals> {
        if let Some(recordings) = self.recordings().filter(|recordings| !recordings.is_fork()) {
            return Some(recordings.totals());
        }
        let mut sum: Option<GatewayTotals> = None;
        for gateway in self.gateways() {
            if let Ok(totals) = gateway.totals().await {
                sum = Some(sum.unwrap_or_default().plus(&totals));
            }
        }
        // A gateway begins with what was spent before it; the journal has each call once.
        match &self.shared.spending {
            Some(spending) => sum.map(|sum| GatewayTotals { spending: spending.spending(), ..sum }),
            None => sum,
        }
    }

    /// What the calls of each pass came to, in all lives of the run.
    pub(crate) fn by_pass(&self) -> BTreeMap<String, PassSpend> {
        match (self.recordings(), &self.shared.spending) {
            (Some(recordings), _) if !recordings.is_fork() => recordings.by_pass(),
            (_, Some(spending)) => spending.by_pass(),
            (_, None) => BTreeMap::new(),
        }
    }

    fn gateways(&self) -> Vec<GatewayHandle> {
        self.shared.all.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// From now on somebody is told if a gateway dies.
    pub(crate) fn link(&self, supervisor: ActorCell) {
        self.gateways().iter().for_each(|gateway| gateway.link(supervisor.clone()));
        // A run is its minds' only supervisor.
        let _ = self.shared.supervisor.set(supervisor);
    }

    /// Whether that is one of the gateways.
    pub(crate) fn has_gateway(&self, id: ActorId) -> bool {
        self.gateways().iter().any(|gateway| gateway.id() == id)
    }

    /// Ends all calls.
    pub(crate) fn stop(&self) {
        self.gateways().iter().for_each(GatewayHandle::stop);
    }
}

impl Shared {
    fn copy(&self) -> Self {
        Self {
            names: self.names.clone(),
            windows: self.windows.clone(),
            budgets: self.budgets.clone(),
            remote: self.remote.clone(),
            limits: self.limits,
            started: self.started,
            deadline: self.deadline,
            gateway: self.gateway.clone(),
            recordings: self.recordings.clone(),
            spending: self.spending.clone(),
            all: Arc::clone(&self.all),
            supervisor: Arc::clone(&self.supervisor),
            health: Arc::clone(&self.health),
        }
    }
}

fn nine_tenths(number: u64) -> u64 {
    number / 10 * 9 + number % 10 * 9 / 10
}

/// Why there is no answer. A limit is named as the user gave it: that a part of it is kept back is nobody's concern.
fn no_turn(error: &CallError, limits: &RunLimits) -> NoTurn {
    let words = || match error.hint() {
        Some(hint) => format!("{error} (hint: {hint})"),
        None => error.to_string(),
    };
    match error {
        CallError::Refused { refusal: Refusal::UnknownPrice, .. } => NoTurn::ModelFailed(words()),
        CallError::Refused { refusal, .. } => NoTurn::Limit(match refusal {
            Refusal::Money { limit, .. } => {
                format!("the money limit of {} was reached", limits.cost.unwrap_or(*limit))
            }
            Refusal::Tokens { limit, .. } => {
                format!("the limit of {} tokens was reached", limits.tokens.unwrap_or(*limit).0)
            }
            Refusal::Deadline => TIME_IS_UP.to_owned(),
            Refusal::Calls { .. } | Refusal::UnknownPrice => words(),
        }),
        CallError::Gone => NoTurn::Stopped,
        CallError::NoModel { .. }
        | CallError::Failed(_)
        | CallError::IdReused { .. }
        | CallError::Vetoed { .. } => NoTurn::ModelFailed(words()),
    }
}
