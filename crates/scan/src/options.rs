//! What a scan is asked to do.

use std::num::NonZeroUsize;
use std::path::PathBuf;

/// How to walk, and how far to look.
#[derive(Debug, Clone)]
pub struct Options {
    /// Whether hidden files are looked at.
    pub hidden: bool,
    /// Whether `.gitignore`, `.ignore` and `.luminosignore` are honoured.
    pub ignore_files: bool,
    /// Names or patterns to leave out, wherever they stand.
    pub exclude: Vec<String>,
    /// Names of always-left-out directories to look into nevertheless.
    pub keep: Vec<String>,
    /// Whether to go into other file systems mounted inside the target.
    pub cross_mounts: bool,
    /// Whether to list every path that is left out, or only count them.
    pub explain_skipped: bool,
    /// How many threads walk and read.
    pub threads: NonZeroUsize,
    /// Files larger than this are sampled, not read whole.
    pub hash_limit: u64,
    /// Our own state directory: left out wherever it is met.
    pub own_state: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            hidden: false,
            ignore_files: true,
            exclude: Vec::new(),
            keep: Vec::new(),
            cross_mounts: false,
            explain_skipped: false,
            threads: std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
            hash_limit: 1 << 30,
            own_state: None,
        }
    }
}
