//! From a name to a model: which provider, at which address, with which key.
//!
//! The environment comes in as a value. What a user must know about a failure is in its words.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use luminos_core::Untrusted;
use luminos_core::config::{CacheTime, Surroundings};

use crate::anthropic::{Anthropic, AnthropicSettings};
use crate::command::{
    Apart, Command, CommandSettings, Launcher, PROGRAM_VARIABLES, Prints, Protection, Template,
};
use crate::error::{Error, Kind};
use crate::http::{HttpClient, NETWORK_VARIABLES};
use crate::keys::{BadKey, KeySource, find_key};
use crate::model::AnyModel;
use crate::openai::{MaxOutputName, OpenAi, OpenAiSettings, ollama_base_url};

#[cfg(test)]
mod tests;

/// A model as a user names it: `anthropic/claude-sonnet-5-5`, `openai/gpt-x`, `ollama/llama3.2`, `codex`,
/// `claude/opus`, `command`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelName {
    service: Service,
    /// The model's id; only programs can do without.
    id: Option<String>,
}

/// Who serves a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Service {
    /// The Messages API.
    Anthropic,
    /// Chat completions at `OPENAI_BASE_URL`, by default the inventor's.
    OpenAi,
    /// An Ollama server.
    Ollama,
    /// The program `codex`.
    Codex,
    /// The program `claude`.
    Claude,
    /// A program of the user's own.
    Command,
}

impl Service {
    /// All services.
    pub const ALL: [Self; 6] =
        [Self::Anthropic, Self::OpenAi, Self::Ollama, Self::Codex, Self::Claude, Self::Command];

    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
            Self::Ollama => "ollama",
            Self::Codex => "codex",
            Self::Claude => "claude",
            Self::Command => "command",
        }
    }

    /// The variable that holds its key, where it needs one.
    pub fn key_variable(self) -> Option<&'static str> {
        match self {
            Self::Anthropic => Some("ANTHROPIC_API_KEY"),
            Self::OpenAi => Some("OPENAI_API_KEY"),
            Self::Ollama | Self::Codex | Self::Claude | Self::Command => None,
        }
    }

    /// The variable that holds its address, where it has one.
    pub fn address_variable(self) -> Option<&'static str> {
        match self {
            Self::Anthropic => Some("ANTHROPIC_BASE_URL"),
            Self::OpenAi => Some("OPENAI_BASE_URL"),
            Self::Ollama => Some("OLLAMA_HOST"),
            Self::Codex | Self::Claude | Self::Command => None,
        }
    }

    /// Whether it is a program on this machine.
    pub fn is_program(self) -> bool {
        matches!(self, Self::Codex | Self::Claude | Self::Command)
    }
}

/// All variables that decide how models are asked: keys, addresses, the network, and what programs get. What acts for
/// somebody else, as the daemon does, needs these of theirs and no other.
pub fn model_variables() -> Vec<&'static str> {
    let services = Service::ALL.into_iter();
    let own = services.flat_map(|service| [service.key_variable(), service.address_variable()]).flatten();
    let mut names: Vec<&str> =
        own.chain(["CREDENTIALS_DIRECTORY"]).chain(NETWORK_VARIABLES).chain(PROGRAM_VARIABLES).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// A text that names no model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{shown}` names no model (hint: write `anthropic/ID`, `openai/ID`, `ollama/ID`, `codex`, `claude` or `command`)"
)]
pub struct NotAModel {
    shown: String,
}

impl FromStr for ModelName {
    type Err = NotAModel;

    fn from_str(text: &str) -> Result<Self, NotAModel> {
        let not_a_model = || NotAModel { shown: Untrusted::new(text.as_bytes()).for_terminal() };
        let (word, id) = match text.split_once('/') {
            Some((word, id)) => (word, Some(id)),
            None => (text, None),
        };
        let service =
            Service::ALL.into_iter().find(|service| service.word() == word).ok_or_else(not_a_model)?;
        let is_id = |id: &str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_graphic());
        match id {
            Some(id) if is_id(id) => Ok(Self { service, id: Some(id.to_owned()) }),
            None if service.is_program() => Ok(Self { service, id: None }),
            Some(_) | None => Err(not_a_model()),
        }
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.id {
            Some(id) => write!(f, "{}/{id}", self.service.word()),
            None => f.write_str(self.service.word()),
        }
    }
}

impl ModelName {
    /// The model's id; only programs can do without.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Who serves it.
    pub fn service(&self) -> Service {
        self.service
    }
}

/// What is set up besides addresses and keys.
#[derive(Debug, Clone)]
pub struct ConnectSettings {
    /// The version of Anthropic's interface.
    pub anthropic_version: String,
    /// Betas of that interface to ask for.
    pub anthropic_betas: Vec<String>,
    /// How long its cache remembers a prompt.
    pub cache_time: CacheTime,
    /// The user's own program and its arguments; empty if there is none.
    pub command: Vec<String>,
    /// Its further arguments for an answer of a certain shape.
    pub command_schema: Vec<String>,
    /// Who starts programs; `None` starts them without a box.
    pub launcher: Option<Launcher>,
    /// How long one call of a program may take.
    pub program_time: Duration,
    /// The directory that is looked at: nothing in it is a program or configuration.
    pub apart: Apart,
}

/// Why a named model cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CannotConnect {
    /// There is no key.
    #[error("{name} needs a key (hint: set {variable}, or name a key file)")]
    NoKey {
        /// The model.
        name: String,
        /// The variable that would hold the key.
        variable: &'static str,
    },
    /// The key cannot be used.
    #[error(transparent)]
    BadKey(#[from] BadKey),
    /// The settings cannot work.
    #[error(transparent)]
    Settings(#[from] Error),
}

/// How much one program may print.
const PROGRAM_BYTES: usize = 16 << 20;

/// The model of a name. `keys` are places to look for the key before the service's own variable.
pub fn connect(
    name: &ModelName,
    around: &Surroundings,
    keys: &[KeySource],
    http: &HttpClient,
    settings: &ConnectSettings,
) -> Result<AnyModel, CannotConnect> {
    let service = name.service;
    let id = name.id.clone().unwrap_or_default();
    settings.apart.check_certificates(around)?;
    let address = service.address_variable().map(|variable| address(around, variable)).transpose()?.flatten();
    let key = match service.key_variable() {
        Some(variable) => {
            let mut sources = keys.to_vec();
            sources.push(KeySource::Variable(variable.to_owned()));
            find_key(&sources, around)?
        }
        None => None,
    };
    let no_key = |variable| CannotConnect::NoKey { name: name.to_string(), variable };
    Ok(match service {
        Service::Anthropic => {
            let key = key.ok_or_else(|| no_key("ANTHROPIC_API_KEY"))?;
            let mut anthropic = AnthropicSettings::new(id, key);
            anthropic.base_url = address.unwrap_or(anthropic.base_url);
            anthropic.version.clone_from(&settings.anthropic_version);
            anthropic.betas.clone_from(&settings.anthropic_betas);
            anthropic.cache_time = settings.cache_time;
            AnyModel::Anthropic(Anthropic::new(http.clone(), anthropic)?)
        }
        Service::OpenAi => {
            // Only the inventor's own server insists on a real key, and on its own name for a limit.
            let (base_url, max_output_name) = match address {
                Some(address) => (address, MaxOutputName::MaxTokens),
                None if key.is_none() => return Err(no_key("OPENAI_API_KEY")),
                None => ("https://api.openai.com/v1".to_owned(), MaxOutputName::MaxCompletionTokens),
            };
            let openai = OpenAiSettings { key, max_output_name, ..OpenAiSettings::new(id, base_url) };
            AnyModel::OpenAi(OpenAi::new(http.clone(), openai)?)
        }
        Service::Ollama => {
            let base_url = ollama_base_url(&address.unwrap_or_default());
            AnyModel::OpenAi(OpenAi::new(http.clone(), OpenAiSettings::new(id, base_url))?)
        }
        Service::Command => program(own_program(name, settings)?, name, around, settings)?,
        Service::Codex => program(Template::codex(), name, around, settings)?,
        Service::Claude => program(Template::claude(), name, around, settings)?,
    })
}

fn address(around: &Surroundings, variable: &str) -> Result<Option<String>, Error> {
    let Some(value) = around.variable(variable) else { return Ok(None) };
    let misconfigured =
        || Error::new(Kind::Misconfigured, "the model server").message(format!("{variable} is not UTF-8"));
    value.to_str().map(|address| Some(address.to_owned())).ok_or_else(misconfigured)
}

/// How the user's own program is called.
fn own_program(name: &ModelName, settings: &ConnectSettings) -> Result<Template, CannotConnect> {
    let misconfigured = |why: &str| Error::new(Kind::Misconfigured, format!("the model {name}")).message(why);
    let [program, arguments @ ..] = settings.command.as_slice() else {
        return Err(misconfigured("the setting `models.command` names no program").into());
    };
    // Where it runs is not for it to say: a path that begins there could lead to a program of whoever is looked at.
    if program.contains('/') && !program.starts_with('/') {
        return Err(
            misconfigured("the program of `models.command` needs its whole path, or its name alone").into()
        );
    }
    let takes_model = arguments.iter().any(|word| word.contains("{model}"));
    match (&name.id, takes_model) {
        (None, true) => {
            return Err(misconfigured("`models.command` wants a model's id: write `command/ID`").into());
        }
        (Some(_), false) => {
            let why =
                "`models.command` has no `{model}` that the id could take the place of: write `command`";
            return Err(misconfigured(why).into());
        }
        (None, false) | (Some(_), true) => {}
    }
    Ok(Template {
        program: program.clone(),
        arguments: arguments.to_vec(),
        protection: Protection::default(),
        variables: &[],
        with_model: Vec::new(),
        with_schema: settings.command_schema.clone(),
        last: Vec::new(),
        prints: Prints::Text,
        own: None,
    })
}

fn program(
    template: Template,
    name: &ModelName,
    around: &Surroundings,
    settings: &ConnectSettings,
) -> Result<AnyModel, Error> {
    let apart = &settings.apart;
    let mut variables = BTreeMap::new();
    for name in PROGRAM_VARIABLES {
        if let Some(value) = apart.variable(name, around)? {
            variables.insert(name.to_owned(), value);
        }
    }
    Ok(AnyModel::Command(Command::new(CommandSettings {
        template,
        model: name.id.clone(),
        launcher: settings.launcher.clone(),
        scratch: apart.scratch(around),
        variables,
        apart: apart.clone(),
        time_limit: settings.program_time,
        max_bytes: PROGRAM_BYTES,
    })))
}
