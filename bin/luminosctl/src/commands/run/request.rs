//! What the daemon is asked for.

use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use luminos_core::Untrusted;
use luminos_core::config::Config;
use luminos_engine::{ModelName, Presence, least_window, model_variables, read_models};
use luminos_wire::control::{RunLimits, RunRequest, Walk};

use crate::commands::leaving::model_and_place;
use crate::session::Session;

/// Says what will leave the machine, before it does: to those who want no progress, too.
pub(crate) fn announce(
    models: &[(String, String)],
    limits: &RunLimits,
    secret_files: SecretFiles,
    session: &mut Session<'_>,
) {
    let mut names: Vec<&str> = Vec::new();
    for (_, name) in models {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return;
    }
    let around = session.around();
    // What is no name of a model is refused before anything is sent.
    let names = names.iter().filter_map(|name| name.parse::<ModelName>().ok());
    let names: Vec<String> = names.map(|name| model_and_place(&name, around)).collect();
    let names = names.join(", ");
    let limit = match limits.cost {
        Some(money) => format!("at most {money} will be spent"),
        None => "no money limit is set (--max-cost sets one)".to_owned(),
    };
    let secrets = match secret_files {
        SecretFiles::Withheld => "",
        SecretFiles::Shown => ", of files that keep secrets, too (--include-secrets),",
    };
    session.printer.note(format_args!(
        "{names}: file names, what the analyst noted in files, and the parts of files that the model asks to read{secrets} \
         are sent there, secrets that are recognised taken out; {limit}"
    ));
}

/// Whether models get to see what is in files that keep secrets by their names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SecretFiles {
    Withheld,
    Shown,
}

/// Warns of a model whose window is known to be too small to look into directories with.
pub(crate) fn warn_of_small_window(models: &[(String, String)], config: &Config, session: &mut Session<'_>) {
    let Some((_, name)) = models.iter().find(|(pass, _)| pass == "dir") else { return };
    // A file that makes no sense is what the daemon refuses.
    let Ok(known) = read_models(&config.models.config, Presence::Optional) else { return };
    // Facts are listed without the service.
    let facts = name.split_once('/').and_then(|(_, id)| known.get(id));
    let (Some(window), least) = (facts.and_then(|facts| facts.window), least_window()) else { return };
    if window < least {
        session.printer.warn(format_args!(
            "{} has a context window of {} tokens, and to look into a directory takes {}: much will be left out \
             (ask a model with a larger window, or correct `window` in models.toml)",
            Untrusted::new(name.as_bytes()).for_terminal(),
            window.0,
            least.0
        ));
    }
}

/// A plain request: nothing limited, nothing anew.
pub(crate) fn request(
    config: &Config,
    session: &Session<'_>,
    target: &Path,
    models: Vec<(String, String)>,
) -> RunRequest {
    let around = session.around();
    let bytes = |path: &Path| path.as_os_str().as_bytes().to_vec();
    // Variables that a model may need, and nothing else of the environment, goes to the daemon.
    let variables = model_variables()
        .into_iter()
        .filter_map(|name| around.variable(name).map(|value| (name.to_owned(), value.as_bytes().to_vec())));
    let names = |names: &[luminos_core::config::BareName]| {
        names.iter().map(|name| name.as_str().to_owned()).collect()
    };
    // Where nothing else is said, the scan has the whole machine.
    let cores = std::thread::available_parallelism().unwrap_or(std::num::NonZeroUsize::MIN);
    RunRequest {
        target: bytes(target),
        // An offline run has no use for keys.
        variables: if models.is_empty() { Vec::new() } else { variables.collect() },
        models,
        limits: RunLimits::default(),
        workers: 0,
        parallel: 0,
        fresh: false,
        refresh_plan: false,
        plan_only: false,
        second_judge: false,
        refinements: 0,
        show_secrets: false,
        walk: Walk {
            hidden: config.scan.hidden,
            ignore_files: config.scan.ignore_files,
            exclude: names(&config.scan.exclude),
            keep: names(&config.scan.keep),
            cross_mounts: config.scan.cross_mounts,
            threads: u32::try_from(config.scan.threads.count(cores).get()).unwrap_or(0),
            hash_limit: config.scan.hash_limit.0,
        },
        current_dir: bytes(&around.current_dir),
        home_dir: around.home_dir.as_deref().map(bytes),
        models_file: Some(bytes(&config.models.config)),
        models_settings: models_settings(config),
        replay: None,
    }
}

/// How models are to be asked, as a configuration file would say it. Where their file lies is sent as bytes.
fn models_settings(config: &Config) -> String {
    let written = config.written().into_iter();
    let written = written.filter(|(key, _)| key.starts_with("models.") && *key != "models.config");
    written.map(|(key, value)| format!("{key} = {value}\n")).collect()
}
