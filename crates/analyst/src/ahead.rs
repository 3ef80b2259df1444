//! The history of a target, read while its directories are looked into.
//!
//! It is told with the top of the target, which comes last, and to read it takes as long as many directories do: whoever
//! began with it when the top is due would keep everybody waiting.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use luminos_tools::Root;

use super::git::{self, History};

/// Reading on a thread of its own.
type Reading = JoinHandle<Option<History>>;

/// The history of a target, perhaps on its way.
#[derive(Debug, Clone, Default)]
pub struct Ahead(Arc<Mutex<Option<Reading>>>);

impl Ahead {
    /// Begins to read it, unless somebody has.
    pub fn begin(&self, root: &Arc<Root>) {
        let mut reading = self.lock();
        if reading.is_none() {
            let root = Arc::clone(root);
            let thread = std::thread::Builder::new().name("history".to_owned());
            // Where there is no room for a thread, it is read when it is needed.
            *reading = thread.spawn(move || git::history(&root)).ok();
        }
    }

    /// The history as it is now.
    pub(crate) fn history(&self, root: &Root) -> Option<History> {
        let reading = self.lock().take();
        let read = reading.and_then(|reading| reading.join().ok().flatten());
        // Somebody may have gone on with it meanwhile.
        let is_current = |read: &History| git::tip(root).as_ref() == Some(&read.tip);
        read.filter(is_current).or_else(|| git::history(root))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Reading>> {
        // Nothing that can panic happens under this lock.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
