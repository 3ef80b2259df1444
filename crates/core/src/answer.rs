//! What a reader of a report looks for: a fixed list of fields, each answered from candidates that competed.
//!
//! Every source that may answer a field offers candidates with a score. [`Answer::choose`] tells the best of them, and
//! keeps the runners-up, so that a wrong answer can be seen to be wrong for a reason. Below [`LEAST`] a field stays
//! without an answer: better silent than wrong.
//!
//! Not here: who offers candidates (the analyst), how answers look on paper (`luminos-report`).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::RelPath;

#[cfg(test)]
mod tests;

/// A candidate with a lower score is not told.
pub const LEAST: u8 = 50;

/// At most this many candidates of a field are kept beside those that are told.
const MOST_OTHERS: usize = 12;

/// The longest text of a candidate, in bytes.
const LONGEST: usize = 600;

/// The answers of a report.
pub type Answers = BTreeMap<Field, Answer>;

/// Something a reader of a report looks for. The order is that of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Field {
    /// What kind of thing it is.
    Kind,
    /// What it is called.
    Name,
    /// What it is, in one sentence.
    Purpose,
    /// Its version.
    Version,
    /// Its licence.
    Licence,
    /// What it needs: tools, and the least version of its language.
    Requires,
    /// How it is installed.
    Install,
    /// How it is built.
    Build,
    /// How it is tested.
    Test,
    /// How it is run.
    Run,
    /// Where it begins.
    Entry,
    /// Where to begin reading.
    Start,
    /// Its parts, each with what it does.
    Parts,
    /// The services it talks to.
    Services,
    /// How many tests it has, and of which kind.
    Tests,
    /// How old it is, and how alive.
    History,
    /// What is worrying.
    Worries,
}

impl Field {
    /// All fields, in the order of the page.
    pub const ALL: [Self; 17] = [
        Self::Kind,
        Self::Name,
        Self::Purpose,
        Self::Version,
        Self::Licence,
        Self::Requires,
        Self::Install,
        Self::Build,
        Self::Test,
        Self::Run,
        Self::Entry,
        Self::Start,
        Self::Parts,
        Self::Services,
        Self::Tests,
        Self::History,
        Self::Worries,
    ];

    /// The word for it in documents and on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Kind => "kind",
            Self::Name => "name",
            Self::Purpose => "purpose",
            Self::Version => "version",
            Self::Licence => "licence",
            Self::Requires => "requires",
            Self::Install => "install",
            Self::Build => "build",
            Self::Test => "test",
            Self::Run => "run",
            Self::Entry => "entry",
            Self::Start => "start",
            Self::Parts => "parts",
            Self::Services => "services",
            Self::Tests => "tests",
            Self::History => "history",
            Self::Worries => "worries",
        }
    }

    /// The field of a word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.word() == word)
    }

    /// The word in the margin of a page.
    pub fn title(self) -> &'static str {
        match self {
            Self::Kind => "Kind",
            Self::Name => "Name",
            Self::Purpose => "What it is",
            Self::Version => "Version",
            Self::Licence => "Licence",
            Self::Requires => "Needs",
            Self::Install => "Install",
            Self::Build => "Build",
            Self::Test => "Test",
            Self::Run => "Run",
            Self::Entry => "Begins in",
            Self::Start => "Read first",
            Self::Parts => "Parts",
            Self::Services => "Talks to",
            Self::Tests => "Tests",
            Self::History => "History",
            Self::Worries => "Worries",
        }
    }

    /// At most this many candidates are told.
    fn most(self) -> usize {
        match self {
            Self::Kind | Self::Name | Self::Purpose | Self::Version | Self::Build | Self::History => 1,
            Self::Install | Self::Test | Self::Run | Self::Licence => 2,
            Self::Tests | Self::Entry | Self::Start | Self::Worries => 3,
            Self::Requires => 4,
            Self::Parts | Self::Services => 8,
        }
    }
}

/// Something that may answer a field.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Candidate {
    /// The answer: a name, a version, a command, a path, a sentence.
    pub text: String,
    /// What there is to say about it, such as what a part does.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// The file that says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<RelPath>,
    /// The line there; 0 where there is none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub line: u64,
    /// What kind of source that is, in a few words: `first paragraph of the README`.
    pub source: String,
    /// How likely it is the right answer, from 0 to 100.
    pub score: u8,
}

impl Candidate {
    /// A candidate; what is too long is cut.
    pub fn new(text: &str, source: &str, score: u8) -> Self {
        Self { text: cut(text), source: source.to_owned(), score: score.min(100), ..Self::default() }
    }

    /// The same, with what there is to say about it.
    #[must_use]
    pub fn about(mut self, words: &str) -> Self {
        self.about = cut(words);
        self
    }

    /// The same, with the place that says so.
    #[must_use]
    pub fn at(mut self, path: RelPath, line: u64) -> Self {
        self.path = Some(path);
        self.line = line;
        self
    }
}

/// The answer of one field.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Answer {
    /// What is told, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub told: Vec<Candidate>,
    /// What lost, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Candidate>,
}

impl Answer {
    /// Tells the best candidates. Of two that say the same only the better one is kept; of equals the one that was
    /// offered first.
    pub fn choose(field: Field, mut candidates: Vec<Candidate>) -> Self {
        candidates.retain(|candidate| !candidate.text.is_empty());
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.score));
        let mut answer = Self::default();
        for candidate in candidates {
            let says_same = |known: &Candidate| known.text.eq_ignore_ascii_case(&candidate.text);
            if answer.told.iter().chain(&answer.others).any(says_same) {
                continue;
            }
            if LEAST <= candidate.score && answer.told.len() < field.most() {
                answer.told.push(candidate);
            } else if answer.others.len() < MOST_OTHERS {
                answer.others.push(candidate);
            }
        }
        answer
    }

    /// Whether there is neither an answer nor a candidate.
    pub fn is_empty(&self) -> bool {
        self.told.is_empty() && self.others.is_empty()
    }
}

fn cut(text: &str) -> String {
    let text = text.trim();
    if text.len() <= LONGEST {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(LONGEST - '…'.len_utf8())])
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}
