//! Files that keep secrets by one name and have another.
//!
//! A hard link is no link that could be followed or not: it is the file. So where a file has several names, all of the
//! target is gone through once for names of secret files, and their numbers are remembered.

use std::collections::HashSet;

use luminos_core::{RelPath, is_secret_file};
use rustix::fs::FileType;

use super::{Opened, Root, Stamp};

/// No more entries are gone through.
const MOST: usize = 4_000_000;

impl Root {
    /// Whether a file keeps secrets by another name that it has in the target. Names outside of it are not known.
    pub(crate) fn is_other_name_of_secret(&self, stamp: &Stamp) -> bool {
        1 < stamp.names
            && self.aliases.get_or_init(|| self.find_aliases()).contains(&(stamp.device, stamp.inode))
    }

    /// Whether a file keeps secrets by any name that it has in the target.
    pub fn keeps_secrets(&self, opened: &Opened) -> bool {
        is_secret_file(&opened.name) || self.is_other_name_of_secret(&opened.stamp)
    }

    /// The last names of files that keep secrets by another name, for whoever can leave out files by their names only.
    pub(crate) fn other_names_of_secrets(&self) -> &[Vec<u8>] {
        self.alias_names.get_or_init(|| {
            let aliases = self.aliases.get_or_init(|| self.find_aliases());
            if aliases.is_empty() {
                return Vec::new();
            }
            let (mut names, mut left) = (Vec::new(), vec![RelPath::root()]);
            while let Some(path) = left.pop() {
                let Ok(directory) = self.directory(&path) else { continue };
                let _ = directory.each(|entry| match entry.kind {
                    FileType::Directory => left.push(directory.child(entry.name)),
                    FileType::RegularFile => {
                        let is_one = |stamp: Stamp| aliases.contains(&(stamp.device, stamp.inode));
                        if directory.look(entry.name).is_ok_and(is_one) {
                            names.push(entry.name.to_vec());
                        }
                    }
                    FileType::Symlink
                    | FileType::Fifo
                    | FileType::Socket
                    | FileType::CharacterDevice
                    | FileType::BlockDevice
                    | FileType::Unknown => {}
                });
            }
            names.sort_unstable();
            names.dedup();
            names
        })
    }

    fn find_aliases(&self) -> HashSet<(u64, u64)> {
        let mut found = HashSet::new();
        let (mut left, mut seen) = (vec![RelPath::root()], 0);
        while let Some(path) = left.pop() {
            let Ok(directory) = self.directory(&path) else { continue };
            let mut secret = Vec::new();
            // What cannot be listed cannot be opened by its name, either.
            let _ = directory.each(|entry| {
                seen += 1;
                match entry.kind {
                    FileType::Directory => left.push(directory.child(entry.name)),
                    FileType::RegularFile if is_secret_file(&directory.child(entry.name)) => {
                        secret.push(entry.name.to_vec());
                    }
                    FileType::RegularFile
                    | FileType::Symlink
                    | FileType::Fifo
                    | FileType::Socket
                    | FileType::CharacterDevice
                    | FileType::BlockDevice
                    | FileType::Unknown => {}
                }
            });
            let stamps = secret.iter().filter_map(|name| directory.look(name).ok());
            found.extend(stamps.filter(|stamp| 1 < stamp.names).map(|stamp| (stamp.device, stamp.inode)));
            if MOST < seen {
                break;
            }
        }
        found
    }
}
