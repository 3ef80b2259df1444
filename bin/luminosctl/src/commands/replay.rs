//! `luminosctl replay`

mod scratch;

use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use clap::Args;
use luminos_core::config::Config;
use luminos_core::report::Report;
use luminos_core::spend::Money;
use luminos_core::{Exit, Failure, Untrusted};
use luminos_engine::{Investigation, Meta, RecordedTurn, first_difference, recorded_turns};
use luminos_report::turns;
use luminos_wire::control::{Ended, Replay, RunLimits, RunRequest};

use super::report::{ReportArgs, json, write};
use super::run::{SecretFiles, Watching, announce, finish, request, run_to_end};
use super::target::{ModelArgs, real_target};
use crate::known;
use crate::printer::Stop;
use crate::session::{Session, for_terminal};
use scratch::Scratch;

/// Repeat a run from its transcripts, and compare the reports byte for byte
///
/// Nobody is asked anything: what models said is read from the transcripts, and everything else is done again, in a
/// state directory of its own that is removed afterwards: the scan, the tools, the judge, the synthesis, the report.
/// Each question must be the very one that was asked then; the first one that is not is named with what differs.
///
/// Taken from the records, and not made again: the id, where the target lay, times, what calls cost, which turns were
/// lent. All else of the JSON report is compared.
///
/// With --from and --model it is a fork: what was said before that turn is repeated, and from there on that model
/// is asked, in a new investigation, which becomes the current one of the target.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct ReplayArgs {
    /// The investigation: its id, the beginning of it, or the target's path
    #[arg(default_value = ".")]
    investigation: PathBuf,

    /// List the turns of the run, in the order in which they were answered
    #[arg(long, conflicts_with_all = ["from", "tree"])]
    turns: bool,

    /// Fork: ask anew from this turn on, by its number in --turns
    #[arg(long, value_name = "TURN")]
    from: Option<usize>,

    #[command(flatten)]
    models: ModelArgs,

    /// Fork: spend at most this much, in US dollars
    #[arg(long, value_name = "USD", requires = "from")]
    max_cost: Option<Money>,

    /// Read this tree instead of the one that was investigated
    #[arg(long, value_name = "PATH")]
    tree: Option<PathBuf>,

    #[command(flatten)]
    report: ReportArgs,

    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl replay .                              do it again; is it the same?
  luminosctl replay . --turns                      what was said, turn by turn
  luminosctl replay . --from 7 --model NAME        another model from turn 7 on

Exit codes:
    0  the report is the same, byte for byte; of a fork: as those of `luminosctl run`
    1  it is not, or the run cannot be repeated
    2  the command line makes no sense
  130  interrupted";

/// Repeats, lists or forks.
pub(crate) fn run(args: &ReplayArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let config = session.resolve(args.models.over(luminos_core::config::Layer::default()))?.config;
    let found = known::find(&config.home, &args.investigation, &session)?;
    let (meta, report) = (known::meta(&found)?, known::report(&found)?);
    if args.turns {
        let rows = recorded_turns(&found, &report);
        let rows: Vec<turns::Turn> = rows.iter().map(row).collect();
        let text = turns::text(&rows);
        session.printer.print(text)?;
        return Ok(Exit::Done);
    }
    let target = real_target(&session, args.tree.as_deref().unwrap_or(meta.target.path()))?;
    // What lies in the target has no say in how it is looked at.
    let config =
        session.resolve_for(&target, args.models.over(luminos_core::config::Layer::default()))?.config;
    let replay = Replay {
        home: config.home.as_os_str().as_bytes().to_vec(),
        investigation: found.id().to_string(),
        until: None,
    };
    match args.from {
        Some(turn) => fork(args, turn, replay, (&found, &report), &target, &config, &mut session),
        None if args.models.is_chosen() => Err(Failure::usage(
            "a run is repeated with what its own models said".to_owned(),
            "`--from TURN` says from where on another model is asked",
        )
        .into()),
        None => again(args, replay, (&meta, &report), &target, &config, &mut session),
    }
}

fn row(turn: &RecordedTurn) -> turns::Turn {
    turns::Turn {
        pass: turn.pass,
        dir: turn.dir.clone(),
        turn: turn.turn,
        model: turn.model.clone(),
        said: turn.said.clone(),
        tokens: turn.usage.total(),
    }
}

/// Goes another way from a turn on.
fn fork(
    args: &ReplayArgs,
    turn: usize,
    replay: Replay,
    (found, report): (&Investigation, &Report),
    target: &Path,
    config: &Config,
    session: &mut Session<'_>,
) -> Result<Exit, Stop> {
    let models = args.models.models(config, session)?;
    if models.is_empty() {
        let hint = "name it with `--model`";
        return Err(Failure::usage("a fork needs a model to go on with".to_owned(), hint).into());
    }
    let turns = recorded_turns(found, report);
    let Some(from) = turn.checked_sub(1).and_then(|place| turns.get(place)) else {
        let message = format!("the run has {} turns", turns.len());
        return Err(Failure::usage(message, "`luminosctl replay --turns` lists them").into());
    };
    let limits = RunLimits { cost: args.max_cost, ..RunLimits::default() };
    let watching = if args.quiet { Watching::Quiet } else { Watching::Live };
    announce(&models, &limits, SecretFiles::Withheld, session);
    let provenance = report.provenance.clone().unwrap_or_default();
    let request = RunRequest {
        limits: RunLimits { turns: provenance.most_turns, ..limits },
        fresh: true,
        refinements: provenance.refinements,
        second_judge: provenance.parameters["second_judge"].as_bool().unwrap_or_default(),
        replay: Some(Replay { until: Some(from.at), ..replay }),
        ..request(config, session, target, models)
    };
    let baseline = args.report.baseline(session)?;
    let followed = run_to_end(request, watching, config, session)?;
    if watching == Watching::Live {
        let id = &followed.investigation;
        session.printer.note(format_args!("the fork is the investigation {id}; the old one stays as it is"));
    }
    finish(&followed, &args.report, baseline.as_deref(), config, session)
}

/// Does everything again.
fn again(
    args: &ReplayArgs,
    replay: Replay,
    (meta, before): (&Meta, &Report),
    target: &Path,
    config: &Config,
    session: &mut Session<'_>,
) -> Result<Exit, Stop> {
    let scratch = Scratch::new(session)?;
    let own = Config { home: scratch.home().to_owned(), ..config.clone() };
    let plain = request(&own, session, target, Vec::new());
    let request = RunRequest { replay: Some(replay), ..plain };
    let watching = if args.quiet { Watching::Quiet } else { Watching::Live };
    let followed = run_to_end(request, watching, &own, session)?;
    let mut misses = Vec::new();
    match &followed.ended {
        Ended::Cancelled => {
            session.printer.note("interrupted; nothing was changed");
            return Ok(Exit::Interrupted);
        }
        Ended::Failed { reason } => {
            return Err(Failure {
                message: "the run could not be repeated".to_owned(),
                causes: vec![reason.clone()],
                hint: None,
                exit: Exit::Failed,
            }
            .into());
        }
        Ended::Partial { reasons } => misses.clone_from(reasons),
        Ended::Done => {}
    }
    let (_, after) = super::run::stored_report(scratch.home(), &meta.id.to_string())?;
    let (old, new) = (json(before, None)?, json(&after, None)?);
    if let Some(path) = args.report.file() {
        write(path, &new, session)?;
    }
    if old == new {
        let (turns, bytes) = (before.counters.calls, new.len());
        let asked =
            if turns == 0 { String::new() } else { format!(", {turns} model calls from its transcripts") };
        session.printer.print(format!("the same report, byte for byte ({bytes} bytes{asked})\n"))?;
        return Ok(Exit::Done);
    }
    Err(Stop::from(difference(before, &after, &old, &new, &misses, target)))
}

/// What is not the same, in words.
fn difference(
    before: &Report,
    after: &Report,
    old: &[u8],
    new: &[u8],
    misses: &[String],
    target: &Path,
) -> Failure {
    let parsed = |bytes: &[u8]| serde_json::from_slice::<serde_json::Value>(bytes).unwrap_or_default();
    let mut causes: Vec<String> = Vec::new();
    let has_changed = before.content_hash != after.content_hash;
    if has_changed {
        causes.push(format!("`{}` is not what it was when the report was made", for_terminal(target)));
    }
    causes.extend(misses.iter().map(|miss| Untrusted::new(miss.as_bytes()).for_terminal()));
    causes.extend(first_difference([parsed(old)], &parsed(new), ["then", "now"]));
    let hint = has_changed.then(|| "name a tree with the old content with `--tree PATH`".to_owned());
    Failure { message: "the report is not the same".to_owned(), causes, hint, exit: Exit::Failed }
}
