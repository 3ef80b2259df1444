//! Carries orders out, those of a batch together.
//!
//! The order of steps is the promise: (1) lines are added and documents written under other names; (2) all of that
//! is made to last; (3) documents get their names; (4) the directories are made to last; (5) everybody is told.
//! Dying between any two leaves whole lines and whole documents, old or new.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use super::batch::{Batch, Document, Held, Lines, tell};
use super::journals::Journals;
use super::reserve::Reserve;
use super::standing::{Board, Standing};
use super::syncing::{FEW, Syncing};
use super::{FoundAtStart, Settings, Urgency, WhenFull, sweep};
use crate::Error;
use crate::atomic::Temporary;
use crate::error::shown;
use crate::index::Index;
use crate::layout::Layout;
use crate::lock::{DaemonLock, Fence, latest_epoch, latest_fence};

/// So many documents that were replaced may wait to be removed.
const MOST_REPLACED: usize = 4096;

/// For an investigation's directory, how many orders came before the first line that could not be added, and whether
/// that one is held. What was ordered later in that investigation may rest on it.
type Failures = HashMap<PathBuf, (usize, bool)>;

/// What became of a batch.
pub(crate) enum Commit {
    /// Everybody was told what became of theirs.
    Done,
    /// Some of it cannot be written now, and waits.
    Held(Held),
}

/// What of a batch cannot be written now, and why.
#[derive(Default)]
struct Holding {
    lines: Vec<Lines>,
    documents: Vec<Document>,
    why: Option<Error>,
}

/// Something that was prepared, and waits for the disk.
struct Prepared {
    temporary: Temporary,
    file: Option<File>,
}

/// Carries orders out.
pub(crate) struct Scribe {
    pub(super) layout: Layout,
    lock: DaemonLock,
    home: File,
    pub(super) syncing: Box<dyn Syncing>,
    pub(super) journals: Journals,
    pub(super) index: Index,
    reserve: Reserve,
    /// Whether it was given up, and what is left of it is to be taken back.
    reserve_is_used: bool,
    when_full: WhenFull,
    pub(super) board: Board,
    /// What documents were before, to be removed when there is time.
    replaced: VecDeque<Temporary>,
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
        let (replaced, read_only, when_full) = (VecDeque::new(), None, settings.when_full);
        let board = Board::default();
        let mut scribe = Self {
            layout,
            lock,
            home,
            syncing,
            journals,
            index,
            reserve,
            reserve_is_used: false,
            when_full,
            board,
            replaced,
            read_only,
        };
        for problem in problems.iter().filter(|problem| problem.is_worthless()) {
            scribe.quarantine(&problem.path)?;
        }
        Ok((scribe, FoundAtStart { swept, problems, has_reserve }))
    }

    /// Carries out a batch and tells everybody whose part is done.
    pub(crate) fn commit(&mut self, mut batch: Batch) -> Commit {
        if batch.len() == 0 {
            return Commit::Done;
        }
        if self.may_write().is_ok() {
            self.note_currents(&mut batch);
        }
        let Batch { mut lines, mut documents, current_promises: mut promises, .. } = batch;
        let mut holding = Holding::default();
        let written = self.write(&mut lines, &mut documents, &mut holding);
        if let Err(error) = &written {
            self.board.put(Standing::Broken(error.clone()));
        }
        // Before anybody is answered: what comes next may not find space that is the reserve's.
        if std::mem::take(&mut self.reserve_is_used) {
            self.reserve.take_back();
        }
        promises.extend(lines.into_iter().flat_map(|lines| lines.promises));
        promises.extend(documents.into_iter().flat_map(|document| document.promises));
        promises.sort_unstable_by_key(|(after, _)| *after);
        for (_, promise) in promises {
            promise.keep(written.clone());
        }
        self.reserve.renew();
        while MOST_REPLACED < self.replaced.len() {
            self.tidy_up();
        }
        let Holding { lines, documents, why } = holding;
        match (written, why) {
            (Err(error), _) => {
                Held { lines, documents, why: error }.refuse();
                Commit::Done
            }
            (Ok(()), Some(why)) => Commit::Held(Held { lines, documents, why }),
            (Ok(()), None) => Commit::Done,
        }
    }

    /// Puts the index as it is now into the place of one that waits.
    pub(super) fn renew_index(&self, held: &mut Held) {
        let path = self.layout.index();
        let waiting = held.documents.iter_mut().find(|document| document.path == path);
        if let (Some(document), Ok(bytes)) = (waiting, self.index.seal()) {
            document.bytes = bytes;
        }
    }

    /// Whether something that failed is tried again later.
    fn holds(&self, error: &Error) -> bool {
        self.when_full == WhenFull::Wait && error.may_pass()
    }

    /// Removes one of the documents that were replaced; tells whether there was one.
    pub(crate) fn tidy_up(&mut self) -> bool {
        let replaced = self.replaced.pop_front();
        let is_there = replaced.is_some();
        replaced.into_iter().for_each(Temporary::discard);
        is_there
    }

    /// Makes some space; tells whether there was any to be made.
    pub(super) fn make_space(&mut self, urgency: Urgency) -> bool {
        let mut made = false;
        while self.tidy_up() {
            made = true;
        }
        if !made && urgency == Urgency::LastWords && self.reserve.free() {
            (self.reserve_is_used, made) = (true, true);
        }
        made
    }

    /// Turns changes of the index into the document that it is.
    fn note_currents(&mut self, batch: &mut Batch) {
        if batch.currents.is_empty() {
            return;
        }
        for (target, id) in std::mem::take(&mut batch.currents) {
            self.index.set(target, id);
        }
        let promises = std::mem::take(&mut batch.current_promises);
        let path = self.layout.index();
        match self.index.seal() {
            Ok(bytes) => {
                let (urgency, fence, after) = (Urgency::Usual, None, batch.len());
                batch.put(Document { path, bytes, urgency, fence, after, promises });
            }
            Err(reason) => tell(promises, &Error::Malformed { path, reason }),
        }
    }

    /// The steps. Those that fail alone are told at once and leave the batch; an error here means that nothing is
    /// written any more.
    fn write(
        &mut self,
        lines: &mut Vec<Lines>,
        documents: &mut Vec<Document>,
        holding: &mut Holding,
    ) -> Result<(), Error> {
        self.may_write()?;
        let mut touched = BTreeSet::new();
        let failures = self.add_lines(lines, &mut touched, holding);
        let mut prepared = self.prepare(documents, &failures, &mut touched, holding);
        if let Err(error) = self.make_last(lines, &prepared) {
            prepared.into_iter().for_each(|prepared| prepared.temporary.discard());
            return Err(self.stop(&error));
        }
        let mut waiting = std::mem::take(documents).into_iter();
        for Prepared { temporary, .. } in prepared.drain(..) {
            let Some(document) = waiting.next() else { break };
            match temporary.exchange(&document.path) {
                Ok(replaced) => {
                    self.replaced.extend(replaced);
                    documents.push(document);
                }
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

    /// Adds all lines; tells which order was the first that failed, in each investigation.
    fn add_lines(
        &mut self,
        lines: &mut Vec<Lines>,
        touched: &mut BTreeSet<PathBuf>,
        holding: &mut Holding,
    ) -> Failures {
        let mut failures = Failures::new();
        for mut each in std::mem::take(lines) {
            let path = &each.journal.path;
            let added = loop {
                let added = self.make_parents(path, touched).map_err(|error| Error::writing(path, error));
                let added = added.and_then(|()| self.journals.add(&each.journal, &each.additions));
                if !(added.as_ref().is_err_and(Error::is_space) && self.make_space(Urgency::Usual)) {
                    break added;
                }
            };
            match added {
                Ok(added) => {
                    touched.extend(path.parent().filter(|_| added.is_new).map(Path::to_owned));
                    lines.push(each);
                }
                Err(error) => {
                    let is_held = self.holds(&error);
                    let first = failures.entry(self.house(path)).or_insert((each.after, is_held));
                    *first = (each.after.min(first.0), is_held && first.1);
                    if is_held {
                        holding.lines.push(each);
                        holding.why = Some(error);
                    } else {
                        tell(std::mem::take(&mut each.promises), &error);
                    }
                }
            }
        }
        self.board.add_mended(self.journals.take_mended());
        failures
    }

    /// Writes all documents under other names. Afterwards there is one prepared file for each that is left.
    fn prepare(
        &mut self,
        documents: &mut Vec<Document>,
        failures: &Failures,
        touched: &mut BTreeSet<PathBuf>,
        holding: &mut Holding,
    ) -> Vec<Prepared> {
        let keep_open = documents.len() <= FEW;
        let mut prepared = Vec::with_capacity(documents.len());
        for document in std::mem::take(documents) {
            let before =
                failures.get(&self.house(&document.path)).filter(|(first, _)| *first < document.after);
            if document.urgency == Urgency::Usual && before.is_some_and(|(_, is_held)| *is_held) {
                // It may rest on what waits, so it waits as well.
                holding.documents.push(document);
                continue;
            }
            match self.prepare_one(&document, before.is_some(), touched) {
                Ok((temporary, file)) => {
                    prepared.push(Prepared { temporary, file: keep_open.then_some(file) });
                    touched.extend(document.path.parent().map(Path::to_owned));
                    documents.push(document);
                }
                Err(error) if document.urgency == Urgency::Usual && self.holds(&error) => {
                    holding.documents.push(document);
                    holding.why = Some(error);
                }
                Err(error) => tell(document.promises, &error),
            }
        }
        prepared
    }

    fn prepare_one(
        &mut self,
        document: &Document,
        may_rest_on_it: bool,
        touched: &mut BTreeSet<PathBuf>,
    ) -> Result<(Temporary, File), Error> {
        let path = &document.path;
        if may_rest_on_it && document.urgency == Urgency::Usual {
            return Err(Error::Skipped { path: path.clone() });
        }
        if let Some(Fence(carried)) = document.fence
            && let Fence(current) = latest_fence(&self.layout)
            && carried < current
        {
            return Err(Error::StalePlan { carried, current });
        }
        loop {
            let written = self.make_parents(path, touched);
            let written = written.and_then(|()| Temporary::write(path, &document.bytes));
            let written = written.map_err(|error| Error::writing(path, error));
            if !(written.as_ref().is_err_and(Error::is_space) && self.make_space(document.urgency)) {
                return written;
            }
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
    pub(super) fn stop(&mut self, error: &io::Error) -> Error {
        let home = shown(self.layout.home());
        let reason = format!("the disk under `{home}` could not keep what it was given: {error}");
        self.read_only = Some(reason.clone());
        Error::ReadOnly { reason }
    }

    /// Whether this writer may still write; if not, that is for all to see.
    pub(crate) fn look(&self) -> Result<(), Error> {
        let may = self.may_write();
        if let Err(error) = &may {
            self.board.put(Standing::Broken(error.clone()));
        }
        may
    }

    /// Whether this writer may still write.
    pub(super) fn may_write(&self) -> Result<(), Error> {
        if let Some(reason) = &self.read_only {
            return Err(Error::ReadOnly { reason: reason.clone() });
        }
        if !self.is_at_home() {
            let home = shown(self.layout.home());
            let reason =
                format!("the state directory `{home}` was removed, or something else is in its place");
            return Err(Error::ReadOnly { reason });
        }
        let (ours, current) = (self.lock.epoch(), latest_epoch(&self.layout));
        if ours < current { Err(Error::Superseded { ours, current }) } else { Ok(()) }
    }
    /// Whether the state directory is still the one that was opened.
    fn is_at_home(&self) -> bool {
        let (opened, there) = (rustix::fs::fstat(&self.home), rustix::fs::stat(self.layout.home()));
        match (opened, there) {
            (Ok(opened), Ok(there)) => (opened.st_dev, opened.st_ino) == (there.st_dev, there.st_ino),
            // Whatever else is wrong shows where something is written.
            (Ok(_), Err(rustix::io::Errno::NOENT | rustix::io::Errno::NOTDIR)) => false,
            (_, _) => true,
        }
    }
}
