//! Read-only programs that a model may run: an argv, never a line for a shell.
//!
//! Two boundaries, and the second does not rely on the first: the policy ([`check`]) refuses what is not offered, in
//! words that say what would be right; the sandbox ([`crate::sandbox::Cage`]) holds even if the policy lets
//! everything through.

mod arguments;
mod options;
mod refusal;
#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) use self::arguments::read_by;
pub use self::arguments::{Checked, check};
pub use self::refusal::Refusal;
use crate::sandbox::{Cage, CageRules, CannotStart, End, Limits, Outcome, Start, Support};

/// A program that may be run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Program {
    /// Counts lines, words, bytes.
    Wc,
    /// Tells what a file is by its content.
    File,
    /// Finds lines.
    Grep,
    /// Shows the beginning.
    Head,
    /// Shows the end.
    Tail,
    /// Shows what the file system knows of a file.
    Stat,
    /// Adds up sizes.
    Du,
    /// Finds files.
    Find,
    /// Sorts lines.
    Sort,
    /// Drops repeated lines.
    Uniq,
}

impl Program {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::Wc,
        Self::File,
        Self::Grep,
        Self::Head,
        Self::Tail,
        Self::Stat,
        Self::Du,
        Self::Find,
        Self::Sort,
        Self::Uniq,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wc => "wc",
            Self::File => "file",
            Self::Grep => "grep",
            Self::Head => "head",
            Self::Tail => "tail",
            Self::Stat => "stat",
            Self::Du => "du",
            Self::Find => "find",
            Self::Sort => "sort",
            Self::Uniq => "uniq",
        }
    }

    /// The program of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|program| program.name() == name)
    }

    /// Its file on this machine. No search path has a say in it.
    pub fn path(self) -> Option<PathBuf> {
        ["/usr/bin", "/bin"]
            .into_iter()
            .map(|dir| Path::new(dir).join(self.name()))
            .find(|path| path.is_file())
    }
}

/// The files of all programs that are installed: what a worker must be allowed to execute.
pub fn programs() -> Vec<PathBuf> {
    Program::ALL.into_iter().filter_map(Program::path).collect()
}

/// What a command did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandOutcome {
    /// What was run: the arguments as they were given.
    pub argv: Vec<String>,
    /// Its output, at most as much as was allowed.
    pub stdout: Vec<u8>,
    /// Its errors, likewise; both together are within the limit.
    pub stderr: Vec<u8>,
    /// How it ended.
    pub end: End,
    /// Whether there would have been more.
    pub truncated: bool,
    /// How long it ran.
    pub took: Duration,
}

/// Why a command was not run.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It is not offered; the model can do better.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// It could not be started; that is not the model's fault.
    #[error("the command could not be run")]
    CannotStart(#[from] CannotStart),
}

/// The programs, ready to be run on some roots.
#[derive(Debug)]
pub struct Commands {
    cage: Cage,
    installed: Vec<(Program, PathBuf)>,
}

impl Commands {
    /// Prepares them. Fails where programs cannot be confined: `run_command` must then not be offered.
    pub fn new(support: &Support, readable: &[BorrowedFd<'_>]) -> Result<Self, CannotStart> {
        let installed: Vec<(Program, PathBuf)> =
            Program::ALL.into_iter().filter_map(|program| Some((program, program.path()?))).collect();
        let executable: Vec<&Path> = installed.iter().map(|(_, path)| path.as_path()).collect();
        let cage = Cage::new(support, &CageRules { readable, executable: &executable })?;
        Ok(Self { cage, installed })
    }

    /// The programs that this machine has.
    pub fn offered(&self) -> impl Iterator<Item = Program> {
        self.installed.iter().map(|(program, _)| *program)
    }

    /// Runs a command in a directory, which must lie in the roots. Blocks until it ends or its limits do.
    pub fn run(
        &self,
        argv: &[String],
        working_directory: BorrowedFd<'_>,
        limits: &Limits,
    ) -> Result<CommandOutcome, Error> {
        let Checked { program, .. } = check(argv)?;
        let installed = self.installed.iter().find(|(installed, _)| *installed == program);
        let (_, path) = installed.ok_or(Refusal::NotInstalled(program))?;
        let arguments: Vec<&OsStr> = argv.iter().map(OsStr::new).collect();
        let start = Start { program: path, arguments: &arguments, working_directory, limits: *limits };
        let outcome = self.cage.run(&start)?;
        let truncated = outcome.truncated();
        let Outcome { stdout, stderr, end, took } = outcome;
        Ok(CommandOutcome { argv: argv.to_vec(), stdout, stderr, end, truncated, took })
    }
}
