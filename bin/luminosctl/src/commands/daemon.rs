//! `luminosctl daemon`

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use luminos_core::config::Layer;
use luminos_core::{Exit, Failure, Untrusted};
use luminos_engine::{DaemonSetup, Durability, Program, WORKER, serve};
use luminos_wire::control::{DaemonStatus, Reply, Request};

use crate::daemon;
use crate::printer::Stop;
use crate::session::Session;

/// Start, stop or ask the daemon that does the work
///
/// There is seldom a need for this: other commands start the daemon, and it ends when it has nothing to do.
#[derive(Debug, Args)]
pub(crate) struct DaemonArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Start the daemon, unless it is there
    Start,
    /// Stop the daemon; runs that are under way can be resumed
    Stop,
    /// Tell whether the daemon is there and what it does
    Status,
    /// Be the daemon
    #[command(hide = true)]
    Serve {
        /// End after so many seconds without anything to do
        #[arg(long)]
        idle: Option<u64>,
        /// Replace a worker in which a directory's loop gave no sign of life for so many seconds
        #[arg(long, default_value_t = 300)]
        patience: u64,
        /// Leave the terminal, and say `ready` on standard output
        #[arg(long)]
        detach: bool,
    },
}

pub(crate) fn run(args: &DaemonArgs, mut session: Session<'_>) -> Result<Exit, Stop> {
    let config = session.resolve(Layer::default())?.config;
    let home = config.home.clone();
    match &args.action {
        Action::Start => {
            let is_there = daemon::connect(&home)?.is_some();
            daemon::connect_or_start(&config)?;
            session.printer.note(if is_there {
                "the daemon is running already"
            } else {
                "the daemon is running"
            });
            Ok(Exit::Done)
        }
        Action::Stop => match daemon::connect(&home)? {
            None => {
                session.printer.note("no daemon is running");
                Ok(Exit::Done)
            }
            Some(mut client) => {
                client.ask(&Request::Shutdown).map_err(|error| daemon::failure(&error))?;
                // It hangs up when everything is stored.
                while client.next_event().is_ok() {}
                session.printer.note("the daemon has stopped");
                Ok(Exit::Done)
            }
        },
        Action::Status => match daemon::connect(&home)? {
            None => {
                session.printer.note("no daemon is running");
                Ok(Exit::Failed)
            }
            Some(mut client) => {
                let reply = client.ask(&Request::Status).map_err(|error| daemon::failure(&error))?;
                if let Reply::Status(status) = reply {
                    session.printer.print(words(&status))?;
                }
                Ok(Exit::Done)
            }
        },
        Action::Serve { idle, patience, detach } => be(home, *idle, *patience, *detach, &mut session),
    }
}

fn words(status: &DaemonStatus) -> String {
    let program = Untrusted::new(status.program.as_bytes()).for_terminal();
    let ending =
        if status.ends_when_idle { "ends when it has nothing to do" } else { "stays until it is stopped" };
    let mut words = format!(
        "{program}, process {}, running for {} s, {ending}\n{} investigation(s) under way\n",
        status.pid,
        status.uptime_seconds,
        status.runs.len()
    );
    for run in &status.runs {
        let target = Untrusted::new(run.target.as_bytes()).for_terminal();
        let id: String = run.investigation.chars().take(8).collect();
        words.push_str(&format!(
            "  {id}  {}  {} of {} directories  {target}\n",
            run.phase, run.dirs_done, run.dirs_total
        ));
    }
    words
}

/// The daemon's life, in this program.
fn be(
    home: PathBuf,
    idle: Option<u64>,
    patience: u64,
    detach: bool,
    session: &mut Session<'_>,
) -> Result<Exit, Stop> {
    if detach {
        // A process that leads a group already cannot; then it has no terminal to lose, either.
        let _ = rustix::process::setsid();
    }
    let path = std::env::current_exe().map_err(|error| Failure::new(&error, None))?;
    let setup = DaemonSetup {
        home,
        program: Program { path, arguments: vec![WORKER.into()] },
        idle: idle.map(Duration::from_secs),
        patience: Duration::from_secs(patience),
        durability: Durability::PowerLoss,
        name: daemon::program(),
    };
    let on_ready = || {
        if detach {
            // Whoever started it waits for this word, or has gone.
            let _ = session.printer.print("ready\n").and_then(|()| session.printer.flush());
        }
    };
    // Where the log cannot be written (a full disk), nothing can be said about it, either: trying would panic.
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(false);
    log.log_internal_errors(false).init();
    match serve(setup, on_ready) {
        Ok(()) => Ok(Exit::Done),
        // Whoever started this one is as well served by the other.
        Err(error) if error.is_busy() && detach => {
            session.printer.print("busy\n")?;
            Ok(Exit::Failed)
        }
        Err(error) => {
            let failure = Failure::new(&error, error.hint());
            if detach {
                session.printer.print(format!("{}{}\n", daemon::FAILED, in_a_line(&failure)))?;
            }
            Err(failure.into())
        }
    }
}

/// A failure with its causes, as one line.
fn in_a_line(failure: &Failure) -> String {
    let parts: Vec<&str> =
        std::iter::once(&failure.message).chain(&failure.causes).map(String::as_str).collect();
    parts.join(": ").replace('\n', " ")
}
