//! How much of a directory a loop has really looked at.

use std::collections::HashMap;

use crate::RelPath;
use crate::entry::Coverage;
use crate::proof::Served;

/// What was shown of the files directly in a directory. Bytes that were shown twice count once.
pub fn coverage<'a>(files: impl IntoIterator<Item = (RelPath, u64)>, served: &'a [Served]) -> Coverage {
    let mut by_path: HashMap<&'a RelPath, Vec<(u64, u64)>> = HashMap::new();
    for piece in served {
        by_path.entry(&piece.path).or_default().push((piece.start, piece.end));
    }
    let mut sum = Coverage::default();
    for (path, size) in files {
        sum.files += 1;
        sum.bytes += size;
        if let Some(ranges) = by_path.get_mut(&path) {
            sum.files_seen += 1;
            sum.bytes_seen += union(ranges).min(size);
        }
    }
    sum
}

/// How many bytes ranges cover together.
fn union(ranges: &mut [(u64, u64)]) -> u64 {
    ranges.sort_unstable();
    let mut covered = 0;
    let mut reached = 0;
    for &mut (start, end) in ranges {
        let start = start.max(reached);
        covered += end.saturating_sub(start);
        reached = reached.max(end);
    }
    covered
}
