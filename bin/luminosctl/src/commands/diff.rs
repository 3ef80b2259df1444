//! `luminosctl diff`

use std::path::{Path, PathBuf};

use clap::Args;
use luminos_core::difference::Difference;
use luminos_core::report::Report;
use luminos_core::{Exit, Failure};
use luminos_report::{Detail, Layout, difference};

use super::report::layout;
use crate::known;
use crate::printer::Stop;
use crate::session::Session;

/// Say what changed between two investigations of a target
///
/// Flags are the same if rule, path and the words they cite are, wherever those have moved. With one argument, the
/// investigation before the current one of that target is compared with it; `luminosctl run --fresh` keeps the old one.
#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The earlier one: an id, the beginning of it, a target's path, or a report in JSON
    #[arg(value_name = "BEFORE")]
    before: PathBuf,

    /// The later one
    #[arg(value_name = "AFTER")]
    after: Option<PathBuf>,

    /// Tell everything: all flags and directories, each claim that is new or gone
    #[arg(long)]
    full: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Compares two reports.
pub(crate) fn run(args: &DiffArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let (before, after) = match &args.after {
        Some(after) => {
            (known::report_of(&args.before, &mut session)?, known::report_of(after, &mut session)?)
        }
        None => last_two(&args.before, &mut session)?,
    };
    let found = Difference::between(&before, &after);
    if args.json {
        session.printer.write(|out| difference::write_json(out, &before, &after, &found))?;
    } else {
        let detail = if args.full { Detail::Full } else { Detail::Usual };
        let layout = Layout { detail, ..layout(&session) };
        session.printer.print(difference::text(&before, &after, &found, &layout))?;
    }
    Ok(Exit::Done)
}

/// The current investigation of a target, and the one before it.
fn last_two(word: &Path, session: &mut Session<'_>) -> Result<(Report, Report), Stop> {
    let home = session.resolve(luminos_core::config::Layer::default())?.config.home;
    let current = known::find(&home, word, session)?;
    let target = known::meta(&current)?.target;
    let store = known::store(&home)?;
    let known = store.investigations();
    // Ids begin with the time at which they were made, and are listed by it.
    let earlier = known.all().iter().rev().filter(|known| known.id < current.id());
    let mut earlier = earlier.filter(|known| known.meta.as_ref().is_ok_and(|meta| meta.target == target));
    let Some(before) = earlier.find_map(|known| known::report(&store.investigation(known.id)).ok()) else {
        return Err(Failure::usage(
            "there is no earlier investigation of that target to compare with".to_owned(),
            "name two: ids (`luminosctl list`) or reports in JSON",
        )
        .into());
    };
    Ok((before, known::report(&current)?))
}
