//! From a request to a run: which investigation it is, who thinks, who works.

use std::collections::BTreeMap;
use std::error::Error as StdError;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use luminos_core::Failure;
use luminos_core::config::{self, Author, ConfigFile, Layer, Surroundings};
use luminos_core::entry::Stamp;
use luminos_core::spend::{SpendPosting, Spending};
use luminos_core::talk::Pass;
use luminos_models::ModelName;
use luminos_store::{
    Investigation, InvestigationId, Meta, Problem, State, Store, Target, Urgency, parameters_hash,
};
use luminos_wire::control::{Refused, RunRequest, Walk};
use ractor::ActorCell;
use serde_json::{Value, json};

use super::again::Again;
use super::{Begun, RegistrySetup, Room};
use crate::fabric::{Fabric, Listener};
use crate::gateway::Lanes;
use crate::key_handover::forbid_dumps;
use crate::minds::{Connect, Minds, OFFLINE};
use crate::model_access::{Presence, named_model, read_models};
use crate::pool::{PoolHandle, PoolSetup};
use crate::run::{RunHandle, RunSetup, kept_now};
use crate::spend_journal::{SpendJournal, SpentBefore, spent_before};

/// Loops in flight for each worker: those that wait for a network can be many, those that compute cannot.
const LOOPS_REMOTE: u32 = 8;
const LOOPS_OFFLINE: u32 = 2;

/// The path that a client sent as bytes.
pub(crate) fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsString::from_vec(bytes.to_vec()))
}

/// Starts a run.
pub(super) async fn begin(
    setup: &Arc<RegistrySetup>,
    request: RunRequest,
    on_end: Box<dyn FnOnce() + Send>,
    supervisor: ActorCell,
) -> Result<Begun, Refused> {
    let again = match request.replay.clone() {
        Some(replay) => {
            let home = setup.store.home().to_owned();
            Some(Arc::new(on_thread(move || Again::find(&replay, &home)).await??))
        }
        None => None,
    };
    let repeated = again.as_ref().filter(|again| !again.recordings.is_fork());
    let request = repeated.map_or(request.clone(), |again| again.request(request));
    let target = path(&request.target);
    let spending = Arc::new(SpendJournal::default());
    let earlier = {
        let (store, target, fresh) = (setup.store.clone(), Target::new(&target), request.fresh);
        on_thread(move || if fresh { Ok(Earlier::default()) } else { Earlier::find(&store, &target) })
            .await??
    };
    let (spent, broken, lost_calls) = (earlier.spent, earlier.broken.clone(), earlier.lost_calls.clone());
    if let Some(meta) = earlier.meta.as_ref().filter(|_| earlier.lacks_meta) {
        drop(setup.store.investigation(meta.id).put_meta(&setup.writer, meta, Urgency::Usual));
    }
    let current_before = {
        let (store, target) = (setup.store.clone(), Target::new(&target));
        on_thread(move || store.current(&target).map(|meta| meta.id)).await?
    };
    let minds = match (&again, repeated) {
        (_, Some(again)) => {
            let (names, _) = names(&request)?;
            Minds::recorded(names, &again.provenance.windows, Arc::clone(&again.recordings))
        }
        (fork, None) => {
            let minds = minds(&request, &setup.lanes, spent, Arc::clone(&spending)).await?;
            let recordings = fork.as_ref().map(|fork| Arc::clone(&fork.recordings));
            recordings.map_or(minds.clone(), |recordings| minds.with_recordings(recordings))
        }
    };
    let parameters = parameters(&request, &minds);
    repeated.map_or(Ok(()), |again| again.check(&parameters))?;
    let (investigation, mut meta, is_resumed) = match repeated {
        Some(again) => {
            let fresh = Meta::fresh(Target::new(&target), parameters, now(), setup.writer.epoch());
            let meta = Meta { id: again.source.id(), ..fresh };
            (setup.store.investigation(meta.id), meta, false)
        }
        None => investigation(setup, &target, earlier, parameters),
    };
    for problem in &broken {
        // Whatever comes of it shows where it is made again.
        tracing::warn!(%problem, "a document cannot be used");
        drop(setup.writer.quarantine(problem));
    }
    meta.models = minds.names();
    // Only a scan can tell whether there is anything to do: until then nothing is written.
    // What an older program has left is looked at once more: it had other ways to keep flags.
    let is_whole = meta.complete.is_some() && meta.rests_on.is_some() && broken.is_empty();
    let is_settled = meta.state == State::Done && is_whole && is_plain(&request);
    // Nothing was written yet, and nothing is written where nobody can be asked. Whether a settled run has anything to ask,
    // a scan has to tell.
    if !is_settled {
        minds.probe(request.second_judge).await.map_err(|error| refused(&error, error.hint.as_deref()))?;
    }
    let before = std::mem::replace(&mut meta.state, State::Running);
    let state_before = matches!(before, State::Done | State::Partial | State::Failed).then_some(before);
    meta.epoch = setup.writer.epoch();
    if !is_resumed || meta.nonce.is_empty() {
        meta.before = meta.counters;
        // What was said is found again by the word that fenced what was shown.
        let word = again.as_ref().map(|again| again.provenance.run.clone());
        meta.nonce = word.unwrap_or_else(|| InvestigationId::fresh().to_string());
    }
    for posting in &lost_calls {
        let receipt = investigation.append_spending(&setup.writer, posting);
        kept_now(receipt, &setup.writer).await.map_err(|error| refused(&error, error.hint()))?;
    }
    {
        let (spending, investigation) = (Arc::clone(&spending), investigation.clone());
        let (writer, nonce) = (setup.writer.clone(), meta.nonce.clone());
        on_thread(move || {
            spending.received.open(investigation.clone(), is_resumed);
            spending.open(investigation, writer, nonce);
        })
        .await?;
    }
    if !is_settled {
        let kept = async {
            // Whoever starts something is told at once that there is no space, rather than left waiting.
            kept_now(investigation.put_meta(&setup.writer, &meta, Urgency::Usual), &setup.writer).await?;
            kept_now(setup.writer.set_current(&meta.target, investigation.id()), &setup.writer).await
        };
        kept.await.map_err(|error| refused(&error, error.hint()))?;
    }
    if let Some(again) = repeated {
        let (again, investigation, writer) = (Arc::clone(again), investigation.clone(), setup.writer.clone());
        on_thread(move || again.seed(&investigation, &writer)).await??;
    }
    let called = repeated.map(|again| (again.report.target.clone(), again.report.path.clone()));
    let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let workers = if request.workers == 0 { cores } else { request.workers as usize };
    let is_offline = minds.name(Pass::Dir) == OFFLINE;
    let each = if is_offline { LOOPS_OFFLINE } else { LOOPS_REMOTE };
    let most = u32::try_from(workers).unwrap_or(1).saturating_mul(each);
    let loops = if request.parallel == 0 { most } else { request.parallel };
    let pool = PoolSetupParts { setup: Arc::clone(setup), target: target.clone(), workers, loops: each };
    let (id, nonce) = (investigation.id().to_string(), meta.nonce.clone());
    let run = RunHandle::start(RunSetup {
        store: setup.store.clone(),
        writer: setup.writer.clone(),
        investigation,
        meta,
        is_resumed,
        is_settled,
        broken,
        target,
        walk: walk(&request.walk),
        minds,
        called,
        limits: request.limits,
        loops,
        refresh_plan: request.refresh_plan,
        plan_only: request.plan_only,
        second_judge: request.second_judge,
        refinements: request.refinements,
        show_secrets: request.show_secrets,
        current_before,
        state_before,
        planner: setup.planner.clone(),
        fabric: Box::new(move |listener, supervisor| pool.start(listener, supervisor)),
        clock: now,
        nonce,
        on_end,
    });
    let run = run.await.map_err(|error| refused(&error, None))?.supervised_by(supervisor);
    Ok(Begun { investigation: id, run, room: Room { loops, workers } })
}

/// Reads something on a thread of its own: the others have runs to look after.
async fn on_thread<T: Send + 'static>(read: impl FnOnce() -> T + Send + 'static) -> Result<T, Refused> {
    tokio::task::spawn_blocking(read).await.map_err(|error| refused(&error, None))
}

/// Whether a request wants nothing but a report that is right.
fn is_plain(request: &RunRequest) -> bool {
    !request.fresh && !request.refresh_plan && !request.plan_only && request.refinements == 0
}

/// The time on the wall.
pub(crate) fn now() -> Stamp {
    Stamp(jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}

pub(super) fn refused(error: &dyn StdError, hint: Option<&str>) -> Refused {
    let Failure { message, causes, hint, .. } = Failure::new(error, hint);
    Refused { message, causes, hint, is_usage: false }
}

/// What a pool is made of, once there is something to do.
struct PoolSetupParts {
    setup: Arc<RegistrySetup>,
    target: PathBuf,
    workers: usize,
    loops: u32,
}

impl PoolSetupParts {
    fn start(self, listener: Listener, supervisor: ActorCell) -> Option<Arc<dyn Fabric>> {
        let Self { setup, target, workers, loops } = self;
        let pool = PoolSetup {
            target,
            own_state: setup.store.home().to_owned(),
            workers,
            loops,
            program: setup.program.clone(),
            spawner: setup.spawner.clone(),
            patience: setup.patience,
            listener,
        };
        let pool = PoolHandle::start(pool).ok()?;
        Some(Arc::new(pool.supervised_by(supervisor)))
    }
}

/// How a target is walked, as a client says it.
pub(crate) fn walk(walk: &Walk) -> luminos_scan::Options {
    let usual = luminos_scan::Options::default();
    let threads = NonZeroUsize::new(walk.threads as usize).unwrap_or(usual.threads);
    luminos_scan::Options {
        hidden: walk.hidden,
        ignore_files: walk.ignore_files,
        exclude: walk.exclude.clone(),
        keep: walk.keep.clone(),
        cross_mounts: walk.cross_mounts,
        threads,
        hash_limit: walk.hash_limit,
        ..usual
    }
}

/// What shapes the results, besides the target itself.
fn parameters(request: &RunRequest, minds: &Minds) -> Value {
    let walk = &request.walk;
    // Who judges shapes results only if somebody is asked.
    let mut models = minds.names();
    if !request.second_judge {
        models.remove(Pass::Judge.word());
    }
    json!({
        "models": models,
        "secrets": request.show_secrets,
        "second_judge": request.second_judge,
        "prompts": luminos_agent::prompts_version(),
        "analyst": luminos_analyst::VERSION,
        "tools": luminos_agent::TOOLS_VERSION,
        "walk": {
            "hidden": walk.hidden,
            "ignore_files": walk.ignore_files,
            "exclude": walk.exclude,
            "keep": walk.keep,
            "cross_mounts": walk.cross_mounts,
        },
    })
}

/// What there is of a target: its current investigation, and what earlier lives of a run that goes on have used.
#[derive(Default)]
struct Earlier {
    meta: Option<Meta>,
    spent: Spending,
    /// What is to be written down for lines that the journal of its spending has lost.
    lost_calls: Vec<SpendPosting>,
    /// What its last run has left and cannot be used any more. The next one goes on where that had not made it yet: what
    /// models have said for it is in the transcripts.
    broken: Vec<Problem>,
    /// Whether one of the two documents that say what it is cannot be used.
    lacks_meta: bool,
}

impl Earlier {
    fn find(store: &Store, target: &Target) -> Result<Self, Refused> {
        let Some(meta) = store.current(target) else { return Ok(Self::default()) };
        let investigation = store.investigation(meta.id);
        let (broken, lacks_meta) = (investigation.broken(&meta), !investigation.has_meta_twice());
        if !goes_on(&meta.state) && broken.is_empty() {
            return Ok(Self { meta: Some(meta), lacks_meta, ..Self::default() });
        }
        let spent = spent_before(&investigation, &meta.nonce);
        let spent = spent.map_err(|problem| refused(&problem, Some("start over with `--fresh`")))?;
        let SpentBefore { spent, lost: lost_calls } = spent;
        Ok(Self { meta: Some(meta), spent, lost_calls, broken, lacks_meta })
    }
}

/// The investigation that a request means: the current one of its target, or a new one; and whether it goes on.
fn investigation(
    setup: &RegistrySetup,
    target: &Path,
    earlier: Earlier,
    parameters: Value,
) -> (Investigation, Meta, bool) {
    let Some(mut meta) = earlier.meta else {
        let meta = Meta::fresh(Target::new(target), parameters, now(), setup.writer.epoch());
        return (setup.store.investigation(meta.id), meta, false);
    };
    let is_resumed = goes_on(&meta.state) || !earlier.broken.is_empty();
    meta.parameters_hash = parameters_hash(&parameters);
    meta.parameters = parameters;
    meta.ended = None;
    meta.reasons = Vec::new();
    (setup.store.investigation(meta.id), meta, is_resumed)
}

/// Whether the next run of an investigation goes on where the last one was.
fn goes_on(state: &State) -> bool {
    match state {
        State::Running | State::Paused { .. } | State::Cancelled => true,
        State::Done | State::Partial | State::Failed => false,
    }
}

/// Who thinks, as the request names it.
async fn minds(
    request: &RunRequest,
    lanes: &Lanes,
    spent: Spending,
    spending: Arc<SpendJournal>,
) -> Result<Minds, Refused> {
    let (names, wanted) = names(request)?;
    if names.is_empty() {
        return Ok(Minds::offline(request.limits));
    }
    // From here on this process holds keys.
    forbid_dumps();
    let file = request.models_file.as_deref().map(path).unwrap_or_default();
    let facts = read_models(&file, Presence::Optional).map_err(|error| refused(&error, None))?;
    let around = around(request);
    // The client has read its variables and files itself and says what came of them.
    let (path_shown, text) = ("the client's settings".into(), request.models_settings.clone());
    let settings = ConfigFile { path: path_shown, text, author: Author::User };
    let resolved = config::resolve(Layer::default(), &[settings], &around);
    let models_config = match resolved {
        Ok(resolved) => resolved.config.models,
        Err(faults) => {
            let Failure { message, causes, hint, .. } = faults.into();
            return Err(Refused { message, causes, hint, is_usage: true });
        }
    };
    let (config, target) = (models_config.clone(), path(&request.target));
    let models = Arc::new(move || {
        let named = |parsed| named_model(parsed, &around, &config, Some(&target));
        wanted.iter().map(|(name, parsed)| Ok((name.clone(), named(parsed)?))).collect()
    });
    let connect = Connect { models, lanes: lanes.clone() };
    Minds::remote(names, connect, facts, models_config, request.limits, spent, spending)
        .await
        .map_err(|error| refused(&error, None))
}

/// The model of each pass that has one, and all of them by their names.
type Names = (BTreeMap<Pass, String>, BTreeMap<String, ModelName>);

fn names(request: &RunRequest) -> Result<Names, Refused> {
    let (mut names, mut wanted) = (BTreeMap::new(), BTreeMap::new());
    let passes = [Pass::Survey, Pass::Plan, Pass::Dir, Pass::Judge, Pass::Synthesis];
    for (pass, name) in request.models.iter().filter(|(_, name)| name != OFFLINE) {
        let Some(pass) = passes.into_iter().find(|known| known.word() == pass) else { continue };
        let parsed = name.parse::<ModelName>();
        let parsed = parsed.map_err(|error| Refused { is_usage: true, ..refused(&error, None) })?;
        names.insert(pass, name.clone());
        wanted.insert(name.clone(), parsed);
    }
    Ok((names, wanted))
}

/// What the client's machine says about it.
fn around(request: &RunRequest) -> Surroundings {
    let variables =
        request.variables.iter().map(|(name, value)| (name.clone(), OsString::from_vec(value.clone())));
    Surroundings {
        variables: variables.collect(),
        current_dir: path(&request.current_dir),
        home_dir: request.home_dir.as_deref().map(path),
    }
}
