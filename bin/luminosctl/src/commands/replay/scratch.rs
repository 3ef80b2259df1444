//! A state directory that is there for one command, with a daemon of its own.

use std::fs;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};

use luminos_core::Failure;
use luminos_engine::InvestigationId;
use luminos_wire::control::Request;

use crate::daemon;
use crate::session::{Session, for_terminal};

/// A state directory that goes when this value does, and its daemon with it.
#[derive(Debug)]
pub(crate) struct Scratch {
    home: PathBuf,
}

impl Scratch {
    /// An empty one, where temporary files lie.
    pub(crate) fn new(session: &Session<'_>) -> Result<Self, Failure> {
        let around = session.around();
        let place = around.variable("TMPDIR").map_or_else(|| PathBuf::from("/tmp"), PathBuf::from);
        let home = place.join(format!("luminos-replay-{}", InvestigationId::fresh()));
        fs::DirBuilder::new().mode(0o700).create(&home).map_err(|error| {
            Failure::caused_by(format!("cannot make the directory `{}`", for_terminal(&home)), &error)
        })?;
        Ok(Self { home })
    }

    /// Where it is.
    pub(crate) fn home(&self) -> &Path {
        &self.home
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Ok(Some(mut client)) = daemon::connect(&self.home) {
            let _ = client.ask(&Request::Shutdown);
            // It hangs up when it is done.
            while client.next_event().is_ok() {}
        }
        // What cannot be removed is in the directory for temporary files, and goes with those.
        let _ = fs::remove_dir_all(&self.home);
    }
}
