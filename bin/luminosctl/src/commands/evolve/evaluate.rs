//! `luminosctl evolve evaluate`

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use luminos_core::config::Layer;
use luminos_core::{Exit, Failure, Untrusted};
use luminos_engine::evolve::{
    Evaluated, Evaluator, Measured, NOTES, NotEvaluated, Repo, remember_failure, remember_measured,
    seconds_now,
};
use luminos_engine::{Service, Store};
use serde::Serialize;

use super::{explain, runtime};
use crate::commands::ask::interrupted;
use crate::printer::{Stop, counted};
use crate::session::Session;

/// Measure a commit with a command of yours, in a clean checkout
///
/// The command runs in a directory that holds the commit's files and nothing else, and prints one JSON object:
/// {"summary": TEXT, "metrics": [{"name": TEXT, "value": NUMBER, "unit": TEXT, "higher_is_better": BOOL}],
/// "tests_executed": [TEXT], "logs": [TEXT]}. What it measured is remembered for plans and scores. LUMINOS_COMMIT holds the
/// commit's hash. The command gets your environment without the keys of model services.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub(crate) struct EvaluateArgs {
    /// Somewhere in the repository
    #[arg(long, value_name = "PATH", default_value = ".")]
    repo: PathBuf,

    /// The commit to measure
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    commit: String,

    /// Let the command run no longer than this, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 900, value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,

    /// Write the result into the repository, too, as a note in refs/notes/luminos-metrics
    #[arg(long)]
    note: bool,

    /// Print all that the command printed, on standard error
    #[arg(short, long)]
    verbose: bool,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,

    /// The command and its arguments
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<OsString>,
}

const AFTER_HELP: &str = "\
Examples:
  luminosctl evolve evaluate --commit main -- ./bench.sh
  luminosctl evolve evaluate --commit HEAD~1 --timeout 60 --note -- sh -c 'cargo test -q && ./measure'

Exit codes:
  0  measured
  1  not measured: the command failed, took too long, or printed no result
  2  the command line makes no sense
  130  interrupted";

#[derive(Debug, Serialize)]
struct ResultJson<'a> {
    commit: &'a str,
    seconds: f64,
    #[serde(flatten)]
    measured: &'a Measured,
}

/// Measures and prints.
pub(crate) fn run(args: &EvaluateArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let resolved = session.resolve_for(&args.repo, Layer::default())?;
    let store = Store::open(&resolved.config.home).map_err(|error| Failure::new(&error, error.hint()))?;
    let repo = Repo::open(&session.absolute(&args.repo)).map_err(|error| explain(&error))?;
    let commit = repo.resolve(&args.commit).map_err(|error| explain(&error))?;
    let around = session.around();
    let mut variables = around.variables.clone();
    for key in Service::ALL.iter().filter_map(|service| service.key_variable()) {
        variables.remove(key);
    }
    let evaluator = Evaluator {
        command: args.command.clone(),
        time_limit: Duration::from_secs(args.timeout),
        variables,
        scratch: around.variable("TMPDIR").map_or_else(|| PathBuf::from("/tmp"), PathBuf::from),
    };
    let runtime = runtime()?;
    let result = runtime.block_on(async {
        tokio::select! {
            biased;
            stopped = interrupted() => stopped.map(|()| None),
            result = evaluator.run(&repo, &commit) => Ok(Some(result)),
        }
    })?;
    let Some(result) = result else {
        session.printer.note("interrupted; the command was ended");
        return Ok(Exit::Interrupted);
    };
    let evolution = store.evolution();
    let evaluated = match result {
        Ok(evaluated) => evaluated,
        Err(failed) => {
            if args.verbose {
                tell_printed(&failed.printed.out, &failed.printed.complaints, &mut session);
            }
            let remembered = remember_failure(&commit, &failed, &repo, &evolution, seconds_now());
            remembered.map_err(|error| explain(&error))?;
            let NotEvaluated { error, .. } = failed;
            return Err(explain(&error).into());
        }
    };
    if args.verbose {
        tell_printed(&evaluated.printed.out, &evaluated.printed.complaints, &mut session);
    }
    remember_measured(&commit, &evaluated, &evolution).map_err(|error| explain(&error))?;
    if args.note {
        let text = serde_json::to_string_pretty(&evaluated.measured)
            .map_err(|error| Failure::caused_by("cannot write the note", &error))?;
        repo.write_note(&commit, &text, seconds_now()).map_err(|error| explain(&error))?;
    }
    print(args, commit.as_str(), &evaluated, &mut session)
}

fn print(
    args: &EvaluateArgs,
    commit: &str,
    evaluated: &Evaluated,
    session: &mut Session<'_>,
) -> Result<Exit, Stop> {
    let measured = &evaluated.measured;
    let printer = &mut session.printer;
    if args.json {
        printer.print_json(&ResultJson { commit, seconds: evaluated.seconds, measured })?;
    } else {
        let inert = |text: &str| Untrusted::new(text.as_bytes()).for_terminal();
        let short = commit.get(..12).unwrap_or(commit);
        printer
            .print(format_args!("{short}: {}\n", inert(measured.summary.as_deref().unwrap_or_default())))?;
        for metric in &measured.metrics {
            printer.print(format_args!("  {}\n", inert(&metric.line())))?;
        }
        if !measured.tests_executed.is_empty() {
            printer.print(format_args!("  tests: {}\n", inert(&measured.tests_executed.join(", "))))?;
        }
    }
    if 0 < measured.left_out {
        printer.warn(format_args!("{} beyond the first 64 left out", counted(measured.left_out, "metric")));
    }
    if 0 < evaluated.left_out {
        printer.warn(format_args!("not in the checkout: {}", counted(evaluated.left_out, "submodule")));
    }
    if measured.metrics.iter().any(|metric| metric.higher_is_better.is_none()) {
        printer.note(
            "some metrics do not say which way is better; `higher_is_better` would make scores say more",
        );
    }
    if args.note {
        printer.note(format_args!("the note is in {NOTES}; `git push origin {NOTES}` shares it"));
    }
    Ok(Exit::Done)
}

fn tell_printed(out: &str, complaints: &str, session: &mut Session<'_>) {
    for line in out.lines().chain(complaints.lines()) {
        session.printer.note(Untrusted::new(line.as_bytes()).for_terminal());
    }
}
