//! Looks over a whole store and says what is wrong with it, and what will be done about that.
//!
//! It reads everything and changes nothing: what can be mended is mended by whoever comes across it (the daemon at its
//! start, a run that needs a document), by rules of their own. Here those rules are only named, so that somebody can
//! read beforehand what will happen.
//!
//! | promise | how it is checked |
//! |---|---|
//! | turns and money are conserved | journals of turns are replayed: used, held and free make up the total; every call that was booked had been reserved, once |
//! | no file is torn | every document fits its hash, every line its check; half-written files have names of their own |
//! | results have what they rest on | what a model said about a directory has the conversation that led there; a report has the entries it tells of; ledgers and conversations have at least the lines that they had when the last run ended |
//! | one writer, one planner | nothing carries a higher number than the latest daemon's or planner's |
//! | the truth is told | what is known in part is not called done, and what is called done has a report |
//! | everything is bounded | logs are put aside, shelves have no more than they should |
//!
//! Not here: whether reports are right (`luminosctl verify`), the backlog of tasks (`luminos_planner::tasks::Backlog::check`), and what
//! only shows over a death: that nothing acknowledged is lost, that a resumed run comes to the same, that no process is left.

mod bounds;
mod foundations;
mod investigation;
#[cfg(test)]
mod tests;

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::atomic::TEMPORARY;
use crate::error::{Problem, Why};
use crate::index::{Index, ids, read_meta};
use crate::layout::{Layout, TRASH};
use crate::lock::{latest_epoch, latest_fence};
use crate::{State, Store};

/// What is promised of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Promise {
    /// Turns are neither lost nor made.
    LedgerConserved,
    /// Every visible file is whole.
    NothingTorn,
    /// A result has what it rests on.
    Causality,
    /// Old daemons and planners have no say.
    OneWriter,
    /// What is partial says so.
    ToldTheTruth,
    /// Nothing grows for ever.
    Bounded,
    /// Files are where they belong, and their owner's alone.
    InOrder,
}

/// What will be done about something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Remedy {
    /// The next daemon removes it at its start.
    Swept,
    /// It counts as absent, is put aside in `bad/`, and made again by the next run.
    MadeAgain,
    /// It is found again from what else is there.
    Rebuilt,
    /// What is good of it goes on, and it is put aside in `bad/`.
    Mended,
    /// The next run of the target goes on where it was.
    Resumed,
    /// Nothing that rests on it can go on; a new investigation can, and this one is kept.
    StartFresh,
    /// Somebody must do something: a newer program is needed, or rights.
    Somebody,
    /// The next run of the target begins a new investigation.
    BegunAnew,
    /// It counts as absent, and goes when its place is needed.
    Ignored,
    /// It does no harm and stays.
    Stays,
    /// What it said is lost for good; what was found out is kept.
    Lost,
}

impl Remedy {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Swept => "the next daemon removes it when it starts",
            Self::MadeAgain => "it counts as absent: the next run puts it aside in `bad/` and makes it again",
            Self::Rebuilt => "it is found again from what else is there",
            Self::Mended => {
                "whoever writes it next puts it aside in `bad/` and goes on with all of it that can be read"
            }
            Self::Resumed => "`luminosctl run` on the target goes on where it was",
            Self::StartFresh => {
                "what rests on it cannot go on: `luminosctl run --fresh` starts over, and this one is kept"
            }
            Self::Somebody => {
                "nothing is done about it: upgrade, mend its owner and rights, or restore a copy"
            }
            Self::BegunAnew => "the next `luminosctl run` on the target begins a new one",
            Self::Ignored => "it counts as absent, and goes when its place is needed",
            Self::Stays => "it does no harm and stays",
            Self::Lost => {
                "what it said is lost; what was found out is kept, and the next run goes on without it"
            }
        }
    }
}

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Which promise is concerned.
    pub promise: Promise,
    /// The file or directory, from the state directory on.
    pub path: PathBuf,
    /// What is wrong.
    pub what: String,
    /// What will be done about it.
    pub remedy: Remedy,
    /// Whether the promise is broken. What a crash leaves behind and the next start removes is not.
    pub is_fault: bool,
}

/// What was looked at and found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Checkup {
    /// How many investigations there are.
    pub investigations: u64,
    /// How many documents were read and fit their hash.
    pub documents: u64,
    /// How many lines of journals were read and fit their check.
    pub lines: u64,
    /// What is not as it should be, in the order of paths.
    pub findings: Vec<Finding>,
}

impl Checkup {
    /// Takes up what somebody else has found.
    pub fn add(&mut self, finding: Finding) {
        self.findings.push(finding);
        self.findings.sort_by(|a, b| a.path.cmp(&b.path).then(a.what.cmp(&b.what)));
    }

    /// Whether every promise holds.
    pub fn is_sound(&self) -> bool {
        self.findings.iter().all(|finding| !finding.is_fault)
    }
}

/// Whether a daemon serves the store while it is looked over. Then half-written files are its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Serving {
    /// A daemon answers.
    Yes,
    /// Nobody does.
    No,
}

/// Which investigations to look into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// All of them.
    All,
    /// Those that did not come to their end: only these can have been in anybody's hands when it died.
    Unfinished,
}

impl Store {
    /// Looks over everything. Reading needs nobody's leave; what changes meanwhile is seen before or after.
    pub fn check_all(&self, serving: Serving, depth: Depth) -> Checkup {
        let layout = Layout::new(self.home());
        let mut check = Check { home: self.home(), serving, checkup: Checkup::default() };
        check.top(&layout);
        check.shelves(&layout);
        let newest = Newest { epoch: latest_epoch(&layout), fence: latest_fence(&layout) };
        for id in ids(&layout) {
            check.checkup.investigations += 1;
            let is_finished = matches!(read_meta(&layout, id), Ok(Some(meta)) if meta.state == State::Done);
            if depth == Depth::All || !is_finished {
                let found = check.checkup.findings.len();
                check.investigation(&layout, id, newest);
                if !layout.investigation(id).exists() {
                    // Somebody has removed it meanwhile: what was missing is no fault.
                    check.checkup.findings.truncate(found);
                }
            }
        }
        check.checkup.findings.sort_by(|a, b| a.path.cmp(&b.path).then(a.what.cmp(&b.what)));
        check.checkup
    }
}

/// The latest numbers of daemons and planners.
#[derive(Debug, Clone, Copy)]
struct Newest {
    epoch: u64,
    fence: crate::Fence,
}

struct Check<'a> {
    home: &'a Path,
    serving: Serving,
    checkup: Checkup,
}

impl Check<'_> {
    /// The state directory itself.
    fn top(&mut self, layout: &Layout) {
        for (name, path) in entries(self.home) {
            if starts_with(&name, TRASH) {
                self.remains(&path, "an investigation that was being removed");
            } else if starts_with(&name, TEMPORARY) {
                self.remains(&path, "a file that was being written");
            }
        }
        let (index, problems) = Index::load(layout);
        for problem in problems {
            self.problem(&problem, Remedy::Rebuilt);
        }
        for (target, id) in index.iter() {
            let path = layout.index();
            let shown = target.for_terminal();
            match read_meta(layout, id) {
                Ok(Some(meta)) if meta.target == *target => self.checkup.documents += 1,
                Ok(Some(_)) => {
                    let what = format!("says that {id} is about {shown}, but it is about something else");
                    self.fault(Promise::InOrder, &path, what, Remedy::Rebuilt);
                }
                // Somebody has removed it meanwhile.
                Ok(None) if Index::load(layout).0.iter().all(|(_, other)| other != id) => {}
                Ok(None) => {
                    let what = format!("names {id} for {shown}, which is not there");
                    self.fault(Promise::InOrder, &path, what, Remedy::BegunAnew);
                }
                // Told where the document itself is looked at.
                Err(_) => {}
            }
        }
        for (path, kind) in [(layout.epoch(), crate::layout::EPOCH), (layout.fence(), crate::layout::FENCE)] {
            match crate::document::read(&path, kind) {
                Ok(found) => self.checkup.documents += u64::from(found.is_some()),
                Err(problem) => self.problem(&problem, Remedy::Rebuilt),
            }
        }
    }

    /// What a process that is gone, or one that is at it, has left.
    fn remains(&mut self, path: &Path, what: &str) {
        if self.serving == Serving::No {
            self.note(Promise::NothingTorn, path, format!("is what is left of {what}"), Remedy::Swept);
        }
    }

    /// A document or journal that cannot be used.
    fn problem(&mut self, problem: &Problem, remedy: Remedy) {
        let (promise, remedy) = match problem.why {
            Why::TooNew { .. } | Why::Unreadable(_) => (Promise::InOrder, Remedy::Somebody),
            Why::NotAFile | Why::Shared | Why::Foreign | Why::Exposed | Why::Elsewhere => {
                (Promise::InOrder, remedy)
            }
            Why::Missing => (Promise::Causality, remedy),
            Why::TooLarge { .. }
            | Why::Torn
            | Why::Checksum
            | Why::Shape(_)
            | Why::Kind { .. }
            | Why::Entry(_)
            | Why::Line { .. } => (Promise::NothingTorn, remedy),
        };
        self.fault(promise, &problem.path, problem.why.to_string(), remedy);
    }

    fn fault(&mut self, promise: Promise, path: &Path, what: String, remedy: Remedy) {
        self.find(promise, path, what, remedy, true);
    }

    fn note(&mut self, promise: Promise, path: &Path, what: String, remedy: Remedy) {
        self.find(promise, path, what, remedy, false);
    }

    fn find(&mut self, promise: Promise, path: &Path, what: String, remedy: Remedy, is_fault: bool) {
        let path = path.strip_prefix(self.home).unwrap_or(path).to_owned();
        self.checkup.findings.push(Finding { promise, path, what, remedy, is_fault });
    }
}

/// What is in a directory, in the order of names; nothing if it cannot be read.
fn entries(dir: &Path) -> Vec<(std::ffi::OsString, PathBuf)> {
    let found = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let mut found: Vec<_> = found.map(|entry| (entry.file_name(), entry.path())).collect();
    found.sort_unstable();
    found
}

fn starts_with(name: &OsStr, start: &str) -> bool {
    name.as_encoded_bytes().starts_with(start.as_bytes())
}
