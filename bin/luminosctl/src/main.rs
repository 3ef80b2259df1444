//! `luminosctl` asks and prints: the command line of Luminos.
//!
//! `main` parses, gathers what the machine says about this process, runs one command and returns its exit
//! code. It is the only place that reads the environment; [`printer`] is the only place that prints. Before all
//! that it may be started anew, without the keys that its environment held.

mod commands;
mod daemon;
mod files;
mod known;
mod printer;
mod run_view;
mod session;

use std::env;
use std::process::ExitCode;

use clap::Parser as _;
use luminos_core::Exit;
use luminos_core::config::Surroundings;
use luminos_engine::hide_keys;

use crate::commands::Cli;
use crate::printer::{Printer, Stop};
use crate::session::Session;

/// Also for C: most of what workers allocate is syntax trees.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args_os().collect();
    if let Some(code) = luminos_engine::play_role(&arguments) {
        return code;
    }
    // A file that may not grow any more is an error that can be told; the signal would kill this process without a word.
    luminos_engine::ignore_file_size_signal();
    let mut around = surroundings();
    let hidden = hide_keys(&mut around, env::args_os());
    let mut printer = Printer::new(&around);
    if let Err(error) = hidden {
        printer.warn(format_args!("the keys stay visible in this process's environment: {error}"));
    }
    let ended = match Cli::try_parse() {
        Ok(cli) => commands::run(&cli.command, Session::new(&cli.global, &around, &mut printer)),
        Err(message) => printer.clap(&message),
    };
    let exit = match ended.and_then(|exit| printer.flush().map(|()| exit)) {
        Ok(exit) => exit,
        Err(Stop::OutputClosed) => Exit::Done,
        Err(Stop::Failed(failure)) => {
            printer.fail(&failure);
            failure.exit
        }
    };
    ExitCode::from(exit as u8)
}

/// What the machine says about this process.
///
/// A current directory that no longer exists is left empty: it has no configuration, and absolute paths
/// work without it.
fn surroundings() -> Surroundings {
    let variables =
        env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value))).collect();
    Surroundings {
        variables,
        current_dir: env::current_dir().unwrap_or_default(),
        home_dir: env::home_dir().filter(|dir| dir.is_absolute()),
    }
}
