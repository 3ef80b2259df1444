//! How far a scan has come, for whoever wants to show it.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counters that grow while a scan runs; reading them costs nothing.
#[derive(Debug, Default)]
pub struct Progress {
    dirs: AtomicU64,
    files: AtomicU64,
    bytes: AtomicU64,
    files_read: AtomicU64,
}

impl Progress {
    /// Directories listed so far.
    pub fn dirs(&self) -> u64 {
        self.dirs.load(Ordering::Relaxed)
    }

    /// Files looked at so far.
    pub fn files(&self) -> u64 {
        self.files.load(Ordering::Relaxed)
    }

    /// Bytes in those files.
    pub fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Files that were opened and read: all, less those the cache knew.
    pub fn files_read(&self) -> u64 {
        self.files_read.load(Ordering::Relaxed)
    }

    pub(crate) fn add_dir(&self) {
        self.dirs.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn add_files(&self, files: u64, bytes: u64, read: u64) {
        self.files.fetch_add(files, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.files_read.fetch_add(read, Ordering::Relaxed);
    }
}
