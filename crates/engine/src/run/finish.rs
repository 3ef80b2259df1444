//! Evaluation, report and end of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use luminos_core::RelPath;
use luminos_core::entry::DirEntry;
use luminos_core::evaluation::{DirEvaluation, Evaluation};
use luminos_core::experience::Features;
use luminos_core::report::{Counters, Note, Provenance, Report, SecondJudge};
use luminos_core::run::{Event, RunEnd, RunNote};
use luminos_core::scan::DirId;
use luminos_core::spend::{Money, PassSpend, Tokens};
use luminos_report::investigation as paper;
use luminos_store::{Investigation, Rendering, State, Urgency};
use luminos_wire::control::Ended;

use super::desk::Desk;
use super::loops::{Recalled, TurnLine};
use super::opinion::tally_of;
use super::{Msg, keys};
use crate::spend_journal::used_in_all;

mod notes;

pub(super) use notes::words;

/// So long the end of a run waits for what was written before.
const COUNTING: Duration = Duration::from_secs(5);

impl Desk {
    /// Stores what came of the plan. A run that looked at nothing has nothing to add to what is known. What an earlier
    /// life of this run looked at belongs to it.
    pub(super) fn evaluate(&mut self) {
        let Some((schedule, dirs)) = self.run.schedule() else { return };
        let order = schedule.order;
        let Some(scan) = self.scan.clone() else { return };
        let row = |dir: DirId| {
            let entry = Arc::clone(self.entries.get(dirs.path(dir))?);
            // What the analyst did in place of a model says nothing about how many turns a model needs.
            if self.finished.get(&dir).is_some_and(|(tokens, _)| tokens.0 == 0) && entry.filled_in.is_some() {
                return None;
            }
            Some((dir, schedule.of(dir).tier, entry, self.finished.get(&dir).copied()))
        };
        let rows: Vec<_> = dirs.ids().filter_map(row).collect();
        let (is_resumed, run) = (self.is_resumed, self.nonce.clone());
        let (budget, clock) = (self.budget.clone(), self.clock);
        let (investigation, writer) = (self.investigation.clone(), self.writer.clone());
        let (myself, line) = (self.myself.clone(), self.lifeline("the evaluation"));
        tokio::spawn(async move {
            let _line = line;
            let mut evaluated = Vec::with_capacity(rows.len());
            for (dir, tier, entry, used) in rows {
                let account = budget.account(entry.relative_path.clone()).await;
                let used = match used {
                    Some(used) => used,
                    None if is_resumed && 0 < account.used.0 => {
                        used_before(investigation.clone(), Arc::clone(&entry), run.clone()).await
                    }
                    None => continue,
                };
                evaluated.push(DirEvaluation::new(tier, account, &entry, Features::of(&scan, dir), used));
            }
            if evaluated.is_empty() {
                let _ = myself.cast(Msg::Evaluated(None));
                return;
            }
            let evaluation = Evaluation::new(order, evaluated, clock());
            let receipt = investigation.put_evaluation(&writer, &evaluation);
            // The report is stored after it, and waited for.
            let _ = myself.cast(Msg::Evaluated(Some(Box::new(evaluation))));
            if let Err(error) = receipt.await {
                let _ = myself.cast(Msg::StoreFailed(error));
            }
        });
    }

    /// What came of the plan is known.
    pub(super) fn evaluated(&mut self, evaluation: Option<Box<Evaluation>>) {
        self.evaluation = evaluation;
        self.feed(Event::Evaluated);
    }

    /// Stores the report.
    pub(super) fn write_report(&mut self) {
        if self.is_report_reused {
            self.dirs_known = self.entries.len() as u64;
            return self.feed(Event::Reported);
        }
        let notes = self.notes();
        let passes = self.minds.by_pass();
        let directories =
            self.report.as_ref().map(|report| report.directories.as_slice()).unwrap_or_default();
        let counters = self.counters(&passes, directories);
        let recorded = self.minds.recordings().and_then(|recordings| recordings.made());
        let provenance = self.provenance();
        let Some(report) = &mut self.report else { return self.feed(Event::Reported) };
        report.investigation = self.investigation.id().to_string();
        report.target = self.name.clone();
        report.path = self.display.clone();
        report.content_hash = self.scan.as_ref().map(|scan| scan.content_hash());
        report.key = self.report_key;
        report.made_at = (self.clock)();
        report.models = self.minds.names();
        report.counters = counters;
        report.passes = passes;
        report.provenance = Some(provenance);
        if let Some((made_at, seconds)) = recorded {
            report.made_at = made_at;
            report.counters.seconds = seconds;
        }
        report.notes = notes;
        let (investigation, writer) = (self.investigation.clone(), self.writer.clone());
        let (myself, evaluation) = (self.myself.clone(), self.evaluation.take());
        // It may be large, and nobody needs it here any more.
        let Some(report) = self.report.take() else { return };
        self.dirs_known = report.directories.len() as u64;
        let line = self.lifeline("the report");
        tokio::task::spawn_blocking(move || {
            let _line = line;
            match keep(report, evaluation, &investigation, &writer) {
                Ok(()) => {}
                Err(error) if error.is_refusal() => drop(myself.cast(Msg::NoReport(error))),
                Err(error) => drop(myself.cast(Msg::StoreFailed(error))),
            }
            let _ = myself.cast(Msg::Event(Box::new(Event::Reported)));
        });
    }

    /// What it takes to make the report again.
    fn provenance(&self) -> Provenance {
        Provenance {
            run: self.nonce.clone(),
            parameters: self.meta.parameters.clone(),
            most_turns: self.limits.turns,
            refinements: self.refinements,
            windows: self.minds.context_budgets(),
            known_before: self.minds.recordings().and_then(|recordings| recordings.known_before()),
        }
    }

    fn counters(&self, passes: &BTreeMap<String, PassSpend>, known: &[DirEntry]) -> Counters {
        let spent = passes.values().copied().fold(PassSpend::default(), PassSpend::plus);
        let older = known.iter().filter(|entry| entry.run != self.nonce).count();
        let progress = self.run.progress();
        let scan = self.scan.as_deref();
        let root = scan.and_then(|scan| scan.dirs.first());
        let count =
            |is_it: fn(&RunNote) -> bool| self.run.notes().iter().filter(|note| is_it(note)).count() as u64;
        let skipped = self.run.schedule().map_or(0, |(schedule, _)| {
            schedule.allocations.iter().filter(|allocation| !allocation.is_investigated()).count()
        });
        Counters {
            dirs: scan.map_or(0, |scan| scan.dirs.len() as u64),
            files: root.map_or(0, |root| root.files),
            bytes: root.map_or(0, |root| root.bytes),
            dirs_investigated: progress.finished as u64,
            // What an earlier life of this run found out is its own.
            dirs_reused: older as u64,
            dirs_partial: count(|note| matches!(note, RunNote::PartialDir { .. } | RunNote::FilledIn { .. })),
            dirs_skipped: skipped as u64,
            dirs_failed: count(|note| matches!(note, RunNote::GivenUp { .. } | RunNote::NotReached { .. })),
            turns: u64::from(self.turn_totals.used.0),
            calls: spent.calls,
            usage: spent.usage,
            cost: spent.cost(),
            reserved: self.spent.spending.reserved,
            lost: spent.lost,
            seconds: self.started.elapsed().as_secs(),
            second_judge: self.second_judge.then(|| self.second_judge_tally(known)),
        }
    }

    /// What the second judge was asked, in this run and in those whose results still count.
    fn second_judge_tally(&self, known: &[DirEntry]) -> SecondJudge {
        let Some((_, dirs)) = self.run.schedule() else { return self.tally };
        let done: BTreeSet<&RelPath> = self.finished.keys().map(|dir| dirs.path(*dir)).collect();
        let older = known.iter().filter(|entry| !done.contains(&entry.relative_path));
        older.fold(self.tally, |sum, entry| sum.plus(tally_of(&entry.claims)))
    }

    /// It is over: what is kept about the investigation says so, and then everybody else.
    pub(super) fn end(&mut self, end: RunEnd) {
        if matches!(end, RunEnd::Failed { .. }) && self.report.is_none() {
            self.restore_current();
        }
        if self.is_settled && matches!(end, RunEnd::Done | RunEnd::Cancelled) {
            // Nothing has changed, or somebody did not want to know: everything stays as it was.
            let _ = self.myself.cast(Msg::Closed(end));
            return;
        }
        // Whatever could not be written is missing: the next run goes on there.
        let failure =
            self.store_failure.take().filter(|_| matches!(end, RunEnd::Done | RunEnd::Partial { .. }));
        let end = failure.clone().map_or(end, |reason| RunEnd::Failed { reason });
        let end = without_target(end, self.target_gone.as_deref());
        self.meta.state = match &end {
            RunEnd::Failed { reason } if failure.is_some() => State::Paused { reason: reason.clone() },
            RunEnd::Done => State::Done,
            RunEnd::Partial { .. } => State::Partial,
            RunEnd::Failed { .. } => State::Failed,
            RunEnd::Cancelled if self.plan_only => self.state_before.take().unwrap_or(State::Cancelled),
            RunEnd::Cancelled => State::Cancelled,
        };
        match (&end, &self.scan) {
            (RunEnd::Done, Some(scan)) if self.report_key.is_some() => {
                self.meta.complete = Some((keys::whole(scan, self.around), self.meta.parameters_hash));
            }
            (RunEnd::Done, None) => {}
            (RunEnd::Cancelled, _) if self.plan_only => {}
            (RunEnd::Done | RunEnd::Partial { .. } | RunEnd::Failed { .. } | RunEnd::Cancelled, _) => {
                self.meta.complete = None
            }
        }
        self.meta.reasons = match &end {
            RunEnd::Partial { reasons } => reasons.clone(),
            RunEnd::Failed { reason } => vec![reason.clone()],
            RunEnd::Done | RunEnd::Cancelled => Vec::new(),
        };
        self.meta.ended = Some((self.clock)());
        let used = used_in_all(self.used_before, self.spent.spending);
        let turns = self.used_before.turns + u64::from(self.turn_totals.used.0);
        self.meta.counters = luminos_store::Counters { turns, ..used };
        let (mut meta, writer) = (self.meta.clone(), self.writer.clone());
        let (investigation, entries) = (self.investigation.clone(), self.dirs_known);
        let is_whole = matches!(end, RunEnd::Done | RunEnd::Partial { .. });
        let myself = self.myself.clone();
        tokio::spawn(async move {
            // What is counted must be on the disk; where that takes long, nothing is counted.
            if is_whole && tokio::time::timeout(COUNTING, writer.look()).await.is_ok_and(|look| look.is_ok())
            {
                let lying_there = investigation.clone();
                let counted =
                    tokio::task::spawn_blocking(move || lying_there.count_what_it_rests_on(entries)).await;
                meta.rests_on = counted.ok();
            }
            let receipt = investigation.put_meta(&writer, &meta, Urgency::LastWords);
            if let Err(error) = receipt.await {
                tracing::error!(%error, "the end of a run could not be stored");
            }
            let _ = myself.cast(Msg::Closed(end));
        });
    }

    /// Everything is stored.
    pub(super) fn closed(&mut self, end: RunEnd) {
        self.minds.stop();
        self.budget.stop();
        if let Some(fabric) = &self.fabric {
            fabric.shut_down();
        }
        let ended = match end {
            RunEnd::Done => Ended::Done,
            RunEnd::Partial { reasons } => Ended::Partial { reasons },
            RunEnd::Failed { reason } => Ended::Failed { reason },
            RunEnd::Cancelled => Ended::Cancelled,
        };
        if let Some(on_end) = self.on_end.take() {
            on_end();
        }
        self.audience.end(&ended);
    }

    /// Whether a directory has a result that its parent can see.
    pub(super) fn seen(&self, dir: DirId) -> keys::Seen {
        let Some((schedule, dirs)) = self.run.schedule() else { return keys::Seen::Missing };
        if !schedule.of(dir).is_investigated() {
            return keys::Seen::Skipped;
        }
        let digest = self.entries.get(dirs.path(dir)).and_then(|entry| entry.digest);
        digest.map_or(keys::Seen::Missing, keys::Seen::Result)
    }
}

/// Keeps a report, its head, and what it looks like on paper. That is made while the report itself is made and written.
fn keep(
    mut report: Report,
    evaluation: Option<Box<Evaluation>>,
    investigation: &Investigation,
    writer: &luminos_store::Writer,
) -> Result<(), luminos_store::Error> {
    let mut kept = investigation.put_report(writer, &report);
    if let Some(refusal) = kept.refusal() {
        // Most of a report is the list of what was seen of each file.
        let files = std::mem::take(&mut report.files).len() as u64;
        report.set_files((Vec::new(), report.files_unlisted + files));
        report.notes.push(Note::Degraded(format!("what was seen of each file is left out: {refusal}")));
        kept = investigation.put_report(writer, &report);
    }
    let report = &report;
    let put = |rendering, text| investigation.put_rendering(writer, rendering, text);
    std::thread::scope(|scope| {
        let papers = scope.spawn(|| {
            // Without what came of the plan the page says everything else.
            let earlier = || investigation.evaluation::<Evaluation>().ok().flatten().map(Box::new);
            let evaluation = evaluation.or_else(earlier);
            let page = put(Rendering::Html, paper::html(report, evaluation.as_deref(), None));
            let text = put(Rendering::Markdown, paper::markdown(report, None));
            page.wait().and(text.wait())
        });
        // Its copy for people; what is wrong with it shows where the report is written.
        drop(investigation.put_flags(writer, &report.flags));
        let kept = kept.wait();
        let kept = kept.and_then(|()| investigation.put_report_head(writer, &paper::Head::of(report)).wait());
        kept.and(joined(papers))
    })
}

/// What a thread has to say. One that panics takes whoever waits for it along, as it would have without a thread.
pub(super) fn joined<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// What the calls for a directory used in an earlier life of the run: its transcript tells.
async fn used_before(
    investigation: Investigation,
    entry: Arc<DirEntry>,
    run: String,
) -> (Tokens, Option<Money>) {
    let read = tokio::task::spawn_blocking(move || {
        let lines = investigation.transcript::<TurnLine>(&entry.relative_path);
        let lines = lines.map(luminos_store::Records::into_bodies).unwrap_or_default();
        entry.key.map(|key| Recalled::from_lines(lines, key, &run, 0).used()).unwrap_or_default()
    });
    read.await.unwrap_or_default()
}

/// The end of a run whose target has gone: whatever was found out, it is not all there was to see.
fn without_target(end: RunEnd, gone: Option<&str>) -> RunEnd {
    match (end, gone) {
        (RunEnd::Done, Some(gone)) => RunEnd::Partial { reasons: vec![gone.to_owned()] },
        (RunEnd::Partial { mut reasons }, Some(gone)) => {
            reasons.insert(0, gone.to_owned());
            RunEnd::Partial { reasons }
        }
        (end, _) => end,
    }
}
