//! `luminosctl list`

use clap::Args;
use luminos_core::Exit;
use luminos_core::config::Layer;
use luminos_engine::Store;
use luminos_report::list::{self, ListRow};

use super::report::layout;
use crate::printer::Stop;
use crate::session::Session;
use crate::{daemon, known};

/// List all investigations: what they are about, how they stand, what they cost
///
/// The newest stands last. The beginning of an id is enough to name an investigation to other commands; so is the
/// path of its target.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct ListArgs {
    /// Print a JSON array of objects with id, state, target, age_seconds, cost, reserved and lost_in_flight
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
States:
  running, paused       the daemon has it under way
  done, partial         there is a report, of everything or of a part
  planned               there is a plan; `luminosctl run` follows it
  cancelled, interrupted, failed
                        `luminosctl run` on the target goes on where it was

Exit codes:
  0  done
  1  the state directory could not be read
  2  the command line makes no sense";

/// Prints all investigations.
pub(crate) fn run(args: &ListArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let config = session.resolve(Layer::default())?.config;
    let store = Store::existing(&config.home).map_err(|error| known::failure(&error))?;
    let mut rows = Vec::new();
    if let Some(store) = store {
        let daemon = daemon::status(&config.home)?;
        let all = store.investigations();
        for problem in all.problems() {
            session.printer.warn(problem);
        }
        for found in all.all() {
            let Ok(meta) = &found.meta else { continue };
            let investigation = store.investigation(found.id);
            let used = known::Used::find(&investigation, meta, daemon.as_ref());
            rows.push(ListRow {
                id: found.id.to_string(),
                state: known::standing(&investigation, meta, daemon.as_ref()).to_owned(),
                target: meta.display.clone(),
                age_seconds: known::age(&investigation),
                cost: used.spent(),
                reserved: used.reserved,
                lost_in_flight: used.lost(),
            });
        }
    }
    if args.json {
        session.printer.print_json(&rows)?;
    } else {
        let text = list::text(&rows, &layout(&session));
        session.printer.print(text)?;
    }
    Ok(Exit::Done)
}
