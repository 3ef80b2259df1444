//! Writes the files that a user asked for.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use luminos_core::Untrusted;
use rustix::fs::{Mode, OFlags};

/// Puts a content in the place of a file as a whole: whoever reads it sees the old one or the new one, also if there is no
/// space for it. Its rights stay, and a link stays a link; one that leads out of its directory is refused, since a stranger's
/// directory could lead to any file. What is no regular file (a pipe, a terminal) is written to, unless it is a pipe that
/// nobody reads from.
pub(crate) fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let named = path;
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(&path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let there = rustix::fs::open(&path, flags, Mode::empty())?;
        rustix::fs::fcntl_setfl(&there, OFlags::empty())?;
        return File::from(there).write_all(content);
    }
    if fs::symlink_metadata(named).is_ok_and(|found| found.is_symlink()) && !is_stream(named) {
        let dir = named.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let is_inside = fs::canonicalize(dir).is_ok_and(|dir| path.starts_with(dir));
        if !is_inside {
            let shown = Untrusted::new(path.as_os_str().as_encoded_bytes()).for_terminal();
            return Err(io::Error::other(format!("it is a link that leads to `{shown}`: name that file")));
        }
    }
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.luminos-{}", std::process::id()));
    let written = (|| {
        let mut file = match fs::OpenOptions::new().write(true).create_new(true).open(&beside) {
            // Where nothing can be put beside it, the file itself may be writable all the same.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied && old.is_some() => {
                return fs::OpenOptions::new().write(true).truncate(true).open(&path)?.write_all(content);
            }
            file => file?,
        };
        file.write_all(content)?;
        if let Some(old) = old {
            file.set_permissions(old.permissions())?;
        }
        file.sync_all()?;
        rustix::fs::rename(&beside, &path)?;
        Ok(())
    })();
    if written.is_err() {
        // What could not take its place is not left lying about.
        let _ = rustix::fs::unlink(&beside);
    }
    written
}

/// Whether a path is one of a process's own streams, such as `/dev/stdout`, which are links to whatever they are.
fn is_stream(path: &Path) -> bool {
    let own = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];
    own.iter().any(|own| path.starts_with(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_that_nobody_reads_is_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, Mode::RUSR | Mode::WUSR).unwrap();
        assert!(replace(&pipe, b"x").is_err());
    }

    /// A directory that comes from somewhere must not choose which file is written.
    #[test]
    fn a_link_that_leads_away_is_not_written_through() {
        let (here, away) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let own = away.path().join("own");
        replace(&own, b"mine").unwrap();
        let link = here.path().join("AGENTS.md");
        std::os::unix::fs::symlink(&own, &link).unwrap();
        let refused = replace(&link, b"theirs").unwrap_err().to_string();
        assert!(refused.contains("it is a link that leads to"), "{refused}");
        assert_eq!(fs::read_to_string(&own).unwrap(), "mine");
        // One beside it is followed, and stays.
        replace(&here.path().join("real"), b"one").unwrap();
        let link = here.path().join("link");
        std::os::unix::fs::symlink("real", &link).unwrap();
        replace(&link, b"two").unwrap();
        assert_eq!(fs::read_to_string(here.path().join("real")).unwrap(), "two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_and_a_device_is_written_to() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("report.json");
        for content in ["one", "another"] {
            replace(&path, content.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
        replace(Path::new("/dev/null"), b"nothing").unwrap();
        assert!(replace(Path::new("/dev/full"), b"nothing").is_err());
        assert!(replace(&dir.path().join("none/x"), b"x").is_err());
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "nothing is left beside it");
    }
}
