//! Directories and whoever works on them: what is handed out, what is asked and told.

use std::sync::Arc;

use luminos_core::end::EndKind;
use luminos_core::entry::DirEntry;
use luminos_core::entry::{ENTRY_FORMAT, FileEntry, Stamp, cut_summary};
use luminos_core::flag::Flag;
use luminos_core::job::{Child, DirReport, JobId, Loan, Mind, News, Reception, ToolLine};
use luminos_core::plan::Turns;
use luminos_core::run::{Event, Rest, Stop};
use luminos_core::scan::{DirId, home_of};
use luminos_core::talk::Pass;
use luminos_core::turns::{Account, Posting};
use luminos_core::{ContentHash, RelPath};
use luminos_wire::control::RunEvent;
use luminos_wire::worker::{Answer, Confinement, NOBODY_WAITS, Question};

use super::desk::Desk;
use super::loops::{self, Circumstances, Loop, Recalled, TurnLine};
use super::{Msg, keys};
use crate::fabric::FabricEvent;

impl Desk {
    /// A directory may begin: what is known of it still counts, or somebody gets to work.
    pub(super) fn begin(&mut self, dir: DirId, attempt: u32) -> Option<Event> {
        let scan = Arc::clone(self.scan.as_ref()?);
        let path = self.path(dir);
        let around = (dir.0 == 0).then_some(self.around);
        let seen = |child| self.seen(child);
        let whole = keys::AboutWhole { kind: self.target_kind, survey: self.run.survey() };
        let key = keys::dir_key(&scan, dir, seen, &whole, around, self.meta.parameters_hash);
        let doubts = self.refinement.doubts(&path).map(<[String]>::to_vec).unwrap_or_default();
        let is_known = self.entries.get(&path).is_some_and(|entry| {
            // What the analyst finds in no time is rather found again than believed without its flags.
            let is_whole = entry.holds_its_flags() || self.minds.mind(Pass::Dir) == Mind::Remote;
            entry.key == Some(key) && !entry.partial && is_whole
        });
        if is_known && doubts.is_empty() {
            self.budget.post(Posting::Release { dir: path });
            return Some(Event::Reused { dir });
        }
        if self.limit.is_some() && self.minds.mind(Pass::Dir) == Mind::Remote {
            return self.fill_in(dir, attempt, key);
        }
        let goes_on = self.entries.get(&path).is_some_and(|entry| entry.key == Some(key) && can_go_on(entry));
        let is_lost = !self.entries.contains_key(&path);
        let earlier = self.earlier.get(&path).copied().unwrap_or_default();
        let job = JobId {
            investigation: self.investigation.id().to_string(),
            dir: path.clone(),
            attempt: earlier.attempt + attempt,
            epoch: self.writer.epoch(),
        };
        let allowed = self.run.schedule().map_or(Turns(0), |(schedule, _)| schedule.of(dir).turns);
        if earlier.has_ended && attempt == 1 {
            self.budget.post(Posting::Promise { dir: path.clone(), turns: allowed });
        }
        self.budget.post(Posting::Start { dir: path.clone(), attempt: job.attempt });
        let is_reopened = self.refinement.reopened.contains(&path) || (earlier.has_ended && attempt == 1);
        let round = if doubts.is_empty() { 0 } else { self.refinement.round };
        let mind = self.minds.mind(Pass::Dir);
        let work = Loop::new(dir, job.clone(), attempt, mind, key, allowed);
        self.loops.insert(path.clone(), Loop { doubts, round, is_reopened, ..work });
        let memory = match mind {
            Mind::Offline => {
                if 1 < job.attempt {
                    self.budget.post(Posting::Refund { dir: path, attempt: job.attempt });
                }
                Memory::None
            }
            // An entry that was lost comes from its conversation again, if that is about the same.
            Mind::Remote if self.is_resumed || 1 < attempt || goes_on || is_lost => Memory::Transcript,
            Mind::Remote => Memory::None,
        };
        self.recall(job, key, memory, round);
        None
    }

    /// Finds out how many turns a directory really has, and what an earlier life of it had said and heard.
    fn recall(&self, job: JobId, key: ContentHash, memory: Memory, round: u32) {
        let (investigation, budget) = (self.investigation.clone(), self.budget.clone());
        let (myself, run) = (self.myself.clone(), self.nonce.clone());
        let line = self.lifeline("the memory of a directory");
        tokio::spawn(async move {
            let line = line;
            // Not what the plan says: what it was promised may have been less, and what it has borrowed is its own.
            let account = budget.account(job.dir.clone()).await;
            if memory == Memory::None {
                let _ = myself.cast(Msg::Recalled { job, recalled: Recalled::default(), account });
                return;
            }
            let _ = tokio::task::spawn_blocking(move || {
                let _line = line;
                let lines = investigation.transcript::<TurnLine>(&job.dir);
                let lines = lines.map(luminos_store::Records::into_bodies).unwrap_or_default();
                let noted = || investigation.file_entries_of(&job.dir).unwrap_or_default();
                let recalled = Recalled::from_lines(lines, key, &run, round).with_files(round, noted);
                let recalled = recalled.with_flags(|| {
                    let mut flags = investigation.flags_beside_entries();
                    flags.retain(|flag| flag.directory == job.dir);
                    flags
                });
                let _ = myself.cast(Msg::Recalled { job, recalled, account });
            })
            .await;
        });
    }

    pub(super) fn recalled(&mut self, job: &JobId, recalled: Recalled, account: Account) {
        let Some(work) = self.loops.get_mut(&job.dir).filter(|work| work.job == *job) else { return };
        work.take_up(recalled);
        let granted = account.allocated.0 + account.borrowed.0;
        // A turn that was paid and not answered is asked again. If more were paid, they were another conversation's.
        let answered = work.turns - work.paid_before;
        let lost = account.used.0.saturating_sub(answered);
        let others = if lost <= 1 && !work.is_reopened { 0 } else { lost };
        work.allowed = work.paid_before + granted.saturating_sub(others);
        work.ledger_offset = i64::from(others) - i64::from(work.paid_before);
        if work.is_stopped {
            let (dir, attempt) = (work.dir, work.attempt);
            self.loops.remove(&job.dir);
            return self.feed(Event::Returned { dir, attempt });
        }
        work.is_offered = true;
        self.offer(job);
    }

    /// Gives a directory to whoever works.
    pub(super) fn offer(&mut self, job: &JobId) {
        if self.fabric.is_none()
            && let Some(make) = self.make_fabric.take()
        {
            let myself = self.myself.clone();
            let listener = Box::new(move |event| drop(myself.cast(Msg::Fabric(event))));
            self.fabric = make(listener, self.myself.get_cell());
            if let (Some(fabric), Some(workers)) = (&self.fabric, self.workers) {
                fabric.share(workers);
            }
        }
        let (Some(scan), Some(work), Some((schedule, _))) =
            (&self.scan, self.loops.get(&job.dir), self.run.schedule())
        else {
            return;
        };
        let around = Circumstances {
            scan,
            target_name: &self.name,
            target_kind: self.target_kind,
            survey: self.run.survey(),
            plan_notes: self.stored_plan.as_ref().map_or("", |stored| &stored.plan.notes),
            context_budget: self.minds.context_budget(Pass::Dir),
            show_secrets: self.show_secrets,
            nonce: &self.nonce,
        };
        let children = scan.children_of(work.dir).map(|child| self.child(child)).collect();
        let assignment = loops::assignment(&around, work, schedule.of(work.dir), children);
        match &self.fabric {
            Some(fabric) => fabric.offer(Box::new(assignment)),
            None => self.died("the pool of workers", "it could not be started"),
        }
    }

    fn child(&self, dir: DirId) -> Child {
        let path = self.path(dir);
        let allocation = self.run.schedule().map(|(schedule, _)| schedule.of(dir).clone());
        match (self.entries.get(&path), allocation) {
            (_, Some(allocation)) if !allocation.is_investigated() => {
                Child::Skipped { path, reason: allocation.reason }
            }
            (Some(entry), _) => Child::Done(Box::new(entry.from_above())),
            (None, _) => Child::Missing { path, reason: "it could not be looked at".to_owned() },
        }
    }

    /// Writes down that nothing can be said about a directory.
    pub(super) fn give_up(&mut self, dir: DirId, reason: String) {
        let path = self.path(dir);
        let Some(work) = self.loops.remove(&path) else { return };
        self.budget.post(Posting::End { dir: path, attempt: work.job.attempt });
        let Some(scan) = &self.scan else { return };
        let report = DirReport {
            summary: "Nothing is known about this directory: nobody who looked into it came back.".to_owned(),
            ..Default::default()
        };
        let written = (self.written_at(&work.job.dir), self.nonce.as_str());
        let ending = loops::Ending { reason, end: None, filled_in: None };
        let mut entry = loops::entry(scan, &work, report, Some(ending), written);
        entry.digest = Some(keys::digest(&entry));
        let receipt = self.keep_or_cut_down(&mut entry, Vec::new());
        self.entries.insert(entry.relative_path.clone(), Arc::new(entry));
        self.watch(receipt);
    }

    pub(super) fn stop(&mut self, dir: DirId, how: Stop) {
        let path = self.path(dir);
        let Some(work) = self.loops.get_mut(&path) else { return };
        // The analyst is not stopped by the limit that called for it.
        if work.mind != self.minds.mind(Pass::Dir) && how == Stop::Flush && !self.is_left_out {
            return;
        }
        work.is_stopped = true;
        if let Some(fabric) = self.fabric.as_ref().filter(|_| work.is_offered) {
            fabric.revoke(&work.job, how == Stop::Flush);
        }
    }

    pub(super) fn repromise(&mut self, dir: DirId, turns: Turns) {
        let dir = self.path(dir);
        self.budget.post(match turns {
            Turns(0) => Posting::Release { dir },
            turns => Posting::Promise { dir, turns },
        });
    }

    /// What happens where the work is done.
    pub(super) fn fabric(&mut self, event: FabricEvent) {
        match event {
            FabricEvent::Ready(confinement) => self.confined(confinement),
            FabricEvent::Question { job, question, ask } => self.question(job, question, ask),
            FabricEvent::News { job, number, news } => self.news(&job, number, news),
            FabricEvent::Over { job, is_returned } => self.over(&job, is_returned),
            FabricEvent::Lost { job, reason } => self.lost(&job, reason),
            FabricEvent::Broken { reason } => {
                self.limit_reached(format!("no worker can be started: {reason}"), Rest::LeftOut);
            }
        }
    }

    fn confined(&mut self, confinement: Confinement) {
        if !confinement.commands {
            let why = confinement.lacks.join("; ");
            self.degraded.push(format!("programs could not be offered to the model: {why}"));
        }
    }

    fn is_current(&self, job: &JobId) -> bool {
        self.loops.get(&job.dir).is_some_and(|work| work.job == *job)
    }

    fn question(&mut self, job: JobId, question: u64, ask: Question) {
        if !self.is_current(&job) {
            tracing::info!(%job, "a question of an old attempt");
            return self.answer(&job, question, Answer::Reception(Reception::Stale));
        }
        match ask {
            Question::Turn(ask) => self.turn(job, question, *ask),
            Question::Borrow { turns, reason } => self.borrow(job, question, turns, &reason),
            Question::Done(result) => self.done(job, question, *result),
        }
    }

    fn borrow(&mut self, job: JobId, question: u64, turns: Turns, reason: &str) {
        let Some(work) = self.loops.get(&job.dir) else { return };
        tracing::debug!(%job, turns = turns.0, reason, "more turns are asked for");
        let (budget, band) = (self.budget.clone(), self.run.band(work.dir));
        let Some(fabric) = self.fabric.clone() else { return };
        let myself = self.myself.clone();
        // What was lent when it was recorded is lent again.
        let recorded = self.minds.recordings().and_then(|recordings| recordings.next_loan(&job.dir));
        tokio::spawn(async move {
            let loan = match recorded {
                Some(refused @ Loan::Refused(_)) => refused,
                Some(Loan::Granted(turns)) => budget.borrow(job.dir.clone(), job.attempt, turns, band).await,
                None => budget.borrow(job.dir.clone(), job.attempt, turns, band).await,
            };
            if let Loan::Granted(turns) = &loan {
                let _ = myself.cast(Msg::Lent { job: job.clone(), turns: turns.0 });
            }
            fabric.answer(&job, question, Answer::Loan(loan));
        });
    }

    pub(super) fn lent(&mut self, job: &JobId, turns: u32) {
        if let Some(work) = self.loops.get_mut(&job.dir).filter(|work| work.job == *job) {
            work.allowed += turns;
        }
    }

    fn news(&mut self, job: &JobId, first: u32, news: Vec<News>) {
        let (mut lines, mut flagged, now) = (Vec::new(), Vec::new(), (self.clock)());
        let mut has_files = false;
        for (number, one) in (first..).zip(news) {
            let Some(work) = self.loops.get_mut(&job.dir).filter(|work| work.job == *job) else { break };
            if work.heard.is_some_and(|heard| number <= heard) {
                continue;
            }
            work.heard = Some(number);
            match one {
                // In place of a model the analyst takes no turns.
                News::Turn(_) if work.mind != self.minds.mind(Pass::Dir) => {}
                News::Turn(turn) => {
                    work.turns = turn;
                    self.budget.post(Posting::Spend { dir: job.dir.clone(), attempt: job.attempt, turn });
                }
                News::Served(served) => work.served.extend(served),
                News::Symbols(symbols) => {
                    work.symbols.retain(|known| known.path != symbols.path);
                    work.symbols.push(symbols);
                }
                News::Tool(line) => lines.push(line),
                News::Flag(flag) => {
                    // A loop flags for its own directory, whatever a worker says.
                    let flag = Flag { directory: job.dir.clone(), ..flag };
                    let served = flag.rule.is_none().then(|| work.served.clone());
                    work.flags.push(flag.clone());
                    flagged.push((flag, served));
                }
                // A loop notes files of its own directory, whatever a worker says.
                News::File(entry) if home_of(&entry.relative_path) != job.dir => {}
                News::File(mut entry) => {
                    entry.path = format!("{}/{}", self.display, entry.relative_path.for_terminal());
                    entry.format = ENTRY_FORMAT;
                    entry.summary = cut_summary(std::mem::take(&mut entry.summary));
                    entry.cached_at = now.clone();
                    work.files.insert(entry.relative_path.clone(), *entry);
                    // The analyst's are kept when it has seen them all: what a crash loses of them is found again in no
                    // time.
                    has_files |= work.mind == Mind::Remote;
                }
            }
        }
        if has_files {
            self.keep_files(&job.dir);
        }
        for (flag, served) in flagged {
            self.tell_flag(flag, served);
        }
        if !lines.is_empty() {
            let lines = lines.iter().map(|call| LogLine { directory: &job.dir, timestamp: &now, call });
            drop(self.investigation.log_lines(&self.notes, lines));
        }
    }

    /// Keeps what is known of the files of a directory.
    pub(super) fn keep_files(&self, dir: &RelPath) {
        let Some(work) = self.loops.get(dir).filter(|work| !work.files.is_empty()) else { return };
        let files: Vec<FileEntry> = work.files.values().cloned().collect();
        self.watch(self.investigation.put_file_entries(&self.notes, dir, &files));
    }

    fn over(&mut self, job: &JobId, is_returned: bool) {
        if is_returned && self.is_current(job) {
            let Some(work) = self.loops.remove(&job.dir) else { return };
            self.feed(Event::Returned { dir: work.dir, attempt: work.attempt });
        }
    }

    fn lost(&mut self, job: &JobId, reason: String) {
        if !self.is_current(job) {
            return;
        }
        let Some((dir, attempt)) = self.loops.get(&job.dir).map(|work| (work.dir, work.attempt)) else {
            return;
        };
        self.audience.tell(&RunEvent::Note(format!("{}: {reason}", job.dir.for_terminal())));
        self.feed(Event::Lost { dir, attempt, reason });
    }

    pub(super) fn answer(&self, job: &JobId, question: u64, answer: Answer) {
        if let Some(fabric) = self.fabric.as_ref().filter(|_| question != NOBODY_WAITS) {
            fabric.answer(job, question, answer);
        }
    }
}

/// Whether a conversation that ended in part can go on where it was, once there is more of what it lacked.
fn can_go_on(entry: &DirEntry) -> bool {
    // One that went in circles, or had no room left, would only end the same way again.
    entry.partial_reason.is_some() && !entry.partial_end.is_some_and(EndKind::is_final)
}

/// Whether a directory may have begun before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Memory {
    /// It begins anew.
    None,
    /// What was said is in its transcript.
    Transcript,
}

/// A line of the investigation's log.
#[derive(serde::Serialize)]
struct LogLine<'a> {
    directory: &'a RelPath,
    timestamp: &'a Stamp,
    #[serde(flatten)]
    call: &'a ToolLine,
}
