//! The state of a run and how events change it.

use std::collections::BTreeMap;

use super::{DirEnd, Effect, Event, Phase, Planned, Progress, Rest, RunEnd, RunNote, RunOptions, Stop};
use crate::plan::{Dirs, Plan, Revision, Turns, apply_plan, apply_revision};
use crate::ready::ReadyQueue;
use crate::scan::DirId;
use crate::survey::Survey;
use crate::turns::Band;

mod loops;

use loops::Loops;

/// A directory that has taken so many workers with it is given up.
const MOST_LOSSES: u32 = 3;

/// An investigation, as far as the order of things goes.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    options: RunOptions,
    phase: Phase,
    scanned: Option<(Dirs, bool)>,
    survey: Option<Survey>,
    loops: Option<Loops>,
    capacity: u32,
    limit: Option<(String, Rest)>,
    paused: Option<String>,
    is_cancelled: bool,
    notes: Vec<RunNote>,
}

impl Run {
    /// A run that has not begun.
    pub fn new(options: RunOptions) -> Self {
        Self {
            options,
            phase: Phase::Waiting,
            scanned: None,
            survey: None,
            loops: None,
            capacity: 0,
            limit: None,
            paused: None,
            is_cancelled: false,
            notes: Vec::new(),
        }
    }

    /// What follows from an event. One that does not fit, such as a late word of an old attempt, changes nothing.
    pub fn on(&mut self, event: Event) -> Vec<Effect> {
        let mut effects = match event {
            Event::Begin => self.begin(),
            Event::Scanned { dirs, is_small } => self.scanned(dirs, is_small),
            Event::Unchanged => self.unchanged(),
            Event::ScanFailed { reason } => self.scan_failed(reason),
            Event::Surveyed { survey } => self.surveyed(survey),
            Event::Planned { plan } => self.planned(plan),
            Event::Capacity { loops } => self.note(|run| run.capacity = loops),
            Event::Reused { dir } => self.in_loops(|loops| loops.reuse(dir)),
            Event::Parked { dir } => self.in_loops(|loops| loops.set_parked(dir, true)),
            Event::Unparked { dir } => self.in_loops(|loops| loops.set_parked(dir, false)),
            Event::Finished { dir, attempt, end } => self.finished(dir, attempt, end),
            Event::Lost { dir, attempt, reason } => self.lost(dir, attempt, reason),
            Event::Returned { dir, attempt } => self.in_loops(|loops| loops.hand_back(dir, attempt)),
            Event::Revised { revision } => self.revised(revision),
            Event::Refine { dirs } => self.refine(&dirs),
            Event::Limit { reason, rest } => self.limited(reason, rest),
            Event::NoModel { reason } => self.without_model(reason),
            Event::Evaluated => self.step(Phase::Evaluating, Phase::Synthesising, Effect::Synthesise),
            Event::Synthesised { failure } => self.synthesised(failure),
            Event::Reported => self.reported(),
            Event::Pause { reason } => self.pause(reason),
            Event::Resume => self.note(|run| run.paused = None),
            Event::Cancel => self.cancel(),
        };
        self.pump(&mut effects);
        effects
    }

    fn note(&mut self, change: impl FnOnce(&mut Self)) -> Vec<Effect> {
        change(self);
        Vec::new()
    }

    fn in_loops(&mut self, change: impl FnOnce(&mut Loops)) -> Vec<Effect> {
        if let Some(loops) = &mut self.loops {
            change(loops);
        }
        Vec::new()
    }

    fn begin(&mut self) -> Vec<Effect> {
        self.step(Phase::Waiting, Phase::Scanning, Effect::Scan)
    }

    /// Goes from one phase to the next; a word that comes in another phase changes nothing.
    fn step(&mut self, from: Phase, to: Phase, effect: Effect) -> Vec<Effect> {
        if self.phase != from {
            return Vec::new();
        }
        self.phase = to;
        vec![effect]
    }

    fn scanned(&mut self, dirs: Dirs, is_small: bool) -> Vec<Effect> {
        if self.phase != Phase::Scanning {
            return Vec::new();
        }
        if dirs.is_empty() {
            return self.scan_failed("the scan found nothing, not even the target".to_owned());
        }
        self.scanned = Some((dirs, is_small));
        self.phase = Phase::Surveying;
        if is_small {
            return self.surveyed(Some(Survey::of_a_small_target()));
        }
        vec![Effect::Survey]
    }

    fn unchanged(&mut self) -> Vec<Effect> {
        if self.phase != Phase::Scanning {
            return Vec::new();
        }
        self.end(RunEnd::Done)
    }

    fn scan_failed(&mut self, reason: String) -> Vec<Effect> {
        if self.phase != Phase::Scanning {
            return Vec::new();
        }
        self.end(RunEnd::Failed { reason })
    }

    fn surveyed(&mut self, survey: Option<Survey>) -> Vec<Effect> {
        if self.phase != Phase::Surveying {
            return Vec::new();
        }
        if survey.is_none() {
            self.notes.push(RunNote::NoSurvey);
        }
        self.survey = survey;
        self.phase = Phase::Planning;
        match &self.scanned {
            Some((_, true)) => self.planned(Some(Plan::default())),
            Some((_, false)) | None => vec![Effect::Plan],
        }
    }

    fn planned(&mut self, plan: Option<Plan>) -> Vec<Effect> {
        if self.phase != Phase::Planning {
            return Vec::new();
        }
        let Some((dirs, _)) = self.scanned.take() else { return Vec::new() };
        if plan.is_none() {
            self.notes.push(RunNote::NoPlan);
        }
        let mut schedule = apply_plan(&plan.unwrap_or_default(), &dirs, self.options.most_turns);
        self.notes.extend(schedule.warnings.iter().cloned().map(RunNote::Plan));
        let foreseen = self.options.foreseen.clone();
        for revision in foreseen.iter().flat_map(|foreseen| &foreseen.revisions) {
            let had_started = |dir: DirId| {
                foreseen.as_ref().is_some_and(|foreseen| !foreseen.moved.contains(dirs.path(dir)))
            };
            let (changes, warnings) = apply_revision(revision, &dirs, &schedule, had_started);
            self.notes.extend(warnings.into_iter().map(RunNote::Plan));
            for (dir, change) in changes {
                schedule.allocations[dir.0 as usize] = change;
            }
        }
        let promised = |dir: DirId| (dir, schedule.of(dir).turns);
        let promises = dirs.ids().map(promised).filter(|(_, turns)| Turns(0) < *turns).collect();
        let total = schedule.total;
        let queue = ReadyQueue::new(&dirs, &schedule);
        self.loops = Some(Loops {
            dirs,
            schedule,
            queue,
            running: BTreeMap::new(),
            attempts: BTreeMap::new(),
            losses: BTreeMap::new(),
            fresh: 0,
            reused: 0,
            // Whoever knows what became of the plan asks nobody.
            revisions: if foreseen.is_some() { usize::MAX } else { 0 },
            is_revising: false,
            is_refusing: false,
            rounds: 0,
            is_choosing: false,
        });
        self.phase = Phase::Looping;
        vec![Effect::OpenLedger { total, promises }]
    }

    fn finished(&mut self, dir: DirId, attempt: u32, end: DirEnd) -> Vec<Effect> {
        let note = self.loops.as_mut().and_then(|loops| loops.finish(dir, attempt, end));
        self.notes.extend(note);
        Vec::new()
    }

    fn lost(&mut self, dir: DirId, attempt: u32, reason: String) -> Vec<Effect> {
        let Some(loops) = &mut self.loops else { return Vec::new() };
        if !loops.is_current(dir, attempt) {
            return Vec::new();
        }
        let losses = loops.losses.entry(dir).or_insert(0);
        *losses += 1;
        if *losses < MOST_LOSSES {
            loops.hand_back(dir, attempt);
            return Vec::new();
        }
        let path = loops.dirs.path(dir).clone();
        loops.finish(dir, attempt, DirEnd::Done);
        self.notes.push(RunNote::GivenUp { path, reason: reason.clone() });
        vec![Effect::GiveUp { dir, reason }]
    }

    fn revised(&mut self, revision: Option<Revision>) -> Vec<Effect> {
        let Some(loops) = &mut self.loops else { return Vec::new() };
        if !std::mem::take(&mut loops.is_revising) || self.phase != Phase::Looping {
            return Vec::new();
        }
        let Some(revision) = revision else { return Vec::new() };
        let queue = &loops.queue;
        let (changes, warnings) =
            apply_revision(&revision, &loops.dirs, &loops.schedule, |dir| queue.has_started(dir));
        self.notes.extend(warnings.into_iter().map(RunNote::Plan));
        let effects = changes
            .iter()
            .map(|(dir, change)| Effect::Repromise { dir: *dir, turns: change.turns })
            .collect();
        for (dir, change) in changes {
            loops.schedule.allocations[dir.0 as usize] = change;
        }
        loops.queue.follow(&loops.dirs, &loops.schedule);
        effects
    }

    fn refine(&mut self, dirs: &[DirId]) -> Vec<Effect> {
        let Some(loops) = &mut self.loops else { return Vec::new() };
        if !std::mem::take(&mut loops.is_choosing) || self.phase != Phase::Looping {
            return Vec::new();
        }
        let reopened = loops.reopen(dirs);
        if reopened.is_empty() {
            loops.rounds = u32::MAX;
        }
        // What was only known in part gets another chance; how it ends then is told anew.
        self.notes
            .retain(|note| !matches!(note, RunNote::PartialDir { path, .. } | RunNote::FilledIn { path, .. } if reopened.contains(path)));
        Vec::new()
    }

    fn limited(&mut self, reason: String, rest: Rest) -> Vec<Effect> {
        // The first limit is the one that is told. Another one can only end what the analyst still does.
        let reason = match &self.limit {
            _ if self.phase == Phase::Ended => return Vec::new(),
            Some((_, before)) if rest == Rest::Analyst || *before == Rest::LeftOut => return Vec::new(),
            Some((first, _)) => first.clone(),
            None => reason,
        };
        self.limit = Some((reason, rest));
        self.stop_all(Stop::Flush)
    }

    fn without_model(&mut self, reason: String) -> Vec<Effect> {
        if self.phase == Phase::Ended {
            return Vec::new();
        }
        let mut effects = self.stop_all(Stop::Keep);
        effects.extend(self.end(RunEnd::Failed { reason }));
        effects
    }

    fn pause(&mut self, reason: String) -> Vec<Effect> {
        if self.paused.is_some() || self.phase == Phase::Ended {
            return Vec::new();
        }
        self.paused = Some(reason);
        self.stop_all(Stop::Keep)
    }

    fn cancel(&mut self) -> Vec<Effect> {
        if self.is_cancelled || self.phase == Phase::Ended {
            return Vec::new();
        }
        self.is_cancelled = true;
        if self.phase == Phase::Looping { self.stop_all(Stop::Keep) } else { self.end(RunEnd::Cancelled) }
    }

    fn stop_all(&mut self, how: Stop) -> Vec<Effect> {
        let Some(loops) = &mut self.loops else { return Vec::new() };
        let mut effects = Vec::new();
        for (dir, running) in &mut loops.running {
            // Whoever was told to stop and keep its work may still be told to write it down.
            if !running.is_stopped || how == Stop::Flush {
                running.is_stopped = true;
                effects.push(Effect::Stop { dir: *dir, how });
            }
        }
        effects
    }

    fn synthesised(&mut self, failure: Option<String>) -> Vec<Effect> {
        if self.phase == Phase::Synthesising {
            self.notes.extend(failure.map(|reason| RunNote::NoSynthesis { reason }));
        }
        self.step(Phase::Synthesising, Phase::Reporting, Effect::Report)
    }

    fn reported(&mut self) -> Vec<Effect> {
        if self.phase != Phase::Reporting {
            return Vec::new();
        }
        let mut reasons: Vec<String> = self.limit.iter().map(|(reason, _)| reason.clone()).collect();
        let count = |is_it: fn(&RunNote) -> bool| self.notes.iter().filter(|note| is_it(note)).count();
        let partial = count(|note| matches!(note, RunNote::PartialDir { .. } | RunNote::GivenUp { .. }));
        if 0 < partial {
            let word = if partial == 1 { "directory" } else { "directories" };
            reasons.push(format!("{partial} {word} could be looked at only in part"));
        }
        let filled_in = count(|note| matches!(note, RunNote::FilledIn { .. }));
        if 0 < filled_in {
            let words = if filled_in == 1 { "directory was" } else { "directories were" };
            reasons.push(format!("{filled_in} {words} looked at by the analyst in place of the model"));
        }
        let left_out = self.loops.as_ref().map_or(0, |loops| loops.schedule.left_out.len());
        if 0 < left_out {
            let word = if left_out == 1 { "directory was" } else { "directories were" };
            reasons.push(format!("{left_out} {word} left out: there were too few turns"));
        }
        let unwritten = self.notes.iter().find_map(|note| match note {
            RunNote::NoSynthesis { reason } => Some(reason),
            RunNote::NoSurvey
            | RunNote::NoPlan
            | RunNote::Plan(_)
            | RunNote::PartialDir { .. }
            | RunNote::FilledIn { .. }
            | RunNote::GivenUp { .. }
            | RunNote::NotReached { .. } => None,
        });
        if let Some(reason) = unwritten {
            reasons.push(format!("the report was put together without a model, by the analyst: {reason}"));
        }
        self.end(if reasons.is_empty() { RunEnd::Done } else { RunEnd::Partial { reasons } })
    }

    fn end(&mut self, end: RunEnd) -> Vec<Effect> {
        self.phase = Phase::Ended;
        vec![Effect::End(end)]
    }

    /// Does everything that the state allows: starts directories, breaks a deadlock, goes to the next phase.
    fn pump(&mut self, effects: &mut Vec<Effect>) {
        if self.phase != Phase::Looping {
            return;
        }
        let Some(loops) = &mut self.loops else { return };
        if self.is_cancelled {
            if loops.running.is_empty() {
                effects.extend(self.end(RunEnd::Cancelled));
            }
            return;
        }
        let is_limited = self.limit.is_some();
        if let Some((_, Rest::LeftOut)) = self.limit {
            if loops.running.is_empty() {
                let missed = loops.drop_the_rest();
                self.notes.extend(missed.into_iter().map(|path| RunNote::NotReached { path }));
                self.phase = Phase::Evaluating;
                effects.push(Effect::Evaluate);
            }
            return;
        }
        if self.paused.is_some() {
            return;
        }
        while loops.active() < self.capacity as usize
            && let Some(dir) = loops.queue.take()
        {
            let attempt = loops.begin(dir);
            effects.push(Effect::Begin { dir, attempt });
        }
        if loops.is_stuck() && !std::mem::replace(&mut loops.is_refusing, true) {
            effects.push(Effect::RefuseOne);
        }
        if !is_limited && loops.wants_revision() {
            effects.push(Effect::Revise);
        }
        if loops.queue.is_done() && (is_limited || !loops.is_choosing) {
            if !is_limited && loops.rounds < self.options.refinements {
                loops.rounds += 1;
                loops.is_choosing = true;
                effects.push(Effect::Refine { round: loops.rounds });
            } else {
                self.phase = Phase::Evaluating;
                effects.push(Effect::Evaluate);
            }
        }
    }

    /// Where it is.
    pub fn progress(&self) -> Progress {
        let loops = self.loops.as_ref();
        Progress {
            phase: self.phase,
            finished: loops.map_or(0, |loops| loops.fresh + loops.reused),
            reused: loops.map_or(0, |loops| loops.reused),
            open: loops.map_or(0, |loops| loops.queue.open()),
            running: loops.map_or(0, |loops| loops.running.len()),
            parked: loops.map_or(0, |loops| loops.running.len() - loops.active()),
            is_paused: self.paused.is_some(),
        }
    }

    /// The first look at the whole, once there is one.
    pub fn survey(&self) -> Option<&Survey> {
        self.survey.as_ref()
    }

    /// What each directory gets, once that is decided.
    pub fn schedule(&self) -> Option<Planned<'_>> {
        self.loops.as_ref().map(|loops| (&loops.schedule, &loops.dirs))
    }

    /// How important a directory is to those who wait for turns.
    pub fn band(&self, dir: DirId) -> Band {
        self.loops.as_ref().map_or(Band(1), |loops| loops.schedule.of(dir).tier.into())
    }

    /// What a reader of the report should know.
    pub fn notes(&self) -> &[RunNote] {
        &self.notes
    }

    /// Why it is paused, if it is.
    pub fn paused(&self) -> Option<&str> {
        self.paused.as_deref()
    }
}
