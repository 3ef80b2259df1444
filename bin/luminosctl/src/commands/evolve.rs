//! `luminosctl evolve`

mod evaluate;
mod plan;
mod score;

use clap::{Args, Subcommand};
use luminos_core::{Exit, Failure};
use luminos_engine::evolve::EvolveError;

use crate::printer::Stop;
use crate::session::Session;

/// Plan the next change of a repository from its history and metrics, measure it, and score the plan
///
/// Planning only reads: commits, metrics and what earlier plans taught. Whoever carries the plan out is up to you.
#[derive(Debug, Args)]
pub(crate) struct EvolveArgs {
    #[command(subcommand)]
    command: EvolveCommand,
}

#[derive(Debug, Subcommand)]
enum EvolveCommand {
    Plan(plan::PlanArgs),
    Evaluate(evaluate::EvaluateArgs),
    Score(score::ScoreArgs),
}

/// Does one of them.
pub(crate) fn run(args: &EvolveArgs, session: Session<'_>) -> Result<Exit, Stop> {
    match &args.command {
        EvolveCommand::Plan(args) => plan::run(args, session),
        EvolveCommand::Evaluate(args) => evaluate::run(args, session),
        EvolveCommand::Score(args) => score::run(args, session),
    }
}

/// Words for what went wrong.
pub(super) fn explain(error: &EvolveError) -> Failure {
    let exit = match error {
        EvolveError::NoRepository { .. }
        | EvolveError::NoCommits
        | EvolveError::BadRevision { .. }
        | EvolveError::Wish(_)
        | EvolveError::ManyInspirations { .. }
        | EvolveError::File { .. }
        | EvolveError::Metrics { .. }
        | EvolveError::NotAPlan { .. } => Exit::Usage,
        EvolveError::Unreadable { .. }
        | EvolveError::Shallow { .. }
        | EvolveError::Object { .. }
        | EvolveError::Prompt(_)
        | EvolveError::Store(_)
        | EvolveError::Checkout(_)
        | EvolveError::NotStarted { .. }
        | EvolveError::TimeOut(_)
        | EvolveError::EvaluatorFailed { .. }
        | EvolveError::NoResult(_)
        | EvolveError::Note(_)
        | EvolveError::Model(_)
        | EvolveError::WorktreeChanged(_) => Exit::Failed,
    };
    Failure { exit, ..Failure::new(error, error.hint()) }
}

/// A runtime for one command.
fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| Failure::caused_by("cannot start", &error))
}
