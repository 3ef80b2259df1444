//! The journals that are being written: where each stands, and which names it has seen.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use luminos_core::spend::SpendPosting;
use rustix::fs::{Mode, OFlags};

use crate::Error;
use crate::atomic::Temporary;
use crate::document::{open_trusted, trust};
use crate::error::{Problem, Why};
use crate::journal::{Kind, Strictness, Walked, header, render, walk};

/// So many journals are kept open; a transcript that has not been written for long is opened again.
const MOST_OPEN: usize = 96;
/// So many are remembered at all. Forgetting one costs a reading of it.
const MOST_REMEMBERED: usize = 16_384;

/// Names a journal.
#[derive(Debug, Clone)]
pub(crate) struct Journal {
    pub(crate) path: PathBuf,
    pub(crate) kind: Kind,
    /// Whom it is about: the investigation, or a directory in it.
    pub(crate) about: String,
}

/// A line to add.
#[derive(Debug)]
pub(crate) struct Addition {
    /// A line whose name is there already is not added again.
    pub(crate) id: Option<String>,
    pub(crate) body: Vec<u8>,
}

#[derive(Debug)]
struct State {
    next: u64,
    length: u64,
    open_end: bool,
    ids: HashSet<Box<str>>,
    file: Option<File>,
    used: u64,
}

/// What became of an addition.
#[derive(Debug, Default)]
pub(crate) struct Added {
    /// Whether the file is new, so that its directory must be made to last, too.
    pub(crate) is_new: bool,
    /// Whether anything was written.
    pub(crate) wrote: bool,
}

/// All journals of a store.
#[derive(Debug)]
pub(crate) struct Journals {
    states: HashMap<PathBuf, State>,
    clock: u64,
    /// How many are open.
    open: usize,
    /// A log longer than this starts anew.
    longest_log: u64,
    mended: Vec<Mended>,
}

/// A journal that was not as it was written, and was put aside for one with what was good of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mended {
    /// What was wrong with it.
    pub problem: Problem,
    /// What is not in the new one.
    pub lost: Lost,
}

/// What a damaged journal has lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lost {
    /// So many lines.
    Lines(u64),
    /// All of it.
    Everything,
}

impl Journal {
    /// The directory of the investigation that it belongs to.
    fn house(&self) -> Option<&Path> {
        let dir = self.path.parent()?;
        if self.kind == Kind::Transcript { dir.parent() } else { Some(dir) }
    }
}

/// What a call cost tells nothing where the line before, which set it aside, is lost.
fn without_orphans(additions: &mut Vec<Addition>) {
    let mut open = HashSet::new();
    additions.retain(|addition| match serde_json::from_slice(&addition.body) {
        Ok(SpendPosting::Reserve { call, .. }) => {
            open.insert(call);
            true
        }
        Ok(SpendPosting::Settle { call, charged, .. }) => open.remove(&call) || charged.is_none(),
        Err(_) => true,
    });
}

impl Journals {
    pub(crate) fn new(longest_log: u64) -> Self {
        Self { states: HashMap::new(), clock: 0, open: 0, longest_log, mended: Vec::new() }
    }

    /// All of a journal that has these lines and no others.
    pub(crate) fn whole(journal: &Journal, additions: &[Addition]) -> Vec<u8> {
        let mut lines = header(journal.kind, &journal.about);
        for (number, Addition { id, body }) in (1..).zip(additions) {
            render(&mut lines, number, id.as_deref(), body);
        }
        lines
    }

    /// Forgets a journal, or those below a directory.
    pub(crate) fn forget(&mut self, dir: &Path) {
        self.states.retain(|path, _| !path.starts_with(dir));
        self.open = self.states.values().filter(|state| state.file.is_some()).count();
    }

    /// The open file of a journal, to make it last.
    pub(crate) fn file(&self, path: &Path) -> Option<&File> {
        self.states.get(path)?.file.as_ref()
    }

    /// Adds lines with one write. If it fails, none of them is there.
    pub(crate) fn add(&mut self, journal: &Journal, additions: &[Addition]) -> Result<Added, Error> {
        let mut added = Added::default();
        let path = &journal.path;
        self.clock += 1;
        self.close_idle();
        let clock = self.clock;
        added.is_new = self.ready(journal)?;
        let longest_log = self.longest_log;
        let state = self.states.get_mut(path).ok_or(Error::Closed)?;
        state.used = clock;
        if journal.kind == Kind::Log && longest_log < state.length {
            state.start_anew(path)?;
            added.is_new = true;
        }
        let mut lines = Vec::new();
        if state.open_end {
            lines.push(b'\n');
        }
        if state.length == 0 {
            lines = header(journal.kind, &journal.about);
        }
        let (mut next, mut fresh) = (state.next.max(1), HashSet::new());
        for Addition { id, body } in additions {
            if let Some(id) = id.as_deref()
                && (state.ids.contains(id) || !fresh.insert(Box::from(id)))
            {
                continue;
            }
            render(&mut lines, next, id.as_deref(), body);
            next += 1;
        }
        if next == state.next.max(1) {
            return Ok(added);
        }
        state.write(&lines).map_err(|error| Error::writing(path, error))?;
        state.next = next;
        state.ids.extend(fresh);
        added.wrote = true;
        Ok(added)
    }

    /// Makes a journal ready for writing; tells whether it is new.
    fn ready(&mut self, journal: &Journal) -> Result<bool, Error> {
        let path = &journal.path;
        if let Some(state) = self.states.get_mut(path) {
            if state.file.is_none() {
                state.file = Some(open(path, OFlags::empty()).map_err(|error| Error::writing(path, error))?);
                self.open += 1;
            }
            return state.still_fits(path).map(|()| false);
        }
        if MOST_REMEMBERED <= self.states.len() {
            self.states.clear();
            self.open = 0;
        }
        let file = match open(path, OFlags::CREATE) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotADirectory || is_loop(&error) => {
                return Err(Error::Damaged(Problem::new(path, Why::NotAFile)));
            }
            Err(error) => return Err(Error::writing(path, error)),
        };
        let (state, is_mended) = match State::read(file, journal) {
            Err(Error::Damaged(problem)) if problem.is_worthless() => {
                self.mend(journal, problem)?;
                let file = open(path, OFlags::CREATE).map_err(|error| Error::writing(path, error))?;
                (State::read(file, journal)?, true)
            }
            state => (state?, false),
        };
        let is_new = is_mended || state.length == 0;
        self.states.insert(path.clone(), state);
        self.open += 1;
        Ok(is_new)
    }

    /// Puts a journal that is not as it was written aside, and begins another one with what of it is good.
    fn mend(&mut self, journal: &Journal, problem: Problem) -> Result<(), Error> {
        let path = &journal.path;
        let failed = |error: io::Error| Error::writing(path, error);
        let mut additions = Vec::new();
        let walked = open_trusted(path).and_then(|file| match file {
            Some((file, _)) => walk(file, journal.kind, &journal.about, |_, line| {
                let id = line.id.map(str::to_owned);
                additions.push(Addition { id, body: crate::journal::line::body(line.fields) });
                Ok(())
            }),
            None => Ok(Walked::default()),
        });
        let lost = match walked {
            Ok(walked) => Lost::Lines(walked.skipped),
            // It is somebody else's: nothing in it counts.
            Err(_) => {
                additions.clear();
                Lost::Everything
            }
        };
        if journal.kind == Kind::Spend {
            without_orphans(&mut additions);
        }
        let (temporary, file) = Temporary::write(path, &Self::whole(journal, &additions)).map_err(failed)?;
        // It takes the place of something that was acknowledged.
        file.sync_all().map_err(failed)?;
        let replaced = temporary.exchange(path).map_err(failed)?;
        if let (Some(replaced), Some(house)) = (replaced, journal.house()) {
            replaced.put_aside(house, path).map_err(failed)?;
        }
        self.mended.push(Mended { problem, lost });
        Ok(())
    }

    /// What was mended since this was asked last.
    pub(crate) fn take_mended(&mut self) -> Vec<Mended> {
        std::mem::take(&mut self.mended)
    }

    /// Closes the journals that have been idle longest, when there are many: also in the middle of a batch, since one
    /// that concerns so many is made to last by one call for all.
    fn close_idle(&mut self) {
        if self.open < MOST_OPEN {
            return;
        }
        let open = self.states.values_mut().filter(|state| state.file.is_some());
        let mut open: Vec<&mut State> = open.collect();
        open.sort_unstable_by_key(|state| state.used);
        let too_many = open.len().saturating_sub(MOST_OPEN / 2);
        self.open = open.len() - too_many;
        for state in open.into_iter().take(too_many) {
            state.file = None;
        }
    }
}

impl State {
    /// Reads what a journal holds, and cuts what was never finished.
    fn read(file: File, journal: &Journal) -> Result<Self, Error> {
        let path = &journal.path;
        let damaged = |why| Error::Damaged(Problem::new(path, why));
        let failed = |error: io::Error| Error::writing(path, error);
        let found = rustix::fs::fstat(&file).map_err(|error| failed(error.into()))?;
        trust(&found).map_err(damaged)?;
        let mut ids = HashSet::new();
        let walked = walk(&file, journal.kind, &journal.about, |_, line| {
            ids.extend(line.id.map(Box::from));
            Ok(())
        });
        let mut walked = walked.map_err(damaged)?;
        if let Some(why) = walked.fault.take().filter(|_| journal.kind.strictness() == Strictness::Strict) {
            return Err(damaged(why));
        }
        if walked.whole < u64::try_from(found.st_size).unwrap_or_default() {
            file.set_len(walked.whole).map_err(failed)?;
        }
        Ok(Self {
            next: walked.next,
            length: walked.whole,
            open_end: walked.open_end,
            ids,
            file: Some(file),
            used: 0,
        })
    }

    /// Whether the file is still the one that was written last. One that was removed, or that somebody else
    /// has written to, must not be written: its lines would be lost, or stand in no order.
    fn still_fits(&self, path: &Path) -> Result<(), Error> {
        let Some(file) = &self.file else { return Ok(()) };
        let found = rustix::fs::fstat(file).map_err(|error| Error::writing(path, error))?;
        let gone = || Error::writing(path, rustix::io::Errno::NOENT);
        if found.st_nlink == 0 {
            return Err(gone());
        }
        if u64::try_from(found.st_size).ok() != Some(self.length) {
            return Err(Error::Damaged(Problem::new(path, Why::Torn)));
        }
        Ok(())
    }

    fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        let Some(file) = &mut self.file else { return Err(io::ErrorKind::NotFound.into()) };
        if let Err(error) = file.write_all(lines) {
            // Part of it may be there. If it cannot be cut now, the length no longer fits and nothing is added
            // until the journal has been read again.
            let _ = file.set_len(self.length);
            return Err(error);
        }
        self.length += lines.len() as u64;
        self.open_end = false;
        Ok(())
    }

    /// Puts a long log aside, over the one that was put aside before, and goes on in a new one.
    fn start_anew(&mut self, path: &Path) -> Result<(), Error> {
        let mut aside = path.as_os_str().to_owned();
        aside.push(".1");
        let failed = |error: io::Error| Error::writing(path, error);
        rustix::fs::rename(path, Path::new(&aside)).map_err(|error| failed(error.into()))?;
        self.file = Some(open(path, OFlags::CREATE).map_err(failed)?);
        self.length = 0;
        self.open_end = false;
        Ok(())
    }
}

fn open(path: &Path, create: OFlags) -> io::Result<File> {
    let flags =
        OFlags::RDWR | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | create;
    Ok(rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)?.into())
}

fn is_loop(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error())
}
