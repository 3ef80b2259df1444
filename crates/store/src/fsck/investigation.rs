//! One investigation: its documents, its journals, and how they fit together.

use std::collections::HashSet;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use luminos_core::RelPath;
use luminos_core::turns::{Ledger, Posting};
use serde::de::IgnoredAny;
use serde_json::Value;

use super::{Check, Newest, Promise, Remedy, Serving, entries, starts_with};
use crate::atomic::TEMPORARY;
use crate::error::{Problem, Why};
use crate::index::read_meta_at;
use crate::journal::Kind as Lines;
use crate::layout::{Layout, META_COPY, key};
use crate::{Investigation, InvestigationId, Meta, Records, State, StoredPlan};

/// What the models of a pass are called where nobody was asked.
const OFFLINE: &str = "offline";
/// The files and directories that an investigation has.
const KNOWN: [&str; 20] = [
    "received",
    "meta.json",
    META_COPY,
    "survey.json",
    "plan.json",
    "plan_evaluation.json",
    "report.json",
    "report.head.json",
    "report.md",
    "report.html",
    "flags.jsonl",
    "investigation.log",
    "budget.jsonl",
    "spend.jsonl",
    "run.jsonl",
    "entries.jsonl",
    "dirs",
    "files",
    "transcripts",
    "bad",
];

impl Check<'_> {
    pub(super) fn investigation(&mut self, layout: &Layout, id: InvestigationId, newest: Newest) {
        let investigation = Investigation::new(self.home, id);
        let meta = match read_meta_at(&layout.meta(id), id) {
            Ok(Some(meta)) => {
                self.checkup.documents += 1;
                self.copy_of_meta(layout, id);
                Some(meta)
            }
            Ok(None) if has_only_the_copy(&investigation) => {
                let what = "has a copy of `meta.json` only: whoever began it died then".to_owned();
                self.note(Promise::InOrder, investigation.dir(), what, Remedy::Rebuilt);
                investigation.meta().ok().flatten()
            }
            Ok(None) if matches!(investigation.meta(), Ok(Some(_))) => {
                let missing = Problem::new(&layout.meta(id), Why::Missing);
                self.problem(&missing, Remedy::Rebuilt);
                investigation.meta().ok().flatten()
            }
            Ok(None) => {
                let what = "has no `meta.json`: it was begun and not heard of again".to_owned();
                let is_empty =
                    entries(investigation.dir()).iter().all(|(name, _)| starts_with(name, TEMPORARY));
                let remedy = if is_empty { Remedy::Swept } else { Remedy::Stays };
                self.note(Promise::InOrder, investigation.dir(), what, remedy);
                None
            }
            Err(problem) => {
                let copy = investigation.meta().ok().flatten();
                let remedy = if copy.is_some() { Remedy::Rebuilt } else { Remedy::StartFresh };
                self.problem(&problem, remedy);
                copy
            }
        };
        self.names(investigation.dir());
        self.documents(&investigation);
        self.plan(layout, &investigation, newest);
        self.ledger(&investigation);
        self.spending(&investigation);
        self.other_journals(&investigation);
        self.sizes(&investigation);
        let known = self.entries_of(&investigation, meta.as_ref(), newest);
        if let Some(meta) = meta {
            self.standing(layout, &investigation, &meta, newest);
            self.report(&investigation, &meta, &known);
            self.foundations(&investigation, &meta, known.len() as u64);
        }
    }

    /// What an investigation is stands in two documents. One of them is enough, but not for ever.
    fn copy_of_meta(&mut self, layout: &Layout, id: InvestigationId) {
        match read_meta_at(&layout.meta_copy(id), id) {
            Ok(found) => self.checkup.documents += u64::from(found.is_some()),
            Err(problem) => self.problem(&problem, Remedy::Rebuilt),
        }
    }

    /// What lies there, and what does not belong there.
    fn names(&mut self, dir: &Path) {
        for (name, path) in entries(dir) {
            let is_known = name.to_str().is_some_and(|name| KNOWN.contains(&name));
            // A log that has grown is put aside under its name and a number.
            let is_log = starts_with(&name, "investigation.log.");
            if starts_with(&name, TEMPORARY) {
                self.remains(&path, "a file that was being written");
            } else if !is_known && !is_log {
                self.note(Promise::InOrder, &path, "is none of Luminos' files".to_owned(), Remedy::Stays);
            }
        }
        for below in ["dirs", "files", "transcripts"] {
            for (name, path) in entries(&dir.join(below)) {
                if starts_with(&name, TEMPORARY) {
                    self.remains(&path, "a file that was being written");
                }
            }
        }
    }

    fn documents(&mut self, investigation: &Investigation) {
        let found = [
            investigation.survey().map(|found| found.is_some()),
            investigation.evaluation::<IgnoredAny>().map(|found| found.is_some()),
            investigation.report::<IgnoredAny>().map(|found| found.is_some()),
            investigation.report_head::<IgnoredAny>().map(|found| found.is_some()),
        ];
        for document in found {
            match document {
                Ok(is_there) => self.checkup.documents += u64::from(is_there),
                Err(problem) => self.problem(&problem, Remedy::MadeAgain),
            }
        }
    }

    fn plan(&mut self, layout: &Layout, investigation: &Investigation, newest: Newest) {
        match investigation.plan() {
            Ok(Some(StoredPlan { fence, .. })) => {
                self.checkup.documents += 1;
                if newest.fence < fence {
                    let what = format!(
                        "carries the planner's number {}, but only {} have been given out",
                        fence.0, newest.fence.0
                    );
                    self.fault(Promise::OneWriter, &layout.plan(investigation.id()), what, Remedy::Rebuilt);
                }
            }
            Ok(None) => {}
            Err(problem) => self.problem(&problem, Remedy::MadeAgain),
        }
    }

    /// Replays the journal of turns.
    fn ledger(&mut self, investigation: &Investigation) {
        let path = investigation.dir().join("budget.jsonl");
        let Some(postings) = self.journal(investigation.budget::<Posting>()) else { return };
        let mut ledger = Ledger::new();
        for posting in postings.into_bodies() {
            // What was odd when it was booked changed nothing then, and changes nothing now.
            let _ = ledger.post(&posting);
            let held: u64 = ledger.dirs().map(|dir| u64::from(ledger.left(dir).0)).sum();
            let (used, free) = (u64::from(ledger.used().0), u64::from(ledger.free().0));
            if used + held + free != u64::from(ledger.total().0) {
                let what = format!(
                    "does not add up: {used} used, {held} held and {free} free are not {}",
                    ledger.total().0
                );
                self.fault(Promise::LedgerConserved, &path, what, Remedy::StartFresh);
                return;
            }
        }
    }

    fn other_journals(&mut self, investigation: &Investigation) {
        let _ = self.journal(investigation.run_events());
        match investigation.log::<IgnoredBody>() {
            Ok(log) => {
                self.checkup.lines += log.records.len() as u64;
                self.skipped(&investigation.dir().join("investigation.log"), log.skipped, Remedy::Stays);
            }
            Err(problem) => self.problem(&problem, Remedy::StartFresh),
        }
        match investigation.flag_lines() {
            Ok(lines) => {
                self.checkup.lines += lines.flags.len() as u64;
                self.skipped(&investigation.dir().join("flags.jsonl"), lines.skipped, Remedy::Rebuilt);
            }
            Err(problem) => self.problem(&problem, Remedy::Rebuilt),
        }
        for (name, path) in entries(&investigation.dir().join("transcripts")) {
            if starts_with(&name, TEMPORARY) {
                continue;
            }
            let Some(first) = first_line(&path) else { continue };
            // Whom it is about stands in its first line only; its name is the hash of that.
            let about = about(&first).and_then(|word| RelPath::from_word(&word));
            let fitting = about.filter(|dir| path.file_stem().is_some_and(|stem| *stem == *key(dir)));
            match fitting {
                Some(dir) => drop(self.journal(investigation.transcript::<IgnoredBody>(&dir))),
                None => {
                    let what = "does not say whose conversation it is".to_owned();
                    self.fault(Promise::NothingTorn, &path, what, Remedy::Mended);
                }
            }
        }
    }

    /// Counts the lines of a journal, and tells what is wrong with it.
    pub(super) fn journal<T>(&mut self, found: Result<Records<T>, Problem>) -> Option<Records<T>> {
        match found {
            Ok(records) => {
                self.checkup.lines += records.records.len() as u64;
                if let Some(problem) = &records.fault {
                    self.problem(problem, Remedy::Mended);
                }
                Some(records)
            }
            Err(problem) => {
                self.problem(&problem, Remedy::Mended);
                None
            }
        }
    }

    fn skipped(&mut self, path: &Path, skipped: u64, remedy: Remedy) {
        if 0 < skipped {
            let lines = if skipped == 1 { "line" } else { "lines" };
            let what = format!("has {skipped} {lines} that cannot be used");
            self.fault(Promise::NothingTorn, path, what, remedy);
        }
    }

    /// Checks the entries; tells which directories have one.
    fn entries_of(
        &mut self,
        investigation: &Investigation,
        meta: Option<&Meta>,
        newest: Newest,
    ) -> HashSet<RelPath> {
        let (files, file_problems) = investigation.file_entries();
        let (dirs, dir_problems) = investigation.dir_entries();
        let (lines, unusable) = investigation.noted_lines().unwrap_or_default();
        self.checkup.lines += lines;
        self.skipped(&investigation.dir().join("entries.jsonl"), unusable, Remedy::MadeAgain);
        self.checkup.documents += (files.len() + dirs.len()) as u64;
        for problem in file_problems.iter().chain(&dir_problems) {
            self.problem(problem, Remedy::MadeAgain);
        }
        let model = meta.and_then(|meta| meta.models.get("dir")).map(String::as_str);
        let asks_a_model = model.is_some_and(|model| model != OFFLINE);
        let older = dirs.iter().filter(|entry| !entry.holds_its_flags()).count();
        let is_older = meta.is_none_or(|meta| meta.rests_on.is_none());
        if 0 < older && is_older {
            let entries = if older == 1 { "entry that was" } else { "entries that were" };
            let what = format!("has {older} {entries} kept without flags, by an older program");
            self.note(Promise::InOrder, investigation.dir(), what, Remedy::Resumed);
        }
        for entry in &dirs {
            let path = investigation.place_of_entry(&entry.relative_path);
            if newest.epoch < entry.epoch {
                let what =
                    format!("is of the daemon's life {}, and the latest is {}", entry.epoch, newest.epoch);
                self.fault(Promise::OneWriter, &path, what, Remedy::Rebuilt);
            }
            let is_said = asks_a_model && !entry.partial;
            let transcript = investigation.dir().join("transcripts");
            let transcript = transcript.join(format!("{}.jsonl", key(&entry.relative_path)));
            // A journal's first line says what it is; a conversation needs a second one.
            let has_turns = std::fs::read(&transcript).is_ok_and(|bytes| {
                1 < bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count()
            });
            if is_said && !has_turns {
                let what = "has no conversation that it rests on: it cannot be replayed".to_owned();
                self.fault(Promise::Causality, &path, what, Remedy::Stays);
            }
        }
        dirs.into_iter().map(|entry| entry.relative_path).collect()
    }

    /// What the investigation says of itself.
    fn standing(&mut self, layout: &Layout, investigation: &Investigation, meta: &Meta, newest: Newest) {
        let path = layout.meta(investigation.id());
        if newest.epoch < meta.epoch {
            let what = format!("is of the daemon's life {}, and the latest is {}", meta.epoch, newest.epoch);
            self.fault(Promise::OneWriter, &path, what, Remedy::Rebuilt);
        }
        match &meta.state {
            State::Running if self.serving == Serving::No => {
                let what = "was under way when its daemon ended".to_owned();
                self.note(Promise::InOrder, &path, what, Remedy::Resumed);
            }
            State::Done | State::Partial if !investigation.dir().join("report.json").exists() => {
                let what = "says that there is a report, but there is none".to_owned();
                self.fault(Promise::Causality, &path, what, Remedy::MadeAgain);
            }
            State::Running
            | State::Paused { .. }
            | State::Done
            | State::Partial
            | State::Failed
            | State::Cancelled => {}
        }
    }
}

/// A body that only has to be an object.
type IgnoredBody = std::collections::HashMap<String, IgnoredAny>;

/// The first line of a journal; none where its writer died before that was whole, and nothing had been promised.
fn first_line(path: &Path) -> Option<Vec<u8>> {
    const LONGEST: u64 = 64 << 10;
    let mut line = Vec::new();
    // One that cannot be read says nothing, and that is told.
    let Ok(Some((file, _))) = crate::document::open_trusted(path) else { return Some(line) };
    let read = BufReader::new(file.take(LONGEST)).read_until(b'\n', &mut line);
    let is_cut = read.is_ok() && !line.ends_with(b"\n") && (line.len() as u64) < LONGEST;
    // A line that lacks nothing but its end counts, here as everywhere.
    let is_unfinished = is_cut && serde_json::from_slice::<IgnoredAny>(&line).is_err();
    (!is_unfinished).then_some(line)
}

/// Whom a journal says it is about in its first line.
fn about(first: &[u8]) -> Option<String> {
    let header: Value = serde_json::from_slice(first).ok()?;
    let is_transcript = header.get("kind")?.as_str()? == Lines::Transcript.word();
    is_transcript.then(|| Some(header.get("about")?.as_str()?.to_owned()))?
}

/// Whether there is nothing of an investigation but the copy of its first document, which is written before the document
/// itself: that is how it looks in between.
fn has_only_the_copy(investigation: &Investigation) -> bool {
    let mut has_copy = false;
    entries(investigation.dir()).iter().all(|(name, _)| {
        has_copy |= name == META_COPY;
        name == META_COPY || starts_with(name, TEMPORARY)
    }) && has_copy
}
