//! What is handed over at one time, made to last together.
//!
//! The order of steps is the promise: (1) lines are added and documents written under other names; (2) all of that
//! is made to last; (3) documents get their names; (4) the directories are made to last; (5) everybody is told.
//! Dying between any two leaves whole lines and whole documents, old or new.

use std::collections::{BTreeSet, HashMap};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use nix::sys::signal::{SigSet, Signal};

use super::journals::{Addition, Journal, Journals};
use super::receipt::Promise;
use super::reserve::Reserve;
use super::syncing::{FEW, Syncing};
use super::{Command, FoundAtStart, Order, Settings, Urgency, sweep};
use crate::atomic::Temporary;
use crate::error::shown;
use crate::index::Index;
use crate::layout::Layout;
use crate::lock::{DaemonLock, Fence, latest_epoch, latest_fence};
use crate::{Error, InvestigationId};

/// A document to write. Of several for one path only the last is kept.
#[derive(Debug)]
struct Document {
    path: PathBuf,
    bytes: Vec<u8>,
    urgency: Urgency,
    fence: Option<Fence>,
    /// How many orders came before.
    after: usize,
    promises: Vec<Promise>,
}

/// Lines for one journal.
#[derive(Debug)]
struct Lines {
    journal: Journal,
    additions: Vec<Addition>,
    /// How many orders came before the first of them.
    after: usize,
    promises: Vec<Promise>,
}

/// Orders that are carried out together.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    lines: Vec<Lines>,
    lines_of: HashMap<PathBuf, usize>,
    documents: Vec<Document>,
    document_at: HashMap<PathBuf, usize>,
    currents: Vec<(crate::Target, InvestigationId, Promise)>,
    orders: usize,
    bytes: usize,
}

impl Batch {
    pub(crate) fn len(&self) -> usize {
        self.orders
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn push(&mut self, Order { command, promise }: Order) {
        let after = self.orders;
        self.orders += 1;
        match command {
            Command::Append { journal, addition } => {
                self.bytes += addition.body.len();
                let at = *self.lines_of.entry(journal.path.clone()).or_insert_with(|| {
                    self.lines.push(Lines { journal, additions: Vec::new(), after, promises: Vec::new() });
                    self.lines.len() - 1
                });
                if let Some(lines) = self.lines.get_mut(at) {
                    lines.additions.push(addition);
                    lines.promises.push(promise);
                }
            }
            Command::Put { path, bytes, urgency, fence } => {
                self.bytes += bytes.len();
                self.put(Document { path, bytes, urgency, fence, after, promises: vec![promise] });
            }
            Command::SetCurrent { target, id } => self.currents.push((target, id, promise)),
            Command::Remove { .. } | Command::Quarantine { .. } | Command::Close => {}
        }
    }

    fn put(&mut self, mut document: Document) {
        match self.document_at.get(&document.path).and_then(|&at| self.documents.get_mut(at)) {
            // A plan must not be displaced by one that will be refused.
            Some(earlier) if earlier.fence <= document.fence => {
                let mut promises = std::mem::take(&mut earlier.promises);
                promises.append(&mut document.promises);
                if earlier.urgency == Urgency::LastWords {
                    document.urgency = Urgency::LastWords;
                }
                *earlier = Document { promises, ..document };
            }
            Some(_) | None => {
                self.document_at.insert(document.path.clone(), self.documents.len());
                self.documents.push(document);
            }
        }
    }
}

/// Something that was prepared, and waits for the disk.
struct Prepared {
    temporary: Temporary,
    file: Option<File>,
}

/// Carries orders out.
pub(crate) struct Scribe {
    layout: Layout,
    lock: DaemonLock,
    home: File,
    syncing: Box<dyn Syncing>,
    journals: Journals,
    index: Index,
    reserve: Reserve,
    /// Why nothing is written any more.
    read_only: Option<String>,
}

impl Scribe {
    pub(crate) fn new(
        layout: Layout,
        lock: DaemonLock,
        settings: Settings,
        syncing: Box<dyn Syncing>,
    ) -> Result<(Self, FoundAtStart), Error> {
        let home = File::open(layout.home()).map_err(|error| Error::home(layout.home(), error))?;
        let swept = sweep::sweep(&layout);
        let (index, problems) = Index::load(&layout);
        let reserve = Reserve::new(layout.reserve());
        let has_reserve = reserve.is_there();
        let journals = Journals::new(settings.longest_log);
        let scribe = Self { layout, lock, home, syncing, journals, index, reserve, read_only: None };
        for problem in problems.iter().filter(|problem| problem.is_worthless()) {
            scribe.quarantine(&problem.path)?;
        }
        Ok((scribe, FoundAtStart { swept, problems, has_reserve }))
    }

    /// A file that grows beyond the allowed size would end the process. With the signal blocked it is an error like
    /// a full disk.
    pub(crate) fn ignore_file_size_signal(&self) {
        let mut signals = SigSet::empty();
        signals.add(Signal::SIGXFSZ);
        let _ = signals.thread_block();
    }

    /// Carries out a batch and tells everybody.
    pub(crate) fn commit(&mut self, mut batch: Batch) {
        if batch.orders == 0 {
            return;
        }
        if self.may_write().is_ok() {
            self.note_currents(&mut batch);
        }
        let Batch { mut lines, mut documents, currents, .. } = batch;
        let mut promises: Vec<Promise> = currents.into_iter().map(|(_, _, promise)| promise).collect();
        let written = self.write(&mut lines, &mut documents);
        promises.extend(lines.into_iter().flat_map(|lines| lines.promises));
        promises.extend(documents.into_iter().flat_map(|document| document.promises));
        for promise in promises {
            promise.keep(written.clone());
        }
        self.reserve.renew();
    }

    /// Turns changes of the index into the document that it is.
    fn note_currents(&mut self, batch: &mut Batch) {
        let currents = std::mem::take(&mut batch.currents);
        if currents.is_empty() {
            return;
        }
        let mut promises = Vec::new();
        for (target, id, promise) in currents {
            self.index.set(target, id);
            promises.push(promise);
        }
        let path = self.layout.index();
        match self.index.seal() {
            Ok(bytes) => {
                let (urgency, fence, after) = (Urgency::Usual, None, batch.orders);
                batch.put(Document { path, bytes, urgency, fence, after, promises });
            }
            Err(reason) => tell(promises, &Error::Malformed { path, reason }),
        }
    }

    /// The steps. Those that fail alone are told at once and leave the batch; an error here means that nothing is
    /// written any more.
    fn write(&mut self, lines: &mut Vec<Lines>, documents: &mut Vec<Document>) -> Result<(), Error> {
        self.may_write()?;
        let mut touched = BTreeSet::new();
        let first_failure = self.add_lines(lines, &mut touched);
        let mut prepared = self.prepare(documents, first_failure, &mut touched);
        if let Err(error) = self.make_last(lines, &prepared) {
            prepared.into_iter().for_each(|prepared| prepared.temporary.discard());
            return Err(self.stop(&error));
        }
        let mut waiting = std::mem::take(documents).into_iter();
        for Prepared { temporary, .. } in prepared.drain(..) {
            let Some(document) = waiting.next() else { break };
            match temporary.publish(&document.path) {
                Ok(()) => documents.push(document),
                Err(error) => tell(document.promises, &Error::writing(&document.path, error)),
            }
        }
        for dir in touched {
            if let Err(error) = self.syncing.dir(&dir) {
                return Err(self.stop(&error));
            }
        }
        Ok(())
    }

    /// Adds all lines; tells which order was the first that failed.
    fn add_lines(&mut self, lines: &mut Vec<Lines>, touched: &mut BTreeSet<PathBuf>) -> usize {
        let mut first_failure = usize::MAX;
        lines.retain_mut(|lines| {
            let path = &lines.journal.path;
            let added = self.make_parents(path, touched).map_err(|error| Error::writing(path, error));
            let added = added.and_then(|()| self.journals.add(&lines.journal, &lines.additions));
            match added {
                Ok(added) => {
                    touched.extend(path.parent().filter(|_| added.is_new).map(Path::to_owned));
                    true
                }
                Err(error) => {
                    first_failure = first_failure.min(lines.after);
                    tell(std::mem::take(&mut lines.promises), &error);
                    false
                }
            }
        });
        first_failure
    }

    /// Writes all documents under other names. Afterwards there is one prepared file for each that is left.
    fn prepare(
        &mut self,
        documents: &mut Vec<Document>,
        first_failure: usize,
        touched: &mut BTreeSet<PathBuf>,
    ) -> Vec<Prepared> {
        let keep_open = documents.len() <= FEW;
        let mut prepared = Vec::with_capacity(documents.len());
        documents.retain_mut(|document| {
            let written = self.prepare_one(document, first_failure, touched);
            match written {
                Ok((temporary, file)) => {
                    prepared.push(Prepared { temporary, file: keep_open.then_some(file) });
                    touched.extend(document.path.parent().map(Path::to_owned));
                    true
                }
                Err(error) => {
                    tell(std::mem::take(&mut document.promises), &error);
                    false
                }
            }
        });
        prepared
    }

    fn prepare_one(
        &mut self,
        document: &Document,
        first_failure: usize,
        touched: &mut BTreeSet<PathBuf>,
    ) -> Result<(Temporary, File), Error> {
        let path = &document.path;
        let is_urgent = document.urgency == Urgency::LastWords;
        if first_failure < document.after && !is_urgent {
            return Err(Error::Skipped { path: path.clone() });
        }
        if let Some(Fence(carried)) = document.fence
            && let Fence(current) = latest_fence(&self.layout)
            && carried < current
        {
            return Err(Error::StalePlan { carried, current });
        }
        let mut write = || {
            self.make_parents(path, touched)?;
            Temporary::write(path, &document.bytes)
        };
        let written = write().map_err(|error| Error::writing(path, error));
        match written {
            Err(error) if error.is_space() && is_urgent && self.reserve.free() => self
                .make_parents(path, touched)
                .and_then(|()| Temporary::write(path, &document.bytes))
                .map_err(|error| Error::writing(path, error)),
            written => written,
        }
    }

    /// Makes the directory that a file is to lie in, where it is missing. The state directory itself is not made: if
    /// somebody has removed it, that should be heard.
    fn make_parents(&self, path: &Path, touched: &mut BTreeSet<PathBuf>) -> io::Result<()> {
        let Some(dir) = path.parent() else { return Ok(()) };
        if dir == self.layout.home() || touched.contains(dir) || dir.is_dir() {
            return Ok(());
        }
        if dir.starts_with(self.layout.home()) {
            self.make_parents(dir, touched)?;
        }
        match rustix::fs::mkdir(dir, rustix::fs::Mode::RWXU) {
            Ok(()) | Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Err(error.into()),
        }
        touched.extend([Some(dir), dir.parent()].into_iter().flatten().map(Path::to_owned));
        Ok(())
    }

    /// Makes lines and prepared documents last.
    fn make_last(&mut self, lines: &[Lines], prepared: &[Prepared]) -> io::Result<()> {
        let journals: Vec<&File> =
            lines.iter().filter_map(|lines| self.journals.file(&lines.journal.path)).collect();
        let files: Vec<&File> = prepared.iter().filter_map(|prepared| prepared.file.as_ref()).collect();
        let some_are_closed = files.len() < prepared.len() || journals.len() < lines.len();
        if some_are_closed || FEW < prepared.len() + lines.len() {
            return self.syncing.all(&self.home);
        }
        files.into_iter().chain(journals).try_for_each(|file| self.syncing.file(file))
    }

    /// Takes no more writes. Asking the disk a second time would not help: the system has forgotten by then what
    /// it could not write.
    fn stop(&mut self, error: &io::Error) -> Error {
        let home = shown(self.layout.home());
        let reason = format!("the disk under `{home}` could not keep what it was given: {error}");
        self.read_only = Some(reason.clone());
        Error::ReadOnly { reason }
    }

    /// Whether this writer may still write.
    fn may_write(&self) -> Result<(), Error> {
        if let Some(reason) = &self.read_only {
            return Err(Error::ReadOnly { reason: reason.clone() });
        }
        let (ours, current) = (self.lock.epoch(), latest_epoch(&self.layout));
        if ours < current { Err(Error::Superseded { ours, current }) } else { Ok(()) }
    }

    /// Removes an investigation. It vanishes at once; its bytes follow.
    pub(crate) fn remove(&mut self, id: InvestigationId) -> Result<(), Error> {
        self.may_write()?;
        let (path, trash) = (self.layout.investigation(id), self.layout.trash(id));
        let failed = |error| Error::writing(&path, error);
        self.journals.forget(&path);
        if self.index.forget(id) {
            let index = self.layout.index();
            let bytes = self.index.seal();
            let bytes = bytes.map_err(|reason| Error::Malformed { path: index.clone(), reason })?;
            let (temporary, file) = Temporary::write(&index, &bytes).map_err(failed)?;
            if let Err(error) = self.syncing.file(&file) {
                temporary.discard();
                return Err(self.stop(&error));
            }
            temporary.publish(&index).map_err(failed)?;
        }
        match rustix::fs::rename(&path, &trash) {
            Ok(()) => {}
            Err(rustix::io::Errno::NOENT) => return Ok(()),
            Err(error) => return Err(failed(error.into())),
        }
        if let Err(error) = self.syncing.dir(self.layout.home()) {
            return Err(self.stop(&error));
        }
        std::fs::remove_dir_all(&trash).map_err(failed)
    }

    /// Moves a file to `bad/` beside it (or in its investigation), under a name that is free.
    pub(crate) fn quarantine(&self, path: &Path) -> Result<(), Error> {
        self.may_write()?;
        let home = self.layout.home();
        let failed = |error: rustix::io::Errno| Error::writing(path, error);
        let Ok(inside) = path.strip_prefix(home) else { return Err(failed(rustix::io::Errno::XDEV)) };
        let mut parts = inside.components();
        let first = parts.next().map(|part| home.join(part)).unwrap_or_default();
        let house = if parts.next().is_some() { first } else { home.to_owned() };
        let bad = house.join("bad");
        match rustix::fs::mkdir(&bad, rustix::fs::Mode::RWXU) {
            Ok(()) | Err(rustix::io::Errno::EXIST) => {}
            Err(error) => return Err(failed(error)),
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for number in 0_u32.. {
            let place = bad.join(if number == 0 { name.clone() } else { format!("{name}.{number}") });
            let flags = rustix::fs::RenameFlags::NOREPLACE;
            match rustix::fs::renameat_with(rustix::fs::CWD, path, rustix::fs::CWD, &place, flags) {
                Ok(()) | Err(rustix::io::Errno::NOENT) => return Ok(()),
                Err(rustix::io::Errno::EXIST) => {}
                Err(error) => return Err(failed(error)),
            }
        }
        Ok(())
    }
}

/// Gives everybody the same bad news.
fn tell(promises: Vec<Promise>, error: &Error) {
    for promise in promises {
        promise.keep(Err(error.clone()));
    }
}
