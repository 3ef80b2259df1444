//! Runs whose loops are tasks that only wait: everything is real but workers and models.
//!
//! For the benchmark `orchestrate`, and for whoever wants to compare how turns are planned and lent. A loop takes the
//! turns that it is said to need, each as long as it is said to last; when it has too few it asks for more, and ends
//! in part when there are none. With a [`Talk`], each turn is a question to a model that answers at once: then all that
//! is left is what a turn takes besides the model, from the worker's question over budget, gateway and journals to the
//! answer.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use luminos_core::RelPath;
use luminos_core::config::{self, Layer, Surroundings};
use luminos_core::entry::Stamp;
use luminos_core::job::{Ask, Assignment, DirReport, DirResult, JobId, Loan, News, Opening, Unfinished};
use luminos_core::plan::{Plan, Turns};
use luminos_core::spend::Spending;
use luminos_core::talk::{Pass, UserBlock};
use luminos_models::{AnyModel, Line, Models, Reply, Scripted};
use luminos_store::{
    DaemonLock, Durability, Holder, Meta, NetworkState, Settings, Store, StoredPlan, Target, Writer,
};
use luminos_wire::control::{Ended, RunEvent, RunLimits};
use luminos_wire::worker::{Answer, Question};
use tokio::sync::oneshot;
use tokio::time::Instant;

use crate::fabric::{Fabric, FabricEvent, Listener};
use crate::gateway::Lanes;
use crate::minds::{Connect, Minds};
use crate::planner::PlannerHandle;
use crate::run::{RunHandle, RunSetup};
use crate::spend_journal::SpendJournal;

/// How long each turn of a directory lasts: it needs as many as there are.
pub type Needs = Arc<dyn Fn(&RelPath) -> Vec<Duration> + Send + Sync>;

/// What is simulated.
#[derive(Clone)]
pub struct Simulation {
    /// The target, which is really scanned.
    pub target: PathBuf,
    /// Where the state directory is made.
    pub home: PathBuf,
    /// How many loops may be under way.
    pub loops: u32,
    /// All turns there are; `None` is as many as the plan wants.
    pub turns: Option<u32>,
    /// The plan that is followed; `None` is the analyst's own.
    pub plan: Option<Plan>,
    /// Whether loops ask for more turns when they have too few.
    pub borrows: bool,
    /// What each directory needs.
    pub needs: Needs,
    /// What is said in a turn; `None` if nobody is asked.
    pub talk: Option<Talk>,
}

/// What is said in a turn, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Talk {
    /// What a conversation begins with, instructions and all.
    pub opening: usize,
    /// What a worker adds in each turn.
    pub new: usize,
    /// What the model answers.
    pub answer: usize,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Simulated {
    /// How long it took from the first directory to the last.
    pub makespan: Duration,
    /// Turns that were used.
    pub turns: u64,
    /// Directories that had to end in part.
    pub partial: u64,
    /// Directories in all.
    pub directories: u64,
    /// How long each question to the model took, shortest first.
    pub waits: Vec<Duration>,
    /// Where the investigation is kept.
    pub kept: PathBuf,
}

/// Runs an investigation to its end.
pub async fn simulate(simulation: Simulation) -> Result<Simulated, Box<dyn std::error::Error + Send + Sync>> {
    let store = Store::open(&simulation.home)?;
    let holder = Holder::this_process(Stamp::default(), "simulation");
    let lock = DaemonLock::try_acquire(&store, &holder, NetworkState::Allowed)?;
    let settings = Settings { durability: Durability::PowerLoss, ..Settings::default() };
    let (writer, _) = Writer::start(&store, lock, settings)?;
    let planner = PlannerHandle::start(store.clone(), holder).await?;
    let target = std::fs::canonicalize(&simulation.target)?;
    let meta = Meta::fresh(Target::new(&target), serde_json::json!({}), Stamp::default(), writer.epoch());
    let investigation = store.investigation(meta.id);
    investigation.create(&writer, &meta).await?;
    if let Some(plan) = simulation.plan.clone() {
        let fence =
            luminos_store::PlannerLock::try_acquire(&store, &Holder::this_process(Stamp::default(), ""))?;
        let (fence, made) = (fence.fence(), Stamp::default());
        let stored = StoredPlan { fence, plan, revisions: Vec::new(), made };
        investigation.put_plan(&writer, &stored).await?;
    }
    let counted = Arc::new(Counted::default());
    let shared = Arc::clone(&counted);
    let limits = RunLimits { turns: simulation.turns.map(Turns), ..RunLimits::default() };
    let (needs, borrows, talk) = (Arc::clone(&simulation.needs), simulation.borrows, simulation.talk);
    let kept = investigation.dir().to_owned();
    let minds = match talk {
        None => Minds::offline(limits),
        Some(talk) => {
            let spending = Arc::new(SpendJournal::default());
            spending.open(investigation.clone(), writer.clone(), String::new());
            talking(talk, limits, spending).await?
        }
    };
    let run = RunHandle::start(RunSetup {
        store,
        writer: writer.clone(),
        investigation,
        meta,
        is_resumed: false,
        broken: Vec::new(),
        is_settled: false,
        target,
        walk: luminos_scan::Options::default(),
        minds,
        called: None,
        limits,
        loops: simulation.loops,
        refresh_plan: false,
        plan_only: false,
        second_judge: false,
        refinements: 0,
        show_secrets: false,
        current_before: None,
        state_before: None,
        planner,
        fabric: Box::new(move |listener, _| {
            let waiting = Mutex::default();
            Some(Arc::new(Waiting(Arc::new(Shared {
                listener,
                waiting,
                needs,
                borrows,
                talk,
                counted: shared,
            }))))
        }),
        clock: Stamp::default,
        nonce: String::new(),
        on_end: Box::new(|| {}),
    });
    if let Some((_, mut events)) = run.await?.subscribe().await {
        while let Some(event) = events.recv().await {
            if let RunEvent::Ended(Ended::Failed { reason }) = event {
                return Err(reason.into());
            }
        }
    }
    writer.close().await?;
    let times = *counted.lock();
    let mut waits = std::mem::take(&mut *counted.waits.lock().unwrap_or_else(PoisonError::into_inner));
    waits.sort_unstable();
    Ok(Simulated {
        makespan: times.map(|(first, last)| last.duration_since(first)).unwrap_or_default(),
        turns: counted.turns.load(Ordering::Relaxed),
        partial: counted.partial.load(Ordering::Relaxed),
        directories: counted.directories.load(Ordering::Relaxed),
        waits,
        kept,
    })
}

/// A model for directories that answers at once, behind a real gateway.
async fn talking(
    talk: Talk,
    limits: RunLimits,
    spending: Arc<SpendJournal>,
) -> Result<Minds, Box<dyn std::error::Error + Send + Sync>> {
    const NAME: &str = "scripted";
    let answer = "Some of it. ".repeat(talk.answer.div_ceil(12));
    let models = Arc::new(move || {
        let lines = (0..MOST_ANSWERS).map(|_| Line::Reply(Reply::of_text(answer.clone())));
        Ok(BTreeMap::from([(NAME.to_owned(), AnyModel::Scripted(Scripted::new(lines)))]))
    });
    let connect = Connect { models, lanes: Lanes::default() };
    let facts = Models::read(Some("[scripted]\ninput = 1\noutput = 2\nwindow = 1000000\n"))?;
    let around =
        Surroundings { variables: BTreeMap::new(), current_dir: "/".into(), home_dir: Some("/".into()) };
    let config = config::resolve(Layer::default(), &[], &around).map_err(|_| "the defaults make no sense")?;
    let names = BTreeMap::from([(Pass::Dir, NAME.to_owned())]);
    let models = config.config.models;
    Ok(Minds::remote(names, connect, facts, models, limits, Spending::default(), spending).await?)
}

/// No simulation asks more often.
const MOST_ANSWERS: usize = 10_000;

/// The state directory of a simulation, made anew.
pub fn fresh_home(parent: &Path, name: &str) -> PathBuf {
    parent.join(format!("{name}-{}", luminos_store::InvestigationId::fresh()))
}

#[derive(Default)]
struct Counted {
    turns: AtomicU64,
    partial: AtomicU64,
    directories: AtomicU64,
    waits: Mutex<Vec<Duration>>,
    times: Mutex<Option<(Instant, Instant)>>,
}

impl Counted {
    fn lock(&self) -> MutexGuard<'_, Option<(Instant, Instant)>> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn clock(&self) {
        let now = Instant::now();
        let mut times = self.lock();
        let first = times.map_or(now, |(first, _)| first);
        *times = Some((first, now));
    }
}

/// Workers that only wait.
struct Waiting(Arc<Shared>);

struct Shared {
    listener: Listener,
    waiting: Mutex<HashMap<(JobId, u64), oneshot::Sender<Answer>>>,
    needs: Needs,
    borrows: bool,
    talk: Option<Talk>,
    counted: Arc<Counted>,
}

impl Fabric for Waiting {
    fn offer(&self, assignment: Box<Assignment>) {
        let shared = Arc::clone(&self.0);
        tokio::spawn(async move { shared.work(*assignment).await });
    }

    fn answer(&self, job: &JobId, question: u64, answer: Answer) {
        if let Some(waiting) = self.0.waiting().remove(&(job.clone(), question)) {
            let _ = waiting.send(answer);
        }
    }

    fn revoke(&self, _: &JobId, _: bool) {}

    fn share(&self, _: usize) {}

    fn shut_down(&self) {}
}

impl Shared {
    fn waiting(&self) -> MutexGuard<'_, HashMap<(JobId, u64), oneshot::Sender<Answer>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn ask(&self, job: &JobId, question: u64, ask: Question) -> Option<Answer> {
        let (sender, answer) = oneshot::channel();
        self.waiting().insert((job.clone(), question), sender);
        (self.listener)(FabricEvent::Question { job: job.clone(), question, ask });
        answer.await.ok()
    }

    async fn work(&self, assignment: Assignment) {
        let job = assignment.job;
        self.counted.clock();
        let needs = (self.needs)(&job.dir);
        let (mut left, mut number, mut done) = (assignment.turns.0, 0, 0_u32);
        for (turn, time) in (1_u32..).zip(&needs) {
            if left == 0 {
                let missing = Turns(u32::try_from(needs.len()).unwrap_or(u32::MAX) - done);
                left = if self.borrows { self.borrow(&job, number, missing).await } else { 0 };
            }
            if left == 0 {
                break;
            }
            match self.talk {
                Some(talk) => self.turn(&job, turn, talk).await,
                None => {
                    tokio::time::sleep(*time).await;
                    (self.listener)(FabricEvent::News {
                        job: job.clone(),
                        number,
                        news: vec![News::Turn(turn)],
                    });
                }
            }
            number += 1;
            left -= 1;
            done = turn;
        }
        self.counted.turns.fetch_add(u64::from(done), Ordering::Relaxed);
        self.counted.directories.fetch_add(1, Ordering::Relaxed);
        let summary = format!("{done} turns");
        let result = if (done as usize) < needs.len() {
            self.counted.partial.fetch_add(1, Ordering::Relaxed);
            let noted = DirReport { summary, ..DirReport::default() };
            let reason = "it ran out of turns".to_owned();
            DirResult::Partial(Box::new(Unfinished { reason, noted, analyst: None }))
        } else {
            DirResult::Reported(DirReport { summary, ..DirReport::default() })
        };
        self.ask(&job, u64::MAX, Question::Done(Box::new(result))).await;
        self.counted.clock();
        (self.listener)(FabricEvent::Over { job, is_returned: false });
    }

    /// Asks the model.
    async fn turn(&self, job: &JobId, turn: u32, talk: Talk) {
        let words = |bytes: usize| "fn main() { work(); }\n".repeat(bytes.div_ceil(22));
        let opening = || Opening { system: vec![words(talk.opening)], tools: Vec::new(), max_output: 1_000 };
        let ask = Ask {
            turn,
            opening: (turn == 1).then(opening),
            new: vec![UserBlock::Text(words(talk.new))],
            compact_before: None,
        };
        let start = Instant::now();
        self.ask(job, u64::from(turn) << 32, Question::Turn(Box::new(ask))).await;
        self.counted.waits.lock().unwrap_or_else(PoisonError::into_inner).push(start.elapsed());
    }

    async fn borrow(&self, job: &JobId, number: u32, turns: Turns) -> u32 {
        let ask = Question::Borrow { turns, reason: "there is more to see".to_owned() };
        match self.ask(job, u64::from(number), ask).await {
            Some(Answer::Loan(Loan::Granted(turns))) => turns.0,
            Some(Answer::Loan(Loan::Refused(_)) | Answer::Turn(_) | Answer::Reception(_)) | None => 0,
        }
    }
}
