//! Reads and writes the files that a user named.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use rustix::fs::{Mode, OFlags};

/// The file system of pipes without a name, as a shell makes for `<(…)`.
const PIPES: u64 = 0x5049_5045;

/// Opens a file, or the pipe that a shell passes for `<(…)`. Whatever else lies there stays closed: a pipe with a name, which
/// a stranger's directory may hold, would be waited for without end, and a device may act when it is opened.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let held = rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
    let seen = rustix::fs::fstat(&held)?;
    let kind = rustix::fs::FileType::from_raw_mode(seen.st_mode);
    let is_passed = || rustix::fs::fstatfs(&held).is_ok_and(|found| found.f_type as u64 == PIPES);
    match kind {
        rustix::fs::FileType::RegularFile => {}
        rustix::fs::FileType::Fifo if is_passed() => return File::open(path),
        rustix::fs::FileType::Directory => return Err(io::ErrorKind::IsADirectory.into()),
        _ => return Err(io::Error::other("it is not a regular file")),
    }
    // What comes to lie there after the look is not waited for, and not read.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = rustix::fs::open(path, flags, Mode::empty())?;
    let opened = rustix::fs::fstat(&file)?;
    if (opened.st_dev, opened.st_ino) != (seen.st_dev, seen.st_ino) {
        return Err(io::Error::other("it was replaced while it was being opened"));
    }
    Ok(File::from(file))
}

/// All of such a file, as text.
pub(crate) fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open(path)?.read_to_string(&mut text)?;
    Ok(text)
}

/// Puts a content in the place of a file as a whole: whoever reads it sees the old one or the new one, also if there is no
/// space for it. Its rights stay, and a link stays a link. What is no regular file (a pipe, a terminal) is written to, unless
/// it is a pipe that nobody reads from.
pub(crate) fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(&path).ok();
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        let there = rustix::fs::open(&path, flags, Mode::empty())?;
        rustix::fs::fcntl_setfl(&there, OFlags::empty())?;
        return File::from(there).write_all(content);
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
    fn a_pipe_that_lies_about_is_neither_waited_for_nor_written_to() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, Mode::RUSR | Mode::WUSR).unwrap();
        assert_eq!(read(&pipe).unwrap_err().to_string(), "it is not a regular file");
        assert!(read(Path::new("/dev/zero")).is_err() && read(dir.path()).is_err());
        assert!(replace(&pipe, b"x").is_err());
        // One that a shell passes is read to its end.
        let (from, into) = rustix::pipe::pipe().unwrap();
        rustix::io::write(&into, b"words").unwrap();
        drop(into);
        use std::os::fd::AsRawFd as _;
        let passed = format!("/proc/self/fd/{}", from.as_raw_fd());
        assert_eq!(read(Path::new(&passed)).unwrap(), "words");
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
