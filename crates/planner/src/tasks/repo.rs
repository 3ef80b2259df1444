//! What the planner knows of a repository without asking anybody: names of files, and the text of its manifests.

use std::collections::{BTreeMap, BTreeSet};

/// A repository as far as planning needs it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RepoFacts {
    /// Every file, relative to the root.
    pub files: BTreeSet<String>,
    /// Names at the top level, hidden ones included, without `.git`.
    pub top: BTreeSet<String>,
    /// The text of manifests, by path.
    pub manifests: BTreeMap<String, String>,
}

/// Files that say how a project is built and tested. Their text is read; at most [`MOST_MANIFESTS`] of them.
pub const MANIFESTS: &[&str] = &[
    "package.json",
    "deno.json",
    "Cargo.toml",
    "go.mod",
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "tox.ini",
    "noxfile.py",
    "requirements.txt",
    "Gemfile",
    "Rakefile",
    "composer.json",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "Makefile",
    "makefile",
    "GNUmakefile",
    "justfile",
    "CMakeLists.txt",
    "meson.build",
    "mix.exs",
    "Package.swift",
    "build.sbt",
    "pubspec.yaml",
    "build.zig",
    "README.md",
];

/// No more manifests than this are read.
pub const MOST_MANIFESTS: usize = 60;

impl RepoFacts {
    /// Whether a file is there.
    pub fn has(&self, path: &str) -> bool {
        self.files.contains(path)
    }

    /// Whether a directory is there.
    pub fn has_dir(&self, dir: &str) -> bool {
        let start = format!("{}/", dir.trim_end_matches('/'));
        self.files.range(start.clone()..).next().is_some_and(|file| file.starts_with(&start))
    }

    /// The files below a directory.
    pub fn below<'a>(&'a self, dir: &str) -> impl Iterator<Item = &'a String> + use<'a> {
        let start = format!("{}/", dir.trim_end_matches('/'));
        self.files.range(start.clone()..).take_while(move |file| file.starts_with(&start))
    }

    /// Whether there is nothing yet but a requirement: the top level is empty, or holds only `docs/` with nothing but
    /// `requirement.md` and `.gitkeep`. Settings of ours and of git do not count.
    pub fn is_uninitialised(&self) -> bool {
        let ours = [".git", ".gitignore", ".gitattributes", ".luminos", "luminos.toml"];
        let top: Vec<&String> = self.top.iter().filter(|name| !ours.contains(&name.as_str())).collect();
        match top.as_slice() {
            [] => true,
            [name] if *name == "docs" => self
                .below("docs")
                .all(|file| matches!(file.as_str(), "docs/requirement.md" | "docs/.gitkeep")),
            _ => false,
        }
    }

    /// The nearest directory at or above a path that holds one of these files; "" is the root.
    pub fn nearest(&self, path: &str, names: &[&str]) -> Option<(String, String)> {
        let mut dir = path;
        loop {
            dir = dir.rsplit_once('/').map_or("", |(dir, _)| dir);
            let at = |name: &&str| if dir.is_empty() { (*name).to_owned() } else { format!("{dir}/{name}") };
            if let Some(name) = names.iter().find(|name| self.has(&at(name))) {
                return Some((dir.to_owned(), (*name).to_owned()));
            }
            if dir.is_empty() {
                return None;
            }
        }
    }
}

#[cfg(test)]
pub(crate) fn facts(files: &[&str]) -> RepoFacts {
    let mut facts = RepoFacts::default();
    for file in files {
        facts.files.insert((*file).to_owned());
        facts.top.insert(file.split('/').next().unwrap_or(file).to_owned());
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_is_uninitialised_by_an_exact_rule() {
        for (files, expected) in [
            (&[][..], true),
            (&["docs/requirement.md"], true),
            (&["docs/requirement.md", "docs/.gitkeep", ".gitignore"], true),
            (&["docs/requirement.md", "docs/design.md"], false),
            (&["definitions.py"], false),
            (&["README.md"], false),
            (&["docs/requirement.md", "src/main.rs"], false),
        ] {
            assert_eq!(facts(files).is_uninitialised(), expected, "{files:?}");
        }
    }

    #[test]
    fn the_nearest_manifest_is_found_upwards() {
        let facts = facts(&["package.json", "web/package.json", "web/src/a.ts", "b.ts"]);
        let nearest = |path: &str| facts.nearest(path, &["package.json"]).map(|(dir, _)| dir);
        assert_eq!(nearest("web/src/a.ts").as_deref(), Some("web"));
        assert_eq!(nearest("b.ts").as_deref(), Some(""));
        assert!(facts.has_dir("web") && !facts.has_dir("we"));
    }
}
