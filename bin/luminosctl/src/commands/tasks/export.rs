//! What others can work from: `export`, `events` and `graph`.

use clap::{Args, ValueEnum};
use luminos_core::Exit;
use luminos_engine::tasks::{EventFilter, TaskFilter, as_graph, as_markdown, as_mermaid};

use super::place::Place;
use super::{RepoArgs, failure, inert};
use crate::printer::{Stop, counted};
use crate::session::Session;

/// Print all tasks of a repository, as JSON or Markdown
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    repo: RepoArgs,

    /// The form
    #[arg(long, value_name = "FORM", default_value = "json")]
    format: ExportForm,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ExportForm {
    Json,
    Md,
}

/// Print what happened, the latest last
#[derive(Debug, Args)]
pub(crate) struct EventsArgs {
    #[command(flatten)]
    repo: RepoArgs,

    /// Only events whose type begins with this, such as `planner` or `task.done`
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,

    /// Only events about this task
    #[arg(long, value_name = "TASK")]
    task: Option<String>,

    /// Not more than this
    #[arg(short = 'n', long, value_name = "N", default_value_t = 50)]
    most: u32,

    /// Print a JSON array with all that is known
    #[arg(long)]
    json: bool,
}

/// Print which task waits for which
#[derive(Debug, Args)]
pub(crate) struct GraphArgs {
    #[command(flatten)]
    repo: RepoArgs,

    /// The form
    #[arg(long, value_name = "FORM", default_value = "text")]
    format: GraphForm,

    /// Also tasks that are done or cancelled
    #[arg(short, long)]
    all: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum GraphForm {
    Text,
    Mermaid,
}

pub(crate) fn export(args: &ExportArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let (Place { name: repo, .. }, backlog) = args.repo.open(&mut session)?;
    let tasks =
        backlog.tasks(&TaskFilter { repo: Some(&repo), statuses: &[] }).map_err(|error| failure(&error))?;
    match args.format {
        ExportForm::Json => session.printer.print_json(&tasks)?,
        ExportForm::Md => session.printer.print(inert(&as_markdown(&tasks)) + "\n")?,
    }
    Ok(Exit::Done)
}

pub(crate) fn events(args: &EventsArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let (Place { name: repo, .. }, backlog) = args.repo.open(&mut session)?;
    let task =
        args.task.as_deref().map(|word| backlog.find(word)).transpose().map_err(|error| failure(&error))?;
    let filter = EventFilter {
        kind: args.kind.as_deref(),
        entity: task.as_ref().map(|task| task.id.0.as_str()),
        repo: Some(&repo),
        most: args.most,
    };
    let events = backlog.events(&filter).map_err(|error| failure(&error))?;
    if args.json {
        session.printer.print_json(&events)?;
        return Ok(Exit::Done);
    }
    for event in &events {
        let entity = event.entity.as_deref().unwrap_or("-");
        let entity = entity.get(entity.len().saturating_sub(8)..).unwrap_or(entity);
        let text =
            |path: &str| event.payload.pointer(path).and_then(serde_json::Value::as_str).unwrap_or_default();
        let count = event
            .payload
            .pointer("/summary/totalTasks")
            .and_then(serde_json::Value::as_u64)
            .map(|count| counted(usize::try_from(count).unwrap_or(usize::MAX), "task"))
            .unwrap_or_default();
        let what: Vec<&str> = [text("/reason"), text("/verdict"), count.as_str()]
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect();
        let agent = event.agent.as_deref().unwrap_or("-");
        session.printer.print(format_args!(
            "{:>5}  {}  {:<22}  {entity}  {:<12}  {}\n",
            event.seq,
            event.at,
            event.kind,
            inert(agent),
            inert(&what.join(", "))
        ))?;
    }
    Ok(Exit::Done)
}

pub(crate) fn graph(args: &GraphArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let (Place { name: repo, .. }, backlog) = args.repo.open(&mut session)?;
    let mut tasks =
        backlog.tasks(&TaskFilter { repo: Some(&repo), statuses: &[] }).map_err(|error| failure(&error))?;
    if !args.all {
        tasks.retain(|task| task.status.is_open() || task.status == luminos_engine::tasks::Status::Failed);
    }
    let text = match args.format {
        GraphForm::Text => as_graph(&tasks),
        GraphForm::Mermaid => as_mermaid(&tasks),
    };
    session.printer.print(inert(&text) + "\n")?;
    Ok(Exit::Done)
}
