//! From a request to a run: which investigation it is, who thinks, who works.

use std::collections::BTreeMap;
use std::error::Error as StdError;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use luminos_core::Failure;
use luminos_core::config::{self, ConfigFile, Layer, Surroundings};
use luminos_core::entry::Stamp;
use luminos_core::spend::Totals;
use luminos_core::talk::Pass;
use luminos_models::ModelName;
use luminos_store::{Investigation, InvestigationId, Meta, State, Target, Urgency, parameters_hash};
use luminos_wire::control::{Refused, RunRequest, Walk};
use serde_json::{Value, json};

use super::{Begun, RegistrySetup, Room};
use crate::fabric::{Fabric, Listener};
use crate::gateway::Lanes;
use crate::key_handover::forbid_dumps;
use crate::minds::{Connect, Minds, OFFLINE};
use crate::model_access::{Presence, named_model, read_models};
use crate::pool::{PoolHandle, PoolSetup};
use crate::run::{RunHandle, RunSetup};
use crate::spend_journal::{SpendJournal, spent_before};

/// Loops in flight for each worker: those that wait for a network can be many, those that compute cannot.
const LOOPS_REMOTE: u32 = 8;
const LOOPS_OFFLINE: u32 = 1;

/// The path that a client sent as bytes.
pub(crate) fn path(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsString::from_vec(bytes.to_vec()))
}

/// Starts a run.
pub(super) async fn begin(
    setup: &Arc<RegistrySetup>,
    request: RunRequest,
    on_end: Box<dyn FnOnce() + Send>,
) -> Result<Begun, Refused> {
    let target = path(&request.target);
    let spending = Arc::new(SpendJournal::default());
    let spent = spent_before_now(setup, &target, &request)?;
    let minds = minds(&request, &setup.lanes, spent, Arc::clone(&spending)).await?;
    let parameters = parameters(&request, &minds);
    let (investigation, mut meta, is_resumed) = investigation(setup, &target, &request, parameters)?;
    meta.models = minds.names();
    let before = std::mem::replace(&mut meta.state, State::Running);
    let state_before = matches!(before, State::Done | State::Partial | State::Failed).then_some(before);
    meta.epoch = setup.writer.epoch();
    if !is_resumed || meta.nonce.is_empty() {
        meta.before = meta.counters;
        meta.nonce = InvestigationId::fresh().to_string();
    }
    spending.open(investigation.clone(), setup.writer.clone(), meta.nonce.clone());
    let kept = async {
        investigation.put_meta(&setup.writer, &meta, Urgency::Usual).await?;
        setup.writer.set_current(&meta.target, investigation.id()).await
    };
    kept.await.map_err(|error| refused(&error, error.hint()))?;
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
        target,
        walk: walk(&request.walk),
        minds,
        limits: request.limits,
        loops,
        refresh_plan: request.refresh_plan,
        plan_only: request.plan_only,
        second_judge: request.second_judge,
        refinements: request.refinements,
        state_before,
        planner: setup.planner.clone(),
        fabric: Box::new(move |listener| pool.start(listener)),
        clock: now,
        nonce,
        on_end,
    });
    let run = run.await.map_err(|error| refused(&error, None))?;
    Ok(Begun { investigation: id, run, room: Room { loops, workers } })
}

/// The time on the wall.
pub(crate) fn now() -> Stamp {
    Stamp(jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string())
}

fn refused(error: &dyn StdError, hint: Option<&str>) -> Refused {
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
    fn start(self, listener: Listener) -> Option<Arc<dyn Fabric>> {
        let Self { setup, target, workers, loops } = self;
        let pool = PoolSetup {
            target,
            workers,
            loops,
            program: setup.program.clone(),
            spawner: setup.spawner.clone(),
            listener,
        };
        PoolHandle::start(pool).ok().map(|pool| Arc::new(pool) as Arc<dyn Fabric>)
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
        "second_judge": request.second_judge,
        "prompts": luminos_agent::prompts_version(),
        "analyst": luminos_agent::offline::VERSION,
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

/// The investigation that a request means: the current one of its target, or a new one.
fn investigation(
    setup: &RegistrySetup,
    target: &Path,
    request: &RunRequest,
    parameters: Value,
) -> Result<(Investigation, Meta, bool), Refused> {
    let target = Target::new(target);
    let known = setup.store.investigations();
    let current = if request.fresh { None } else { known.current(&target).cloned() };
    let Some(mut meta) = current else {
        let meta = Meta::fresh(target, parameters, now(), setup.writer.epoch());
        return Ok((setup.store.investigation(meta.id), meta, false));
    };
    let is_resumed = goes_on(&meta.state);
    meta.parameters_hash = parameters_hash(&parameters);
    meta.parameters = parameters;
    meta.ended = None;
    Ok((setup.store.investigation(meta.id), meta, is_resumed))
}

/// What earlier lives of the run that goes on have used.
fn spent_before_now(setup: &RegistrySetup, target: &Path, request: &RunRequest) -> Result<Totals, Refused> {
    let known = setup.store.investigations();
    match known.current(&Target::new(target)) {
        Some(meta) if !request.fresh && goes_on(&meta.state) => {
            let spent = spent_before(&setup.store.investigation(meta.id), &meta.nonce);
            spent.map_err(|problem| refused(&problem, Some("start over with `--fresh`")))
        }
        Some(_) | None => Ok(Totals::default()),
    }
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
    spent: Totals,
    spending: Arc<SpendJournal>,
) -> Result<Minds, Refused> {
    let mut names = BTreeMap::new();
    let mut wanted: BTreeMap<String, ModelName> = BTreeMap::new();
    let passes = [Pass::Survey, Pass::Plan, Pass::Dir, Pass::Judge, Pass::Synthesis];
    for (pass, name) in request.models.iter().filter(|(_, name)| name != OFFLINE) {
        let Some(pass) = passes.into_iter().find(|known| known.word() == pass) else { continue };
        let parsed = name.parse::<ModelName>();
        let parsed = parsed.map_err(|error| Refused { is_usage: true, ..refused(&error, None) })?;
        names.insert(pass, name.clone());
        wanted.insert(name.clone(), parsed);
    }
    if names.is_empty() {
        return Ok(Minds::offline(request.limits));
    }
    // From here on this process holds keys.
    forbid_dumps();
    let file = request.models_file.as_deref().map(path).unwrap_or_default();
    let facts = read_models(&file, Presence::Optional).map_err(|error| refused(&error, None))?;
    let around = around(request);
    // The client has read its variables and files itself and says what came of them.
    let settings = ConfigFile { path: "the client's settings".into(), text: request.models_settings.clone() };
    let resolved = config::resolve(Layer::default(), &[settings], &around);
    let models_config = match resolved {
        Ok(resolved) => resolved.config.models,
        Err(faults) => {
            let Failure { message, causes, hint, .. } = faults.into();
            return Err(Refused { message, causes, hint, is_usage: true });
        }
    };
    let config = models_config.clone();
    let models = Arc::new(move || {
        let connected =
            wanted.iter().map(|(name, parsed)| Ok((name.clone(), named_model(parsed, &around, &config)?)));
        connected.collect()
    });
    let connect = Connect { models, lanes: lanes.clone() };
    Minds::remote(names, connect, facts, models_config, request.limits, spent, vec![spending])
        .await
        .map_err(|error| refused(&error, None))
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
