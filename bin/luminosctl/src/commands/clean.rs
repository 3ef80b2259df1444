//! `luminosctl clean`

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use clap::Args;
use luminos_core::config::{Config, Layer};
use luminos_core::{Exit, Failure};
use luminos_engine::{Cleaning, InvestigationId, Store, to_clean};
use luminos_report::list::{self, ListRow};
use luminos_wire::control::{DaemonStatus, Request};

use super::report::layout;
use crate::printer::Stop;
use crate::session::Session;
use crate::{daemon, known};

/// Remove investigations with everything that is known of them
///
/// Says what would go; with --yes it goes. An investigation that is under way always stays.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct CleanArgs {
    /// Remove these: ids, beginnings of ids, or paths of targets
    investigations: Vec<PathBuf>,

    /// Remove those to which nothing has happened for so many days
    ///
    /// With --keep, only those that are old and not among the newest of their target.
    #[arg(long, value_name = "DAYS")]
    older_than: Option<u32>,

    /// Remove all but so many of each target, the newest
    #[arg(long, value_name = "N")]
    keep: Option<usize>,

    /// Remove all
    #[arg(long, conflicts_with_all = ["investigations", "older_than", "keep"])]
    all: bool,

    /// Remove them indeed, instead of saying which
    #[arg(short, long)]
    yes: bool,
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl clean ~/src/x --yes            forget what is known about a directory
  luminosctl clean --older-than 90 --keep 1 say what is old and was replaced by something newer
  luminosctl clean --all --yes

Exit codes:
  0  done, or nothing to do
  1  something could not be removed
  2  the command line makes no sense, or there is no such investigation";

/// Removes, or says what would be removed.
pub(crate) fn run(args: &CleanArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let config = session.resolve(Layer::default())?.config;
    if args.investigations.is_empty() && args.older_than.is_none() && args.keep.is_none() && !args.all {
        return Err(Failure::usage(
            "nothing is named that could be removed",
            "name an investigation, or use --older-than, --keep or --all",
        )
        .into());
    }
    let Some(store) = Store::existing(&config.home).map_err(|error| known::failure(&error))? else {
        session.printer.note("there is nothing to remove");
        return Ok(Exit::Done);
    };
    let status = daemon::status(&config.home)?;
    let running = running(status.as_ref());
    let chosen = chosen(args, &store, &running, &config, &session)?;
    if chosen.is_empty() {
        session.printer.note("there is nothing to remove");
        return Ok(Exit::Done);
    }
    let count = chosen.len();
    let noun = if count == 1 { "investigation" } else { "investigations" };
    if !args.yes {
        let rows: Vec<ListRow> = chosen.iter().map(|id| row(&store, *id, status.as_ref())).collect();
        let text = list::text(&rows, &layout(&session));
        session.printer.print(text)?;
        session.printer.note(format_args!("{count} {noun} would be removed; --yes removes them"));
        return Ok(Exit::Done);
    }
    let investigations = chosen.iter().map(ToString::to_string).collect();
    let mut client = daemon::connect_or_start(&config)?;
    daemon::ask(&mut client, &Request::Clean { investigations })?;
    session.printer.note(format_args!("{count} {noun} removed"));
    Ok(Exit::Done)
}

/// What the daemon has under way.
fn running(status: Option<&DaemonStatus>) -> BTreeSet<InvestigationId> {
    let runs = status.map(|status| status.runs.iter());
    runs.into_iter().flatten().filter_map(|run| run.investigation.parse().ok()).collect()
}

/// What is to go, oldest first.
fn chosen(
    args: &CleanArgs,
    store: &Store,
    running: &BTreeSet<InvestigationId>,
    config: &Config,
    session: &Session<'_>,
) -> Result<BTreeSet<InvestigationId>, Failure> {
    let known = store.investigations();
    let cleaned = |cleaning| -> BTreeSet<InvestigationId> {
        to_clean(store, &known, cleaning, running).into_iter().collect()
    };
    let mut chosen = BTreeSet::new();
    for word in &args.investigations {
        let id = known::find(&config.home, word, session)?.id();
        if running.contains(&id) {
            return Err(Failure {
                message: format!("the investigation {id} is running"),
                causes: Vec::new(),
                hint: Some(format!("stop it first with `luminosctl cancel {id}`")),
                exit: Exit::Failed,
            });
        }
        chosen.insert(id);
    }
    let old = args.older_than.map(|days| {
        let age = Duration::from_secs(u64::from(days) * 86_400);
        let moment = SystemTime::now().checked_sub(age).unwrap_or(SystemTime::UNIX_EPOCH);
        cleaned(Cleaning::UntouchedSince(moment))
    });
    let replaced = args.keep.map(|count| cleaned(Cleaning::KeepNewest(count)));
    chosen.extend(match (old, replaced) {
        (Some(old), Some(replaced)) => old.intersection(&replaced).copied().collect(),
        (Some(ids), None) | (None, Some(ids)) => ids,
        (None, None) if args.all => cleaned(Cleaning::KeepNewest(0)),
        (None, None) => BTreeSet::new(),
    });
    Ok(chosen)
}

fn row(store: &Store, id: InvestigationId, status: Option<&DaemonStatus>) -> ListRow {
    let investigation = store.investigation(id);
    let meta = investigation.meta().ok().flatten();
    let used = meta.as_ref().map(|meta| known::Used::find(&investigation, meta, status));
    ListRow {
        id: id.to_string(),
        state: meta
            .as_ref()
            .map_or("unreadable", |meta| known::standing(&investigation, meta, status))
            .to_owned(),
        target: meta.as_ref().map(|meta| meta.display.clone()).unwrap_or_default(),
        age_seconds: known::age(&investigation),
        cost: used.and_then(|used| used.spent()),
        reserved: used.map(|used| used.reserved).unwrap_or_default(),
        lost_in_flight: used.map(|used| used.lost()).unwrap_or_default(),
    }
}
