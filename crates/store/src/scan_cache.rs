//! What scans remember: one file for each directory that was scanned.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use rustix::fs::unlink;

use crate::{Error, Store, atomic};

/// How many directories are remembered; the longest unused goes first.
const MOST_CACHES: usize = 64;
/// A half-written file this old was left by a process that is gone.
const ABANDONED: Duration = Duration::from_secs(3600);

impl Store {
    /// What was remembered of a directory, if anything can be read.
    pub fn scan_cache(&self, identity: &str) -> Option<Vec<u8>> {
        std::fs::read(self.scan_cache_path(identity)).ok()
    }

    /// Remembers something of a directory.
    pub fn save_scan_cache(&self, identity: &str, bytes: &[u8]) -> Result<(), Error> {
        let path = self.scan_cache_path(identity);
        let failed = |error| Error::writing(&path, error);
        std::fs::create_dir_all(self.scan_cache_dir()).map_err(failed)?;
        atomic::replace_disposable(&path, bytes).map_err(failed)?;
        self.forget_old_caches(&path);
        Ok(())
    }

    fn scan_cache_dir(&self) -> PathBuf {
        self.home.join("scan")
    }

    fn scan_cache_path(&self, identity: &str) -> PathBuf {
        self.scan_cache_dir().join(format!("{identity}.cache"))
    }

    /// Removes the longest unused beyond the number that is kept, and what crashed processes left. What cannot
    /// be removed stays: it is only a cache.
    fn forget_old_caches(&self, keep: &std::path::Path) {
        let Ok(entries) = std::fs::read_dir(self.scan_cache_dir()) else { return };
        let now = SystemTime::now();
        let mut caches = Vec::new();
        for entry in entries.flatten() {
            let Ok(modified) = entry.metadata().and_then(|found| found.modified()) else { continue };
            let is_temporary = entry.file_name().as_encoded_bytes().starts_with(b".tmp-");
            if is_temporary && now.duration_since(modified).is_ok_and(|age| ABANDONED < age) {
                let _ = unlink(entry.path());
            } else if !is_temporary && entry.path() != keep {
                caches.push((modified, entry.path()));
            }
        }
        caches.sort_unstable();
        let too_many = (caches.len() + 1).saturating_sub(MOST_CACHES);
        for (_, path) in caches.into_iter().take(too_many) {
            let _ = unlink(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store() -> (tempfile::TempDir, Store) {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&dir.path().join("home")).unwrap();
        (dir, store)
    }

    #[test]
    fn what_was_saved_comes_back_and_can_be_replaced() {
        let (_dir, store) = store();
        assert_eq!(store.scan_cache("1-2"), None);
        store.save_scan_cache("1-2", b"old").unwrap();
        store.save_scan_cache("1-2", b"new").unwrap();
        assert_eq!(store.scan_cache("1-2").as_deref(), Some(b"new".as_slice()));
    }

    #[test]
    fn only_so_many_are_kept_and_the_newest_is_among_them() {
        let (_dir, store) = store();
        for number in 0..MOST_CACHES + 5 {
            store.save_scan_cache(&number.to_string(), b"x").unwrap();
        }
        assert_eq!(std::fs::read_dir(store.scan_cache_dir()).unwrap().count(), MOST_CACHES);
        assert!(store.scan_cache(&(MOST_CACHES + 4).to_string()).is_some());
    }

    #[test]
    fn a_store_that_cannot_be_written_is_an_error() {
        let (_dir, store) = store();
        std::fs::create_dir_all(store.scan_cache_path("x")).unwrap();
        assert!(matches!(store.save_scan_cache("x", b"y"), Err(Error::Write { .. })));
        let left = std::fs::read_dir(store.scan_cache_dir()).unwrap().count();
        assert_eq!(left, 1, "the temporary file is gone");
    }
}
