//! What is known of a repository that bears on a requirement: what an investigation found out, and where words of the
//! requirement stand in the files.
//!
//! Files are ranked by how well names, summaries and contents fit the words, rare words counting more than frequent ones;
//! the language they are written in does not matter.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use super::glob::read_all;
use super::repo::RepoFacts;
use super::roles::{is_doc_path, is_runnable_test, is_test_path};

type Words = BTreeSet<String>;

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

/// Words that say nothing about what is wanted.
const STOP_WORDS: &[&str] = &[
    "the",
    "and",
    "for",
    "with",
    "that",
    "this",
    "from",
    "into",
    "are",
    "was",
    "not",
    "can",
    "must",
    "should",
    "shall",
    "will",
    "when",
    "then",
    "than",
    "each",
    "every",
    "all",
    "any",
    "its",
    "has",
    "have",
    "been",
    "which",
    "where",
    "who",
    "how",
    "what",
    "also",
    "only",
    "such",
    "via",
    "per",
    "new",
    "add",
    "added",
    "support",
    "make",
    "use",
    "used",
    "using",
    "user",
    "users",
    "existing",
    "instead",
    "without",
    "within",
    "more",
    "than",
    "one",
    "two",
    "get",
    "gets",
    "set",
    "does",
    "done",
    "work",
    "works",
    "file",
    "files",
    "test",
    "tests",
    "return",
    "returns",
    "value",
    "values",
    "default",
    "same",
    "still",
    "there",
    "they",
    "them",
    "their",
    "you",
    "your",
    "our",
    "but",
    "out",
    "off",
    "let",
    "like",
    "name",
    "code",
    "given",
    "other",
    "change",
    "changes",
    "documented",
    "docs",
    "about",
    "before",
    "after",
    "at",
    "least",
    "none",
    "true",
    "false",
    "see",
    "may",
    "run",
    "runs",
    "pass",
    "passes",
    "string",
    "line",
    "lines",
    "error",
    "errors",
    "example",
    "behaviour",
    "behavior",
    "feature",
    "current",
    "currently",
    "call",
    "called",
    "calls",
    "time",
    "way",
    "own",
    "over",
    "under",
    "both",
    "between",
    "explain",
    "explains",
    "explained",
];

/// The words of a text that can tell files apart, in small letters and without endings. What stands in backticks is kept as
/// it is, too.
pub fn search_words(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for (at, part) in text.split('`').enumerate() {
        if at % 2 == 1 {
            let name = part
                .trim()
                .trim_end_matches("()")
                .rsplit(['.', '/', ':'])
                .next()
                .unwrap_or(part)
                .to_lowercase();
            if 2 < name.len() && !name.contains(char::is_whitespace) {
                words.insert(name);
            }
        }
        for word in part.split(|letter: char| !letter.is_alphanumeric() && letter != '_') {
            for piece in pieces(word) {
                if 2 < piece.len()
                    && !STOP_WORDS.contains(&piece.as_str())
                    && !piece.chars().all(|l| l.is_ascii_digit())
                {
                    words.insert(stem(&piece));
                }
            }
        }
    }
    words
}

/// The parts of `camelCase` and `snake_case`.
fn pieces(word: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut was_small = false;
    for letter in word.chars() {
        if letter == '_' || letter.is_uppercase() && was_small {
            pieces.push(String::new());
        }
        was_small = letter.is_lowercase();
        if letter != '_'
            && let Some(piece) = pieces.last_mut()
        {
            piece.extend(letter.to_lowercase());
        }
    }
    pieces
}

/// A word without the ending that only grammar wants.
fn stem(word: &str) -> String {
    for ending in ["ations", "ation", "ings", "ing", "ies", "ers", "ed", "es", "er", "s"] {
        if let Some(start) = word.strip_suffix(ending)
            && 4 <= start.len()
        {
            return start.to_owned();
        }
    }
    word.to_owned()
}

/// The lines of a file that hold some of the words, those with the most first; at most `most`.
pub fn find_words(text: &str, words: &BTreeSet<String>, most: usize) -> Vec<Hit> {
    let mut hits: Vec<Hit> = Vec::new();
    for (index, line) in text.lines().enumerate().take(20_000) {
        if line.len() > 400 {
            continue;
        }
        let small = line.to_ascii_lowercase();
        let found: BTreeSet<String> =
            words.iter().filter(|word| begins_with(line, &small, word)).cloned().collect();
        if !found.is_empty() {
            hits.push(Hit { line: index + 1, text: line.trim().to_owned(), words: found });
        }
    }
    hits.sort_by(|a, b| b.words.len().cmp(&a.words.len()).then_with(|| a.line.cmp(&b.line)));
    hits.truncate(most);
    hits
}

/// Whether some word of a line begins so: `cover` is not about `over`, but `setOver` and `over_all` are.
fn begins_with(line: &str, small: &str, word: &str) -> bool {
    small.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let is_hump = before.is_some_and(char::is_lowercase) && line[at..].starts_with(char::is_uppercase);
        before.is_none_or(|letter| !letter.is_alphanumeric()) || is_hump
    })
}

/// A file that fits, and how well.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    /// The file.
    pub path: String,
    /// How well it fits; the greater, the better.
    pub score: f64,
    /// The words that it has in its name, summary or contents.
    pub words: BTreeSet<String>,
}

impl Knowledge {
    /// The files that fit a text, best first. Those outside of `allowed` do not count.
    pub fn rank(&self, text: &str, facts: &RepoFacts, allowed: &[String]) -> Vec<Ranked> {
        let words = search_words(text);
        let allowed = read_all(allowed);
        let is_allowed = |path: &String| allowed.iter().any(|glob| glob.matches(path));
        let mut has: BTreeMap<&String, (Words, Words, Words)> = BTreeMap::new();
        for path in facts.files.iter().filter(|path| is_allowed(path)) {
            let in_name: BTreeSet<String> = search_words(&path.replace(['/', '.', '-'], " "));
            let in_name: BTreeSet<String> = words.intersection(&in_name).cloned().collect();
            let known = self.files.get(path);
            let summary = known.map(|known| known.summary.to_lowercase()).unwrap_or_default();
            let in_summary = words.iter().filter(|word| summary.contains(word.as_str())).cloned().collect();
            let hits = known.map(|known| known.hits.as_slice()).unwrap_or_default();
            let in_text: BTreeSet<String> = hits
                .iter()
                .flat_map(|hit| &hit.words)
                .filter(|word| words.contains(*word))
                .cloned()
                .collect();
            if !in_name.is_empty() || !in_text.is_empty() || !BTreeSet::is_empty(&in_summary) {
                has.insert(path, (in_name, in_summary, in_text));
            }
        }
        let total = facts.files.len().max(1) as f64;
        let mut weight = BTreeMap::new();
        for word in &words {
            let count = has
                .values()
                .filter(|(a, b, c)| a.contains(word) || b.contains(word) || c.contains(word))
                .count();
            weight.insert(word.as_str(), (1.0 + total / (1.0 + count as f64)).ln());
        }
        let sum =
            |set: &BTreeSet<String>| set.iter().filter_map(|word| weight.get(word.as_str())).sum::<f64>();
        let mut ranked: Vec<Ranked> = has
            .into_iter()
            .map(|(path, (in_name, in_summary, in_text))| {
                let known = self.files.get(path);
                // Several of the words on one line tell more than the same words far apart.
                let best = known.map(|known| {
                    known
                        .hits
                        .iter()
                        .map(|hit| sum(&hit.words.intersection(&words).cloned().collect()))
                        .fold(0.0, f64::max)
                });
                let mut score = 2.0 * sum(&in_name) + sum(&in_summary) + sum(&in_text) + best.unwrap_or(0.0);
                if text.contains(path.as_str()) {
                    score += 100.0;
                }
                if is_changelog(path) {
                    score *= 0.2;
                } else if is_doc_path(path) || is_example(path) || path.starts_with('.') {
                    score *= 0.5;
                }
                let words = in_name.into_iter().chain(in_summary).chain(in_text).collect();
                Ranked { path: path.clone(), score, words }
            })
            .collect();
        ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| a.path.cmp(&b.path)));
        ranked
    }

    /// The files that somebody who does a task should start from: the best sources, and the best test.
    pub fn starting_points(&self, text: &str, facts: &RepoFacts, allowed: &[String]) -> Vec<String> {
        let ranked = self.rank(text, facts, allowed);
        let Some(best) = ranked.iter().find(|file| !is_test_path(&file.path)).or(ranked.first()) else {
            return Vec::new();
        };
        let is_close = |file: &&Ranked| best.score * 0.6 <= file.score && 1.0 <= file.score;
        let sources = ranked.iter().filter(|file| !is_test_path(&file.path)).filter(is_close).take(3);
        let tests = ranked
            .iter()
            .filter(|file| is_runnable_test(&file.path))
            .filter(|file| best.score * 0.4 <= file.score)
            .take(1);
        sources.chain(tests).map(|file| file.path.clone()).collect()
    }

    /// The places in some files that bear on a text, as `path:line quote`.
    pub fn places(&self, text: &str, files: &[String], most: usize) -> Vec<String> {
        let words = search_words(text);
        let mut places: Vec<(usize, String)> = Vec::new();
        for path in files {
            let Some(known) = self.files.get(path) else { continue };
            let shared = |hit: &Hit| hit.words.intersection(&words).count();
            let mut hits: Vec<&Hit> =
                known.hits.iter().filter(|hit| 0 < shared(hit) && 8 < hit.text.len()).collect();
            hits.sort_by(|a, b| shared(b).cmp(&shared(a)).then_with(|| a.line.cmp(&b.line)));
            for hit in hits.into_iter().take(2) {
                places.push((
                    shared(hit),
                    format!("{path}:{} {}", hit.line, quoted(&super::clipped(&hit.text, 120))),
                ));
            }
        }
        places.sort_by_key(|(shared, _)| std::cmp::Reverse(*shared));
        places.into_iter().map(|(_, place)| place).take(most).collect()
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
    path.split('/')
        .any(|name| matches!(name, "examples" | "example" | "samples" | "benchmarks" | "bench" | "vendor"))
}
