//! Whether the target is still what was scanned. It may change while it is looked at: what was said about the parts that
//! did is of two times at once, and the report says so.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use luminos_core::scan::{DEEPEST, Scan};
use luminos_core::{ContentHash, RelPath};
use luminos_scan::{Progress, Scanned};

use super::keys;
use crate::base_scan::{Memory, ScanRequest, base_scan};

/// More directories are not named one by one.
const MOST_NAMED: usize = 8;

/// What became of the target while it was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Drift {
    /// Parts of it are not what was scanned.
    Changed(String),
    /// It is not there any more, or something else is in its place.
    Gone(String),
}

/// How to look at the target once more.
#[derive(Debug, Clone)]
pub(super) struct Again {
    pub(super) target: PathBuf,
    pub(super) walk: luminos_scan::Options,
    pub(super) home: PathBuf,
    /// Which directory was scanned, whatever its path.
    pub(super) identity: Option<String>,
}

impl Again {
    /// Says what has become of the target since a scan; `None` if it is as it was.
    pub(super) fn changes_since(self, before: &Scan) -> Option<Drift> {
        let identity = match luminos_scan::identity(&self.target) {
            Ok(identity) => identity,
            Err(error) => return Some(gone(&format!("it cannot be opened any more: {error}"))),
        };
        // What was moved away or unmounted can leave an empty directory of the same name.
        if self.identity.is_some_and(|before| before != identity) {
            return Some(gone("another directory lies in its place"));
        }
        let request =
            ScanRequest { target: &self.target, options: self.walk, home: &self.home, memory: Memory::Used };
        match base_scan(request, &Progress::default()).0 {
            Ok(Scanned { scan, .. }) if scan.content_hash() == before.content_hash() => None,
            Ok(Scanned { mut scan, .. }) => {
                scan.fold_below(DEEPEST);
                words(&changed(before, &scan)).map(Drift::Changed)
            }
            Err(error) => Some(gone(&format!("it cannot be read any more: {error}"))),
        }
    }
}

fn gone(why: &str) -> Drift {
    Drift::Gone(format!(
        "the target is gone ({why}): what is said about it is what was seen before that, and what was not read by then is missing"
    ))
}

/// The directories whose own files are not what they were, and those that came or went.
fn changed(before: &Scan, after: &Scan) -> BTreeSet<RelPath> {
    let contents = |scan: &Scan| -> BTreeMap<RelPath, ContentHash> {
        scan.dir_ids().map(|dir| (scan.dir_path(dir), keys::own_content(scan, dir))).collect()
    };
    let (before, after) = (contents(before), contents(after));
    let differs = |(path, hash): (&RelPath, &ContentHash), other: &BTreeMap<RelPath, ContentHash>| {
        (other.get(path) != Some(hash)).then(|| path.clone())
    };
    let gone = before.iter().filter_map(|each| differs(each, &after));
    gone.chain(after.iter().filter_map(|each| differs(each, &before))).collect()
}

fn words(changed: &BTreeSet<RelPath>) -> Option<String> {
    let count = changed.len();
    let named: Vec<String> =
        changed.iter().take(MOST_NAMED).map(|path| format!("`{}`", path.for_terminal())).collect();
    let more = count.saturating_sub(MOST_NAMED);
    let named = if 0 < more { format!("{} and {more} more", named.join(", ")) } else { named.join(", ") };
    let what = if count == 1 {
        "a directory has changed since it was"
    } else {
        "directories have changed since they were"
    };
    (0 < count).then(|| {
        format!(
            "{what} scanned: {named}; what is said there may be out of date, and the next run looks again"
        )
    })
}
