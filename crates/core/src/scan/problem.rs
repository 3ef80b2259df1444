//! What a scan could not read, and what it left out on purpose.

use std::fmt;

use crate::RelPath;

/// Something that could not be read, or not wholly. It never stops a scan.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Problem {
    /// Where.
    pub path: RelPath,
    /// What.
    pub trouble: Trouble,
}

/// What is wrong with a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trouble {
    /// A directory could not be listed; the system's words.
    Unlisted(String),
    /// A file could not be read; the system's words.
    Unread(String),
    /// It was something else when it was opened than when it was listed.
    Changed,
    /// It lies so deep that its path is too long to be opened.
    TooDeep,
    /// Larger than the limit: only samples of it were read.
    TooLarge {
        /// Its size in bytes.
        size: u64,
        /// The limit.
        limit: u64,
    },
    /// Almost all hole: only samples of it were read.
    Sparse {
        /// Its size in bytes.
        size: u64,
        /// What it takes on the disk.
        allocated: u64,
    },
    /// A file with several names that belongs to somebody else: one of the names may lie outside.
    ForeignHardLink {
        /// How many names it has.
        links: u64,
    },
    /// Its owner's rights go to whoever runs it.
    SetUid,
    /// A line of an ignore file that makes no sense.
    BadPattern {
        /// The line.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
}

impl Trouble {
    /// A fixed word for the kind of trouble.
    pub fn code(&self) -> &'static str {
        match self {
            Trouble::Unlisted(_) => "unlisted",
            Trouble::Unread(_) => "unread",
            Trouble::Changed => "changed",
            Trouble::TooDeep => "too-deep",
            Trouble::TooLarge { .. } => "too-large",
            Trouble::Sparse { .. } => "sparse",
            Trouble::ForeignHardLink { .. } => "foreign-hard-link",
            Trouble::SetUid => "setuid",
            Trouble::BadPattern { .. } => "bad-pattern",
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use crate::ByteSize;
        match self {
            Trouble::Unlisted(reason) => write!(f, "directory not listed: {reason}"),
            Trouble::Unread(reason) => write!(f, "not read: {reason}"),
            Trouble::Changed => write!(f, "not read: it changed while it was being opened"),
            Trouble::TooDeep => write!(f, "not read: its path is too long to be opened"),
            Trouble::TooLarge { size, limit } => {
                write!(f, "{} is over the limit of {}: only sampled", ByteSize(*size), ByteSize(*limit))
            }
            Trouble::Sparse { size, allocated } => {
                write!(f, "{} with {} on disk: only sampled", ByteSize(*size), ByteSize(*allocated))
            }
            Trouble::ForeignHardLink { links } => {
                write!(f, "belongs to another user and has {links} names: one may lie outside")
            }
            Trouble::SetUid => write!(f, "runs with the rights of its owner (setuid)"),
            Trouble::BadPattern { line, reason } => write!(f, "line {line} is no pattern: {reason}"),
        }
    }
}

/// Why a path was left out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// Its name starts with a dot.
    Hidden,
    /// One of the directories that are always left out.
    AlwaysLeftOut,
    /// Cargo's build output, beside its manifest.
    CargoTarget,
    /// Named by `--exclude`.
    Excluded {
        /// The name that was given.
        name: String,
    },
    /// A pattern of an ignore file.
    IgnoreFile {
        /// The ignore file; relative to the target, or absolute for one above it.
        file: String,
        /// The pattern.
        pattern: String,
    },
    /// Something else is mounted there.
    OtherFileSystem,
    /// It is a view into the kernel, which holds no files.
    Kernel,
    /// It is where Luminos keeps its own state.
    OwnState,
}

impl Rule {
    /// A fixed word for the kind of rule.
    pub fn code(&self) -> &'static str {
        match self {
            Rule::Hidden => "hidden",
            Rule::AlwaysLeftOut => "always-left-out",
            Rule::CargoTarget => "cargo-target",
            Rule::Excluded { .. } => "excluded",
            Rule::IgnoreFile { .. } => "ignore-file",
            Rule::OtherFileSystem => "other-file-system",
            Rule::Kernel => "kernel",
            Rule::OwnState => "own-state",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use crate::Untrusted;
        match self {
            Rule::Hidden => write!(f, "hidden (-a shows hidden files)"),
            Rule::AlwaysLeftOut => write!(f, "always left out (--keep NAME looks inside)"),
            Rule::CargoTarget => write!(f, "Cargo's build output (--keep target looks inside)"),
            Rule::Excluded { name } => {
                write!(f, "--exclude {}", Untrusted::new(name.as_bytes()).for_terminal())
            }
            Rule::IgnoreFile { file, pattern } => write!(
                f,
                "{}: {}",
                Untrusted::new(file.as_bytes()).for_terminal(),
                Untrusted::new(pattern.as_bytes()).for_terminal()
            ),
            Rule::OtherFileSystem => write!(f, "mounted from elsewhere (--cross-mounts goes there)"),
            Rule::Kernel => write!(f, "a view into the kernel, which holds no files"),
            Rule::OwnState => write!(f, "the state directory of Luminos itself"),
        }
    }
}

/// A path that was left out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// The path.
    pub path: RelPath,
    /// The rule that left it out.
    pub rule: Rule,
    /// Whether it is a directory, with all that is in it.
    pub is_dir: bool,
}

/// How many paths each kind of rule left out. A directory counts once, whatever it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SkippedCounts {
    /// Names that start with a dot.
    pub hidden: u64,
    /// Directories that are always left out.
    pub always_left_out: u64,
    /// Patterns of ignore files.
    pub ignored: u64,
    /// Names given by `--exclude`.
    pub excluded: u64,
    /// Other file systems, views into the kernel, and our own state.
    pub elsewhere: u64,
}

impl SkippedCounts {
    /// Counts one path.
    pub fn count(&mut self, rule: &Rule) {
        match rule {
            Rule::Hidden => self.hidden += 1,
            Rule::AlwaysLeftOut | Rule::CargoTarget => self.always_left_out += 1,
            Rule::IgnoreFile { .. } => self.ignored += 1,
            Rule::Excluded { .. } => self.excluded += 1,
            Rule::OtherFileSystem | Rule::Kernel | Rule::OwnState => self.elsewhere += 1,
        }
    }

    /// Adds what somebody else counted.
    pub fn add(&mut self, other: Self) {
        self.hidden += other.hidden;
        self.always_left_out += other.always_left_out;
        self.ignored += other.ignored;
        self.excluded += other.excluded;
        self.elsewhere += other.elsewhere;
    }

    /// All of them.
    pub fn total(self) -> u64 {
        self.hidden + self.always_left_out + self.ignored + self.excluded + self.elsewhere
    }
}
