//! `luminosctl man`

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory as _};
use clap_mangen::Man;
use luminos_core::{Exit, Failure};

use super::Cli;
use crate::printer::{Printer, Stop};
use crate::session::for_terminal;

/// Print the manual page, or write all manual pages
///
/// Without `--out`, print the page of luminosctl itself. With it, write one page for luminosctl and one for
/// each of its commands, and print the path of each file written. The pages say what `--help` says.
/// No configuration is read.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct ManArgs {
    /// Write all pages into this directory, which is made if it does not exist
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl man | man -l -
  luminosctl man --out ~/.local/share/man/man1

Exit codes:
  0  done
  1  a page could not be written
  2  the command line makes no sense";

/// Prints or writes the pages.
pub(crate) fn run(args: &ManArgs, printer: &mut Printer) -> Result<Exit, Stop> {
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let Some(dir) = &args.out else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page).map_err(|error| Failure::new(&error, None))?;
        printer.print_bytes(&page)?;
        return Ok(Exit::Done);
    };
    let mut written = Vec::new();
    fs::create_dir_all(dir).and_then(|()| write_pages(&command, dir, &mut written)).map_err(|error| {
        Failure::caused_by(format!("cannot write manual pages into `{}`", for_terminal(dir)), &error)
    })?;
    for path in written {
        printer.print(format_args!("{}\n", for_terminal(&path)))?;
    }
    Ok(Exit::Done)
}

/// Writes the page of a command, then those of its subcommands.
fn write_pages(command: &clap::Command, dir: &Path, written: &mut Vec<PathBuf>) -> io::Result<()> {
    written.push(Man::new(command.clone()).generate_to(dir)?);
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
        write_pages(subcommand, dir, written)?;
    }
    Ok(())
}
