//! A result: judged, sent back to be mended, or stored.

use std::collections::BTreeMap;
use std::sync::Arc;

use luminos_core::RelPath;
use luminos_core::end::EndKind;
use luminos_core::entry::{DirEntry, FileEntry};
use luminos_core::flag::Flag;
use luminos_core::job::{DirReport, DirResult, JobId, Loan, Mind, Reception, Unfinished};
use luminos_core::judge::{Author, Judgement, Shown, Verdict, judge, judge_flag, words_of};
use luminos_core::plan::Turns;
use luminos_core::run::{DirEnd, Event};
use luminos_core::scan::DirId;
use luminos_core::talk::Pass;
use luminos_core::turns::Posting;
use luminos_store::Receipt;
use luminos_wire::worker::{Answer, NOBODY_WAITS};

use super::Msg;
use super::desk::Desk;
use super::fallback::{completed, filled_in};
use super::loops::{Ending, Loop};
use super::opinion::{Opinions, second_opinions};
use super::{keeping, keys, loops};

/// How often a report goes back.
const MOST_REVISIONS: u32 = 2;
/// How many turns come with it.
const TURNS_TO_MEND: Turns = Turns(3);

impl Desk {
    /// A loop hands in its result.
    pub(super) fn done(&mut self, job: JobId, question: u64, result: DirResult) {
        let Some(work) = self.loops.get(&job.dir) else { return };
        let in_place = self.in_place_of_model(work);
        let (report, analyst, ending) = match result {
            // What the analyst cites was held against the bytes as they were read, beside it.
            DirResult::Judged(report) if work.mind == Mind::Offline => {
                let judged = Judgement { report, faults: Vec::new() };
                let ending = in_place.map(|reason| filled_in(reason, self.limit_end, &judged.report, false));
                return self.judged(&job, question, Box::new(judged), None, ending);
            }
            DirResult::Reported(report) | DirResult::Judged(report) => {
                let ending = in_place.map(|reason| filled_in(reason, self.limit_end, &report, false));
                (report, None, ending)
            }
            DirResult::Partial(unfinished) => {
                let Unfinished { reason, end, noted, analyst } = *unfinished;
                let (reason, end) = match in_place {
                    Some(limit) => (limit, self.limit_end),
                    None => self.why_it_stopped(reason, end),
                };
                (noted, analyst, Some(Ending { reason, end: Some(end), filled_in: None }))
            }
        };
        let (served, mut flags) = (work.served.clone(), work.flags.clone());
        let entries = self.words_below(work.dir);
        let author = match work.mind {
            Mind::Offline => Author::Analyst,
            Mind::Remote => Author::named(Some(self.minds.name(Pass::Dir))),
        };
        let library = self.library();
        let (myself, line) = (self.myself.clone(), self.lifeline("the judge"));
        tokio::task::spawn_blocking(move || {
            let _line = line;
            if let Some(library) = &library {
                // What they cite is found now: later it tells whether they are void.
                let mut library = library.of(&job.dir);
                flags.iter_mut().for_each(|flag| judge_flag(flag, &served, &mut library));
            }
            let judge = |report: DirReport, author: Author| match &library {
                Some(library) => {
                    let shown = Shown { served: &served, entries: &entries, author };
                    judge(report, shown, &mut library.of(&job.dir))
                }
                None => Judgement { report, faults: vec!["the target cannot be read any more".to_owned()] },
            };
            let judged = judge(report, author);
            let (judged, ending) = match (analyst, ending) {
                (Some(analyst), Some(ending)) => {
                    let analyst = judge(analyst, Author::Analyst).report;
                    let (report, ending) = completed(judged.report, analyst, ending);
                    (Judgement { report, faults: Vec::new() }, Some(ending))
                }
                (_, ending) => (judged, ending),
            };
            let (judged, flags) = (Box::new(judged), Some(flags));
            let _ = myself.cast(Msg::Judged { job, question, judged, flags, ending });
        });
    }

    /// What is known of the directories directly below one.
    fn words_below(&self, dir: DirId) -> BTreeMap<RelPath, String> {
        let Some(scan) = &self.scan else { return BTreeMap::new() };
        let entries = scan.children_of(dir).filter_map(|child| self.entries.get(&scan.dir_path(child)));
        entries.map(|entry| (entry.relative_path.clone(), words_of(entry))).collect()
    }

    /// The judge has looked at it: perhaps another one has doubts.
    pub(super) fn judged(
        &mut self,
        job: &JobId,
        question: u64,
        judged: Box<Judgement>,
        flags: Option<Vec<Flag>>,
        ending: Option<Ending>,
    ) {
        if let (Some(work), Some(flags)) = (self.loops.get_mut(&job.dir), flags)
            && work.job == *job
        {
            work.flags = flags;
        }
        let has_proof = judged.report.claims.iter().any(|claim| claim.verified);
        let wants_another = self.second_judge && ending.is_none() && has_proof && self.limit.is_none();
        let (true, Some(table), Some(library)) = (wants_another, self.table(), self.library()) else {
            return self.decide(job, question, judged, ending);
        };
        let (myself, job) = (self.myself.clone(), job.clone());
        let line = self.lifeline("the second judge");
        tokio::spawn(async move {
            let _line = line;
            let opinions = second_opinions(&table, library, &job.dir, *judged).await;
            let _ = myself.cast(Msg::Doubted { job, question, opinions: Box::new(opinions) });
        });
    }

    /// The second judge has said what it thinks.
    pub(super) fn doubted(&mut self, job: &JobId, question: u64, opinions: Opinions) {
        let Opinions { judged, tally, failure } = opinions;
        self.tally = self.tally.plus(tally);
        if let Some(failure) = failure {
            let note = format!("the second judge could not be asked about every claim: {failure}");
            if !self.degraded.contains(&note) {
                self.degraded.push(note);
            }
        }
        self.decide(job, question, Box::new(judged), None);
    }

    /// What becomes of a report that was judged.
    fn decide(&mut self, job: &JobId, question: u64, judged: Box<Judgement>, ending: Option<Ending>) {
        let Some(work) = self.loops.get(&job.dir).filter(|work| work.job == *job) else { return };
        if let (Some(ending), Some(entry)) = (&ending, self.entries.get(&job.dir))
            && (0 < work.round || self.stands_for(work.dir, entry))
        {
            // A second look that came to nothing takes nothing away from what is known, and adds what it has flagged. Neither
            // does a model that did not finish, where an earlier run had finished with the same content.
            if work.round == 0 {
                self.kept_earlier.insert(job.dir.clone(), ending.reason.clone());
            }
            let mut entry = (**entry).clone();
            let known = entry.flags.len();
            entry.add_flags(work.flags.iter().cloned());
            return if known < entry.flags.len() {
                self.store_entry(job.clone(), question, entry)
            } else {
                self.stored(job, question, entry, None)
            };
        }
        let may_revise = ending.is_none()
            && self.limit.is_none()
            && work.revisions < MOST_REVISIONS
            && question != NOBODY_WAITS
            && self.minds.mind(Pass::Dir) == Mind::Remote;
        match judged.verdict(may_revise) {
            Verdict::Revise => {
                let (budget, band) = (self.budget.clone(), self.run.band(work.dir));
                let (myself, job) = (self.myself.clone(), job.clone());
                let wanted = self.turns_to_mend(work);
                tokio::spawn(async move {
                    let turns = match wanted {
                        Turns(0) => Turns(0),
                        wanted => budget.borrow_now(job.dir.clone(), job.attempt, wanted, band).await,
                    };
                    let _ = myself.cast(Msg::MayRevise { job, question, judged, turns: turns.0 });
                });
            }
            Verdict::Accept | Verdict::AcceptWithFaults => self.keep(job, question, *judged, ending),
        }
    }

    /// How many turns are asked for to mend a report: in a run that repeats another, those that the other got.
    fn turns_to_mend(&self, work: &Loop) -> Turns {
        let Some(recordings) = self.minds.recordings() else { return TURNS_TO_MEND };
        let dir = &work.job.dir;
        match recordings.had_turn(dir, work.round, work.turns + 1) {
            None => TURNS_TO_MEND,
            Some(false) => Turns(0),
            Some(true) => match recordings.next_loan(dir) {
                Some(Loan::Granted(turns)) => turns,
                Some(Loan::Refused(_)) | None => Turns(0),
            },
        }
    }

    /// There are turns to mend a report, or there are none.
    pub(super) fn may_revise(&mut self, job: &JobId, question: u64, judged: Judgement, turns: u32) {
        let Some(work) = self.loops.get_mut(&job.dir).filter(|work| work.job == *job) else { return };
        if turns == 0 {
            return self.keep(job, question, judged, None);
        }
        work.revisions += 1;
        work.allowed += turns;
        let reception = Reception::Revise { faults: judged.faults, turns: Turns(turns) };
        self.answer(job, question, Answer::Reception(reception));
    }

    /// Stores what is known of a directory.
    fn keep(&mut self, job: &JobId, question: u64, judged: Judgement, ending: Option<Ending>) {
        let Some(work) = self.loops.get(&job.dir).filter(|work| work.job == *job) else { return };
        let Some(scan) = self.scan.clone() else { return };
        let written = (self.written_at(&job.dir), self.nonce.as_str());
        let mut entry = loops::entry(&scan, work, judged.report, ending, written);
        if let Some(before) = self.entries.get(&job.dir).filter(|_| 0 < work.round) {
            // A second look raises nothing again that the first one has raised.
            let raised = std::mem::replace(&mut entry.flags, before.flags.clone());
            entry.add_flags(raised);
        }
        entry.digest = Some(keys::digest(&entry));
        if work.mind == Mind::Offline && self.minds.mind(Pass::Dir) == Mind::Remote {
            self.keep_files(&job.dir);
        }
        self.store_entry(job.clone(), question, entry);
    }

    fn store_entry(&mut self, job: JobId, question: u64, mut entry: DirEntry) {
        let (myself, writer) = (self.myself.clone(), self.writer.clone());
        let cancelled = self.cancelled.subscribe();
        if self.minds.mind(Pass::Dir) == Mind::Offline {
            // What costs a few milliseconds to find out again is not worth waiting for the disk: it is handed over before
            // anything that rests on it, so whatever of it a crash loses, the next run makes anew.
            let receipt = self.note(&mut entry);
            tokio::spawn(async move {
                if let Err(error) = keeping::kept(receipt, &writer, cancelled).await {
                    let _ = myself.cast(Msg::StoreFailed(error));
                }
            });
            return self.stored(&job, question, entry, None);
        }
        let receipt = self.keep_or_cut_down(&mut entry, Vec::new());
        tokio::spawn(async move {
            let failure = match keeping::kept(receipt, &writer, cancelled).await {
                Ok(()) => None,
                Err(error) => {
                    let failure = error.to_string();
                    let _ = myself.cast(Msg::StoreFailed(error));
                    Some(failure)
                }
            };
            let _ = myself.cast(Msg::Stored { job, question, entry: Box::new(entry), failure });
        });
    }

    /// Hands over what the analyst says of a directory, with what it noted of its files.
    pub(super) fn note(&mut self, entry: &mut DirEntry) -> Receipt {
        let files = self.loops.get_mut(&entry.relative_path).map(|work| std::mem::take(&mut work.files));
        let mut files: Vec<FileEntry> = files.unwrap_or_default().into_values().collect();
        let receipt = self.keep_or_cut_down(entry, files.clone());
        files.iter_mut().for_each(FileEntry::shorten);
        self.gists.insert(entry.relative_path.clone(), files);
        receipt
    }

    /// Hands an entry to the store. One that it refuses is cut down to what it takes, and says so: that is a fault of this
    /// directory, and no reason to stop.
    pub(super) fn keep_or_cut_down(&self, entry: &mut DirEntry, files: Vec<FileEntry>) -> Receipt {
        let hand_over = |entry: &DirEntry, files: &[FileEntry]| match self.minds.mind(Pass::Dir) {
            Mind::Offline => self.investigation.note_dir(&self.notes, entry, files),
            Mind::Remote => self.investigation.put_dir_entry(&self.notes, entry),
        };
        let receipt = hand_over(entry, &files);
        let Some(refusal) = receipt.refusal() else { return receipt };
        tracing::warn!(dir = %entry.relative_path.for_terminal(), %refusal, "an entry is cut down");
        keeping::cut_down(entry, &refusal);
        entry.digest = Some(keys::digest(entry));
        hand_over(entry, &[])
    }

    /// What is known of a directory is stored, or could not be.
    pub(super) fn stored(&mut self, job: &JobId, question: u64, entry: DirEntry, failure: Option<String>) {
        let Some(work) = self.loops.remove(&job.dir) else { return };
        if work.job != *job {
            self.loops.insert(job.dir.clone(), work);
            return;
        }
        if failure.is_some() {
            // Its turns and its transcript are kept: it begins again when the store can be written.
            self.answer(job, question, Answer::Reception(Reception::Accepted));
            self.feed(Event::Returned { dir: work.dir, attempt: work.attempt });
            return;
        }
        if work.mind == self.minds.mind(Pass::Dir) {
            self.budget.post(Posting::End { dir: job.dir.clone(), attempt: job.attempt });
        }
        self.answer(job, question, Answer::Reception(Reception::Accepted));
        let end = match (&entry.partial_reason, entry.filled_in) {
            (Some(reason), Some(_)) => {
                DirEnd::FilledIn { reason: reason.clone(), end: entry.partial_end.unwrap_or(EndKind::Limit) }
            }
            (Some(reason), None) => DirEnd::Partial { reason: reason.clone() },
            (None, _) => DirEnd::Done,
        };
        if 0 < work.round {
            self.looked_again(&work);
        }
        let (tokens, cost) = self.finished.get(&work.dir).copied().unwrap_or_default();
        self.finished.insert(work.dir, (tokens + work.tokens(), loops::plus(cost, work.cost)));
        self.entries.insert(entry.relative_path.clone(), Arc::new(entry));
        self.feed(Event::Finished { dir: work.dir, attempt: work.attempt, end });
    }
}
