//! Tries to get out, and says whether it could.
//!
//! `luminos-escape-probe [hide=…] [worker=LEVEL] [as=UID] [root=FOLDER] [in=self|cage|loader] stage=FOLDER PROBE…` tries
//! the probes it is given (all, if none) and prints a line for each: name, `held` or `ESCAPED`, and what it was told. It
//! can confine itself as a worker first, and can put the probes into a worker's cage: as a program of its own, or
//! as a file of the target that the system's loader maps. `hide` takes a part of the kernel away before that.
//!
//! Other roles, for the tests: `announce NAME` (the escape of a program that should not have been executed) and
//! those of `roles.rs`.
#![expect(clippy::print_stdout, reason = "what it prints is what it is for")]

mod files;
mod hide;
mod kernel;
mod processes;
mod roles;
mod sockets;
mod stage;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::Write as _;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use luminos_tools::command;
use luminos_tools::sandbox::{
    Cage, CageRules, Identity, Level, Limits, Start, Support, WorkerConfinement, confine_worker, probe,
};

use crate::stage::{Probe, Stage, Verdict};

type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["announce", name] => {
            say(name, &Verdict::Escaped);
            Ok(())
        }
        ["victim"] => roles::victim(),
        ["parser"] => roles::parser(),
        ["list"] => {
            all().for_each(|(name, _)| println!("{name}"));
            Ok(())
        }
        ["burn", ..] => roles::burn(),
        ["linger", ..] => roles::linger(),
        ["flood"] => roles::flood(std::io::stdout()),
        ["flood-errors"] => roles::flood(std::io::stderr()),
        ["inheritance"] => roles::inheritance(),
        ["parent", rest @ ..] => roles::parent(rest),
        words => run(&Asked::read(words)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            println!("failed\t{failure}");
            ExitCode::FAILURE
        }
    }
}

/// What was asked for.
#[derive(Default)]
pub(crate) struct Asked<'a> {
    hide: Vec<&'a str>,
    worker: Option<Level>,
    user: Option<u32>,
    root: Option<&'a str>,
    place: &'a str,
    pub(crate) stage: PathBuf,
    names: Vec<&'a str>,
}

impl<'a> Asked<'a> {
    fn read(words: &[&'a str]) -> Self {
        let mut asked = Self { place: "self", ..Self::default() };
        for word in words {
            match word.split_once('=') {
                Some(("hide", part)) => asked.hide.push(part),
                Some(("worker", level)) => asked.worker = level_named(level),
                Some(("as", user)) => asked.user = user.parse().ok(),
                Some(("root", root)) => asked.root = Some(root),
                Some(("in", place)) => asked.place = place,
                Some(("stage", folder)) => asked.stage = PathBuf::from(folder),
                _ => asked.names.push(word),
            }
        }
        asked
    }
}

fn level_named(name: &str) -> Option<Level> {
    [Level::L0, Level::L1, Level::L2, Level::L3].into_iter().find(|level| format!("{level:?}") == name)
}

fn run(asked: &Asked<'_>) -> Result<(), Failure> {
    hide::hide(&asked.hide)?;
    // As the real programs do: the way to one's own file is found before nothing can be found any more.
    let own = std::env::current_exe()?;
    let root = asked.root.map_or_else(|| asked.stage.join("target"), PathBuf::from);
    let root = std::fs::File::open(root)?;
    let support = match asked.worker {
        None => probe(),
        Some(level) => {
            let mut executable = command::programs();
            executable.push(own.clone());
            let readable = [root.as_fd()];
            let mut confinement = WorkerConfinement::to(&readable, &executable);
            confinement.at_most = level;
            if let Some(uid) = asked.user {
                confinement.identity = Identity::User { uid, gid: uid };
            }
            confine_worker(&confinement)?
        }
    };
    match asked.place {
        "doctor" => {
            println!("{}", support.words().join("\n"));
            Ok(())
        }
        "commands" => roles::commands(&support, root.as_fd()),
        "parse" => roles::parse(&support, &own, &asked.names),
        "hold" => roles::hold(&support, root.as_fd(), &own, &asked.names),
        "cage" => in_cage(asked, &support, root.as_fd(), &own, &[own.as_os_str()]),
        "loader" => {
            let stage = Stage::open(&asked.stage);
            let evil = asked.stage.join("target/evil.bin");
            let loader = PathBuf::from(stage.fact("loader"));
            in_cage(asked, &support, root.as_fd(), &loader, &[loader.as_os_str(), evil.as_os_str()])
        }
        _ => {
            here(asked);
            Ok(())
        }
    }
}

pub(crate) fn all() -> impl Iterator<Item = Probe> {
    let groups = [files::PROBES, sockets::PROBES, processes::PROBES, kernel::PROBES];
    groups.into_iter().flatten().copied()
}

/// Tries the probes in this process, one after the other. If one ends it, whoever started it tries the rest.
fn here(asked: &Asked<'_>) {
    let stage = Stage::open(&asked.stage);
    let wanted = |name: &str| asked.names.is_empty() || asked.names.contains(&name);
    for (name, try_it) in all().filter(|(name, _)| wanted(name)) {
        println!("{name}\tbegun\t");
        let _ = std::io::stdout().flush();
        say(name, &try_it(&stage));
    }
}

fn say(name: &str, verdict: &Verdict) {
    println!("{name}\t{verdict}");
    let _ = std::io::stdout().flush();
}

/// Tries the probes in a cage, in as many processes as it takes.
fn in_cage(
    asked: &Asked<'_>,
    support: &Support,
    root: BorrowedFd<'_>,
    program: &Path,
    start: &[&OsStr],
) -> Result<(), Failure> {
    let cage = Cage::new(support, &CageRules { readable: &[root], executable: &[program] })?;
    let stage = format!("stage={}", asked.stage.display());
    let mut left: Vec<&str> = all().map(|(name, _)| name).collect();
    while !left.is_empty() {
        let mut arguments = start.to_vec();
        arguments.push(OsStr::new(&stage));
        arguments.extend(left.iter().map(OsStr::new));
        let limits = Limits { output: 1 << 20, ..Limits::default() };
        let outcome = cage.run(&Start { program, arguments: &arguments, working_directory: root, limits })?;
        let text = String::from_utf8_lossy(&outcome.stdout);
        print!("{text}");
        let begun: BTreeSet<&str> = text.lines().filter_map(|line| line.split('\t').next()).collect();
        let before = left.len();
        left.retain(|name| !begun.contains(name));
        if left.len() == before {
            let errors = String::from_utf8_lossy(&outcome.stderr);
            return Err(format!("the probe does not start: {:?} {errors}", outcome.end).into());
        }
    }
    Ok(())
}
