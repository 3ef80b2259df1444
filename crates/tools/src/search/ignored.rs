//! Which files a search leaves out: by ignore files on the way, and by names that are always left out.

use std::io::{BufRead as _, BufReader, Read as _};
use std::os::fd::AsFd as _;
use std::path::Path;
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::overrides::{Override, OverrideBuilder};

use crate::root::{Directory, Root};

/// Files whose lines are rules. Later ones win.
const RULES: [&[u8]; 3] = [b".gitignore", b".ignore", b".luminosignore"];
/// Directories in which nobody writes anything.
const ALWAYS: [&[u8]; 14] = [
    b".git",
    b".svn",
    b".hg",
    b"__pycache__",
    b"node_modules",
    b".tox",
    b".mypy_cache",
    b".pytest_cache",
    b".venv",
    b"venv",
    b".env",
    b"dist",
    b"build",
    b".eggs",
];
/// How much of a file with rules is read.
const MOST_RULES: u64 = 1 << 20;

/// What a `glob` argument lets through.
pub(super) fn glob(glob: &str) -> Result<Override, String> {
    let mut builder = OverrideBuilder::new("");
    builder.add(glob).map_err(|error| format!("The glob cannot be used: {error}."))?;
    builder.build().map_err(|error| format!("The glob cannot be used: {error}."))
}

/// Whether a directory is always left out.
pub(super) fn is_always_left_out(name: &[u8], has_cargo_manifest: bool) -> bool {
    ALWAYS.contains(&name) || name.ends_with(b".egg-info") || (name == b"target" && has_cargo_manifest)
}

/// The rules that hold in a directory: its own, then those of the directories above it.
#[derive(Debug)]
pub(super) struct Rules {
    own: Option<Gitignore>,
    /// How many bytes of a path lead to this directory, the slash included.
    prefix: usize,
    above: Option<Arc<Rules>>,
}

impl Rules {
    /// The rules in a directory, given which files with rules were seen in it.
    pub(super) fn of(
        root: &Root,
        directory: &Directory,
        seen: [bool; 3],
        above: Option<Arc<Rules>>,
    ) -> Arc<Self> {
        let name = directory.name.as_bytes();
        let prefix = if name.is_empty() { 0 } else { name.len() + 1 };
        let own = seen.contains(&true).then(|| Self::read(root, directory, seen)).flatten();
        Arc::new(Self { own, prefix, above })
    }

    /// Which of the files with rules a name is.
    pub(super) fn index_of(name: &[u8]) -> Option<usize> {
        if name.first() != Some(&b'.') {
            return None;
        }
        RULES.iter().position(|rules| *rules == name)
    }

    fn read(root: &Root, directory: &Directory, seen: [bool; 3]) -> Option<Gitignore> {
        let mut builder = GitignoreBuilder::new("");
        for (name, _) in RULES.iter().zip(seen).filter(|(_, is_seen)| *is_seen) {
            let Ok((file, _)) = root.file_in(directory.fd.as_fd(), name) else { continue };
            for line in BufReader::new(file.take(MOST_RULES)).split(b'\n').map_while(Result::ok) {
                // A line that is no rule is no reason to stop.
                let _ = builder.add_line(None, &String::from_utf8_lossy(&line));
            }
        }
        builder.build().ok().filter(|rules| !rules.is_empty())
    }

    /// Whether a path is ignored. The nearest rule that says anything wins.
    pub(super) fn ignores(&self, path: &[u8], is_dir: bool) -> bool {
        let mut rules = Some(self);
        while let Some(here) = rules {
            if let Some(own) = &here.own {
                match own.matched(as_path(path.get(here.prefix..).unwrap_or_default()), is_dir) {
                    Match::Ignore(_) => return true,
                    Match::Whitelist(_) => return false,
                    Match::None => {}
                }
            }
            rules = here.above.as_deref();
        }
        false
    }
}

/// Bytes as a path.
pub(super) fn as_path(bytes: &[u8]) -> &Path {
    use std::os::unix::ffi::OsStrExt as _;
    Path::new(std::ffi::OsStr::from_bytes(bytes))
}
