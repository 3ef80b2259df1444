//! How much of a directory a loop has really looked at.

use std::collections::HashMap;

use crate::RelPath;
use crate::entry::Coverage;
use crate::proof::{Served, Symbols};
use crate::seen::union;

/// What was shown of the files directly in a directory. Bytes that were shown twice count once; a symbol was seen if its
/// first line was.
pub fn coverage<'a>(
    files: impl IntoIterator<Item = (RelPath, u64)>,
    served: &'a [Served],
    symbols: impl IntoIterator<Item = &'a Symbols>,
) -> Coverage {
    let mut by_path: HashMap<&'a RelPath, Vec<&Served>> = HashMap::new();
    for piece in served {
        by_path.entry(&piece.path).or_default().push(piece);
    }
    let symbols: HashMap<&RelPath, &Symbols> =
        symbols.into_iter().map(|symbols| (&symbols.path, symbols)).collect();
    let mut sum = Coverage::default();
    for (path, size) in files {
        sum.files += 1;
        sum.bytes += size;
        let shown = by_path.get(&path).map(Vec::as_slice).unwrap_or_default();
        if !shown.is_empty() {
            let mut ranges: Vec<(u64, u64)> = shown.iter().map(|piece| (piece.start, piece.end)).collect();
            sum.files_seen += 1;
            sum.bytes_seen += union(&mut ranges).min(size);
        }
        if let Some(symbols) = symbols.get(&path) {
            let is_seen =
                |line: &&u64| shown.iter().any(|piece| (piece.first_line..=piece.last_line).contains(*line));
            sum.symbols += symbols.lines.len() as u64;
            sum.symbols_seen += symbols.lines.iter().filter(is_seen).count() as u64;
        }
    }
    sum
}
