//! What an investigation remembers of a file or a directory: summaries and their proof, never contents.
//!
//! An entry counts only for what it saw. `content_hash` is the content it was made from, `key` covers everything
//! that shaped it (see [`crate::run`] for what goes in); an entry whose key is not the one that is needed now is
//! as good as none. `digest` is what a parent sees of it: a child that comes out the same does not disturb its
//! parent.
//!
//! Reading is strict where it matters and patient otherwise: unknown fields are ignored, a number out of range or
//! a field that would carry file contents is refused.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::end::EndKind;
use crate::fact::{Fact, Opening};
use crate::flag::Flag;
use crate::proof::{Evidence, Served};
use crate::scan::Category;
use crate::{ContentHash, RelPath};

#[cfg(test)]
mod tests;

/// The format of entries that this program writes.
///
/// | format | what is new |
/// |---|---|
/// | 1 | |
/// | 2 | the entry of a directory holds its flags |
/// | 3 | facts stand beside summaries and claims |
pub const ENTRY_FORMAT: u32 = 3;

/// Entries of directories hold their flags from this format on. Those of older entries are in a journal beside them.
const FORMAT_WITH_FLAGS: u32 = 2;

/// The longest summary, in bytes. More is no summary.
pub const LONGEST_SUMMARY: usize = 16 * 1024;

/// What stands at the end of a text that was cut.
const CUT: &str = " […]";

/// A text as long as a summary can be, marked where it was cut.
pub fn cut_summary(text: String) -> String {
    cut_text(text, LONGEST_SUMMARY)
}

/// A text of at most so many bytes, marked where it was cut.
pub fn cut_text(mut text: String, most: usize) -> String {
    if most < text.len() {
        text.truncate(text.floor_char_boundary(most.saturating_sub(CUT.len())));
        text.push_str(CUT);
    }
    text
}

/// Below this confidence an entry deserves a second look.
pub const LOW_CONFIDENCE: Share = Share(0.7);

/// A number from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize)]
pub struct Share(f64);

impl Share {
    /// Nothing of it.
    pub const NONE: Self = Self(0.0);
    /// All of it.
    pub const ALL: Self = Self(1.0);

    /// A share; `None` outside of 0 to 1.
    pub fn new(value: f64) -> Option<Self> {
        (0.0..=1.0).contains(&value).then_some(Self(value))
    }

    /// How much a part is of a whole: all of it where there is nothing.
    pub fn of(part: u64, whole: u64) -> Self {
        if whole == 0 {
            return Self::ALL;
        }
        Self((part as f64 / whole as f64).min(1.0))
    }

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }

    /// With two decimals, which is as exact as anybody needs it.
    pub fn rounded(self) -> Self {
        Self((self.0 * 100.0).round() / 100.0)
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} %", self.0 * 100.0)
    }
}

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = f64::deserialize(deserializer)?;
        Self::new(value).ok_or_else(|| serde::de::Error::custom("the number is not between 0 and 1"))
    }
}

/// A moment on the wall, in RFC 3339. For people: nothing is decided by it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Stamp(pub String);

/// A sentence of a summary with what it rests on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Claim {
    /// The sentence.
    pub text: String,
    /// What it rests on.
    #[serde(default)]
    pub evidence: Vec<Evidence>,
    /// Directories below whose entries it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entries: Vec<RelPath>,
    /// What the judge found wrong with it; empty for a claim that holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// Whether the judge has looked at it and found nothing wrong.
    #[serde(default)]
    pub verified: bool,
    /// Whether a second judge does not find it in what it cites; why, the faults say.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub refuted: bool,
    /// The fact that the sentence words; what that rests on is the evidence here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fact: Option<Box<Fact>>,
}

/// How much of a directory a loop has looked at. Counted from what its tools served, not from what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Coverage {
    /// Files directly in the directory.
    pub files: u64,
    /// Those of them of which a tool showed something.
    pub files_seen: u64,
    /// Bytes in them.
    pub bytes: u64,
    /// Bytes that tools showed, each counted once.
    pub bytes_seen: u64,
    /// Types and functions that those files define, as far as they could be parsed.
    #[serde(default)]
    pub symbols: u64,
    /// Those of them whose first line a tool showed.
    #[serde(default)]
    pub symbols_seen: u64,
    /// Directories that could not be listed: how much is in them is not known, only that it was not seen.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unreadable: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Coverage {
    /// How complete a look at the directory was: the mean of files and bytes, since a few large files must not
    /// hide many small ones, nor the other way round. A directory that could not be listed counts as a file of usual
    /// size that was not seen: whatever else is there, the look was not complete.
    pub fn share(self) -> Share {
        let known = Share::of(self.files, self.files + self.unreadable).get();
        let files = Share::of(self.files_seen, self.files).get() * known;
        let bytes = Share::of(self.bytes_seen, self.bytes).get() * known;
        let share = Share((files + bytes) / 2.0).rounded();
        // A whole percent is not reached by rounding.
        if 0 < self.unreadable { Share(share.0.min(0.99)) } else { share }
    }
}

/// What is known about a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileEntry {
    /// The format of this document.
    pub format: u32,
    /// Where it lies on this machine, for people.
    pub path: String,
    /// Where it lies in the target.
    pub relative_path: RelPath,
    /// Its size.
    pub size_bytes: u64,
    /// What it is good for.
    pub category: Category,
    /// What it is about.
    pub summary: String,
    /// When this was written.
    pub cached_at: Stamp,
    /// Whether somebody should look at it.
    #[serde(default)]
    pub notable: bool,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notable_reason: Option<String>,
    /// How sure the model is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Share>,
    /// Why it is not surer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence_reason: Option<String>,
    /// What the summary rests on. The file that it cites has the `content_hash`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// What the analyst knows of it, as values; they rest on the evidence above.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// The sha256 of the content it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<ContentHash>,
}

impl FileEntry {
    /// Leaves what it says of which file: for whoever looks through all of them.
    pub fn shorten(&mut self) {
        self.path = String::new();
        self.cached_at = Stamp::default();
        self.notable = false;
        self.notable_reason = None;
        self.confidence = None;
        self.confidence_reason = None;
        self.evidence = Vec::new();
    }
}

/// The part of an entry that the embedded analyst wrote, because the model that was asked did not finish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FilledIn {
    /// How many of the claims are the analyst's: the last ones.
    #[serde(default)]
    pub claims: u64,
    /// Whether the entry also holds what the model had noted before it ended.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub noted: bool,
}

impl FilledIn {
    /// Who wrote the entry, in words.
    pub fn words(self) -> &'static str {
        if self.noted { "the model's notes, completed by the analyst" } else { "by the analyst" }
    }
}

/// What is known about a directory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DirEntry {
    /// The format of this document.
    pub format: u32,
    /// Where it lies on this machine, for people.
    pub path: String,
    /// Where it lies in the target.
    pub relative_path: RelPath,
    /// How many entries lie directly in it.
    pub child_count: u64,
    /// What it is about.
    pub summary: String,
    /// What most of its files are good for.
    pub dominant_category: Category,
    /// When this was written.
    pub cached_at: Stamp,
    /// Files in it that somebody should look at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notable_files: Vec<RelPath>,
    /// How sure the model is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Share>,
    /// Why it is not surer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence_reason: Option<String>,
    /// How complete the model says its look was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completeness: Option<Share>,
    /// How complete it really was.
    #[serde(default)]
    pub coverage: Coverage,
    /// What its summary opens with, where the analyst wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<Box<Opening>>,
    /// The sentences of the summary that can be checked one by one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<Claim>,
    /// What is known besides the facts that claims word.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// What its loop flagged. They come, change and go with the entry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<Flag>,
    /// What tools have shown to its loop.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<Served>,
    /// Whether the loop ended before it had said what it had to say.
    #[serde(default)]
    pub partial: bool,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial_reason: Option<String>,
    /// How the conversation about it ended, where that is why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub partial_end: Option<EndKind>,
    /// What the analyst wrote of it in place of a model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filled_in: Option<FilledIn>,
    /// What was lost of the model's report because it could not be read, a sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub corrections: Vec<String>,
    /// The hash of the content it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_hash: Option<ContentHash>,
    /// What it was made from, all together: it counts only where the same is needed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<ContentHash>,
    /// What a parent sees of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<ContentHash>,
    /// The daemon's life in which it was written.
    #[serde(default)]
    pub epoch: u64,
    /// The run that made it, all its lives together.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub run: String,
}

/// Why a document is no entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotAnEntry {
    /// It is no JSON, or its fields have the wrong shape.
    #[error("it is not an entry: {0}")]
    Shape(String),
    /// It carries contents of files.
    #[error("it carries file contents in `{0}`: entries hold summaries only")]
    Contents(String),
    /// Its summary is far too long to be one.
    #[error("its summary has {0} bytes; at most {LONGEST_SUMMARY} are allowed")]
    TooLong(usize),
    /// It was written by a newer program.
    #[error("its format is {0}; this program knows formats up to {ENTRY_FORMAT}")]
    TooNew(u32),
}

/// Fields that would carry contents.
const CONTENTS: [&str; 3] = ["content", "contents", "raw"];

/// Checks a document that is meant to be an entry, before it is taken for one.
pub fn check_entry(document: &serde_json::Value) -> Result<(), NotAnEntry> {
    let Some(fields) = document.as_object() else {
        return Err(NotAnEntry::Shape("it is not an object".to_owned()));
    };
    if let Some(name) = CONTENTS.into_iter().find(|name| fields.contains_key(*name)) {
        return Err(NotAnEntry::Contents(name.to_owned()));
    }
    let Some(summary) = fields.get("summary").and_then(serde_json::Value::as_str) else {
        return Err(NotAnEntry::Shape("it has no summary".to_owned()));
    };
    let format = fields.get("format").and_then(serde_json::Value::as_u64).unwrap_or_default();
    check_parts(summary, u32::try_from(format).unwrap_or(u32::MAX))
}

/// What of an entry can be wrong though it has the shape of one.
fn check_parts(summary: &str, format: u32) -> Result<(), NotAnEntry> {
    if LONGEST_SUMMARY < summary.len() {
        return Err(NotAnEntry::TooLong(summary.len()));
    }
    if ENTRY_FORMAT < format { Err(NotAnEntry::TooNew(format)) } else { Ok(()) }
}

impl FileEntry {
    /// Whether reading would accept it.
    pub fn check(&self) -> Result<(), NotAnEntry> {
        check_parts(&self.summary, self.format)
    }

    /// Reads an entry.
    pub fn read(document: serde_json::Value) -> Result<Self, NotAnEntry> {
        check_entry(&document)?;
        serde_json::from_value(document).map_err(|error| NotAnEntry::Shape(error.to_string()))
    }
}

impl DirEntry {
    /// What whoever looks into the directory above gets to see: not what it rests on, which is the most of it.
    pub fn from_above(&self) -> Self {
        Self {
            format: self.format,
            path: self.path.clone(),
            relative_path: self.relative_path.clone(),
            child_count: self.child_count,
            summary: self.summary.clone(),
            dominant_category: self.dominant_category,
            cached_at: self.cached_at.clone(),
            notable_files: self.notable_files.clone(),
            confidence: self.confidence,
            confidence_reason: self.confidence_reason.clone(),
            completeness: self.completeness,
            coverage: self.coverage,
            opening: self.opening.clone(),
            claims: Vec::new(),
            facts: Vec::new(),
            flags: Vec::new(),
            reads: Vec::new(),
            partial: self.partial,
            partial_reason: self.partial_reason.clone(),
            partial_end: self.partial_end,
            filled_in: self.filled_in,
            corrections: Vec::new(),
            content_hash: self.content_hash,
            key: self.key,
            digest: self.digest,
            epoch: self.epoch,
            run: self.run.clone(),
        }
    }

    /// Whether reading would accept it.
    pub fn check(&self) -> Result<(), NotAnEntry> {
        check_parts(&self.summary, self.format)
    }

    /// All that is known as values, each with what it rests on: what claims word first.
    pub fn all_facts(&self) -> impl Iterator<Item = (&Fact, &[Evidence])> {
        let worded =
            self.claims.iter().filter_map(|claim| Some((claim.fact.as_deref()?, &claim.evidence[..])));
        worded.chain(self.facts.iter().map(|fact| (fact, &fact.evidence[..])))
    }

    /// Whether its flags are in it. Those of an entry that an older program wrote are in a journal beside it.
    pub fn holds_its_flags(&self) -> bool {
        FORMAT_WITH_FLAGS <= self.format
    }

    /// Adds flags, each once.
    pub fn add_flags(&mut self, flags: impl IntoIterator<Item = Flag>) {
        for flag in flags {
            if !self.flags.contains(&flag) {
                self.flags.push(flag);
            }
        }
    }

    /// Reads an entry.
    pub fn read(document: serde_json::Value) -> Result<Self, NotAnEntry> {
        check_entry(&document)?;
        serde_json::from_value(document).map_err(|error| NotAnEntry::Shape(error.to_string()))
    }

    /// Whether one of its claims, by its place, is the analyst's though a model was asked.
    pub fn is_filled_in(&self, claim: usize) -> bool {
        self.filled_in.is_some_and(|part| self.claims.len() as u64 <= claim as u64 + part.claims)
    }

    /// How many of its claims hold, and how many there are.
    pub fn verified_claims(&self) -> (u64, u64) {
        let verified = self.claims.iter().filter(|claim| claim.verified).count();
        (verified as u64, self.claims.len() as u64)
    }
}

/// The entries that deserve a second look, least sure first. One that does not say counts as not sure at all.
pub fn low_confidence_entries(entries: &[DirEntry], threshold: Share) -> Vec<&DirEntry> {
    let confidence = |entry: &DirEntry| entry.confidence.unwrap_or(Share::NONE);
    let mut low: Vec<&DirEntry> = entries.iter().filter(|entry| confidence(entry) < threshold).collect();
    low.sort_by(|a, b| {
        let by_confidence = confidence(a).get().total_cmp(&confidence(b).get());
        by_confidence.then_with(|| a.relative_path.cmp(&b.relative_path))
    });
    low
}
