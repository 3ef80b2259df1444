//! A report, checked again: by itself and against a tree, without the investigation that made it.
//!
//! Everything that a report calls verified must still be so. While a file is what it was (its hash says so), what is
//! wrong is wrong: a quote that does not stand there, lines that nobody was shown, a name that stands nowhere. Once the
//! file has changed, a quote may have moved, changed or gone with it; what the report says about itself must hold even
//! then.
//!
//! A sentence that a report calls unverified is not held against it. A flag is: somebody may act upon it.
//!
//! Not here: reading the tree (a [`Tree`] does), and how it is told (`luminos-report`).

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;

use serde::Serialize;

use crate::entry::{Claim, DirEntry};
use crate::flag::Flag;
use crate::judge::{
    Author, Exhibit, Grounds, Measure, NOT_CLAIMED, Text, check_at, fault_of_words, find_quote, is_served,
    numbers_of, words_of,
};
use crate::proof::{Evidence, Served, hash_quote};
use crate::report::Report;
use crate::secrets::TextKind;
use crate::seen::{self, SeenFile};
use crate::{ContentHash, RelPath};

#[cfg(test)]
mod tests;

/// A tree to check against.
pub trait Tree {
    /// A regular file of it.
    fn file(&mut self, path: &RelPath) -> Option<Exhibit>;

    /// Whether there is anything at a path.
    fn exists(&self, path: &str) -> bool;

    /// A file with this content.
    fn with_content(&mut self, blob: ContentHash) -> Option<RelPath>;

    /// Another file that holds these words, and the line in which they begin.
    fn with_words(&mut self, words: &str, besides: &RelPath) -> Option<(RelPath, u64)>;
}

/// What became of something that a report cites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "standing")]
pub enum Standing {
    /// It stands where it stood.
    Same,
    /// The words stand elsewhere now.
    Moved {
        /// The file.
        path: RelPath,
        /// The line.
        line: u64,
    },
    /// The file has changed, and the words do not stand in it any more.
    Changed,
    /// There is no such file any more, and the words stand nowhere else.
    Gone,
    /// It never was so.
    Refuted {
        /// Why.
        fault: String,
    },
}

impl Standing {
    /// The word for it.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Moved { .. } => "moved",
            Self::Changed => "changed",
            Self::Gone => "gone",
            Self::Refuted { .. } => "refuted",
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Self::Same => 0,
            Self::Moved { .. } => 1,
            Self::Changed => 2,
            Self::Gone => 3,
            Self::Refuted { .. } => 4,
        }
    }

    /// Whether what is cited can still be seen.
    pub fn holds(&self) -> bool {
        self.rank() <= 1
    }
}

/// What is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// A sentence about the whole.
    Finding,
    /// A sentence about a directory.
    Claim,
    /// A flag.
    Flag,
}

/// Something that was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// What it is.
    pub subject: Subject,
    /// The directory that it belongs to.
    pub directory: RelPath,
    /// Its words.
    pub text: String,
    /// Whether the report calls it verified.
    pub verified: bool,
    /// What became of it: the worst of what became of all it cites.
    #[serde(flatten)]
    pub standing: Standing,
    /// Where what it cites stood.
    pub path: Option<RelPath>,
    /// The line.
    pub line: Option<u64>,
}

impl Checked {
    /// Whether it can be proved, or is a sentence that the report itself calls unverified. A flag sends somebody to look: one
    /// that cannot be proved is a fault, whatever the report calls it.
    pub fn holds(&self) -> bool {
        self.standing.holds() || (!self.verified && self.subject != Subject::Flag)
    }
}

/// What came of checking a report.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outcome {
    /// Everything that it says.
    pub checked: Vec<Checked>,
    /// What is wrong with the report itself.
    pub faults: Vec<String>,
}

impl Outcome {
    /// Whether everything holds.
    pub fn holds(&self) -> bool {
        self.faults.is_empty() && self.checked.iter().all(Checked::holds)
    }
}

/// Checks a report against a tree.
pub fn verify(report: &Report, tree: &mut impl Tree) -> Outcome {
    let mut faults = Vec::new();
    match report.files_digest {
        Some(digest) if digest != seen::digest(&report.files) => faults.push(
            "the list of files is not the one that the report was written with: its digest does not fit"
                .to_owned(),
        ),
        None if !report.directories.is_empty() => {
            faults.push(
                "the report has no record of what was read: it was made by an older program".to_owned(),
            );
        }
        Some(_) | None => {}
    }
    let mut court = Court::new(report, tree);
    let mut checked = Vec::new();
    let mut claimed: HashSet<&str> = HashSet::new();
    for entry in &report.directories {
        for (place, claim) in entry.claims.iter().enumerate() {
            claimed.insert(&claim.text);
            let author = if entry.is_filled_in(place) { Author::Analyst } else { court.author };
            checked.push(court.claim(claim, entry, author));
        }
    }
    for claim in &report.findings.claims {
        if !claimed.contains(claim.text.as_str()) {
            let standing = Standing::Refuted { fault: NOT_CLAIMED.to_owned() };
            checked.push(row(Subject::Finding, claim, &RelPath::root(), standing, None));
        }
    }
    checked.extend(report.flags.iter().map(|flag| court.flag(flag)));
    let counted = report.directories.iter().map(DirEntry::verified_claims);
    let (verified, all) = counted.fold((0, 0), |sum, (hold, all)| (sum.0 + hold, sum.1 + all));
    if (verified, all) != (report.claims_verified, report.claims) {
        faults.push(format!(
            "the report says that {} of {} claims hold, and marks {verified} of {all}",
            report.claims_verified, report.claims
        ));
    }
    Outcome { checked, faults }
}

fn row(
    subject: Subject,
    claim: &Claim,
    directory: &RelPath,
    standing: Standing,
    place: Option<&Evidence>,
) -> Checked {
    Checked {
        subject,
        directory: directory.clone(),
        text: claim.text.clone(),
        verified: claim.verified,
        standing,
        path: place.map(|place| place.path.clone()),
        line: place.map(|place| place.start_line),
    }
}

/// Everything that is looked up more than once.
struct Court<'a, T> {
    tree: &'a mut T,
    files: HashMap<&'a RelPath, &'a SeenFile>,
    /// All paths by their last names.
    names: HashMap<&'a [u8], Vec<&'a RelPath>>,
    dirs: BTreeSet<RelPath>,
    entries: BTreeMap<&'a RelPath, String>,
    author: Author,
}

impl<'a, T: Tree> Court<'a, T> {
    fn new(report: &'a Report, tree: &'a mut T) -> Self {
        let mut names: HashMap<&[u8], Vec<&RelPath>> = HashMap::new();
        let mut dirs = BTreeSet::new();
        for file in &report.files {
            names.entry(name_of(file.path.as_bytes())).or_default().push(&file.path);
            let mut parent = file.path.parent();
            while let Some(dir) = parent {
                parent = dir.parent();
                if !dirs.insert(dir) {
                    break;
                }
            }
        }
        let entries = report.directories.iter().map(|entry| (&entry.relative_path, words_of(entry)));
        let files = report.files.iter().map(|file| (&file.path, file));
        let author = Author::named(report.models.get("dir").map(String::as_str));
        Self { tree, files: files.collect(), names, dirs, entries: entries.collect(), author }
    }

    fn has(&self, path: &str) -> bool {
        let wanted = path.trim_start_matches("./").trim_end_matches('/').as_bytes();
        let ends_so = |full: &&RelPath| {
            let before = full.as_bytes().strip_suffix(wanted);
            before.is_some_and(|before| before.is_empty() || before.ends_with(b"/"))
        };
        let named = self.names.get(name_of(wanted)).map(Vec::as_slice).unwrap_or_default();
        named.iter().any(ends_so)
            || self.dirs.contains(wanted)
            || self.tree.exists(path.trim_start_matches("./"))
    }

    fn claim(&mut self, claim: &Claim, entry: &DirEntry, author: Author) -> Checked {
        let dir = &entry.relative_path;
        if claim.evidence.is_empty() && claim.entries.is_empty() {
            let standing = Standing::Refuted { fault: "it cites nothing".to_owned() };
            return row(Subject::Claim, claim, dir, standing, None);
        }
        let (standing, place, mut texts) = self.all(&claim.evidence, Some(dir));
        let missing = claim.entries.iter().find(|child| !self.entries.contains_key(*child));
        if let Some(child) = missing {
            let fault = format!("the report has no entry of `{}`", child.for_terminal());
            return row(Subject::Claim, claim, dir, Standing::Refuted { fault }, place);
        }
        texts.extend(claim.entries.iter().filter_map(|child| self.entries.get(child).cloned()));
        let standing = self.with_words_of(&claim.text, &claim.evidence, texts, standing, author);
        row(Subject::Claim, claim, dir, standing, place)
    }

    fn flag(&mut self, flag: &Flag) -> Checked {
        let (standing, place) = if flag.evidence.is_empty() {
            let has_path = flag.path.is_root() || self.has(&flag.path.to_word());
            let standing = match flag.rule {
                // A rule may be about a path as such. A model has to show what it means.
                None => Standing::Refuted { fault: "it cites nothing".to_owned() },
                Some(_) if has_path => Standing::Same,
                Some(_) => Standing::Gone,
            };
            (standing, None)
        } else {
            // What the synthesis flags was shown to another loop than its own.
            let (standing, place, mut texts) = self.all(&flag.evidence, None);
            texts.push(flag.path.to_word());
            let standing = match flag.rule {
                Some(_) => standing,
                None => self.with_words_of(&flag.finding, &flag.evidence, texts, standing, self.author),
            };
            (standing, place)
        };
        Checked {
            subject: Subject::Flag,
            directory: flag.directory.clone(),
            text: flag.finding.clone(),
            verified: flag.verified,
            standing,
            path: Some(place.map_or_else(|| flag.path.clone(), |place| place.path.clone())),
            line: place.map(|place| place.start_line),
        }
    }

    /// What became of pieces of evidence together, where the worst of them stood, and the words they cite.
    fn all<'e>(
        &mut self,
        evidence: &'e [Evidence],
        dir: Option<&RelPath>,
    ) -> (Standing, Option<&'e Evidence>, Vec<String>) {
        let (mut worst, mut place, mut texts) = (Standing::Same, evidence.first(), Vec::new());
        for piece in evidence {
            let (standing, words) = self.evidence(piece, dir);
            texts.extend(words);
            if worst.rank() < standing.rank() {
                (worst, place) = (standing, Some(piece));
            }
        }
        (worst, place, texts)
    }

    /// A sentence whose names and numbers stand nowhere never was so.
    fn with_words_of(
        &self,
        sentence: &str,
        evidence: &[Evidence],
        texts: Vec<String>,
        standing: Standing,
        author: Author,
    ) -> Standing {
        let is_known = texts.len() == evidence.len() || matches!(standing, Standing::Same);
        if matches!(standing, Standing::Refuted { .. }) || (!is_known && texts.is_empty()) {
            return standing;
        }
        let numbers = evidence.iter().filter_map(|piece| self.files.get(&piece.path));
        let numbers = numbers.flat_map(|file| numbers_of(file.size, file.lines)).collect();
        let grounds = Grounds { texts, evidence, numbers };
        if author == Author::Analyst {
            return standing;
        }
        match fault_of_words(sentence, &grounds, |path| self.has(path)) {
            Some(fault) => Standing::Refuted { fault },
            None => standing,
        }
    }

    fn evidence(&mut self, evidence: &Evidence, dir: Option<&RelPath>) -> (Standing, Option<String>) {
        let refuted = |fault: String| (Standing::Refuted { fault }, None);
        let shown = evidence.path.for_terminal();
        let Some(&file) = self.files.get(&evidence.path) else {
            return refuted(format!("`{shown}` is not among the files that the report lists"));
        };
        let Some(blob) = evidence.blob else {
            return refuted(format!("it gives no hash of `{shown}`"));
        };
        if file.blob != Some(blob) {
            return refuted(format!("the hash it gives is not that of `{shown}` when it was read"));
        }
        let served = file.served(dir);
        let quote = evidence.quote.as_deref().map(str::trim).filter(|quote| !quote.is_empty());
        let exhibit = self.tree.file(&evidence.path);
        if let Some(exhibit) = exhibit.as_ref().filter(|exhibit| exhibit.blob == blob) {
            return match check_at(&mut evidence.clone(), exhibit, &served, Author::Analyst) {
                Ok(words) => (Standing::Same, Some(words)),
                Err(fault) => {
                    refuted(fault.replace(" to you: read them before you cite them", " to anybody"))
                }
            };
        }
        if !was_served(evidence, &served) {
            let (first, last) = (evidence.start_line, evidence.end_line);
            return refuted(format!("lines {first}–{last} of `{shown}` were never shown to anybody"));
        }
        let words = quote.map(str::to_owned);
        if let (Some(exhibit), Some(quote)) = (&exhibit, quote) {
            let text = Text::of(exhibit);
            let kind = TextKind::from_name(evidence.path.as_bytes());
            // Of a quote without its secret the words must be those that it was made from.
            let is_same = |found: &Range<usize>| {
                let words = text.as_str()[found.clone()].as_bytes();
                evidence.quote_hash.is_none_or(|given| given == hash_quote(blob, words))
            };
            let find = |lines: Range<usize>| find_quote(text.as_str(), kind, quote, &lines).filter(is_same);
            let in_place = text.lines(evidence.start_line, evidence.end_line);
            if in_place.and_then(find).is_some() {
                return (Standing::Same, words);
            }
            if let Some(found) = find(0..text.as_str().len()) {
                let line = text.line_of(found.start) as u64;
                return (Standing::Moved { path: evidence.path.clone(), line }, words);
            }
        }
        let elsewhere = self.tree.with_content(blob).map(|path| (path, evidence.start_line));
        let elsewhere =
            elsewhere.or_else(|| quote.and_then(|quote| self.tree.with_words(quote, &evidence.path)));
        let standing = match (elsewhere, exhibit) {
            (Some((path, line)), _) => Standing::Moved { path, line },
            (None, Some(_)) => Standing::Changed,
            (None, None) => Standing::Gone,
        };
        (standing, words)
    }
}

/// Whether the record says that what is cited was shown, without the file itself.
fn was_served(evidence: &Evidence, served: &[Served]) -> bool {
    let pieces: Vec<&Served> = served.iter().collect();
    let (range, measure) = match evidence.start.zip(evidence.end) {
        Some(bytes) => (bytes, Measure::Bytes),
        None => ((evidence.start_line, evidence.end_line + 1), Measure::Lines),
    };
    is_served(&pieces, range, measure, evidence.call.as_ref()).is_some()
}

fn name_of(path: &[u8]) -> &[u8] {
    let start = path.iter().rposition(|&byte| byte == b'/').map_or(0, |slash| slash + 1);
    &path[start..]
}
