//! The state directory: the only code that writes user data.
//!
//! Nobody but its owner may look into it; one that others can write to is refused. A file is replaced as a
//! whole or not at all: it is written under another name in the same directory and then renamed.
//!
//! Reading needs no lock and changes nothing: [`Store::investigations`] and [`Investigation`] are for everybody.
//! Writing goes through one [`Writer`], which holds the [`DaemonLock`]; it moves what is broken out of the way.
//!
//! Not here: what the documents mean, and when to write them.

mod atomic;
mod clean;
mod document;
mod error;
mod evolution;
mod fsck;
mod index;
mod investigation;
mod investigations;
mod journal;
mod layout;
mod lock;
mod meta;
mod named;
mod plan;
#[doc(hidden)]
pub mod probe;
mod scan_cache;
mod target;
mod writer;

use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use index::{Index, read_meta};
use layout::Layout;

pub use clean::{Cleaning, to_clean};
pub use error::{Error, LineFault, Problem, Why};
pub use evolution::{Evolution, Shelf};
pub use fsck::{Checkup, Depth, Finding, Promise, Remedy, Serving};
pub use investigation::{Investigation, Rendering, flag_id};
pub use investigations::{Investigations, Known};
pub use journal::{Record, Records};
pub use lock::{DaemonLock, Fence, Holder, NamedLock, NetworkState, PlannerLock, refuse_network};
pub use meta::{Counters, Meta, RestsOn, State, parameters_hash};
pub use named::{open_named, read_named};
pub use plan::{Revised, StoredPlan};
pub use target::{InvestigationId, NotAnId, Target};
pub use writer::{
    Durability, FoundAtStart, Lost, Mended, Receipt, Settings, Standing, Urgency, WhenFull, Writer,
    ignore_file_size_signal,
};

/// The state directory, `$LUMINOS_HOME`.
#[derive(Debug, Clone)]
pub struct Store {
    home: PathBuf,
}

impl Store {
    /// Opens the state directory, making it when it is missing.
    pub fn open(home: &Path) -> Result<Self, Error> {
        let failed = |error| Error::home(home, error);
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(home).map_err(failed)?;
        Self::check(home)
    }

    /// Opens the state directory for reading; `None` when it is missing.
    pub fn existing(home: &Path) -> Result<Option<Self>, Error> {
        match std::fs::metadata(home) {
            Ok(_) => Self::check(home).map(Some),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::home(home, error)),
        }
    }

    fn check(home: &Path) -> Result<Self, Error> {
        let found = std::fs::metadata(home).map_err(|error| Error::home(home, error))?;
        let not_safe = |reason| Err(Error::Unsafe { path: home.to_owned(), reason });
        if found.uid() != rustix::process::geteuid().as_raw() {
            return not_safe("it belongs to another user");
        }
        if found.mode() & 0o022 != 0 {
            return not_safe("other users can write to it");
        }
        Ok(Self { home: home.to_owned() })
    }

    /// Where it is.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// What is known of an investigation. It need not exist yet.
    pub fn investigation(&self, id: InvestigationId) -> Investigation {
        Investigation::new(&self.home, id)
    }

    /// The investigation that a run on a target resumes. Of all others nothing is read.
    pub fn current(&self, target: &Target) -> Option<Meta> {
        let layout = Layout::new(&self.home);
        let id = Index::load(&layout).0.get(target)?;
        read_meta(&layout, id).ok().flatten()
    }

    /// All investigations, as they are now.
    pub fn investigations(&self) -> Investigations {
        Investigations::read(self)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn the_state_directory_is_made_for_its_owner_alone() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join("state/luminos");
        assert!(Store::existing(&home).unwrap().is_none());
        Store::open(&home).unwrap();
        assert_eq!(std::fs::metadata(&home).unwrap().mode() & 0o777, 0o700);
        assert!(Store::existing(&home).unwrap().is_some());
    }

    #[test]
    fn a_state_directory_that_others_can_write_to_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::set_permissions(dir.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
        assert!(matches!(Store::open(dir.path()), Err(Error::Unsafe { .. })));
    }

    #[test]
    fn a_state_directory_that_cannot_be_made_is_an_error() {
        assert!(matches!(Store::open(Path::new("/dev/null/state")), Err(Error::Home { .. })));
    }
}
