//! `luminosctl run`

mod follow;
mod progress;
mod request;
mod suggest;

use std::path::{Path, PathBuf};

use clap::Args;
use luminos_core::config::Config;
use luminos_core::flag::{Flag, Severity};
use luminos_core::plan::Turns;
use luminos_core::report::Report;
use luminos_core::spend::{Money, Tokens};
use luminos_core::{Exit, Failure, Untrusted};
use luminos_engine::Investigation;
use luminos_report::Detail;
use luminos_wire::control::{Ended, RunLimits, RunRequest};

use super::report::{ReportArgs, print_head, print_report};
use super::target::{ModelArgs, WalkArgs, real_target};
use crate::known;
use crate::printer::Stop;
use crate::session::Session;
pub(crate) use follow::{Followed, Watching, run_to_end};
pub(crate) use request::{SecretFiles, announce, request, warn_of_small_window};

/// Investigate a directory and print the report
///
/// A second run on the same path resumes: only what changed is looked at again. Without a model the embedded analyst
/// works, which needs no key and no network. Nothing is written into the directory.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct RunArgs {
    /// The directory to investigate
    #[arg(default_value = ".")]
    path: PathBuf,

    #[command(flatten)]
    models: ModelArgs,

    /// Start over instead of resuming
    #[arg(long)]
    fresh: bool,

    /// Make the survey and the plan anew
    #[arg(long)]
    refresh_plan: bool,

    /// Judge claims against the bytes they cite (`mechanical`), and have a model try to refute what holds (`model`)
    #[arg(long, value_name = "JUDGE", default_value = "mechanical", value_parser = judge)]
    judge: Judge,

    /// Look again, up to this many times, into what came out unsure, unproved or in part
    #[arg(long, value_name = "N", default_value_t = 0)]
    refine: u32,

    /// Show models files that keep secrets by their names, such as `.env`, private keys and key stores
    ///
    /// Without it models see that such files are there, and nothing of what is in them. Secrets that are recognised by
    /// their form are taken out of everything that is sent, with and without it.
    #[arg(long)]
    include_secrets: bool,

    #[command(flatten)]
    walk: WalkArgs,

    /// Work with this many processes; 0 means one for each core
    #[arg(long, value_name = "N", default_value_t = 0)]
    workers: u32,

    /// Look into this many directories at a time; 0 means as many as suit the model
    #[arg(long, value_name = "N", default_value_t = 0)]
    parallel: u32,

    /// Spend no more than this, in US dollars
    #[arg(long, value_name = "DOLLARS")]
    max_cost: Option<Money>,

    /// Use no more tokens than this, input and output together
    #[arg(long, value_name = "N")]
    max_tokens: Option<u64>,

    /// Use no more turns than this for all directories together
    #[arg(long, value_name = "N")]
    max_turns: Option<u32>,

    /// Take no longer than this, in seconds
    #[arg(long, value_name = "SECONDS")]
    max_time: Option<u64>,

    #[command(flatten)]
    report: ReportArgs,

    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl run .                                 look at the current directory, with no model
  luminosctl run ~/src/x --model ollama/llama3.2   ask a model on this machine
  luminosctl run . --model anthropic/claude-sonnet-5-5 --max-cost 0.50
  luminosctl run . --fail-on critical --quiet      for scripts
  luminosctl run . --baseline old.json --fail-on critical:new --format sarif -o flags.sarif

Exit codes:
    0  done
    1  failed
    2  the command line or the configuration makes no sense
    3  done in part: a limit was reached, or a model kept failing
    4  done, and there are flags at or above --fail-on
  130  interrupted; the work is kept, and the next run resumes";

/// Who judges claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Judge {
    /// The bytes alone.
    Mechanical,
    /// The bytes, and then a model.
    Model,
}

fn judge(word: &str) -> Result<Judge, String> {
    match word {
        "mechanical" => Ok(Judge::Mechanical),
        "model" => Ok(Judge::Model),
        _ => Err("use `mechanical` or `model`".to_owned()),
    }
}

pub(crate) fn severity(word: &str) -> Result<Severity, String> {
    let found = Severity::ALL.into_iter().find(|severity| severity.word() == word);
    found.ok_or_else(|| "use `info`, `concern` or `critical`".to_owned())
}

impl RunArgs {
    fn limits(&self) -> RunLimits {
        RunLimits {
            cost: self.max_cost,
            tokens: self.max_tokens.map(Tokens),
            turns: self.max_turns.map(Turns),
            seconds: self.max_time,
        }
    }
}

/// Investigates and prints.
pub(crate) fn run(args: &RunArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let config = session.resolve_for(&args.path, args.models.over(args.walk.layer()))?.config;
    let target = real_target(&session, &args.path)?;
    let models = args.models.models(&config, &mut session)?;
    if args.judge == Judge::Model && !models.iter().any(|(pass, _)| pass == "judge") {
        let hint = "name one with --model, or set `models.judge`; without --judge the bytes alone decide";
        return Err(Failure::usage("there is no model that could judge".to_owned(), hint).into());
    }
    let is_undecided = models.is_empty() && !args.models.is_chosen();
    let watching = if args.quiet { Watching::Quiet } else { Watching::Live };
    let secret_files = if args.include_secrets { SecretFiles::Shown } else { SecretFiles::Withheld };
    announce(&models, &args.limits(), secret_files, &mut session);
    warn_of_small_window(&models, &config, &mut session);
    let request = RunRequest {
        limits: args.limits(),
        workers: args.workers,
        parallel: args.parallel,
        fresh: args.fresh,
        refresh_plan: args.refresh_plan,
        second_judge: args.judge == Judge::Model,
        refinements: args.refine,
        show_secrets: args.include_secrets,
        ..request(&config, &session, &target, models)
    };
    let baseline = args.report.baseline(&mut session)?;
    let followed = run_to_end(request, watching, &config, &mut session)?;
    let exit = finish(&followed, &args.report, baseline.as_deref(), &config, &mut session)?;
    if is_undecided && watching == Watching::Live && exit != Exit::Interrupted {
        suggest::suggest(&config, &target, &mut session);
    }
    Ok(exit)
}

/// Prints what came out.
pub(crate) fn finish(
    Followed { investigation, ended }: &Followed,
    args: &ReportArgs,
    baseline: Option<&[Flag]>,
    config: &Config,
    session: &mut Session<'_>,
) -> Result<Exit, Stop> {
    match ended {
        Ended::Failed { reason } => {
            return Err(Failure {
                message: "nothing could be investigated".to_owned(),
                causes: vec![reason.clone()],
                hint: None,
                exit: Exit::Failed,
            }
            .into());
        }
        Ended::Cancelled => {
            session.printer.note("interrupted; the work is kept, and the next run resumes");
            return Ok(Exit::Interrupted);
        }
        Ended::Done | Ended::Partial { .. } => {}
    }
    let exit = match print_head(&stored(&config.home, investigation)?, args, session)? {
        Some(exit) => exit,
        None => {
            let (found, report) = stored_report(&config.home, investigation)?;
            print_report(&report, Some(&found), args, baseline, Detail::Usual, session)?
        }
    };
    if exit == Exit::Flagged {
        return Ok(exit);
    }
    match ended {
        Ended::Partial { reasons } => {
            for reason in reasons {
                session.printer.warn(Untrusted::new(reason.as_bytes()).for_terminal());
            }
            Ok(Exit::Partial)
        }
        Ended::Done | Ended::Failed { .. } | Ended::Cancelled => Ok(Exit::Done),
    }
}

/// The report of an investigation.
pub(crate) fn stored_report(home: &Path, investigation: &str) -> Result<(Investigation, Report), Failure> {
    let found = stored(home, investigation)?;
    let report = found.report::<Report>().map_err(|problem| Failure::new(&problem, Some(known::REMAKE)))?;
    Ok((found, report.ok_or_else(no_report)?))
}

fn stored(home: &Path, investigation: &str) -> Result<Investigation, Failure> {
    Ok(known::store(home)?.investigation(investigation.parse().map_err(|_| no_report())?))
}

fn no_report() -> Failure {
    Failure {
        message: "the investigation ended without a report".to_owned(),
        causes: Vec::new(),
        hint: Some("look into `run/daemon.log` in the state directory".to_owned()),
        exit: Exit::Failed,
    }
}
