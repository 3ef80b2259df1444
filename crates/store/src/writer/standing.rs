//! How the writer stands, for everybody to see.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
pub(super) struct Board(Arc<Mutex<Standing>>);

impl Board {
    pub(super) fn read(&self) -> Standing {
        self.lock().clone()
    }

    pub(super) fn put(&self, standing: Standing) {
        let mut shown = self.lock();
        // What is broken stays so.
        if !matches!(*shown, Standing::Broken(_)) {
            *shown = standing;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Standing> {
        // Nothing that can panic happens under this lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
