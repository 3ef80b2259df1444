//! Ignore files above the target: in a subdirectory of a repository its rules hold, too.

use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use rustix::fs::{Mode, OFlags, open};

use crate::rules::{self, IgnoreLayer};
use crate::walk::read_start;

/// What holds above the target.
#[derive(Debug, Default)]
pub(crate) struct Outer {
    /// From the repository to the target: empty, or it ends with a slash.
    pub(crate) prefix: Vec<u8>,
    pub(crate) ignored: Option<Arc<IgnoreLayer>>,
}

/// Reads the ignore files between the target and the repository it lies in. Outside a repository there are none:
/// what lies in a home directory or in the root of the disk says nothing about the target.
pub(crate) fn find(target: &Path) -> Outer {
    let is_repository = |dir: &Path| dir.join(".git").exists();
    if is_repository(target) {
        return Outer::default();
    }
    let Some(repository) = target.ancestors().skip(1).find(|dir| is_repository(dir)) else {
        return Outer::default();
    };
    let Ok(inside) = target.strip_prefix(repository) else { return Outer::default() };
    let mut ignored = None;
    let mut dir = repository.to_owned();
    let mut at = Vec::new();
    // The target's own ignore files are read by the walk.
    for name in inside.components() {
        ignored = layer(ignored, &dir, &at);
        dir.push(name);
        if !at.is_empty() {
            at.push(b'/');
        }
        at.extend_from_slice(name.as_os_str().as_bytes());
    }
    at.push(b'/');
    Outer { prefix: at, ignored }
}

fn layer(above: Option<Arc<IgnoreLayer>>, dir: &Path, at: &[u8]) -> Option<Arc<IgnoreLayer>> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let Ok(fd) = open(dir, flags, Mode::empty()) else { return above };
    let files = rules::IGNORE_FILES.map(|name| {
        let text = read_start(fd.as_fd(), name, rules::IGNORE_FILE_LIMIT).ok()?;
        let shown = dir.join(std::ffi::OsStr::from_bytes(name));
        // Mistakes in files outside the target are not the target's.
        rules::parse_ignore_file(at, &shown, &text).0
    });
    IgnoreLayer::on(above, files, false)
}
