//! Words: which of a text can tell files apart, and where they stand.

use std::collections::{BTreeMap, BTreeSet};

use super::Hit;

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

/// The words of a text that can tell files apart, in small letters and without endings. Names that are made of several words
/// (`set_cookie`, `--type-list`) count as such, too, with `_` between the words. Places that are no part of a repository
/// (addresses, absolute paths) say nothing.
pub fn search_words(text: &str) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for (at, part) in text.split('`').enumerate() {
        let is_code = at % 2 == 1;
        if is_code {
            words.extend(called(part));
        }
        for token in part.split_whitespace().filter(|token| !is_elsewhere(token)) {
            for word in token.split(|letter: char| !letter.is_alphanumeric() && !"_-".contains(letter)) {
                // `log-in`, `log_in`, `logIn` and `login` are one.
                words.extend(compound(word).map(|name| name.replace('_', "")));
                words.extend(compound(word));
                for piece in word.split('-').flat_map(pieces) {
                    // What stands in backticks is meant, however common it is.
                    let is_empty = STOP_WORDS.contains(&piece.as_str()) && !is_code;
                    if 2 < piece.len() && !is_empty && !piece.chars().all(|letter| letter.is_ascii_digit()) {
                        words.insert(stem(&piece));
                    }
                }
            }
        }
    }
    words
}

/// The names of a text that are there or are not: `set_cookie`, `--type-list`, `NotSupported`, and words in backticks.
pub(crate) fn peculiar_names(text: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (at, part) in text.split('`').enumerate() {
        let is_code = at % 2 == 1;
        let is_one_word = is_code && !part.trim().contains(char::is_whitespace);
        for token in part.split_whitespace().filter(|token| !is_elsewhere(token) && !token.contains('/')) {
            for word in token.split(|letter: char| !letter.is_alphanumeric() && !"_-".contains(letter)) {
                let name = word.trim_matches('-');
                let is_joined =
                    name.contains('_') || name.contains('-') && (word.starts_with("--") || is_code);
                let is_humped = 1 < pieces(name).iter().filter(|piece| !piece.is_empty()).count();
                let is_name = is_joined || is_humped || is_one_word;
                if 4 < name.len() && is_name && !names.iter().any(|known| known == name) {
                    names.push(name.to_owned());
                }
            }
        }
    }
    names
}

/// What a piece of code is called, without what it belongs to.
fn called(code: &str) -> Option<String> {
    let code = code.trim();
    let name = code.trim_end_matches("()").rsplit(['.', '/', ':']).next()?.to_lowercase();
    (2 < name.len() && !code.contains(char::is_whitespace)).then(|| name.trim_matches('-').replace('-', "_"))
}

/// A name that is made of several words.
fn compound(word: &str) -> Option<String> {
    let name = word.trim_matches(['-', '_']);
    let parts = name.split('-').flat_map(pieces).filter(|piece| !piece.is_empty()).count();
    (1 < parts && 4 < name.len()).then(|| name.to_lowercase().replace('-', "_"))
}

/// Whether a word names a place that cannot be in a repository.
fn is_elsewhere(token: &str) -> bool {
    let token = token.trim_start_matches(|letter: char| "(\"'".contains(letter));
    token.contains("://") || token.starts_with('/') || token.starts_with('~')
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
        // `bodies` and `body` begin alike, and no other way.
        let least = if ending == "ies" { 3 } else { 4 };
        if let Some(start) = word.strip_suffix(ending)
            && least <= start.len()
        {
            return start.to_owned();
        }
    }
    word.to_owned()
}

/// So many lines of a file are kept for each word, before those with the most words fill up the rest.
const FOR_EACH: usize = 3;

/// The lines of a file that hold some of the words, those with the most first; at most `most`. No word that is there is
/// crowded out by others.
pub fn find_words(text: &str, words: &BTreeSet<String>, most: usize) -> Vec<Hit> {
    let mut hits: Vec<Hit> = Vec::new();
    for (index, line) in text.lines().enumerate().take(20_000) {
        if line.len() > 400 {
            continue;
        }
        let searched = Searched::new(line);
        let found: BTreeSet<String> = words.iter().filter(|word| searched.has(word)).cloned().collect();
        if !found.is_empty() {
            hits.push(Hit { line: index + 1, text: line.trim().to_owned(), words: found });
        }
    }
    hits.sort_by(|a, b| b.words.len().cmp(&a.words.len()).then_with(|| a.line.cmp(&b.line)));
    let mut kept_for: BTreeMap<String, usize> = BTreeMap::new();
    let (mut kept, mut others) = (Vec::new(), Vec::new());
    for hit in hits {
        let is_wanted = hit.words.iter().any(|word| kept_for.get(word).is_none_or(|kept| *kept < FOR_EACH));
        if is_wanted {
            for word in &hit.words {
                *kept_for.entry(word.clone()).or_default() += 1;
            }
            kept.push(hit);
        } else {
            others.push(hit);
        }
    }
    kept.extend(others);
    kept.truncate(most);
    kept.sort_by(|a, b| b.words.len().cmp(&a.words.len()).then_with(|| a.line.cmp(&b.line)));
    kept
}

/// A beginning of so many letters belongs to one word; a shorter one to many, so that only an ending may follow.
const SURE: usize = 5;

/// Whether a word goes on with an ending only, or not at all.
fn is_ending(rest: &str) -> bool {
    let mut was_small = true;
    let is_same_word = |letter: &char| {
        let goes_on = letter.is_alphanumeric() && !(was_small && letter.is_uppercase());
        was_small = letter.is_lowercase();
        goes_on
    };
    let rest: String = rest.chars().take_while(is_same_word).collect::<String>().to_lowercase();
    let endings = [
        "s", "e", "es", "ed", "er", "ers", "ing", "ings", "ion", "ions", "y", "ie", "ies", "able", "ment",
        "ation",
    ];
    rest.is_empty() || endings.contains(&rest.as_str()) || rest.chars().all(|letter| letter.is_ascii_digit())
}

/// A text in which words are looked for.
pub(super) struct Searched<'t> {
    text: &'t str,
    small: String,
    /// The same with `_` for `-`, if that differs.
    joined: Option<String>,
}

impl<'t> Searched<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let small = text.to_ascii_lowercase();
        let joined = small.contains('-').then(|| small.replace('-', "_"));
        Self { text, small, joined }
    }

    /// Whether some word of the text begins so: `cover` is not about `over`, but `setOver` and `over_all` are.
    pub(super) fn has(&self, word: &str) -> bool {
        let is_name = word.contains('_');
        let small = self.joined.as_ref().filter(|_| is_name).unwrap_or(&self.small);
        small.match_indices(word).any(|(at, _)| {
            let before = self.text[..at].chars().next_back();
            let is_hump =
                before.is_some_and(char::is_lowercase) && self.text[at..].starts_with(char::is_uppercase);
            (before.is_none_or(|letter| !letter.is_alphanumeric()) || is_hump)
                && (SURE <= word.len() || is_ending(&self.text[at + word.len()..]))
        })
    }
}
