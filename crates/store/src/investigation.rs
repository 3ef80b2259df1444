//! What is kept of one investigation.
//!
//! Reading needs nobody's leave and changes nothing. `Ok(None)` is *not there*; a [`Problem`] is *there, but not to
//! be used*, which counts as not there once somebody has heard of it (and [`Writer::quarantine`] has moved it away).
//!
//! Writing takes the store's writer, and each write a receipt.

mod entries;
mod flags;
mod noted;
pub(crate) mod rests_on;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use luminos_core::RelPath;
use luminos_core::survey::Survey;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::document::{self, Identity, Kind, seal};
use crate::error::{Problem, Why};
use crate::journal::{self, Kind as Lines, Records};
use crate::layout::{EVALUATION, Layout, META, PLAN, REPORT, REPORT_HEAD, SURVEY, key};
use crate::writer::{Addition, Journal};
use crate::{Error, InvestigationId, Meta, Receipt, StoredPlan, Urgency, Writer};

pub use flags::flag_id;

/// What one line of a journal may say, in bytes: its number, its name and its check come on top.
const MOST_OF_A_LINE: usize = journal::LONGEST_LINE - 4096;

/// A report for people, made from the one for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rendering {
    /// `report.md`.
    Markdown,
    /// `report.html`.
    Html,
}

impl Rendering {
    fn file_name(self) -> &'static str {
        match self {
            Self::Markdown => "report.md",
            Self::Html => "report.html",
        }
    }
}

/// One investigation of a store. Cheap to make; it holds nothing open.
#[derive(Debug, Clone)]
pub struct Investigation {
    id: InvestigationId,
    layout: Layout,
    dir: PathBuf,
}

/// The file of the report.
const REPORT_NAME: &str = "report.json";
/// The file of its head.
const HEAD_NAME: &str = "report.head.json";

/// The head of a report as it is kept: with the report that it is of.
#[derive(Serialize, Deserialize)]
struct HeadOf<T> {
    of: Identity,
    head: T,
}

impl Investigation {
    pub(crate) fn new(home: &Path, id: InvestigationId) -> Self {
        let layout = Layout::new(home);
        let dir = layout.investigation(id);
        Self { id, layout, dir }
    }

    /// Its name.
    pub fn id(&self) -> InvestigationId {
        self.id
    }

    /// Where it is kept.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What it is.
    pub fn meta(&self) -> Result<Option<Meta>, Problem> {
        crate::index::read_meta(&self.layout, self.id)
    }

    /// Whether both documents that say what it is are there and whole.
    pub fn has_meta_twice(&self) -> bool {
        [self.layout.meta(self.id), self.layout.meta_copy(self.id)]
            .iter()
            .all(|path| matches!(crate::index::read_meta_at(path, self.id), Ok(Some(_))))
    }

    /// Keeps what it is, twice: without it, everything that was found out would have to be paid for again. To say why it pauses, use [`Urgency::LastWords`]: that can be written to a full disk.
    pub fn put_meta(&self, writer: &Writer, meta: &Meta, urgency: Urgency) -> Receipt {
        let path = self.layout.meta(self.id);
        if meta.id != self.id {
            return malformed(&path, "it is another investigation's");
        }
        let bytes = match sealed(META, meta, &path) {
            Ok(bytes) => bytes,
            Err(error) => return Receipt::failed(error),
        };
        drop(writer.put(&self.layout.meta_copy(self.id), bytes.clone(), urgency));
        writer.put(&path, bytes, urgency)
    }

    /// Begins it: keeps what it is, and makes it the current one of its target.
    pub async fn create(&self, writer: &Writer, meta: &Meta) -> Result<(), Error> {
        self.put_meta(writer, meta, Urgency::Usual).await?;
        writer.set_current(&meta.target, self.id).await
    }

    /// The first look at the whole.
    pub fn survey(&self) -> Result<Option<Survey>, Problem> {
        self.read("survey.json", SURVEY)
    }

    /// Keeps the first look.
    pub fn put_survey(&self, writer: &Writer, survey: &Survey) -> Receipt {
        self.put(writer, "survey.json", SURVEY, survey)
    }

    /// The plan.
    pub fn plan(&self) -> Result<Option<StoredPlan>, Problem> {
        self.read("plan.json", PLAN)
    }

    /// Keeps the plan, unless another planner has taken its number since.
    pub fn put_plan(&self, writer: &Writer, plan: &StoredPlan) -> Receipt {
        let path = self.layout.plan(self.id);
        let bytes = sealed(PLAN, plan, &path);
        bytes.map_or_else(Receipt::failed, |bytes| writer.put_fenced(&path, bytes, plan.fence))
    }

    /// What became of the plan.
    pub fn evaluation<T: DeserializeOwned>(&self) -> Result<Option<T>, Problem> {
        self.read("plan_evaluation.json", EVALUATION)
    }

    /// Keeps what became of the plan.
    pub fn put_evaluation(&self, writer: &Writer, evaluation: &impl Serialize) -> Receipt {
        self.put(writer, "plan_evaluation.json", EVALUATION, evaluation)
    }

    /// The report, for programs.
    pub fn report<T: DeserializeOwned>(&self) -> Result<Option<T>, Problem> {
        self.read(REPORT_NAME, REPORT)
    }

    /// The head of the report: what most readers want to see of it, in no time. `None` if there is none, or it is not
    /// that of the report that lies beside it.
    pub fn report_head<T: DeserializeOwned>(&self) -> Result<Option<T>, Problem> {
        let found: Option<HeadOf<T>> = self.read(HEAD_NAME, REPORT_HEAD)?;
        let report = document::identity(&self.dir.join(REPORT_NAME));
        Ok(found.filter(|found| report.as_ref() == Some(&found.of)).map(|found| found.head))
    }

    /// Whether there are a report and its head, both whole. What the report says is not looked at, which would take much
    /// longer.
    pub fn has_report(&self) -> bool {
        let has_head = matches!(self.report_head::<IgnoredAny>(), Ok(Some(_)));
        has_head && matches!(document::check_bytes(&self.dir.join(REPORT_NAME), REPORT), Ok(true))
    }

    /// The documents that its last run has left and that are gone or cannot be used. What a model has said in the passes
    /// that made them is in their transcripts.
    pub fn broken(&self, meta: &Meta) -> Vec<Problem> {
        let made = meta.rests_on.as_ref().map(|rests_on| rests_on.documents.as_slice()).unwrap_or_default();
        let documents =
            [("survey.json", SURVEY), ("plan.json", PLAN), ("plan_evaluation.json", EVALUATION), (REPORT_NAME, REPORT)];
        let look = |(name, kind): (&str, Kind)| {
            let path = self.dir.join(name);
            match document::check_bytes(&path, kind) {
                Ok(false) if made.iter().any(|made| made == name) => Some(Problem::new(&path, Why::Missing)),
                Ok(_) => None,
                Err(problem) => Some(problem).filter(Problem::is_worthless),
            }
        };
        documents.into_iter().filter_map(look).collect()
    }

    /// Keeps the head of the report that is kept already.
    pub fn put_report_head(&self, writer: &Writer, head: &impl Serialize) -> Receipt {
        match document::identity(&self.dir.join(REPORT_NAME)) {
            Some(of) => self.put(writer, HEAD_NAME, REPORT_HEAD, &HeadOf { of, head }),
            None => malformed(&self.dir.join(HEAD_NAME), "there is no report that it could be the head of"),
        }
    }

    /// Keeps the report.
    pub fn put_report(&self, writer: &Writer, report: &impl Serialize) -> Receipt {
        self.put(writer, REPORT_NAME, REPORT, report)
    }

    /// Keeps the report for people. It carries no check of its own: it can be made again at any time.
    pub fn put_rendering(&self, writer: &Writer, rendering: Rendering, text: String) -> Receipt {
        writer.put(&self.dir.join(rendering.file_name()), text.into_bytes(), Urgency::Usual)
    }

    /// The turns of a directory's conversation.
    pub fn transcript<T: DeserializeOwned>(&self, dir: &RelPath) -> Result<Records<T>, Problem> {
        let journal = self.transcript_of(dir);
        journal::read(&journal.path, journal.kind, &journal.about)
    }

    /// The lines of all conversations, as far as they can be used.
    pub fn turns<T: DeserializeOwned>(&self) -> Vec<T> {
        let found = std::fs::read_dir(self.dir.join("transcripts")).into_iter().flatten().flatten();
        let lines = found.filter_map(|entry| {
            let path = entry.path();
            let about = journal::subject(&path, Lines::Transcript)?;
            journal::read::<T>(&path, Lines::Transcript, &about).ok()
        });
        lines.flat_map(Records::into_bodies).collect()
    }

    /// Adds to a directory's conversation. What has an id is added once, however often it comes.
    pub fn append_turn(
        &self,
        writer: &Writer,
        dir: &RelPath,
        id: Option<&str>,
        turn: &impl Serialize,
    ) -> Receipt {
        self.append(writer, self.transcript_of(dir), id.map(str::to_owned), turn)
    }

    /// The journal of the turn ledger.
    pub fn budget<T: DeserializeOwned>(&self) -> Result<Records<T>, Problem> {
        let journal = self.journal("budget.jsonl", Lines::Budget);
        journal::read(&journal.path, journal.kind, &journal.about)
    }

    /// Adds to the journal of the turn ledger. What has an id is added once, however often it comes.
    pub fn append_budget(&self, writer: &Writer, id: Option<&str>, posting: &impl Serialize) -> Receipt {
        self.append(writer, self.journal("budget.jsonl", Lines::Budget), id.map(str::to_owned), posting)
    }

    /// The journal of what calls may cost, and did.
    pub fn spending<T: DeserializeOwned>(&self) -> Result<Records<T>, Problem> {
        let journal = self.journal("spend.jsonl", Lines::Spend);
        journal::read(&journal.path, journal.kind, &journal.about)
    }

    /// Adds to the journal of what calls may cost, and did.
    pub fn append_spending(&self, writer: &Writer, posting: &impl Serialize) -> Receipt {
        self.append(writer, self.journal("spend.jsonl", Lines::Spend), None, posting)
    }

    /// The events of its runs.
    pub fn run_events(&self) -> Result<Records<Value>, Problem> {
        let journal = self.journal("run.jsonl", Lines::Run);
        journal::read(&journal.path, journal.kind, &journal.about)
    }

    /// Adds an event.
    pub fn append_run_event(&self, writer: &Writer, event: &Value) -> Receipt {
        self.append(writer, self.journal("run.jsonl", Lines::Run), None, event)
    }

    /// The tool calls, those that were put aside apart.
    pub fn log<T: DeserializeOwned>(&self) -> Result<Records<T>, Problem> {
        let journal = self.journal("investigation.log", Lines::Log);
        journal::read(&journal.path, journal.kind, &journal.about)
    }

    /// Adds tool calls to the log, together.
    pub fn log_lines(&self, writer: &Writer, lines: impl Iterator<Item = impl Serialize>) -> Receipt {
        let journal = self.journal("investigation.log", Lines::Log);
        let additions = lines.map(|line| Ok(Addition { id: None, body: journal::words(&line)? })).collect();
        match additions {
            Ok(additions) => writer.append(journal, additions),
            Err(reason) => Receipt::failed(Error::Malformed { path: journal.path, reason }),
        }
    }

    fn read<T: DeserializeOwned>(&self, name: &str, kind: Kind) -> Result<Option<T>, Problem> {
        document::read_as(&self.dir.join(name), kind)
    }

    fn put(&self, writer: &Writer, name: &str, kind: Kind, body: &impl Serialize) -> Receipt {
        let path = self.dir.join(name);
        sealed(kind, body, &path)
            .map_or_else(Receipt::failed, |bytes| writer.put(&path, bytes, Urgency::Usual))
    }

    fn journal(&self, name: &str, kind: Lines) -> Journal {
        Journal { path: self.dir.join(name), kind, about: self.id.to_string() }
    }

    fn transcript_of(&self, dir: &RelPath) -> Journal {
        let path = self.dir.join("transcripts").join(format!("{}.jsonl", key(dir)));
        Journal { path, kind: Lines::Transcript, about: dir.to_word() }
    }

    fn append(
        &self,
        writer: &Writer,
        journal: Journal,
        id: Option<String>,
        body: &impl Serialize,
    ) -> Receipt {
        if let Some(id) = id.as_deref().filter(|id| !journal::is_plain(id)) {
            let reason = format!("`{}` cannot name a line", id.escape_default());
            return Receipt::failed(Error::Malformed { path: journal.path, reason });
        }
        match journal::words(body) {
            Ok(body) if MOST_OF_A_LINE < body.len() => {
                let (size, most) = (body.len() as u64, MOST_OF_A_LINE as u64);
                Receipt::failed(Error::TooLarge { path: journal.path, size, most })
            }
            Ok(body) => writer.append(journal, vec![Addition { id, body }]),
            Err(reason) => Receipt::failed(Error::Malformed { path: journal.path, reason }),
        }
    }
}

/// The bytes of a document.
fn sealed(kind: Kind, body: &impl Serialize, path: &Path) -> Result<Vec<u8>, Error> {
    let bytes = seal(kind, body).map_err(|reason| Error::Malformed { path: path.to_owned(), reason })?;
    match bytes.len() as u64 {
        // What could not be read back must not be taken.
        size if kind.most_bytes < size => {
            Err(Error::TooLarge { path: path.to_owned(), size, most: kind.most_bytes })
        }
        _ => Ok(bytes),
    }
}

fn malformed(path: &Path, reason: &str) -> Receipt {
    Receipt::failed(Error::Malformed { path: path.to_owned(), reason: reason.to_owned() })
}
