//! Statements as sentences.

use super::{Statement, noun_for};
use crate::words::{code, list};

impl Statement {
    /// The statement as a sentence.
    pub(crate) fn sentence(&self) -> String {
        let codes = |names: &[String]| list(&names.iter().map(|name| code(name)).collect::<Vec<_>>());
        match self {
            Self::Describes { path, words } => format!("{} describes it: “{words}”", code(path)),
            Self::Says { path, words } => format!("{} says of itself: “{words}”", code(path)),
            Self::Declares { path, kind, name, version } => {
                let version =
                    version.as_deref().map(|version| format!(", version {version}")).unwrap_or_default();
                format!("{} declares the {kind} {}{version}.", code(path), code(name))
            }
            Self::Versioned { path, version } => {
                format!("{} names the version {version}.", code(path))
            }
            Self::Licence { path, name } => format!("{} names the licence {name}.", code(path)),
            Self::Offers { path, noun, names } => {
                format!("{} has the {} {}.", code(path), noun_for(noun, names), codes(names))
            }
            Self::Starts { path, what } => format!("{} is an entry point: {}.", code(path), code(what)),
            Self::Members { path, names } => format!("{} is a workspace of {}.", code(path), codes(names)),
            Self::Needs { path, names } => format!("{} depends on {}.", code(path), codes(names)),
            Self::Defines { path, names } => format!("{} defines {}.", code(path), list(names)),
            Self::Explains { path, name, words } => {
                format!("{} explains {name}: “{words}”", code(path))
            }
            Self::Runs { path, purpose, commands } => {
                format!("{} {} with {}.", code(path), purpose.verb(), codes(commands))
            }
            Self::Requires { path, what } => format!("{} requires {}.", code(path), code(what)),
            Self::Develops { path, names } => {
                format!("{} names for development {}.", code(path), codes(names))
            }
            Self::Loads { path, what } => format!("{} is loaded at {}.", code(path), code(what)),
            Self::Listens { path, ports } => format!("{} opens port {}.", code(path), codes(ports)),
            Self::Starting { path, names } => format!("{} starts {}.", code(path), codes(names)),
            Self::Takes { path, names } => {
                format!("{} takes from the environment {}.", code(path), codes(names))
            }
            Self::History { path, words } => format!("{} leads to {words}.", code(path)),
            Self::Churn { path, commits, files } => {
                let files: Vec<String> =
                    files.iter().map(|(file, changes)| format!("{} ({changes})", code(file))).collect();
                format!(
                    "{} shows what the last {commits} commits changed most: {}.",
                    code(path),
                    list(&files)
                )
            }
            Self::Imports { path, names } => format!("{} imports {}.", code(path), codes(names)),
            Self::Tells { path, of, words } => format!("{} says of {}: “{words}”", code(path), code(of)),
            Self::Named { path, name, users } => {
                let files = if *users == 1 { "1 file".to_owned() } else { format!("{users} files") };
                format!("{} is where {name} is defined, which {files} beside it name.", code(path))
            }
            Self::Refers { path, names } => format!("{} refers to {}.", code(path), codes(names)),
            Self::Titled { path, title } => format!("{} is titled “{title}”", code(path)),
            Self::Holds { path, words } => format!("{} holds {words}.", code(path)),
            Self::Spans { path, from, to } => format!("{} covers {from} to {to}.", code(path)),
            Self::Lacks { path, words } => format!("{} has a catch: {words}.", code(path)),
            Self::Columns { path, names } => format!("{} has the columns {}.", code(path), codes(names)),
        }
    }
}
