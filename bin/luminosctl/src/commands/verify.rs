//! `luminosctl verify`

use std::path::PathBuf;

use clap::Args;
use luminos_core::{Exit, Failure, verify};
use luminos_engine::{Memory, ScanRequest, TreeOnDisk, base_scan};
use luminos_report::{Detail, Layout, verified};

use super::report::layout;
use crate::known;
use crate::printer::Stop;
use crate::session::{Session, for_terminal};

/// Check again everything that a report says it has verified
///
/// Needs the report and a tree, nothing else: no daemon, no model, no state directory if the report is a file. Quotes,
/// lines, hashes and what was shown to whom are checked, and every name and number of a sentence. Where a file has
/// changed since, the words are looked for: they are the same, have moved, changed or gone.
///
/// A file is also held against its own digest, which tells whether any word of it was changed by accident or in passing;
/// whoever changes a report on purpose can make the digest anew. If the investigation that it comes from is in the state
/// directory, it is held against that, too.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct VerifyArgs {
    /// A report in JSON, or a bundle; or an investigation: its id, the beginning of it, or the target's path
    #[arg(default_value = ".")]
    report: PathBuf,

    /// Check against this tree instead of the one that was investigated
    #[arg(long, value_name = "PATH")]
    tree: Option<PathBuf>,

    /// Tell everything that moved, changed or is gone, not only the first of each
    #[arg(long)]
    full: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Exit codes:
  0  all flags and everything else that the report calls verified hold; words may have moved
  1  something has changed, is gone, or never was so; or a flag cannot be proved
  2  there is no such report or tree";

/// Checks a report.
pub(crate) fn run(args: &VerifyArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let known::Told { report, faults } = known::told(&args.report, &mut session)?;
    let home = session.resolve(luminos_core::config::Layer::default())?.config.home;
    let tree = match &args.tree {
        Some(tree) => session.absolute(tree),
        None => PathBuf::from(&report.path),
    };
    let shown = for_terminal(&tree);
    if !tree.is_dir() {
        let message = format!("there is no directory `{shown}` to check the report against");
        return Err(Failure::usage(message, "name the tree with `--tree PATH`").into());
    }
    // Whatever the report names must be found, hidden or not.
    let options = luminos_scan::Options { hidden: true, ignore_files: false, ..Default::default() };
    let request = ScanRequest { target: &tree, options, home: &home, memory: Memory::Unused };
    let (scanned, _) = base_scan(request, &luminos_scan::Progress::default());
    let scanned =
        scanned.map_err(|error| Failure::caused_by(format!("cannot look into `{shown}`"), &error))?;
    let mut on_disk = TreeOnDisk::open(&tree, scanned.scan)
        .map_err(|error| Failure::caused_by(format!("cannot look into `{shown}`"), &error))?;
    let mut outcome = verify::verify(&report, &mut on_disk);
    outcome.faults.splice(0..0, faults);
    if args.json {
        session.printer.write(|out| verified::write_json(out, &report, &outcome, &shown))?;
    } else {
        let detail = if args.full { Detail::Full } else { Detail::Usual };
        let layout = Layout { detail, ..layout(&session) };
        session.printer.print(verified::text(&report, &outcome, &shown, &layout))?;
    }
    Ok(if outcome.holds() { Exit::Done } else { Exit::Failed })
}
