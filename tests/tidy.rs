//! What we promise about the project itself: who may use whom, how long files are, that documents tell the truth.
#![cfg(test)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Crate → the workspace crates it may use. Adding a word here is a design decision.
const MAY_USE: &[(&str, &[&str])] = &[
    ("crates/core", &[]),
    ("crates/wire", &["core"]),
    ("crates/scan", &["core"]),
    ("crates/store", &["core"]),
    ("crates/report", &["core"]),
    ("crates/tools", &["core"]),
    ("crates/models", &["core"]),
    ("crates/analyst", &["core", "tools"]),
    ("crates/agent", &["core", "tools", "scan", "analyst"]),
    ("crates/planner", &["core", "models", "store"]),
    (
        "crates/engine",
        &["core", "wire", "scan", "store", "tools", "report", "models", "analyst", "agent", "planner"],
    ),
    ("bin/luminosd", &["engine", "report", "wire", "core", "scan"]),
    ("bin/luminosctl", &["engine", "report", "wire", "core", "scan"]),
    ("tests", &[]),
    ("tests/model-server", &[]),
];

/// Crates that a part of the project must never see, whatever it is called there.
const NEVER: &[(&str, &[&str])] = &[
    ("crates/core", &["tokio", "ractor", "reqwest", "rustix", "nix", "ignore"]),
    ("crates/report", &["tokio", "ractor", "reqwest", "rustix", "nix"]),
    ("crates/scan", &["tokio", "ractor", "reqwest"]),
];

/// Longest file of code, its tests apart.
const MOST_LINES: usize = 500;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn manifest(package: &str) -> toml::Table {
    let path = root().join(package).join("Cargo.toml");
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).parse().unwrap()
}

/// Folders of all packages.
fn packages() -> Vec<String> {
    let mut packages = vec!["tests".to_owned(), "tests/model-server".to_owned()];
    for group in ["crates", "bin"] {
        for entry in fs::read_dir(root().join(group)).unwrap() {
            packages.push(format!("{group}/{}", entry.unwrap().file_name().into_string().unwrap()));
        }
    }
    packages
}

fn dependencies(manifest: &toml::Table) -> BTreeSet<String> {
    let table = manifest.get("dependencies").and_then(toml::Value::as_table);
    table.map(|table| table.keys().cloned().collect()).unwrap_or_default()
}

/// All files below a folder whose names end so.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            found.extend(files(&path, ending));
        } else if name.ends_with(ending) {
            found.push(path);
        }
    }
    found
}

#[test]
fn crates_use_only_what_they_may() {
    for package in packages() {
        let allowed = MAY_USE.iter().find(|(name, _)| *name == package);
        let (_, allowed) = allowed.unwrap_or_else(|| panic!("{package} has no line in MAY_USE"));
        let dependencies = dependencies(&manifest(&package));
        let used: BTreeSet<&str> =
            dependencies.iter().filter_map(|name| name.strip_prefix("luminos-")).collect();
        let allowed: BTreeSet<&str> = allowed.iter().copied().collect();
        assert!(used.is_subset(&allowed), "{package} uses {used:?}, may use {allowed:?}");
    }
}

#[test]
fn pure_crates_stay_pure() {
    for (package, never) in NEVER {
        let dependencies = dependencies(&manifest(package));
        let seen: Vec<&&str> = never.iter().filter(|name| dependencies.contains(**name)).collect();
        assert!(seen.is_empty(), "{package} uses {seen:?}");
    }
}

#[test]
fn versions_stand_in_one_place_and_there_are_no_features() {
    for package in packages() {
        let manifest = manifest(&package);
        assert!(!manifest.contains_key("features"), "{package} has features of its own");
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            for (name, value) in manifest.get(section).and_then(toml::Value::as_table).into_iter().flatten() {
                let inherits = value.get("workspace").and_then(toml::Value::as_bool) == Some(true);
                assert!(inherits, "{package}: the version of {name} belongs in the workspace");
            }
        }
        let lints =
            manifest.get("lints").and_then(|lints| lints.get("workspace")).and_then(toml::Value::as_bool);
        assert_eq!(lints, Some(true), "{package} does not take the workspace's lints");
    }
}

#[test]
fn every_workspace_dependency_is_used() {
    let workspace: toml::Table = fs::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap();
    let mut used = BTreeSet::new();
    for package in packages() {
        let manifest = manifest(&package);
        for section in ["dependencies", "dev-dependencies"] {
            used.extend(
                manifest
                    .get(section)
                    .and_then(toml::Value::as_table)
                    .into_iter()
                    .flat_map(|table| table.keys().cloned()),
            );
        }
    }
    for name in workspace["workspace"]["dependencies"].as_table().unwrap().keys() {
        assert!(used.contains(name), "nothing uses {name}");
    }
}

#[test]
fn files_stay_short_enough_to_read() {
    for path in files(&root(), ".rs") {
        // The root itself lies beside this very package, which is called so.
        let own = path.strip_prefix(root()).unwrap();
        let is_test = own.components().any(|part| part.as_os_str() == "tests") || path.ends_with("tests.rs");
        let text = fs::read_to_string(&path).unwrap();
        let lines = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default().lines().count();
        assert!(is_test || lines <= MOST_LINES, "{} has {lines} lines", path.display());
        assert!(!path.ends_with("mod.rs"), "{}: write foo.rs and foo/", path.display());
    }
}

/// The only places that may do what the compiler cannot check: the sandbox, and what tries to break out of it.
const UNSAFE: &[&str] =
    &["crates/tools/src/sandbox.rs", "crates/tools/src/sandbox/", "crates/tools/tests/escape/probe/"];

#[test]
fn only_the_sandbox_is_unsafe() {
    for path in files(&root(), ".rs") {
        let text = fs::read_to_string(&path).unwrap();
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap();
        let is_allowed = UNSAFE.iter().any(|place| name.starts_with(place));
        let mark = concat!("unsafe", "_code");
        assert!(is_allowed || !text.contains(mark), "{name} allows unsafe code");
    }
}

/// Where facts are worked with: what is known there is known as values, and never read out of sentences.
const WITHOUT_READERS: &[&str] = &[
    "crates/analyst/src/synthesis",
    "crates/analyst/src/compose",
    "crates/analyst/src/dir.rs",
    "crates/analyst/src/look.rs",
    "crates/analyst/src/sentence.rs",
    "crates/engine/src/run/",
    "crates/report/src/investigation/",
];

#[test]
fn nothing_reads_sentences_back() {
    let readers = [
        "strip_prefix(",
        "strip_suffix(",
        "starts_with(",
        "contains(",
        "split_once(",
        "split(",
        "find(",
        "rfind(",
    ];
    let texts = ["summary", "text", "description", "finding", "partial_reason", "faults"];
    for path in files(&root(), ".rs") {
        let name = path.strip_prefix(root()).unwrap().to_str().unwrap();
        let is_test = name.contains("/tests") || name.ends_with("/sample.rs");
        if is_test || !WITHOUT_READERS.iter().any(|place| name.starts_with(place)) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let product = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for (number, line) in product.lines().enumerate() {
            for reader in readers {
                for (at, _) in line.match_indices(reader) {
                    let wanted = &line[at + reader.len()..];
                    // Quotation marks stand in our own sentences, and sentences have words with spaces between.
                    let quotes = ["'“'", "'”'"].iter().any(|mark| wanted.starts_with(mark));
                    let literal = wanted.strip_prefix('"').and_then(|rest| rest.split('"').next());
                    let of = line[..at].trim_end_matches(['.', ')', '(']);
                    let of_sentence = texts.iter().any(|text| of.ends_with(&format!(".{text}")));
                    let is_sentence = literal.is_some_and(|words| {
                        let has_words = words.trim().len() > 2 && words.trim().contains(' ');
                        words.contains(['“', '”']) || has_words && of_sentence
                    });
                    assert!(!quotes && !is_sentence, "{name}:{}: {}", number + 1, line.trim());
                }
            }
        }
    }
}

#[test]
fn nothing_unfinished_is_left_lying() {
    let marks = [
        concat!("todo", "!("),
        concat!("unimplemented", "!("),
        concat!("#[ign", "ore"),
        concat!("FIX", "ME"),
        concat!("#[should_", "panic"),
    ];
    for path in files(&root(), ".rs") {
        let text = fs::read_to_string(&path).unwrap();
        for mark in marks {
            assert!(!text.contains(mark), "{} has {mark}", path.display());
        }
    }
}

/// Words in backticks that look like paths.
fn paths_named_in(document: &str) -> Vec<String> {
    let text = fs::read_to_string(root().join(document)).unwrap();
    let quoted = text.split('`').skip(1).step_by(2);
    let tops = ["crates/", "bin/", "config/", "tests/", "docs/", "deploy/", ".ci/"];
    quoted
        .filter(|word| tops.iter().any(|top| word.starts_with(top)) && !word.contains([' ', '*', '<', '…']))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_path_named_in_the_documents_exists() {
    for document in ["ARCHITECTURE.md", "README.md"] {
        let paths = paths_named_in(document);
        for path in &paths {
            assert!(root().join(path).exists(), "{document} names {path}");
        }
    }
    assert!(5 < paths_named_in("ARCHITECTURE.md").len());
}

/// The planners' documents name the test that holds each defect of others; a name that is no test proves nothing.
#[test]
fn every_test_named_in_the_documents_of_the_planners_exists() {
    let mut sources = String::new();
    for folder in ["crates/planner/src", "bin/luminosctl/tests/cli", "crates/store/src", "crates/models/src"]
    {
        for path in files(&root().join(folder), "rs") {
            sources.push_str(&fs::read_to_string(path).unwrap());
        }
    }
    for (document, least) in [("docs/task-planner.md", 26), ("docs/evolution-planner.md", 18)] {
        let text = fs::read_to_string(root().join(document)).unwrap();
        let rows: Vec<&str> =
            text.lines().filter(|line| line.starts_with("| A") || line.starts_with("| B")).collect();
        assert!(least <= rows.len(), "{document} has {} rows", rows.len());
        for row in rows {
            let proof = row.trim_end_matches([' ', '|']).rsplit('|').next().unwrap_or_default();
            let named: Vec<&str> = proof.split('`').skip(1).step_by(2).collect();
            assert!(!named.is_empty(), "{document}: {row}");
            for name in named {
                let name = name.rsplit("::").next().unwrap_or(name);
                assert!(sources.contains(&format!("fn {name}(")), "{document} names {name}");
            }
        }
    }
}

/// A row that names a test names one that is there.
#[test]
fn every_test_named_in_the_tables_of_faults_exists() {
    let sources: Vec<String> = ["crates", "bin", "tests"]
        .iter()
        .flat_map(|folder| files(&root().join(folder), ".rs"))
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    for document in ["docs/faults.md", "docs/vectors.md"] {
        let text = fs::read_to_string(root().join(document)).unwrap();
        let named: Vec<&str> = text
            .split('`')
            .skip(1)
            .step_by(2)
            .filter_map(|word| word.rsplit_once("::"))
            .map(|(_, name)| name)
            .filter(|name| {
                name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_' || byte.is_ascii_digit())
            })
            .collect();
        assert!(10 < named.len(), "{document} names no tests");
        for name in named {
            let function = format!("fn {name}(");
            assert!(
                sources.iter().any(|source| source.contains(&function)),
                "{document} names the test {name}"
            );
        }
    }
}

#[test]
fn every_crate_has_its_line_in_the_map() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for package in packages() {
        assert!(map.contains(&format!("`{package}`")), "ARCHITECTURE.md does not tell what {package} is");
    }
}

#[test]
fn the_readme_sets_up_with_two_commands() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let set_up = readme.split("## Set-up").nth(1).unwrap().split("\n## ").next().unwrap();
    let commands: Vec<&str> = set_up.split("```").skip(1).step_by(2).flat_map(str::lines).collect();
    let commands: Vec<&&str> = commands.iter().filter(|line| !line.is_empty() && **line != "sh").collect();
    assert_eq!(commands, [&"cargo run --release -p luminosctl -- run .", &"tests/run"]);
}
