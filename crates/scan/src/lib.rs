//! From a path to a [`Scan`]: one parallel walk that reads each file once.
//!
//! Category, description, language, line counts and hash of a file all come from the same bytes. A [`Cache`]
//! of an earlier scan spares the reading of what has not changed; with and without it the result is the same.
//!
//! **Guarantees**: links are never followed, pipes and devices never opened, other file systems not entered
//! unless asked for. Whatever is in the target, a scan ends, and what it could not read is listed in it.
//!
//! Not here: what is worth telling of a scan (`luminos-core`), where the cache is kept (`luminos-store`).

mod assemble;
mod cache;
mod category;
mod content;
mod describe;
mod error;
mod handle;
mod language;
mod lines;
mod options;
mod outer;
mod progress;
mod pseudo;
mod queue;
mod rules;
mod walk;
mod way;

use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::SystemTime;

use luminos_core::scan::Scan;
use rustix::fs::{Mode, OFlags, fstat, open, stat};
use rustix::io::Errno;

pub use cache::Cache;
pub use error::Error;
pub use options::Options;
pub use progress::Progress;

use handle::Root;
use queue::Queue;
use rules::Rules;
use walk::{DirTask, Found, Task, Walk, Worker};
use way::Way;

/// A scan, and what the next one can build on.
#[derive(Debug)]
pub struct Scanned {
    /// What was found.
    pub scan: Scan,
    /// The cache to keep for the next scan; `None` when the one that was given is still right.
    pub cache: Option<Vec<u8>>,
    /// How many files were opened and read.
    pub files_read: u64,
}

/// Which directory this is, whatever its path: a cache is kept under this name.
pub fn identity(root: &Path) -> Result<String, Error> {
    let fd = open_root(root)?;
    let stat = fstat(&fd).map_err(|error| unreadable(root, error))?;
    Ok(format!("{:x}-{:x}", stat.st_dev, stat.st_ino))
}

/// Says what a file is from its first bytes, as `file --brief` would. `size` is the size of the whole file.
pub fn describe(head: &[u8], size: u64) -> String {
    describe::describe(head, size).text.into_owned()
}

/// Scans a directory.
pub fn scan(root: &Path, options: &Options, cache: &Cache, progress: &Progress) -> Result<Scanned, Error> {
    let fd = open_root(root)?;
    let path =
        std::fs::canonicalize(root).map_err(|source| Error::Unreadable { path: root.to_owned(), source })?;
    if let Some(kind) = pseudo::kind_of(fd.as_fd()) {
        return Err(Error::Pseudo { path, kind });
    }
    if options.own_state.as_ref().is_some_and(|own_state| is_inside(&path, own_state)) {
        return Err(Error::OwnState { path });
    }
    let root_stat = fstat(&fd).map_err(|error| unreadable(root, error))?;
    let own_state = options.own_state.as_ref().and_then(|own_state| stat(own_state).ok());
    let rules = Rules::new(options)?;
    let outer = if options.ignore_files { outer::find(&path) } else { outer::Outer::default() };
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |now| now.as_nanos() as i64);

    let first =
        DirTask { parent: None, parent_id: 0, way: Way::to_target(&outer.prefix), ignored: outer.ignored };
    let walk = Walk {
        root: Root::new(fd, options),
        root_stat,
        rules,
        options,
        cache,
        progress,
        own_state: own_state.map(|stat| (stat.st_dev, stat.st_ino)),
        prefix: outer.prefix,
        racy_after: now - cache::RACY_NANOS,
        next_dir: AtomicU32::new(0),
        is_broken: AtomicBool::new(false),
        queue: Queue::new(Task::Dir(first)),
    };
    let mut parts = run_threads(&walk);
    if parts.len() < options.threads.get() || walk.is_broken.load(Ordering::Relaxed) {
        return Err(Error::Internal { path });
    }
    let files_read = parts.iter().map(|part| part.files_read).sum();
    let writers: Vec<cache::Writer> = parts.iter_mut().map(|part| std::mem::take(&mut part.cache)).collect();
    let remembered: u64 = writers.iter().map(cache::Writer::files).sum();
    // Every file that was read came new or changed; without one, and with none gone, the old cache holds.
    let is_same = files_read == 0 && remembered == cache.files();
    drop(walk);
    let scan = assemble::assemble(path.clone(), parts).ok_or(Error::TooMany { path })?;
    Ok(Scanned { scan, cache: (!is_same).then(|| cache::encode(writers, cache)), files_read })
}

/// Runs all threads of a walk to their end; fewer parts than threads come back when one died.
fn run_threads(walk: &Walk<'_>) -> Vec<Found> {
    std::thread::scope(|scope| {
        let others: Vec<_> =
            (1..walk.options.threads.get()).map(|_| scope.spawn(|| Worker::new(walk).run())).collect();
        let own = Worker::new(walk).run();
        std::iter::once(own).chain(others.into_iter().filter_map(|thread| thread.join().ok())).collect()
    })
}

fn open_root(root: &Path) -> Result<OwnedFd, Error> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NONBLOCK;
    open(root, flags, Mode::empty()).map_err(|error| match error {
        Errno::NOENT => Error::Missing { path: root.to_owned() },
        Errno::NOTDIR => Error::NotADirectory { path: root.to_owned() },
        error => unreadable(root, error),
    })
}

fn unreadable(root: &Path, error: Errno) -> Error {
    Error::Unreadable { path: root.to_owned(), source: error.into() }
}

fn is_inside(path: &Path, dir: &Path) -> bool {
    std::fs::canonicalize(dir).is_ok_and(|dir| path.starts_with(dir))
}
