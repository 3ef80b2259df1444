//! The sentences of the analyst that others rely on: a small language that can be read back.
//!
//! An entry's claims are sentences for people. The synthesis reads the same sentences to find out what the whole is;
//! so what it knows is what the entries say, and nothing else. What is written by [`Statement::sentence`] is read by
//! [`Statement::read`].

use super::purpose::Purpose;
use super::words::{code, list};

mod read;
mod sentence;
#[cfg(test)]
mod tests;

/// Something that a file shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Statement {
    /// A document describes what this is.
    Describes {
        /// The document.
        path: String,
        /// Its words.
        words: String,
    },
    /// A source file says what it is for.
    Says {
        /// The file.
        path: String,
        /// Its words.
        words: String,
    },
    /// A manifest declares a package.
    Declares {
        /// The manifest.
        path: String,
        /// What kind, such as `Rust crate`.
        kind: String,
        /// The package's name.
        name: String,
        /// Its version.
        version: Option<String>,
    },
    /// A file names the version of all that lies with it.
    Versioned {
        /// The manifest.
        path: String,
        /// The version.
        version: String,
    },
    /// A file grants a licence.
    Licence {
        /// The file.
        path: String,
        /// The licence.
        name: String,
    },
    /// A file offers commands: `targets` of make, `scripts` of npm.
    Offers {
        /// The file.
        path: String,
        /// What they are called there.
        noun: String,
        /// Their names.
        names: Vec<String>,
    },
    /// A program starts here.
    Starts {
        /// The file.
        path: String,
        /// How one sees it.
        what: String,
    },
    /// A manifest names parts of a workspace.
    Members {
        /// The manifest.
        path: String,
        /// The parts.
        names: Vec<String>,
    },
    /// A manifest names what is needed.
    Needs {
        /// The manifest.
        path: String,
        /// Packages.
        names: Vec<String>,
    },
    /// A source file defines types or functions.
    Defines {
        /// The file.
        path: String,
        /// Each with its kind: ``struct `Queue` ``.
        names: Vec<String>,
    },
    /// A type or function is explained where it is defined.
    Explains {
        /// The file.
        path: String,
        /// The kind and the name: ``class `Queue` ``.
        name: String,
        /// The words there.
        words: String,
    },
    /// A file tells the command for something.
    Runs {
        /// The file.
        path: String,
        /// What one does with it.
        purpose: Purpose,
        /// The commands.
        commands: Vec<String>,
    },
    /// A manifest says what it must be run or built with.
    Requires {
        /// The manifest.
        path: String,
        /// What, with its version.
        what: String,
    },
    /// A manifest names what is needed by those who work on it.
    Develops {
        /// The manifest.
        path: String,
        /// Packages.
        names: Vec<String>,
    },
    /// A manifest says which file others load.
    Loads {
        /// The manifest.
        path: String,
        /// The file.
        what: String,
    },
    /// A file opens ports.
    Listens {
        /// The file.
        path: String,
        /// The ports, as they are written.
        ports: Vec<String>,
    },
    /// A file starts services: the name, and the image after a colon.
    Starting {
        /// The file.
        path: String,
        /// The services.
        names: Vec<String>,
    },
    /// A file takes variables of the environment.
    Takes {
        /// The file.
        path: String,
        /// Their names.
        names: Vec<String>,
    },
    /// A file of the repository leads to a history.
    History {
        /// The file that names the newest commit.
        path: String,
        /// What the history is, in words.
        words: String,
    },
    /// Some files change more than others.
    Churn {
        /// The file that names the newest commit.
        path: String,
        /// How many commits were compared.
        commits: u64,
        /// The files, each with how many of the commits changed it.
        files: Vec<(String, u64)>,
    },
    /// The files of a directory import modules.
    Imports {
        /// The directory.
        path: String,
        /// The modules, those that most files import first.
        names: Vec<String>,
    },
    /// A document says what a file of the target is.
    Tells {
        /// The document.
        path: String,
        /// The file.
        of: String,
        /// The words.
        words: String,
    },
    /// A type that many files beside its own name.
    Named {
        /// The file that defines it.
        path: String,
        /// Its kind and name: ``class `Queue` ``.
        name: String,
        /// How many other files of the directory name it.
        users: u64,
    },
    /// A project refers to other projects of the target.
    Refers {
        /// Its manifest.
        path: String,
        /// The directories of the others.
        names: Vec<String>,
    },
    /// A document has a title.
    Titled {
        /// The document.
        path: String,
        /// Its title.
        title: String,
    },
    /// A file of data holds so much of something.
    Holds {
        /// The file.
        path: String,
        /// What, in words.
        words: String,
    },
    /// A file of data covers a time.
    Spans {
        /// The file.
        path: String,
        /// The first day or moment, as it is written there.
        from: String,
        /// The last.
        to: String,
    },
    /// Something is wrong with data.
    Lacks {
        /// The file.
        path: String,
        /// What, in words.
        words: String,
    },
    /// A table has columns.
    Columns {
        /// The file.
        path: String,
        /// Their names.
        names: Vec<String>,
    },
}

impl Statement {
    /// What a file says of itself or of what it lies beside.
    pub(crate) fn own_words(&self) -> Option<&str> {
        let (Self::Describes { words, .. } | Self::Says { words, .. }) = self else { return None };
        Some(words)
    }

    /// How much it matters to whoever wants to know the whole: less is more.
    pub(crate) fn rank(&self) -> u8 {
        match self {
            Self::Describes { .. } | Self::Declares { .. } => 0,
            Self::Starts { .. }
            | Self::Offers { .. }
            | Self::Members { .. }
            | Self::Versioned { .. }
            | Self::Licence { .. }
            | Self::Runs { .. }
            | Self::Requires { .. }
            | Self::Loads { .. }
            | Self::Listens { .. }
            | Self::Starting { .. }
            | Self::Refers { .. }
            | Self::Named { .. }
            | Self::History { .. }
            | Self::Churn { .. } => 1,
            Self::Needs { .. }
            | Self::Develops { .. }
            | Self::Tells { .. }
            | Self::Takes { .. }
            | Self::Columns { .. }
            | Self::Holds { .. }
            | Self::Spans { .. }
            | Self::Lacks { .. } => 2,
            Self::Says { .. } | Self::Explains { .. } => 3,
            Self::Imports { .. } => 2,
            Self::Titled { .. } => 4,
            Self::Defines { .. } => 5,
        }
    }
}

/// What the summary of a file tells of its imports.
pub(crate) fn imports_sentence(modules: &[String]) -> String {
    let codes: Vec<String> = modules.iter().map(|name| code(name)).collect();
    format!("{IMPORTS}{}.", list(&codes))
}

/// The imports in the summary of a file.
pub(crate) fn imports_in(summary: &str) -> impl Iterator<Item = &str> {
    let told = summary.rfind(IMPORTS).map_or("", |at| &summary[at + IMPORTS.len()..]);
    told.split('`').skip(1).step_by(2)
}

const IMPORTS: &str = "It imports ";

/// A noun in the plural, or in the singular for a single name.
pub(crate) fn noun_for<'n>(noun: &'n str, names: &[String]) -> &'n str {
    if names.len() == 1 { noun.trim_end_matches('s') } else { noun }
}
