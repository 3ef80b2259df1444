//! Issues for tasks, where a tracker is configured: `luminosctl tasks link`, and the end of `tasks plan`.

use std::path::{Path, PathBuf};

use clap::Args;
use luminos_core::config::{PlannerConfig, TrackerChoice};
use luminos_core::entry::Stamp;
use luminos_core::{Exit, Failure};
use luminos_engine::tasks::{
    Backlog, GitHub, IssueLink, Linking, Status, Task, TaskFilter, block_reason, moment, write_issue,
};
use luminos_engine::{Holder, KeySource, NamedLock, Network, Store, find_key};
use tokio::runtime::Runtime;

use super::model::runtime;
use super::plan::lock_name;
use super::{RepoArgs, failure, inert, now};
use crate::printer::{Stop, counted};
use crate::session::Session;

/// The variable that holds the token of GitHub.
const TOKEN: &str = "GITHUB_TOKEN";

/// Make an issue for each open task that has none
///
/// Where issues go is the setting `planner.tracker`. New plans do this by themselves; this is for tasks whose issue could not
/// be made then. Issues that are there already are found and not made twice.
#[derive(Debug, Args)]
pub(crate) struct LinkArgs {
    #[command(flatten)]
    repo: RepoArgs,
}

/// Links and prints.
pub(crate) fn run(args: &LinkArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let (place, mut backlog) = args.repo.open(&mut session)?;
    let config = session.resolve_for(&args.repo.repo, Default::default())?.config;
    let tracker = Tracker::of(&config.planner, &session)?;
    if matches!(tracker, Tracker::None) {
        return Err(Failure {
            message: "no tracker is configured".to_owned(),
            causes: Vec::new(),
            hint: Some("set `planner.tracker` to \"github:OWNER/NAME\" or \"markdown:DIRECTORY\"".to_owned()),
            exit: Exit::Usage,
        }
        .into());
    }
    let linked = tracker.link_again(&place.name, &mut backlog, &runtime()?)?;
    let is_whole = linked.trouble.is_none();
    linked.tell(&mut session);
    Ok(if is_whole { Exit::Done } else { Exit::Failed })
}

/// Where issues go.
pub(super) enum Tracker {
    None,
    GitHub(GitHub),
    Markdown(PathBuf),
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Linked {
    made: Vec<IssueLink>,
    trouble: Option<Failure>,
}

impl Tracker {
    /// The tracker that is configured. What it needs must be there before anybody is asked.
    pub(super) fn of(config: &PlannerConfig, session: &Session<'_>) -> Result<Self, Failure> {
        match &config.tracker {
            TrackerChoice::None => Ok(Self::None),
            TrackerChoice::Markdown(dir) => Ok(Self::Markdown(dir.clone())),
            TrackerChoice::GitHub(name) => {
                let around = session.around();
                let mut places = vec![KeySource::Variable(TOKEN.to_owned())];
                places.extend(around.config_dir().map(|dir| KeySource::File(dir.join("github.key"))));
                let key = find_key(&places, around)
                    .map_err(|error| Failure { exit: Exit::Usage, ..Failure::new(&error, None) })?;
                let Some(key) = key else {
                    return Err(Failure {
                        message: format!("there is no token for the issues of {name}"),
                        causes: Vec::new(),
                        hint: Some(format!(
                            "put one into {TOKEN}, or set `planner.tracker` to \"none\" to plan without issues"
                        )),
                        exit: Exit::Usage,
                    });
                };
                Ok(Self::GitHub(GitHub::new(
                    config.tracker_url.as_str(),
                    name,
                    Some(key),
                    Network::of(around),
                )))
            }
        }
    }

    /// Whether new tasks wait until they have an issue.
    pub(super) fn linking(&self) -> Linking {
        match self {
            Self::None => Linking::No,
            Self::GitHub(_) | Self::Markdown(_) => Linking::First,
        }
    }

    /// Makes issues for the tasks that wait for one. If that fails, the tasks are set free all the same: a tracker that is
    /// away holds up no work.
    pub(super) fn link(
        &self,
        repo: &str,
        requirement: Option<&str>,
        backlog: &mut Backlog,
        runtime: &Runtime,
    ) -> Result<Linked, Failure> {
        if matches!(self, Self::None) {
            return Ok(Linked::default());
        }
        let tasks = without_issue(repo, backlog)?;
        self.make(&tasks, requirement, backlog, runtime)
    }

    /// The same for all open tasks without an issue, looking first for those that are there.
    fn link_again(&self, repo: &str, backlog: &mut Backlog, runtime: &Runtime) -> Result<Linked, Failure> {
        let mut tasks = without_issue(repo, backlog)?;
        let mut linked = Linked::default();
        if let Self::GitHub(github) = self {
            match runtime.block_on(github.find(&tasks)) {
                Ok(found) => {
                    let mut found = found.into_iter();
                    let mut left = Vec::new();
                    for task in tasks {
                        match found.next().flatten() {
                            Some(issue) => linked.note(backlog, &task, issue)?,
                            None => left.push(task),
                        }
                    }
                    tasks = left;
                }
                Err(error) => {
                    linked.trouble = Some(Failure::new(&error, error.hint()));
                    return Ok(linked);
                }
            }
        }
        let more = self.make(&tasks, None, backlog, runtime)?;
        linked.made.extend(more.made);
        linked.trouble = more.trouble;
        Ok(linked)
    }

    fn make(
        &self,
        tasks: &[Task],
        requirement: Option<&str>,
        backlog: &mut Backlog,
        runtime: &Runtime,
    ) -> Result<Linked, Failure> {
        let mut linked = Linked::default();
        for task in tasks {
            let made = match self {
                Self::None => break,
                Self::GitHub(_) | Self::Markdown(_) if linked.trouble.is_some() => Ok(None),
                Self::GitHub(github) => runtime
                    .block_on(github.create(task, requirement))
                    .map(Some)
                    .map_err(|error| Failure::new(&error, error.hint())),
                Self::Markdown(dir) => write_issue(dir, task, requirement).map(Some).map_err(|error| {
                    Failure::caused_by(format!("cannot write into {}", dir.display()), &error)
                }),
            };
            match made {
                Ok(Some(issue)) => linked.note(backlog, task, issue)?,
                Ok(None) => release(backlog, task)?,
                Err(trouble) => {
                    linked.trouble = Some(trouble);
                    release(backlog, task)?;
                }
            }
        }
        Ok(linked)
    }
}

impl Linked {
    fn note(&mut self, backlog: &mut Backlog, task: &Task, issue: IssueLink) -> Result<(), Failure> {
        backlog.link_issue(&task.id, Some(&issue), now()).map_err(|error| failure(&error))?;
        self.made.push(issue);
        Ok(())
    }

    /// Says what came of it, beside what is printed.
    pub(super) fn tell(&self, session: &mut Session<'_>) {
        if let (Some(first), Some(last)) = (self.made.first(), self.made.last()) {
            let more = if self.made.len() == 1 { String::new() } else { format!(" to {}", inert(&last.url)) };
            let issues = counted(self.made.len(), "issue");
            session.printer.note(format_args!("{issues}: {}{more}", inert(&first.url)));
        }
        if let Some(trouble) = &self.trouble {
            let because = trouble.causes.first().map(|cause| format!(": {cause}")).unwrap_or_default();
            session.printer.warn(format_args!(
                "tasks are without an issue: {}{because} (hint: `luminosctl tasks link` tries again)",
                trouble.message
            ));
        }
    }
}

/// Sets tasks free that wait for an issue which nobody makes any more: their planner died in between. Whoever has the
/// repository's lock is still at it.
pub(super) fn release_orphans(
    repo: &str,
    home: &Path,
    backlog: &mut Backlog,
    session: &mut Session<'_>,
) -> Result<(), Failure> {
    let is_orphan = |task: &Task| task.block_reason.as_deref() == Some(block_reason::ISSUE_LINKING);
    let mut waiting = backlog
        .tasks(&TaskFilter { repo: Some(repo), statuses: &[Status::Blocked] })
        .map_err(|error| failure(&error))?;
    waiting.retain(is_orphan);
    if waiting.is_empty() {
        return Ok(());
    }
    let store = Store::open(home).map_err(|error| crate::known::failure(&error))?;
    let holder = Holder::this_process(Stamp(moment(now())), "tasks without an issue");
    let Ok(_lock) = NamedLock::try_acquire(&store, &lock_name(repo), &holder) else { return Ok(()) };
    for task in &waiting {
        release(backlog, task)?;
    }
    let tasks = counted(waiting.len(), "task");
    session.printer.warn(format_args!(
        "{tasks} had no issue when the planner ended, and can be begun without (hint: `luminosctl tasks link` makes it)"
    ));
    Ok(())
}

fn release(backlog: &mut Backlog, task: &Task) -> Result<(), Failure> {
    backlog.link_issue(&task.id, None, now()).map_err(|error| failure(&error))
}

/// The open tasks of a repository that have no issue. Questions need none.
fn without_issue(repo: &str, backlog: &Backlog) -> Result<Vec<Task>, Failure> {
    let open = [Status::Queued, Status::Running, Status::Blocked];
    let tasks = backlog.tasks(&TaskFilter { repo: Some(repo), statuses: &open });
    let mut tasks = tasks.map_err(|error| failure(&error))?;
    tasks.retain(|task| task.context.issue.is_none() && task.context.research.is_none());
    Ok(tasks)
}
