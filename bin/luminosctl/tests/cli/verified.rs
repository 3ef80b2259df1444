//! A report that was kept, checked with the program against a tree that has changed since: what is the same, what has
//! moved, changed or gone; the exit code tells.

#![expect(clippy::disallowed_methods, reason = "a test writes its own files")]

use std::fs;

use luminos_model_server::Policy;
use serde_json::Value;

use crate::machine::{Run, finish};
use crate::site::{PATIENCE, Site, project};

/// Checks the kept report against the project, where nothing else of the investigation is known.
fn verify(site: &Site, more: &str) -> Run {
    let (elsewhere, kept) = (site.machine.home().join("elsewhere"), site.machine.home().join("kept.json"));
    let words = format!("--home {} verify {} --tree . {more}", elsewhere.display(), kept.display());
    site.machine.ended(finish(&mut site.command(&words), PATIENCE))
}

/// How what cites a file stands; and whether everything holds.
#[track_caller]
fn standings(site: &Site, path: &str) -> (Vec<Value>, bool) {
    let run = verify(site, "--json");
    let told: Value = serde_json::from_str(&run.stdout).unwrap_or_else(|_| panic!("{run}"));
    assert_eq!(run.code, Some(if told["holds"] == true { 0 } else { 1 }), "{run}");
    let rows = told["checked"].as_array().unwrap().iter();
    let rows: Vec<Value> =
        rows.filter(|row| row["verified"] == true && row["path"] == path).cloned().collect();
    assert!(!rows.is_empty(), "nothing cites {path}: {run}");
    (rows, told["holds"] == true)
}

#[test]
fn a_kept_report_tells_what_became_of_the_tree() {
    let site = Site::new(project(), Policy::default());
    site.done(".");
    let kept = format!("show --json -o {}", site.machine.home().join("kept.json").display());
    assert_eq!(finish(&mut site.command(&kept), PATIENCE).status.code(), Some(0));
    let project = site.machine.project();
    let (read, write) = (
        |name: &str| fs::read_to_string(project.join(name)).unwrap(),
        |name: &str, text: String| {
            fs::write(project.join(name), text).unwrap();
        },
    );
    let all_are = |rows: &[Value], word: &str| rows.iter().all(|row| row["standing"] == word);

    let (rows, holds) = standings(&site, "README.md");
    assert!(holds && all_are(&rows, "same"), "{rows:#?}");

    // Lines before it: the words are found further down.
    let before = rows[0]["line"].as_u64().unwrap();
    write("README.md", format!("One.\nTwo.\nThree.\n{}", read("README.md")));
    let (rows, holds) = standings(&site, "README.md");
    assert!(holds && all_are(&rows, "moved"), "{rows:#?}");
    assert_eq!(rows[0]["standing"], "moved");
    let told = verify(&site, "");
    assert!(told.stdout.contains(&format!("README.md:{before} → README.md:{}", before + 3)), "{told}");
    assert!(told.stdout.contains("Everything holds."), "{told}");

    // Another name: the content is found there.
    fs::rename(project.join("docs/guide.md"), project.join("docs/handbook.md")).unwrap();
    let (rows, holds) = standings(&site, "docs/guide.md");
    assert!(holds && all_are(&rows, "moved"), "{rows:#?}");
    assert!(verify(&site, "").stdout.contains("→ docs/handbook.md:"));

    // Other words, and no file at all.
    write("src/parser/mod.rs", "pub fn walk() {}\n".to_owned());
    let (rows, holds) = standings(&site, "src/parser/mod.rs");
    assert!(!holds && all_are(&rows, "changed"), "{rows:#?}");
    fs::remove_file(project.join("tests/all.rs")).unwrap();
    let (rows, holds) = standings(&site, "tests/all.rs");
    assert!(!holds && all_are(&rows, "gone"), "{rows:#?}");
    let told = verify(&site, "");
    assert_eq!(told.code, Some(1), "{told}");
    assert!(told.stdout.contains("Not everything holds."), "{told}");
}
