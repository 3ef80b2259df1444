//! `luminosctl run`

mod progress;
mod request;

use std::path::PathBuf;

use clap::Args;
use luminos_core::config::{BareName, Given, Layer, ScanLayer};
use luminos_core::flag::Severity;
use luminos_core::plan::Turns;
use luminos_core::report::Report;
use luminos_core::spend::{Money, Tokens};
use luminos_core::{Exit, Failure};
use luminos_engine::{Client, State, Store};
use luminos_report::Detail;
use luminos_wire::control::{Ended, Refused, Reply, Request, RunEvent, RunLimits};

use crate::daemon;
use crate::printer::Stop;
use crate::session::{Session, for_terminal};
use progress::Progress;

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

    /// Ask this model, such as anthropic/claude-sonnet-5-5 or ollama/llama3.2
    ///
    /// Without this flag, the settings `models.default` and `models.<pass>` decide; without those, nobody is asked.
    #[arg(long, value_name = "NAME")]
    model: Option<String>,

    /// Ask no model, whatever the configuration says
    #[arg(long, conflicts_with = "model")]
    offline: bool,

    /// Start over instead of resuming
    #[arg(long)]
    fresh: bool,

    /// Make the survey and the plan anew
    #[arg(long)]
    refresh_plan: bool,

    /// Look at hidden files, too
    #[arg(short, long)]
    all: bool,

    /// Do not honour .gitignore, .ignore and .luminosignore
    #[arg(long)]
    no_ignore: bool,

    /// Leave out files and directories of this name; can be repeated
    #[arg(short = 'x', long, value_name = "NAME")]
    exclude: Vec<BareName>,

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

    /// End with code 4 if there is a flag of this severity or a worse one
    #[arg(long, value_name = "SEVERITY", value_parser = severity)]
    fail_on: Option<Severity>,

    /// Print the report in this form
    #[arg(long, value_name = "FORM", default_value = "text")]
    format: Format,

    /// Print the report as JSON: the same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,

    /// Write the report into this file instead of printing it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
}

/// How a report looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For a terminal.
    Text,
    /// GitHub-flavoured Markdown.
    Md,
    /// For programs; docs/report-json.md in the source explains every key.
    Json,
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl run .                                          investigate the current directory, with no model
  luminosctl run ~/src/x --model ollama/llama3.2            ask a model on this machine
  luminosctl run . --model anthropic/claude-sonnet-5-5 --max-cost 0.50
  luminosctl run . --fail-on critical --quiet               for scripts

Exit codes:
    0  done
    1  failed
    2  the command line or the configuration makes no sense
    3  done in part: a limit was reached, or a model kept failing
    4  done, and there are flags at or above --fail-on
  130  interrupted; the work is kept, and the next run resumes";

fn severity(word: &str) -> Result<Severity, String> {
    let found = Severity::ALL.into_iter().find(|severity| severity.word() == word);
    found.ok_or_else(|| "use `info`, `concern` or `critical`".to_owned())
}

impl RunArgs {
    fn layer(&self) -> Layer {
        Layer {
            scan: ScanLayer {
                hidden: Given::by_flag("--all", self.all.then_some(true)),
                ignore_files: Given::by_flag("--no-ignore", self.no_ignore.then_some(false)),
                exclude: Given::by_flag(
                    "--exclude",
                    (!self.exclude.is_empty()).then(|| self.exclude.clone()),
                ),
                ..ScanLayer::default()
            },
            ..Layer::default()
        }
    }

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
    let resolved = session.resolve_for(&args.path, args.layer())?;
    let config = resolved.config;
    let target = target(&session, &args.path)?;
    let choice = request::Choice { model: args.model.as_deref(), offline: args.offline };
    let models = request::models(&choice, &config)?;
    if !args.quiet {
        request::announce(&models, &args.limits(), &mut session);
    }
    let request = request::request(args, &config, &session, &target, models);
    let home = config.home.clone();
    let mut client = daemon::connect_or_start(&home)?;
    let reply = client.ask(&Request::Start(Box::new(request))).map_err(|error| daemon::failure(&error))?;
    let investigation = match reply {
        Reply::Started { investigation, is_joined } => {
            if is_joined && !args.quiet {
                session.printer.note("this target is being investigated already; joining that run");
            }
            investigation
        }
        Reply::Refused(refused) => return Err(failure(refused).into()),
        Reply::Subscribed(_) | Reply::Status(_) | Reply::Done => return Err(nonsense().into()),
    };
    let interruption = interruption(&home, &investigation);
    let ended = match follow(&mut client, &investigation, args, &mut session)? {
        Some(ended) => ended,
        None => how_it_ended(&home, &investigation)?,
    };
    drop(interruption);
    finish(args, &mut session, &home, &investigation, &ended)
}

/// The directory, by its real path.
fn target(session: &Session<'_>, path: &std::path::Path) -> Result<PathBuf, Failure> {
    let absolute = session.absolute(path);
    let cannot = |error: &std::io::Error| {
        Failure::caused_by(format!("cannot investigate `{}`", for_terminal(path)), error)
    };
    let real = std::fs::canonicalize(&absolute).map_err(|error| cannot(&error))?;
    let found = std::fs::metadata(&real).map_err(|error| cannot(&error))?;
    if found.is_dir() {
        return Ok(real);
    }
    Err(Failure::usage(
        format!("`{}` is not a directory", for_terminal(path)),
        "name the directory that it lies in",
    ))
}

/// Shows what happens until the run is over. `None` if it was over before anybody could look.
fn follow(
    client: &mut Client,
    investigation: &str,
    args: &RunArgs,
    session: &mut Session<'_>,
) -> Result<Option<Ended>, Stop> {
    let request = Request::Subscribe { investigation: investigation.to_owned() };
    let reply = client.ask(&request).map_err(|error| daemon::failure(&error))?;
    let snapshot = match reply {
        Reply::Subscribed(snapshot) => snapshot,
        Reply::Refused(_) => return Ok(None),
        Reply::Started { .. } | Reply::Status(_) | Reply::Done => return Err(nonsense().into()),
    };
    let mut progress = Progress::new(args.quiet);
    progress.show(&snapshot);
    loop {
        match client.next_event().map_err(|error| daemon::failure(&error))? {
            RunEvent::Progress(snapshot) => progress.show(&snapshot),
            RunEvent::Planned { order, tiers, turns } => progress.planned(order, tiers, turns, session),
            RunEvent::Note(note) => progress.note(&note, session),
            RunEvent::Flag(flag) => progress.flag(&flag, session),
            RunEvent::Ended(ended) => {
                progress.end();
                return Ok(Some(ended));
            }
        }
    }
}

/// How a run ended that was over before anybody could look: the store tells.
fn how_it_ended(home: &std::path::Path, investigation: &str) -> Result<Ended, Failure> {
    let store = Store::existing(home).map_err(|error| Failure::new(&error, error.hint()))?;
    let (Some(store), Ok(id)) = (store, investigation.parse()) else { return Err(nonsense()) };
    let meta = store.investigation(id).meta().map_err(|problem| Failure::new(&problem, None))?;
    let reason = || "the daemon's log says more".to_owned();
    Ok(match meta.map(|meta| meta.state) {
        Some(State::Done) => Ended::Done,
        Some(State::Partial) => Ended::Partial { reasons: Vec::new() },
        Some(State::Cancelled) => Ended::Cancelled,
        Some(State::Running | State::Paused { .. } | State::Failed) | None => {
            Ended::Failed { reason: reason() }
        }
    })
}

/// Prints what came out.
fn finish(
    args: &RunArgs,
    session: &mut Session<'_>,
    home: &std::path::Path,
    investigation: &str,
    ended: &Ended,
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
    let report = report(home, investigation)?;
    let format = if args.json { Format::Json } else { args.format };
    super::show::print_report(&report, format, Detail::Usual, args.output.as_deref(), session)?;
    if args.fail_on.is_some_and(|severity| report.worst().is_some_and(|worst| severity <= worst)) {
        return Ok(Exit::Flagged);
    }
    match ended {
        Ended::Partial { reasons } => {
            for reason in reasons {
                session.printer.warn(reason);
            }
            Ok(Exit::Partial)
        }
        Ended::Done | Ended::Failed { .. } | Ended::Cancelled => Ok(Exit::Done),
    }
}

/// The report of an investigation.
fn report(home: &std::path::Path, investigation: &str) -> Result<Report, Failure> {
    let missing = || Failure {
        message: "the investigation ended without a report".to_owned(),
        causes: Vec::new(),
        hint: Some("look into `run/daemon.log` in the state directory".to_owned()),
        exit: Exit::Failed,
    };
    let store =
        Store::existing(home).map_err(|error| Failure::new(&error, error.hint()))?.ok_or_else(missing)?;
    let id = investigation.parse().map_err(|_| missing())?;
    let report = store.investigation(id).report::<Report>();
    report.map_err(|problem| Failure::new(&problem, None))?.ok_or_else(missing)
}

/// Whether somebody pressed Ctrl-C. Dropping it stops listening.
struct Interruption;

/// Cancels the run when somebody presses Ctrl-C; ends at once when they do it again.
fn interruption(home: &std::path::Path, investigation: &str) -> Interruption {
    let (home, investigation) = (home.to_owned(), investigation.to_owned());
    // Without it Ctrl-C simply ends this program; the daemon goes on with the run.
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let Ok(runtime) = runtime else { return };
        let interrupted = runtime.block_on(async { tokio::signal::ctrl_c().await.is_ok() });
        if !interrupted {
            return;
        }
        if let Ok(Some(mut client)) = daemon::connect(&home) {
            let _ = client.ask(&Request::Cancel { investigation });
        }
        let _ = runtime.block_on(tokio::signal::ctrl_c());
        end_at_once();
    });
    Interruption
}

#[expect(clippy::exit, reason = "somebody pressed Ctrl-C twice: nothing is worth waiting for")]
fn end_at_once() {
    std::process::exit(Exit::Interrupted as i32);
}

/// Why the daemon refused, as it says itself.
pub(crate) fn failure(refused: Refused) -> Failure {
    let Refused { message, causes, hint, is_usage } = refused;
    Failure { message, causes, hint, exit: if is_usage { Exit::Usage } else { Exit::Failed } }
}

fn nonsense() -> Failure {
    Failure {
        message: "the daemon answered something else than was asked".to_owned(),
        causes: Vec::new(),
        hint: Some("stop it with `luminosctl daemon stop`, then try again".to_owned()),
        exit: Exit::Failed,
    }
}
