//! What the evolution planner keeps: shelves of documents, each with a bound.
//!
//! What was measured and what was learned is made to last; summaries and debug documents can be lost without harm. When a
//! shelf is full, the longest unchanged goes first. A document that is broken is as good as none.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use rustix::fs::unlink;
use serde::Serialize;
use serde_json::Value;

use crate::document::{self, Kind};
use crate::{Error, Store, atomic};

const MIB: u64 = 1 << 20;

/// A kind of document that the evolution planner keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shelf {
    /// Summaries of history.
    Summaries,
    /// What was measured at a commit.
    Measured,
    /// What was tried, and what came of it.
    Events,
    /// What was asked and answered, for whoever looks for a mistake.
    Attempts,
}

impl Shelf {
    pub(crate) const ALL: [Self; 4] = [Self::Summaries, Self::Measured, Self::Events, Self::Attempts];

    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::Summaries => Kind::new("evolution-summary", 1, MIB),
            Self::Measured => Kind::new("evolution-metrics", 1, 4 * MIB),
            Self::Events => Kind::new("evolution-event", 1, 4 * MIB),
            Self::Attempts => Kind::new("evolution-attempt", 1, 64 * MIB),
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Summaries => "summaries",
            Self::Measured => "metrics",
            Self::Events => "events",
            Self::Attempts => "attempts",
        }
    }

    /// How many documents are kept.
    pub(crate) fn most(self) -> usize {
        match self {
            Self::Summaries => 4000,
            Self::Measured => 10_000,
            Self::Events => 500,
            Self::Attempts => 100,
        }
    }

    fn must_last(self) -> bool {
        match self {
            Self::Measured | Self::Events => true,
            Self::Summaries | Self::Attempts => false,
        }
    }
}

/// What the evolution planner keeps.
#[derive(Debug, Clone)]
pub struct Evolution {
    dir: PathBuf,
}

impl Store {
    /// What the evolution planner keeps.
    pub fn evolution(&self) -> Evolution {
        Evolution { dir: self.home.join("evolve") }
    }
}

impl Evolution {
    /// Keeps a document under a name of letters, digits and `-`, in place of the one that had it.
    pub fn put(&self, shelf: Shelf, name: &str, body: &impl Serialize) -> Result<PathBuf, Error> {
        let path = self.path(shelf, name);
        let failed = |error| Error::writing(&path, error);
        let bytes = document::seal(shelf.kind(), body).map_err(|why| failed(std::io::Error::other(why)))?;
        std::fs::create_dir_all(self.dir.join(shelf.name())).map_err(failed)?;
        if shelf.must_last() {
            atomic::replace_durably(&path, &bytes).map_err(failed)?;
        } else {
            atomic::replace_disposable(&path, &bytes).map_err(failed)?;
        }
        self.forget_oldest(shelf, &path);
        Ok(path)
    }

    /// The document of a name, if there is one that can be used.
    pub fn get(&self, shelf: Shelf, name: &str) -> Option<Value> {
        document::read(&self.path(shelf, name), shelf.kind()).ok().flatten()
    }

    /// All documents of a shelf that can be used, in no order.
    pub fn all(&self, shelf: Shelf) -> Vec<Value> {
        self.documents(shelf)
            .into_iter()
            .filter_map(|(_, path)| document::read(&path, shelf.kind()).ok().flatten())
            .collect()
    }

    fn path(&self, shelf: Shelf, name: &str) -> PathBuf {
        let name: String = name
            .chars()
            .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
            .take(128)
            .collect();
        self.dir.join(shelf.name()).join(format!("{name}.json"))
    }

    fn documents(&self, shelf: Shelf) -> Vec<(SystemTime, PathBuf)> {
        let entries = std::fs::read_dir(self.dir.join(shelf.name())).into_iter().flatten().flatten();
        let document = |entry: std::fs::DirEntry| {
            let path = entry.path();
            let is_document = path.extension().is_some_and(|ending| ending == "json");
            let modified = entry.metadata().and_then(|found| found.modified()).ok()?;
            is_document.then_some((modified, path))
        };
        entries.filter_map(document).collect()
    }

    /// What cannot be removed stays.
    fn forget_oldest(&self, shelf: Shelf, keep: &Path) {
        let mut documents = self.documents(shelf);
        let surplus = documents.len().saturating_sub(shelf.most());
        if surplus == 0 {
            return;
        }
        documents.retain(|(_, path)| path != keep);
        documents.sort_unstable();
        for (_, path) in documents.into_iter().take(surplus) {
            let _ = unlink(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn evolution() -> (tempfile::TempDir, Evolution) {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&dir.path().join("home")).unwrap();
        (dir, store.evolution())
    }

    #[test]
    fn what_was_kept_comes_back_and_broken_documents_do_not() {
        let (_dir, evolution) = evolution();
        assert_eq!(evolution.get(Shelf::Events, "a"), None);
        assert!(evolution.all(Shelf::Events).is_empty());
        let path = evolution.put(Shelf::Events, "a", &json!({"x": 1})).unwrap();
        evolution.put(Shelf::Events, "b", &json!({"x": 2})).unwrap();
        assert_eq!(evolution.get(Shelf::Events, "a").unwrap()["x"], 1);
        assert_eq!(evolution.get(Shelf::Measured, "a"), None);
        assert_eq!(evolution.all(Shelf::Events).len(), 2);
        let text = std::fs::read_to_string(&path).unwrap().replace("\"x\": 1", "\"x\": 7");
        atomic::replace_disposable(&path, text.as_bytes()).unwrap();
        assert_eq!(evolution.get(Shelf::Events, "a"), None);
        assert_eq!(evolution.all(Shelf::Events).len(), 1);
    }

    #[test]
    fn names_cannot_lead_elsewhere() {
        let (_dir, evolution) = evolution();
        let path = evolution.put(Shelf::Attempts, "../../x/y", &json!({})).unwrap();
        assert_eq!(path.file_name().unwrap(), "------x-y.json");
    }

    #[test]
    fn only_the_latest_attempts_are_kept() {
        let (_dir, evolution) = evolution();
        for number in 0..Shelf::Attempts.most() + 20 {
            evolution.put(Shelf::Attempts, &number.to_string(), &json!({"number": number})).unwrap();
        }
        assert_eq!(evolution.all(Shelf::Attempts).len(), Shelf::Attempts.most());
        assert!(evolution.get(Shelf::Attempts, &(Shelf::Attempts.most() + 19).to_string()).is_some());
    }
}
