//! The model that plans, judges and researches.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use clap::Args;
use luminos_core::Failure;
use luminos_core::config::{Layer, Resolved, Surroundings};
use luminos_core::spend::{Limits, Money, Tokens};
use luminos_engine::tasks::AskSettings;
use luminos_engine::{GatewayHandle, GatewayModel, ModelName, OFFLINE, gateway_setup, named_model};

use crate::commands::ask::{cannot_connect, models_known};
use crate::commands::leaving::model_and_place;
use crate::commands::model_name::find_model;
use crate::commands::target::UnconfinedArgs;
use crate::session::Session;

/// Who is asked, and for how much.
#[derive(Debug, Args)]
pub(super) struct MindArgs {
    /// Ask this model; without it, the settings `planner.model` and `models.default` decide
    #[arg(long, value_name = "NAME", conflicts_with = "no_model")]
    model: Option<String>,

    /// Ask no model, whatever the configuration says
    #[arg(long)]
    no_model: bool,

    #[command(flatten)]
    unconfined: UnconfinedArgs,

    /// Spend no more than this, in US dollars
    #[arg(long, value_name = "DOLLARS")]
    max_cost: Option<Money>,

    /// Use no more tokens than this, input and output together
    #[arg(long, value_name = "N")]
    max_tokens: Option<u64>,
}

/// What is said before a model is asked.
pub(super) fn asking(name: &ModelName, around: &Surroundings) -> String {
    let place = model_and_place(name, around);
    format!("asking {place}; file names and lines of files are sent there, recognised secrets taken out")
}

impl MindArgs {
    /// What was given as flags about how models are asked, over what other flags say.
    pub(super) fn over(&self, flags: Layer) -> Layer {
        self.unconfined.over(flags)
    }

    /// The model's name; `None` if nobody is asked.
    pub(super) fn name(
        &self,
        resolved: &Resolved,
        session: &mut Session<'_>,
    ) -> Result<Option<ModelName>, Failure> {
        let config = &resolved.config;
        let configured = || config.planner.model.name().or_else(|| config.models.default.name());
        let name = if self.no_model { None } else { self.model.as_deref().or_else(configured) };
        let name = name.filter(|name| *name != OFFLINE);
        name.map(|name| find_model(name, &config.models, session)).transpose()
    }

    /// Whether the model can be asked at all: its key, its address, its program.
    pub(super) fn check(
        &self,
        name: &ModelName,
        resolved: &Resolved,
        around: &Surroundings,
        repo: &Path,
    ) -> Result<(), Failure> {
        let model = named_model(name, around, &resolved.config.models, Some(repo));
        model.map(drop).map_err(|error| cannot_connect(&error, around, name))
    }

    /// A gateway with the model behind it.
    pub(super) async fn connect(
        &self,
        name: &ModelName,
        resolved: &Resolved,
        around: &Surroundings,
        repo: &Path,
    ) -> Result<(GatewayHandle, GatewayModel), Failure> {
        let config = &resolved.config.models;
        let model = named_model(name, around, config, Some(repo))
            .map_err(|error| cannot_connect(&error, around, name))?;
        let limits =
            Limits { money: self.max_cost, tokens: self.max_tokens.map(Tokens), ..Limits::default() };
        let models = BTreeMap::from([(name.to_string(), model)]);
        let setup = gateway_setup(models, models_known(resolved)?, limits, config);
        let gateway = GatewayHandle::start(setup)
            .await
            .map_err(|error| Failure::new(&error, error.hint().as_deref()))?;
        // `planner.retries` says how often a failed call is made again; nobody tries beyond that.
        Ok((gateway.clone(), GatewayModel::new(gateway, name.to_string()).retried_by_caller()))
    }
}

/// How it is asked.
pub(super) fn ask_settings(resolved: &Resolved) -> AskSettings {
    let planner = &resolved.config.planner;
    AskSettings {
        retries: planner.retries,
        wait: Duration::from_secs(5),
        patience: resolved.config.models.provider_patience.duration(),
        deadline: Some(tokio::time::Instant::from_std(Instant::now() + planner.timeout.duration())),
        max_output: 8_000,
    }
}

/// What runs the questions.
pub(super) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| Failure::caused_by("cannot start", &error))
}
