//! Which files a goal is about, judged by names, by what they say and by what recent commits say.

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
    "many",
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
/// How much a word counts in the text of a file, and once more on a line with others.
const IN_TEXT: f64 = 1.0;
const IN_LINE: f64 = 4.0;
/// What the commonest word still counts.
const LEAST_WEIGHT: f64 = 0.15;
const PER_CHANGE: f64 = 0.1;
/// A commit that changed more files than this says little about each.
const WIDE: usize = 20;

/// A word of a goal.
#[derive(Debug)]
struct Word {
    stem: String,
    /// As it was written.
    written: String,
    /// How much it says: the fewer names hold it, the more.
    weight: f64,
}

/// The words of a goal.
#[derive(Debug)]
pub(crate) struct Goal {
    words: Vec<Word>,
    shown: String,
}

impl Goal {
    pub(crate) fn new(text: &str) -> Self {
        let mut words: Vec<Word> = Vec::new();
        for word in tokens(text) {
            if word.len() < 3
                || EMPTY_WORDS.contains(&word.as_str())
                || word.bytes().all(|byte| byte.is_ascii_digit())
            {
                continue;
            }
            let stem = stem(&word);
            if is_common(&word) || words.iter().any(|known| known.stem == stem) {
                continue;
            }
            words.push(Word { stem, written: word, weight: 1.0 });
        }
        let shown: Vec<&str> = words.iter().map(|word| word.written.as_str()).collect();
        let shown = clip_line(&shown.join(", "), 80);
        Self { words, shown }
    }

    /// The words, for people.
    pub(crate) fn words(&self) -> &str {
        &self.shown
    }

    /// The same goal, where words that stand in many files or their names count less.
    pub(crate) fn weighed(mut self, facts: &Facts) -> Self {
        let mut counts = vec![0_u32; self.words.len()];
        for path in facts.files.iter().filter(|path| is_source(path)) {
            let stems: Vec<String> = tokens(path).iter().map(|word| stem(word)).collect();
            let said = facts.mentions.get(path).map(|mention| mention.words.as_slice()).unwrap_or_default();
            for (word, count) in self.words.iter().zip(&mut counts) {
                *count += u32::from(stems.contains(&word.stem) || said.contains(&word.written));
            }
        }
        let all = f64::from(u32::try_from(facts.files.len()).unwrap_or(u32::MAX)) + 1.0;
        for (word, count) in self.words.iter_mut().zip(counts) {
            word.weight = ((all / (f64::from(count) + 1.0)).ln() / all.ln().max(1.0)).max(LEAST_WEIGHT);
        }
        self
    }

    fn weight_of(&self, written: &[String]) -> f64 {
        self.words.iter().filter(|word| written.contains(&word.written)).map(|word| word.weight).sum()
    }

    /// How much a text speaks of the goal.
    pub(crate) fn relevance(&self, text: &str) -> f64 {
        self.found(text).map(|word| word.weight).sum()
    }

    /// Whether a text speaks of the goal.
    pub(crate) fn matches(&self, text: &str) -> bool {
        self.found(text).next().is_some()
    }

    /// Whether a text in small letters may hold a word of the goal.
    pub(super) fn may_match(&self, small: &str) -> bool {
        self.words.iter().any(|word| small.contains(&word.stem))
    }

    /// The words of the goal that a text holds, as they were written, each once.
    pub(super) fn written_in(&self, text: &str) -> Vec<String> {
        self.found(text).map(|word| word.written.clone()).collect()
    }

    /// The words of the goal that a text holds, each once.
    fn found(&self, text: &str) -> impl Iterator<Item = &Word> {
        let stems: Vec<String> = tokens(text).iter().map(|word| stem(word)).collect();
        self.words.iter().filter(move |word| stems.contains(&word.stem))
    }

    /// The files that the goal is about, the most likely first. Where nothing speaks of it, those that change most.
    pub(crate) fn rank(&self, facts: &Facts) -> Vec<Ranked> {
        let mut files: BTreeMap<&str, (f64, Ranked)> = BTreeMap::new();
        for path in facts.files.iter().filter(|path| is_source(path)) {
            let (dirs, name) = path.rsplit_once('/').unwrap_or(("", path));
            let mut points = self.relevance(name) * IN_NAME + self.relevance(dirs) * IN_PATH;
            let words = self.found(path).map(|word| word.written.clone()).collect();
            let mut says = None;
            if let Some(mention) = facts.mentions.get(path) {
                // One word of several is in many files; several on one line are about the matter.
                let is_telling = 1 < mention.on_line.len() || self.words.len() == 1;
                let on_line = if is_telling { IN_LINE } else { 0.0 };
                points +=
                    self.weight_of(&mention.words) * IN_TEXT + self.weight_of(&mention.on_line) * on_line;
                says = is_telling.then(|| (mention.line, mention.quote.clone()));
            }
            let ranked = Ranked { path: path.clone(), changes: 0, about: Vec::new(), words, says };
            files.insert(path, (points, ranked));
        }
        for commit in &facts.history {
            let said = if is_release(&commit.subject) { 0.0 } else { self.relevance(&commit.subject) };
            for path in &commit.paths {
                let Some((points, ranked)) = files.get_mut(path.as_str()) else { continue };
                ranked.changes += 1;
                *points += PER_CHANGE;
                if 0.0 < said && commit.paths.len() <= WIDE {
                    let before = f64::from(u32::try_from(ranked.about.len()).unwrap_or(u32::MAX));
                    *points += said * IN_SUBJECT / (1.0 + before / 2.0);
                    ranked.about.push((commit.commit.clone(), commit.subject.clone()));
                }
            }
        }
        let is_any_related = files.values().any(|(_, ranked)| ranked.is_related());
        let mut ranked: Vec<(f64, Ranked)> = files
            .into_values()
            .filter(|(points, ranked)| if is_any_related { ranked.is_related() } else { 0.0 < *points })
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

/// Whether a commit only raises a version or brings another one in.
pub(super) fn is_release(subject: &str) -> bool {
    let words = tokens(subject);
    let is_number = |word: &&String| word.bytes().all(|byte| byte.is_ascii_digit());
    words.iter().any(|word| matches!(word.as_str(), "bump" | "release" | "changelog" | "bumped"))
        || words.len() <= 6 && 2 <= words.iter().filter(is_number).count()
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
    fn rare_words_count_more() {
        let files = ["search/a.rs", "search/b.rs", "search/c.rs", "glob.rs"].map(str::to_owned).to_vec();
        let facts = Facts { files, ..Facts::default() };
        let goal = Goal::new("search globs").weighed(&facts);
        assert!(goal.relevance("search") < goal.relevance("glob"));
        assert_eq!(goal.rank(&facts)[0].path, "glob.rs");
    }

    #[test]
    fn releases_are_known_by_their_words() {
        assert!(
            is_release("grep-searcher-0.1.17") && is_release("deps: bump to grep 1") && is_release("1.2.3")
        );
        assert!(!is_release("Read 2 lines of 3 at once, not one by one"));
    }

    #[test]
    fn mending_commits_are_known_by_their_words() {
        assert!(is_fix("Fixed #1234 -- Crash on load"));
        assert!(!is_fix("Add prefix matching"));
    }
}
