//! A base scan, with what earlier scans of the same directory remembered.

use std::path::Path;

use luminos_scan::{Cache, Error, Options, Progress, Scanned};
use luminos_store::Store;

/// What to scan, and how.
#[derive(Debug)]
pub struct ScanRequest<'a> {
    /// The directory.
    pub target: &'a Path,
    /// How to walk it.
    pub options: Options,
    /// The state directory.
    pub home: &'a Path,
    /// Whether to use, and to renew, what earlier scans remembered.
    pub memory: Memory,
}

/// Whether a scan builds on earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// Files that have not changed are not read again.
    Used,
    /// Every file is read; nothing is remembered.
    Unused,
}

/// Scans a directory. What goes wrong with the memory is no reason to fail: it comes back as a warning.
pub fn base_scan(
    request: ScanRequest<'_>,
    progress: &Progress,
) -> (Result<Scanned, Error>, Option<luminos_store::Error>) {
    let ScanRequest { target, mut options, home, memory } = request;
    options.own_state = home.is_dir().then(|| home.to_owned());
    let identity = match luminos_scan::identity(target) {
        Ok(identity) => identity,
        Err(error) => return (Err(error), None),
    };
    let (store, mut warning) = match (memory == Memory::Used).then(|| Store::open(home)) {
        None => (None, None),
        Some(Ok(store)) => (Some(store), None),
        Some(Err(error)) => (None, Some(error)),
    };
    let remembered = store.as_ref().and_then(|store| store.scan_cache(&identity));
    let cache = remembered.map(Cache::decode).unwrap_or_default();
    let mut scanned = luminos_scan::scan(target, &options, &cache, progress);
    drop(cache);
    if let (Some(store), Ok(scanned)) = (store, &mut scanned)
        && let Some(bytes) = scanned.cache.take()
    {
        warning = store.save_scan_cache(&identity, &bytes).err();
    }
    (scanned, warning)
}
