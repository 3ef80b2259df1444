//! The walk: threads that list directories, decide what is left out, and read files.

mod files;
mod listing;

use std::os::fd::{AsFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use luminos_core::RelPath;
use luminos_core::scan::{Embedded, FileRecord, Problem, Rule, Skipped, SkippedCounts, Trouble};
use rustix::fs::{FileType, Stat, fstat};
use rustix::io::Errno;

use crate::cache::{self, Cache, CachedDir, DirKey};
use crate::content::Reader;
use crate::handle::{Handle, Root};
use crate::queue::Queue;
use crate::rules::{self, IgnoreLayer, Rules, Siblings};
use crate::way::Way;
use crate::{Options, Progress, pseudo};
pub(crate) use files::read_start;
use listing::Listing;

/// Files of one directory are shared between threads in portions of this size.
const PORTION: usize = 128;

/// What all threads of a walk share.
pub(crate) struct Walk<'a> {
    pub(crate) root: Arc<Root>,
    pub(crate) root_stat: Stat,
    pub(crate) rules: Rules,
    pub(crate) options: &'a Options,
    pub(crate) cache: &'a Cache,
    pub(crate) progress: &'a Progress,
    /// Device and inode of our own state directory.
    pub(crate) own_state: Option<(u64, u64)>,
    /// From where the ignore files start to the target: empty, or it ends with a slash.
    pub(crate) prefix: Vec<u8>,
    /// Modified after this, in nanoseconds, a file is not remembered.
    pub(crate) racy_after: i64,
    pub(crate) next_dir: AtomicU32,
    pub(crate) is_broken: AtomicBool,
    pub(crate) queue: Queue<Task<'a>>,
}

/// A piece of work.
pub(crate) enum Task<'a> {
    Dir(DirTask),
    Files(FilesTask<'a>),
}

/// A directory to list.
pub(crate) struct DirTask {
    /// `None` for the target itself.
    pub(crate) parent: Option<Arc<Handle>>,
    pub(crate) parent_id: u32,
    /// It starts with the walk's prefix.
    pub(crate) way: Arc<Way>,
    pub(crate) ignored: Option<Arc<IgnoreLayer>>,
}

/// Files of a directory to look at.
#[derive(Clone)]
pub(crate) struct FilesTask<'a> {
    fd: Arc<OwnedFd>,
    dir_id: u32,
    key: DirKey,
    path: Arc<[u8]>,
    listing: Arc<Listing>,
    cached: Option<Arc<CachedDir<'a>>>,
    from: usize,
}

/// A directory that was found. Numbers are given in the order of finding.
#[derive(Debug)]
pub(crate) struct FoundDir {
    pub(crate) id: u32,
    pub(crate) parent: u32,
    pub(crate) name: Box<[u8]>,
    pub(crate) unreadable: bool,
}

/// What one thread found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) names: Vec<u8>,
    pub(crate) dirs: Vec<FoundDir>,
    /// With the numbers of `dirs`; their descriptions follow apart.
    pub(crate) files: Vec<FileRecord>,
    /// With places in `files`.
    pub(crate) embedded: Vec<Embedded>,
    /// Place in `files`, and its description.
    pub(crate) descriptions: Vec<(u32, Box<str>)>,
    pub(crate) problems: Vec<Problem>,
    pub(crate) skipped: Vec<Skipped>,
    pub(crate) skipped_counts: SkippedCounts,
    pub(crate) cache: cache::Writer,
    pub(crate) files_read: u64,
}

/// One thread of a walk.
pub(crate) struct Worker<'w, 'a> {
    walk: &'w Walk<'a>,
    found: Found,
    reader: Reader,
    spare: Listing,
    tasks: Vec<Task<'a>>,
}

impl<'w, 'a> Worker<'w, 'a> {
    pub(crate) fn new(walk: &'w Walk<'a>) -> Self {
        Self {
            walk,
            found: Found::default(),
            reader: Reader::new(walk.options.hash_limit),
            spare: Listing::default(),
            tasks: Vec::new(),
        }
    }

    /// Works until nothing is left to do.
    pub(crate) fn run(mut self) -> Found {
        let mut was_working = false;
        while let Some(task) = self.walk.queue.take(was_working) {
            was_working = true;
            // A defect in one place must not leave the other threads waiting for ever.
            let outcome = catch_unwind(AssertUnwindSafe(|| match task {
                Task::Dir(task) => self.dir(task),
                Task::Files(task) => self.files(task),
            }));
            if outcome.is_err() {
                self.walk.is_broken.store(true, Ordering::Relaxed);
            }
        }
        self.found
    }

    fn dir(&mut self, task: DirTask) {
        let path = task.way.path();
        let opened = match &task.parent {
            None => rustix::io::fcntl_dupfd_cloexec(self.walk.root.fd(), 3),
            Some(parent) => parent.open_dir(task.way.name()),
        };
        let fd = match opened {
            Ok(fd) => Arc::new(fd),
            Err(Errno::XDEV) => {
                self.skip(&path, Rule::OtherFileSystem);
                return;
            }
            Err(error) => {
                self.unlisted(&task, &path, error);
                return;
            }
        };
        let stat = match fstat(&fd) {
            Ok(stat) => stat,
            Err(error) => {
                self.unlisted(&task, &path, error);
                return;
            }
        };
        if let Some(rule) = self.is_elsewhere(&task, &fd, &stat) {
            self.skip(&path, rule);
            return;
        }
        let id = self.walk.next_dir.fetch_add(1, Ordering::Relaxed);
        self.walk.progress.add_dir();
        let mut listing = std::mem::take(&mut self.spare);
        let listed = listing.read(fd.as_fd());
        if let Err(error) = listed {
            self.trouble(&path, Trouble::Unlisted(words(error)));
        }
        let ignored = self.ignored_here(&task, &path, &fd, &listing);
        self.filter(&mut listing, &fd, &path, ignored.as_ref());
        listing.sort();

        if listing.has_dirs() {
            let handle = Handle::keep(&self.walk.root, Arc::clone(&fd), &task.way);
            for name in listing.dirs() {
                self.tasks.push(Task::Dir(DirTask {
                    parent: Some(Arc::clone(&handle)),
                    parent_id: id,
                    way: task.way.to(name),
                    ignored: ignored.clone(),
                }));
            }
        }
        self.found.dirs.push(FoundDir {
            id,
            parent: task.parent_id,
            name: task.way.name().into(),
            unreadable: listed.is_err(),
        });
        self.share_files(listing, fd, id, &stat, path);
    }

    /// Hands on all portions of a directory's files but the first, and looks at that one.
    fn share_files(&mut self, listing: Listing, fd: Arc<OwnedFd>, dir_id: u32, stat: &Stat, path: Vec<u8>) {
        let files = listing.files().len();
        if files == 0 {
            self.spare = listing;
            self.walk.queue.push_all(&mut self.tasks);
            return;
        }
        let key = DirKey { dev: stat.st_dev, ino: stat.st_ino };
        let cached = self.walk.cache.dir(key).map(Arc::new);
        let first =
            FilesTask { fd, dir_id, key, path: path.into(), listing: Arc::new(listing), cached, from: 0 };
        for from in (PORTION..files).step_by(PORTION) {
            self.tasks.push(Task::Files(FilesTask { from, ..first.clone() }));
        }
        self.walk.queue.push_all(&mut self.tasks);
        let listing = Arc::clone(&first.listing);
        self.files(first);
        // Its memory serves the next directory, unless others still read it.
        if let Ok(listing) = Arc::try_unwrap(listing) {
            self.spare = listing;
        }
    }

    /// Whether a directory is not part of the target, though it lies inside.
    fn is_elsewhere(&self, task: &DirTask, fd: &OwnedFd, stat: &Stat) -> Option<Rule> {
        if self.walk.own_state == Some((stat.st_dev, stat.st_ino)) {
            return Some(Rule::OwnState);
        }
        let is_other = task.parent.is_some() && stat.st_dev != self.walk.root_stat.st_dev;
        if is_other && !self.walk.options.cross_mounts {
            return Some(Rule::OtherFileSystem);
        }
        (is_other && pseudo::kind_of(fd.as_fd()).is_some()).then_some(Rule::Kernel)
    }

    /// Adds the ignore files of a directory to those above.
    fn ignored_here(
        &mut self,
        task: &DirTask,
        dir: &[u8],
        fd: &OwnedFd,
        listing: &Listing,
    ) -> Option<Arc<IgnoreLayer>> {
        if !self.walk.rules.honour_ignore_files() {
            return None;
        }
        let mut files = [None, None, None];
        let mut is_repository = false;
        for name in listing.dot_names() {
            is_repository |= name == b".git";
            let Some(kind) = rules::IGNORE_FILES.iter().position(|&ignore_file| ignore_file == name) else {
                continue;
            };
            let path = joined(dir, name);
            let text = match read_start(fd.as_fd(), name, rules::IGNORE_FILE_LIMIT) {
                Ok(text) => text,
                Err(error) => {
                    let is_odd = error == Errno::STALE;
                    let why = if is_odd { "it is no regular file".to_owned() } else { words(error) };
                    self.trouble(&path, Trouble::Unread(why));
                    continue;
                }
            };
            let shown = RelPath::new(self.relative(&path)).for_terminal();
            let (file, troubles) = rules::parse_ignore_file(dir, Path::new(&shown), &text);
            for trouble in troubles {
                self.trouble(&path, trouble);
            }
            files[kind] = file;
        }
        IgnoreLayer::on(task.ignored.clone(), files, is_repository)
    }

    /// Takes out of a listing what is left out of the scan.
    fn filter(
        &mut self,
        listing: &mut Listing,
        fd: &OwnedFd,
        path: &[u8],
        ignored: Option<&Arc<IgnoreLayer>>,
    ) {
        let siblings = Siblings { cargo_manifest: listing.has(b"Cargo.toml") };
        let mut entry_path = joined(path, b"");
        let dir_len = entry_path.len();
        let walk = self.walk;
        let (found, explain) = (&mut self.found, walk.options.explain_skipped);
        listing.retain(|name, kind| {
            entry_path.truncate(dir_len);
            entry_path.extend_from_slice(name);
            if *kind == FileType::Unknown {
                *kind = listing::kind_of(fd.as_fd(), name);
            }
            let is_dir = *kind == FileType::Directory;
            let Some(rule) = walk.rules.leave_out(ignored, siblings, name, &entry_path, is_dir) else {
                return true;
            };
            found.skipped_counts.count(&rule);
            if explain {
                let path = RelPath::new(walk.relative(&entry_path));
                found.skipped.push(Skipped { path, rule, is_dir });
            }
            false
        });
    }

    fn skip(&mut self, path: &[u8], rule: Rule) {
        self.found.skipped_counts.count(&rule);
        if self.walk.options.explain_skipped {
            let path = RelPath::new(self.relative(path));
            self.found.skipped.push(Skipped { path, rule, is_dir: true });
        }
    }

    /// A directory that could not even be opened stays in the tree, empty and marked.
    fn unlisted(&mut self, task: &DirTask, path: &[u8], error: Errno) {
        let trouble = match error {
            // What was listed as a directory is one no more.
            Errno::NOTDIR | Errno::LOOP => Trouble::Changed,
            error => Trouble::Unlisted(words(error)),
        };
        self.trouble(path, trouble);
        let id = self.walk.next_dir.fetch_add(1, Ordering::Relaxed);
        self.found.dirs.push(FoundDir {
            id,
            parent: task.parent_id,
            name: task.way.name().into(),
            unreadable: true,
        });
    }

    fn trouble(&mut self, path: &[u8], trouble: Trouble) {
        let path = RelPath::new(self.relative(path));
        self.found.problems.push(Problem { path, trouble });
    }

    fn relative<'p>(&self, path: &'p [u8]) -> &'p [u8] {
        self.walk.relative(path)
    }
}

impl Walk<'_> {
    /// A path from the target, of one from where the ignore files start.
    fn relative<'p>(&self, path: &'p [u8]) -> &'p [u8] {
        path.get(self.prefix.len()..).unwrap_or_default()
    }
}

/// A path and a name; the path may be empty or end with a slash.
fn joined(path: &[u8], name: &[u8]) -> Vec<u8> {
    let mut joined = Vec::with_capacity(path.len() + 1 + name.len() + 32);
    joined.extend_from_slice(path);
    if !path.is_empty() && !path.ends_with(b"/") {
        joined.push(b'/');
    }
    joined.extend_from_slice(name);
    joined
}

/// What the system says of an error.
fn words(error: Errno) -> String {
    let words = std::io::Error::from(error).to_string();
    match words.find(" (os error") {
        Some(end) => words[..end].to_owned(),
        None => words,
    }
}
