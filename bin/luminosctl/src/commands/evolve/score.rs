//! `luminosctl evolve score`

use std::path::PathBuf;

use clap::Args;
use luminos_core::config::Layer;
use luminos_core::{Exit, Failure};
use luminos_engine::Store;
use luminos_engine::evolve::{Comparison, Repo, compare, read_plan, remember_score, score_page, seconds_now};

use super::explain;
use crate::printer::Stop;
use crate::session::Session;

/// Compare a plan with what came out
///
/// Says whether the plan's focus metrics went where they should, which steps were taken, and which files were touched that
/// the plan does not name. Steps count as taken if a commit says `Plan-Step: ID`, or if their files were touched. Later plans
/// near the same base are told.
#[derive(Debug, Args)]
pub(crate) struct ScoreArgs {
    /// The plan, as `luminosctl evolve plan -o` wrote it
    #[arg(long, value_name = "FILE")]
    plan: PathBuf,

    /// The commit that came out
    #[arg(long, value_name = "REV")]
    result: String,

    /// Somewhere in the repository, if it is not where it was
    #[arg(long, value_name = "PATH")]
    repo: Option<PathBuf>,

    /// A file of metrics by commit, .json or .csv
    #[arg(long, value_name = "FILE")]
    metrics: Option<PathBuf>,

    /// Print the score as JSON
    #[arg(long)]
    json: bool,
}

/// Scores and prints.
pub(crate) fn run(args: &ScoreArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let resolved = session.resolve(Layer::default())?;
    let store =
        Store::open(&resolved.config.home).map_err(|error| Failure::new(&error, error.hint()))?.evolution();
    let comparison = Comparison {
        plan: session.absolute(&args.plan),
        result: args.result.clone(),
        repo: args.repo.as_ref().map(|path| session.absolute(path)),
        metrics: args.metrics.as_ref().map(|path| session.absolute(path)),
    };
    let (score, notes) = compare(&comparison, &store).map_err(|error| explain(&error))?;
    let place = match &comparison.repo {
        Some(place) => place.clone(),
        None => PathBuf::from(read_plan(&comparison.plan).map_err(|error| explain(&error))?.repository),
    };
    let repo = Repo::open(&place).map_err(|error| explain(&error))?;
    remember_score(&score, &repo, &store, seconds_now()).map_err(|error| explain(&error))?;
    if args.json {
        session.printer.print_json(&score)?;
    } else {
        session.printer.print(score_page(&score))?;
    }
    for note in notes {
        session.printer.note(note);
    }
    Ok(Exit::Done)
}
