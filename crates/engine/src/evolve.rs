//! The evolution planner at work: through the planner's lock, with models behind a gateway.
//!
//! Everything that can be wrong with a question is found before the lock is taken and before a model is asked. Plans are made
//! one at a time in a state directory, whoever makes them; limits hold for all calls of a plan together.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use luminos_core::Moment;
use luminos_core::config::{ModelsConfig, Surroundings};
use luminos_core::spend::{Limits, Money, Passed, Refusal};
use luminos_models::{
    CannotConnect, Error as ModelError, Kind, Listener, Mode, Model, ModelName, Models, Reply, Request,
    Service, Template,
};
use luminos_store::Store;
use tokio::time::Instant;

use crate::gateway::{Call, CallError, GatewayHandle};
use crate::model_access::{gateway_setup, named_model};
use crate::planner::{NoTurn, PlannerTurn};

pub use luminos_models::Mode as AnswerMode;
use luminos_planner::evolve::{Asking, MOST_OUTPUT, Priced, plan_offline, plan_with};
pub use luminos_planner::evolve::{
    Comparison, Error as EvolveError, Evaluated, Evaluator, Gathered, Measured, NOTES, NotEvaluated,
    PlanDocument, Question, Repo, Score, Source, Verdict as ScoreVerdict, Wish, compare, gather, plan_page,
    read_plan, remember_failure, remember_measured, remember_score, score_page,
};

/// The context that a model is taken to have if nobody knows.
const USUAL_WINDOW: u64 = 32_000;
/// A longer prompt than this helps nobody.
const MOST_PROMPT: u64 = 60_000;

/// The model that makes a plan.
#[derive(Debug)]
pub struct EvolveModel {
    /// Its name.
    pub name: ModelName,
    /// How strictly a document is asked for.
    pub mode: Mode,
    /// What the plan may cost.
    pub limits: Limits,
    /// What is known about models.
    pub facts: Models,
    /// How models are reached.
    pub config: ModelsConfig,
    /// Keys and addresses.
    pub around: Surroundings,
}

/// Why there is no plan.
#[derive(Debug, thiserror::Error)]
pub enum NoPlan {
    /// The planner says why.
    #[error(transparent)]
    Planner(#[from] EvolveError),
    /// The model cannot be used.
    #[error(transparent)]
    Connect(#[from] CannotConnect),
    /// A call was not answered.
    #[error(transparent)]
    Call(#[from] CallError),
    /// It is somebody else's turn, for good.
    #[error(transparent)]
    Turn(#[from] NoTurn),
    /// The time limit was reached before there was one.
    #[error("the time limit of {} s was reached before there was a plan", .0.as_secs())]
    OutOfTime(Duration),
}

/// Seconds since 1970.
pub fn seconds_now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// What whoever waits for a plan may want to know before it is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notice<'a> {
    /// The model is asked next: from here on something leaves the machine.
    Asking,
    /// Somebody else is planning, who is named.
    Waiting(&'a str),
    /// Something else, in words.
    Told(&'a str),
}

/// Makes a plan, with a model or without. `tell` hears what happens before the first question.
pub async fn evolve(
    question: &Question,
    model: Option<EvolveModel>,
    home: &Path,
    mut tell: impl FnMut(Notice<'_>),
) -> Result<PlanDocument, NoPlan> {
    let deadline = model.as_ref().and_then(|model| model.limits.deadline).map(Deadline::starting_now);
    let store = Store::open(home).map_err(EvolveError::from)?;
    let gathered = gather(question, &store.evolution())?;
    let model = match model {
        Some(model) => {
            let above = question.repo.ancestors().find(|dir| dir.join(".git").exists());
            Some(connect(model, deadline, above.unwrap_or(&question.repo)).await?)
        }
        None => None,
    };
    let waiting = |holder: &str| tell(Notice::Waiting(holder));
    let turn = PlannerTurn::take(&store, "luminosctl evolve plan", waiting);
    let turn = match deadline {
        Some(deadline) => deadline.hold(turn).await?,
        None => turn.await,
    }?;
    if model.is_some() {
        tell(Notice::Asking);
    }
    let model_at_work = model.as_ref().map(|connected| connected.model.clone());
    let made = Box::pin(tell_meanwhile(make(gathered, model, &store), model_at_work, &mut tell)).await;
    drop(turn);
    made
}

/// How often somebody looks whether a provider puts calls off.
const LOOK: Duration = Duration::from_secs(1);

/// Waits for a plan. Tells meanwhile which provider puts calls off, each once, and at the end which limit was passed.
async fn tell_meanwhile<T>(
    work: impl Future<Output = T>,
    model: Option<GatewayModel>,
    tell: &mut impl FnMut(Notice<'_>),
) -> T {
    let Some(model) = model else { return work.await };
    let (mut work, mut told) = (std::pin::pin!(work), BTreeSet::new());
    loop {
        let looked = tokio::select! {
            biased;
            done = &mut work => Err(done),
            () = tokio::time::sleep(LOOK) => Ok(model.gateway.totals().await),
        };
        match looked {
            Err(done) => {
                let passed = model.told.lock().unwrap_or_else(PoisonError::into_inner).passed;
                if let Some(passed) = passed {
                    tell(Notice::Told(&passed.to_string()));
                }
                return done;
            }
            Ok(totals) => {
                let wait = totals.ok().and_then(|totals| totals.provider_wait).map(|wait| wait.reason);
                if let Some(reason) = wait.filter(|reason| told.insert(reason.clone())) {
                    tell(Notice::Told(&format!("waiting for a provider: {reason}")));
                }
            }
        }
    }
}

/// When a plan must be there, and how long it had.
#[derive(Debug, Clone, Copy)]
struct Deadline {
    at: Instant,
    allowed: Duration,
}

impl Deadline {
    fn starting_now(limit: Moment) -> Self {
        Self { at: Instant::now() + limit.0, allowed: limit.0 }
    }

    /// Waits for something no longer than there is time.
    async fn hold<T>(self, work: impl Future<Output = T>) -> Result<T, NoPlan> {
        tokio::time::timeout_at(self.at, work).await.map_err(|_| NoPlan::OutOfTime(self.allowed))
    }
}

async fn make(gathered: Gathered, model: Option<Connected>, store: &Store) -> Result<PlanDocument, NoPlan> {
    let Some(Connected { model, asking }) = model else { return Ok(plan_offline(&gathered, seconds_now())?) };
    let made = plan_with(gathered, &model, &asking, &store.evolution(), seconds_now()).await;
    model.gateway.stop();
    if let (Err(EvolveError::Model(_)), Some(deadline)) = (&made, model.deadline.filter(|_| model.is_late()))
    {
        return Err(NoPlan::OutOfTime(deadline.allowed));
    }
    match made {
        // The gateway's own words say more than the model's.
        Err(EvolveError::Model(said)) => match model.refused() {
            Some(refused) => Err(refused.into()),
            None => Err(EvolveError::Model(said).into()),
        },
        made => Ok(made?),
    }
}

struct Connected {
    model: GatewayModel,
    asking: Asking,
}

async fn connect(model: EvolveModel, deadline: Option<Deadline>, repo: &Path) -> Result<Connected, NoPlan> {
    let EvolveModel { name, mode, limits, facts, config, around } = model;
    let connected = named_model(&name, &around, &config, Some(repo))?;
    let window =
        facts.get(connected.id()).and_then(|known| known.window).map_or(USUAL_WINDOW, |window| window.0);
    let max_output = MOST_OUTPUT.min(u32::try_from(window / 4).unwrap_or(MOST_OUTPUT));
    let prompt_tokens = (window.saturating_sub(u64::from(max_output)) * 9 / 10).min(MOST_PROMPT);
    let models = BTreeMap::from([(name.to_string(), connected)]);
    let gateway = GatewayHandle::start(gateway_setup(models, facts, limits, &config)).await?;
    let model = GatewayModel { gateway, name: name.to_string(), deadline, told: Arc::default() };
    let asking = Asking {
        model_name: name.to_string(),
        mode,
        prompt_tokens,
        max_output,
        chance: chance(),
        command: command(&name, &config),
    };
    Ok(Connected { model, asking })
}

/// How a program that is a model is called; `None` for a server.
fn command(name: &ModelName, config: &ModelsConfig) -> Option<String> {
    let template = match name.service() {
        Service::Command => {
            return Some([config.command.words(), config.command_schema.words()].concat().join(" "));
        }
        Service::Codex => Template::codex(),
        Service::Claude => Template::claude(),
        Service::Anthropic | Service::OpenAi | Service::Ollama => return None,
    };
    let Template { program, arguments, protection, with_model, with_schema, last, .. } = template;
    let protection = protection.sets.into_iter().next().unwrap_or_default();
    let words = [vec![program], arguments, protection, with_model, with_schema, last].concat();
    Some(words.join(" "))
}

/// A number that nobody can guess.
fn chance() -> u64 {
    let mut hasher = RandomState::new().build_hasher();
    hasher.write_u32(std::process::id());
    hasher.finish()
}

/// A model behind the gateway. Clones share what was spent.
#[derive(Debug, Clone)]
struct GatewayModel {
    gateway: GatewayHandle,
    name: String,
    deadline: Option<Deadline>,
    told: Arc<Mutex<Told>>,
}

#[derive(Debug, Default)]
struct Told {
    spent: Money,
    is_unpriced: bool,
    passed: Option<Passed>,
    refused: Option<CallError>,
    /// Whether the deadline ended a call.
    is_late: bool,
}

impl GatewayModel {
    /// Whether the time was over before a call was answered.
    fn is_late(&self) -> bool {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).is_late
    }

    /// Why the gateway did not make a call, if that is what happened last.
    fn refused(&self) -> Option<CallError> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner).refused.take()
    }
}

impl Model for GatewayModel {
    fn id(&self) -> &str {
        &self.name
    }

    async fn stream(&self, request: &Request, _: &mut Listener<'_>) -> Result<Reply, ModelError> {
        let call = self.gateway.complete(Call::new(self.name.clone(), request.clone()));
        // Dropping the call ends it.
        let answer = match self.deadline {
            Some(deadline) => deadline.hold(call).await,
            None => Ok(call.await),
        };
        let answer = match answer {
            Ok(answer) => answer,
            Err(late) => {
                self.told.lock().unwrap_or_else(PoisonError::into_inner).is_late = true;
                return Err(
                    ModelError::new(Kind::SpendLimitReached, self.name.clone()).message(late.to_string())
                );
            }
        };
        // Calls without an answer may have cost something, too.
        let totals = self.gateway.totals().await;
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(totals) = totals {
            told.spent = totals.spending.spent.money;
            told.is_unpriced = 0 < totals.unpriced;
            told.passed = totals.passed;
        }
        match answer {
            Ok(answer) => {
                told.refused = None;
                Ok(answer.reply)
            }
            Err(error) => {
                let kind = match &error {
                    CallError::Failed(failed) => failed.kind(),
                    CallError::Refused { refusal: Refusal::UnknownPrice, .. } => Kind::Misconfigured,
                    CallError::Refused { .. } => Kind::SpendLimitReached,
                    CallError::NoModel { .. }
                    | CallError::IdReused { .. }
                    | CallError::Vetoed { .. }
                    | CallError::Gone => Kind::BrokenOff,
                };
                let words = error.to_string();
                told.refused = Some(error);
                Err(ModelError::new(kind, self.name.clone()).message(words))
            }
        }
    }
}

impl Priced for GatewayModel {
    fn spent(&self) -> Option<String> {
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        (!told.is_unpriced).then(|| told.spent.to_string().replace('$', ""))
    }
}
