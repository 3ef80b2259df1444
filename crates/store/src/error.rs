//! Why something could not be written, and what is wrong with something that was found.
//!
//! An [`Error`] is the answer to a deed. A [`Problem`] is a finding: a document that is broken counts as absent, is
//! reported, and is made again; it never ends anything.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use luminos_core::Untrusted;
use luminos_core::entry::NotAnEntry;

/// Why the store could not do what was asked. One answer may be for many, so it can be cloned.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Error {
    /// The state directory cannot be made or opened.
    #[error("cannot use the state directory `{path}`", path = shown(.path))]
    Home {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: Arc<io::Error>,
    },
    /// Others can write to the state directory, or it belongs to somebody else.
    #[error("the state directory `{path}` is not safe: {reason}", path = shown(.path))]
    Unsafe {
        /// The directory.
        path: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The state directory lies on a network file system, whose locks cannot be relied on.
    #[error("the state directory `{path}` lies on {kind}: its locks may not hold", path = shown(.path))]
    Network {
        /// The directory.
        path: PathBuf,
        /// The kind of file system.
        kind: &'static str,
    },
    /// A file cannot be written.
    #[error("cannot write `{path}`", path = shown(.path))]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: Arc<io::Error>,
    },
    /// There is no space for a file: the disk, the quota, the inodes or the allowed file size is used up. What was
    /// there before is untouched.
    #[error("no space is left to write `{path}`", path = shown(.path))]
    Space {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: Arc<io::Error>,
    },
    /// Something that was asked for earlier, at the same time, could not be written. This may rest on it, so it was
    /// not written either.
    #[error("`{path}` was not written, because something before it could not be", path = shown(.path))]
    Skipped {
        /// The file.
        path: PathBuf,
    },
    /// The disk failed to keep what it was given. Nothing is written from then on: what was read back since could
    /// be gone after the next start.
    #[error("the store takes no more writes: {reason}")]
    ReadOnly {
        /// What happened.
        reason: String,
    },
    /// The writer has ended.
    #[error("the store's writer has ended")]
    Closed,
    /// A newer daemon owns the store.
    #[error("a newer daemon (epoch {current}) owns the store; this one has epoch {ours}")]
    Superseded {
        /// Whose writer this is.
        ours: u64,
        /// Who owns the store.
        current: u64,
    },
    /// A plan of a planner that has been succeeded by another one.
    #[error("the plan has fencing number {carried}, but {current} has been given out since")]
    StalePlan {
        /// The plan's number.
        carried: u64,
        /// The latest number.
        current: u64,
    },
    /// A journal that must be whole is not.
    #[error("the journal is damaged, and nothing is added to it")]
    Damaged(#[source] Problem),
    /// The store belongs to a newer program, which is left to it.
    #[error("the store was written by a newer program")]
    Newer(#[source] Problem),
    /// A value that cannot be a document or a line.
    #[error("cannot put `{path}` in words: {reason}", path = shown(.path))]
    Malformed {
        /// Where it was meant to go.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// A document or a line of a journal with more bytes than are read back.
    #[error("`{path}` would have {size} bytes; at most {most} are kept", path = shown(.path))]
    TooLarge {
        /// Where it was meant to go.
        path: PathBuf,
        /// Its size.
        size: u64,
        /// The most that is kept.
        most: u64,
    },
    /// Somebody else holds a lock.
    #[error("{lock} is held by {holder}")]
    Busy {
        /// Which lock.
        lock: &'static str,
        /// Who has it, in words.
        holder: String,
    },
    /// No investigation fits.
    #[error("there is no investigation `{word}`{}", suggestions(.near))]
    Unknown {
        /// What was asked for.
        word: String,
        /// What may have been meant.
        near: Vec<String>,
    },
    /// Several investigations fit.
    #[error("`{word}` fits several investigations: {}", .candidates.join(", "))]
    Ambiguous {
        /// What was asked for.
        word: String,
        /// What fits.
        candidates: Vec<String>,
    },
}

impl Error {
    /// The state directory cannot be used.
    pub(crate) fn home(path: &Path, source: impl Into<io::Error>) -> Self {
        Self::Home { path: path.to_owned(), source: Arc::new(source.into()) }
    }

    /// What went wrong with writing a file: space is a case of its own, since it comes back.
    pub(crate) fn writing(path: &Path, source: impl Into<io::Error>) -> Self {
        let (path, source) = (path.to_owned(), Arc::new(source.into()));
        let spent = [rustix::io::Errno::NOSPC, rustix::io::Errno::DQUOT, rustix::io::Errno::FBIG];
        let is_space =
            source.raw_os_error().is_some_and(|code| spent.iter().any(|errno| errno.raw_os_error() == code));
        if is_space { Self::Space { path, source } } else { Self::Write { path, source } }
    }

    /// Whether the same can succeed once there is space again.
    pub fn is_space(&self) -> bool {
        matches!(self, Self::Space { .. })
    }

    /// Whether the store refuses what it was given, whatever the state of the disk: it is too large, or makes no sense. The
    /// same is refused again; something smaller can be kept.
    pub fn is_refusal(&self) -> bool {
        matches!(self, Self::Malformed { .. } | Self::TooLarge { .. })
    }

    /// Whether waiting may help: there is no space, or something else is short that comes back (descriptors, memory,
    /// the right to write to a disk).
    pub fn may_pass(&self) -> bool {
        use rustix::io::Errno;
        if self.is_space() {
            return true;
        }
        let Self::Write { source, .. } = self else { return false };
        let short = [Errno::ROFS, Errno::MFILE, Errno::NFILE, Errno::NOMEM, Errno::AGAIN];
        source.raw_os_error().is_some_and(|code| short.iter().any(|errno| errno.raw_os_error() == code))
    }

    /// The error with its cause, in one sentence.
    pub fn in_full(&self) -> String {
        match std::error::Error::source(self) {
            Some(cause) => format!("{self}: {cause}"),
            None => self.to_string(),
        }
    }

    /// What to do about it, where somebody can do something.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Unsafe { .. } => Some("`chmod 700` it, or choose another one with LUMINOS_HOME"),
            Self::Network { .. } => Some("choose a directory on a local disk with LUMINOS_HOME"),
            Self::Space { .. } => {
                Some("make space: nothing that was stored is lost, and runs that wait go on by themselves")
            }
            Self::ReadOnly { .. } => {
                Some("look at the disk, then start the daemon again: it re-reads what is there")
            }
            Self::Damaged(_) => Some("start over with `--fresh`; the damaged journal is kept"),
            Self::Newer(_) => Some("upgrade, or choose another state directory with LUMINOS_HOME"),
            Self::Busy { .. } => Some("wait for it, or stop it with `luminosctl daemon stop`"),
            Self::Unknown { .. } => Some("`luminosctl list` shows all there are"),
            Self::Ambiguous { .. } => Some("give more digits"),
            Self::Home { .. }
            | Self::Write { .. }
            | Self::Skipped { .. }
            | Self::Closed
            | Self::Superseded { .. }
            | Self::StalePlan { .. }
            | Self::Malformed { .. }
            | Self::TooLarge { .. } => None,
        }
    }
}

/// Something in the store that cannot be used. It counts as absent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}` cannot be used", shown(.path))]
pub struct Problem {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    #[source]
    pub why: Why,
}

impl Problem {
    pub(crate) fn new(path: &Path, why: Why) -> Self {
        Self { path: path.to_owned(), why }
    }

    /// Whether moving it out of the way helps. A file of a newer program is left alone.
    pub fn is_worthless(&self) -> bool {
        !matches!(self.why, Why::TooNew { .. } | Why::Unreadable(_))
    }
}

/// What is wrong with a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Why {
    /// It should be there, and is not.
    #[error("it is missing")]
    Missing,
    /// A link, a pipe, a directory.
    #[error("it is no regular file")]
    NotAFile,
    /// A hard link leads to it from elsewhere.
    #[error("it has a second name somewhere")]
    Shared,
    /// Its owner is not ours.
    #[error("it belongs to another user")]
    Foreign,
    /// Its mode.
    #[error("other users can write to it")]
    Exposed,
    /// Far too large for what it should be.
    #[error("it has {size} bytes; at most {most} make sense")]
    TooLarge {
        /// Its size.
        size: u64,
        /// The most that is read.
        most: u64,
    },
    /// It does not end as a document does.
    #[error("it is empty, or its end is missing")]
    Torn,
    /// Its bytes are not those that were written.
    #[error("its checksum does not fit")]
    Checksum,
    /// It is not what it should be.
    #[error("it is not a document of this kind: {0}")]
    Shape(String),
    /// It is something else.
    #[error("it is a `{found}`, not a `{wanted}`")]
    Kind {
        /// What it says it is.
        found: String,
        /// What it should be.
        wanted: &'static str,
    },
    /// It was written by a newer program.
    #[error("its format is {found}; this program knows formats up to {known}")]
    TooNew {
        /// Its format.
        found: u64,
        /// The newest one known here.
        known: u32,
    },
    /// It tells about something other than its name says.
    #[error("it speaks of another path or investigation")]
    Elsewhere,
    /// It is no entry.
    #[error(transparent)]
    Entry(#[from] NotAnEntry),
    /// A line of a journal.
    #[error("line {line}: {fault}")]
    Line {
        /// Which, from 1.
        line: u64,
        /// What is wrong with it.
        fault: LineFault,
    },
    /// The system does not let us read it.
    #[error("it cannot be read: {0}")]
    Unreadable(String),
}

/// What is wrong with a line of a journal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// Its bytes are not those that were written.
    #[error("its checksum does not fit")]
    Checksum,
    /// It has far too many bytes.
    #[error("it is too long")]
    TooLong,
    /// It is not the next one.
    #[error("its number is {found}, and {wanted} was expected")]
    Number {
        /// Its number.
        found: u64,
        /// The number after the line before.
        wanted: u64,
    },
    /// Its content is not what belongs there.
    #[error("it makes no sense: {0}")]
    Shape(String),
}

/// A path fit for a terminal.
pub(crate) fn shown(path: &Path) -> String {
    Untrusted::new(path.as_os_str().as_encoded_bytes()).for_terminal()
}

fn suggestions(near: &[String]) -> String {
    if near.is_empty() { String::new() } else { format!(" (there is {})", near.join(", ")) }
}
