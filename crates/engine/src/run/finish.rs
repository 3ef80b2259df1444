//! Evaluation and report: the end of a run.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use luminos_agent::{Synthesis, TargetLibrary};
use luminos_core::entry::DirEntry;
use luminos_core::evaluation::{DirEvaluation, Evaluation};
use luminos_core::flag::Flag;
use luminos_core::job::Mind;
use luminos_core::judge::{judge_findings, judge_flag};
use luminos_core::proof::Served;
use luminos_core::report::{Counters, Note, Report, SecondJudge};
use luminos_core::run::{Event, RunEnd, RunNote};
use luminos_core::scan::DirId;
use luminos_core::seen::ledger;
use luminos_core::spend::{Money, Tokens};
use luminos_core::talk::Pass;
use luminos_core::{RelPath, Untrusted};
use luminos_store::{Investigation, Rendering, State, Urgency};
use luminos_wire::control::Ended;

use super::desk::Desk;
use super::loops::{Recalled, TurnLine};
use super::opinion::tally_of;
use super::{Msg, keys, passes};

impl Desk {
    /// Stores what came of the plan. A run that looked at nothing has nothing to add to what is known. What an earlier
    /// life of this run looked at belongs to it.
    pub(super) fn evaluate(&mut self) {
        let Some((schedule, dirs)) = self.run.schedule() else { return };
        let order = schedule.order;
        let row = |dir: DirId| {
            let entry = Arc::clone(self.entries.get(dirs.path(dir))?);
            Some((schedule.of(dir).tier, entry, self.finished.get(&dir).copied()))
        };
        let rows: Vec<_> = dirs.ids().filter_map(row).collect();
        let (is_resumed, run) = (self.is_resumed, self.nonce.clone());
        let (budget, clock) = (self.budget.clone(), self.clock);
        let (investigation, writer) = (self.investigation.clone(), self.writer.clone());
        let myself = self.myself.clone();
        tokio::spawn(async move {
            let mut evaluated = Vec::with_capacity(rows.len());
            for (tier, entry, used) in rows {
                let account = budget.account(entry.relative_path.clone()).await;
                let (tokens, cost) = match used {
                    Some(used) => used,
                    None if is_resumed && 0 < account.used.0 => {
                        used_before(investigation.clone(), Arc::clone(&entry), run.clone()).await
                    }
                    None => continue,
                };
                evaluated.push(DirEvaluation::new(tier, account, &entry, tokens, cost));
            }
            if !evaluated.is_empty() {
                let evaluation = Evaluation::new(order, evaluated, clock());
                if let Err(error) = investigation.put_evaluation(&writer, &evaluation).await {
                    let _ = myself.cast(Msg::StoreFailed(error));
                }
            }
            let _ = myself.cast(Msg::Event(Box::new(Event::Evaluated)));
        });
    }

    /// The entries of directories that are still there, by path.
    fn known(&self) -> Vec<Arc<DirEntry>> {
        let Some((schedule, dirs)) = self.run.schedule() else { return Vec::new() };
        let investigated = dirs.ids().filter(|dir| schedule.of(*dir).is_investigated());
        let mut known: Vec<_> =
            investigated.filter_map(|dir| self.entries.get(dirs.path(dir)).cloned()).collect();
        known.sort_by(|a, b| a.relative_path.cmp(&b.relative_path));
        known
    }

    /// Directories that the plan skipped, with the reason.
    fn not_planned(&self) -> BTreeMap<RelPath, String> {
        let Some((schedule, dirs)) = self.run.schedule() else { return BTreeMap::new() };
        let skipped = dirs.ids().filter(|dir| !schedule.of(*dir).is_investigated());
        skipped.map(|dir| (dirs.path(dir).clone(), schedule.of(dir).reason.clone())).collect()
    }

    /// Flags about what is still there: those of directories that were looked at again are raised again.
    fn current_flags(&self) -> Vec<Flag> {
        let there = |flag: &&Flag| self.entries.contains_key(&flag.directory);
        luminos_core::report::worst_first(self.flags.iter().filter(there).cloned().collect())
    }

    /// Makes the report out of what is known, unless the one there is was made from just that.
    pub(super) fn synthesise(&mut self) {
        let Some(table) = self.table() else { return };
        let known = self.known();
        let flags = self.current_flags();
        let key = keys::report_key(
            known.iter().map(Arc::as_ref),
            &flags,
            keys::whole(&table.scan, self.around),
            self.meta.parameters_hash,
        );
        self.report_key = Some(key);
        let stored = self.investigation.report::<Report>().ok().flatten();
        if let Some(report) = stored.filter(|report| report.key == Some(key) && self.limit.is_none()) {
            self.report = Some(report);
            self.is_report_reused = true;
            return self.feed(Event::Synthesised { failure: None });
        }
        let survey = self.run.survey().cloned();
        let notes: Vec<String> = self.notes().iter().map(words).collect();
        let (myself, minds) = (self.myself.clone(), self.minds.clone());
        let investigation = self.investigation.clone();
        let library = self.library();
        // A model sees files one by one only of a small target; the analyst can look through all of them.
        let shows_files = known.len() < 5 || self.minds.mind(Pass::Synthesis) == Mind::Offline;
        tokio::spawn(async move {
            let minds = minds.to_the_end().await.unwrap_or(minds);
            let table = passes::Table { minds, ..table };
            let made = tokio::task::spawn_blocking(move || {
                let dirs: Vec<DirEntry> = known.iter().map(|entry| (**entry).clone()).collect();
                let files = if shows_files { investigation.file_entries().0 } else { Vec::new() };
                let mut synthesis =
                    passes::synthesise(&table, survey.as_ref(), &dirs, &files, &flags, &notes);
                judge_findings(&mut synthesis.findings, &dirs);
                // Those of the run are judged with those that only show in the whole.
                synthesis.flags.splice(0..0, flags);
                judge_flags(&mut synthesis.flags, &dirs, library.as_deref());
                synthesis
            });
            match made.await {
                Ok(synthesis) => drop(myself.cast(Msg::Synthesised(Box::new(synthesis)))),
                Err(error) => {
                    tracing::error!(%error, "the synthesis died");
                    let failure = Some("it died; the daemon's log says more".to_owned());
                    let _ = myself.cast(Msg::Event(Box::new(Event::Synthesised { failure })));
                }
            }
        });
    }

    /// There are words for the whole.
    pub(super) fn synthesised(&mut self, synthesis: Synthesis) {
        let Synthesis { origin, findings, subsystems, flags, failure } = synthesis;
        self.flags = flags;
        if failure.is_some() {
            // The next run tries again, even if nothing has changed.
            self.report_key = None;
        }
        let known = self.known();
        let directories = known.iter().map(|entry| (**entry).clone()).collect();
        let mut report = Report::new(origin, findings, directories, self.current_flags());
        report.subsystems = subsystems;
        if let Some(scan) = &self.scan {
            report.set_files(ledger(scan, known.iter().map(Arc::as_ref), &self.not_planned()));
        }
        self.report = Some(report);
        self.feed(Event::Synthesised { failure: failure.map(|failure| failure.to_string()) });
    }

    /// Stores the report.
    pub(super) fn write_report(&mut self) {
        if self.is_report_reused {
            return self.feed(Event::Reported);
        }
        let notes = self.notes();
        let counters = self.counters();
        let Some(report) = &mut self.report else { return self.feed(Event::Reported) };
        report.investigation = self.investigation.id().to_string();
        report.target = self.name.clone();
        report.path = self.meta.display.clone();
        report.content_hash = self.scan.as_ref().map(|scan| scan.content_hash());
        report.key = self.report_key;
        report.made_at = (self.clock)();
        report.models = self.minds.names();
        report.counters = counters;
        report.notes = notes;
        let (investigation, writer) = (self.investigation.clone(), self.writer.clone());
        let (report, myself) = (report.clone(), self.myself.clone());
        tokio::spawn(async move {
            let markdown = luminos_report::investigation::markdown(&report);
            let stored = investigation.put_report(&writer, &report);
            let rendered = investigation.put_rendering(&writer, Rendering::Markdown, &markdown);
            for receipt in [stored, rendered] {
                if let Err(error) = receipt.await {
                    let _ = myself.cast(Msg::StoreFailed(error));
                }
            }
            let _ = myself.cast(Msg::Event(Box::new(Event::Reported)));
        });
    }

    fn counters(&self) -> Counters {
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
            dirs_reused: progress.reused as u64,
            dirs_partial: count(|note| matches!(note, RunNote::PartialDir { .. })),
            dirs_skipped: skipped as u64,
            dirs_failed: count(|note| matches!(note, RunNote::GivenUp { .. } | RunNote::NotReached { .. })),
            turns: u64::from(self.turn_totals.used.0),
            calls: self.spent.spent.calls,
            usage: self.spent.usage,
            cost: self.cost(),
            seconds: self.started.elapsed().as_secs(),
            second_judge: self.second_judge.then(|| self.second_judge_tally()),
        }
    }

    /// What the second judge was asked, in this run and in those whose results still count.
    fn second_judge_tally(&self) -> SecondJudge {
        let Some((_, dirs)) = self.run.schedule() else { return self.tally };
        let done: BTreeSet<&RelPath> = self.finished.keys().map(|dir| dirs.path(*dir)).collect();
        let known = self.known();
        let older = known.iter().filter(|entry| !done.contains(&entry.relative_path));
        older.fold(self.tally, |sum, entry| sum.plus(tally_of(&entry.claims)))
    }

    /// What a reader of the report must know.
    fn notes(&self) -> Vec<Note> {
        let mut notes: Vec<Note> = self.limit.iter().cloned().map(Note::Partial).collect();
        let mut not_reached = 0_u64;
        for note in self.run.notes() {
            match note {
                RunNote::NoSurvey => notes.push(Note::Degraded(self.why_no("survey"))),
                RunNote::NoPlan => notes.push(Note::Degraded(format!(
                    "{}; every directory got the same number of turns",
                    self.why_no("plan")
                ))),
                RunNote::Plan(warning) => notes.push(Note::Plan(warning.to_string())),
                RunNote::PartialDir { path, reason } => {
                    notes.push(Note::Partial(format!("{}: {reason}", path.for_terminal())));
                }
                RunNote::GivenUp { path, reason } => {
                    notes.push(Note::Partial(format!("{} was given up: {reason}", path.for_terminal())));
                }
                RunNote::NoSynthesis { reason } => notes
                    .push(Note::Degraded(format!("the report was put together without a model: {reason}"))),
                RunNote::NotReached { .. } => not_reached += 1,
            }
        }
        if 0 < not_reached {
            notes.push(Note::LeftOut(format!("{not_reached} directories were not reached")));
        }
        if let Some((schedule, _)) = self.run.schedule()
            && !schedule.left_out.is_empty()
        {
            let paths: Vec<String> = schedule.left_out.iter().map(|left| left.path.for_terminal()).collect();
            notes.push(Note::LeftOut(format!("there were too few turns for {}", paths.join(", "))));
        }
        notes.extend(self.degraded.iter().cloned().map(Note::Degraded));
        notes.extend(self.spent.notes.iter().map(|(model, note)| {
            let model = Untrusted::new(model.as_bytes()).for_terminal();
            Note::Degraded(format!("{model}: {}", note.words()))
        }));
        if 0 < self.spent.redactions {
            let count = self.spent.redactions;
            notes.push(Note::Other(format!("{count} secrets were taken out of what was sent to models")));
        }
        notes
    }

    fn why_no(&self, what: &str) -> String {
        let known = self.failed_passes.iter().find(|why| why.contains(what)).cloned();
        known.unwrap_or_else(|| format!("there is no {what}"))
    }

    /// It is over: what is kept about the investigation says so, and then everybody else.
    pub(super) fn end(&mut self, end: RunEnd) {
        self.meta.state = match &end {
            RunEnd::Done => State::Done,
            RunEnd::Partial { .. } => State::Partial,
            RunEnd::Failed { .. } => State::Failed,
            RunEnd::Cancelled if self.plan_only => self.state_before.take().unwrap_or(State::Cancelled),
            RunEnd::Cancelled => State::Cancelled,
        };
        match (&end, &self.scan) {
            (RunEnd::Done, Some(scan)) => {
                self.meta.complete = Some((keys::whole(scan, self.around), self.meta.parameters_hash));
            }
            // Without a scan of its own it ended because nothing has changed.
            (RunEnd::Done, None) => {}
            (RunEnd::Cancelled, _) if self.plan_only => {}
            (RunEnd::Partial { .. } | RunEnd::Failed { .. } | RunEnd::Cancelled, _) => {
                self.meta.complete = None
            }
        }
        self.meta.ended = Some((self.clock)());
        let (before, spent) = (self.used_before, self.spent.spent);
        self.meta.counters.calls = before.calls + spent.calls;
        self.meta.counters.tokens = before.tokens + spent.tokens.0;
        self.meta.counters.nanodollars = before.nanodollars + spent.money.nanodollars();
        self.meta.counters.turns = before.turns + u64::from(self.turn_totals.used.0);
        let receipt = self.investigation.put_meta(&self.writer, &self.meta, Urgency::LastWords);
        let myself = self.myself.clone();
        tokio::spawn(async move {
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

/// Checks flags against what loops were shown.
fn judge_flags(flags: &mut [Flag], dirs: &[DirEntry], library: Option<&TargetLibrary>) {
    let Some(library) = library else { return };
    let mut served: HashMap<&RelPath, Vec<Served>> = HashMap::new();
    let cited: HashSet<RelPath> =
        flags.iter().flat_map(|flag| &flag.evidence).map(|evidence| evidence.path.clone()).collect();
    for read in dirs.iter().flat_map(|entry| &entry.reads).filter(|read| cited.contains(&read.path)) {
        served.entry(&read.path).or_default().push(read.clone());
    }
    for flag in flags {
        let paths: BTreeSet<&RelPath> = flag.evidence.iter().map(|evidence| &evidence.path).collect();
        let shown: Vec<Served> =
            paths.into_iter().filter_map(|path| served.get(path)).flatten().cloned().collect();
        let dir = flag.directory.clone();
        judge_flag(flag, &shown, &mut library.of(&dir));
    }
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

fn words(note: &Note) -> String {
    match note {
        Note::Partial(text)
        | Note::Degraded(text)
        | Note::Plan(text)
        | Note::LeftOut(text)
        | Note::Other(text) => text.clone(),
    }
}
