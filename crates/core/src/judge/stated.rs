//! The words of a sentence that can be held against something: paths, symbols and numbers.
//!
//! Paths and symbols are what stands in backticks; a number is a run of digits. Each must occur in what the sentence
//! cites, in the scan, or in an entry that it cites. Words of prose are not looked at: they say the same in many ways.
//!
//! It is a check of spelling, not of meaning: a sentence can use all the right words and still be wrong. But a name or a
//! number that stands nowhere was made up.

use crate::RelPath;
use crate::proof::Evidence;

/// A name that ends in `…` was cut if it has at least so many bytes.
const LEAST_CUT: usize = 200;

/// What the words of a sentence are held against.
pub(crate) struct Grounds<'a> {
    /// The words that it cites, and the entries that it cites.
    pub(crate) texts: Vec<String>,
    /// Where it cites them.
    pub(crate) evidence: &'a [Evidence],
    /// Numbers that the scan has of the files that it cites.
    pub(crate) numbers: Vec<u64>,
}

/// The first word of a sentence that occurs nowhere, as a fault; `None` if there is none.
pub(crate) fn fault(sentence: &str, grounds: &Grounds<'_>, is_path: impl Fn(&str) -> bool) -> Option<String> {
    let made_up = |what: &str, word: &str| {
        let word = crate::Untrusted::new(word.as_bytes()).for_terminal();
        format!("the {what} `{word}` stands neither in what is cited nor in the scan")
    };
    for symbol in symbols(sentence) {
        if !grounds.names(symbol, &is_path) {
            return Some(made_up("name", symbol));
        }
    }
    numbers(sentence).find(|number| !grounds.counts(number)).map(|number| made_up("number", &number))
}

/// What stands in backticks.
fn symbols(sentence: &str) -> impl Iterator<Item = &str> {
    let pieces: Vec<&str> = sentence.split('`').collect();
    // A last backtick without its partner opens nothing.
    let closed = if pieces.len().is_multiple_of(2) { pieces.len() - 1 } else { pieces.len() };
    pieces.into_iter().take(closed).skip(1).step_by(2).map(str::trim).filter(|word| !word.is_empty())
}

/// Runs of digits, with points between them, without the commas between thousands.
fn numbers(text: &str) -> impl Iterator<Item = String> {
    let outside: Vec<String> = text.split('`').step_by(2).flat_map(digits).collect();
    outside.into_iter()
}

/// Runs of digits in a text without backticks.
fn digits(text: &str) -> impl Iterator<Item = String> + use<> {
    let text = without_thousands(text);
    let (mut found, mut rest) = (Vec::new(), text.as_str());
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        rest = &rest[start..];
        let end = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(rest.len());
        found.push(rest[..end].trim_end_matches('.').to_owned());
        rest = &rest[end..];
    }
    found.into_iter()
}

/// `1,234` is `1234`.
fn without_thousands(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let is_digit = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_digit);
    let is_comma = |at: usize| {
        let group = (1..=3).all(|step| is_digit(Some(at + step))) && !is_digit(Some(at + 4));
        letters[at] == ',' && is_digit(at.checked_sub(1)) && group
    };
    letters.iter().enumerate().filter(|(at, _)| !is_comma(*at)).map(|(_, letter)| *letter).collect()
}

impl Grounds<'_> {
    /// Whether a name occurs: as a path, or with each of its words.
    fn names(&self, name: &str, is_path: &impl Fn(&str) -> bool) -> bool {
        let cited = |evidence: &Evidence| {
            let path = evidence.path.to_word();
            path == name || evidence.path.for_terminal() == name || is_dir_of(name, &evidence.path)
        };
        if self.evidence.iter().any(cited) || is_path(name) {
            return true;
        }
        if self.texts.iter().any(|text| has_word(text, name)) {
            return true;
        }
        // A very long name is cut where it is read: what is left of it must stand there.
        if let Some(start) = name.strip_suffix('…').filter(|start| LEAST_CUT <= start.len())
            && self.texts.iter().any(|text| text.contains(start))
        {
            return true;
        }
        let words = name.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        let mut words = words.filter(|word| !word.is_empty()).peekable();
        // `x-3.3.1` has all words of `x-1.3.3`: what is a number in it must stand there as one.
        words.peek().is_some()
            && words.all(|word| self.texts.iter().any(|text| has_word(text, word)))
            && digits(name).all(|number| self.counts(&number))
    }

    /// Whether a number occurs.
    fn counts(&self, number: &str) -> bool {
        let value = number.parse::<u64>().ok();
        let is_place =
            |evidence: &Evidence| Some(evidence.start_line) == value || Some(evidence.end_line) == value;
        let is_count = value == Some(self.evidence.len() as u64) && 1 < self.evidence.len();
        if is_count || self.evidence.iter().any(is_place) {
            return true;
        }
        if value.is_some_and(|value| self.numbers.contains(&value)) {
            return true;
        }
        let paths = self.evidence.iter().map(|evidence| evidence.path.to_word());
        paths
            .chain(self.texts.iter().map(|text| without_thousands(text)))
            .any(|text| has_number(&text, number))
    }
}

/// Whether a name is a directory that a path lies in.
fn is_dir_of(name: &str, path: &RelPath) -> bool {
    path.is_below(&RelPath::from(name.trim_end_matches('/')))
}

/// Whether a text has a word that is not a part of a longer one.
fn has_word(text: &str, word: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(is_letter) && !text[at + word.len()..].starts_with(is_letter))
}

/// Whether a text has a number that is not a part of a longer one.
fn has_number(text: &str, number: &str) -> bool {
    let is_digit = |letter: char| letter.is_ascii_digit();
    text.match_indices(number)
        .any(|(at, _)| !text[..at].ends_with(is_digit) && !text[at + number.len()..].starts_with(is_digit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sentence: &str, cited: &str, fault_of: Option<&str>) {
        let evidence = [Evidence {
            path: RelPath::from("src/app.py"),
            start_line: 12,
            end_line: 14,
            quote: Some(cited.to_owned()),
            quote_hash: None,
            start: None,
            end: None,
            blob: None,
            call: None,
        }];
        let grounds = Grounds { texts: vec![cited.to_owned()], evidence: &evidence, numbers: vec![5_120] };
        let found = fault(sentence, &grounds, |path| path == "setup.py");
        assert_eq!(found.is_some(), fault_of.is_some(), "{sentence}: {found:?}");
        if let (Some(found), Some(word)) = (found, fault_of) {
            assert!(found.contains(&format!("`{word}`")), "{found}");
        }
    }

    #[test]
    fn names_and_numbers_must_stand_somewhere() {
        check("`src/app.py` listens on port 8080.", "app.run(port=8080)", None);
        check("`src/app.py` listens on port 8081.", "app.run(port=8080)", Some("8081"));
        check("`src/app.py` listens on port 80.", "app.run(port=8080)", Some("80"));
        check("It calls `app.run` as `setup.py` in `src` does.", "app.run(port=8080)", None);
        check("It calls `app.stop`.", "app.run(port=8080)", Some("app.stop"));
        check("It calls `run_all`.", "run_all_tests()", Some("run_all"));
        check("`a::b` is `b` of `a`.", "use a::{b, c};", None);
        check("Lines 12 to 14 of 5,120 lines.", "x", None);
        check("Version 3.2.0 is declared.", "version = \"3.2.0.dev\"", None);
        check("Version 3.2.1 is declared.", "version = \"3.2.0.dev\"", Some("3.2.1"));
        check("It holds 1,234 rows.", "1234 rows", None);
        check("It loads `jquery-3.3.1.js`.", "src=\"/jquery-3.3.1.js\"", None);
        check("It loads `jquery-1.3.3.js`.", "src=\"/jquery-3.3.1.js\"", Some("jquery-1.3.3.js"));
        check("An open ` backtick and 7.", "7", None);
    }
}
