//! `luminosctl evolve plan`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use luminos_core::config::{Layer, ModelsConfig};
use luminos_core::spend::{Limits, Money, Tokens};
use luminos_core::{Exit, Failure, Moment};
use luminos_engine::evolve::{
    AnswerMode, EvolveModel, NoPlan, Notice, PlanDocument, Question, Source, Wish, evolve, plan_page,
};
use luminos_engine::{ModelName, OFFLINE};

use super::{explain, runtime};
use crate::commands::ask::{cannot_connect, explain as explain_call, interrupted, models_known};
use crate::commands::leaving::model_and_place;
use crate::commands::model_name::find_model;
use crate::commands::target::UnconfinedArgs;
use crate::files;
use crate::known::no_turn;
use crate::printer::{Stop, counted};
use crate::session::{Session, for_terminal};

/// Write a plan in steps for the next change of a repository
///
/// The plan starts at a base commit and takes ideas from other commits. Without a model it is made from history and metrics
/// alone, and says so. Nothing in the repository is changed.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct PlanArgs {
    /// Somewhere in the repository
    #[arg(long, value_name = "PATH", default_value = ".")]
    repo: PathBuf,

    /// The commit to start from
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    base: String,

    /// A commit or branch to take ideas from; can be repeated, up to ten times
    #[arg(long, value_name = "REV")]
    inspiration: Vec<String>,

    /// What should be better afterwards
    #[arg(long, value_name = "TEXT")]
    goal: String,

    /// Something that must hold; can be repeated
    #[arg(long, value_name = "TEXT")]
    constraint: Vec<String>,

    /// When it is done; can be repeated
    #[arg(long, value_name = "TEXT")]
    accept: Vec<String>,

    /// Something about this iteration
    #[arg(long, value_name = "TEXT")]
    hint: Option<String>,

    /// Leave results and inspirations aside: nothing has been tried yet
    #[arg(long)]
    cold_start: bool,

    /// How strictly the model must answer with a document
    #[arg(long, value_enum, default_value_t = ModeArg::Lenient)]
    mode: ModeArg,

    /// A file of metrics by commit, .json or .csv
    #[arg(long, value_name = "FILE")]
    metrics: Option<PathBuf>,

    /// Ask this model, such as anthropic/claude-sonnet-5-5 or codex
    ///
    /// Without this flag, the setting `models.default` decides; without that, nobody is asked.
    #[arg(long, value_name = "NAME")]
    model: Option<String>,

    /// Ask no model, whatever the configuration says
    #[arg(long, conflicts_with = "model")]
    offline: bool,

    #[command(flatten)]
    unconfined: UnconfinedArgs,

    /// Spend no more than this, in US dollars
    #[arg(long, value_name = "DOLLARS")]
    max_cost: Option<Money>,

    /// Use no more tokens than this, input and output together
    #[arg(long, value_name = "N")]
    max_tokens: Option<u64>,

    /// Take no longer than this, in seconds; a call that is under way then is ended
    #[arg(long, value_name = "SECONDS")]
    max_time: Option<u64>,

    /// Write the plan as JSON into this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Print the plan as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ModeArg {
    /// A valid document, or no plan
    Strict,
    /// A valid document, or else a plan made of what the model says, marked as such
    Lenient,
    /// No document is asked for
    None,
}

impl From<ModeArg> for AnswerMode {
    fn from(mode: ModeArg) -> Self {
        match mode {
            ModeArg::Strict => Self::Strict,
            ModeArg::Lenient => Self::Lenient,
            ModeArg::None => Self::None,
        }
    }
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl evolve plan --goal 'Make parsing faster'
  luminosctl evolve plan --base main --inspiration fast-parser --goal 'Make parsing faster' \\
      --constraint 'no new dependency' --metrics metrics.csv -o plan.json
  luminosctl evolve plan --goal '…' --model anthropic/claude-sonnet-5-5 --mode strict --max-cost 0.50

Metrics come from what `luminosctl evolve evaluate` measured, from notes (refs/notes/luminos-metrics), and from --metrics;
of the same name, the last one counts. As JSON, by revision:
  {\"main\": [{\"name\": \"speed\", \"value\": 12.5, \"unit\": \"MB/s\", \"higher_is_better\": true}], \"v1\": {\"speed\": 9}}
As CSV:
  commit,name,value,unit,higher_is_better,summary
  main,speed,12.5,MB/s,true,

Exit codes:
  0  there is a plan
  1  there is none
  2  the command line makes no sense
  3  a limit was reached: there is no plan; or the plan is not the model's own
  130  interrupted";

/// Plans and prints.
pub(crate) fn run(args: &PlanArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let resolved = session.resolve_for(&args.repo, args.unconfined.over(Layer::default()))?;
    let name = model_name(args, &resolved.config.models, &mut session)?;
    let model = match &name {
        Some(name) => Some(EvolveModel {
            name: name.clone(),
            mode: args.mode.into(),
            limits: Limits {
                money: args.max_cost,
                tokens: args.max_tokens.map(Tokens),
                deadline: args.max_time.map(|seconds| Moment(std::time::Duration::from_secs(seconds))),
                ..Limits::default()
            },
            facts: models_known(&resolved)?,
            config: resolved.config.models.clone(),
            around: session.around().clone(),
        }),
        None => None,
    };
    let question = Question {
        repo: session.absolute(&args.repo),
        base: args.base.clone(),
        inspirations: args.inspiration.clone(),
        wish: Wish {
            goal: args.goal.clone(),
            constraints: args.constraint.clone(),
            acceptance_criteria: args.accept.clone(),
            iteration_hint: args.hint.clone(),
            cold_start: args.cold_start,
        },
        metrics: args.metrics.as_ref().map(|path| session.absolute(path)),
        ..Question::default()
    };
    let runtime = runtime()?;
    let place = name.as_ref().map_or(String::new(), |name| model_and_place(name, session.around()));
    let (home, printer) = (resolved.config.home.clone(), &mut session.printer);
    let made = runtime.block_on(async {
        let tell = |notice: Notice<'_>| match notice {
            Notice::Waiting(holder) => printer.note(format_args!("one plan at a time: waiting for {holder}")),
            Notice::Asking => printer.note(format_args!(
                "asking {place}; commit messages, differences, file names and lines of files are sent there, recognised secrets taken out"
            )),
        };
        tokio::select! {
            biased;
            stopped = interrupted() => stopped.map(|()| None),
            made = evolve(&question, model, &home, tell) => Ok(Some(made)),
        }
    });
    runtime.shutdown_background();
    let Some(made) = made? else {
        session.printer.note("interrupted; the provider may count what it was asked");
        return Ok(Exit::Interrupted);
    };
    let document = made.map_err(|error| match &error {
        NoPlan::Planner(error) => explain(error),
        NoPlan::Connect(error) => match &name {
            Some(name) => cannot_connect(error, session.around(), name),
            None => Failure::new(error, None),
        },
        NoPlan::Call(error) => explain_call(error, &resolved),
        NoPlan::Turn(error) => no_turn(error),
        NoPlan::OutOfTime(_) => Failure {
            exit: Exit::Partial,
            ..Failure::new(
                &error,
                Some("allow more with `--max-time`; the provider may count what it was asked"),
            )
        },
    })?;
    print(args, &document, &mut session)
}

fn model_name(
    args: &PlanArgs,
    config: &ModelsConfig,
    session: &mut Session<'_>,
) -> Result<Option<ModelName>, Failure> {
    let configured = config.default.name();
    let chosen = if args.offline { OFFLINE } else { args.model.as_deref().or(configured).unwrap_or(OFFLINE) };
    if chosen == OFFLINE {
        return Ok(None);
    }
    find_model(chosen, config, session).map(Some)
}

fn print(args: &PlanArgs, document: &PlanDocument, session: &mut Session<'_>) -> Result<Exit, Stop> {
    if let Some(path) = &args.output {
        write_plan(&session.absolute(path), document)?;
    }
    if args.json {
        session.printer.print_json(document)?;
    } else {
        session.printer.print(plan_page(document))?;
    }
    let effort = &document.effort;
    if document.source != Source::Offline {
        let cost = effort.cost.as_deref().map_or("price unknown".to_owned(), |cost| format!("${cost}"));
        session.printer.note(format_args!(
            "{} · {} · {} tokens in, {} out · {cost} · {:.1} s",
            effort.model,
            counted(effort.calls as usize, "call"),
            effort.input_tokens,
            effort.output_tokens,
            effort.seconds
        ));
    }
    if let Some(path) = &args.output {
        session.printer.note(format_args!("the plan is in `{}`", for_terminal(path)));
    }
    let is_synthesised = document.source == Source::Synthesised && args.mode != ModeArg::None;
    Ok(if is_synthesised { Exit::Partial } else { Exit::Done })
}

/// Writes the file that the user named.
fn write_plan(path: &std::path::Path, document: &PlanDocument) -> Result<(), Failure> {
    let write = || {
        let mut text = serde_json::to_vec_pretty(document)?;
        text.push(b'\n');
        files::replace(path, &text)
    };
    write().map_err(|error: std::io::Error| {
        Failure::caused_by(format!("cannot write the plan to `{}`", for_terminal(path)), &error)
    })
}
