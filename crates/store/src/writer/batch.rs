//! What is handed over at one time.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::journals::{Addition, Journal};
use super::receipt::Promise;
use super::{Command, Order, Urgency};
use crate::lock::Fence;
use crate::{Error, InvestigationId};

/// A document to write. Of several for one path only the last is kept.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) path: PathBuf,
    pub(super) bytes: Vec<u8>,
    pub(super) urgency: Urgency,
    pub(super) fence: Option<Fence>,
    /// How many orders came before.
    pub(super) after: usize,
    pub(super) promises: Promises,
}

/// Lines for one journal.
#[derive(Debug)]
pub(super) struct Lines {
    pub(super) journal: Journal,
    pub(super) additions: Vec<Addition>,
    /// How many orders came before the first of them.
    pub(super) after: usize,
    pub(super) promises: Promises,
}

/// Who is to be told, each with the number of orders that came before.
pub(super) type Promises = Vec<(usize, Promise)>;

/// Orders that are carried out together.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub(super) lines: Vec<Lines>,
    lines_of: HashMap<PathBuf, usize>,
    pub(super) documents: Vec<Document>,
    document_at: HashMap<PathBuf, usize>,
    pub(super) currents: Vec<(crate::Target, InvestigationId)>,
    pub(super) current_promises: Promises,
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

    pub(crate) fn push(&mut self, Order { command, promise, .. }: Order) {
        let after = self.orders;
        self.orders += 1;
        match command {
            Command::Append { journal, additions } => {
                self.bytes += additions.iter().map(|addition| addition.body.len()).sum::<usize>();
                let at = *self.lines_of.entry(journal.path.clone()).or_insert_with(|| {
                    self.lines.push(Lines { journal, additions: Vec::new(), after, promises: Vec::new() });
                    self.lines.len() - 1
                });
                if let Some(lines) = self.lines.get_mut(at) {
                    lines.additions.extend(additions);
                    lines.promises.push((after, promise));
                }
            }
            Command::Put { path, bytes, urgency, fence } => {
                self.bytes += bytes.len();
                self.put(Document { path, bytes, urgency, fence, after, promises: vec![(after, promise)] });
            }
            Command::SetCurrent { target, id } => {
                self.currents.push((target, id));
                self.current_promises.push((after, promise));
            }
            Command::Rewrite { .. }
            | Command::Remove { .. }
            | Command::Quarantine { .. }
            | Command::Look
            | Command::Close => {}
        }
    }

    /// What was held, to be tried again.
    fn of(lines: Vec<Lines>, documents: Vec<Document>) -> Self {
        let last =
            lines.iter().map(|lines| lines.after).chain(documents.iter().map(|document| document.after));
        let orders = last.max().map_or(0, |last| last + 1);
        Self { lines, documents, orders, ..Self::default() }
    }

    pub(super) fn put(&mut self, mut document: Document) {
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

/// What cannot be written now.
#[derive(Debug)]
pub(crate) struct Held {
    pub(super) lines: Vec<Lines>,
    pub(super) documents: Vec<Document>,
    /// What is in the way.
    pub(super) why: Error,
}

impl Held {
    pub(super) fn into_batch(self) -> Batch {
        Batch::of(self.lines, self.documents)
    }

    /// Takes out what is to be written at a place.
    pub(super) fn take_documents(&mut self, path: &Path) -> Vec<Document> {
        let (taken, left) =
            std::mem::take(&mut self.documents).into_iter().partition(|document| document.path == path);
        self.documents = left;
        taken
    }

    /// Nobody waits any longer.
    pub(super) fn refuse(self) {
        let lines = self.lines.into_iter().map(|lines| lines.promises);
        let documents = self.documents.into_iter().map(|document| document.promises);
        lines.chain(documents).for_each(|promises| tell(promises, &self.why));
    }
}

/// Gives everybody the same bad news.
pub(super) fn tell(promises: Promises, error: &Error) {
    for (_, promise) in promises {
        promise.keep(Err(error.clone()));
    }
}
