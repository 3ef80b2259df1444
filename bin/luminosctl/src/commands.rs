//! The command line: global flags, and one file per command.
//!
//! A new command is a file with its arguments and its `run`, a variant of [`Command`], and an arm of
//! [`run`]. Its doc comments are its help. Flags that stand for settings become a `Layer`, which
//! `Session::resolve_for` lays over all other places.

mod ask;
mod bundle;
mod cancel;
mod clean;
mod completions;
mod config;
mod coverage;
mod daemon;
mod diff;
mod doctor;
mod estimate;
mod evolve;
mod export;
mod flags;
mod fsck;
mod leaving;
mod list;
mod man;
mod models;
mod pause;
mod plan;
mod replay;
mod report;
mod resume;
mod run;
mod scan;
mod show;
mod status;
mod target;
mod tasks;
mod tool;
mod verify;
mod watch;

use std::path::PathBuf;

use clap::builder::{PossibleValue, TypedValueParser as _};
use clap::{Args, Parser, Subcommand};
use luminos_core::Exit;
use luminos_core::config::ColorChoice;

use crate::printer::Stop;
use crate::session::Session;

/// Look into directories and explain what is there
///
/// Data goes to standard output, everything else to standard error. What is printed into a file or a pipe
/// has no colours.
#[derive(Debug, Parser)]
#[command(name = "luminosctl", version, max_term_width = 100, after_long_help = AFTER_HELP)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: GlobalArgs,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl run .                              investigate the current directory, with no model
  luminosctl show .                             print its report again
  luminosctl estimate . --model NAME            say what that would take with a model
  luminosctl scan .                             show what is in the current directory
  luminosctl doctor                             check what is set up, and say what is missing
  luminosctl ask --model ollama/llama3.2 'Hi!'  ask a model, to see whether it can be reached
  luminosctl config show --origin               print every setting and the place that decided it
  luminosctl completions bash                   print a completion script for bash
  luminosctl man --out ~/.local/share/man/man1  write the manual pages

Configuration:
  From the strongest to the weakest: flags, environment variables (LUMINOS_…), the luminos.toml
  of the current project, the user's config.toml, defaults.
  `luminosctl config --help` explains all settings.

Exit codes:
    0  done
    1  failed
    2  the command line or the configuration makes no sense
    3  done in part: a limit was reached
    4  done, and there are flags at or above --fail-on
  130  interrupted";

/// What every command understands.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct GlobalArgs {
    /// When to colour what is printed
    ///
    /// Without this flag, LUMINOS_COLOR decides, then NO_COLOR, then the setting `color`.
    #[arg(long, global = true, value_name = "WHEN", value_parser = color_parser())]
    pub(crate) color: Option<ColorChoice>,

    /// Keep investigations, reports and caches in this directory
    #[arg(long, global = true, value_name = "DIR")]
    pub(crate) home: Option<PathBuf>,

    /// Read this file instead of the project's luminos.toml
    ///
    /// The user's own file is read all the same; what this one says is stronger.
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

fn color_parser() -> impl clap::builder::TypedValueParser<Value = ColorChoice> {
    let values = ColorChoice::ALL.map(|choice| PossibleValue::new(choice.name()));
    clap::builder::PossibleValuesParser::new(values).try_map(|name| name.parse::<ColorChoice>())
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Run(run::RunArgs),
    Watch(watch::WatchArgs),
    Show(show::ShowArgs),
    Flags(flags::FlagsArgs),
    Coverage(coverage::CoverageArgs),
    Verify(verify::VerifyArgs),
    Replay(replay::ReplayArgs),
    Bundle(bundle::BundleArgs),
    Diff(diff::DiffArgs),
    Plan(plan::PlanArgs),
    Estimate(estimate::EstimateArgs),
    Export(export::ExportArgs),
    List(list::ListArgs),
    Status(status::StatusArgs),
    Pause(pause::PauseArgs),
    Resume(resume::ResumeArgs),
    Cancel(cancel::CancelArgs),
    Clean(clean::CleanArgs),
    Fsck(fsck::FsckArgs),
    Scan(scan::ScanArgs),
    Tasks(tasks::TasksArgs),
    Tool(tool::ToolArgs),
    Ask(ask::AskArgs),
    Evolve(evolve::EvolveArgs),
    Models(models::ModelsArgs),
    Doctor(doctor::DoctorArgs),
    Daemon(daemon::DaemonArgs),
    Config(config::ConfigArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// Runs a command to its end.
pub(crate) fn run(command: &Command, session: Session<'_>) -> Result<Exit, Stop> {
    match command {
        Command::Run(args) => run::run(args, session),
        Command::Watch(args) => watch::run(args, session),
        Command::Show(args) => show::run(args, session),
        Command::Flags(args) => flags::run(args, session),
        Command::Coverage(args) => coverage::run(args, session),
        Command::Verify(args) => verify::run(args, session),
        Command::Replay(args) => replay::run(args, session),
        Command::Bundle(args) => bundle::run(args, session),
        Command::Diff(args) => diff::run(args, session),
        Command::Plan(args) => plan::run(args, session),
        Command::Estimate(args) => estimate::run(args, session),
        Command::Export(args) => export::run(args, session),
        Command::List(args) => list::run(args, session),
        Command::Status(args) => status::run(args, session),
        Command::Pause(args) => pause::run(args, session),
        Command::Resume(args) => resume::run(args, session),
        Command::Cancel(args) => cancel::run(args, session),
        Command::Clean(args) => clean::run(args, session),
        Command::Fsck(args) => fsck::run(args, session),
        Command::Scan(args) => scan::run(args, session),
        Command::Tasks(args) => tasks::run(args, session),
        Command::Tool(args) => tool::run(args, session),
        Command::Ask(args) => ask::run(args, session),
        Command::Evolve(args) => evolve::run(args, session),
        Command::Models(args) => models::run(args, session),
        Command::Doctor(args) => doctor::run(args, session),
        Command::Daemon(args) => daemon::run(args, session),
        Command::Config(args) => config::run(args, session),
        Command::Completions(args) => completions::run(args, session.printer),
        Command::Man(args) => man::run(args, session.printer),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::Cli;

    #[test]
    fn the_definitions_contradict_nowhere() {
        Cli::command().debug_assert();
    }
}
