//! Which investigation is the current one of a target.
//!
//! The document is a shortcut and a memory of what `--fresh` put aside. If it is lost, the newest investigation of
//! each target is the current one.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::{Problem, Why};
use crate::layout::{INDEX, Layout, META};
use crate::{InvestigationId, Meta, Target, document};

/// Target → investigation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Index {
    current: BTreeMap<Target, InvestigationId>,
}

/// As it is written: names of fields must be texts.
#[derive(Serialize, Deserialize)]
struct Written {
    current: BTreeMap<String, InvestigationId>,
}

impl Index {
    /// Reads the index, or makes it anew from the investigations there are.
    pub(crate) fn load(layout: &Layout) -> (Self, Vec<Problem>) {
        let path = layout.index();
        let read = document::read(&path, INDEX).and_then(|found| {
            let read = found.map(serde_json::from_value::<Written>).transpose();
            read.map_err(|error| Problem::new(&path, Why::Shape(error.to_string())))
        });
        match read {
            Ok(Some(Written { current })) => {
                let current = current.into_iter();
                let current =
                    current.filter_map(|(word, id)| Some((Target::from_word(&word)?, id))).collect();
                (Self { current }, Vec::new())
            }
            Ok(None) => (Self::rebuilt(layout), Vec::new()),
            Err(problem) => (Self::rebuilt(layout), vec![problem]),
        }
    }

    fn rebuilt(layout: &Layout) -> Self {
        let mut index = Self::default();
        // In the order of their names, the newest comes last and stays.
        for id in ids(layout) {
            if let Ok(Some(meta)) = read_meta(layout, id) {
                index.current.insert(meta.target, id);
            }
        }
        index
    }

    pub(crate) fn get(&self, target: &Target) -> Option<InvestigationId> {
        self.current.get(target).copied()
    }

    /// All targets with their investigations.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Target, InvestigationId)> {
        self.current.iter().map(|(target, id)| (target, *id))
    }

    pub(crate) fn set(&mut self, target: Target, id: InvestigationId) {
        self.current.insert(target, id);
    }

    /// Forgets an investigation; tells whether it was the current one of its target.
    pub(crate) fn forget(&mut self, id: InvestigationId) -> bool {
        let before = self.current.len();
        self.current.retain(|_, current| *current != id);
        self.current.len() < before
    }

    pub(crate) fn seal(&self) -> Result<Vec<u8>, String> {
        let current = self.current.iter().map(|(target, id)| (target.to_word(), *id)).collect();
        document::seal(INDEX, &Written { current })
    }
}

/// The names of all investigations, oldest first.
pub(crate) fn ids(layout: &Layout) -> Vec<InvestigationId> {
    let entries = std::fs::read_dir(layout.home()).into_iter().flatten().flatten();
    let mut ids: Vec<InvestigationId> =
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect();
    ids.sort_unstable();
    ids
}

/// Reads what an investigation is: from its copy, where the document itself is gone or cannot be used.
pub(crate) fn read_meta(layout: &Layout, id: InvestigationId) -> Result<Option<Meta>, Problem> {
    let found = read_meta_at(&layout.meta(id), id);
    let is_lost = match &found {
        Ok(found) => found.is_none(),
        Err(problem) => problem.is_worthless(),
    };
    match read_meta_at(&layout.meta_copy(id), id) {
        Ok(Some(copy)) if is_lost => Ok(Some(copy)),
        Ok(_) | Err(_) => found,
    }
}

/// Reads what an investigation is from one of its documents, and checks that it is the one that the directory names.
pub(crate) fn read_meta_at(path: &Path, id: InvestigationId) -> Result<Option<Meta>, Problem> {
    let Some(found) = document::read(path, META)? else { return Ok(None) };
    let meta: Result<Meta, _> = serde_json::from_value(found);
    let meta = meta.map_err(|error| Problem::new(path, Why::Shape(error.to_string())))?;
    if meta.id == id { Ok(Some(meta)) } else { Err(Problem::new(path, Why::Elsewhere)) }
}
