//! From what is set up on a machine to models that can be asked.
//!
//! Which keys, servers and programs there are, what a user's own file says about prices, and a gateway to a
//! model by its name. The environment comes in as a value; no key comes out.
//!
//! Not here: how providers are spoken to (`luminos_models`), and who may ask how much (`gateway`).

use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use luminos_core::Untrusted;
use luminos_core::config::{ModelsConfig, Surroundings};
use luminos_core::rate::Concurrency;
use luminos_core::spend::{Limits, Spending};
use luminos_models::{
    AnyModel, Apart, BadKey, BadModels, CannotConnect, ConnectSettings, Error as ModelError, HttpClient,
    KeySource, Kind, Model as _, ModelName, Models, Network, ServedModel, Service, TimeOuts, connect,
    find_program, ollama_base_url, read_key, redact, server_host,
};
use luminos_store::read_named;
use tokio::time::Instant;

use crate::boxed_program::{launcher, program_confinement};
use crate::gateway::{GatewaySetup, InputCount, Lanes};
use crate::key_handover::forbid_dumps;

/// How long a server that is only asked whether it is there may take.
const PROBE_TIME_OUTS: TimeOuts =
    TimeOuts { connect: Duration::from_secs(2), idle: Duration::from_secs(3), total: Duration::from_secs(5) };
/// How many calls of one model may be on their way: few at first, as nobody knows the provider's limits.
const CONCURRENCY: Concurrency = Concurrency { initial: 4, most: 64 };

/// Whether a file has to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Somebody named it.
    Required,
    /// It lies where such files lie by default.
    Optional,
}

/// Why a user's file of models cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BadModelsFile {
    /// It cannot be read.
    #[error("cannot read the models file `{path}`", path = shown(.path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It makes no sense.
    #[error("cannot use the models file `{path}`", path = shown(.path))]
    Senseless {
        /// The file.
        path: PathBuf,
        /// Why.
        source: BadModels,
    },
}

/// What is known about models, a user's own file included.
pub fn read_models(path: &Path, presence: Presence) -> Result<Models, BadModelsFile> {
    let text = match read_named(path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == io::ErrorKind::NotFound && presence == Presence::Optional => None,
        Err(source) => return Err(BadModelsFile::Unreadable { path: path.to_owned(), source }),
    };
    let senseless = |source| BadModelsFile::Senseless { path: path.to_owned(), source };
    Models::read(text.as_deref()).map_err(senseless)
}

/// Where the key of a service may be, strongest first.
pub fn key_places(service: Service, around: &Surroundings) -> Vec<KeySource> {
    let Some(variable) = service.key_variable() else { return Vec::new() };
    let mut places = vec![
        KeySource::Variable(variable.to_owned()),
        KeySource::Credential(format!("{}-api-key", service.word())),
    ];
    places.extend(key_file(service, around).map(KeySource::File));
    places
}

/// The file that may hold the key of a service.
pub fn key_file(service: Service, around: &Surroundings) -> Option<PathBuf> {
    service.key_variable()?;
    Some(around.config_dir()?.join(format!("{}.key", service.word())))
}

/// Where the key of a service was found; never the key.
pub fn found_key(service: Service, around: &Surroundings) -> Result<Option<KeySource>, BadKey> {
    for place in key_places(service, around) {
        if read_key(&place, around)?.is_some() {
            return Ok(Some(place));
        }
    }
    Ok(None)
}

/// The address of a service's server, fit for a terminal, and who chose it. Programs have none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    /// The address.
    pub address: String,
    /// Host and port of it, as they are connected to; `None` if it is no address that can be used.
    pub host: Option<String>,
    /// The variable that names it; `None` if nobody chose it.
    pub variable: Option<&'static str>,
}

/// The server of a service.
pub fn server(service: Service, around: &Surroundings) -> Option<Server> {
    let variable = service.address_variable()?;
    let chosen = around.variable(variable).map(|value| value.to_string_lossy().into_owned());
    let address = match (service, &chosen) {
        (Service::Ollama, chosen) => ollama_base_url(chosen.as_deref().unwrap_or_default()),
        (_, Some(chosen)) => chosen.clone(),
        (Service::OpenAi, None) => "https://api.openai.com/v1".to_owned(),
        (Service::Anthropic, None) => "https://api.anthropic.com".to_owned(),
        (Service::Codex | Service::Claude | Service::Command, None) => return None,
    };
    let host = server_host(&address);
    let address = Untrusted::new(redact(&address).text.as_bytes()).for_terminal();
    Some(Server { address, host, variable: chosen.map(|_| variable) })
}

/// The program of a service, where it is one and is installed. The user's own one is named by the configuration.
pub fn program(service: Service, around: &Surroundings, config: Option<&ModelsConfig>) -> Option<PathBuf> {
    if !service.is_program() {
        return None;
    }
    let own = config.and_then(|config| config.command.words().first());
    let name = if service == Service::Command { own?.as_str() } else { service.word() };
    find_program(name, around.variable("PATH"))
}

/// The models that the server of a service offers. It is asked, but waited for only shortly.
pub async fn probe(
    service: Service,
    around: &Surroundings,
    config: &ModelsConfig,
) -> Result<Vec<ServedModel>, CannotConnect> {
    let http = HttpClient::new(PROBE_TIME_OUTS, &Network::of(around))?;
    // Which models there are does not depend on the model that is named.
    let name: Result<ModelName, _> = format!("{}/any", service.word()).parse();
    let Ok(name) = name else { return Ok(Vec::new()) };
    Ok(connect_with(&name, around, config, None, &http)?.served().await?)
}

/// Asks the servers of models for their limits, which count more than any table. A server that does not tell
/// them changes nothing.
pub async fn refine_limits(facts: &mut Models, models: &BTreeMap<String, AnyModel>) {
    for model in models.values() {
        let served = model.served().await.unwrap_or_default();
        if let Some(served) = served.iter().find(|served| served.id == model.id()) {
            facts.refine(served);
        }
    }
}

/// A model by its name. From then on the process may hold a key, so nobody may look into its memory. Nothing of the target,
/// the directory that is looked at, is a program or configuration of one.
pub fn named_model(
    name: &ModelName,
    around: &Surroundings,
    config: &ModelsConfig,
    target: Option<&Path>,
) -> Result<AnyModel, CannotConnect> {
    if name.service().key_variable().is_some() {
        forbid_dumps();
    }
    let time_outs = TimeOuts {
        connect: config.connect_timeout.duration(),
        idle: config.idle_timeout.duration(),
        total: config.total_timeout.duration(),
    };
    connect_with(name, around, config, target, &HttpClient::new(time_outs, &Network::of(around))?)
}

fn connect_with(
    name: &ModelName,
    around: &Surroundings,
    config: &ModelsConfig,
    target: Option<&Path>,
    http: &HttpClient,
) -> Result<AnyModel, CannotConnect> {
    let settings = ConnectSettings {
        anthropic_version: config.anthropic_version.as_str().to_owned(),
        anthropic_betas: config.anthropic_beta.iter().map(|beta| beta.as_str().to_owned()).collect(),
        cache_time: config.cache_time,
        command: config.command.words().to_vec(),
        command_schema: config.command_schema.words().to_vec(),
        launcher: Some(launcher(config, is_confined(name, config)?)),
        program_time: config.total_timeout.duration(),
        apart: Apart::new(target, around),
    };
    connect(name, around, &key_places(name.service(), around), http, &settings)
}

/// Whether a program used as a model is confined. Where it should be and cannot, it is not used.
fn is_confined(name: &ModelName, config: &ModelsConfig) -> Result<bool, CannotConnect> {
    let service = name.service();
    if !service.is_program() || service == Service::Command && !config.command_box {
        return Ok(false);
    }
    match program_confinement() {
        Ok(()) => Ok(true),
        Err(_) if config.allow_unconfined_program => Ok(false),
        Err(lacks) => {
            let subject = format!("the program `{}`", service.word());
            let error = ModelError::new(Kind::ProgramUnconfined, subject).message(lacks.join("; "));
            Err(error.into())
        }
    }
}

/// What a gateway to these models works with, as the configuration says. A time limit counts from now on.
pub fn gateway_setup(
    models: BTreeMap<String, AnyModel>,
    facts: Models,
    limits: Limits,
    config: &ModelsConfig,
) -> GatewaySetup {
    let random = RandomState::new();
    let mut rolled = 0_u64;
    let roll = move || {
        rolled += 1;
        let mut hasher = random.build_hasher();
        hasher.write_u64(rolled);
        hasher.finish() as u32
    };
    GatewaySetup {
        models,
        facts: facts.cached_for(config.cache_time),
        input_count: if config.count_input { InputCount::Asked } else { InputCount::Estimated },
        limits,
        spent: Spending::default(),
        overseers: Vec::new(),
        lanes: Lanes::default(),
        patience: config.provider_patience.duration(),
        concurrency: CONCURRENCY,
        start: Instant::now(),
        random: Box::new(roll),
    }
}

fn shown(path: &Path) -> String {
    Untrusted::new(path.as_os_str().as_encoded_bytes()).for_terminal()
}
