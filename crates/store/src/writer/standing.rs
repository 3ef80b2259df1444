//! How the writer stands, for everybody to see.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::journals::Mended;
use crate::Error;

/// How the writer stands.
#[derive(Debug, Clone, Default)]
pub enum Standing {
    /// It writes what it is given.
    #[default]
    Working,
    /// It waits with what it was given until it can be written: nobody is told no, and nothing is lost.
    Waiting(Error),
    /// It writes nothing any more.
    Broken(Error),
}

/// Where it stands for all to see. Clones are the same one.
#[derive(Debug, Clone, Default)]
pub(super) struct Board(Arc<Mutex<Shown>>);

#[derive(Debug, Default)]
struct Shown {
    standing: Standing,
    mended: Vec<Mended>,
}

impl Board {
    pub(super) fn read(&self) -> Standing {
        self.lock().standing.clone()
    }

    pub(super) fn put(&self, standing: Standing) {
        let mut shown = self.lock();
        // What is broken stays so.
        if !matches!(shown.standing, Standing::Broken(_)) {
            shown.standing = standing;
        }
    }

    pub(super) fn add_mended(&self, mended: Vec<Mended>) {
        self.lock().mended.extend(mended);
    }

    /// What was mended below a directory, each told once.
    pub(super) fn take_mended(&self, dir: &Path) -> Vec<Mended> {
        self.lock().mended.extract_if(.., |mended| mended.problem.path.starts_with(dir)).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Shown> {
        // Nothing that can panic happens under this lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
