//! A target that somebody watches: file events, gathered until it is quiet, as directories that have changed.
//!
//! Only directories that the scan looks at are listened to, so what is ignored does not wake anybody. After each burst of
//! events the target is scanned with what is remembered, and only if its content differs is there something to tell:
//! saving a file without a change is none. Where the system has no room for so many listeners, the target is scanned
//! every few seconds instead.
//!
//! Not here: what is done about a change (whoever watches asks for a run).

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use luminos_core::{ContentHash, RelPath};
use luminos_scan::{Options, Progress};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::mpsc;
use tokio::time::{Instant, timeout, timeout_at};

use crate::base_scan::{Memory, ScanRequest, base_scan};

/// After so long without an event a burst is over.
const QUIET: Duration = Duration::from_millis(400);
/// A burst that does not end is over after this.
const LONGEST: Duration = Duration::from_secs(5);
/// How often a target is scanned that cannot be listened to.
const POLL: Duration = Duration::from_secs(3);
/// Events that may wait; of more, only that there were some matters.
const ROOM: usize = 4_096;
/// No more directories than this are named.
const MOST_NAMED: usize = 100;

/// A watched target.
pub(crate) struct Watch {
    target: PathBuf,
    options: Options,
    home: PathBuf,
    watcher: Option<RecommendedWatcher>,
    events: mpsc::Receiver<PathBuf>,
    watched: BTreeSet<PathBuf>,
    last: ContentHash,
    /// Why it cannot be listened to, if it cannot.
    pub(crate) lacks: Option<String>,
}

/// What a look at the target showed.
struct Look {
    hash: ContentHash,
    dirs: BTreeSet<PathBuf>,
}

impl Watch {
    /// Begins to watch.
    pub(crate) async fn start(target: PathBuf, options: Options, home: PathBuf) -> Result<Self, String> {
        let (sender, events) = mpsc::channel(ROOM);
        let heard = move |event: notify::Result<Event>| {
            let Ok(event) = event else { return };
            // Reading is no change; whoever reads most is the investigation itself.
            if matches!(event.kind, EventKind::Access(_)) {
                return;
            }
            for path in event.paths {
                // A full channel holds events that wake just as well.
                let _ = sender.try_send(path);
            }
        };
        let (watcher, lacks) = match notify::recommended_watcher(heard) {
            Ok(watcher) => (Some(watcher), None),
            Err(error) => (None, Some(error.to_string())),
        };
        let last = ContentHash([0; 32]);
        let mut watch =
            Self { target, options, home, watcher, events, watched: BTreeSet::new(), last, lacks };
        let look = watch.look().await?;
        watch.last = look.hash;
        watch.listen(look.dirs);
        // What changed between the scan and the first listener was not heard of.
        let look = watch.look().await?;
        watch.last = look.hash;
        watch.listen(look.dirs);
        Ok(watch)
    }

    /// Waits until the target is different; tells which directories it happened in, where that is known.
    pub(crate) async fn next(&mut self) -> Result<Vec<RelPath>, String> {
        let mut changed = BTreeSet::new();
        loop {
            self.gather(&mut changed).await;
            let look = self.look().await?;
            let is_other = look.hash != self.last;
            self.last = look.hash;
            self.listen(look.dirs);
            if is_other {
                return Ok(changed.into_iter().take(MOST_NAMED).collect());
            }
        }
    }

    /// Waits for a burst of events and its end.
    async fn gather(&mut self, changed: &mut BTreeSet<RelPath>) {
        if self.watcher.is_none() {
            tokio::time::sleep(POLL).await;
            return;
        }
        let Some(first) = self.events.recv().await else { return tokio::time::sleep(POLL).await };
        changed.extend(self.place_of(&first));
        let end = Instant::now() + LONGEST;
        while let Ok(Ok(Some(path))) = timeout_at(end, timeout(QUIET, self.events.recv())).await {
            changed.extend(self.place_of(&path));
        }
    }

    /// The directory in which a path lies, within the target.
    fn place_of(&self, path: &Path) -> Option<RelPath> {
        let dir = if self.watched.contains(path) { path } else { path.parent()? };
        let inside = dir.strip_prefix(&self.target).ok()?;
        Some(RelPath::new(inside.as_os_str().as_bytes()))
    }

    async fn look(&self) -> Result<Look, String> {
        let (target, options, home) = (self.target.clone(), self.options.clone(), self.home.clone());
        let looked = tokio::task::spawn_blocking(move || {
            let request = ScanRequest { target: &target, options, home: &home, memory: Memory::Used };
            let (scanned, _) = base_scan(request, &Progress::default());
            let scan = scanned.map_err(|error| error.to_string())?.scan;
            let paths =
                scan.dir_ids().map(|dir| target.join(OsStr::from_bytes(scan.dir_path(dir).as_bytes())));
            Ok(Look { hash: scan.content_hash(), dirs: paths.collect() })
        });
        looked.await.unwrap_or_else(|error| Err(error.to_string()))
    }

    /// Listens to these directories, and to no others.
    fn listen(&mut self, dirs: BTreeSet<PathBuf>) {
        let Some(watcher) = &mut self.watcher else { return };
        for gone in self.watched.difference(&dirs) {
            // One that is gone has taken its listener with it.
            let _ = watcher.unwatch(gone);
        }
        for new in dirs.difference(&self.watched) {
            match watcher.watch(new, RecursiveMode::NonRecursive) {
                Ok(()) => {}
                // It may have gone since it was scanned, which the next scan shows.
                Err(error) if matches!(error.kind, notify::ErrorKind::PathNotFound) => {}
                Err(error) => {
                    tracing::warn!(%error, "a directory cannot be listened to");
                    self.lacks = Some(error.to_string());
                    self.watcher = None;
                    break;
                }
            }
        }
        self.watched = dirs;
    }
}
