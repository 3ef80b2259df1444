//! `luminosctl resume`

use std::path::PathBuf;

use clap::Args;
use luminos_core::config::{Config, Layer};
use luminos_core::spend::Money;
use luminos_core::{Exit, Failure};
use luminos_engine::{Meta, OFFLINE};
use luminos_wire::control::{Request, RunLimits, RunRequest, Walk};

use super::report::ReportArgs;
use super::run::{SecretFiles, Watching, announce, finish, request, run_to_end};
use super::target::UnconfinedArgs;
use crate::printer::Stop;
use crate::session::Session;
use crate::{daemon, known};

/// Let an investigation go on that was paused, cancelled or interrupted
///
/// One that is paused simply goes on. Otherwise its target is investigated with the models and the settings that it
/// had, and the report is printed as by `luminosctl run`. Nothing that was paid for is paid for again.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct ResumeArgs {
    /// The investigation: its id, the beginning of it, or the target's path
    #[arg(default_value = ".")]
    investigation: PathBuf,

    /// Spend no more than this from now on, in US dollars
    #[arg(long, value_name = "DOLLARS")]
    max_cost: Option<Money>,

    #[command(flatten)]
    unconfined: UnconfinedArgs,

    #[command(flatten)]
    report: ReportArgs,

    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

const AFTER_HELP: &str = "\
Exit codes:
  As those of `luminosctl run`; 0 as well if it was paused and goes on.";

/// Goes on.
pub(crate) fn run(args: &ResumeArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let config = session.resolve(args.unconfined.over(Layer::default()))?.config;
    let found = known::find(&config.home, &args.investigation, &session)?;
    let investigation = found.id().to_string();
    if let Some(mut client) = daemon::connect(&config.home)?
        && daemon::status(&config.home)?
            .is_some_and(|daemon| daemon.runs.iter().any(|run| run.investigation == investigation))
    {
        daemon::ask(&mut client, &Request::Resume { investigation })?;
        session.printer.note("it goes on; `luminosctl status` shows how far it is");
        return Ok(Exit::Done);
    }
    let meta = known::meta(&found)?;
    // What lies in the target has no say in how it is looked at.
    let config = session.resolve_for(meta.target.path(), args.unconfined.over(Layer::default()))?.config;
    check_current(&config, &meta)?;
    let limits = RunLimits { cost: args.max_cost, ..RunLimits::default() };
    let models: Vec<(String, String)> =
        meta.models.clone().into_iter().filter(|(_, name)| name != OFFLINE).collect();
    let watching = if args.quiet { Watching::Quiet } else { Watching::Live };
    announce(&models, &limits, SecretFiles::Withheld, &mut session);
    let plain = request(&config, &session, meta.target.path(), models);
    let request = RunRequest { limits, walk: walk(&meta, plain.walk), ..plain };
    let baseline = args.report.baseline(&mut session)?;
    let followed = run_to_end(request, watching, &config, &mut session)?;
    finish(&followed, &args.report, baseline.as_deref(), &config, &mut session)
}

/// Only the newest investigation of a target goes on: an older one was replaced on purpose.
fn check_current(config: &Config, meta: &Meta) -> Result<(), Failure> {
    let known = known::store(&config.home)?.investigations();
    match known.current(&meta.target) {
        Some(current) if current.id != meta.id => Err(Failure::usage(
            format!("{} was replaced by a newer investigation of the same target", known.short(meta.id)),
            format!("`luminosctl resume {}` goes on with that one", known.short(current.id)),
        )),
        Some(_) | None => Ok(()),
    }
}

/// How the target was walked, where that shapes the results.
fn walk(meta: &Meta, usual: Walk) -> Walk {
    let stored = &meta.parameters["walk"];
    let names = |key: &str| {
        let names = stored[key].as_array()?.iter();
        Some(names.filter_map(|name| name.as_str().map(str::to_owned)).collect())
    };
    Walk {
        hidden: stored["hidden"].as_bool().unwrap_or(usual.hidden),
        ignore_files: stored["ignore_files"].as_bool().unwrap_or(usual.ignore_files),
        exclude: names("exclude").unwrap_or(usual.exclude),
        keep: names("keep").unwrap_or(usual.keep),
        cross_mounts: stored["cross_mounts"].as_bool().unwrap_or(usual.cross_mounts),
        ..usual
    }
}
