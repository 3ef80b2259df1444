//! `luminosctl cancel`

use std::path::PathBuf;

use clap::Args;
use luminos_core::Exit;
use luminos_core::config::Layer;
use luminos_wire::control::{Reply, Request, RunEvent};

use super::pause::not_running;
use crate::printer::Stop;
use crate::session::Session;
use crate::{daemon, known};

/// Stop an investigation that is under way; what was found out is kept
///
/// `luminosctl resume` or `luminosctl run` goes on where it was.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct CancelArgs {
    /// The investigation: its id, the beginning of it, or the target's path
    #[arg(default_value = ".")]
    investigation: PathBuf,
}

const AFTER_HELP: &str = "\
Exit codes:
  0  it has stopped
  1  it is not under way
  2  the command line makes no sense, or there is no such investigation";

/// Cancels, and waits until the run is over.
pub(crate) fn run(args: &CancelArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let config = session.resolve(Layer::default())?.config;
    let investigation = known::find(&config.home, &args.investigation, &session)?.id().to_string();
    let Some(mut client) = daemon::connect(&config.home)? else { return Err(not_running().into()) };
    daemon::ask(&mut client, &Request::Cancel { investigation: investigation.clone() })?;
    let reply = client.ask(&Request::Subscribe { investigation }).map_err(|error| daemon::failure(&error))?;
    // Who cannot be subscribed to any more has stopped.
    if let Reply::Subscribed(_) = reply {
        loop {
            let event = client.next_event().map_err(|error| daemon::failure(&error))?;
            if matches!(event, RunEvent::Ended(_)) {
                break;
            }
        }
    }
    session.printer.note("cancelled; what was found out is kept, and `luminosctl resume` goes on");
    Ok(Exit::Done)
}
