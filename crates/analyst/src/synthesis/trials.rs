//! Its tests: how many, where, with which framework, and what they touch.

use std::collections::BTreeMap;

use luminos_core::entry::FileEntry;
use luminos_core::fact::FactKind;
use luminos_core::scan::DirId;

use super::graph::{imports_of, is_named_test, named, tests_of};
use super::{Known, Told};
use crate::knowledge::{Framework, frameworks};
use crate::role::{Role, before_packages};
use crate::words::{code, count, list, some_of};

/// Directories of tests with fewer lines say nothing.
const FEWEST_LINES: u64 = 20;
/// Those with so many lines are told beside those whose tests were counted.
const MANY_LINES: u64 = 500;

/// So many files with numbers are cases.
const CASES: usize = 50;

impl Told<'_> {
    /// The files with tests of the program itself, and how many each has.
    pub(super) fn with_tests(&self) -> Vec<(&FileEntry, u64)> {
        let files = self.material.files.iter().map(|file| (file, tests_of(file)));
        let is_own = |path: &str| !self.is_of_others(path) && !is_matter(path);
        files.filter(|(file, tests)| 0 < *tests && is_own(&file.relative_path.to_word())).collect()
    }

    pub(super) fn trials(&self) -> Option<String> {
        self.trials_after("Tests: ")
    }

    /// The same; words come before how many there are.
    pub(super) fn trials_after(&self, lead: &str) -> Option<String> {
        let files = self.with_tests();
        let tests: u64 = files.iter().map(|(_, tests)| tests).sum();
        if tests == 0 {
            // Examples and documents are no tests, whatever else they are alike in.
            let by_name = |file: &FileEntry| {
                let word = file.relative_path.to_word();
                let role = word.rsplit_once('/').and_then(|(dir, _)| Role::of(dir));
                let is_beside = matches!(role, Some(Role::Examples | Role::Docs));
                !is_beside && (matches!(role, Some(Role::Tests | Role::Fixtures)) || is_named_test(&word))
            };
            let is_there = self.material.files.iter().any(by_name);
            return self.uncounted().or_else(|| (!is_there).then(|| "No tests were found.".to_owned()));
        }
        let mut dirs: BTreeMap<String, u64> = BTreeMap::new();
        for (file, tests) in &files {
            *dirs.entry(home(&file.relative_path.to_word())).or_default() += tests;
        }
        let mut dirs: Vec<(String, u64)> = dirs.into_iter().collect();
        dirs.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let place = |dir: &String| if dir == "." { "the top directory".to_owned() } else { code(dir) };
        let places: Vec<String> = dirs.iter().map(|(dir, _)| place(dir)).collect();
        let head = format!(
            "{lead}{} in {}, in {}.",
            count(tests, "test"),
            count(files.len() as u64, "file"),
            some_of(&places, 4)
        );
        let mut told = vec![head];
        told.extend(self.numbered());
        told.extend(self.uncounted_beside(&dirs));
        told.extend(self.test_frameworks(&files));
        told.extend(self.touched());
        Some(told.join(" "))
    }

    /// Cases that are files with a number each, which a program of its own plays: `test1234`.
    fn numbered(&self) -> Option<String> {
        let scan = self.material.whole.scan;
        let is_case = |name: &[u8]| {
            let rest = name.strip_prefix(b"test").or_else(|| name.strip_prefix(b"case"));
            rest.is_some_and(|rest| !rest.is_empty() && rest.iter().all(u8::is_ascii_digit))
        };
        let (cases, dir) = scan
            .dir_ids()
            .map(|dir| {
                (scan.files_of(dir).filter(|file| is_case(scan.name(scan.file(*file).name))).count(), dir)
            })
            .max_by_key(|(cases, dir)| (*cases, std::cmp::Reverse(dir.0)))?;
        let word = scan.dir_path(dir).to_word();
        let is_told = CASES <= cases
            && Role::of(&word).is_some_and(|role| matches!(role, Role::Tests | Role::Fixtures));
        is_told.then(|| format!("Besides, {} lie in {}.", count(cases as u64, "numbered case"), code(&word)))
    }

    /// Directories of tests at the top in which none was counted: macros and data make tests, too.
    fn uncounted_beside(&self, counted: &[(String, u64)]) -> Option<String> {
        let rest: Vec<String> = self
            .test_dirs()
            .into_iter()
            .filter(|(lines, dir, _)| {
                let is_counted =
                    counted.iter().any(|(known, _)| known == dir || known.starts_with(&format!("{dir}/")));
                MANY_LINES <= *lines && !dir.contains('/') && !is_counted
            })
            .map(|(_, _, words)| words)
            .collect();
        (!rest.is_empty())
            .then(|| format!("Besides, {}, in which no single tests could be told apart.", list(&rest)))
    }

    /// Where tests lie, in languages whose tests nobody here can count.
    fn uncounted(&self) -> Option<String> {
        let told: Vec<String> = self.test_dirs().into_iter().map(|(_, _, words)| words).collect();
        (!told.is_empty()).then(|| format!("Tests lie in {}.", some_of(&told, 3)))
    }

    /// Where directories of tests begin, with their lines and the two in words; most lines first.
    fn test_dirs(&self) -> Vec<(u64, String, String)> {
        let scan = self.material.whole.scan;
        let mut told = Vec::new();
        for dir in scan.dir_ids() {
            let word = scan.dir_path(dir).to_word();
            if !Role::Tests.begins_at(&word) {
                continue;
            }
            let mut lines: BTreeMap<&str, u64> = BTreeMap::new();
            let files = (dir.0..scan.dir(dir).subtree_end).flat_map(|below| scan.files_of(DirId(below)));
            for file in files.map(|file| scan.file(file)) {
                if let Some(language) = file.language.and_then(|name| scan.languages.get(usize::from(name.0)))
                {
                    *lines.entry(language).or_default() += u64::from(file.code);
                }
            }
            let all: u64 = lines.values().sum();
            let most =
                lines.into_iter().max_by_key(|(language, lines)| (*lines, std::cmp::Reverse(*language)));
            let Some((language, most)) = most.filter(|_| FEWEST_LINES <= all) else { continue };
            let of =
                if all < most * 5 / 4 { language.to_owned() } else { format!("code, most of it {language}") };
            let words = format!("{} ({} of {of})", code(&word), count(all, "line"));
            told.push((all, word, words));
        }
        told.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        told
    }

    fn test_frameworks(&self, files: &[(&FileEntry, u64)]) -> Option<String> {
        let mut used: BTreeMap<&str, u64> = BTreeMap::new();
        for (file, _) in files {
            let imports = imports_of(file);
            let is_go = file.relative_path.as_bytes().ends_with(b".go");
            for framework in frameworks() {
                let is_it = |import: &String, module: &str| {
                    let lower = import.to_ascii_lowercase();
                    lower
                        .strip_prefix(module)
                        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '/', '\\', '_', ':']))
                };
                // What is called `testing` elsewhere is something of its own.
                let mut modules = framework.modules.iter().filter(|module| is_go || *module != "testing");
                if modules.any(|module| imports.iter().any(|import| is_it(import, module))) {
                    *used.entry(&framework.name).or_default() += 1;
                }
            }
            let path = file.relative_path.as_bytes();
            let by_ending: [(&[u8], &str); 5] = [
                (b".rs", "Rust's own"),
                (b".exs", "ExUnit"),
                (b".feature", "Cucumber"),
                (b".bats", "Bats"),
                (b".swift", "Swift Testing"),
            ];
            let uses_testing = imports.iter().any(|import| import == "Testing");
            let is_it = |ending: &[u8]| path.ends_with(ending) && (ending != b".swift" || uses_testing);
            if let Some((_, framework)) = by_ending.iter().find(|(ending, _)| is_it(ending)) {
                *used.entry(framework).or_default() += 1;
            }
        }
        let mut named: Vec<(&str, &str)> = Vec::new();
        for Known { path, fact, .. } in &self.facts {
            let (FactKind::Dependencies { names } | FactKind::DevelopmentDependencies { names }) = fact
            else {
                continue;
            };
            for Framework { name: framework, packages, .. } in frameworks() {
                let is_named = names
                    .iter()
                    .any(|name| packages.iter().any(|package| name.eq_ignore_ascii_case(package)));
                if is_named
                    && !named.iter().any(|(known, _)| known == framework)
                    && path.matches('/').count() < 2
                {
                    named.push((framework, path));
                }
            }
        }
        used.retain(|_, users| (files.len() as u64) <= *users * 20);
        named.retain(|(framework, _)| !used.contains_key(framework));
        let mut told: Vec<(u64, String)> = used
            .iter()
            .map(|(framework, users)| (*users, format!("{framework} ({})", count(*users, "file"))))
            .collect();
        told.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        let mut told: Vec<String> = told.into_iter().map(|(_, words)| words).collect();
        let named = named.into_iter();
        told.extend(named.map(|(framework, path)| format!("{framework} (named in {})", code(path))));
        told.truncate(3);
        (!told.is_empty()).then(|| format!("Framework: {}.", list(&told)))
    }

    /// Which parts tests import.
    fn touched(&self) -> Option<String> {
        let touched = self.graph.touched_by_tests(&self.own_parts());
        let told: Vec<String> = touched.iter().take(4).map(|(part, _)| named(part)).collect();
        let how = if told.len() < touched.len() { "They import most" } else { "They import" };
        (!told.is_empty()).then(|| format!("{how} {}.", list(&told)))
    }
}

impl Told<'_> {
    /// Whether tests are not those of the program itself: of examples and copies, and functions that are only called so.
    fn is_of_others(&self, path: &str) -> bool {
        is_of_others(path) || self.sides.is_shipped(path)
    }
}

fn is_of_others(path: &str) -> bool {
    let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
    let by_name = [".py", ".js", ".ts", ".rb", ".php", ".lua"].iter().any(|ending| path.ends_with(ending));
    let is_called_so = by_name && !crate::rules::is_for_tests(path) && !is_named_test(path);
    let of_examples = before_packages(dir)
        .split('/')
        .any(|step| matches!(step, "examples" | "example" | "samples" | "playground"));
    is_called_so
        || of_examples
        || matches!(
            Role::of(dir),
            Some(Role::Vendored | Role::Generated | Role::Fixtures | Role::Examples | Role::Docs)
        )
}

/// Whether a file is what tests and measurements work on, whatever it is called: somebody else's tests may be among it.
fn is_matter(path: &str) -> bool {
    let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
    dir.split('/').any(|step| {
        matches!(step, "bench" | "benches" | "benchmark" | "benchmarks" | "corpus" | "snapshots" | "testdata")
    })
}

/// Where a test lives: the directory of tests it lies in, or the first directories of its path.
fn home(path: &str) -> String {
    let dir = path.rsplit_once('/').map_or(".", |(dir, _)| dir);
    let mut so_far = String::new();
    for (depth, step) in dir.split('/').enumerate() {
        so_far = if so_far.is_empty() { step.to_owned() } else { format!("{so_far}/{step}") };
        if Role::Tests.begins_at(&so_far) {
            return so_far;
        }
        if depth == 1 {
            let later = dir
                .strip_prefix(so_far.as_str())
                .is_some_and(|rest| rest.split('/').any(|step| matches!(step, "test" | "tests" | "spec")));
            if !later {
                return so_far;
            }
        }
    }
    so_far
}
