//! What the documents of the planners promise: each test that they name is there.

use std::fs;
use std::path::{Path, PathBuf};

/// All sources below a directory, as one text.
fn sources(dir: &Path, text: &mut String) {
    let mut entries: Vec<PathBuf> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            text.push_str(&fs::read_to_string(&path).unwrap());
        }
    }
}

/// The names in backticks in the last column of tables.
fn named(document: &str) -> Vec<&str> {
    let rows = document.lines().filter(|line| line.starts_with("| "));
    let cells = rows.filter_map(|row| row.trim_end_matches([' ', '|']).rsplit(" | ").next());
    let spans = cells.flat_map(|cell| cell.split('`').skip(1).step_by(2));
    let names = spans.map(|name| name.trim_start_matches("cli::"));
    let is_test = |name: &&str| {
        2 < name.matches('_').count()
            && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    names.filter(is_test).collect()
}

#[test]
fn every_test_that_a_document_names_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut text = String::new();
    for dir in ["crates/planner/src", "crates/models/src", "crates/store/src", "bin/luminosctl/tests/cli"] {
        sources(&root.join(dir), &mut text);
    }
    for document in ["docs/task-planner.md", "docs/evolution-planner.md"] {
        let document = fs::read_to_string(root.join(document)).unwrap();
        let names = named(&document);
        assert!(20 < names.len(), "the tables name tests");
        for name in names {
            assert!(text.contains(&format!("fn {name}(")), "no test is called {name}");
        }
    }
}
