//! Writes the files that a user asked for.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

/// Puts a content in the place of a file as a whole: whoever reads it sees the old one or the new one, also if there is no
/// space for it. Its rights stay, and a link stays a link. What is no regular file (a pipe, a terminal) is written to.
pub(crate) fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(&path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return fs::OpenOptions::new().write(true).open(&path)?.write_all(content);
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

#[cfg(test)]
mod tests {
    use super::*;

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
