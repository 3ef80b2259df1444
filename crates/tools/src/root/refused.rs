//! Why something in the target was not opened, in words for a model.

use std::fmt;

use luminos_core::RelPath;
use rustix::fs::FileType;
use rustix::io::Errno;

/// Something in the target that was not opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}`: {why}", path.for_terminal())]
pub struct Refused {
    /// What was asked for.
    pub path: RelPath,
    /// Why not.
    pub why: Why,
}

/// Why something was not opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// The path leads out of the target.
    Outside,
    /// The path leads onto another file system.
    OtherFileSystem,
    /// It is on a file system without files.
    Pseudo(&'static str),
    /// It is no regular file.
    NotRegular(FileType),
    /// It is no directory.
    NotADirectory,
    /// Links lead to links without end.
    LinkLoop,
    /// There is nothing of that name.
    Missing,
    /// It belongs to Luminos itself.
    OwnState,
    /// We may not read it.
    Denied,
    /// It was replaced while it was being opened.
    Changed,
    /// A name is longer than names can be.
    TooLong,
    /// Something else.
    Other(Errno),
}

impl From<Errno> for Why {
    fn from(errno: Errno) -> Self {
        match errno {
            Errno::XDEV => Self::Outside,
            Errno::LOOP => Self::LinkLoop,
            Errno::NOENT => Self::Missing,
            Errno::ACCESS | Errno::PERM => Self::Denied,
            Errno::NOTDIR => Self::NotADirectory,
            Errno::NAMETOOLONG => Self::TooLong,
            Errno::AGAIN => Self::Changed,
            errno => Self::Other(errno),
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outside => f.write_str(
                "this leads out of the target. Only what is inside can be opened: use a path relative to the \
                 target, such as `src/main.rs`, without a leading `/`; `.` is the target itself.",
            ),
            Self::OtherFileSystem => {
                f.write_str("another file system is mounted there, which is not entered.")
            }
            Self::Pseudo(kind) => {
                write!(f, "this is on a {kind} file system, which holds no files but views into the kernel.")
            }
            Self::NotRegular(FileType::Directory) => {
                f.write_str("this is a directory. Use list_directory to see what is in it.")
            }
            Self::NotRegular(kind) => {
                write!(f, "this is {}, no regular file, and is never opened.", kind_word(*kind))
            }
            Self::NotADirectory => f.write_str("this, or something on the way to it, is no directory."),
            Self::LinkLoop => f.write_str("the links on the way lead round in a circle, or are too many."),
            Self::Missing => {
                f.write_str("there is nothing of that name. Use list_directory to see what there is.")
            }
            Self::OwnState => {
                f.write_str("this is where Luminos keeps its own results, which is no part of the target.")
            }
            Self::Denied => f.write_str("the user Luminos runs as may not read it."),
            Self::Changed => {
                f.write_str("it was replaced while it was being opened; nothing was read. Try again.")
            }
            Self::TooLong => f.write_str("a name in it is longer than names can be."),
            Self::Other(errno) => write!(f, "the system says: {errno}."),
        }
    }
}

/// The word for a kind of file.
pub(crate) fn kind_word(kind: FileType) -> &'static str {
    match kind {
        FileType::RegularFile => "a file",
        FileType::Directory => "a directory",
        FileType::Symlink => "a link",
        FileType::Fifo => "a pipe",
        FileType::Socket => "a socket",
        FileType::CharacterDevice => "a character device",
        FileType::BlockDevice => "a block device",
        FileType::Unknown => "something unknown",
    }
}
