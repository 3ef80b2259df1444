//! `luminosctl completions`

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;
use luminos_core::Exit;

use super::Cli;
use crate::printer::{Printer, Stop};

/// Print a completion script for a shell
///
/// Print it into the file where your shell looks for completions; the examples say where that is.
/// No configuration is read.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct CompletionsArgs {
    /// The shell to complete in
    shell: Shell,
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl completions bash > ~/.local/share/bash-completion/completions/luminosctl
  luminosctl completions zsh > ~/.zfunc/_luminosctl
  luminosctl completions fish > ~/.config/fish/completions/luminosctl.fish

Exit codes:
  0  done
  1  the script could not be written
  2  no such shell";

/// Prints the script.
pub(crate) fn run(args: &CompletionsArgs, printer: &mut Printer) -> Result<Exit, Stop> {
    // Into memory first: the generator panics when it cannot write, and a closed pipe is no reason to.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "luminosctl", &mut script);
    printer.print_bytes(&script)?;
    Ok(Exit::Done)
}
