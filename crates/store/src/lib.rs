//! The state directory: the only code that writes user data.
//!
//! Nobody but its owner may look into it; one that others can write to is refused. A file is replaced as a
//! whole or not at all: it is written under another name in the same directory and then renamed.

mod atomic;
mod scan_cache;

use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

use luminos_core::Untrusted;

/// Why the store could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The state directory cannot be made or opened.
    #[error("cannot use the state directory `{path}`", path = shown(.path))]
    Home {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Others can write to the state directory, or it belongs to somebody else.
    #[error("the state directory `{path}` is not safe: {reason}", path = shown(.path))]
    Unsafe {
        /// The directory.
        path: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A file cannot be written.
    #[error("cannot write `{path}`", path = shown(.path))]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// A path fit for a terminal.
fn shown(path: &Path) -> String {
    Untrusted::new(path.as_os_str().as_encoded_bytes()).for_terminal()
}

/// The state directory, `$LUMINOS_HOME`.
#[derive(Debug, Clone)]
pub struct Store {
    home: PathBuf,
}

impl Store {
    /// Opens the state directory, making it when it is missing.
    pub fn open(home: &Path) -> Result<Self, Error> {
        let failed = |source| Error::Home { path: home.to_owned(), source };
        std::fs::DirBuilder::new().recursive(true).mode(0o700).create(home).map_err(failed)?;
        let found = std::fs::metadata(home).map_err(failed)?;
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
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn the_state_directory_is_made_for_its_owner_alone() {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().join("state/luminos");
        Store::open(&home).unwrap();
        assert_eq!(std::fs::metadata(&home).unwrap().mode() & 0o777, 0o700);
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
