//! `luminosctl tasks judge`

use std::path::PathBuf;

use clap::Args;
use luminos_core::{Exit, Failure};
use luminos_engine::evolve::Repo;
use luminos_engine::read_named;
use luminos_engine::tasks::{
    Asker, Changed, Check, CommandPolicy, Diff, JudgePolicy, Review, Status, TaskId, Verdict, block_reason,
    judge, read_checks, review,
};
use serde_json::json;

use super::model::{MindArgs, ask_settings, asking, runtime};
use super::place::Place;
use super::repository::rules;
use super::{RepoArgs, failure, inert, now};
use crate::commands::evolve::explain;
use crate::printer::Stop;
use crate::session::{Session, for_terminal};

/// Judge finished work: its checks, the paths of its diff, its risk, and a model's review
///
/// Only work that was handed in (`luminosctl tasks done TASK --review`), and whose dependencies are done, is judged. What
/// is not known to be right is not approved: no checks are no pass, and a diff that cannot be read is not judged. The
/// verdict is kept, moves the task on, and is told to whoever plans next.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct JudgeArgs {
    /// The task: its name, or the end of it
    task: String,

    #[command(flatten)]
    repo: RepoArgs,

    /// The whole change as a unified diff
    #[arg(long, value_name = "FILE", required_unless_present = "range")]
    diff: Option<PathBuf>,

    /// The change as revisions: what B has that A has not
    #[arg(long, value_name = "A..B", conflicts_with = "diff")]
    range: Option<String>,

    /// The results of checks: {"checks": [{"name": "test", "status": "success"}]}
    #[arg(long, value_name = "FILE")]
    ci: Option<PathBuf>,

    /// A check that must have passed; can be repeated
    #[arg(long, value_name = "NAME")]
    require: Vec<String>,

    #[command(flatten)]
    mind: MindArgs,

    /// Say what would be decided, and change nothing
    #[arg(long)]
    dry_run: bool,

    /// Print a JSON object with verdict, risk, reasons and suggestions
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  git diff main... > change.diff
  luminosctl tasks judge 1f3a --diff change.diff --ci results.json
  luminosctl tasks judge 1f3a --range main..work --ci results.json

Exit codes:
    0  approved
    1  not approved, or failed
    2  the command line or a file makes no sense";

/// Judges and prints.
pub(crate) fn run(args: &JudgeArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let (Place { dir, name: repo }, mut backlog) = args.repo.open(&mut session)?;
    let resolved = session.resolve_for(&args.repo.repo, args.mind.over(Default::default()))?;
    let rules = rules(&dir, &CommandPolicy::default())?;
    let task = backlog.find(&args.task).map_err(|error| failure(&error))?;
    backlog.check_handed_in(&task.id).map_err(|error| failure(&error))?;
    let text = |path: &PathBuf| {
        read_named(&session.absolute(path)).map_err(|error| Failure {
            exit: Exit::Usage,
            ..Failure::caused_by(format!("cannot read `{}`", for_terminal(path)), &error)
        })
    };
    let (written, diff) = match (&args.diff, &args.range) {
        (Some(path), _) => {
            let written = text(path)?;
            let diff = Diff::read(&written);
            (written, diff)
        }
        (None, range) => {
            let git = Repo::open(&dir).map_err(|error| explain(&error))?;
            let range = git.range(range.as_deref().unwrap_or_default()).map_err(|error| explain(&error))?;
            let files = range.files.into_iter();
            let files =
                files.map(|file| Changed { path: file.path, added: file.added, removed: file.removed });
            (range.text, Ok(Diff { files: files.collect() }))
        }
    };
    let checks: Option<Vec<Check>> = match &args.ci {
        Some(path) => Some(read_checks(&text(path)?).map_err(|error| Failure {
            message: format!("`{}` holds no results of checks", for_terminal(path)),
            causes: vec![error],
            hint: Some(
                "it should be {\"checks\": [{\"name\": \"test\", \"status\": \"success\"}]}".to_owned(),
            ),
            exit: Exit::Usage,
        })?),
        None => None,
    };
    let policy = JudgePolicy { required_checks: args.require.clone(), ..JudgePolicy::default() };
    let review = match (args.mind.name(&resolved, &mut session)?, &diff) {
        (Some(name), Ok(diff)) => runtime()?.block_on(async {
            session.printer.note(asking(&name, session.around()));
            let (gateway, model) = args.mind.connect(&name, &resolved, session.around(), &dir).await?;
            let mut asker = Asker::new(&model, ask_settings(&resolved), TaskId::fresh().short());
            let review = review(&mut asker, &task, &written, diff).await;
            gateway.stop();
            Ok::<_, Failure>(review)
        })?,
        (Some(_), Err(_)) | (None, _) => Review::NotAsked,
    };
    let judgement = judge(&task, diff.as_ref(), checks.as_deref(), &review, &policy, &rules.recovery);
    if !args.dry_run {
        let (to, reason) = match judgement.verdict {
            Verdict::Approve => (Status::Done, None),
            Verdict::RequestChanges => (Status::Blocked, Some(block_reason::NEEDS_REWORK)),
            Verdict::NeedsHuman => (Status::Blocked, Some(block_reason::AWAITING_JUDGE)),
        };
        backlog.settle_by_verdict(&task.id, to, reason, now()).map_err(|error| failure(&error))?;
        let payload = json!({ "taskId": task.id, "taskTitle": task.title, "verdict": judgement.verdict,
            "riskLevel": judgement.risk_level, "reasons": judgement.reasons, "suggestions": judgement.suggestions });
        backlog
            .tell("judge.review", Some(&repo), Some(&task.id.0), &payload, now())
            .map_err(|error| failure(&error))?;
        if !judgement.recovered.is_empty() {
            let paths: Vec<&String> = judgement.recovered.iter().map(|(path, _)| path).collect();
            let payload = json!({ "addedAllowedPaths": paths });
            let told =
                backlog.tell("task.policy_recovery_applied", Some(&repo), Some(&task.id.0), &payload, now());
            told.map_err(|error| failure(&error))?;
        }
    }
    if args.json {
        session.printer.print_json(&judgement)?;
    } else {
        session.printer.print(format_args!("{}, risk {}\n", judgement.verdict, judgement.risk_level))?;
        for reason in &judgement.reasons {
            session.printer.print(format_args!("  {}\n", inert(reason)))?;
        }
        for (path, why) in &judgement.recovered {
            session.printer.print(format_args!("  {} was let through: {why}\n", inert(path)))?;
        }
        for suggestion in &judgement.suggestions {
            session.printer.note(format_args!("hint: {}", inert(suggestion)));
        }
    }
    Ok(if judgement.verdict == Verdict::Approve { Exit::Done } else { Exit::Failed })
}
