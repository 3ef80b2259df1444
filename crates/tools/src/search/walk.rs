//! The files to search, in order, found by descriptors and without following links.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use ignore::overrides::Override;
use luminos_core::{RelPath, is_secret_file};
use rustix::fs::FileType;

use super::ignored::{self, Rules};
use crate::root::{Directory, Root};
use crate::session::Secrets;

/// How many files of a directory are one piece of work.
const BATCH: usize = 64;
/// How many directories below one another are kept open; deeper ones are opened by their path.
const OPEN: usize = 32;

/// Files of one directory.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) directory: RelPath,
    pub(super) names: Vec<Box<[u8]>>,
}

/// What to look for on the way.
pub(super) struct Walk<'a> {
    pub(super) root: &'a Root,
    pub(super) glob: Option<&'a Override>,
    /// Whether hidden and ignored files count, too.
    pub(super) all: bool,
    /// What becomes of files that keep secrets.
    pub(super) secrets: Secrets,
    /// When to stop, though there be no file in sight.
    pub(super) deadline: Instant,
}

/// What was met on the way.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Met {
    /// Directories that could not be listed.
    pub(super) closed: usize,
    /// Files that keep secrets, and were left out for that.
    pub(super) withheld: usize,
    /// Whether the time was up.
    pub(super) is_late: bool,
}

impl Walk<'_> {
    /// Hands over the files below a directory, always in the same order, until told to stop: the files of a directory, then what is below it.
    pub(super) fn each(&self, top: Directory, mut hand: impl FnMut(Batch) -> ControlFlow<()>) -> Met {
        let mut met = Met::default();
        let above = self.rules_above(&top.name);
        // What is left to do, the next thing last. A directory is held open only while those in it are few.
        let mut left = vec![Place { name: top.name.clone(), open: Some(top), rules: above }];
        while let Some(place) = left.pop() {
            if self.deadline <= Instant::now() {
                met.is_late = true;
                return met;
            }
            let directory = match place.open {
                Some(directory) => Ok(directory),
                None => self.root.directory(&place.name).map_err(|_| ()),
            };
            let Ok(directory) = directory else {
                met.closed += 1;
                continue;
            };
            let Ok(mut listing) = Listing::of(&directory) else {
                met.closed += 1;
                continue;
            };
            let rules = if self.all {
                None
            } else {
                Some(Rules::of(self.root, &directory, listing.rules, place.rules.clone()))
            };
            listing.files.sort_unstable();
            listing.dirs.sort_unstable();
            let names =
                listing.files.into_iter().filter(|name| self.is_wanted(&directory, name, rules.as_deref()));
            let mut names: Vec<Box<[u8]>> = names.collect();
            if self.secrets == Secrets::Withheld {
                let before = names.len();
                names.retain(|name| !is_secret_file(&directory.child(name)));
                met.withheld += before - names.len();
            }
            while !names.is_empty() {
                let rest = names.split_off(names.len().min(BATCH));
                let batch = Batch { directory: directory.name.clone(), names };
                if hand(batch).is_break() {
                    return met;
                }
                names = rest;
            }
            let has_manifest = listing.has_manifest;
            for name in listing.dirs.into_iter().rev() {
                let child = directory.child(&name);
                let is_left_out = ignored::is_always_left_out(&name, has_manifest)
                    || (!self.all && name.first() == Some(&b'.'))
                    || rules.as_deref().is_some_and(|rules| rules.ignores(child.as_bytes(), true));
                if !is_left_out {
                    let open =
                        if left.len() < OPEN { self.root.directory_in(&directory, &name).ok() } else { None };
                    left.push(Place { name: child, open, rules: rules.clone() });
                }
            }
        }
        met
    }

    fn is_wanted(&self, directory: &Directory, name: &[u8], rules: Option<&Rules>) -> bool {
        if !self.all && name.first() == Some(&b'.') {
            return false;
        }
        if rules.is_none() && self.glob.is_none() {
            return true;
        }
        let path = directory.child(name);
        self.glob.is_none_or(|glob| !glob.matched(ignored::as_path(path.as_bytes()), false).is_ignore())
            && !rules.is_some_and(|rules| rules.ignores(path.as_bytes(), false))
    }

    /// The rules of the directories on the way to where the search starts.
    fn rules_above(&self, start: &RelPath) -> Option<Arc<Rules>> {
        if self.all {
            return None;
        }
        let mut above = Vec::new();
        let mut path = start.parent();
        while let Some(parent) = path {
            path = parent.parent();
            above.push(parent);
        }
        above.into_iter().rev().fold(None, |rules, parent| match self.root.directory(&parent) {
            Ok(directory) => Some(Rules::of(self.root, &directory, [true; 3], rules)),
            Err(_) => rules,
        })
    }
}

/// A directory that waits.
struct Place {
    name: RelPath,
    open: Option<Directory>,
    rules: Option<Arc<Rules>>,
}

/// The entries of a directory that matter.
#[derive(Default)]
struct Listing {
    files: Vec<Box<[u8]>>,
    dirs: Vec<Box<[u8]>>,
    rules: [bool; 3],
    has_manifest: bool,
}

impl Listing {
    fn of(directory: &Directory) -> Result<Self, rustix::io::Errno> {
        let mut listing = Self::default();
        directory.each(|entry| match entry.kind {
            FileType::Directory => listing.dirs.push(entry.name.into()),
            FileType::RegularFile => {
                if let Some(index) = Rules::index_of(entry.name) {
                    listing.rules[index] = true;
                }
                listing.has_manifest |= entry.name == b"Cargo.toml";
                listing.files.push(entry.name.into());
            }
            FileType::Symlink
            | FileType::Fifo
            | FileType::Socket
            | FileType::CharacterDevice
            | FileType::BlockDevice
            | FileType::Unknown => {}
        })?;
        Ok(listing)
    }
}
