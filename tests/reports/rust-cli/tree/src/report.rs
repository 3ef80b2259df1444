//! Prints groups, the largest gain first.

use std::path::PathBuf;

pub fn print(groups: &[Vec<PathBuf>]) {
    for g in groups {
        println!("{} files", g.len());
        for p in g {
            println!("  {}", p.display());
        }
    }
}
