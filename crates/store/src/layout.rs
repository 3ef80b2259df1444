//! Where everything lies in the state directory.

use std::path::{Path, PathBuf};

use luminos_core::RelPath;
use sha2::{Digest as _, Sha256};

use crate::InvestigationId;
use crate::document::{Kind, hex};

/// What the name of an investigation begins with that is being removed.
pub(crate) const TRASH: &str = ".trash-";

/// The name of the copy of `meta.json`.
pub(crate) const META_COPY: &str = "meta.copy.json";

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

pub(crate) const INDEX: Kind = Kind::new("index", 1, 64 * MIB);
pub(crate) const EPOCH: Kind = Kind::new("epoch", 1, 4 * KIB);
pub(crate) const FENCE: Kind = Kind::new("planner-fence", 1, 4 * KIB);
pub(crate) const META: Kind = Kind::new("meta", 1, 4 * MIB);
pub(crate) const SURVEY: Kind = Kind::new("survey", 1, 4 * MIB);
pub(crate) const PLAN: Kind = Kind::new("plan", 1, 64 * MIB);
pub(crate) const EVALUATION: Kind = Kind::new("plan-evaluation", 1, 256 * MIB);
pub(crate) const REPORT: Kind = Kind::new("report", 1, 256 * MIB);
pub(crate) const REPORT_HEAD: Kind = Kind::new("report-head", 1, 64 * MIB);
pub(crate) const FILE_ENTRIES: Kind = Kind::new("files", luminos_core::entry::ENTRY_FORMAT, 64 * MIB);
/// What was kept before the entries of a directory's files had one document: one for each file.
pub(crate) const FILE_ENTRY: Kind = Kind::new("file", luminos_core::entry::ENTRY_FORMAT, MIB);
pub(crate) const DIR_ENTRY: Kind = Kind::new("dir", luminos_core::entry::ENTRY_FORMAT, 4 * MIB);

/// The state directory's map.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    home: PathBuf,
}

impl Layout {
    pub(crate) fn new(home: &Path) -> Self {
        Self { home: home.to_owned() }
    }

    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    pub(crate) fn index(&self) -> PathBuf {
        self.home.join("investigations.json")
    }

    pub(crate) fn daemon_lock(&self) -> PathBuf {
        self.home.join("daemon.lock")
    }

    pub(crate) fn planner_lock(&self) -> PathBuf {
        self.home.join("planner.lock")
    }

    /// A lock that has a name.
    pub(crate) fn named_lock(&self, name: &str) -> PathBuf {
        self.home.join(format!("{name}.lock"))
    }

    /// The number of the daemon's life.
    pub(crate) fn epoch(&self) -> PathBuf {
        self.home.join("epoch.json")
    }

    /// The latest fencing number of planners.
    pub(crate) fn fence(&self) -> PathBuf {
        self.home.join("planner-fence.json")
    }

    pub(crate) fn reserve(&self) -> PathBuf {
        self.home.join("reserve")
    }

    pub(crate) fn investigation(&self, id: InvestigationId) -> PathBuf {
        self.home.join(id.to_string())
    }

    pub(crate) fn trash(&self, id: InvestigationId) -> PathBuf {
        self.home.join(format!("{TRASH}{id}"))
    }

    pub(crate) fn meta(&self, id: InvestigationId) -> PathBuf {
        self.investigation(id).join("meta.json")
    }

    /// The same document once more, for the day when the first cannot be used.
    pub(crate) fn meta_copy(&self, id: InvestigationId) -> PathBuf {
        self.investigation(id).join(META_COPY)
    }

    pub(crate) fn plan(&self, id: InvestigationId) -> PathBuf {
        self.investigation(id).join("plan.json")
    }
}

/// The name under which something about a path is kept: names in the target can be anything, and too long.
pub(crate) fn key(path: &RelPath) -> String {
    hex(&Sha256::digest(path.as_bytes()))
}
