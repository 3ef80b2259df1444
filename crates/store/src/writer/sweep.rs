//! What the dead have left: half-written files and half-removed investigations.
//!
//! Whoever sweeps holds the daemon's lock, so all of it is the dead's. Not swept is the memory of scans, which is
//! written without a lock and looks after itself.

use std::ffi::OsStr;
use std::path::Path;

use crate::atomic::TEMPORARY;
use crate::layout::{Layout, TRASH};

/// Removes what is left; tells how much that was. What cannot be removed stays.
pub(crate) fn sweep(layout: &Layout) -> u64 {
    let mut swept = 0;
    for (name, path) in entries(layout.home()) {
        if starts_with(&name, TRASH) {
            swept += u64::from(std::fs::remove_dir_all(&path).is_ok());
        } else if starts_with(&name, TEMPORARY) {
            swept += u64::from(remove(&path));
        } else if name.to_str().is_some_and(|name| name.parse::<crate::InvestigationId>().is_ok()) {
            swept += sweep_temporaries(&path, 1);
            // One whose first document was never finished has nothing in it; any other stays.
            swept += u64::from(rustix::fs::rmdir(&path).is_ok());
        }
    }
    swept
}

fn sweep_temporaries(dir: &Path, deeper: u32) -> u64 {
    let mut swept = 0;
    for (name, path) in entries(dir) {
        if starts_with(&name, TEMPORARY) {
            swept += u64::from(remove(&path));
        } else if 0 < deeper && std::fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir()) {
            swept += sweep_temporaries(&path, deeper - 1);
        }
    }
    swept
}

/// Removes what has the name of a half-written file. A directory gets such a name when it stood in a document's place.
fn remove(path: &Path) -> bool {
    rustix::fs::unlink(path).is_ok() || std::fs::remove_dir_all(path).is_ok()
}

fn entries(dir: &Path) -> impl Iterator<Item = (std::ffi::OsString, std::path::PathBuf)> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    entries.map(|entry| (entry.file_name(), entry.path()))
}

fn starts_with(name: &OsStr, start: &str) -> bool {
    name.as_encoded_bytes().starts_with(start.as_bytes())
}
