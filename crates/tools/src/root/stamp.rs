//! What tells one state of a file from another.

use rustix::fs::{FileType, Stat};

/// What the system knows of a file at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// The device it is on.
    pub device: u64,
    /// Its number there.
    pub inode: u64,
    /// What kind of thing it is.
    pub kind: FileType,
    /// Its length in bytes.
    pub size: u64,
    /// How many bytes are allocated for it: fewer than its length where it has holes.
    pub allocated: u64,
    /// How many names it has.
    pub names: u64,
    /// Who may do what with it: the twelve bits of `chmod`.
    pub mode: u32,
    /// The user it belongs to.
    pub owner: u32,
    /// When it was last written, in seconds and nanoseconds.
    pub modified: (i64, i64),
    /// When anything about it was last changed.
    pub changed: (i64, i64),
}

impl Stamp {
    pub(crate) fn of(stat: &Stat) -> Self {
        Self {
            device: stat.st_dev,
            inode: stat.st_ino,
            kind: FileType::from_raw_mode(stat.st_mode),
            size: u64::try_from(stat.st_size).unwrap_or(0),
            allocated: u64::try_from(stat.st_blocks).unwrap_or(0).saturating_mul(512),
            names: stat.st_nlink,
            mode: stat.st_mode & 0o7777,
            owner: stat.st_uid,
            modified: (stat.st_mtime, stat.st_mtime_nsec as i64),
            changed: (stat.st_ctime, stat.st_ctime_nsec as i64),
        }
    }

    /// Whether both are the same file, in whatever state.
    pub fn is_same_file(&self, other: &Self) -> bool {
        (self.device, self.inode, self.kind) == (other.device, other.inode, other.kind)
    }

    /// Whether much less is allocated than its length says.
    pub fn is_sparse(&self) -> bool {
        1 << 20 < self.size && self.allocated < self.size / 8
    }
}
