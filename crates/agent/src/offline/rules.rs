//! What deserves a flag: rules that are seldom wrong, each with a name that stays.
//!
//! A rule looks at the lines of one file. What it quotes of a secret is what stands before it, and its first characters:
//! enough to find it, not enough to use it. Nothing that stands in a file can keep a rule from speaking.

use std::sync::LazyLock;

use luminos_core::RelPath;
use luminos_core::flag::{Flag, Severity};
use luminos_core::proof::Evidence;
use luminos_core::scan::Category;
use regex::Regex;

use super::eyes::FileText;

mod code;
mod secrets;
mod text;

/// So many places are shown for one flag.
const PLACES: usize = 5;

/// What a rule found in a file: the words, how bad, and where.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub(crate) rule: &'static str,
    pub(crate) severity: Severity,
    pub(crate) finding: String,
    pub(crate) evidence: Vec<Evidence>,
}

/// A regular expression that is known to be one.
fn pattern(words: &str) -> Option<Regex> {
    Regex::new(words).ok()
}

/// Whether a path looks like test material, where secrets and dangers are usually there on purpose.
pub(crate) fn is_for_tests(path: &str) -> bool {
    static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| {
        pattern(
            r"(?i)(^|[/_.-])(tests?|testing|testdata|specs?|fixtures?|examples?|samples?|mocks?|demos?|benches|benchmarks?|docs?)([/_.-]|$)",
        )
    });
    WORDS.as_ref().is_some_and(|words| words.is_match(path))
}

/// All flags that a file deserves.
pub(crate) fn flags(file: &FileText, category: Category, dir: &RelPath) -> Vec<Flag> {
    let mut found = Vec::new();
    found.extend(secrets::look(file));
    found.extend(text::look(file, category));
    let is_for_tests = is_for_tests(&file.word);
    // Tests do dangerous things on purpose.
    if matches!(category, Category::Source | Category::Config) && !is_for_tests {
        found.extend(code::look(file));
    }
    let flag = |found: Found| Flag {
        path: file.path.clone(),
        finding: found.finding,
        // On purpose or not, somebody may want to know; but nobody needs to come running.
        severity: if is_for_tests { Severity::Info } else { found.severity },
        rule: Some(found.rule.to_owned()),
        evidence: found.evidence,
        directory: dir.clone(),
        verified: false,
        faults: Vec::new(),
    };
    found.into_iter().map(flag).collect()
}

/// Places as evidence, and how many there are in words: ` (3 places)`.
fn places(evidence: &mut Vec<Evidence>) -> String {
    let all = evidence.len();
    evidence.truncate(PLACES);
    if all == 1 { String::new() } else { format!(" ({all} places)") }
}
