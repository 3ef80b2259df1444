//! A daemon for tests: hears what the analyst tells, and lends turns by a script.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use luminos_core::entry::FileEntry;
use luminos_core::flag::Flag;
use luminos_core::job::{Ask, Assignment, DirResult, JobId, Loan, Mind, News, NoTurn, Reception, Said};
use luminos_core::plan::{Tier, Turns};
use luminos_core::services::{Answers, Services};
use luminos_core::{RelPath, TargetKind};

/// A daemon that remembers all it was told.
#[derive(Default)]
pub(crate) struct Script {
    loans: RefCell<VecDeque<Loan>>,
    pub(crate) borrowed: RefCell<Vec<(Turns, String)>>,
    pub(crate) news: RefCell<Vec<News>>,
    pub(crate) results: RefCell<Vec<DirResult>>,
    is_stopped: Cell<bool>,
}

impl Script {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn lending(self, loan: Loan) -> Self {
        self.loans.borrow_mut().push_back(loan);
        self
    }

    /// The investigation was stopped before it began.
    pub(crate) fn stopped(self) -> Self {
        self.is_stopped.set(true);
        self
    }

    pub(crate) fn flags(&self) -> Vec<Flag> {
        let flag = |news: &News| match news {
            News::Flag(flag) => Some(flag.clone()),
            News::Tool(_) | News::Served(_) | News::File(_) | News::Turn(_) | News::Symbols(_) => None,
        };
        self.news.borrow().iter().filter_map(flag).collect()
    }

    pub(crate) fn files(&self) -> Vec<FileEntry> {
        let file = |news: &News| match news {
            News::File(entry) => Some((**entry).clone()),
            News::Tool(_) | News::Served(_) | News::Flag(_) | News::Turn(_) | News::Symbols(_) => None,
        };
        self.news.borrow().iter().filter_map(file).collect()
    }
}

impl Answers for Script {
    fn turn(&self, _: Ask) -> Result<Said, NoTurn> {
        Err(NoTurn::Stopped)
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped.get()
    }
}

impl Services for Script {
    fn borrow(&self, turns: Turns, reason: &str) -> Loan {
        self.borrowed.borrow_mut().push((turns, reason.to_owned()));
        self.loans.borrow_mut().pop_front().unwrap_or_else(|| Loan::Refused("none are free".to_owned()))
    }

    fn news(&self, news: News) {
        self.news.borrow_mut().push(news);
    }

    fn done(&self, result: DirResult) -> Reception {
        self.results.borrow_mut().push(result);
        Reception::Accepted
    }
}

/// An assignment about `src`, without files.
pub(crate) fn assignment(turns: u32) -> Assignment {
    Assignment {
        job: JobId { investigation: "i".to_owned(), dir: RelPath::from("src"), attempt: 1, epoch: 1 },
        mind: Mind::Offline,
        target_name: "wheel".to_owned(),
        target_kind: TargetKind::PROGRAM,
        tier: Tier::Default,
        turns: Turns(turns),
        used: Turns(0),
        files: Vec::new(),
        file_count: 0,
        endings: Vec::new(),
        unreadable: None,
        folded: 0,
        children: Vec::new(),
        survey: None,
        plan_notes: String::new(),
        doubts: Vec::new(),
        tier_reason: String::new(),
        context_budget: 100_000,
        commands: false,
        show_secrets: false,
        nonce: "00000000000005ee".to_owned(),
        history: Vec::new(),
    }
}

/// Makes a file of the target, with the directories above it.
#[expect(clippy::disallowed_methods, reason = "a target for tests is not user data")]
pub(crate) fn put(target: &tempfile::TempDir, path: &str, text: &str) {
    let path = target.path().join(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}
