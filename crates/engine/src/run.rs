//! One investigation, under way.
//!
//! The actor owns the pure state machine `luminos_core::run::Run` and carries out its effects; what comes of them
//! arrives as messages. It awaits nothing: scans, passes, model calls, verdicts and writes are tasks that send word
//! when they are done. Everything that a crash must not forget is in the store before anybody is told.
//!
//! | file | what it does |
//! |---|---|
//! | `desk` | state, and how effects are carried out |
//! | `work` | directories and whoever works on them |
//! | `standing` | where the run is, and what it has used |
//! | `loops` | one directory under way: assignment, conversation, read record |
//! | `turns` | a turn of a model for a directory: paid, asked, journalled, answered |
//! | `verdict` | a result: judged, sent back or stored |
//! | `passes` | survey, plan, revision, synthesis |
//! | `opinion` | what a second judge says about claims |
//! | `refinement` | second looks at weak results |
//! | `keeping` | what happens when the store cannot be written |
//! | `drift` | whether the target is still what was scanned |
//! | `keys` | whether an old result still counts |
//! | `synthesis` | the report on the whole |
//! | `fallback` | what happens when models cannot be asked, or not any more |
//! | `finish` | evaluation, report and end |
//! | `audience` | who is told what happens |
//! | `lifeline` | what happens when a part or a task of it dies |

mod audience;
mod desk;
mod drift;
mod fallback;
mod finish;
mod keeping;
mod keys;
mod lifeline;
mod loops;
mod opinion;
mod passes;
mod refinement;
mod standing;
mod synthesis;
#[cfg(test)]
mod tests;
mod turns;
mod verdict;
mod work;

use std::path::PathBuf;
use std::sync::Arc;

use luminos_core::entry::{DirEntry, Stamp};
use luminos_core::evaluation::Evaluation;
use luminos_core::flag::Flag;
use luminos_core::judge::Judgement;
use luminos_core::plan::{Plan, Revision};
use luminos_core::run::{Event, RunEnd};
use luminos_core::survey::Survey;
use luminos_store::{Investigation, Meta, Problem, State, Store, StoredPlan, Writer};
use luminos_wire::control::{RunEvent, RunLimits, Snapshot};
use ractor::rpc::CallResult;
use ractor::{
    Actor, ActorCell, ActorId, ActorProcessingErr, ActorRef, ActorStatus, RpcReplyPort, SupervisionEvent,
};
use tokio::sync::mpsc;

use crate::budget::BudgetNews;
use crate::fabric::{Fabric, FabricEvent, Listener};
use crate::minds::Minds;
use crate::planner::PlannerHandle;
use desk::Desk;
pub(crate) use keeping::kept_now;
use turns::TurnDone;

pub(crate) use loops::{TurnLine, place_of};
pub(crate) use opinion::judge_place;

/// Somebody who sets up the fabric of a run, once there is something to do.
/// It watches over what it is given.
pub(crate) type MakeFabric = Box<dyn FnOnce(Listener, ActorCell) -> Option<Arc<dyn Fabric>> + Send>;

/// What a run works with.
pub(crate) struct RunSetup {
    /// The store.
    pub store: Store,
    /// Its writer.
    pub writer: Writer,
    /// The investigation.
    pub investigation: Investigation,
    /// What is kept about it.
    pub meta: Meta,
    /// Whether the last run of it did not come to its end.
    pub is_resumed: bool,
    /// Documents of its last run that could not be used. They are made again.
    pub broken: Vec<Problem>,
    /// Whether its last run did, and only a change of the target would give this one something to do. What is kept about
    /// the investigation stays as it is until that is known.
    pub is_settled: bool,
    /// The target.
    pub target: PathBuf,
    /// How it is walked.
    pub walk: luminos_scan::Options,
    /// Who thinks.
    pub minds: Minds,
    /// What the target is called, and where it lies for people, if that is not to be taken from where it lies.
    pub called: Option<(String, String)>,
    /// What it may use.
    pub limits: RunLimits,
    /// How many loops may be under way.
    pub loops: u32,
    /// Whether survey and plan are made anew.
    pub refresh_plan: bool,
    /// Whether it ends after the plan.
    pub plan_only: bool,
    /// Whether a model is asked to refute what the bytes have proved.
    pub second_judge: bool,
    /// How often, at most, weak results are looked into again.
    pub refinements: u32,
    /// Whether models are shown files that keep secrets, by their names.
    pub show_secrets: bool,
    /// Which investigation of the target was the current one before, if that was another.
    pub current_before: Option<luminos_store::InvestigationId>,
    /// How the investigation stood, if its last run came to an end: a plan alone does not change that.
    pub state_before: Option<State>,
    /// Who plans.
    pub planner: PlannerHandle,
    /// Who works.
    pub fabric: MakeFabric,
    /// The time on the wall.
    pub clock: fn() -> Stamp,
    /// A word that nothing in the target can know.
    pub nonce: String,
    /// Who is told that it is over.
    pub on_end: Box<dyn FnOnce() + Send>,
}

/// The way to a run. Clones lead to the same one.
#[derive(Debug, Clone)]
pub(crate) struct RunHandle {
    actor: ActorRef<Msg>,
}

impl RunHandle {
    /// Starts a run.
    pub(crate) async fn start(setup: RunSetup) -> Result<Self, ractor::SpawnErr> {
        let (actor, _) = Actor::spawn(None, RunActor, setup).await?;
        let handle = Self { actor };
        handle.tell(Event::Begin);
        Ok(handle)
    }

    /// The same, watched over: if it dies, the supervisor is told.
    #[must_use]
    pub(crate) fn supervised_by(self, supervisor: ActorCell) -> Self {
        self.actor.link(supervisor);
        self
    }

    /// Whom a supervisor hears of.
    pub(crate) fn id(&self) -> ActorId {
        self.actor.get_id()
    }

    /// Whether it is under way.
    pub(crate) fn is_alive(&self) -> bool {
        self.actor.get_status() < ActorStatus::Stopping
    }

    /// Tells the run something.
    pub(crate) fn tell(&self, event: Event) {
        // A run that is gone has told its end.
        let _ = self.actor.cast(Msg::Event(Box::new(event)));
    }

    /// Gives the run its part of what there is: loops under way, and worker processes.
    pub(crate) fn share(&self, loops: u32, workers: usize) {
        // A run that is gone needs no room.
        let _ = self.actor.cast(Msg::Share { loops, workers });
    }

    /// Where it is, and what happens from now on. `None` if the run is over.
    pub(crate) async fn subscribe(&self) -> Option<(Snapshot, mpsc::Receiver<RunEvent>)> {
        match self.actor.call(|reply| Msg::Subscribe { reply }, None).await {
            Ok(CallResult::Success(subscription)) => Some(subscription),
            Ok(CallResult::Timeout | CallResult::SenderError) | Err(_) => None,
        }
    }

    /// Where it is. `None` if the run is over.
    pub(crate) async fn snapshot(&self) -> Option<Snapshot> {
        match self.actor.call(|reply| Msg::Snapshot { reply }, None).await {
            Ok(CallResult::Success(snapshot)) => Some(snapshot),
            Ok(CallResult::Timeout | CallResult::SenderError) | Err(_) => None,
        }
    }
}

/// What a run understands.
enum Msg {
    /// From the registry, or from the run's own tasks.
    Event(Box<Event>),
    /// From the registry.
    Share { loops: u32, workers: usize },
    /// From the task that scans.
    Scanned(Box<Result<desk::Known, String>>),
    /// From the task that surveys.
    Surveyed { survey: Option<Survey>, note: Option<String> },
    /// From the planner, while somebody else plans.
    WaitsToPlan { holder: String },
    /// From the planner.
    Planned { plan: Option<Plan>, stored: Option<Box<StoredPlan>>, note: Option<String> },
    /// From the planner.
    Revised { revision: Option<Revision>, stored: Option<Box<StoredPlan>> },
    /// From where the work is done.
    Fabric(FabricEvent),
    /// From the budget.
    Budget(BudgetNews),
    /// From the task that read what an earlier life had said and heard.
    Recalled {
        job: luminos_core::job::JobId,
        recalled: loops::Recalled,
        account: luminos_core::turns::Account,
    },
    /// From the task that asked a model.
    TurnDone(Box<TurnDone>),
    /// From the judge.
    Judged {
        job: luminos_core::job::JobId,
        question: u64,
        judged: Box<Judgement>,
        flags: Option<Vec<Flag>>,
        ending: Option<loops::Ending>,
    },
    /// From the task that asked the second judge.
    Doubted { job: luminos_core::job::JobId, question: u64, opinions: Box<opinion::Opinions> },
    /// From the task that asked how many turns there are for a second look.
    Refine { round: u32, turns: crate::budget::BudgetTotals },
    /// A flag that a model raised, after it was held against the bytes. From the task that did so.
    Flagged(Box<Flag>),
    /// What of a submission could not be read. From a pass.
    Lost { what: &'static str, lost: Vec<String> },
    /// Whether models can be reached at all. From the task that asked.
    Probed { why_not: Option<String> },
    /// From the task that asked for turns to mend a report.
    MayRevise { job: luminos_core::job::JobId, question: u64, judged: Box<Judgement>, turns: u32 },
    /// From the task that asked for more turns.
    Lent { job: luminos_core::job::JobId, turns: u32 },
    /// From the task that asked gateway and budget how things stand.
    Counted { spent: Box<crate::gateway::GatewayTotals>, turns: crate::budget::BudgetTotals },
    /// The target is not there any more. From the same.
    TargetGone,
    /// Everything is counted: the report can be written. From the same.
    WriteReport,
    /// From the task that stored an entry.
    Stored { job: luminos_core::job::JobId, question: u64, entry: Box<DirEntry>, failure: Option<String> },
    /// From the task that found out what came of the plan.
    Evaluated(Option<Box<Evaluation>>),
    /// From the task that wrote the report.
    Synthesised(Box<synthesis::Written>),
    /// The report that there is was made from something else. From the task that looked.
    WriteAnew,
    /// The report that there is was made from just what is known. From the same.
    ReportStands,
    /// Something went wrong with the store.
    StoreFailed(luminos_store::Error),
    /// The store refuses the report. From the task that wrote it.
    NoReport(luminos_store::Error),
    /// From a client.
    Subscribe { reply: RpcReplyPort<(Snapshot, mpsc::Receiver<RunEvent>)> },
    /// From a client.
    Snapshot { reply: RpcReplyPort<Snapshot> },
    /// It is time to tell clients how it goes. From an alarm.
    Tick,
    /// A task of the run has died, and with it what it would have said. From its lifeline.
    Died { what: &'static str },
    /// It is over, and everything is stored. From the task that stored the last of it.
    Closed(RunEnd),
}

/// Messages hold keys of nobody, but whole documents: what they are is enough to know.
impl std::fmt::Debug for Msg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a message to a run")
    }
}

struct RunActor;

impl Actor for RunActor {
    type Msg = Msg;
    type State = Desk;
    type Arguments = RunSetup;

    async fn pre_start(&self, myself: ActorRef<Msg>, setup: RunSetup) -> Result<Desk, ActorProcessingErr> {
        myself.send_interval(audience::INTERVAL, || Msg::Tick);
        Desk::new(myself, setup).await
    }

    async fn handle(
        &self,
        myself: ActorRef<Msg>,
        msg: Msg,
        desk: &mut Desk,
    ) -> Result<(), ActorProcessingErr> {
        match msg {
            Msg::Event(event) => desk.heard(*event),
            Msg::Share { loops, workers } => desk.share(loops, workers),
            Msg::Scanned(scanned) => desk.scanned(*scanned),
            Msg::Surveyed { survey, note } => desk.surveyed(survey, note),
            Msg::Planned { plan, stored, note } => desk.planned(plan, stored, note),
            Msg::WaitsToPlan { holder } => {
                desk.audience.tell(&RunEvent::Note(format!("one plan at a time: waiting for {holder}")));
            }
            Msg::Revised { revision, stored } => desk.revised(revision, stored),
            Msg::Fabric(event) => desk.fabric(event),
            Msg::Budget(news) => desk.budget_news(news),
            Msg::Recalled { job, recalled, account } => desk.recalled(&job, recalled, account),
            Msg::TurnDone(done) => desk.turn_done(*done),
            Msg::Judged { job, question, judged, flags, ending } => {
                desk.judged(&job, question, judged, flags, ending)
            }
            Msg::Doubted { job, question, opinions } => desk.doubted(&job, question, *opinions),
            Msg::Flagged(flag) => desk.audience.tell(&RunEvent::Flag(*flag)),
            Msg::Lost { what, lost } => desk.lost_of_pass(what, &lost),
            Msg::Probed { why_not } => desk.probed(why_not),
            Msg::Refine { round, turns } => desk.choose(round, turns),
            Msg::MayRevise { job, question, judged, turns } => {
                desk.may_revise(&job, question, *judged, turns)
            }
            Msg::Stored { job, question, entry, failure } => desk.stored(&job, question, *entry, failure),
            Msg::Evaluated(evaluation) => desk.evaluated(evaluation),
            Msg::Synthesised(written) => desk.synthesised(*written),
            Msg::WriteAnew => desk.write_anew(),
            Msg::ReportStands => desk.report_stands(),
            Msg::StoreFailed(error) => desk.store_failed(&error),
            Msg::NoReport(error) => desk.no_report(&error),
            Msg::Subscribe { reply } => {
                let _ = reply.send(desk.subscribe());
            }
            Msg::Snapshot { reply } => {
                let _ = reply.send(desk.snapshot());
            }
            Msg::Lent { job, turns } => desk.lent(&job, turns),
            Msg::Counted { spent, turns } => desk.counted(*spent, turns),
            Msg::TargetGone => desk.target_gone(),
            Msg::WriteReport => desk.write_report(),
            Msg::Tick => desk.tick(),
            Msg::Died { what } => desk.died(what, "it panicked"),
            Msg::Closed(end) => {
                desk.closed(end);
                myself.stop(None);
            }
        }
        Ok(())
    }

    async fn handle_supervisor_evt(
        &self,
        _: ActorRef<Msg>,
        event: SupervisionEvent,
        desk: &mut Desk,
    ) -> Result<(), ActorProcessingErr> {
        match event {
            SupervisionEvent::ActorFailed(part, error) => desk.part_died(part.get_id(), &error.to_string()),
            SupervisionEvent::ActorTerminated(part, _, reason) => {
                desk.part_died(part.get_id(), reason.as_deref().unwrap_or("it ended"));
            }
            SupervisionEvent::ActorStarted(_) | SupervisionEvent::ProcessGroupChanged(_) => {}
        }
        Ok(())
    }
}
