//! Where a value of a setting comes from.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::shown_path;

/// Where a value was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Nobody wrote it: the built-in default.
    Default,
    /// A line of a configuration file.
    File {
        /// The file, as the user knows it: relative only if it lies in the current directory.
        path: Arc<Path>,
        /// The line, from 1.
        line: usize,
    },
    /// An environment variable.
    Variable(String),
    /// A flag of the command line, with its dashes.
    Flag(&'static str),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => write!(f, "default"),
            Self::File { path, line } => write!(f, "{} line {line}", shown_path(path)),
            Self::Variable(name) => write!(f, "{name}"),
            Self::Flag(flag) => write!(f, "{flag}"),
        }
    }
}

/// A value and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given<T> {
    /// The value.
    pub value: T,
    /// Where it was written.
    pub origin: Origin,
}

impl<T> Given<T> {
    /// The value of a flag, if the flag was used.
    pub fn by_flag(flag: &'static str, value: Option<T>) -> Option<Self> {
        value.map(|value| Self { value, origin: Origin::Flag(flag) })
    }

    /// The built-in default, if there is one.
    pub(super) fn by_default(value: Option<T>) -> Option<Self> {
        value.map(|value| Self { value, origin: Origin::Default })
    }
}
