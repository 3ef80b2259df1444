//! A directory of the target, open for listing.

use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;

use luminos_core::RelPath;
use rustix::fs::{AtFlags, FileType, RawDir, readlinkat, statat};
use rustix::io::Errno;

use super::Stamp;

/// How much of a directory the system tells at once.
const BUFFER: usize = 32 << 10;

/// A directory of the target, open for listing.
#[derive(Debug)]
pub struct Directory {
    pub(crate) fd: OwnedFd,
    /// Its name without any link on the way.
    pub name: RelPath,
}

/// An entry of a directory, while it is being listed.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// Its name.
    pub name: &'a [u8],
    /// What it is.
    pub kind: FileType,
}

impl Directory {
    /// Shows each entry once, in the order of the file system. Nothing is kept: there may be millions.
    pub fn each(&self, mut see: impl FnMut(Entry<'_>)) -> Result<(), Errno> {
        let mut buffer = vec![MaybeUninit::uninit(); BUFFER];
        let mut raw = RawDir::new(&self.fd, &mut buffer);
        while let Some(entry) = raw.next() {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name == b"." || name == b".." {
                continue;
            }
            let mut kind = entry.file_type();
            if kind == FileType::Unknown {
                // Some file systems do not tell.
                kind = self.look(name).map_or(FileType::Unknown, |stamp| stamp.kind);
            }
            see(Entry { name, kind });
        }
        Ok(())
    }

    /// What an entry is. Links are not followed.
    pub fn look(&self, name: &[u8]) -> Result<Stamp, Errno> {
        Ok(Stamp::of(&statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW)?))
    }

    /// Where a link leads.
    pub fn link(&self, name: &[u8]) -> Result<Vec<u8>, Errno> {
        Ok(readlinkat(&self.fd, name, Vec::new())?.into_bytes())
    }

    /// The path of an entry.
    pub fn child(&self, name: &[u8]) -> RelPath {
        if self.name.is_root() {
            RelPath::new(name)
        } else {
            RelPath::new([self.name.as_bytes(), b"/", name].concat())
        }
    }
}
