//! The records a scan is made of.

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

use crate::ContentHash;

/// A directory's place in [`Scan::dirs`](super::Scan::dirs).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct DirId(pub u32);

/// A file's place in [`Scan::files`](super::Scan::files).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct FileId(pub u32);

/// A language's place in [`Scan::languages`](super::Scan::languages).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LanguageId(pub u16);

/// A name's place in [`Scan::names`](super::Scan::names). 255 bytes are not enough: FAT and NTFS count 255
/// UTF-16 units, which are up to 765 bytes here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Name {
    /// Where it starts.
    pub start: u32,
    /// How many bytes it has.
    pub len: u16,
}

/// What a file is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// Programs, in whatever language.
    Source,
    /// Settings, manifests, build descriptions.
    Config,
    /// Tables, databases, records.
    Data,
    /// Text for people.
    Document,
    /// Images, sound, video, fonts.
    Media,
    /// Packed or compiled files.
    Archive,
    /// Anything else.
    #[default]
    Unknown,
}

impl Category {
    /// All categories, in the order they are shown.
    pub const ALL: [Category; 7] = [
        Category::Source,
        Category::Config,
        Category::Data,
        Category::Document,
        Category::Media,
        Category::Archive,
        Category::Unknown,
    ];

    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Category::Source => "source",
            Category::Config => "config",
            Category::Data => "data",
            Category::Document => "document",
            Category::Media => "media",
            Category::Archive => "archive",
            Category::Unknown => "unknown",
        }
    }
}

/// What an entry of a directory is, when it is not a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A regular file.
    #[default]
    File,
    /// A symbolic link: listed, never followed.
    Symlink,
    /// A named pipe: listed, never opened.
    Fifo,
    /// A socket: listed, never opened.
    Socket,
    /// A block device: listed, never opened.
    BlockDevice,
    /// A character device: listed, never opened.
    CharDevice,
}

impl Kind {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::File => "file",
            Kind::Symlink => "symlink",
            Kind::Fifo => "fifo",
            Kind::Socket => "socket",
            Kind::BlockDevice => "block-device",
            Kind::CharDevice => "char-device",
        }
    }
}

/// How much of a file was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reading {
    /// All its bytes.
    #[default]
    Whole,
    /// Samples only: it is too large, or almost all hole. Its hash covers size and samples.
    Sampled,
    /// Nothing: it is no regular file, or it could not be read.
    Unread,
}

/// Lines of a file, or of many, by what they hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct LineCounts {
    /// Lines with code.
    pub code: u64,
    /// Lines with nothing but comment.
    pub comments: u64,
    /// Lines with nothing but white space.
    pub blanks: u64,
}

impl LineCounts {
    /// All lines.
    pub fn total(self) -> u64 {
        self.code + self.comments + self.blanks
    }
}

impl AddAssign for LineCounts {
    fn add_assign(&mut self, other: Self) {
        self.code += other.code;
        self.comments += other.comments;
        self.blanks += other.blanks;
    }
}

/// A directory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DirRecord {
    /// Its name; empty for the target itself.
    pub name: Name,
    /// The directory it lies in; the target is its own parent.
    pub parent: DirId,
    /// How far below the target: 0 for the target itself.
    pub depth: u32,
    /// One past the last directory of its subtree.
    pub subtree_end: u32,
    /// The first of the files directly in it.
    pub first_file: u32,
    /// How many files lie directly in it.
    pub own_files: u32,
    /// Regular files in its whole subtree.
    pub files: u64,
    /// Bytes of the regular files in its whole subtree.
    pub bytes: u64,
    /// Covers name, kind, executable bit and content of everything in its subtree.
    pub hash: ContentHash,
    /// Whether its content could not be listed, or not wholly.
    pub unreadable: bool,
    /// How many directories below it were merged into it, because they lie too deep.
    pub folded: u32,
}

/// Anything in a directory that is not itself a directory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileRecord {
    /// The directory it lies in.
    pub dir: DirId,
    /// Its name.
    pub name: Name,
    /// What it is.
    pub kind: Kind,
    /// Whether its owner may execute it.
    pub executable: bool,
    /// What it is good for.
    pub category: Category,
    /// How much of it was looked at.
    pub reading: Reading,
    /// Its language, where it has one.
    pub language: Option<LanguageId>,
    /// One more than its place in the descriptions; 0 where the name tells enough.
    pub description: u32,
    /// Its size in bytes.
    pub size: u64,
    /// When it was last modified, in nanoseconds since 1970.
    pub modified: i64,
    /// Newlines, and one more when the last line has none. Counted in every file read whole.
    pub lines: u32,
    /// Lines of code in its language.
    pub code: u32,
    /// Lines of comment in its language.
    pub comments: u32,
    /// Blank lines.
    pub blanks: u32,
    /// The sha256 of its bytes; of its destination for a symbolic link.
    pub hash: ContentHash,
}

impl FileRecord {
    /// Lines in its own language, by what they hold.
    pub fn counts(&self) -> LineCounts {
        LineCounts {
            code: u64::from(self.code),
            comments: u64::from(self.comments),
            blanks: u64::from(self.blanks),
        }
    }
}

/// Lines of one language inside a file of another, such as the scripts of a web page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Embedded {
    /// The file.
    pub file: FileId,
    /// The language inside.
    pub language: LanguageId,
    /// Its lines.
    pub counts: LineCounts,
}
