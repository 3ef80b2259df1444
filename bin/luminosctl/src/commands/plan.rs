//! `luminosctl plan`

use std::path::PathBuf;

use clap::Args;
use luminos_core::plan::{Dirs, Turns, apply_plan};
use luminos_core::{Exit, Failure};
use luminos_engine::StoredPlan;
use luminos_report::plan::{self, PlanView};
use luminos_report::{Detail, Layout};
use luminos_wire::control::{Ended, RunLimits, RunRequest};

use super::report::layout;
use super::run::{Followed, SecretFiles, Watching, announce, request, run_to_end};
use super::scan::scan_target;
use super::target::{ModelArgs, WalkArgs, real_target};
use crate::known;
use crate::printer::Stop;
use crate::session::Session;

/// Show how an investigation would go about a directory: which parts get how many turns, and why
///
/// The directory is scanned, surveyed and planned for, and nothing else is done or spent. `luminosctl run` then
/// follows this plan. Without a model the plan is made by rule.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct PlanArgs {
    /// The directory to plan for
    #[arg(default_value = ".")]
    path: PathBuf,

    #[command(flatten)]
    models: ModelArgs,

    /// Make the survey and the plan anew
    #[arg(long)]
    refresh: bool,

    #[command(flatten)]
    walk: WalkArgs,

    /// Plan for no more turns than this for all directories together
    #[arg(long, value_name = "N")]
    max_turns: Option<u32>,

    /// List every directory, also those that get what all get
    #[arg(long)]
    full: bool,

    /// Print a JSON object with order, rows, total, warnings, left_out and notes
    #[arg(long)]
    json: bool,

    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl plan .
  luminosctl plan ~/src/x --max-turns 200 --full
  luminosctl plan . --json | jq -r '.rows[] | \"\\(.turns)  \\(.dir)\"'

Exit codes:
    0  done
    1  failed
    2  the command line or the configuration makes no sense
  130  interrupted";

/// Plans and prints.
pub(crate) fn run(args: &PlanArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let config = session.resolve_for(&args.path, args.models.over(args.walk.layer()))?.config;
    let target = real_target(&session, &args.path)?;
    let models = args.models.models(&config, &mut session)?;
    let limits = RunLimits { turns: args.max_turns.map(Turns), ..RunLimits::default() };
    let watching = if args.quiet { Watching::Quiet } else { Watching::Live };
    announce(&models, &limits, SecretFiles::Withheld, &mut session);
    let request = RunRequest {
        limits,
        refresh_plan: args.refresh,
        plan_only: true,
        ..request(&config, &session, &target, models)
    };
    let Followed { investigation, ended } = run_to_end(request, watching, &config, &mut session)?;
    let store = known::store(&config.home)?;
    let id = investigation.parse().map_err(|_| failed(Vec::new()))?;
    let stored = store.investigation(id).plan().map_err(|problem| Failure::new(&problem, None))?;
    let Some(StoredPlan { plan, .. }) = stored else {
        return match ended {
            Ended::Cancelled => {
                session.printer.note("interrupted");
                Ok(Exit::Interrupted)
            }
            Ended::Failed { reason } => Err(failed(vec![reason]).into()),
            Ended::Done | Ended::Partial { .. } => {
                Err(failed(vec!["nobody could make a plan".to_owned()]).into())
            }
        };
    };
    let scan = scan_target(&target, &config, &mut session)?;
    let dirs = Dirs::of(&scan);
    let schedule = apply_plan(&plan, &dirs, limits.turns);
    let view = PlanView::new(&plan, &schedule, &dirs);
    if args.json {
        session.printer.print_json(&view)?;
    } else {
        let detail = if args.full { Detail::Full } else { Detail::Usual };
        let text = plan::text(&view, &Layout { detail, ..layout(&session) });
        session.printer.print(text)?;
    }
    Ok(Exit::Done)
}

fn failed(causes: Vec<String>) -> Failure {
    Failure {
        message: "the directory could not be planned for".to_owned(),
        causes,
        hint: Some("`luminosctl run` works without a plan, too".to_owned()),
        exit: Exit::Failed,
    }
}
