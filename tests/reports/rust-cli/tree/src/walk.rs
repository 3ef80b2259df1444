//! Walks directories and yields files that could have a twin: those whose size is not unique.

use std::collections::HashMap;
use std::path::PathBuf;

pub fn candidates(dirs: &[PathBuf]) -> Vec<PathBuf> {
    let mut by_size: HashMap<u64, Vec<PathBuf>> = HashMap::new();
    for dir in dirs {
        for entry in ignore::Walk::new(dir).flatten() {
            let Ok(meta) = entry.metadata() else { continue };
            if meta.is_file() && meta.len() > 0 {
                by_size.entry(meta.len()).or_default().push(entry.into_path());
            }
        }
    }
    by_size.into_values().filter(|v| v.len() > 1).flatten().collect()
}
