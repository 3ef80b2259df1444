//! What can be wrong with a configuration, in words.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::shown_path;
use super::table::variable;
use crate::{Exit, Failure};

/// One thing wrong with the configuration: where it is, what it is, what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// A file that is not TOML.
    #[error("{place}: not valid TOML: {message}")]
    NotToml {
        /// The line the parser stumbled at.
        place: Line,
        /// What the parser says.
        message: String,
    },
    /// A key that is no setting.
    #[error("{place}: unknown key `{key}` {}", hint(*nearest))]
    UnknownKey {
        /// Where the key stands.
        place: Line,
        /// The key as written, fit for a terminal.
        key: String,
        /// The setting that was perhaps meant.
        nearest: Option<&'static str>,
    },
    /// A value in a file that its setting cannot have.
    #[error("{place}: `{key}` cannot be {found} (hint: expected {expected})")]
    WrongValue {
        /// Where the value stands.
        place: Line,
        /// The setting.
        key: &'static str,
        /// The value as written, fit for a terminal.
        found: String,
        /// What the setting can be.
        expected: &'static str,
    },
    /// A value in the environment that its setting cannot have.
    #[error("environment variable `{variable}` cannot be {found} (hint: expected {expected})")]
    WrongVariable {
        /// The variable.
        variable: String,
        /// Its value, fit for a terminal.
        found: String,
        /// What the setting can be.
        expected: &'static str,
    },
    /// A setting whose default depends on the machine, on a machine that does not say.
    #[error(
        "`{key}` has no value: there is no home directory to derive it from (hint: set `{}`)",
        variable(key)
    )]
    NoDefault {
        /// The setting.
        key: &'static str,
    },
}

impl Fault {
    fn is_in_a_file(&self) -> bool {
        match self {
            Self::NotToml { .. } | Self::UnknownKey { .. } | Self::WrongValue { .. } => true,
            Self::WrongVariable { .. } | Self::NoDefault { .. } => false,
        }
    }
}

const FILES_HINT: &str = "`luminosctl config path` names the files that are read";

/// A line of a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The file, as the user knows it.
    pub path: Arc<Path>,
    /// The line, from 1.
    pub number: usize,
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` line {}", shown_path(&self.path), self.number)
    }
}

/// Something odd in the environment that stops nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown environment variable `{name}` {}", hint(nearest.as_deref()))]
pub struct UnknownVariable {
    /// The variable, fit for a terminal.
    pub name: String,
    /// The variable that was perhaps meant.
    pub nearest: Option<String>,
}

/// What a project's file says and only the user may say: it stops nothing, and changes nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: `{key}` is not obeyed: {why} is not for a project to say")]
pub struct NotObeyed {
    /// Where it stands.
    pub place: Line,
    /// The setting.
    pub key: &'static str,
    /// What it decides.
    pub why: &'static str,
}

fn hint(nearest: Option<&str>) -> String {
    match nearest {
        Some(nearest) => format!("(hint: did you mean `{nearest}`?)"),
        None => "(hint: `luminosctl config --help` explains all settings)".to_owned(),
    }
}

/// Everything wrong with a configuration; never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Faults(pub(super) Vec<Fault>);

impl Faults {
    /// The faults, in the order of the files and their lines, the environment last.
    pub fn iter(&self) -> impl Iterator<Item = &Fault> {
        self.0.iter()
    }
}

impl From<Faults> for Failure {
    fn from(Faults(faults): Faults) -> Self {
        let (message, causes) = match &*faults {
            [fault] => (fault.to_string(), Vec::new()),
            faults => (
                format!("the configuration has {} faults", faults.len()),
                faults.iter().map(Fault::to_string).collect(),
            ),
        };
        let hint = faults.iter().any(Fault::is_in_a_file).then(|| FILES_HINT.to_owned());
        Self { message, causes, hint, exit: Exit::Usage }
    }
}
