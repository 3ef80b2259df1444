//! The search itself: one thread walks, several look into files, and what they find is put in order.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::os::fd::AsFd as _;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use grep_matcher::Matcher as _;
use grep_regex::RegexMatcher;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder, Sink, SinkContext, SinkFinish, SinkMatch};
use ignore::overrides::Override;
use luminos_core::RelPath;

use super::found::{FileHits, Line};
use super::pattern::Pattern;
use super::walk::{Batch, Walk};
use crate::root::{Directory, Root};
use crate::session::Secrets;

/// How many batches may wait between the walk and the threads.
const WAITING: usize = 256;
/// How long a line may be to be searched at all.
const LONGEST_LINE: usize = 16 << 20;

/// A search.
pub(super) struct Hunt<'a> {
    pub(super) root: &'a Root,
    pub(super) pattern: Pattern,
    pub(super) glob: Option<Override>,
    pub(super) all: bool,
    pub(super) secrets: Secrets,
    pub(super) context: usize,
    /// How many matches are enough.
    pub(super) enough: usize,
    pub(super) line_bytes: usize,
    pub(super) threads: usize,
    pub(super) most_files: usize,
    pub(super) deadline: Instant,
}

/// What a search has seen.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) files: usize,
    pub(super) binary: usize,
    pub(super) unread: usize,
    /// Files that keep secrets, by their names.
    pub(super) withheld: usize,
    pub(super) is_late: bool,
    pub(super) is_full: bool,
    pub(super) is_enough: bool,
}

impl Tally {
    fn add(&mut self, other: &Self) {
        self.files += other.files;
        self.binary += other.binary;
        self.unread += other.unread;
        self.withheld += other.withheld;
        self.is_late |= other.is_late;
        self.is_full |= other.is_full;
        self.is_enough |= other.is_enough;
    }

    /// What a model must know to judge the result.
    pub(super) fn words(&self) -> String {
        let mut words = String::new();
        if !self.is_enough {
            let looked_at = super::counted(self.files, "file");
            words.push_str(&format!(" Searched: {looked_at}"));
            if 0 < self.binary {
                words.push_str(&format!(", {} of them binary and left out", self.binary));
            }
            if 0 < self.unread {
                words.push_str(&format!("; not readable: {}", self.unread));
            }
            words.push('.');
        }
        if 0 < self.withheld {
            let withheld = super::counted(self.withheld, "file");
            words.push_str(&format!(
                " Not searched, because their names say that they keep secrets: {withheld}."
            ));
        }
        if self.is_late {
            words.push_str(" The time was up before all were searched: narrow the path or the pattern.");
        }
        if self.is_full {
            words.push_str(" There are more files than are searched at once: narrow the path.");
        }
        words
    }
}

/// What the threads share.
struct Shared {
    found: AtomicUsize,
    searched: AtomicUsize,
    is_over: AtomicBool,
    hits: Mutex<BTreeMap<usize, Vec<FileHits>>>,
    tally: Mutex<Tally>,
}

impl Hunt<'_> {
    /// Searches everything below a directory.
    pub(super) fn below(&self, directory: Directory) -> (Vec<FileHits>, Tally) {
        let shared = Shared {
            found: AtomicUsize::new(0),
            searched: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
            hits: Mutex::default(),
            tally: Mutex::default(),
        };
        let (sender, receiver) = sync_channel::<(usize, Batch)>(WAITING);
        let receiver = Mutex::new(receiver);
        std::thread::scope(|scope| {
            let start = || std::thread::Builder::new().spawn_scoped(scope, || self.work(&receiver, &shared));
            let helpers = (0..self.threads).filter(|_| start().is_ok()).count();
            // Where no thread may be started the walk does the work itself.
            let mut alone = (helpers == 0).then(|| Worker::new(self));
            let walk = Walk {
                root: self.root,
                glob: self.glob.as_ref(),
                all: self.all,
                secrets: self.secrets,
                deadline: self.deadline,
            };
            let mut number = 0;
            let met = walk.each(directory, |batch| {
                number += 1;
                if shared.is_over.load(Ordering::Relaxed) {
                    return ControlFlow::Break(());
                }
                if let Some(worker) = &mut alone {
                    worker.take(number, &batch, &shared);
                    return ControlFlow::Continue(());
                }
                match sender.send((number, batch)) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            });
            drop(sender);
            let mut tally = locked(&shared.tally);
            tally.unread += met.closed;
            tally.withheld += met.withheld;
            tally.is_late |= met.is_late;
            alone.iter().for_each(|worker| tally.add(&worker.tally));
        });
        let hits = std::mem::take(&mut *locked(&shared.hits));
        let tally = locked(&shared.tally).clone();
        (hits.into_values().flatten().collect(), tally)
    }

    /// Searches a single file, whatever the rules say about it.
    pub(super) fn in_file(&self, path: &RelPath) -> Result<(Vec<FileHits>, Tally), String> {
        let opened = self.root.file(path).map_err(|refused| refused.to_string())?;
        let mut tally = Tally::default();
        let lines = self.look_into(&mut Lens::new(self), &opened.file, &mut tally);
        let hits = lines.map(|lines| FileHits { path: opened.name, stamp: opened.stamp, lines });
        Ok((hits.into_iter().collect(), tally))
    }

    /// Takes batch after batch, in order. All that were taken are finished, so those before the last one are complete:
    /// that is what makes the result the same each time.
    fn work(&self, receiver: &Mutex<Receiver<(usize, Batch)>>, shared: &Shared) {
        let mut worker = Worker::new(self);
        while !shared.is_over.load(Ordering::Relaxed) {
            let Ok((number, batch)) = locked(receiver).recv() else { break };
            worker.take(number, &batch, shared);
        }
        // Whoever still hands out work must not wait for somebody to take it.
        if shared.is_over.load(Ordering::Relaxed) {
            while locked(receiver).try_recv().is_ok() {}
        }
        locked(&shared.tally).add(&worker.tally);
    }

    fn search(&self, lens: &mut Lens, batch: &Batch, tally: &mut Tally) -> Vec<FileHits> {
        let mut hits = Vec::new();
        let Ok(directory) = self.root.directory(&batch.directory) else {
            tally.unread += batch.names.len();
            return hits;
        };
        for name in &batch.names {
            match self.root.file_in(directory.fd.as_fd(), name) {
                Ok((file, stamp)) => {
                    if let Some(lines) = self.look_into(lens, &file, tally) {
                        hits.push(FileHits { path: directory.child(name), stamp, lines });
                    }
                }
                Err(_) => tally.unread += 1,
            }
            if tally.is_late {
                break;
            }
        }
        hits
    }

    /// The lines that match, if there are any.
    fn look_into(&self, lens: &mut Lens, file: &File, tally: &mut Tally) -> Option<Vec<Line>> {
        tally.files += 1;
        let Lens { searcher, matcher } = lens;
        let mut taken = Taken { hunt: self, lines: Vec::new(), matches: 0, is_binary: false };
        let reader = InTime { file, deadline: self.deadline, is_late: false };
        let mut reader = reader;
        if searcher.search_reader(&*matcher, &mut reader, &mut taken).is_err() {
            if reader.is_late {
                tally.is_late = true;
            } else {
                tally.unread += 1;
            }
        }
        tally.binary += usize::from(taken.is_binary);
        (!taken.lines.is_empty() && !taken.is_binary).then_some(taken.lines)
    }
}

/// What a thread looks through: all of it its own. A matcher that is shared has a lock, which is taken for every line that
/// may match.
struct Lens {
    searcher: Searcher,
    matcher: RegexMatcher,
}

impl Lens {
    fn new(hunt: &Hunt<'_>) -> Self {
        let searcher = SearcherBuilder::new()
            .line_number(true)
            .before_context(hunt.context)
            .after_context(hunt.context)
            .binary_detection(BinaryDetection::quit(0))
            .bom_sniffing(false)
            .heap_limit(Some(LONGEST_LINE))
            .build();
        Self { searcher, matcher: hunt.pattern.matcher.clone() }
    }
}

/// One of those who look into files.
struct Worker<'a> {
    hunt: &'a Hunt<'a>,
    lens: Lens,
    tally: Tally,
}

impl<'a> Worker<'a> {
    fn new(hunt: &'a Hunt<'a>) -> Self {
        Self { hunt, lens: Lens::new(hunt), tally: Tally::default() }
    }

    /// Looks into the files of a batch, and says when that was enough.
    fn take(&mut self, number: usize, batch: &Batch, shared: &Shared) {
        let hits = self.hunt.search(&mut self.lens, batch, &mut self.tally);
        let matches: usize = hits.iter().map(FileHits::matches).sum();
        if !hits.is_empty() {
            locked(&shared.hits).insert(number, hits);
        }
        let files = batch.names.len();
        let searched = shared.searched.fetch_add(files, Ordering::Relaxed) + files;
        let found = shared.found.fetch_add(matches, Ordering::Relaxed) + matches;
        let tally = &mut self.tally;
        tally.is_enough |= self.hunt.enough <= found;
        tally.is_full |= self.hunt.most_files <= searched;
        if tally.is_enough || tally.is_full || tally.is_late {
            shared.is_over.store(true, Ordering::Relaxed);
        }
    }
}

/// A file that can be read only as long as there is time.
struct InTime<'a> {
    file: &'a File,
    deadline: Instant,
    is_late: bool,
}

impl Read for InTime<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.deadline < Instant::now() {
            self.is_late = true;
            return Err(io::ErrorKind::TimedOut.into());
        }
        let mut file = self.file;
        file.read(buffer)
    }
}

/// What is taken from a file.
struct Taken<'a> {
    hunt: &'a Hunt<'a>,
    lines: Vec<Line>,
    matches: usize,
    is_binary: bool,
}

impl Sink for Taken<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        let number = found.line_number().unwrap_or(0);
        let at = self.hunt.pattern.matcher.find(found.bytes()).ok().flatten().map_or(0, |at| at.start());
        let place = found.absolute_byte_offset();
        self.lines.push(Line::new(number, place, found.bytes(), Some(at), self.hunt.line_bytes));
        self.matches += 1;
        Ok(self.matches < self.hunt.enough && Instant::now() < self.hunt.deadline)
    }

    fn context(&mut self, _: &Searcher, context: &SinkContext<'_>) -> io::Result<bool> {
        let number = context.line_number().unwrap_or(0);
        let place = context.absolute_byte_offset();
        self.lines.push(Line::new(number, place, context.bytes(), None, self.hunt.line_bytes));
        Ok(true)
    }

    fn binary_data(&mut self, _: &Searcher, _: u64) -> io::Result<bool> {
        self.is_binary = true;
        Ok(false)
    }

    fn finish(&mut self, _: &Searcher, finish: &SinkFinish) -> io::Result<()> {
        self.is_binary |= finish.binary_byte_offset().is_some();
        Ok(())
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
