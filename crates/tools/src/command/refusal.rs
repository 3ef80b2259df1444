//! Why a command is not run, in words that say what would be right.

use super::Program;

/// Why a command is refused. The text is for the model that asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Nothing to run.
    #[error("argv is empty: give a program and its arguments, such as [\"wc\", \"-l\", \"README.md\"]")]
    Empty,
    /// A path instead of a name.
    #[error("{0:?} is a path: name the program alone, one of {offered}", offered = offered_programs())]
    ProgramByPath(String),
    /// A program that is not offered.
    #[error("{0:?} is not offered: the programs are {offered}; there is no shell", offered = offered_programs())]
    NotOffered(String),
    /// A program that this machine lacks.
    #[error("{name} is not installed on this machine: use read_file, list_directory or search", name = .0.name())]
    NotInstalled(Program),
    /// Too much of it.
    #[error("too many arguments, or one too long: at most {most} of {longest} bytes each")]
    TooLong {
        /// Most arguments.
        most: usize,
        /// Longest argument, in bytes.
        longest: usize,
    },
    /// A byte that no argument can have.
    #[error("argument {0} contains a zero byte, which no program can be given")]
    ZeroByte(usize),
    /// An option that writes, executes, waits, or reads names from a file.
    #[error("{name} {option} is refused: {why}", name = .program.name())]
    Harmful {
        /// The program.
        program: Program,
        /// The option as it was written.
        option: String,
        /// What it would do, and what to do instead.
        why: &'static str,
    },
    /// An option that is not in the list.
    #[error(
        "{name} {option:?} is not offered; write long options in full. Offered: {offered}",
        name = .program.name()
    )]
    UnknownOption {
        /// The program.
        program: Program,
        /// The option as it was written.
        option: String,
        /// What there is.
        offered: String,
    },
    /// An option without its value, or with one it does not take.
    #[error("{name} {option}: {what}", name = .program.name())]
    Value {
        /// The program.
        program: Program,
        /// The option as it was written.
        option: String,
        /// What is wrong.
        what: &'static str,
    },
    /// A path that leaves the directory.
    #[error(
        "{0:?} leaves the directory: give paths relative to it and without `..`, such as `src/main.rs` or `.`"
    )]
    Outside(String),
    /// More files than the program reads.
    #[error("uniq takes one file: a second would be written to")]
    SecondFile,
}

fn offered_programs() -> String {
    Program::ALL.map(Program::name).join(", ")
}
