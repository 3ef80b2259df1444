//! Prints what `parse_structure` says about files: `cargo run -p luminos-tools --example outline -- <file>…`.
//!
//! Given a directory, it outlines every file below it and prints only what was slow, failed or odd, and the numbers.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "an example prints, and stops at the first surprise"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use luminos_tools::structure::{Limits, outline};

fn main() {
    for argument in std::env::args_os().skip(1) {
        let path = PathBuf::from(argument);
        if path.is_dir() {
            survey(&path);
        } else {
            let name = path.file_name().unwrap().as_encoded_bytes();
            match outline(name, &std::fs::read(&path).unwrap(), &Limits::default()) {
                Ok(outline) => println!("== {}\n{}", path.display(), outline.for_model()),
                Err(error) => println!("== {}\n{error}", path.display()),
            }
        }
    }
}

/// Outlines a whole tree.
fn survey(root: &Path) {
    let mut results: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut todo = vec![root.to_path_buf()];
    while let Some(path) = todo.pop() {
        if path.is_symlink() {
            continue;
        }
        if path.is_dir() {
            let mut entries: Vec<PathBuf> =
                std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()).collect();
            entries.sort();
            todo.extend(entries);
            continue;
        }
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let started = std::time::Instant::now();
        let result = outline(path.file_name().unwrap().as_encoded_bytes(), &bytes, &Limits::default());
        let elapsed = started.elapsed();
        if 200 < elapsed.as_millis() {
            println!("slow: {} took {elapsed:?} for {} bytes", path.display(), bytes.len());
        }
        let result = match result {
            Ok(outline) => {
                let json = serde_json::to_value(&outline).unwrap();
                let word = |field: &str| json[field].as_str().unwrap_or_default().to_owned();
                let odd = if json["has_errors"] == true { " with errors" } else { "" };
                format!("{} {}{odd}", word("form"), word("language"))
            }
            Err(error) => error.to_string().chars().take(70).collect(),
        };
        let counts = results.entry(result).or_default();
        counts.0 += 1;
        counts.1 += bytes.len();
    }
    for (result, (files, bytes)) in results {
        println!("{files:>7} files {bytes:>11} bytes  {result}");
    }
}
