//! What a target shows, as values: a package, its version, a command that a build server runs, 402 photos of two years.
//!
//! Readers make facts from bytes and cite them. Everything later (the report on the whole, the ranking of candidates, a
//! program that reads the JSON) takes the values; English is made of them once, and never read back.
//!
//! No fact grows past what the store keeps: texts are cut where a fact is made ([`Fact::new`]).
//!
//! Not here: the words for a fact (`luminos-analyst`, `sentence`), and which facts matter (its synthesis).

use serde::{Deserialize, Serialize};

use crate::RelPath;
use crate::proof::Evidence;

mod bounds;
mod day;
mod kind;
mod opening;
#[cfg(test)]
mod tests;

pub use bounds::{LONGEST_NAME, LONGEST_TEXT, cut};
pub use day::Day;
pub use kind::{
    Change, Column, Contents, Count, Detail, FactKind, Gravity, Holding, KubernetesObject, OfferKind,
    Purpose, Service, Symbol,
};
pub use opening::{Inside, Opening};

/// One thing that the target shows, with the bytes that show it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// What it is about.
    #[serde(default, skip_serializing_if = "Subject::is_this")]
    pub subject: Subject,
    /// What is known of it.
    pub fact: FactKind,
    /// What it rests on. Empty where it stands in something that has the evidence: a claim, or the entry of a file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Evidence>,
    /// Who read it.
    #[serde(default, skip_serializing_if = "Reader::is_source")]
    pub reader: Reader,
}

impl Fact {
    /// A fact whose texts are cut to lengths that can be kept.
    pub fn new(subject: Subject, fact: FactKind, evidence: Vec<Evidence>, reader: Reader) -> Self {
        Self { subject, fact: fact.bounded(), evidence, reader }
    }

    /// The fact without its evidence, for a document that has that already.
    pub fn bare(&self) -> Self {
        Self { evidence: Vec::new(), ..self.clone() }
    }
}

/// What a fact is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// The file or directory whose entry holds the fact.
    #[default]
    This,
    /// A file.
    File(RelPath),
    /// A directory with what lies in it.
    Dir(RelPath),
}

impl Subject {
    fn is_this(&self) -> bool {
        *self == Self::This
    }

    /// Where it lies, for a fact of an entry about `home`.
    pub fn path<'a>(&'a self, home: &'a RelPath) -> &'a RelPath {
        match self {
            Self::This => home,
            Self::File(path) | Self::Dir(path) => path,
        }
    }
}

/// Who read a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reader {
    /// A manifest, a pipeline, an image or another file that programs are built and run by.
    Manifest,
    /// A README or another document.
    Document,
    /// The grammar or the patterns of a programming language: most facts, so it is not written down.
    #[default]
    Source,
    /// What a file of data holds.
    Data,
    /// The files of a directory together.
    Directory,
    /// The files of one form in a directory that holds no program.
    Collection,
    /// The history of the repository.
    History,
}

impl Reader {
    fn is_source(&self) -> bool {
        *self == Self::Source
    }
}
