//! What earlier investigations have shown about directories like one: how many turns they really took, and how much of
//! them was seen for that.
//!
//! Alike are, the best first: the same directory of the same target; one of the same name and about as many files; one
//! in the same language, of about as many files and bytes; one of that size at all. Names carry far between projects
//! (`tests`, `docs`, `migrations`), whole paths do not. What the analyst took says nothing about what a model takes, nor the
//! other way round: an experience is about one of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::RelPath;
use crate::end::EndReason;
use crate::evaluation::{DirEvaluation, Evaluation};
use crate::plan::Turns;
use crate::scan::{DirId, Kind, Scan};
use crate::spend::Tokens;

#[cfg(test)]
mod tests;

/// What was seen less often tells nothing, unless it is the very directory.
const ENOUGH: u64 = 3;

/// What can be known of a directory before anybody looks into it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Features {
    /// Files directly in it.
    pub files: u64,
    /// Bytes in them.
    pub bytes: u64,
    /// The language that most of its code is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

impl Features {
    /// Those of a directory that was scanned.
    pub fn of(scan: &Scan, dir: DirId) -> Self {
        let mut features = Self::default();
        let mut code: BTreeMap<_, u64> = BTreeMap::new();
        for file in scan.files_of(dir).map(|file| scan.file(file)).filter(|file| file.kind == Kind::File) {
            features.files += 1;
            features.bytes += file.size;
            if let Some(language) = file.language {
                *code.entry(scan.language_name(language)).or_default() += u64::from(file.code);
            }
        }
        let most = code.into_iter().rev().max_by_key(|(_, lines)| *lines);
        features.language = most.filter(|(_, lines)| 0 < *lines).map(|(name, _)| name.to_owned());
        features
    }
}

/// Whose turns an experience is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Whose {
    /// The embedded analyst's.
    #[default]
    Analyst,
    /// Some model's.
    Model,
}

/// What earlier investigations have shown.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Experience {
    whose: Whose,
    same: BTreeMap<RelPath, Seen>,
    by_name: BTreeMap<(String, Class), Seen>,
    by_language: BTreeMap<(String, Class, Class), Seen>,
    by_size: BTreeMap<(Class, Class), Seen>,
    all: Seen,
}

/// About how many: each class is some four times the one before.
type Class = u32;

/// Directories that are alike.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Seen {
    dirs: u64,
    turns: u64,
    most: u32,
    coverage: f64,
    /// Those whose turns did not suffice: they borrowed, or ended in part.
    short: u64,
    tokens: u64,
}

/// What is to be expected of a directory.
#[derive(Debug, Clone, PartialEq)]
pub struct Expected {
    /// How many directories that rests on.
    pub dirs: u64,
    /// The turns that they took on average, rounded up.
    pub mean: Turns,
    /// The most that one of them took.
    pub most: Turns,
    /// Whether at least half of them ran short of turns.
    pub is_short: bool,
    /// In what they are like it.
    pub likeness: String,
}

impl Experience {
    /// One that has seen nothing yet.
    pub fn of(whose: Whose) -> Self {
        Self { whose, ..Self::default() }
    }

    /// Adds what another investigation has shown.
    pub fn learn(&mut self, evaluation: &Evaluation) {
        for row in self.told(evaluation) {
            self.add(row);
        }
    }

    /// Adds what the last run of the same investigation has shown.
    pub fn remember(&mut self, evaluation: &Evaluation) {
        for row in self.told(evaluation) {
            self.same.entry(row.dir.clone()).or_default().add(row);
            self.add(row);
        }
    }

    /// Rows that tell something about whoever it is: only models use tokens, and a look that was cut off tells nothing of how
    /// much a whole one takes.
    fn told<'a>(&self, evaluation: &'a Evaluation) -> Vec<&'a DirEvaluation> {
        let is_model = evaluation.per_directory.iter().any(|row| row.tokens != Tokens(0));
        let is_wanted = is_model == (self.whose == Whose::Model);
        let is_whole =
            |row: &&DirEvaluation| !row.partial_reason.as_deref().is_some_and(EndReason::is_cut_off);
        let rows = evaluation.per_directory.iter().filter(|row| is_wanted && row.turns_used != Turns(0));
        rows.filter(is_whole).collect()
    }

    fn add(&mut self, row: &DirEvaluation) {
        self.all.add(row);
        let Some(features) = &row.features else { return };
        let (files, bytes) = (class(features.files), class(features.bytes));
        if let Some(name) = name(&row.dir) {
            self.by_name.entry((name, files)).or_default().add(row);
        }
        if let Some(language) = &features.language {
            self.by_language.entry((language.clone(), files, bytes)).or_default().add(row);
        }
        self.by_size.entry((files, bytes)).or_default().add(row);
    }

    /// What a directory will take, as those took that are most like it; `None` if there were too few.
    pub fn expect(&self, dir: &RelPath, features: &Features) -> Option<Expected> {
        if let Some(seen) = self.same.get(dir) {
            return Some(seen.expected("the same directory in an earlier run".to_owned()));
        }
        let (files, bytes) = (class(features.files), class(features.bytes));
        let enough = |seen: &&Seen| ENOUGH <= seen.dirs;
        let named = name(dir).and_then(|name| {
            let likeness = format!("called {name}, with about as many files");
            Some((*self.by_name.get(&(name, files)).filter(enough)?, likeness))
        });
        let written = || {
            let language = features.language.as_ref()?;
            let seen = self.by_language.get(&(language.clone(), files, bytes)).filter(enough)?;
            Some((*seen, format!("of {language}, with about as many files and bytes")))
        };
        let sized = || {
            let seen = self.by_size.get(&(files, bytes)).filter(enough)?;
            Some((*seen, "with about as many files and bytes".to_owned()))
        };
        named.or_else(written).or_else(sized).map(|(seen, likeness)| seen.expected(likeness))
    }

    /// How many directories all of it rests on.
    pub fn dirs(&self) -> u64 {
        self.all.dirs
    }

    /// The tokens that a turn took on average; `None` if too few turns are known.
    pub fn tokens_per_turn(&self) -> Option<Tokens> {
        let is_enough = ENOUGH <= self.all.dirs && 0 < self.all.tokens;
        is_enough.then(|| Tokens(self.all.tokens / self.all.turns.max(1)))
    }

    /// What is known, a line for each kind of directory that was seen often enough, the most frequent first.
    pub fn lines(&self) -> Vec<String> {
        let named = self.by_name.iter().map(|((name, files), seen)| {
            (seen, format!("called {name} with {}", about(*files, "file", "files")))
        });
        let written = self.by_language.iter().map(|((language, files, bytes), seen)| {
            let (files, bytes) = (about(*files, "file", "files"), about(*bytes, "byte", "bytes"));
            (seen, format!("of {language} with {files}, {bytes}"))
        });
        let mut known: Vec<_> = named.chain(written).filter(|(seen, _)| ENOUGH <= seen.dirs).collect();
        known.sort_by(|a, b| b.0.dirs.cmp(&a.0.dirs).then_with(|| a.1.cmp(&b.1)));
        let line = |(seen, kind): (&Seen, String)| {
            let mean = seen.turns as f64 / seen.dirs as f64;
            let coverage = seen.coverage / seen.dirs as f64 * 100.0;
            let short = match seen.short {
                0 => String::new(),
                short => format!("; {short} ran short"),
            };
            format!(
                "{} directories {kind}: {mean:.1} turns each, {} at most; {coverage:.0} % of them was seen{short}",
                seen.dirs, seen.most
            )
        };
        known.into_iter().map(line).collect()
    }
}

impl Seen {
    fn add(&mut self, row: &DirEvaluation) {
        self.dirs += 1;
        self.turns += u64::from(row.turns_used.0);
        self.most = self.most.max(row.turns_used.0);
        self.coverage += row.coverage.get();
        self.short += u64::from(row.turns_borrowed != Turns(0) || row.partial_reason.is_some());
        self.tokens += row.tokens.0;
    }

    fn expected(&self, likeness: String) -> Expected {
        let mean = self.turns.div_ceil(self.dirs.max(1));
        Expected {
            dirs: self.dirs,
            mean: Turns(u32::try_from(mean).unwrap_or(u32::MAX)),
            most: Turns(self.most),
            is_short: self.dirs <= self.short * 2,
            likeness,
        }
    }
}

/// What a directory is called; the root is called differently everywhere.
fn name(dir: &RelPath) -> Option<String> {
    let path = dir.for_terminal();
    let name = path.rsplit('/').next().unwrap_or_default();
    (!dir.is_root() && !name.is_empty()).then(|| name.to_lowercase())
}

fn class(number: u64) -> Class {
    if number == 0 { 0 } else { number.ilog2() / 2 + 1 }
}

/// The numbers of a class, in words.
fn about(class: Class, one: &str, many: &str) -> String {
    match class {
        0 => format!("no {many}"),
        1 => format!("1–3 {many}"),
        class => {
            let least = 1_u64 << (2 * (class - 1));
            format!("{least}–{} {}", least * 4 - 1, if least == 1 { one } else { many })
        }
    }
}
