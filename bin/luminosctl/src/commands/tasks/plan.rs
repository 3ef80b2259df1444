//! `luminosctl tasks plan`

use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use clap::Args;
use luminos_core::config::Resolved;
use luminos_core::entry::Stamp;
use luminos_core::{Exit, Failure};
use luminos_engine::tasks::{
    self, Backlog, Begun, CommandPolicy, Linking, NotARequirement, Parsed, PlanInput, PlanInputs, PlanRow,
    Planned, REQUIREMENT_FILE, RepoFacts, Requirement, Role, Skip, Standing, Status, Surroundings,
    TaskFilter, TaskId, VerifyMode, VerifySettings, hash,
};
use luminos_engine::{GatewayModel, Holder, ModelName, NamedLock, OFFLINE, PlannerLock, Store, StoreError};
use serde_json::{Value, json};

use super::model::{MindArgs, ask_settings, runtime};
use super::repository::{Rules, facts, head, read, rules};
use super::{backlog, failure, inert, known, now, repo_name, work};
use crate::commands::run::Watching;
use crate::commands::scan::scan_target;
use crate::commands::target::real_target;
use crate::printer::Stop;
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
    requirement: PathBuf,

    /// The repository that is to change
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

    /// Print a JSON object with tasks, warnings, degraded and what the model used
    #[arg(long)]
    json: bool,

    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
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
    let resolved = session.resolve_for(&args.repo, Default::default())?;
    let watching = if args.quiet { Watching::Quiet } else { Watching::Live };
    let desk = prepare(args, &resolved, &mut session)?;
    let home = &resolved.config.home;
    let mut backlog = backlog(home)?;
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
        let planned = make(args, &desk, &backlog, &resolved, watching, &mut session)?;
        return print(args, &desk, &planned, None, &mut session);
    }
    let store = Store::open(home).map_err(|error| crate::known::failure(&error))?;
    let holder =
        Holder::this_process(Stamp(tasks::moment(now())), format!("tasks plan {}", &desk.signature[..12]));
    let lock =
        match NamedLock::try_acquire(&store, &format!("plan-{}", &hash(desk.name.as_bytes())[..16]), &holder)
        {
            Ok(lock) => lock,
            Err(error @ StoreError::Busy { .. }) => return busy(&error, &backlog, &desk, &mut session),
            Err(error) => return Err(crate::known::failure(&error).into()),
        };
    let fence = {
        let told = |holder: &str| session.printer.note(format_args!("waiting for {holder}"));
        let planner =
            PlannerLock::acquire(&store, &holder, told).map_err(|error| crate::known::failure(&error))?;
        planner.fence().0
    };
    let agent = format!("planner-{}", std::process::id());
    let begun = backlog.begin_plan(&desk.name, &desk.signature, &agent, fence, window, now());
    let plan = match begun.map_err(|error| failure(&error))? {
        Begun::Go(plan) => plan,
        Begun::Skip(skip) => return skipped(&skip, &mut session),
    };
    let made = make(args, &desk, &backlog, &resolved, watching, &mut session);
    let planned = match made {
        Ok(planned) => planned,
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
    let ids = save(&mut backlog, &plan, args, &desk, &planned)?;
    drop(lock);
    print(args, &desk, &planned, Some(&ids), &mut session)
}

/// Everything that can be known before a model is asked, faults included.
fn prepare(args: &PlanArgs, resolved: &Resolved, session: &mut Session<'_>) -> Result<Desk, Stop> {
    let text = requirement_text(&args.requirement, session)?;
    let parsed = Requirement::parse(&text).map_err(|error| Failure {
        exit: Exit::Usage,
        ..Failure::new(&error, Some(match error {
            NotARequirement::Empty | NotARequirement::NoGoal => "write what is wanted, in a sentence or in sections; `luminosctl tasks plan --help` lists them",
            NotARequirement::NoCriterion => "list what is true when it is done below `Acceptance Criteria`",
            NotARequirement::NoPath => "list what may be changed below `Allowed Paths`, or leave that section out",
        }))
    })?;
    let repo = real_target(session, &args.repo)?;
    let rules = rules(&repo, &CommandPolicy::default())?;
    let model = args.mind.name(resolved)?;
    let scan = scan_target(&repo, &resolved.config, session)?;
    let facts = facts(&repo, &scan);
    let content = scan.content_hash().to_string();
    let name = repo_name(&repo);
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
    let mut text = String::new();
    let cannot = |error: &io::Error| Failure {
        exit: Exit::Usage,
        ..Failure::caused_by(format!("cannot read the requirement `{}`", for_terminal(path)), error)
    };
    if path == Path::new("-") {
        io::stdin().lock().take(MOST).read_to_string(&mut text).map_err(|error| cannot(&error))?;
    } else {
        let file = fs::File::open(session.absolute(path)).map_err(|error| cannot(&error))?;
        file.take(MOST).read_to_string(&mut text).map_err(|error| cannot(&error))?;
    }
    Ok(text)
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

/// Somebody else plans for this repository.
fn busy(error: &StoreError, backlog: &Backlog, desk: &Desk, session: &mut Session<'_>) -> Result<Exit, Stop> {
    let same = backlog.is_running(&desk.name, &desk.signature).map_err(|error| failure(&error))?;
    if same {
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
    let tasks = if skip.tasks == 1 { "1 task".to_owned() } else { format!("{} tasks", skip.tasks) };
    session.printer.note(format_args!(
        "this was planned {} s ago and has {tasks}; nothing was asked or saved (`luminosctl tasks list` shows them)",
        skip.age / 1000
    ));
    Ok(Exit::Done)
}

/// Makes the plan.
fn make(
    args: &PlanArgs,
    desk: &Desk,
    backlog: &Backlog,
    resolved: &Resolved,
    watching: Watching,
    session: &mut Session<'_>,
) -> Result<Planned, Stop> {
    let config = &resolved.config;
    let requirement = &desk.parsed.requirement;
    let wanted = format!("{} {}", requirement.goal, requirement.acceptance_criteria.join(" "));
    let knowledge = if desk.facts.is_uninitialised() {
        Default::default()
    } else {
        known::gather(&desk.repo, &wanted, &desk.facts, &desk.content, config, watching, session)?
    };
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
        e2e_command: None,
    };
    let check = |path: &str, line: u64, quote: &str| stands_at(&desk.repo, &desk.facts, path, line, quote);
    let mark = TaskId::fresh().short().to_owned();
    let file = requirement_file(&args.requirement, &desk.repo, session);
    runtime()?.block_on(async {
        let input = PlanInput {
            parsed: &desk.parsed,
            around,
            knowledge: &knowledge,
            check: &check,
            feedback: &feedback,
            requirement_file: &file,
            ask: ask_settings(resolved),
            mark: &mark,
        };
        let Some(name) = &desk.model else { return Ok(tasks::plan::<GatewayModel>(input, None).await) };
        if watching == Watching::Live {
            session.printer.note(format_args!("asking {name}; file names and lines of files are sent there, secrets that are recognised taken out"));
        }
        let (gateway, model) = args.mind.connect(name, resolved, session.around()).await?;
        let planned = tasks::plan(input, Some(&model)).await;
        gateway.stop();
        Ok(planned)
    })
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
    planned: &Planned,
) -> Result<Vec<TaskId>, Failure> {
    let requirement = &planned.requirement;
    let told = json!({
        "requirementPath": args.requirement,
        "requirement": { "goal": requirement.goal, "acceptanceCriteriaCount": requirement.acceptance_criteria.len(),
            "allowedPaths": requirement.allowed_paths },
        "inputs": desk.inputs,
        "summary": summary(planned),
        "inspection": planned.inspection,
        "policyRecoveryHintApplications": planned.refined.hint_applications,
    });
    let saved = backlog.save_plan(plan, &planned.refined.tasks, &told, Linking::No, now());
    saved.map(|saved| saved.tasks).map_err(|error| failure(&error))
}

fn summary(planned: &Planned) -> Value {
    json!({
        "totalTasks": planned.refined.tasks.len(),
        "totalEstimatedMinutes": planned.refined.total_estimated_minutes,
        "warnings": planned.refined.warnings,
        "degraded": planned.degraded,
        "calls": planned.calls,
        "inputTokens": planned.usage.prompt().0,
        "outputTokens": planned.usage.output.0,
    })
}

fn print(
    args: &PlanArgs,
    desk: &Desk,
    planned: &Planned,
    ids: Option<&[TaskId]>,
    session: &mut Session<'_>,
) -> Result<Exit, Stop> {
    let exit = if planned.degraded.is_empty() { Exit::Done } else { Exit::Partial };
    if args.json {
        let document = json!({ "repo": desk.name, "signature": desk.signature, "saved": ids.is_some(), "taskIds": ids,
            "requirement": planned.requirement, "summary": summary(planned), "tasks": planned.refined.tasks });
        session.printer.print_json(&document)?;
        return Ok(exit);
    }
    for (index, draft) in planned.refined.tasks.iter().enumerate() {
        let id = ids.and_then(|ids| ids.get(index));
        let name = id.map_or_else(|| format!("{}", index + 1), |id| id.short().to_owned());
        let before: Vec<String> = draft
            .depends_on
            .iter()
            .map(|dep| {
                ids.and_then(|ids| ids.get(dep.on))
                    .map_or_else(|| format!("{}", dep.on + 1), |id| id.short().to_owned())
            })
            .chain(draft.waits_for.iter().map(|edge| edge.task.short().to_owned()))
            .collect();
        session.printer.print(work::draft_text(&name, draft, &before))?;
        session.printer.print("\n")?;
    }
    let count = planned.refined.tasks.len();
    let tasks = if count == 1 { "1 task".to_owned() } else { format!("{count} tasks") };
    let saved = if ids.is_some() { "saved" } else { "not saved (--dry-run)" };
    session.printer.print(format_args!(
        "{tasks}, about {} minutes, {saved}\n",
        planned.refined.total_estimated_minutes
    ))?;
    for reason in &planned.degraded {
        session.printer.warn(format_args!("degraded: {}", inert(reason)));
    }
    for warning in &planned.refined.warnings {
        session.printer.warn(inert(warning));
    }
    if 0 < planned.calls {
        let usage = planned.usage;
        session.printer.note(format_args!(
            "{} calls, {} tokens in, {} out",
            planned.calls,
            usage.prompt().0,
            usage.output.0
        ));
    }
    Ok(exit)
}
