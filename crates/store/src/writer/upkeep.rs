//! What is done alone, after all that came before: removing an investigation, moving something broken away, writing a
//! journal anew.

use std::path::{Path, PathBuf};

use super::Urgency;
use super::journals::{Addition, Journal, Journals};
use super::scribe::Scribe;
use crate::atomic::{Temporary, put_aside};
use crate::{Error, InvestigationId};

impl Scribe {
    /// Removes an investigation. It vanishes at once; its bytes follow.
    pub(crate) fn remove(&mut self, id: InvestigationId) -> Result<(), Error> {
        self.may_write()?;
        let (path, trash) = (self.layout.investigation(id), self.layout.trash(id));
        let failed = |error| Error::writing(&path, error);
        self.journals.forget(&path);
        if self.index.forget(id) {
            let index = self.layout.index();
            let bytes = self.index.seal();
            let bytes = bytes.map_err(|reason| Error::Malformed { path: index.clone(), reason })?;
            let written = loop {
                let written = Temporary::write(&index, &bytes).map_err(failed);
                // Whoever removes something makes space: it must work on a full disk.
                if !(written.as_ref().is_err_and(Error::is_space) && self.make_space(Urgency::LastWords)) {
                    break written;
                }
            };
            let (temporary, file) = written?;
            if let Err(error) = self.syncing.file(&file) {
                temporary.discard();
                return Err(self.stop(&error));
            }
            temporary.publish(&index).map_err(failed)?;
        }
        match rustix::fs::rename(&path, &trash) {
            Ok(()) => {}
            Err(rustix::io::Errno::NOENT) => return Ok(()),
            Err(error) => return Err(failed(error.into())),
        }
        if let Err(error) = self.syncing.dir(self.layout.home()) {
            return Err(self.stop(&error));
        }
        std::fs::remove_dir_all(&trash).map_err(failed)
    }

    /// Replaces a journal as a whole. Where there is no space for a second one, it stays as it is.
    pub(crate) fn rewrite(&mut self, journal: &Journal, additions: &[Addition]) -> Result<(), Error> {
        self.may_write()?;
        let path = &journal.path;
        let failed = |error| Error::writing(path, error);
        let (temporary, file) =
            Temporary::write(path, &Journals::whole(journal, additions)).map_err(failed)?;
        if let Err(error) = self.syncing.file(&file) {
            temporary.discard();
            return Err(self.stop(&error));
        }
        self.journals.forget(path);
        temporary.publish(path).map_err(failed)?;
        let dir = path.parent().unwrap_or(path);
        self.syncing.dir(dir).map_err(|error| self.stop(&error))
    }

    /// Moves a file to `bad/` in its investigation, under a name that is free.
    pub(crate) fn quarantine(&mut self, path: &Path) -> Result<(), Error> {
        self.may_write()?;
        let home = self.layout.home();
        let failed = |error: std::io::Error| Error::writing(path, error);
        if !path.starts_with(home) {
            return Err(failed(rustix::io::Errno::XDEV.into()));
        }
        // Whoever adds to a journal of that name begins another one.
        self.journals.forget(path);
        put_aside(path, &self.house(path), path).map_err(failed)
    }

    /// The directory of the investigation that a file belongs to, or the state directory.
    pub(super) fn house(&self, path: &Path) -> PathBuf {
        let home = self.layout.home();
        let mut parts = path.strip_prefix(home).into_iter().flat_map(Path::components);
        match (parts.next(), parts.next()) {
            (Some(investigation), Some(_)) => home.join(investigation),
            (_, _) => home.to_owned(),
        }
    }
}
