//! `luminosctl config`

mod path;
mod show;

use std::fmt::Write as _;

use clap::{Args, Subcommand};
use luminos_core::Exit;
use luminos_core::config::SETTINGS;

use crate::printer::Stop;
use crate::session::Session;

/// Show the configuration and where it comes from
///
/// From the strongest to the weakest, these places decide a setting:
///
/// 1. a flag of the command line, such as `--color`;
///
/// 2. its environment variable; an empty one counts as unset, and lists are written with commas;
///
/// 3. the project's luminos.toml: the nearest one, from the current directory upwards to the root of the
///    git repository or the home directory, but never one inside the directory that is looked at;
///
/// 4. $XDG_CONFIG_HOME/luminos/config.toml, or ~/.config/luminos/config.toml;
///
/// 5. the default.
///
/// A list replaces a weaker one as a whole.
#[derive(Debug, Args)]
#[command(after_long_help = after_help())]
pub(crate) struct ConfigArgs {
    #[command(subcommand)]
    command: ConfigCommand,
}

#[derive(Debug, Subcommand)]
enum ConfigCommand {
    Show(show::ShowArgs),
    Path(path::PathArgs),
}

/// The table of settings, as help.
fn after_help() -> String {
    let mut help = "Settings:\n".to_owned();
    for setting in SETTINGS {
        let _ = writeln!(help, "  {} ({})", setting.key, setting.variable());
        let doc: Vec<&str> = setting.doc.lines().map(str::trim).collect();
        let _ = writeln!(help, "      {}", doc.join(" "));
    }
    help.push_str(
        "
Examples:
  luminosctl config show --origin
  luminosctl config path
  LUMINOS_SCAN_EXCLUDE=vendor,fixtures luminosctl config show

Exit codes:
  0  done
  1  a configuration file could not be read
  2  the command line or the configuration makes no sense",
    );
    help
}

/// Runs the subcommand.
pub(crate) fn run(args: &ConfigArgs, session: Session<'_>) -> Result<Exit, Stop> {
    match &args.command {
        ConfigCommand::Show(args) => show::run(args, session),
        ConfigCommand::Path(args) => path::run(args, session),
    }
}
