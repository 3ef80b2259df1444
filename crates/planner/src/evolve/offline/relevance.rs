//! Which files a goal is about, judged by names and by what recent commits say.

use std::collections::BTreeMap;

use super::{Facts, Ranked, is_source};
use crate::evolve::clip::clip_line;

/// Words that say what to do, not about what.
const EMPTY_WORDS: &[&str] = &[
    "about",
    "adds",
    "after",
    "allow",
    "also",
    "avoid",
    "base",
    "been",
    "before",
    "better",
    "change",
    "changes",
    "clean",
    "code",
    "cost",
    "costs",
    "could",
    "decrease",
    "does",
    "each",
    "easier",
    "every",
    "fast",
    "faster",
    "fewer",
    "files",
    "find",
    "fixes",
    "from",
    "give",
    "have",
    "improve",
    "increase",
    "into",
    "keep",
    "large",
    "larger",
    "less",
    "lower",
    "make",
    "makes",
    "making",
    "more",
    "most",
    "much",
    "must",
    "need",
    "only",
    "optimise",
    "optimize",
    "other",
    "over",
    "performance",
    "please",
    "project",
    "quick",
    "quicker",
    "raise",
    "rather",
    "reduce",
    "reducing",
    "same",
    "should",
    "simple",
    "simpler",
    "slow",
    "small",
    "smaller",
    "some",
    "speed",
    "support",
    "take",
    "than",
    "that",
    "them",
    "then",
    "there",
    "these",
    "they",
    "this",
    "time",
    "under",
    "used",
    "using",
    "very",
    "want",
    "well",
    "when",
    "where",
    "which",
    "while",
    "with",
    "without",
    "work",
    "works",
    "would",
];
/// Endings that do not change what a word is about.
const ENDINGS: &[&str] =
    &["ation", "ings", "ing", "ers", "ions", "ion", "ies", "ed", "er", "es", "s", "e", "y"];
const SHORTEST_STEM: usize = 4;

/// How much a word counts in a file's name, in its directories, and in the subject of a commit that changed the file.
const IN_NAME: f64 = 6.0;
const IN_PATH: f64 = 2.0;
const IN_SUBJECT: f64 = 3.0;
const MOST_SUBJECTS: f64 = 18.0;
const PER_CHANGE: f64 = 0.1;
/// A commit that changed more files than this says little about each.
const WIDE: usize = 20;

/// The words of a goal.
#[derive(Debug)]
pub(crate) struct Goal {
    words: Vec<String>,
    shown: String,
}

impl Goal {
    pub(crate) fn new(text: &str) -> Self {
        let mut words: Vec<String> = Vec::new();
        let mut shown: Vec<String> = Vec::new();
        for word in tokens(text) {
            if word.len() < 3
                || EMPTY_WORDS.contains(&word.as_str())
                || word.bytes().all(|byte| byte.is_ascii_digit())
            {
                continue;
            }
            let stem = stem(&word);
            if is_common(&word) || words.contains(&stem) {
                continue;
            }
            words.push(stem);
            shown.push(word);
        }
        Self { words, shown: clip_line(&shown.join(", "), 80) }
    }

    /// The words, for people.
    pub(crate) fn words(&self) -> &str {
        &self.shown
    }

    /// Whether a text speaks of the goal.
    pub(crate) fn matches(&self, text: &str) -> bool {
        self.found(text).next().is_some()
    }

    /// The words of the goal that a text holds, each once.
    fn found(&self, text: &str) -> impl Iterator<Item = &String> {
        let stems: Vec<String> = tokens(text).iter().map(|word| stem(word)).collect();
        self.words.iter().filter(move |word| stems.contains(word))
    }

    /// The files that the goal is about, the most likely first. Where nothing speaks of it, those that change most.
    pub(crate) fn rank(&self, facts: &Facts) -> Vec<Ranked> {
        let mut files: BTreeMap<&str, (f64, Ranked)> = BTreeMap::new();
        for path in facts.files.iter().filter(|path| is_source(path)) {
            let (dirs, name) = path.rsplit_once('/').unwrap_or(("", path));
            let mut words: Vec<String> = self.found(name).cloned().collect();
            #[expect(clippy::cast_precision_loss, reason = "a few words")]
            let mut points = words.len() as f64 * IN_NAME;
            for word in self.found(dirs) {
                points += IN_PATH;
                if !words.contains(word) {
                    words.push(word.clone());
                }
            }
            let ranked = Ranked { path: path.clone(), changes: 0, about: Vec::new(), words };
            files.insert(path, (points, ranked));
        }
        for commit in &facts.history {
            let matches = self.found(&commit.subject).count();
            for path in &commit.paths {
                let Some((points, ranked)) = files.get_mut(path.as_str()) else { continue };
                ranked.changes += 1;
                *points += PER_CHANGE;
                if 0 < matches && commit.paths.len() <= WIDE {
                    #[expect(clippy::cast_precision_loss, reason = "a few words")]
                    let said = matches as f64 * IN_SUBJECT / (1.0 + ranked.about.len() as f64 / 2.0);
                    *points += said.min(MOST_SUBJECTS);
                    ranked.about.push((commit.commit.clone(), commit.subject.clone()));
                }
            }
        }
        let is_related = |ranked: &Ranked| !ranked.words.is_empty() || !ranked.about.is_empty();
        let is_any_related = files.values().any(|(_, ranked)| is_related(ranked));
        let mut ranked: Vec<(f64, Ranked)> = files
            .into_values()
            .filter(|(points, ranked)| if is_any_related { is_related(ranked) } else { 0.0 < *points })
            .collect();
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.path.cmp(&b.1.path)));
        ranked.into_iter().map(|(_, ranked)| ranked).collect()
    }
}

/// Whether a commit mends something.
pub(super) fn is_fix(subject: &str) -> bool {
    tokens(subject).iter().any(|word| {
        matches!(word.as_str(), "fix" | "fixes" | "fixed" | "bug" | "bugfix" | "regression" | "crash")
    })
}

/// Words that stand in too many names to say anything.
fn is_common(word: &str) -> bool {
    matches!(
        word,
        "src"
            | "lib"
            | "test"
            | "tests"
            | "the"
            | "and"
            | "for"
            | "add"
            | "fix"
            | "use"
            | "new"
            | "not"
            | "all"
            | "its"
            | "get"
            | "set"
            | "out"
            | "can"
            | "any"
            | "one"
            | "two"
            | "are"
            | "was"
            | "has"
    )
}

/// Words of a text, in small letters: `parseLine`, `parse_line` and `parse line` are the same two.
fn tokens(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut was_small = false;
    for character in text.chars() {
        let is_new = !character.is_alphanumeric() || (was_small && character.is_uppercase());
        if is_new && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
        was_small = character.is_lowercase();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// What is left of a word without its ending.
fn stem(word: &str) -> String {
    let cut = ENDINGS.iter().find_map(|ending| {
        let rest = word.strip_suffix(ending)?;
        (SHORTEST_STEM <= rest.len()).then_some(rest)
    });
    let stem = cut.unwrap_or(word);
    // "matching" and "match", "planning" and "plan".
    let mut letters = stem.chars().rev();
    match (letters.next(), letters.next()) {
        (Some(last), Some(before)) if cut.is_some() && last == before && SHORTEST_STEM < stem.len() => {
            stem[..stem.len() - last.len_utf8()].to_owned()
        }
        _ => stem.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_match_across_endings_and_ways_to_write_them() {
        let goal = Goal::new("Make the parsing of keyword tables faster");
        assert_eq!(goal.words(), "parsing, keyword, tables");
        for text in ["src/parser.rs", "parseLine", "keywords.c", "Table lookups", "HASH_TABLE"] {
            assert!(goal.matches(text), "{text}");
        }
        for text in ["src/main.rs", "faster", "part", ""] {
            assert!(!goal.matches(text), "{text}");
        }
        assert!(
            Goal::new("replication latency").matches("replicas") || Goal::new("replica").matches("replicas")
        );
        assert_eq!(Goal::new("make it faster").words(), "");
    }

    #[test]
    fn mending_commits_are_known_by_their_words() {
        assert!(is_fix("Fixed #1234 -- Crash on load"));
        assert!(!is_fix("Add prefix matching"));
    }
}
