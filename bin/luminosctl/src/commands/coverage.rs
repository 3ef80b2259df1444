//! `luminosctl coverage`

use std::path::PathBuf;

use clap::Args;
use luminos_core::{Exit, Failure, RelPath, Untrusted};
use luminos_report::{Detail, Layout, coverage};

use super::report::layout;
use crate::known;
use crate::printer::Stop;
use crate::session::Session;

/// Say what of each file was seen, and what was left out
///
/// Counted from what tools have shown, not from what a model says it has read. Every file was read whole or in ranges,
/// is known by its name and size only, was left out by a rule, or could not be read.
#[derive(Debug, Args)]
pub(crate) struct CoverageArgs {
    /// The investigation: its id, the beginning of it, the target's path, or a report in JSON
    #[arg(default_value = ".")]
    investigation: PathBuf,

    /// Show each file of this directory of the target
    #[arg(long, value_name = "PATH")]
    dir: Option<String>,

    /// Show all directories
    #[arg(long)]
    full: bool,

    /// Print JSON: one object a line for each directory
    #[arg(long)]
    json: bool,
}

/// Prints what was seen.
pub(crate) fn run(args: &CoverageArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let report = known::report_of(&args.investigation, &mut session)?;
    let dir = args.dir.as_deref().map(|dir| {
        RelPath::from_word(dir.trim_start_matches("./").trim_end_matches('/')).unwrap_or_default()
    });
    let unknown = || {
        let dir = Untrusted::new(args.dir.as_deref().unwrap_or_default().as_bytes()).for_terminal();
        Failure::usage(
            format!("nothing is known about the directory `{dir}`"),
            "name a directory as the report does, relative to the target",
        )
    };
    let detail = if args.full { Detail::Full } else { Detail::Usual };
    let layout = Layout { detail, ..layout(&session) };
    if args.json {
        session.printer.write(|out| coverage::write_json_lines(out, &report, dir.as_ref()))?;
    } else if let Some(dir) = &dir {
        session.printer.print(coverage::directory(&report, dir, &layout).ok_or_else(unknown)?)?;
    } else {
        session.printer.print(coverage::text(&report, &layout))?;
    }
    Ok(Exit::Done)
}
