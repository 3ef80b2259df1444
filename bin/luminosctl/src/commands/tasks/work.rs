//! Working through a backlog: `list`, `show`, `next`, `start`, `done`, `fail`, `block` and `cancel`.

use std::fmt::Write as _;

use clap::Args;
use luminos_core::config::{NotUnderstood, TimeSpan};
use luminos_core::{Exit, Failure};
use luminos_engine::tasks::{
    self, Asking, Backlog, Claimed, Draft, FailureKind, Role, Status, Task, TaskFilter, TaskId, block_reason,
    moment,
};
use serde_json::json;

use super::{RepoArgs, failure, inert, now, wrapped};
use crate::printer::Stop;
use crate::session::Session;

/// List the tasks of a repository
#[derive(Debug, Args)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    repo: RepoArgs,

    /// Only tasks in this state: queued, running, blocked, failed, done or cancelled
    #[arg(long, value_name = "STATUS")]
    status: Option<Status>,

    /// Also tasks that are done or cancelled
    #[arg(short, long)]
    all: bool,

    /// Print a JSON array
    #[arg(long)]
    json: bool,
}

/// Show everything about a task
#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The task: its name, or the end of it
    task: String,

    #[command(flatten)]
    repo: RepoArgs,

    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// Who works, and by which rules.
#[derive(Debug, Args)]
struct AgentArgs {
    /// Who works on it
    #[arg(long, value_name = "NAME", default_value = "me")]
    agent: String,

    /// Do it although somebody else holds the task, or what it needs is not done
    #[arg(long)]
    force: bool,
}

impl AgentArgs {
    fn asking(&self, lease: i64) -> Asking<'_> {
        Asking { agent: &self.agent, lease, force: self.force, now: now() }
    }
}

/// Get the next task that can be worked on, with a lease
///
/// Respects dependencies and priorities, and hands out nothing that changes the same files as a task under way. A lease
/// that runs out makes the task free again.
#[derive(Debug, Args)]
pub(crate) struct NextArgs {
    #[command(flatten)]
    repo: RepoArgs,

    #[command(flatten)]
    agent: AgentArgs,

    /// Only tasks for this role: worker, tester or docser
    #[arg(long, value_name = "ROLE")]
    role: Option<Role>,

    /// How long the task is yours: minutes, or a time such as `90 s` or `2 h`
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = lease)]
    lease: i64,

    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// Begin a task by name
#[derive(Debug, Args)]
pub(crate) struct StartArgs {
    /// The task: its name, or the end of it
    task: String,

    #[command(flatten)]
    repo: RepoArgs,

    #[command(flatten)]
    agent: AgentArgs,

    /// How long the task is yours: minutes, or a time such as `90 s` or `2 h`
    #[arg(long, value_name = "TIME", default_value = "60", value_parser = lease)]
    lease: i64,
}

/// A lease in milliseconds.
fn lease(text: &str) -> Result<i64, String> {
    let minutes = text.parse::<i64>().ok().filter(|minutes| 0 < *minutes);
    if let Some(minutes) = minutes {
        return Ok(minutes.saturating_mul(60_000));
    }
    let span: TimeSpan =
        text.parse().map_err(|_: NotUnderstood| "expected minutes, or a time such as `90 s` or `2 h`")?;
    Ok(i64::try_from(span.duration().as_millis()).unwrap_or(i64::MAX).max(1))
}

/// What becomes of a task.
#[derive(Debug, Args)]
struct SettleArgs {
    /// The task: its name, or the end of it
    task: String,

    #[command(flatten)]
    repo: RepoArgs,

    #[command(flatten)]
    agent: AgentArgs,
}

/// Say that a task is done
#[derive(Debug, Args)]
pub(crate) struct DoneArgs {
    #[command(flatten)]
    settle: SettleArgs,

    /// The work waits for a verdict of `luminosctl tasks judge`
    #[arg(long)]
    review: bool,
}

/// Say that a task has failed
#[derive(Debug, Args)]
pub(crate) struct FailArgs {
    #[command(flatten)]
    settle: SettleArgs,

    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

/// Say that a task waits for something outside of the backlog
#[derive(Debug, Args)]
pub(crate) struct BlockArgs {
    #[command(flatten)]
    settle: SettleArgs,

    /// What for
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

/// Say that nobody wants a task any more, or put it back into the queue
#[derive(Debug, Args)]
pub(crate) struct CancelArgs {
    #[command(flatten)]
    settle: SettleArgs,

    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,

    /// Put it back into the queue instead
    #[arg(long)]
    requeue: bool,
}

pub(crate) fn list(args: &ListArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let (place, backlog) = args.repo.open(&mut session)?;
    let usual = [Status::Queued, Status::Running, Status::Blocked, Status::Failed];
    let one = args.status.map(|status| [status]);
    let statuses: &[Status] = match &one {
        Some(one) => one,
        None if args.all => &[],
        None => &usual,
    };
    let tasks =
        backlog.tasks(&TaskFilter { repo: Some(&place.name), statuses }).map_err(|error| failure(&error))?;
    if args.json {
        session.printer.print_json(&tasks)?;
        return Ok(Exit::Done);
    }
    if tasks.is_empty() {
        session
            .printer
            .note("no tasks (hint: `luminosctl tasks plan` makes some; --all lists those that are over)");
    }
    for task in &tasks {
        let waits = task.dependencies.len();
        let waits = if waits == 0 { String::new() } else { format!("  after {waits}") };
        let reason =
            task.block_reason.as_deref().map(|reason| format!("  ({})", inert(reason))).unwrap_or_default();
        session.printer.print(format_args!(
            "{}  {:<9}  {:>4}  {:<6}  {:<6}  {}{waits}{reason}\n",
            task.id.short(),
            task.status.word(),
            task.priority,
            task.risk_level.word(),
            task.role.word(),
            inert(&task.title),
        ))?;
    }
    Ok(Exit::Done)
}

pub(crate) fn show(args: &ShowArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let (_, backlog) = args.repo.open(&mut session)?;
    let task = backlog.find(&args.task).map_err(|error| failure(&error))?;
    if args.json {
        session.printer.print_json(&task)?;
    } else {
        session.printer.print(task_text(&task, &backlog)?)?;
    }
    Ok(Exit::Done)
}

pub(crate) fn next(args: &NextArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let (repo, mut backlog) = args.repo.open_for_work(&mut session)?;
    let asking = args.agent.asking(args.lease);
    match backlog.next(&repo, args.role, asking).map_err(|error| failure(&error))? {
        Ok(Claimed { task, lease }) => {
            if args.json {
                session.printer.print_json(&json!({ "task": task, "lease": lease }))?;
            } else {
                session.printer.print(task_text(&task, &backlog)?)?;
                session.printer.note(format_args!("yours until {}", moment(lease.expires_at)));
            }
            Ok(Exit::Done)
        }
        Err(none) if none.waiting.is_empty() => {
            session.printer.note("there is nothing left to do");
            Ok(Exit::Failed)
        }
        Err(none) => {
            session.printer.note("nothing can be begun now:");
            for (id, title, why) in none.waiting.iter().take(20) {
                session.printer.note(format_args!("  {}  {}: {}", id.short(), inert(title), inert(why)));
            }
            Ok(Exit::Failed)
        }
    }
}

pub(crate) fn start(args: &StartArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let (_, mut backlog) = args.repo.open_for_work(&mut session)?;
    let id = backlog.find(&args.task).map_err(|error| failure(&error))?.id;
    let asking = args.agent.asking(args.lease);
    let claimed = backlog.start(&id, asking).map_err(|error| failure(&error))?;
    session.printer.print(task_text(&claimed.task, &backlog)?)?;
    session.printer.note(format_args!("yours until {}", moment(claimed.lease.expires_at)));
    Ok(Exit::Done)
}

pub(crate) fn done(args: &DoneArgs, session: Session<'_>) -> Result<Exit, Stop> {
    if args.review {
        settle(&args.settle, Status::Blocked, Some(block_reason::AWAITING_JUDGE), session)
    } else {
        settle(&args.settle, Status::Done, None, session)
    }
}

pub(crate) fn fail(args: &FailArgs, session: Session<'_>) -> Result<Exit, Stop> {
    settle(&args.settle, Status::Failed, Some(&args.reason), session)
}

pub(crate) fn block(args: &BlockArgs, session: Session<'_>) -> Result<Exit, Stop> {
    settle(&args.settle, Status::Blocked, Some(&args.reason), session)
}

pub(crate) fn cancel(args: &CancelArgs, session: Session<'_>) -> Result<Exit, Stop> {
    let to = if args.requeue { Status::Queued } else { Status::Cancelled };
    settle(&args.settle, to, args.reason.as_deref(), session)
}

fn settle(
    args: &SettleArgs,
    to: Status,
    reason: Option<&str>,
    mut session: Session<'_>,
) -> Result<Exit, Stop> {
    let (_, mut backlog) = args.repo.open(&mut session)?;
    let id = backlog.find(&args.task).map_err(|error| failure(&error))?.id;
    let task = backlog.settle(&id, to, reason, args.agent.asking(0)).map_err(|error| failure(&error))?;
    session.printer.print(format_args!("{}  {}  {}\n", task.id.short(), task.status, inert(&task.title)))?;
    if to == Status::Failed {
        advise(&task, reason.unwrap_or_default(), &mut session);
    }
    if matches!(to, Status::Failed | Status::Cancelled) {
        for stuck in backlog.stuck_behind(&id).map_err(|error| failure(&error))? {
            session.printer.warn(format_args!(
                "`{}` ({}) builds on it and cannot begin: cancel it, or put this one back with `tasks cancel --requeue {}`",
                inert(&stuck.title),
                stuck.id.short(),
                id.short()
            ));
        }
    }
    Ok(Exit::Done)
}

/// Whether trying again can help, as far as the words about a failure tell.
fn advise(task: &Task, reason: &str, session: &mut Session<'_>) {
    let (kind, can_retry) = tasks::classify(reason);
    let left = kind.most_retries().saturating_sub(task.retry_count);
    if kind == FailureKind::Model {
        // Nothing in the words points to a cause.
    } else if can_retry && 0 < left {
        session.printer.note(format_args!(
            "a failure of the kind `{kind}`: worth another try (up to {left}) with `luminosctl tasks start {}`",
            task.id.short()
        ));
    } else if can_retry {
        session.printer.note(format_args!(
            "a failure of the kind `{kind}`, {} times by now: another try as it is will hardly help",
            task.retry_count + 1
        ));
    } else {
        session.printer.note(format_args!(
            "a failure of the kind `{kind}`: another try as it is will not help; change the task, or what it needs, first"
        ));
    }
}

/// A task of a plan, as text.
pub(super) fn draft_text(name: &str, draft: &Draft, before: &[String]) -> String {
    let mut text = format!("{name}  {}\n", inert(&draft.title));
    let _ = writeln!(
        text,
        "    {}, risk {}, {} min, priority {}, from: {}",
        draft.role, draft.risk_level, draft.timebox_minutes, draft.priority, draft.origin
    );
    body(&mut text, &draft.goal, &draft.context, &draft.allowed_paths, &draft.implied_paths, &draft.commands);
    if !before.is_empty() {
        let _ = writeln!(text, "    after     {}", before.join(", "));
    }
    for warning in &draft.warnings {
        let _ = writeln!(text, "    note      {}", wrapped(warning, 14).trim_start());
    }
    text
}

fn body(
    text: &mut String,
    goal: &str,
    context: &luminos_engine::tasks::Context,
    allowed: &[String],
    implied: &[String],
    commands: &[String],
) {
    let mut line = |name: &str, value: &str| {
        if !value.trim().is_empty() {
            let _ = writeln!(text, "    {name:<8}  {}", wrapped(value, 14).trim_start());
        }
    };
    line("goal", goal);
    line("start at", &context.files.join("\n"));
    line("found", &context.evidence.join("\n"));
    line("may", &allowed.join(", "));
    line("also", &implied.join(", "));
    line("verify", &commands.join("\n"));
}

/// A task of the backlog, as text.
fn task_text(task: &Task, backlog: &Backlog) -> Result<String, Failure> {
    let mut text = format!("{}  {}\n", task.id, inert(&task.title));
    let reason =
        task.block_reason.as_deref().map(|reason| format!(" ({})", inert(reason))).unwrap_or_default();
    let _ = writeln!(
        text,
        "    {}{reason}, {}, risk {}, {} min, priority {}, from: {}",
        task.status, task.role, task.risk_level, task.timebox_minutes, task.priority, task.origin
    );
    body(&mut text, &task.goal, &task.context, &task.allowed_paths, &task.implied_paths, &task.commands);
    for (name, value) in [("specs", &task.context.specs), ("notes", &task.context.notes)] {
        if !value.is_empty() {
            let _ = writeln!(text, "    {name:<8}  {}", wrapped(value, 14).trim_start());
        }
    }
    for edge in &task.dependencies {
        let other = backlog.find(&edge.task.0).map_err(|error| failure(&error))?;
        let _ = writeln!(
            text,
            "    after     {} {} ({}, must be {})",
            edge.task.short(),
            inert(&other.title),
            other.status,
            edge.needs
        );
    }
    if let Some(issue) = &task.context.issue {
        let _ = writeln!(text, "    issue     {}", inert(&issue.url));
    }
    if let Some(lease) = backlog.lease(&TaskId(task.id.0.clone()), now()).map_err(|error| failure(&error))? {
        let _ = writeln!(text, "    leased    {} until {}", inert(&lease.agent), moment(lease.expires_at));
    }
    Ok(text)
}
