//! A role of this program: to start a program that is used as a model, in a box.
//!
//! `luminosd boxed-program --dir DIR [--read PATH]… [--write PATH]… [--no-walls] -- PROGRAM [ARGUMENT]…`, with the
//! prompt on standard input (`luminos_models::Launcher`). Only this program starts it, and it must have one thread:
//! the box is put up between two processes that it makes (`luminos_tools::sandbox`).

use std::ffi::OsString;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use luminos_core::config::ModelsConfig;
use luminos_models::Launcher;
use luminos_tools::sandbox::{BoxedProgram, Walls, box_support, run_boxed};

/// The argument that makes this program start another in a box.
pub(crate) const BOXED_PROGRAM: &str = "boxed-program";

/// Plays the role.
pub(crate) fn start(arguments: &[OsString]) -> ExitCode {
    let Some(boxed) = parse(arguments) else { return ExitCode::from(2) };
    match run_boxed(&boxed) {
        Ok(status) => ExitCode::from(u8::try_from(status).unwrap_or(1)),
        Err(error) => {
            // Its reader shows what is said here, with the program's name.
            let _ = writeln!(std::io::stderr(), "{}", luminos_core::Failure::new(&error, None));
            ExitCode::FAILURE
        }
    }
}

fn parse(arguments: &[OsString]) -> Option<BoxedProgram> {
    let mut boxed = BoxedProgram {
        program: PathBuf::new(),
        arguments: Vec::new(),
        working_directory: PathBuf::new(),
        readable: Vec::new(),
        writable: Vec::new(),
        walls: Walls::Standing,
    };
    let mut rest = arguments.iter();
    loop {
        match rest.next()?.to_str()? {
            "--dir" => boxed.working_directory = rest.next()?.into(),
            "--read" => boxed.readable.push(rest.next()?.into()),
            "--write" => boxed.writable.push(rest.next()?.into()),
            "--no-walls" => boxed.walls = Walls::None,
            "--" => break,
            _ => return None,
        }
    }
    boxed.program = rest.next()?.into();
    boxed.arguments = rest.cloned().collect();
    Some(boxed)
}

/// Whether programs that are used as models can be confined on this machine; if not, what is missing and what helps.
pub fn program_confinement() -> Result<(), Vec<String>> {
    let support = box_support();
    if support.offers_commands() { Ok(()) } else { Err(support.lacks()) }
}

/// What starts such programs: this program, whatever its file is called by now.
pub(crate) fn launcher(config: &ModelsConfig, is_confining: bool) -> Launcher {
    Launcher {
        program: "/proc/self/exe".into(),
        arguments: vec![BOXED_PROGRAM.into()],
        is_confining,
        readable: config.program_read.clone(),
    }
}
