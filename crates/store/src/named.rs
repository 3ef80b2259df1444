//! Files that somebody named: in an argument, or in a setting.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use rustix::fs::{FileType, Mode, OFlags};

/// The file system of pipes without a name, as a shell makes for `<(…)`.
const PIPES: u64 = 0x5049_5045;

/// Opens a file, or the pipe that a shell passes for `<(…)`. Whatever else lies there stays closed: a pipe with a name, which
/// a stranger's directory may hold, would be waited for without end, and a device may act when it is opened.
pub fn open_named(path: &Path) -> io::Result<File> {
    let held = rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty())?;
    let seen = rustix::fs::fstat(&held)?;
    let kind = FileType::from_raw_mode(seen.st_mode);
    let is_passed = || rustix::fs::fstatfs(&held).is_ok_and(|found| found.f_type as u64 == PIPES);
    if kind == FileType::Fifo && is_passed() {
        return File::open(path);
    }
    if kind != FileType::RegularFile {
        return Err(io::Error::other("it is not a regular file"));
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
pub fn read_named(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open_named(path)?.read_to_string(&mut text)?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_that_lies_about_is_not_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let pipe = dir.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, Mode::RUSR | Mode::WUSR).unwrap();
        assert_eq!(read_named(&pipe).unwrap_err().to_string(), "it is not a regular file");
        assert!(read_named(Path::new("/dev/zero")).is_err() && read_named(dir.path()).is_err());
        // One that a shell passes is read to its end.
        let (from, into) = rustix::pipe::pipe().unwrap();
        rustix::io::write(&into, b"words").unwrap();
        drop(into);
        use std::os::fd::AsRawFd as _;
        let passed = format!("/proc/self/fd/{}", from.as_raw_fd());
        assert_eq!(read_named(Path::new(&passed)).unwrap(), "words");
    }
}
