//! `luminosd` decides and writes: the daemon of Luminos.
//!
//! It is also its own worker (`luminosd worker`), in a process that locks itself in before it does anything else.
//! Nobody but the daemon starts that.

use std::env;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use luminos_core::{Exit, Failure};
use luminos_engine::{CannotServe, DaemonSetup, Durability, Program, WORKER, play_role, serve};

/// Also for C: most of what workers allocate is syntax trees.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Another daemon serves the same state directory: what `sysexits.h` calls a temporary failure.
const BUSY: u8 = 75;

/// Serve investigations of one user
///
/// `luminosctl` starts it when it is needed; to have it always there, let a service manager start it.
#[derive(Debug, Parser)]
#[command(name = "luminosd", version, max_term_width = 100)]
struct Arguments {
    /// Keep investigations, reports and caches in this directory
    #[arg(long, value_name = "DIR", env = "LUMINOS_HOME")]
    home: Option<PathBuf>,

    /// End after so many seconds without anything to do
    ///
    /// Without this, the daemon stays until it is told to end.
    #[arg(long, value_name = "SECONDS")]
    idle: Option<u64>,

    /// Replace a worker in which a directory's loop gave no sign of life for so many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    patience: u64,

    /// Leave the terminal that it was started from, and say `ready` on standard output once clients can come
    #[arg(long)]
    detach: bool,
}

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args_os().collect();
    if let Some(code) = play_role(&arguments) {
        return code;
    }
    let arguments = Arguments::parse();
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(false);
    // Where the log cannot be written (a full disk), nothing can be said about it, either: trying would panic.
    log.log_internal_errors(false).init();
    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err((failure, code)) => {
            // If even that cannot be said, there is nobody to hear it.
            let _ = writeln!(std::io::stderr(), "{failure}");
            ExitCode::from(code)
        }
    }
}

fn run(arguments: Arguments) -> Result<(), (Failure, u8)> {
    let failed = |failure: Failure| (failure, Exit::Failed as u8);
    let home = arguments.home.or_else(default_home).ok_or_else(|| {
        failed(Failure::usage("no home directory is known", "name one with `--home` or LUMINOS_HOME"))
    })?;
    if arguments.detach {
        // A process that leads a group already cannot; then it has no terminal to lose, either.
        let _ = rustix::process::setsid();
    }
    let path = env::current_exe().map_err(|error| failed(Failure::new(&error, None)))?;
    let setup = DaemonSetup {
        home,
        program: Program { path, arguments: vec![WORKER.into()] },
        idle: arguments.idle.map(Duration::from_secs),
        patience: Duration::from_secs(arguments.patience),
        durability: Durability::PowerLoss,
        name: format!("luminosd {}", env!("CARGO_PKG_VERSION")),
    };
    let on_ready = || {
        if arguments.detach {
            let mut out = std::io::stdout();
            let _ = out.write_all(b"ready\n").and_then(|()| out.flush());
        }
    };
    serve(setup, on_ready).map_err(|error: CannotServe| {
        let code = if error.is_busy() { BUSY } else { Exit::Failed as u8 };
        let failure = Failure::new(&error, error.hint());
        if arguments.detach && code != BUSY {
            // Whoever started it hears why, even if the log cannot be written.
            let parts: Vec<&str> =
                std::iter::once(&failure.message).chain(&failure.causes).map(String::as_str).collect();
            let _ = writeln!(std::io::stdout(), "failed: {}", parts.join(": ").replace('\n', " "));
        }
        (failure, code)
    })
}

/// `$XDG_STATE_HOME/luminos`, or what stands for it.
#[expect(clippy::disallowed_methods, reason = "this is `main`, the place that reads the environment")]
fn default_home() -> Option<PathBuf> {
    let named = env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let state = named.or_else(|| Some(env::home_dir()?.join(".local/state")))?;
    Some(state.join("luminos"))
}
