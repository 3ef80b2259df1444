//! `luminosctl export`

use std::io;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use luminos_core::{Exit, Failure};
use luminos_engine::read_named;
use luminos_report::investigation::{agents_md, with_agents_block};

use crate::files::replace;
use crate::known;
use crate::printer::Stop;
use crate::session::{Session, for_terminal};

/// Write what is known for another purpose
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    AgentsMd(AgentsMdArgs),
}

/// Print a few verified facts for a file such as AGENTS.md
///
/// At most one kilobyte, between two marks: what was checked against the bytes, and what a reader of the code would not
/// find at once. Nothing is written unless a file is named; then the block between the marks in it is replaced, or put
/// at its end, and the rest stays as it is.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
struct AgentsMdArgs {
    /// The investigation: its id, the beginning of it, the target's path, or a JSON report
    #[arg(default_value = ".")]
    investigation: PathBuf,

    /// Bring the block in this file up to date instead of printing it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl export agents-md
  luminosctl export agents-md ~/src/x -o ~/src/x/AGENTS.md

Exit codes:
  0  done
  1  there is nothing to tell, or the file could not be written
  2  the command line makes no sense, or there is no such investigation";

/// Writes what was asked for.
pub(crate) fn run(args: &ExportArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let What::AgentsMd(args) = &args.what;
    let report = known::report_of(&args.investigation, &mut session)?;
    let block = agents_md(&report).ok_or_else(|| Failure {
        message: "there is no verified fact that a reader of the code would not find at once".to_owned(),
        causes: Vec::new(),
        hint: Some("`luminosctl show` tells what is known".to_owned()),
        exit: Exit::Failed,
    })?;
    let Some(path) = &args.output else {
        session.printer.print(block)?;
        return Ok(Exit::Done);
    };
    let path = session.absolute(path);
    let shown = for_terminal(&path);
    let before = match read_named(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(Failure::caused_by(format!("cannot read `{shown}`"), &error).into()),
    };
    let after = with_agents_block(&before, &block).map_err(|reason| Failure {
        message: format!("cannot tell which part of `{shown}` to replace"),
        causes: vec![reason.to_owned()],
        hint: Some("remove both marks; the block is then put at the end".to_owned()),
        exit: Exit::Failed,
    })?;
    if after == before {
        session.printer.note(format_args!("`{shown}` is up to date"));
        return Ok(Exit::Done);
    }
    replace(&path, after.as_bytes())
        .map_err(|error| Failure::caused_by(format!("cannot write `{shown}`"), &error))?;
    session.printer.note(format_args!("the facts are in `{shown}`"));
    Ok(Exit::Done)
}
