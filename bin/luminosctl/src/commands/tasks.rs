//! `luminosctl tasks`

mod export;
mod judge;
mod known;
mod model;
mod place;
mod plan;
mod repository;
mod research;
mod tracker;
mod work;

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use clap::{Args, Subcommand};
use luminos_core::{Exit, Failure, Untrusted};
use luminos_engine::tasks::{self, Backlog};

use crate::printer::Stop;
use crate::session::Session;
use place::{Place, Purpose};

/// Turn a requirement into tasks, and work through them
///
/// A requirement is a Markdown file or a few sentences. Its tasks are kept in a backlog in the state directory, with their
/// dependencies, the files they may change and the commands that verify them. Nothing is written into the repository.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct TasksArgs {
    #[command(subcommand)]
    command: TasksCommand,
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl tasks plan requirement.md              plan for the current directory
  echo 'Add a --json flag' | luminosctl tasks plan - --dry-run
  luminosctl tasks next --agent ada                 get a task to work on
  luminosctl tasks done 1f3a --agent ada            it is finished
  luminosctl tasks graph                            what waits for what

Exit codes:
    0  done
    1  failed, or there is nothing to do
    2  the command line, the configuration or the requirement makes no sense
    3  planned, but less well than possible: by rule, without a model, or with one that failed
  130  interrupted";

#[derive(Debug, Subcommand)]
enum TasksCommand {
    Plan(plan::PlanArgs),
    List(work::ListArgs),
    Show(work::ShowArgs),
    Next(work::NextArgs),
    Start(work::StartArgs),
    Done(work::DoneArgs),
    Fail(work::FailArgs),
    Block(work::BlockArgs),
    Cancel(work::CancelArgs),
    Export(export::ExportArgs),
    Events(export::EventsArgs),
    Graph(export::GraphArgs),
    Judge(judge::JudgeArgs),
    Link(tracker::LinkArgs),
    Research(research::ResearchArgs),
}

/// Does what was asked.
pub(crate) fn run(args: &TasksArgs, session: Session<'_>) -> Result<Exit, Stop> {
    match &args.command {
        TasksCommand::Plan(args) => plan::run(args, session),
        TasksCommand::List(args) => work::list(args, session),
        TasksCommand::Show(args) => work::show(args, session),
        TasksCommand::Next(args) => work::next(args, session),
        TasksCommand::Start(args) => work::start(args, session),
        TasksCommand::Done(args) => work::done(args, session),
        TasksCommand::Fail(args) => work::fail(args, session),
        TasksCommand::Block(args) => work::block(args, session),
        TasksCommand::Cancel(args) => work::cancel(args, session),
        TasksCommand::Export(args) => export::export(args, session),
        TasksCommand::Events(args) => export::events(args, session),
        TasksCommand::Graph(args) => export::graph(args, session),
        TasksCommand::Judge(args) => judge::run(args, session),
        TasksCommand::Link(args) => tracker::run(args, session),
        TasksCommand::Research(args) => research::run(args, session),
    }
}

/// Which repository tasks belong to.
#[derive(Debug, Args)]
struct RepoArgs {
    /// Somewhere in the repository; all of its subdirectories and worktrees have one backlog
    #[arg(long, value_name = "PATH", default_value = ".")]
    repo: PathBuf,
}

impl RepoArgs {
    /// The same for whoever is about to begin a task: none waits for an issue that nobody makes.
    fn open_for_work(&self, session: &mut Session<'_>) -> Result<(String, Backlog), Stop> {
        let (place, mut backlog) = self.open(session)?;
        let home = session.resolve_for(&self.repo, Default::default())?.config.home;
        tracker::release_orphans(&place.name, &home, &mut backlog, session)?;
        Ok((place.name, backlog))
    }

    /// The repository, and the backlog.
    fn open(&self, session: &mut Session<'_>) -> Result<(Place, Backlog), Stop> {
        let config = session.resolve_for(&self.repo, Default::default())?.config;
        let backlog = backlog(&config.home)?;
        Ok((Place::find(&self.repo, Purpose::Looking, &backlog, session)?, backlog))
    }
}

fn backlog(home: &Path) -> Result<Backlog, Failure> {
    luminos_engine::Store::open(home).map_err(|error| crate::known::failure(&error))?;
    Backlog::open(home).map_err(|error| failure(&error))
}

/// Words for what is wrong with the backlog, or with what was asked of it.
fn failure(error: &tasks::Error) -> Failure {
    let exit = match error {
        tasks::Error::NoTask(_) | tasks::Error::Ambiguous { .. } | tasks::Error::NoJob(_) => Exit::Usage,
        tasks::Error::Open { .. }
        | tasks::Error::Newer { .. }
        | tasks::Error::Database(_)
        | tasks::Error::Content(_)
        | tasks::Error::Transition { .. }
        | tasks::Error::Leased { .. }
        | tasks::Error::Waits { .. }
        | tasks::Error::NotBegun { .. }
        | tasks::Error::NotHandedIn { .. }
        | tasks::Error::Fenced { .. } => Exit::Failed,
    };
    Failure { exit, ..Failure::new(error, error.hint()) }
}

/// Now, in milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// Text of a task, fit for a terminal, line by line.
fn inert(text: &str) -> String {
    text.lines().map(|line| Untrusted::new(line.as_bytes()).for_terminal()).collect::<Vec<_>>().join("\n")
}

/// Text that is broken between words, with every line indented.
fn wrapped(text: &str, indent: usize) -> String {
    const WIDTH: usize = 96;
    let mut out = String::new();
    for line in inert(text).lines() {
        let mut used = 0;
        for word in line.split_whitespace() {
            let length = word.chars().count();
            if used == 0 || WIDTH < indent + used + 1 + length {
                out.push_str(if out.is_empty() { "" } else { "\n" });
                out.push_str(&" ".repeat(indent));
                used = 0;
            } else {
                out.push(' ');
                used += 1;
            }
            out.push_str(word);
            used += length;
        }
    }
    out
}
