//! All investigations of a store, and how people name them: by id, by the beginning of one, or by the target.

use std::ffi::OsStr;
use std::path::Path;

use luminos_core::Untrusted;

use crate::error::Problem;
use crate::index::{Index, ids, read_meta};
use crate::layout::Layout;
use crate::{Error, InvestigationId, Meta, Store, Target};

/// So many digits of an id are always shown.
const SHORTEST: usize = 8;
/// So many suggestions are made.
const MOST_SUGGESTED: usize = 3;

/// An investigation that there is.
#[derive(Debug, Clone)]
pub struct Known {
    /// Its name.
    pub id: InvestigationId,
    /// What it is; or what is wrong with the document that says so.
    pub meta: Result<Meta, Problem>,
}

/// All investigations, as they were when they were read.
#[derive(Debug, Clone)]
pub struct Investigations {
    known: Vec<Known>,
    index: Index,
    problems: Vec<Problem>,
}

impl Investigations {
    pub(crate) fn read(store: &Store) -> Self {
        let layout = Layout::new(store.home());
        let (index, problems) = Index::load(&layout);
        let known = ids(&layout).into_iter().filter_map(|id| {
            // A directory without this document was left by a start that died at once.
            read_meta(&layout, id).transpose().map(|meta| Known { id, meta })
        });
        Self { known: known.collect(), index, problems }
    }

    /// All of them, oldest first.
    pub fn all(&self) -> &[Known] {
        &self.known
    }

    /// What could not be used.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.problems.iter().chain(self.known.iter().filter_map(|known| known.meta.as_ref().err()))
    }

    /// The investigation that a run on a target resumes.
    pub fn current(&self, target: &Target) -> Option<&Meta> {
        let id = self.index.get(target)?;
        self.metas().find(|meta| meta.id == id)
    }

    /// The investigation that a word means: an id, the beginning of one, or the path of its target.
    pub fn find(&self, word: &OsStr) -> Result<InvestigationId, Error> {
        let text = word.to_str().unwrap_or_default();
        let digits = text.to_ascii_lowercase();
        let can_be_id =
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
        if can_be_id {
            let fitting: Vec<InvestigationId> = self
                .known
                .iter()
                .map(|known| known.id)
                .filter(|id| id.to_string().starts_with(&digits))
                .collect();
            match fitting[..] {
                [] => {}
                [id] => return Ok(id),
                [..] => {
                    let candidates = fitting.iter().map(|&id| self.described(id)).collect();
                    return Err(Error::Ambiguous { word: digits, candidates });
                }
            }
        }
        let path = std::fs::canonicalize(word).unwrap_or_else(|_| Path::new(word).to_owned());
        let target = Target::new(&path);
        match self.current(&target) {
            Some(meta) => Ok(meta.id),
            None => Err(self.unknown(word, &path)),
        }
    }

    /// The beginning of an id that nothing else begins with.
    pub fn short(&self, id: InvestigationId) -> String {
        let text = id.to_string();
        let common = |other: InvestigationId| {
            let other = other.to_string();
            text.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count()
        };
        let others = self.known.iter().map(|known| known.id).filter(|other| *other != id);
        let needed = others.map(common).max().map_or(0, |common| common + 1).max(SHORTEST);
        text.get(..needed).unwrap_or(&text).trim_end_matches('-').to_owned()
    }

    fn metas(&self) -> impl DoubleEndedIterator<Item = &Meta> {
        self.known.iter().filter_map(|known| known.meta.as_ref().ok())
    }

    fn described(&self, id: InvestigationId) -> String {
        let target = self.metas().find(|meta| meta.id == id).map(|meta| meta.target.for_terminal());
        let short = self.short(id);
        target.map_or(short.clone(), |target| format!("{short} ({target})"))
    }

    /// Nothing fits: those whose target lies above, below or has the same name may have been meant, else the latest.
    fn unknown(&self, word: &OsStr, path: &Path) -> Error {
        let is_near = |meta: &&Meta| {
            let target = meta.target.path();
            let same_name = target.file_name().is_some() && target.file_name() == path.file_name();
            same_name || target.starts_with(path) || path.starts_with(target)
        };
        let mut near: Vec<&Meta> = self.metas().rev().filter(is_near).take(MOST_SUGGESTED).collect();
        if near.is_empty() {
            near = self.metas().rev().take(MOST_SUGGESTED).collect();
        }
        Error::Unknown {
            word: Untrusted::new(word.as_encoded_bytes()).for_terminal(),
            near: near.into_iter().map(|meta| self.described(meta.id)).collect(),
        }
    }
}
