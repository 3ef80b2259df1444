//! `luminosctl pause`

use std::path::PathBuf;

use clap::Args;
use luminos_core::config::Layer;
use luminos_core::{Exit, Failure};
use luminos_wire::control::Request;

use crate::printer::Stop;
use crate::session::Session;
use crate::{daemon, known};

/// Let an investigation that is under way begin nothing new
///
/// Directories that are being looked at are finished first. `luminosctl resume` lets it go on.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct PauseArgs {
    /// The investigation: its id, the beginning of it, or the target's path
    #[arg(default_value = ".")]
    investigation: PathBuf,
}

const AFTER_HELP: &str = "\
Exit codes:
  0  it pauses
  1  it is not under way
  2  the command line makes no sense, or there is no such investigation";

/// Pauses.
pub(crate) fn run(args: &PauseArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let config = session.resolve(Layer::default())?.config;
    let investigation = known::find(&config.home, &args.investigation, &session)?.id().to_string();
    let Some(mut client) = daemon::connect(&config.home)? else { return Err(not_running().into()) };
    daemon::ask(&mut client, &Request::Pause { investigation })?;
    session.printer.note("paused: nothing new begins until `luminosctl resume`");
    Ok(Exit::Done)
}

/// Nobody works on it.
pub(crate) fn not_running() -> Failure {
    Failure {
        message: "the investigation is not running".to_owned(),
        causes: Vec::new(),
        hint: Some("`luminosctl resume` goes on where it was".to_owned()),
        exit: Exit::Failed,
    }
}
