//! Configuration: what was written, by whom, and what holds in the end.
//!
//! From the strongest: a flag, an environment variable (`LUMINOS_*`), the project's `luminos.toml`, the
//! user's own file, the built-in default. Each place is read into a [`Layer`], where every value knows its
//! [`Origin`]; [`resolve`] lays them over one another and gives a [`Config`] without gaps.
//!
//! All of it is driven by one table, [`SETTINGS`]: reading, showing and documenting a setting need no code
//! of their own. Faults are collected, never reported one by one.
//!
//! Not here: reading files or the environment. They come in as [`ConfigFile`] and [`Surroundings`].

mod asking;
mod fault;
mod layers;
mod nearest;
mod origin;
mod planning;
mod project;
mod settings;
mod surroundings;
mod table;
#[cfg(test)]
mod tests;
mod value;

use std::path::Path;

pub use asking::{CacheTime, CommandLine, HeaderWord, TimeSpan};
pub use fault::{Fault, Faults, Line, NotObeyed, UnknownVariable};
pub use layers::{Author, ConfigFile};
pub use origin::{Given, Origin};
pub use planning::{CommandSource, TrackerChoice, WebAddress};
pub use project::{PROJECT_FILE, ProjectPlace, Standing, project_places};
pub use settings::{
    Config, DaemonConfig, DaemonLayer, Layer, ModelsConfig, ModelsLayer, PlannerConfig, PlannerLayer,
    SETTINGS, ScanConfig, ScanLayer,
};
pub use surroundings::Surroundings;
pub use table::Setting;
pub use value::{BareName, ColorChoice, ModelChoice, NotUnderstood, Threads};

use crate::Untrusted;

/// A configuration, and how it came about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// What holds.
    pub config: Config,
    /// What was odd, but stops nothing.
    pub warnings: Vec<UnknownVariable>,
    /// What a project's file says, and was not heard.
    pub not_obeyed: Vec<NotObeyed>,
    layer: Layer,
}

/// One setting as it holds: what `config show` prints.
#[derive(Debug, Clone, PartialEq)]
pub struct Shown<'a> {
    /// The key, with its section.
    pub key: &'static str,
    /// The value, as it would be written in a configuration file.
    pub value: toml::Value,
    /// Where it was written.
    pub origin: &'a Origin,
}

impl Resolved {
    /// Every setting with its value and origin, in the order of the table.
    pub fn settings(&self) -> impl Iterator<Item = Shown<'_>> {
        SETTINGS.iter().filter_map(|setting| {
            let (value, origin) = (setting.look_up)(&self.layer)?;
            Some(Shown { key: setting.key, value, origin })
        })
    }
}

/// Lays flags over the environment, that over the files (strongest first), and those over the defaults.
pub fn resolve(flags: Layer, files: &[ConfigFile], around: &Surroundings) -> Result<Resolved, Faults> {
    let mut faults = Vec::new();
    let (environment, environment_faults, warnings) = layers::environment_layer(around);
    let mut layer = flags.over(environment);
    let mut not_obeyed = Vec::new();
    for file in files {
        let (file_layer, file_faults, unheard) = file.layer(around);
        layer = layer.over(file_layer);
        faults.extend(file_faults);
        not_obeyed.extend(unheard);
    }
    faults.extend(environment_faults);
    layer = layer.over(Layer::defaults(around));

    // With a fault, a value may be missing only because it could not be read: that is not a fault of its own.
    if !faults.is_empty() {
        return Err(Faults(faults));
    }
    match layer.values() {
        Ok(config) => Ok(Resolved { config, warnings, not_obeyed, layer }),
        Err(key) => Err(Faults(vec![Fault::NoDefault { key }])),
    }
}

/// What the environment alone says about colours: for what must be printed before, or instead of, a
/// configuration.
pub fn color_of_environment(around: &Surroundings) -> ColorChoice {
    let (environment, _, _) = layers::environment_layer(around);
    environment.color.map(|given| given.value).unwrap_or_default()
}

/// A path fit for a terminal.
fn shown_path(path: &Path) -> String {
    Untrusted::new(path.as_os_str().as_encoded_bytes()).for_terminal()
}
