//! Why there is no scan at all. Anything less is a problem listed in the scan.

use std::io;
use std::path::{Path, PathBuf};

use luminos_core::Untrusted;

/// Why a target could not be scanned.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is nothing at that path.
    #[error("there is no directory `{path}`", path = shown(.path))]
    Missing {
        /// The path that was given.
        path: PathBuf,
    },
    /// The path is a file or something else.
    #[error("`{path}` is not a directory", path = shown(.path))]
    NotADirectory {
        /// The path that was given.
        path: PathBuf,
    },
    /// It is there but cannot be opened.
    #[error("cannot open `{path}`", path = shown(.path))]
    Unreadable {
        /// The path that was given.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is a view into the kernel: its files are endless, or act when read.
    #[error("`{path}` holds no files but a view into the kernel ({kind})", path = shown(.path))]
    Pseudo {
        /// The path that was given.
        path: PathBuf,
        /// The kind of file system.
        kind: &'static str,
    },
    /// The target lies inside our own state directory.
    #[error("`{path}` lies inside the state directory of Luminos", path = shown(.path))]
    OwnState {
        /// The path that was given.
        path: PathBuf,
    },
    /// A pattern given by `--exclude` makes no sense.
    #[error("`{pattern}` is not a pattern: {reason}", pattern = inert(.pattern), reason = inert(.reason))]
    BadExclude {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// There are more entries than a scan can number.
    #[error("`{path}` has more than four billion entries", path = shown(.path))]
    TooMany {
        /// The path that was given.
        path: PathBuf,
    },
    /// A thread of the walk died.
    #[error("the scan of `{path}` stopped on an internal error", path = shown(.path))]
    Internal {
        /// The path that was given.
        path: PathBuf,
    },
}

/// A path fit for a terminal.
fn shown(path: &Path) -> String {
    Untrusted::new(path.as_os_str().as_encoded_bytes()).for_terminal()
}

fn inert(text: &str) -> String {
    Untrusted::new(text.as_bytes()).for_terminal()
}
