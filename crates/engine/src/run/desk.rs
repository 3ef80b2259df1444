//! The state of a run: what it holds, how effects are carried out, what workers say.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use luminos_agent::TargetLibrary;
use luminos_core::entry::{DirEntry, Stamp};
use luminos_core::flag::{Flag, Severity};
use luminos_core::job::{Child, JobId, Mind, News, Reception};
use luminos_core::plan::{Dirs, Plan, Revision, Turns};
use luminos_core::report::Report;
use luminos_core::run::{Effect, Event, Phase, Run, RunOptions, Stop};
use luminos_core::scan::{DirId, Scan};
use luminos_core::spend::{Money, Tokens};
use luminos_core::survey::{Survey, is_small};
use luminos_core::talk::Pass;
use luminos_core::turns::{Ledger, Posting};
use luminos_core::{ContentHash, RelPath, Untrusted};
use luminos_scan::{Progress, Scanned};
use luminos_store::{Investigation, Meta, State, Store, StoredPlan, Urgency, Writer};
use luminos_wire::control::{ActiveDir, RunEvent, RunLimits, Snapshot};
use luminos_wire::worker::{Answer, Confinement, Question};
use ractor::ActorRef;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::audience::Audience;
use super::loops::{self, Circumstances, Loop, Recalled, TurnLine};
use super::passes::Table;
use super::{MakeFabric, Msg, RunSetup, keys};
use crate::base_scan::{Memory, ScanRequest, base_scan};
use crate::budget::{BudgetHandle, BudgetNews, BudgetSetup, BudgetTotals, StoredJournal};
use crate::fabric::{Fabric, FabricEvent};
use crate::gateway::GatewayTotals;
use crate::minds::Minds;
use crate::planner::PlannerHandle;

pub(super) struct Desk {
    pub(super) myself: ActorRef<Msg>,
    pub(super) run: Run,
    pub(super) investigation: Investigation,
    pub(super) writer: Writer,
    pub(super) meta: Meta,
    pub(super) minds: Minds,
    pub(super) planner: PlannerHandle,
    pub(super) budget: BudgetHandle,
    pub(super) clock: fn() -> Stamp,
    pub(super) name: String,
    pub(super) scan: Option<Arc<Scan>>,
    /// What is known of each directory, from this run or an earlier one.
    pub(super) entries: BTreeMap<RelPath, Arc<DirEntry>>,
    pub(super) flags: Vec<Flag>,
    /// Directories that finished in this run, and what their calls used.
    pub(super) finished: BTreeMap<DirId, (Tokens, Option<Money>)>,
    pub(super) loops: HashMap<RelPath, Loop>,
    pub(super) limit: Option<String>,
    pub(super) refresh_plan: bool,
    pub(super) stored_plan: Option<Box<StoredPlan>>,
    pub(super) failed_passes: Vec<String>,
    /// What a reader of the report must know about how it came about.
    pub(super) degraded: Vec<String>,
    pub(super) report: Option<Report>,
    pub(super) report_key: Option<ContentHash>,
    pub(super) is_report_reused: bool,
    pub(super) audience: Audience,
    pub(super) fabric: Option<Arc<dyn Fabric>>,
    pub(super) on_end: Option<Box<dyn FnOnce() + Send>>,
    pub(super) spent: GatewayTotals,
    pub(super) turn_totals: BudgetTotals,
    pub(super) started: Instant,
    make_fabric: Option<MakeFabric>,
    library: Option<Arc<TargetLibrary>>,
    store: Store,
    target: PathBuf,
    walk: luminos_scan::Options,
    limits: RunLimits,
    is_resumed: bool,
    pub(super) plan_only: bool,
    pub(super) state_before: Option<State>,
    nonce: String,
    /// How far earlier lives got: this life counts on from there.
    earlier: HashMap<RelPath, Earlier>,
    is_counting: bool,
    /// What earlier runs of the investigation had used.
    pub(super) used_before: luminos_store::Counters,
}

impl Desk {
    pub(super) async fn new(
        myself: ActorRef<Msg>,
        setup: RunSetup,
    ) -> Result<Self, ractor::ActorProcessingErr> {
        let RunSetup { store, writer, investigation, meta, is_resumed, target, walk, minds, limits, .. } =
            setup;
        let mut run = Run::new(RunOptions { most_turns: limits.turns });
        run.on(Event::Capacity { loops: setup.loops });
        let ledger = if is_resumed { replayed(&investigation)? } else { Ledger::new() };
        let earlier =
            |dir: &RelPath| Earlier { attempt: ledger.attempt(dir), has_ended: ledger.has_ended(dir) };
        let earlier = ledger.dirs().map(|dir| (dir.clone(), earlier(dir))).collect();
        let news = myself.clone();
        let budget = BudgetHandle::start(BudgetSetup {
            ledger,
            journal: Box::new(StoredJournal::new(investigation.clone(), writer.clone())),
            news: Box::new(move |told| drop(news.cast(Msg::Budget(told)))),
        });
        let budget = budget.await?;
        let (entries, problems) = investigation.dir_entries();
        for problem in problems {
            // What cannot be used is made again; until then it must not be in the way.
            tracing::warn!(%problem, "an entry cannot be used");
            let _ = writer.quarantine(&problem).await;
        }
        let (flags, _) = investigation.flags().unwrap_or_default();
        let used_before = meta.counters;
        let name = target.file_name().unwrap_or(target.as_os_str());
        let name = Untrusted::new(name.as_encoded_bytes()).for_terminal();
        Ok(Self {
            myself,
            run,
            investigation,
            writer,
            meta,
            minds,
            planner: setup.planner,
            budget,
            clock: setup.clock,
            name,
            scan: None,
            entries: entries
                .into_iter()
                .map(|entry| (entry.relative_path.clone(), Arc::new(entry)))
                .collect(),
            flags,
            finished: BTreeMap::new(),
            loops: HashMap::new(),
            limit: None,
            refresh_plan: setup.refresh_plan,
            stored_plan: None,
            failed_passes: Vec::new(),
            degraded: Vec::new(),
            report: None,
            report_key: None,
            is_report_reused: false,
            audience: Audience::default(),
            fabric: None,
            on_end: Some(setup.on_end),
            spent: GatewayTotals::default(),
            turn_totals: BudgetTotals::default(),
            started: Instant::now(),
            make_fabric: Some(setup.fabric),
            library: None,
            store,
            target,
            walk,
            limits,
            is_resumed,
            plan_only: setup.plan_only,
            state_before: setup.state_before,
            nonce: setup.nonce,
            earlier,
            is_counting: false,
            used_before,
        })
    }

    /// Tells the state machine what happened, and does what follows.
    pub(super) fn feed(&mut self, event: Event) {
        let mut effects: VecDeque<Effect> = self.run.on(event).into();
        while let Some(effect) = effects.pop_front() {
            if let Some(event) = self.carry_out(effect) {
                effects.extend(self.run.on(event));
            }
        }
    }

    /// Does something; says what came of it where that is known at once.
    fn carry_out(&mut self, effect: Effect) -> Option<Event> {
        match effect {
            Effect::Scan => self.begin_scan(),
            Effect::Survey => self.survey(),
            Effect::Plan => self.plan(),
            Effect::OpenLedger { total, promises } => return self.open_ledger(total, promises),
            // Whoever only wants the plan wants nobody to begin with it.
            Effect::Begin { dir, attempt } if self.plan_only => {
                return Some(Event::Returned { dir, attempt });
            }
            Effect::Begin { dir, attempt } => return self.begin(dir, attempt),
            Effect::GiveUp { dir, reason } => self.give_up(dir, reason),
            Effect::Stop { dir, how } => self.stop(dir, how),
            Effect::RefuseOne => self.budget.post(Posting::RefuseOne),
            Effect::Revise => self.revise(),
            Effect::Repromise { dir, turns } => self.repromise(dir, turns),
            Effect::Evaluate => self.evaluate(),
            Effect::Synthesise => self.synthesise(),
            Effect::Report => self.count_and_write(),
            Effect::End(end) => self.end(end),
        }
        None
    }

    fn begin_scan(&mut self) {
        let (target, options) = (self.target.clone(), self.walk.clone());
        let home = self.store.home().to_owned();
        let myself = self.myself.clone();
        tokio::task::spawn_blocking(move || {
            let request = ScanRequest { target: &target, options, home: &home, memory: Memory::Used };
            let (scanned, warning) = base_scan(request, &Progress::default());
            if let Some(warning) = warning {
                tracing::warn!(%warning, "the scan will not be remembered");
            }
            let scanned = scanned.map_err(|error| error.to_string());
            let _ = myself.cast(Msg::Scanned(Box::new(scanned)));
        });
    }

    pub(super) fn scanned(&mut self, scanned: Result<Scanned, String>) {
        let scan = match scanned {
            Ok(scanned) => Arc::new(scanned.scan),
            Err(reason) => return self.feed(Event::ScanFailed { reason }),
        };
        self.library = TargetLibrary::open(&self.target, Arc::clone(&scan)).ok().map(Arc::new);
        let event = Event::Scanned { dirs: Dirs::of(&scan), is_small: is_small(&scan) };
        self.scan = Some(scan);
        self.feed(event);
    }

    pub(super) fn surveyed(&mut self, survey: Option<Survey>, note: Option<String>) {
        self.failed_passes.extend(note);
        self.feed(Event::Surveyed { survey });
    }

    pub(super) fn planned(
        &mut self,
        plan: Option<Plan>,
        stored: Option<Box<StoredPlan>>,
        note: Option<String>,
    ) {
        self.failed_passes.extend(note);
        self.stored_plan = stored;
        self.feed(Event::Planned { plan });
    }

    pub(super) fn revised(&mut self, revision: Option<Revision>, stored: Option<Box<StoredPlan>>) {
        if stored.is_some() {
            self.stored_plan = stored;
        }
        self.feed(Event::Revised { revision });
    }

    fn open_ledger(&mut self, total: Turns, promises: Vec<(DirId, Turns)>) -> Option<Event> {
        if let Some((schedule, _)) = self.run.schedule() {
            let count = |is_it: fn(&luminos_core::plan::Allocation) -> bool| {
                schedule.allocations.iter().filter(|allocation| is_it(allocation)).count() as u64
            };
            use luminos_core::plan::Tier;
            let tiers = [
                count(|allocation| allocation.is_investigated() && allocation.tier == Tier::Priority),
                count(|allocation| allocation.is_investigated() && allocation.tier == Tier::Default),
                count(|allocation| allocation.is_investigated() && allocation.tier == Tier::Shallow),
                count(|allocation| !allocation.is_investigated()),
            ];
            self.audience.tell(&RunEvent::Planned { order: schedule.order, tiers, turns: total });
        }
        if self.plan_only {
            return Some(Event::Cancel);
        }
        let opening = if self.is_resumed { Posting::Limit { total } } else { Posting::Open { total } };
        self.budget.post(opening);
        for (dir, turns) in promises {
            let dir = self.path(dir);
            // What an earlier life had begun goes on with what it had.
            if !self.earlier.contains_key(&dir) {
                self.budget.post(Posting::Promise { dir, turns });
            }
        }
        None
    }

    fn path(&self, dir: DirId) -> RelPath {
        self.run.schedule().map(|(_, dirs)| dirs.path(dir).clone()).unwrap_or_default()
    }

    /// A directory may begin: what is known of it still counts, or somebody gets to work.
    fn begin(&mut self, dir: DirId, attempt: u32) -> Option<Event> {
        let scan = Arc::clone(self.scan.as_ref()?);
        let path = self.path(dir);
        let key =
            keys::dir_key(&scan, dir, |child| self.seen(child), self.run.survey(), self.meta.parameters_hash);
        if self.entries.get(&path).is_some_and(|entry| entry.key == Some(key) && !entry.partial) {
            self.budget.post(Posting::Release { dir: path });
            return Some(Event::Reused { dir });
        }
        // Its old flags are void: whoever looks at it again raises them again.
        self.flags.retain(|flag| flag.directory != path);
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
        self.loops.insert(path.clone(), Loop::new(dir, job.clone(), attempt, key, allowed));
        if self.minds.mind(Pass::Dir) == Mind::Offline {
            self.budget.post(Posting::Refund { dir: path, attempt: job.attempt });
            self.offer(&job);
        } else if self.is_resumed || 1 < attempt {
            self.recall(job, key);
        } else {
            self.offer(&job);
        }
        None
    }

    /// Reads what an earlier life of a directory had said and heard.
    fn recall(&self, job: JobId, key: ContentHash) {
        let (investigation, myself) = (self.investigation.clone(), self.myself.clone());
        tokio::task::spawn_blocking(move || {
            let lines = investigation.transcript::<TurnLine>(&job.dir);
            let lines = lines.map(luminos_store::Records::into_bodies).unwrap_or_default();
            let recalled = Recalled::from_lines(lines, key);
            let _ = myself.cast(Msg::Recalled { job, recalled });
        });
    }

    pub(super) fn recalled(&mut self, job: &JobId, recalled: Recalled) {
        let Some(work) = self.loops.get_mut(&job.dir).filter(|work| work.job == *job) else { return };
        work.take_up(recalled);
        self.offer(job);
    }

    /// Gives a directory to whoever works.
    fn offer(&mut self, job: &JobId) {
        if self.fabric.is_none()
            && let Some(make) = self.make_fabric.take()
        {
            let myself = self.myself.clone();
            self.fabric = make(Box::new(move |event| drop(myself.cast(Msg::Fabric(event)))));
        }
        let (Some(scan), Some(work), Some((schedule, _))) =
            (&self.scan, self.loops.get(&job.dir), self.run.schedule())
        else {
            return;
        };
        let around = Circumstances {
            scan,
            target_name: &self.name,
            mind: self.minds.mind(Pass::Dir),
            survey: self.run.survey(),
            plan_notes: self.stored_plan.as_ref().map_or("", |stored| &stored.plan.notes),
            context_budget: self.minds.context_budget(Pass::Dir),
            nonce: &self.nonce,
        };
        let children = scan.children_of(work.dir).map(|child| self.child(child)).collect();
        let assignment = loops::assignment(&around, work, schedule.of(work.dir), children);
        if let Some(fabric) = &self.fabric {
            fabric.offer(Box::new(assignment));
        }
    }

    fn child(&self, dir: DirId) -> Child {
        let path = self.path(dir);
        let allocation = self.run.schedule().map(|(schedule, _)| schedule.of(dir).clone());
        match (self.entries.get(&path), allocation) {
            (_, Some(allocation)) if !allocation.is_investigated() => {
                Child::Skipped { path, reason: allocation.reason }
            }
            (Some(entry), _) => Child::Done(Box::new((**entry).clone())),
            (None, _) => Child::Missing { path, reason: "it could not be looked at".to_owned() },
        }
    }

    /// Writes down that nothing can be said about a directory.
    fn give_up(&mut self, dir: DirId, reason: String) {
        let path = self.path(dir);
        let Some(work) = self.loops.remove(&path) else { return };
        self.budget.post(Posting::End { dir: path, attempt: work.job.attempt });
        let Some(scan) = &self.scan else { return };
        let report = luminos_core::job::DirReport {
            summary: "Nothing is known about this directory: its worker died each time it was tried."
                .to_owned(),
            ..Default::default()
        };
        let mut entry = loops::entry(scan, &work, report, Some(reason), (self.clock)());
        entry.digest = Some(keys::digest(&entry));
        let receipt = self.investigation.put_dir_entry(&self.writer, &entry);
        self.entries.insert(entry.relative_path.clone(), Arc::new(entry));
        let myself = self.myself.clone();
        tokio::spawn(async move {
            if let Err(error) = receipt.await {
                let _ = myself.cast(Msg::StoreFailed(error));
            }
        });
    }

    fn stop(&mut self, dir: DirId, how: Stop) {
        let path = self.path(dir);
        if let (Some(work), Some(fabric)) = (self.loops.get(&path), &self.fabric) {
            fabric.revoke(&work.job, how == Stop::Flush);
        }
    }

    fn repromise(&mut self, dir: DirId, turns: Turns) {
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
                self.limit_reached(format!("no worker can be started: {reason}"));
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
        tokio::spawn(async move {
            let loan = budget.borrow(job.dir.clone(), job.attempt, turns, band).await;
            if let luminos_core::job::Loan::Granted(turns) = &loan {
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

    fn news(&mut self, job: &JobId, number: u32, news: News) {
        let Some(work) = self.loops.get_mut(&job.dir).filter(|work| work.job == *job) else { return };
        if work.heard.is_some_and(|heard| number <= heard) {
            return;
        }
        work.heard = Some(number);
        match news {
            News::Turn(turn) => {
                work.turns = turn;
                self.budget.post(Posting::Spend { dir: job.dir.clone(), attempt: job.attempt, turn });
            }
            News::Served(served) => work.served.extend(served),
            News::Tool(line) => {
                let line = LogLine { directory: &job.dir, timestamp: (self.clock)(), call: &line };
                drop(self.investigation.log_line(&self.writer, &line));
            }
            News::Flag(flag) => {
                drop(self.investigation.append_flag(&self.writer, &flag));
                self.audience.tell(&RunEvent::Flag(flag.clone()));
                self.flags.push(flag);
            }
            News::File(mut entry) => {
                entry.path = format!("{}/{}", self.meta.display, entry.relative_path.for_terminal());
                entry.cached_at = (self.clock)();
                drop(self.investigation.put_file_entry(&self.writer, &entry));
            }
        }
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
        if let Some(fabric) = &self.fabric {
            fabric.answer(job, question, answer);
        }
    }

    pub(super) fn budget_news(&mut self, news: BudgetNews) {
        let dir = |path: &RelPath| self.loops.get(path).map(|work| work.dir);
        match news {
            BudgetNews::Parked(path) => {
                if let Some(dir) = dir(&path) {
                    self.feed(Event::Parked { dir });
                }
            }
            BudgetNews::Unparked(path) => {
                if let Some(dir) = dir(&path) {
                    self.feed(Event::Unparked { dir });
                }
            }
        }
    }

    pub(super) fn limit_reached(&mut self, reason: String) {
        if self.limit.is_none() {
            self.limit = Some(reason.clone());
            self.budget.post(Posting::Close);
            self.audience.tell(&RunEvent::Note(reason.clone()));
            self.feed(Event::Limit { reason });
        }
    }

    /// The store cannot be written: nothing more begins until somebody has seen to it.
    pub(super) fn store_failed(&mut self, error: &luminos_store::Error) {
        let reason = match error.hint() {
            Some(hint) => format!("{error} (hint: {hint})"),
            None => error.to_string(),
        };
        tracing::error!(reason, "the store cannot be written");
        if self.run.paused().is_some() {
            return;
        }
        self.meta.state = State::Paused { reason: reason.clone() };
        drop(self.investigation.put_meta(&self.writer, &self.meta, Urgency::LastWords));
        self.audience.tell(&RunEvent::Note(format!("paused: {reason}")));
        self.feed(Event::Pause { reason });
    }

    pub(super) fn library(&self) -> Option<Arc<TargetLibrary>> {
        self.library.clone()
    }

    /// What a pass of the whole works with, once the target was scanned.
    pub(super) fn table(&self) -> Option<Table> {
        Some(Table {
            scan: Arc::clone(self.scan.as_ref()?),
            name: self.name.clone(),
            nonce: self.nonce.clone(),
            minds: self.minds.clone(),
            investigation: self.investigation.clone(),
            writer: self.writer.clone(),
            is_resumed: self.is_resumed,
        })
    }

    pub(super) fn cost(&self) -> Option<Money> {
        (self.spent.unpriced == 0).then_some(self.spent.spent.money)
    }

    pub(super) fn subscribe(&mut self) -> (Snapshot, mpsc::Receiver<RunEvent>) {
        let events = self.audience.join();
        (self.snapshot(), events)
    }

    pub(super) fn snapshot(&self) -> Snapshot {
        let progress = self.run.progress();
        let mut active: Vec<ActiveDir> = self
            .loops
            .values()
            .map(|work| ActiveDir {
                dir: work.job.dir.clone(),
                turn: work.turns,
                turns: work.allowed,
                state: None,
            })
            .collect();
        active.sort_by(|a, b| a.dir.cmp(&b.dir));
        let flags = |severity| self.flags.iter().filter(|flag| flag.severity == severity).count() as u64;
        Snapshot {
            investigation: self.investigation.id().to_string(),
            target: self.meta.display.clone(),
            phase: phase_word(progress.phase).to_owned(),
            dirs_done: progress.finished as u64,
            dirs_reused: progress.reused as u64,
            dirs_total: (progress.finished + progress.open) as u64,
            turns_used: u64::from(self.turn_totals.used.0),
            turns_total: u64::from(self.turn_totals.total.0),
            active,
            parked: progress.parked as u64,
            tokens: self.spent.spent.tokens,
            cost: self.cost(),
            flags: [flags(Severity::Info), flags(Severity::Concern), flags(Severity::Critical)],
            seconds: self.started.elapsed().as_secs(),
            paused: self.run.paused().map(str::to_owned),
        }
    }

    /// Tells clients where the run is, and looks at the clock.
    pub(super) fn tick(&mut self) {
        if let Some(seconds) = self.limits.seconds
            && seconds * 9 / 10 <= self.started.elapsed().as_secs()
        {
            self.limit_reached(format!("the time limit of {seconds} s was reached"));
        }
        if !std::mem::replace(&mut self.is_counting, true) {
            let (minds, budget, myself) = (self.minds.clone(), self.budget.clone(), self.myself.clone());
            tokio::spawn(async move {
                let spent = minds.totals().await.unwrap_or_default();
                let turns = budget.totals().await;
                let _ = myself.cast(Msg::Counted { spent: Box::new(spent), turns });
            });
        }
    }

    /// Counts what was used, and then writes the report.
    fn count_and_write(&mut self) {
        let (minds, budget, myself) = (self.minds.clone(), self.budget.clone(), self.myself.clone());
        tokio::spawn(async move {
            let spent = minds.totals().await.unwrap_or_default();
            let turns = budget.totals().await;
            let _ = myself.cast(Msg::Counted { spent: Box::new(spent), turns });
            let _ = myself.cast(Msg::WriteReport);
        });
    }

    pub(super) fn counted(&mut self, spent: GatewayTotals, turns: BudgetTotals) {
        self.is_counting = false;
        self.spent = spent;
        self.turn_totals = turns;
        if !self.audience.is_empty() && self.run.progress().phase != Phase::Ended {
            let snapshot = Box::new(self.snapshot());
            self.audience.tell(&RunEvent::Progress(snapshot));
        }
    }
}

/// How far an earlier life got with a directory.
#[derive(Debug, Clone, Copy, Default)]
struct Earlier {
    attempt: u32,
    has_ended: bool,
}

/// A line of the investigation's log.
#[derive(serde::Serialize)]
struct LogLine<'a> {
    directory: &'a RelPath,
    timestamp: Stamp,
    #[serde(flatten)]
    call: &'a luminos_core::job::ToolLine,
}

/// The ledger as its journal left it. Whoever waited in it is gone.
fn replayed(investigation: &Investigation) -> Result<Ledger, ractor::ActorProcessingErr> {
    let mut ledger = Ledger::new();
    for posting in investigation.budget::<Posting>()?.into_bodies() {
        // The journal holds only what the ledger allowed, so it allows it again.
        ledger.post(&posting)?;
    }
    ledger.forget_waiting();
    Ok(ledger)
}

fn phase_word(phase: Phase) -> &'static str {
    match phase {
        Phase::Waiting => "waiting",
        Phase::Scanning => "scanning",
        Phase::Surveying => "surveying",
        Phase::Planning => "planning",
        Phase::Looping => "looping",
        Phase::Evaluating => "evaluating",
        Phase::Synthesising => "synthesising",
        Phase::Reporting => "reporting",
        Phase::Ended => "ended",
    }
}
