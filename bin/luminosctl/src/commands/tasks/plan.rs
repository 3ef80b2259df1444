//! `luminosctl tasks plan`
//!
//! One plan at a time: for a repository (a second one ends at once), and in a state directory (a second one waits). What can be
//! known without asking anybody is known before.

mod show;

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use clap::Args;
use luminos_core::config::{Config, Resolved};
use luminos_core::entry::Stamp;
use luminos_core::spend::Money;
use luminos_core::{Exit, Failure};
use luminos_engine::tasks::{
    self, Backlog, Begun, CommandPolicy, Knowledge, Linking, NotARequirement, Parsed, PlanInput, PlanInputs,
    PlanRow, Planned, REQUIREMENT_FILE, RepoFacts, Requirement, Role, Skip, Standing, Status, Surroundings,
    TaskFilter, TaskId, VerifyMode, VerifySettings, hash,
};
use luminos_engine::{
    GatewayModel, Holder, ModelName, NamedLock, OFFLINE, PlannerTurn, Store, StoreError, open_named,
};
use serde_json::json;
use tokio::runtime::Runtime;

use show::{print, summary};

use super::model::{MindArgs, ask_settings, asking, runtime};
use super::place::{Place, Purpose};
use super::repository::{Rules, facts, head, read, rules};
use super::tracker::Tracker;
use super::{backlog, failure, inert, known, now};
use crate::commands::run::Watching;
use crate::commands::scan::scan_target;
use crate::known::no_turn;
use crate::printer::{Stop, counted};
use crate::session::{Session, for_terminal};

/// Plan the tasks that a requirement needs
///
/// The repository is looked at, what is missing becomes tasks, and these are put in order, with the files they may change
/// and the commands that verify them. Without a model there is one task for each acceptance criterion, and the plan says
/// that it was made by rule. The same requirement for the same files within ten minutes is planned once.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct PlanArgs {
    /// The requirement, a Markdown or text file; `-` reads it from standard input
    #[arg(required_unless_present = "research_job")]
    requirement: Option<PathBuf>,

    /// Somewhere in the repository that is to change; without git, the directory itself
    #[arg(long, value_name = "PATH", default_value = ".")]
    repo: PathBuf,

    /// Print the plan and save nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    mind: MindArgs,

    /// Plan beside the tasks that are pending, and let new tasks wait for those that change the same files
    #[arg(long)]
    anyway: bool,

    /// Plan the tasks of this question instead (`luminosctl tasks research --later`), whatever is pending
    #[arg(long, value_name = "JOB", conflicts_with_all = ["requirement", "dry_run", "json"])]
    research_job: Option<String>,

    /// Print a JSON object with tasks, warnings, degraded and what the model used
    #[arg(long)]
    json: bool,

    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

impl PlanArgs {
    fn requirement(&self) -> &Path {
        self.requirement.as_deref().unwrap_or(Path::new("-"))
    }
}

const AFTER_HELP: &str = "\
A requirement may have the sections Goal, Background, Constraints, Acceptance Criteria, Scope (In Scope, Out of Scope),
Allowed Paths, Risk Assessment and Notes; a few sentences with a list do as well.

Examples:
  luminosctl tasks plan docs/requirement.md --dry-run
  luminosctl tasks plan req.md --repo ~/src/shop --model ollama/llama3.2
  echo 'Add a --json flag to `list`' | luminosctl tasks plan -

Exit codes:
    0  planned; or the same plan was there, or is being made
    1  failed; tasks that there are stay as they are
    2  the command line, the configuration or the requirement makes no sense
    3  planned, but less well than possible: by rule, without a model, or with one that failed
  130  interrupted";

/// Everything that a plan is made from.
struct Desk {
    repo: PathBuf,
    name: String,
    parsed: Parsed,
    facts: RepoFacts,
    rules: Rules,
    content: String,
    signature: String,
    inputs: PlanInputs,
    model: Option<ModelName>,
}

/// Plans, saves and prints.
pub(crate) fn run(args: &PlanArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let resolved = session.resolve_for(&args.repo, args.mind.over(Default::default()))?;
    let watching = if args.quiet { Watching::Quiet } else { Watching::Live };
    if let Some(job) = &args.research_job {
        return super::research::plan(job, &args.mind, &args.repo, watching, session);
    }
    let home = &resolved.config.home;
    let mut backlog = backlog(home)?;
    let desk = prepare(args, &resolved, &backlog, &mut session)?;
    if let Some(name) = &desk.model {
        args.mind.check(name, &resolved, session.around(), &desk.repo)?;
    }
    let tracker = Tracker::of(&resolved.config.planner, &session)?;
    let window = resolved.config.planner.dedupe_window.duration().as_millis();
    let window = i64::try_from(window).unwrap_or(i64::MAX);
    if !args.dry_run {
        let recent = backlog.recent_plan(&desk.signature, window, now());
        if let Some(skip) = recent.map_err(|error| failure(&error))? {
            return skipped(&skip, &mut session);
        }
    }
    if !args.anyway && !args.dry_run {
        refuse_beside(&backlog, &desk)?;
    }
    if args.dry_run {
        let knowledge = knowledge(&desk, &resolved.config, watching, &mut session)?;
        let made = make(args, &desk, &knowledge, &backlog, &resolved, &runtime()?, &mut session)?;
        return print(args, &desk, &made, None, &mut session);
    }
    let store = Store::open(home).map_err(|error| crate::known::failure(&error))?;
    let what = format!("tasks plan {}", &desk.signature[..12]);
    let holder = Holder::this_process(Stamp(tasks::moment(now())), what.clone());
    let lock = match NamedLock::try_acquire(&store, &lock_name(&desk.name), &holder) {
        Ok(lock) => lock,
        Err(error @ StoreError::Busy { .. }) => return busy(&error, &what, &mut session),
        Err(error) => return Err(crate::known::failure(&error).into()),
    };
    // Before it is this one's turn: a fresh investigation has to plan as well.
    let knowledge = knowledge(&desk, &resolved.config, watching, &mut session)?;
    let runtime = runtime()?;
    let told = |holder: &str| session.printer.note(format_args!("one plan at a time: waiting for {holder}"));
    let turn = runtime.block_on(PlannerTurn::take(&store, &format!("luminosctl {what}"), told));
    let turn = turn.map_err(|error| no_turn(&error))?;
    let agent = format!("planner-{}", std::process::id());
    let begun = backlog.begin_plan(&desk.name, &desk.signature, &agent, turn.fence().0, window, now());
    let plan = match begun.map_err(|error| failure(&error))? {
        Begun::Go(plan) => plan,
        Begun::Skip(skip) => return skipped(&skip, &mut session),
    };
    let made = make(args, &desk, &knowledge, &backlog, &resolved, &runtime, &mut session);
    let made = match made {
        Ok(made) => made,
        Err(stop) => {
            let reason = match &stop {
                Stop::Failed(failure) => failure.message.clone(),
                Stop::OutputClosed => "whoever read the output has gone".to_owned(),
            };
            // The failure itself is what the user hears of; that it was noted is second to that.
            let _ = backlog.fail_plan(&plan, &reason, &json!({ "inputs": desk.inputs }), now());
            return Err(stop);
        }
    };
    let ids = save(&mut backlog, &plan, args, &desk, &made, tracker.linking())?;
    drop(turn);
    let linked = tracker.link(&desk.name, Some(&made.planned.requirement.goal), &mut backlog, &runtime)?;
    drop(lock);
    let exit = print(args, &desk, &made, Some(&ids), &mut session)?;
    linked.tell(&mut session);
    Ok(exit)
}

/// What the lock of a repository is called: whoever plans for it, links its tasks included, has it.
pub(super) fn lock_name(repo: &str) -> String {
    format!("plan-{}", &hash(repo.as_bytes())[..16])
}

/// Everything that can be known before a model is asked, faults included.
fn prepare(
    args: &PlanArgs,
    resolved: &Resolved,
    backlog: &Backlog,
    session: &mut Session<'_>,
) -> Result<Desk, Stop> {
    let text = requirement_text(args.requirement(), session)?;
    let parsed = Requirement::parse(&text).map_err(|error| Failure {
        exit: Exit::Usage,
        ..Failure::new(&error, Some(match error {
            NotARequirement::Empty | NotARequirement::NoGoal => "write what is wanted, in a sentence or in sections; `luminosctl tasks plan --help` lists them",
            NotARequirement::NoCriterion => "list what is true when it is done below `Acceptance Criteria`",
            NotARequirement::NoPath => "list what may be changed below `Allowed Paths`, or leave that section out",
        }))
    })?;
    let Place { dir: repo, name } = Place::find(&args.repo, Purpose::Planning, backlog, session)?;
    let rules = rules(&repo, &CommandPolicy::default())?;
    let model = args.mind.name(resolved, session)?;
    let scan = scan_target(&repo, &resolved.config, session)?;
    let facts = facts(&repo, &scan);
    let content = scan.content_hash().to_string();
    let inputs = PlanInputs {
        requirement_hash: hash(text.as_bytes()),
        repo: name.clone(),
        repo_head: head(&repo),
        content_hash: Some(content.clone()),
        model: model.as_ref().map_or(OFFLINE.to_owned(), ToString::to_string),
        rules_hash: hash(format!("{} {:?}", rules.hash, resolved.config.planner).as_bytes()),
        version: PlanInputs::VERSION,
    };
    Ok(Desk { repo, name, parsed, facts, rules, content, signature: inputs.signature(), inputs, model })
}

fn requirement_text(path: &Path, session: &Session<'_>) -> Result<String, Failure> {
    const MOST: u64 = 1 << 20;
    let mut text = Vec::new();
    let cannot = |error: &io::Error| Failure {
        exit: Exit::Usage,
        ..Failure::caused_by(format!("cannot read the requirement `{}`", for_terminal(path)), error)
    };
    let read = if path == Path::new("-") {
        io::stdin().lock().take(MOST + 1).read_to_end(&mut text)
    } else {
        let file = open_named(&session.absolute(path)).map_err(|error| cannot(&error))?;
        file.take(MOST + 1).read_to_end(&mut text)
    };
    read.map_err(|error| cannot(&error))?;
    // Half of it would be planned as if it were all.
    if MOST < text.len() as u64 {
        return Err(Failure {
            hint: Some("give the part that is to be done now".to_owned()),
            ..cannot(&io::Error::other("it is larger than 1 MiB"))
        });
    }
    String::from_utf8(text).map_err(|_| cannot(&io::Error::other("it is no text in UTF-8")))
}

/// Work that there is comes first.
fn refuse_beside(backlog: &Backlog, desk: &Desk) -> Result<(), Failure> {
    let pending = backlog.pending(&desk.name).map_err(|error| failure(&error))?;
    if pending.is_empty() {
        return Ok(());
    }
    Err(Failure {
        message: "there is work to do before a new plan is made".to_owned(),
        causes: pending.words().iter().map(|line| inert(line)).collect(),
        hint: Some(
            "finish or cancel it (`luminosctl tasks list`), or plan beside it with `--anyway`".to_owned(),
        ),
        exit: Exit::Failed,
    })
}

/// Somebody else plans for this repository. What it plans stands in the words about who has the lock.
fn busy(error: &StoreError, what: &str, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let is_same = matches!(error, StoreError::Busy { holder, .. } if holder.contains(what));
    if is_same {
        session.printer.note("the same plan is being made by another process; nothing to do");
        return Ok(Exit::Done);
    }
    Err(Failure {
        hint: Some("wait for it, and look at `luminosctl tasks list` then".to_owned()),
        ..crate::known::failure(error)
    }
    .into())
}

fn skipped(skip: &Skip, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let tasks = counted(skip.tasks as usize, "task");
    session.printer.note(format_args!(
        "this was planned {} s ago and has {tasks}; nothing was asked or saved (`luminosctl tasks list` shows them)",
        skip.age / 1000
    ));
    Ok(Exit::Done)
}

/// A plan, and what it cost as far as prices are known.
struct Made {
    planned: Planned,
    cost: Option<Money>,
}

/// What is known of the repository about the requirement.
fn knowledge(
    desk: &Desk,
    config: &Config,
    watching: Watching,
    session: &mut Session<'_>,
) -> Result<Knowledge, Stop> {
    if desk.facts.is_uninitialised() {
        return Ok(Knowledge::default());
    }
    let requirement = &desk.parsed.requirement;
    let wanted = format!("{} {}", requirement.goal, requirement.acceptance_criteria.join(" "));
    known::gather(&desk.repo, &wanted, &desk.facts, &desk.content, config, watching, session)
}

/// Makes the plan.
fn make(
    args: &PlanArgs,
    desk: &Desk,
    knowledge: &Knowledge,
    backlog: &Backlog,
    resolved: &Resolved,
    runtime: &Runtime,
    session: &mut Session<'_>,
) -> Result<Made, Stop> {
    let config = &resolved.config;
    let standing: Vec<Standing> = backlog.standing(&desk.name).map_err(|error| failure(&error))?;
    let hints = backlog.hints(&desk.name).map_err(|error| failure(&error))?;
    let feedback = backlog.judge_feedback(&desk.name, 5).map_err(|error| failure(&error))?;
    let open = [Status::Queued, Status::Running, Status::Blocked];
    let tasks = backlog
        .tasks(&TaskFilter { repo: Some(&desk.name), statuses: &open })
        .map_err(|error| failure(&error))?;
    let policy = CommandPolicy::default();
    let planner = &config.planner;
    let verify = VerifySettings {
        mode: planner.verify_commands.word().parse().unwrap_or(VerifyMode::Hybrid),
        most: usize::try_from(planner.verify_max.max(1)).unwrap_or(4),
        augment_nonempty: planner.verify_augment,
        on_uninitialised: planner.verify_uninitialised,
    };
    let e2e = tasks::e2e_command(&desk.facts);
    let around = Surroundings {
        facts: &desk.facts,
        lists: &desk.rules.lists,
        recovery: &desk.rules.recovery,
        verify: &verify,
        contract: desk.rules.contract.as_ref(),
        policy: &policy,
        backlog: &standing,
        hints: &hints,
        has_docs_task: tasks.iter().any(|task| task.role == Role::Docser),
        e2e_command: e2e.as_deref(),
    };
    let check = |path: &str, line: u64, quote: &str| stands_at(&desk.repo, &desk.facts, path, line, quote);
    let mark = TaskId::fresh().short().to_owned();
    let file = requirement_file(args.requirement(), &desk.repo, session);
    let made = runtime.block_on(async {
        let input = PlanInput {
            parsed: &desk.parsed,
            around,
            knowledge,
            check: &check,
            feedback: &feedback,
            requirement_file: &file,
            ask: ask_settings(resolved),
            mark: &mark,
        };
        let Some(name) = &desk.model else {
            let planned = tasks::plan::<GatewayModel>(input, None).await;
            return Ok(Made { planned, cost: None });
        };
        session.printer.note(asking(name, session.around()));
        let (gateway, model) = args.mind.connect(name, resolved, session.around(), &desk.repo).await?;
        let planned = tasks::plan(input, Some(&model)).await;
        let totals = gateway.totals().await.ok();
        if let Some(passed) = totals.as_ref().and_then(|totals| totals.passed) {
            session.printer.warn(passed);
        }
        let totals = totals.filter(|totals| totals.unpriced == 0);
        gateway.stop();
        Ok::<_, Stop>(Made { planned, cost: totals.map(|totals| totals.spending.spent.money) })
    })?;
    // What a server says cannot change a file; a program can, whatever it was told.
    let is_program = desk.model.as_ref().is_some_and(|name| name.service().is_program());
    if is_program && scan_target(&desk.repo, config, session)?.content_hash().to_string() != desk.content {
        return Err(Failure {
            message: "files of the repository changed while the plan was made; nothing was saved".to_owned(),
            causes: Vec::new(),
            hint: Some(
                "if you changed them yourself, plan again; otherwise look at what the model's program did with `git diff`"
                    .to_owned(),
            ),
            exit: Exit::Failed,
        }
        .into());
    }
    Ok(made)
}

/// Whether words stand at a line of a file, or close to it.
pub(super) fn stands_at(repo: &Path, facts: &RepoFacts, path: &str, line: u64, quote: &str) -> bool {
    if !facts.has(path) {
        return false;
    }
    let Some(text) = read(&repo.join(path), 4 << 20) else { return false };
    let at = usize::try_from(line).unwrap_or(0);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let around: Vec<&str> = text.lines().skip(at.saturating_sub(3)).take(5).collect();
    !words(quote).is_empty() && words(&around.join("\n")).contains(&words(quote))
}

/// Where a completed requirement belongs: where it came from, if that is in the repository.
fn requirement_file(path: &Path, repo: &Path, session: &Session<'_>) -> String {
    let real = fs::canonicalize(session.absolute(path)).ok();
    let inside = real.as_deref().and_then(|real| real.strip_prefix(repo).ok());
    inside.map_or(REQUIREMENT_FILE.to_owned(), |inside| inside.to_string_lossy().into_owned())
}

fn save(
    backlog: &mut Backlog,
    plan: &PlanRow,
    args: &PlanArgs,
    desk: &Desk,
    made: &Made,
    linking: Linking,
) -> Result<Vec<TaskId>, Failure> {
    let planned = &made.planned;
    let requirement = &planned.requirement;
    let told = json!({
        "requirementPath": args.requirement(),
        "requirement": { "goal": requirement.goal, "acceptanceCriteriaCount": requirement.acceptance_criteria.len(),
            "allowedPaths": requirement.allowed_paths },
        "inputs": desk.inputs,
        "summary": summary(made),
        "inspection": planned.inspection,
        "policyRecoveryHintApplications": planned.refined.hint_applications,
    });
    let saved = backlog.save_plan(plan, &planned.refined.tasks, &told, linking, now());
    saved.map(|saved| saved.tasks).map_err(|error| failure(&error))
}
