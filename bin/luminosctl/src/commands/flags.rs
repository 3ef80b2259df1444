//! `luminosctl flags`

use std::path::PathBuf;

use clap::Args;
use luminos_core::config::Layer;
use luminos_core::flag::{Flag, Severity};
use luminos_core::report::{Report, worst_first};
use luminos_core::{Exit, Failure};
use luminos_engine::Investigation;
use luminos_report::flags;

use super::report::layout;
use super::run::severity;
use crate::known;
use crate::printer::Stop;
use crate::session::Session;

/// Print the flags of an investigation: what somebody should look at
///
/// Those of its report; while the first run is under way, those of the directories that are done. The worst come first.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct FlagsArgs {
    /// The investigation: its id, the beginning of it, or the target's path
    #[arg(default_value = ".")]
    investigation: PathBuf,

    /// Leave out what is less severe than this: info, concern or critical
    #[arg(long, value_name = "SEVERITY", default_value = "info", value_parser = severity)]
    min: Severity,

    /// Print a JSON object for each flag, one on a line
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl flags --min concern
  luminosctl flags ~/src/x --json | jq -r 'select(.severity == \"critical\") | .finding'

Exit codes:
  0  done, whether there are flags or not; `luminosctl run --fail-on` is for scripts
  1  the investigation could not be read
  2  the command line makes no sense, or there is no such investigation";

/// Prints flags.
pub(crate) fn run(args: &FlagsArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let config = session.resolve(Layer::default())?.config;
    let found = known::find(&config.home, &args.investigation, &session)?;
    let mut shown = known_flags(&found)?;
    let all = shown.len();
    shown.retain(|flag| args.min <= flag.severity);
    if args.json {
        session.printer.write(|out| flags::write_json_lines(out, &shown))?;
        return Ok(Exit::Done);
    }
    let text = flags::text(&shown, &layout(&session));
    session.printer.print(text)?;
    if shown.len() < all {
        session.printer.note(format_args!("{} less severe left out", all - shown.len()));
    }
    Ok(Exit::Done)
}

/// The flags of the report; without one, those of the entries so far.
fn known_flags(investigation: &Investigation) -> Result<Vec<Flag>, Failure> {
    let unreadable = |problem| Failure::new(&problem, None);
    if let Some(report) = investigation.report::<Report>().map_err(unreadable)? {
        return Ok(report.flags);
    }
    Ok(worst_first(investigation.flags()))
}
