//! Hashes candidates in parallel and groups equal ones.

use std::collections::HashMap;
use std::path::PathBuf;

use rayon::prelude::*;

pub fn group(files: Vec<PathBuf>) -> Vec<Vec<PathBuf>> {
    let hashed: Vec<_> = files
        .into_par_iter()
        .filter_map(|p| std::fs::read(&p).ok().map(|b| (blake3::hash(&b), p)))
        .collect();
    let mut groups: HashMap<blake3::Hash, Vec<PathBuf>> = HashMap::new();
    for (h, p) in hashed {
        groups.entry(h).or_default().push(p);
    }
    groups.into_values().filter(|g| g.len() > 1).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_in_nothing_out() {
        assert!(super::group(vec![]).is_empty());
    }

    #[test]
    fn missing_files_are_skipped() {
        assert!(super::group(vec!["/nowhere/a".into()]).is_empty());
    }
}
