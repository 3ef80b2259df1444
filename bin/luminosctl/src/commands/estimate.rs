//! `luminosctl estimate`

use std::path::PathBuf;

use clap::Args;
use luminos_core::Exit;
use luminos_core::plan::Turns;
use luminos_core::spend::{Money, Tokens};
use luminos_engine::{OFFLINE, Projection, experience_of, project};
use luminos_report::estimate::{self, Estimate};

use super::ask::models_known;
use super::report::layout;
use super::scan::scan_target;
use super::target::{ModelArgs, WalkArgs, real_target};
use crate::printer::Stop;
use crate::session::{Session, for_terminal};

/// Say what an investigation would take: turns, tokens and money
///
/// No model is asked: the directory is scanned and planned for by rule, on this machine. Nobody can know how a model
/// will go about it, so that every number is a range, and what it assumes stands below. For a model without a known
/// price there are tokens only.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct EstimateArgs {
    /// The directory that would be investigated
    #[arg(default_value = ".")]
    path: PathBuf,

    #[command(flatten)]
    models: ModelArgs,

    #[command(flatten)]
    walk: WalkArgs,

    /// Use no more turns than this for all directories together
    #[arg(long, value_name = "N")]
    max_turns: Option<u32>,

    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl estimate . --model anthropic/claude-sonnet-5-5
  luminosctl estimate ~/src/x --model ollama/llama3.2 --max-turns 100

Exit codes:
  0  done
  1  the directory could not be scanned
  2  the command line or the configuration makes no sense";

/// Estimates and prints.
pub(crate) fn run(args: &EstimateArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let resolved = session.resolve_for(&args.path, args.models.over(args.walk.layer()))?;
    let target = real_target(&session, &args.path)?;
    let models = args.models.models(&resolved.config, &mut session)?;
    // Nearly everything is said to whoever looks into directories.
    let model = models.iter().find(|(pass, _)| pass == "dir").map(|(_, name)| name.as_str());
    let known = models_known(&resolved)?;
    // Facts are listed without the service.
    let facts = model.and_then(|name| name.split_once('/')).and_then(|(_, id)| known.get(id));
    let scan = scan_target(&target, &resolved.config, &mut session)?;
    let experience = experience_of(&resolved.config.home, &target);
    let projection = project(&scan, facts, args.max_turns.map(Turns), &experience);
    let estimate = words(projection, for_terminal(&target), model);
    if args.json {
        session.printer.print_json(&estimate)?;
    } else {
        let text = estimate::text(&estimate, &layout(&session));
        session.printer.print(text)?;
    }
    Ok(Exit::Done)
}

fn words(projection: Projection, target: String, model: Option<&str>) -> Estimate {
    let Projection { dirs, turns, tokens, cost, assumptions } = projection;
    let usual = Estimate {
        target,
        model: model.unwrap_or(OFFLINE).to_owned(),
        dirs,
        dirs_unchanged: 0,
        turns,
        tokens,
        cost,
        seconds: None,
        assumptions,
    };
    match model {
        Some(_) => usual,
        None => Estimate {
            model: format!("{OFFLINE}, which asks nobody"),
            tokens: Tokens(0)..=Tokens(0),
            cost: Some(Money::default()..=Money::default()),
            assumptions: vec!["--model NAME says what it would take to ask a model".to_owned()],
            ..usual
        },
    }
}
