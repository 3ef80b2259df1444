//! The judge beside the analyst.
//!
//! What the analyst cites it has just read: the judge gets the same bytes, whose hash must be the one that the scan saw, and
//! holds every claim against them before anything leaves the worker. Nothing is read twice, and the daemon has nothing left to
//! check. Where anything is amiss, or is about files that this directory does not list, the daemon judges by itself.

use std::collections::{BTreeMap, HashMap};

use luminos_core::RelPath;
use luminos_core::job::{Assignment, Child, DirReport, DirResult, ListedFile};
use luminos_core::judge::{Author, Exhibit, Library, Shown, judge, numbers_of, words_of};
use luminos_core::proof::Served;
use luminos_tools::Root;

use super::eyes::FileText;
use luminos_tools::library::exhibit;

/// So many bytes of files are kept for the judge; others are read again.
const MOST_KEPT: usize = 16 << 20;

/// Where the analyst's claims are judged.
pub(super) struct Court<'a> {
    assignment: &'a Assignment,
    root: &'a Root,
    listed: HashMap<RelPath, &'a ListedFile>,
    kept: HashMap<RelPath, Exhibit>,
    bytes: usize,
}

impl<'a> Court<'a> {
    pub(super) fn of(assignment: &'a Assignment, root: &'a Root) -> Self {
        let dir = &assignment.job.dir;
        let listed = assignment.files.iter().map(|file| (file.path_in(dir), file)).collect();
        Self { assignment, root, listed, kept: HashMap::new(), bytes: 0 }
    }

    /// Keeps what stands in a file that was looked at.
    pub(super) fn keep(&mut self, text: FileText, file: &ListedFile) {
        let (path, exhibit) = text.into_exhibit(file.hash);
        if self.bytes + exhibit.bytes.len() <= MOST_KEPT {
            self.bytes += exhibit.bytes.len();
            self.kept.insert(path, exhibit);
        }
    }

    /// The report, judged if it is without fault.
    pub(super) fn judge(&mut self, report: DirReport, served: &[Served]) -> DirResult {
        let entries = self.assignment.children.iter().filter_map(|child| match child {
            Child::Done(entry) => Some((entry.relative_path.clone(), words_of(entry))),
            Child::Skipped { .. } | Child::Missing { .. } => None,
        });
        let entries: BTreeMap<RelPath, String> = entries.collect();
        let shown = Shown { served, entries: &entries, author: Author::Analyst };
        let judged = judge(report, shown, self);
        if judged.faults.is_empty() {
            DirResult::Judged(judged.report)
        } else {
            DirResult::Reported(judged.report)
        }
    }
}

impl Library for Court<'_> {
    fn file(&mut self, path: &RelPath) -> Option<Exhibit> {
        if let Some(kept) = self.kept.get(path) {
            return Some(kept.clone());
        }
        let listed = *self.listed.get(path)?;
        exhibit(self.root, path, None).map(|exhibit| Exhibit { scanned: listed.hash, ..exhibit })
    }

    fn has(&self, path: &str) -> bool {
        let wanted = RelPath::from(path.trim_start_matches("./"));
        let dir = &self.assignment.job.dir;
        let here = if dir.is_root() {
            wanted.clone()
        } else {
            RelPath::new([dir.as_bytes(), b"/", wanted.as_bytes()].concat())
        };
        self.listed.contains_key(&here) || [here, wanted].iter().any(|path| self.root.look(path).is_ok())
    }

    fn numbers(&self, path: &RelPath) -> Vec<u64> {
        let listed = self.listed.get(path);
        listed.map(|file| numbers_of(file.size, u64::from(file.lines))).unwrap_or_default()
    }
}
