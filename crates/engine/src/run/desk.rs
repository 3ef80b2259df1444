//! The state of a run: what it holds, how effects are carried out, what workers say.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use luminos_core::entry::{DirEntry, FileEntry, Stamp};
use luminos_core::evaluation::Evaluation;
use luminos_core::flag::Flag;
use luminos_core::job::Mind;
use luminos_core::report::{Report, SecondJudge};
use luminos_core::run::{Effect, Event, Rest, Run, RunOptions};
use luminos_core::scan::{DirId, Scan};
use luminos_core::spend::{Limits, Money, Passed, Tokens};
use luminos_core::talk::Pass;
use luminos_core::turns::{Ledger, Posting};
use luminos_core::{ContentHash, RelPath, TargetKind, Untrusted};
use luminos_store::{Investigation, Meta, Problem, State, Store, StoredPlan, Writer};
use luminos_tools::library::TargetLibrary;
use luminos_wire::control::{RunEvent, RunLimits};
use ractor::ActorRef;
use tokio::sync::watch;
use tokio::time::Instant;

use super::audience::Audience;
use super::loops::{Loop, redacted_before};
use super::passes::Table;
use super::refinement::Refinement;
use super::{MakeFabric, Msg, RunSetup};
use crate::budget::{BudgetHandle, BudgetNews, BudgetSetup, BudgetTotals, StoredJournal};
use crate::fabric::Fabric;
use crate::gateway::GatewayTotals;
use crate::minds::Minds;
use crate::planner::PlannerHandle;

mod plan;
mod target;

pub(super) use target::Known;

pub(super) struct Desk {
    pub(super) myself: ActorRef<Msg>,
    pub(super) run: Run,
    pub(super) investigation: Investigation,
    pub(super) writer: Writer,
    /// For what loops find out: nobody waits for what the analyst says.
    pub(super) notes: Writer,
    pub(super) meta: Meta,
    pub(super) minds: Minds,
    pub(super) planner: PlannerHandle,
    pub(super) budget: BudgetHandle,
    pub(super) clock: fn() -> Stamp,
    pub(super) name: String,
    /// Where the target lies, for people.
    pub(super) display: String,
    pub(super) scan: Option<Arc<Scan>>,
    /// What the target is, decided from the scan.
    pub(super) target_kind: TargetKind,
    /// Which directory was scanned, whatever its path.
    pub(super) identity: Option<String>,
    /// What to say of a target that vanished while it was looked at.
    pub(super) target_gone: Option<String>,
    /// How many directories lie too deep to be looked at on their own.
    pub(super) folded: u64,
    /// What the analyst reads beside the scan: see `luminos_analyst::surroundings`.
    pub(super) around: ContentHash,
    /// What is known of each directory, from this run or an earlier one.
    pub(super) entries: BTreeMap<RelPath, Arc<DirEntry>>,
    /// What the analyst has noted in this run of the files of each directory, without what it rests on.
    pub(super) gists: BTreeMap<RelPath, Vec<FileEntry>>,
    /// The flags of the report that this run has made. Before, they stand in entries and loops.
    pub(super) flags: Vec<Flag>,
    /// How many directories the report tells of.
    pub(super) dirs_known: u64,
    /// Flags of earlier runs that the report leaves out because they are void.
    pub(super) void_flags: u64,
    /// How many secrets earlier lives of the run have taken out of what they sent to models.
    pub(super) redacted_before: u64,
    /// Directories that finished in this run, and what their calls used.
    pub(super) finished: BTreeMap<DirId, (Tokens, Option<Money>)>,
    pub(super) loops: HashMap<RelPath, Loop>,
    pub(super) limit: Option<String>,
    /// What kind of an end that limit is: a model that keeps failing ends a run, too.
    pub(super) limit_end: luminos_core::end::EndKind,
    /// Whether not even the analyst looks at what is left any more.
    pub(super) is_left_out: bool,
    /// Directories of which the words of an earlier run were kept, with the reason why there are no newer ones.
    pub(super) kept_earlier: BTreeMap<RelPath, String>,
    pub(super) refresh_plan: bool,
    pub(super) stored_plan: Option<Box<StoredPlan>>,
    pub(super) failed_passes: Vec<String>,
    /// What a reader of the report must know about how it came about.
    pub(super) degraded: Vec<String>,
    /// What came of the plan.
    pub(super) evaluation: Option<Box<Evaluation>>,
    pub(super) report: Option<Report>,
    pub(super) report_key: Option<ContentHash>,
    pub(super) is_report_reused: bool,
    pub(super) audience: Audience,
    pub(super) fabric: Option<Arc<dyn Fabric>>,
    /// How many worker processes it may have, once the registry has said so.
    pub(super) workers: Option<usize>,
    pub(super) on_end: Option<Box<dyn FnOnce() + Send>>,
    pub(super) spent: GatewayTotals,
    /// What was told of providers that put calls off.
    pub(super) waits_told: HashSet<String>,
    pub(super) turn_totals: BudgetTotals,
    pub(super) started: Instant,
    /// Whether somebody has cancelled the run, for those who wait for a model.
    pub(super) cancelled: watch::Sender<bool>,
    pub(super) make_fabric: Option<MakeFabric>,
    pub(super) library: Option<Arc<TargetLibrary>>,
    pub(super) store: Store,
    pub(super) target: PathBuf,
    pub(super) walk: luminos_scan::Options,
    pub(super) limits: RunLimits,
    pub(super) is_resumed: bool,
    /// Whether nothing was written yet, because there may be nothing to do.
    pub(super) is_settled: bool,
    pub(super) plan_only: bool,
    pub(super) second_judge: bool,
    pub(super) show_secrets: bool,
    /// How often, at most, weak results are looked into again.
    pub(super) refinements: u32,
    /// What the second judge was asked in this run, and refuted.
    pub(super) tally: SecondJudge,
    pub(super) refinement: Refinement,
    pub(super) state_before: Option<State>,
    pub(super) nonce: String,
    /// How far earlier lives got: this life counts on from there.
    pub(super) earlier: HashMap<RelPath, Earlier>,
    /// What is known of the target, while it is not known whether anybody can be asked about it.
    pub(super) waiting: Option<Box<Known>>,
    /// Which investigation of the target was the current one before, if that was another.
    pub(super) current_before: Option<luminos_store::InvestigationId>,
    pub(super) is_counting: bool,
    /// Documents of the last run that could not be used, and are made again.
    pub(super) broken: Vec<Problem>,
    /// Why the store cannot be written now, while that is so.
    pub(super) waits_for_store: Option<String>,
    /// What could not be written.
    pub(super) store_failure: Option<String>,
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
        let foreseen = minds.recordings().and_then(|recordings| recordings.foreseen());
        let refinements = setup.refinements;
        let mut run = Run::new(RunOptions { most_turns: limits.turns, refinements, foreseen });
        run.on(Event::Capacity { loops: setup.loops });
        let ledger = if is_resumed {
            let investigation = investigation.clone();
            tokio::task::spawn_blocking(move || replayed(&investigation)).await??
        } else {
            Ledger::new()
        };
        let redacted_before = if is_resumed {
            let (investigation, run) = (investigation.clone(), setup.nonce.clone());
            tokio::task::spawn_blocking(move || redacted_before(&investigation, &run)).await?
        } else {
            0
        };
        let earlier =
            |dir: &RelPath| Earlier { attempt: ledger.attempt(dir), has_ended: ledger.has_ended(dir) };
        let earlier = ledger.dirs().map(|dir| (dir.clone(), earlier(dir))).collect();
        let news = myself.clone();
        let notes = match minds.mind(Pass::Dir) {
            Mind::Offline => writer.leisurely(),
            Mind::Remote => writer.clone(),
        };
        let budget = BudgetHandle::start(BudgetSetup {
            ledger,
            journal: Box::new(StoredJournal::new(investigation.clone(), notes.clone())),
            news: Box::new(move |told| drop(news.cast(Msg::Budget(told)))),
        });
        let budget = budget.await?.supervised_by(myself.get_cell());
        minds.link(myself.get_cell());
        let used_before = meta.before;
        let name = target.file_name().unwrap_or(target.as_os_str());
        let name = Untrusted::new(name.as_encoded_bytes()).for_terminal();
        let (name, display) = setup.called.unwrap_or((name, meta.display.clone()));
        Ok(Self {
            myself,
            run,
            investigation,
            writer,
            notes,
            meta,
            minds,
            planner: setup.planner,
            budget,
            clock: setup.clock,
            name,
            display,
            scan: None,
            target_kind: TargetKind::default(),
            identity: None,
            target_gone: None,
            folded: 0,
            around: ContentHash::default(),
            entries: BTreeMap::new(),
            gists: BTreeMap::new(),
            flags: Vec::new(),
            dirs_known: 0,
            void_flags: 0,
            redacted_before,
            finished: BTreeMap::new(),
            loops: HashMap::new(),
            limit: None,
            limit_end: luminos_core::end::EndKind::Limit,
            is_left_out: false,
            kept_earlier: BTreeMap::new(),
            refresh_plan: setup.refresh_plan,
            stored_plan: None,
            failed_passes: Vec::new(),
            degraded: Vec::new(),
            evaluation: None,
            report: None,
            report_key: None,
            is_report_reused: false,
            audience: Audience::default(),
            fabric: None,
            workers: None,
            on_end: Some(setup.on_end),
            spent: GatewayTotals::default(),
            waits_told: HashSet::new(),
            turn_totals: BudgetTotals::default(),
            started: Instant::now(),
            cancelled: watch::Sender::new(false),
            make_fabric: Some(setup.fabric),
            library: None,
            store,
            target,
            walk,
            limits,
            is_resumed,
            is_settled: setup.is_settled,
            plan_only: setup.plan_only,
            second_judge: setup.second_judge,
            show_secrets: setup.show_secrets,
            refinements,
            tally: SecondJudge::default(),
            refinement: Refinement::default(),
            state_before: setup.state_before,
            nonce: setup.nonce,
            earlier,
            waiting: None,
            current_before: setup.current_before,
            is_counting: false,
            broken: setup.broken,
            waits_for_store: None,
            store_failure: None,
            used_before,
        })
    }

    /// Something happened outside, or in a task of the run.
    pub(super) fn heard(&mut self, event: Event) {
        if event == Event::Cancel {
            // Nobody who waits for turns would ever hear of any, and no model is waited for: loops must return now.
            self.budget.post(Posting::Close);
            self.cancelled.send_replace(true);
        }
        if event == Event::Resume {
            self.store_failure = None;
        }
        self.feed(event);
    }

    /// There are other runs, or they are over.
    pub(super) fn share(&mut self, loops: u32, workers: usize) {
        self.workers = Some(workers);
        if let Some(fabric) = &self.fabric {
            fabric.share(workers);
        }
        self.feed(Event::Capacity { loops });
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
            Effect::Refine { round } => return self.refine(round),
            Effect::Repromise { dir, turns } => self.repromise(dir, turns),
            Effect::Evaluate => self.evaluate(),
            Effect::Synthesise => self.synthesise(),
            Effect::Report => self.count_and_write(),
            Effect::End(end) => self.end(end),
        }
        None
    }

    pub(super) fn path(&self, dir: DirId) -> RelPath {
        self.run.schedule().map(|(_, dirs)| dirs.path(dir).clone()).unwrap_or_default()
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

    /// Nobody asks models for directories any more. Where there were any, the analyst may look at what is left.
    pub(super) fn limit_reached(&mut self, reason: String, rest: Rest) {
        // Whatever runs out while a run is being cancelled is none of its limits.
        if *self.cancelled.borrow() {
            return;
        }
        let rest = if self.minds.mind(Pass::Dir) == Mind::Offline { Rest::LeftOut } else { rest };
        if self.limit.is_none() {
            self.limit = Some(reason.clone());
            self.budget.post(Posting::Close);
            self.audience.tell(&RunEvent::Note(reason.clone()));
        } else if rest == Rest::Analyst || self.is_left_out {
            return;
        }
        self.is_left_out = rest == Rest::LeftOut;
        self.feed(Event::Limit { reason, rest });
    }

    /// Waits for something to be kept; if that fails, the run pauses.
    pub(super) fn watch(&self, receipt: luminos_store::Receipt) {
        let myself = self.myself.clone();
        tokio::spawn(async move {
            if let Err(error) = receipt.await {
                let _ = myself.cast(Msg::StoreFailed(error));
            }
        });
    }

    /// When the result of a directory was written: now, or when it was recorded.
    pub(super) fn written_at(&self, dir: &RelPath) -> Stamp {
        let recorded = self.minds.recordings().and_then(|recordings| recordings.written_at(dir));
        recorded.unwrap_or_else(|| (self.clock)())
    }

    pub(super) fn library(&self) -> Option<Arc<TargetLibrary>> {
        self.library.clone()
    }

    /// What a pass of the whole works with, once the target was scanned.
    pub(super) fn table(&self) -> Option<Table> {
        Some(Table {
            scan: Arc::clone(self.scan.as_ref()?),
            kind: self.target_kind,
            name: self.name.clone(),
            nonce: self.nonce.clone(),
            minds: self.minds.clone(),
            investigation: self.investigation.clone(),
            writer: self.writer.clone(),
            run: self.myself.clone(),
            is_resumed: self.is_resumed,
            lost: self.broken.iter().filter_map(pass_of).collect(),
        })
    }

    /// What a reader is told of documents that had to be made again.
    pub(super) fn made_again(&self) -> Vec<String> {
        let words = |problem: &Problem| format!("`{}` was made again: {}", name_of(problem), problem.why);
        self.broken.iter().map(words).collect()
    }

    pub(super) fn cost(&self) -> Option<Money> {
        (self.spent.unpriced == 0).then_some(self.spent.spending.spent.money)
    }

    /// The user's limit that was passed because a provider reported more than was reserved.
    pub(super) fn passed(&self) -> Option<Passed> {
        self.spent.passed?;
        let limits = Limits { money: self.limits.cost, tokens: self.limits.tokens, ..Limits::default() };
        limits.passed_by(self.spent.spending)
    }
}

fn name_of(problem: &Problem) -> std::borrow::Cow<'_, str> {
    problem.path.file_name().unwrap_or_default().to_string_lossy()
}

/// The pass that has made a document, if a later run takes it as it is.
fn pass_of(problem: &Problem) -> Option<Pass> {
    match name_of(problem).as_ref() {
        "survey.json" => Some(Pass::Survey),
        "plan.json" => Some(Pass::Plan),
        _ => None,
    }
}

/// How far an earlier life got with a directory.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Earlier {
    pub(super) attempt: u32,
    pub(super) has_ended: bool,
}

/// The ledger as its journal left it. Whoever waited in it is gone.
fn replayed(investigation: &Investigation) -> Result<Ledger, ractor::ActorProcessingErr> {
    let mut ledger = Ledger::new();
    let journal = match investigation.budget::<Posting>() {
        // It is put aside with the first line that is added.
        Err(problem) if problem.is_worthless() => luminos_store::Records::default(),
        journal => journal?,
    };
    for posting in journal.into_bodies() {
        // The journal holds only what the ledger allowed, so it allows it again. Where a line was lost, what rests on that
        // one changes nothing.
        let _ = ledger.post(&posting);
    }
    ledger.forget_waiting();
    Ok(ledger)
}
