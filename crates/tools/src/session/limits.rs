//! How much a session shows and does.

use std::num::NonZeroUsize;
use std::time::Duration;

/// How much a session shows and does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// The longest result of a call, in bytes.
    pub result_bytes: usize,
    /// How many calls are taken in one turn.
    pub calls_per_turn: usize,
    /// Files up to this size are read whole for their hash and their lines.
    pub hash_bytes: u64,
    /// Files up to this size are parsed.
    pub parse_bytes: u64,
    /// How many entries of a directory are shown at once.
    pub list_entries: usize,
    /// How long a search may take.
    pub search_time: Duration,
    /// How many threads a search may use.
    pub search_threads: NonZeroUsize,
    /// How many files a search may look into.
    pub search_files: usize,
    /// How much of a line a search shows, in bytes.
    pub search_line_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get).clamp(1, 4);
        Self {
            result_bytes: 32 << 10,
            calls_per_turn: 32,
            hash_bytes: 64 << 20,
            parse_bytes: 8 << 20,
            list_entries: 500,
            search_time: Duration::from_secs(10),
            search_threads: NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN),
            search_files: 500_000,
            search_line_bytes: 400,
        }
    }
}
