//! What is known of a repository that bears on a requirement: what an investigation found out, and where words of the
//! requirement stand in the files.
//!
//! Files are ranked by how well names, summaries and contents fit the words, rare words counting more than frequent ones;
//! the language they are written in does not matter.

#[cfg(test)]
mod tests;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use super::glob::PathList;
use super::repo::RepoFacts;
use super::roles::{is_doc_path, is_runnable_test, is_test_path};
use super::task::Role;

use words::Searched;
pub(crate) use words::peculiar_names;
pub use words::{find_words, search_words};

/// What is known of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileKnowledge {
    /// What it is about.
    pub summary: String,
    /// Where words of the requirement stand in it.
    pub hits: Vec<Hit>,
    /// How many lines it has.
    pub lines: usize,
}

/// A line that holds words of the requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Its number, from 1.
    pub line: usize,
    /// What stands there.
    pub text: String,
    /// Which of the words.
    pub words: BTreeSet<String>,
}

/// What is known of a repository.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Knowledge {
    /// What the whole is.
    pub brief: String,
    /// Directories and what they are about.
    pub dirs: Vec<(String, String)>,
    /// Files and what is known of them.
    pub files: BTreeMap<String, FileKnowledge>,
    /// Sentences that the judge has verified, with their places.
    pub claims: Vec<(String, String)>,
    /// Where this comes from, in words.
    pub origin: String,
}

/// What files are looked for.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// What should be true.
    pub text: &'a str,
    /// What that is a part of; its words count, but less.
    pub goal: &'a str,
}

/// How much the words of a goal count beside those of its criterion.
const OF_GOAL: f64 = 0.4;
/// How much more a name of several words says than a word.
const OF_NAME: f64 = 2.0;
/// How much more a file counts below a directory that is named.
const OF_DIR: f64 = 2.0;

/// A file that fits less than this fits by chance.
const LEAST_SCORE: f64 = 0.4;

/// A file that fits, and how well.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The file.
    pub path: String,
    /// How well it fits; the greater, the better.
    pub score: f64,
}

/// Words, and how much each of them says about files of a repository.
struct Weights(BTreeMap<String, f64>);

impl Weights {
    fn of<'w>(&self, words: impl IntoIterator<Item = &'w String>) -> f64 {
        words.into_iter().filter_map(|word| self.0.get(word)).sum()
    }
}

/// How much less a line says that only names what it takes from elsewhere.
const OF_IMPORT: f64 = 0.5;

impl Weights {
    fn of_hit(&self, hit: &Hit) -> f64 {
        let starts =
            ["import ", "from ", "use ", "pub use ", "#include", "require", "using ", "package ", "@import"];
        let is_import = starts.iter().any(|start| hit.text.starts_with(start));
        self.of(&hit.words) * if is_import { OF_IMPORT } else { 1.0 }
    }
}

/// Which of the words a file has, and where.
#[derive(Default)]
struct Has {
    name: BTreeSet<String>,
    summary: BTreeSet<String>,
    text: BTreeSet<String>,
}

impl Knowledge {
    /// The files that fit a text, best first. Those outside of `allowed` do not count.
    pub fn rank(&self, text: &str, facts: &RepoFacts, allowed: &[String]) -> Vec<Ranked> {
        self.weigh(Wanted { text, goal: "" }, facts, allowed).0
    }

    /// The same, and what each word says: the fewer files have it, the more.
    fn weigh(&self, wanted: Wanted<'_>, facts: &RepoFacts, allowed: &[String]) -> (Vec<Ranked>, Weights) {
        let own = search_words(wanted.text);
        let words: BTreeSet<String> = own.union(&search_words(wanted.goal)).cloned().collect();
        let allowed = PathList::read(allowed);
        let mut all: BTreeMap<&String, Has> = BTreeMap::new();
        for path in facts.files.iter().filter(|path| allowed.matches(path)) {
            let has = self.look_at(path, &words);
            if !has.name.is_empty() || !has.text.is_empty() || !has.summary.is_empty() {
                all.insert(path, has);
            }
        }
        let total = facts.files.len().max(1) as f64;
        let weigh = |word: &String| {
            let holds =
                |has: &&Has| has.name.contains(word) || has.summary.contains(word) || has.text.contains(word);
            let count = all.values().filter(holds).count() as f64;
            let rare = (1.0 + total / (1.0 + count)).ln();
            rare * if word.contains('_') { OF_NAME } else { 1.0 }
                * if own.contains(word) { 1.0 } else { OF_GOAL }
        };
        let weights = Weights(words.iter().map(|word| (word.clone(), weigh(word))).collect());
        let dirs = named_dirs(wanted.text, facts);
        let mut ranked: Vec<Ranked> = all
            .into_iter()
            .map(|(path, has)| {
                // Several of the words on one line tell more than the same words far apart.
                let hits = self.files.get(path).map(|known| known.hits.as_slice()).unwrap_or_default();
                let best = hits.iter().map(|hit| weights.of_hit(hit)).fold(0.0, f64::max);
                let mut score =
                    2.0 * weights.of(&has.name) + weights.of(&has.summary) + weights.of(&has.text) + best;
                if wanted.text.contains(path.as_str()) {
                    score += 100.0;
                }
                if dirs.iter().any(|dir| path.starts_with(dir.as_str())) {
                    score *= OF_DIR;
                }
                Ranked { path: path.clone(), score: score * kind_weight(path) }
            })
            .collect();
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.path.cmp(&b.path)));
        (ranked, weights)
    }

    fn look_at(&self, path: &str, words: &BTreeSet<String>) -> Has {
        let name = Searched::new(path);
        let known = self.files.get(path);
        let summary = Searched::new(known.map(|known| known.summary.as_str()).unwrap_or_default());
        let hits = known.map(|known| known.hits.as_slice()).unwrap_or_default();
        let in_text = hits.iter().flat_map(|hit| &hit.words).filter(|word| words.contains(*word));
        Has {
            name: words.iter().filter(|word| name.has(word)).cloned().collect(),
            summary: words.iter().filter(|word| summary.has(word)).cloned().collect(),
            text: in_text.cloned().collect(),
        }
    }

    /// The files that somebody who does a task should start from: for who implements the best sources and their test, for who
    /// tests the best tests and a source, for who documents the best documents.
    pub fn starting_points(
        &self,
        wanted: Wanted<'_>,
        role: Role,
        facts: &RepoFacts,
        allowed: &[String],
    ) -> Vec<String> {
        let (ranked, _) = self.weigh(wanted, facts, allowed);
        let is_source = |file: &&Ranked| !is_test_path(&file.path) && !is_doc_path(&file.path);
        let close = |rule: &dyn Fn(&&Ranked) -> bool, most: usize| -> Vec<String> {
            let Some(best) = ranked.iter().find(|file| rule(file)) else { return Vec::new() };
            let close = ranked.iter().filter(|file| rule(file));
            let close = close.filter(|file| best.score * 0.6 <= file.score && LEAST_SCORE <= file.score);
            close.take(most).map(|file| file.path.clone()).collect()
        };
        match role {
            Role::Docser => {
                let found = close(&|file| is_doc_path(&file.path) && !is_changelog(&file.path), 3);
                let mut files = Vec::new();
                super::task::add_new(&mut files, found.into_iter().map(|file| newest(file, facts)));
                files
            }
            Role::Tester => {
                let mut files = close(&|file| is_runnable_test(&file.path), 2);
                files.extend(close(&is_source, 1));
                files
            }
            Role::Worker => {
                let mut files = close(&is_source, 3);
                if files.is_empty() {
                    files = close(&|_| true, 3);
                }
                let test = self.test_of(&files, &ranked, facts, allowed);
                super::task::add_new(&mut files, test);
                files
            }
        }
    }

    /// The test that goes with sources: one that is called like one of them, else one that fits as well.
    fn test_of(
        &self,
        sources: &[String],
        ranked: &[Ranked],
        facts: &RepoFacts,
        allowed: &[String],
    ) -> Option<String> {
        let best = ranked.first().map_or(0.0, |file| file.score);
        let allowed = PathList::read(allowed);
        let named: BTreeSet<String> = sources.iter().filter_map(|path| subject_of(path)).collect();
        let is_pair = |path: &str| subject_of(path).is_some_and(|subject| named.contains(&subject));
        let score = |path: &str| ranked.iter().find(|file| file.path == path).map_or(0.0, |file| file.score);
        let pairs = facts.files.iter().filter(|path| is_runnable_test(path) && is_pair(path));
        let pairs = pairs.filter(|path| allowed.matches(path));
        let pair = pairs.max_by(|a, b| score(a).total_cmp(&score(b)).then_with(|| b.cmp(a)));
        let fits = ranked.iter().find(|file| is_runnable_test(&file.path));
        let fits = fits.filter(|file| best * 0.4 <= file.score);
        match (pair, fits) {
            // A test that fits far better than the one with the name is the better place.
            (Some(pair), Some(fits)) if score(pair) * 2.5 < fits.score => Some(fits.path.clone()),
            (Some(pair), _) => Some(pair.clone()),
            (None, fits) => fits.map(|file| file.path.clone()),
        }
    }

    /// The places in some files that bear on a text, as `path:line quote`, those that say most first.
    pub fn places(
        &self,
        wanted: Wanted<'_>,
        facts: &RepoFacts,
        files: &[String],
        most: usize,
    ) -> Vec<String> {
        let (_, weights) = self.weigh(wanted, facts, &["**".to_owned()]);
        let mut places: Vec<(f64, &String, &Hit)> = Vec::new();
        for path in files {
            let Some(known) = self.files.get(path) else { continue };
            let hits = known.hits.iter().filter(|hit| 8 < hit.text.len());
            let mut hits: Vec<(f64, &Hit)> = hits.map(|hit| (weights.of_hit(hit), hit)).collect();
            hits.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.line.cmp(&b.1.line)));
            places.extend(hits.into_iter().take(2).map(|(weight, hit)| (weight, path, hit)));
        }
        places.sort_by(|a, b| b.0.total_cmp(&a.0));
        let best = places.first().map_or(0.0, |place| place.0);
        places
            .into_iter()
            .filter(|place| 0.0 < place.0 && best * 0.35 <= place.0)
            .map(|(_, path, hit)| format!("{path}:{} {}", hit.line, quoted(&super::clipped(&hit.text, 120))))
            .take(most)
            .collect()
    }

    /// The line of each of the best files that says most about a text, best file first.
    pub(crate) fn best_lines(&self, text: &str, facts: &RepoFacts, most: usize) -> Vec<(String, &Hit)> {
        let (ranked, weights) = self.weigh(Wanted { text, goal: "" }, facts, &["**".to_owned()]);
        let best = |file: Ranked| {
            let hits = self.files.get(&file.path)?.hits.iter().map(|hit| (weights.of_hit(hit), hit));
            let best = hits.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| b.1.line.cmp(&a.1.line)))?;
            (0.0 < best.0).then_some((file.path, best.1))
        };
        ranked.into_iter().filter_map(best).take(most).collect()
    }

    /// How many files have a peculiar name, and the first place of it, in a source if there is one.
    pub(crate) fn place_of(&self, name: &str) -> (usize, Option<String>) {
        let name = name.to_lowercase().replace('-', "_");
        let is_edge = |letter: Option<char>| letter.is_none_or(|it| !it.is_alphanumeric() && it != '_');
        let has = |hit: &&Hit| {
            let text = hit.text.to_lowercase().replace('-', "_");
            // A flag is written with dashes in front of it, which are no part of its name.
            text.match_indices(&name).any(|(at, _)| {
                is_edge(text[..at].trim_end_matches("__").chars().next_back())
                    && is_edge(text[at + name.len()..].chars().next())
            })
        };
        let places = self.files.iter().filter_map(|(path, known)| {
            Some((path, known.hits.iter().filter(has).map(|hit| hit.line).min()?))
        });
        let places: Vec<(&String, usize)> = places.collect();
        let rank = |path: &str| (is_doc_path(path), is_test_path(path), is_example(path));
        let first = places.iter().min_by_key(|(path, _)| (rank(path), *path));
        (places.len(), first.map(|(path, line)| format!("{path}:{line}")))
    }
}

/// Notes about versions are written for the next one: of files that are called by versions, the latest.
fn newest(file: String, facts: &RepoFacts) -> String {
    let (dir, name) = file.rsplit_once('/').unwrap_or(("", &file));
    let ending = name.rsplit('.').next().unwrap_or_default();
    let Some(own) = version(name) else { return file };
    let beside = facts.below(dir).filter_map(|path| {
        let name = path.strip_prefix(&format!("{dir}/"))?;
        (!name.contains('/') && name.ends_with(ending)).then(|| Some((version(name)?, path)))?
    });
    let latest = beside.max().filter(|(latest, _)| own < *latest);
    latest.map_or(file.clone(), |(_, path)| path.clone())
}

/// The numbers of a name that is a version: `4.1.txt`, `v2.0.md`.
fn version(name: &str) -> Option<Vec<u32>> {
    let (stem, _) = name.trim_start_matches('v').rsplit_once('.')?;
    let numbers: Option<Vec<u32>> = stem.split('.').map(|part| part.parse().ok()).collect();
    numbers.filter(|numbers| !numbers.is_empty())
}

/// What a file is about by its name alone: `cli` for `src/cli.py`, `tests/test_cli.py` and `CliTest.java`.
fn subject_of(path: &str) -> Option<String> {
    let name = path.rsplit('/').next()?.split('.').next()?.to_lowercase();
    let name = name.strip_prefix("test_").unwrap_or(&name);
    let name = ["_tests", "_test", "_spec", "-test", "-spec", "tests", "test", "spec"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(name);
    let says_nothing = matches!(
        name,
        "" | "mod" | "lib" | "main" | "index" | "init" | "__init__" | "base" | "util" | "utils"
    );
    (!says_nothing).then(|| name.to_owned())
}

/// The directories that a text names, each with a `/` at its end.
fn named_dirs(text: &str, facts: &RepoFacts) -> Vec<String> {
    let is_edge = |letter: char| !letter.is_alphanumeric() && !"/._-".contains(letter);
    let words = text.split(is_edge).filter(|word| word.contains('/'));
    let words = words.map(|word| word.trim_matches(['/', '.']));
    words.filter(|word| facts.has_dir(word)).map(|word| format!("{word}/")).collect()
}

/// How much files of a kind count beside others.
fn kind_weight(path: &str) -> f64 {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_made = path.contains(".min.") || path.contains(".gen.") || path.ends_with(".po");
    let is_manifest = super::repo::MANIFESTS.contains(&name) || name.ends_with(".lock");
    if is_changelog(path) {
        0.2
    } else if is_manifest || is_made {
        0.3
    } else if is_doc_path(path) || is_example(path) || path.starts_with('.') {
        0.5
    } else {
        1.0
    }
}

/// A line of a file in marks that it does not hold itself.
fn quoted(text: &str) -> String {
    if text.contains('`') { format!("“{text}”") } else { format!("`{text}`") }
}

fn is_changelog(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
    [
        "changelog",
        "changes",
        "history",
        "news",
        "authors",
        "license",
        "contributors",
        "unlicense",
        "copying",
        "copyright",
        "notice",
    ]
    .iter()
    .any(|word| name.starts_with(word))
}

fn is_example(path: &str) -> bool {
    path.split('/').any(|name| {
        name.starts_with("bench")
            || matches!(name, "examples" | "example" | "samples" | "vendor" | "deps" | "third_party")
    })
}
