//! Files that are replaced as a whole or not at all.

use std::io::{self, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::fs::{Mode, OFlags, open, rename, unlink};

/// Replaces a file that can be lost without harm: readers never see half of it, but after a power cut it may
/// be gone or empty, so it must carry its own check.
pub(crate) fn replace_disposable(path: &Path, bytes: &[u8]) -> io::Result<()> {
    static NEXT: AtomicU64 = AtomicU64::new(0);

    let dir = path.parent().ok_or(io::ErrorKind::InvalidInput)?;
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let temporary = dir.join(format!(".tmp-{}-{number}", std::process::id()));
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let fd = open(&temporary, flags, Mode::RUSR | Mode::WUSR)?;
    let written = std::fs::File::from(fd).write_all(bytes);
    let renamed = written.and_then(|()| rename(&temporary, path).map_err(io::Error::from));
    if renamed.is_err() {
        let _ = unlink(&temporary);
    }
    renamed
}
