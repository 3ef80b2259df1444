//! The worker processes of one run.
//!
//! An actor that starts as many processes as it is told, hands each job to the one with the least to do, and carries
//! words between them and the run. A process that dies, or gives no sign of life, is reaped; its jobs are reported as
//! lost, and another process takes its place after a pause that grows. A process that cannot even begin is no use
//! starting again: after some tries the run is told. A process in which a loop failed gets nothing more to do, and goes
//! when its other loops have ended. Where the system is short of something (processes, memory,
//! descriptors) the run goes on with the processes there are, and more are tried after a pause.
//!
//! | what dies | what follows |
//! |---|---|
//! | a process | its jobs are lost, another one starts |
//! | a loop: it panics, or is stuck | its job is lost; another process starts, and this one goes after its last job |
//! | this actor | its processes end with their pipes; the run, which watches over it, ends as after a kill |

mod process;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use luminos_core::job::{Assignment, JobId};
use luminos_wire::worker::{Answer, FromWorker, ToWorker};
use ractor::{Actor, ActorCell, ActorProcessingErr, ActorRef, ActorRuntime};
use tokio::time::Instant;

use crate::fabric::{Fabric, FabricEvent, Listener};
pub use process::Program;
pub(crate) use process::{ARENA, Spawner};
use process::{Process, WorkerId};

/// How often a worker says that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(2);
/// After so long without a word it is taken for dead.
const SILENCE: Duration = Duration::from_secs(10);
/// The pause before a process takes the place of another, and the longest one.
const PAUSE: (Duration, Duration) = (Duration::from_millis(10), Duration::from_secs(5));
/// After so many processes in a row that could not begin, no more are started.
const MOST_FAILURES: u32 = 5;
/// After so many tries in a row for which the system had no room, while no process is there at all, no more are made:
/// that is about a minute.
const MOST_SHORTAGES: u32 = 20;

/// What a pool works with.
pub(crate) struct PoolSetup {
    /// The target.
    pub target: PathBuf,
    /// The state directory.
    pub own_state: PathBuf,
    /// How many processes.
    pub workers: usize,
    /// How many loops each of them has under way.
    pub loops: u32,
    /// What is started.
    pub program: Program,
    /// Who starts it.
    pub spawner: Spawner,
    /// After so long without a sign of life a loop counts as stuck.
    pub patience: Duration,
    /// Who hears of what happens.
    pub listener: Listener,
}

/// The way to a pool.
#[derive(Debug, Clone)]
pub(crate) struct PoolHandle {
    actor: ActorRef<Msg>,
}

impl PoolHandle {
    /// Starts a pool; its processes start with the first job.
    pub(crate) fn start(setup: PoolSetup) -> Result<Self, ractor::SpawnErr> {
        let (actor, _) = ActorRuntime::spawn_instant(None, Pool, setup)?;
        Ok(Self { actor })
    }

    /// The same, watched over: if it dies, the supervisor is told.
    #[must_use]
    pub(crate) fn supervised_by(self, supervisor: ActorCell) -> Self {
        self.actor.link(supervisor);
        self
    }

    fn tell(&self, message: Msg) {
        // A pool that is gone has told the run so.
        let _ = self.actor.cast(message);
    }
}

impl Fabric for PoolHandle {
    fn offer(&self, assignment: Box<Assignment>) {
        self.tell(Msg::Offer(assignment));
    }

    fn answer(&self, job: &JobId, question: u64, answer: Answer) {
        self.tell(Msg::Answer { job: job.clone(), question, answer });
    }

    fn revoke(&self, job: &JobId, flush: bool) {
        self.tell(Msg::Revoke { job: job.clone(), flush });
    }

    fn share(&self, workers: usize) {
        self.tell(Msg::Share { workers });
    }

    fn shut_down(&self) {
        self.actor.stop(None);
    }
}

/// What a pool understands.
#[derive(Debug)]
enum Msg {
    /// From the run.
    Offer(Box<Assignment>),
    /// From the run.
    Answer { job: JobId, question: u64, answer: Answer },
    /// From the run.
    Revoke { job: JobId, flush: bool },
    /// Other runs need some of the processes, or do not any more. From the run.
    Share { workers: usize },
    /// A process has started, or could not be. From the task that started it.
    Started { worker: WorkerId, process: io::Result<Process> },
    /// A process said something. From the task that reads.
    Heard { worker: WorkerId, message: Box<FromWorker> },
    /// A process is gone. From the task that reads.
    Gone { worker: WorkerId, reason: String },
    /// It is time for another process. From an alarm.
    Refill,
    /// It is time to look whether all are alive. From an alarm.
    Look,
}

struct Worker {
    process: Option<Process>,
    is_ready: bool,
    /// A loop in it failed: it gets nothing more to do.
    is_spent: bool,
    jobs: HashSet<JobId>,
    heard: Instant,
}

struct Desk {
    myself: ActorRef<Msg>,
    setup: PoolSetup,
    workers: BTreeMap<WorkerId, Worker>,
    /// Jobs for which no process is ready yet.
    waiting: VecDeque<Box<Assignment>>,
    places: HashMap<JobId, WorkerId>,
    next: u64,
    failures: u32,
    shortages: u32,
    rests_until: Option<Instant>,
    looked: Instant,
    is_broken: bool,
    has_announced: bool,
}

struct Pool;

impl Actor for Pool {
    type Msg = Msg;
    type State = Desk;
    type Arguments = PoolSetup;

    async fn pre_start(&self, myself: ActorRef<Msg>, setup: PoolSetup) -> Result<Desk, ActorProcessingErr> {
        myself.send_interval(HEARTBEAT, || Msg::Look);
        Ok(Desk {
            myself,
            setup,
            workers: BTreeMap::new(),
            waiting: VecDeque::new(),
            places: HashMap::new(),
            next: 0,
            failures: 0,
            shortages: 0,
            rests_until: None,
            looked: Instant::now(),
            is_broken: false,
            has_announced: false,
        })
    }

    async fn handle(&self, _: ActorRef<Msg>, msg: Msg, desk: &mut Desk) -> Result<(), ActorProcessingErr> {
        match msg {
            Msg::Offer(assignment) => desk.offer(assignment),
            Msg::Answer { job, question, answer } => {
                desk.tell(&job, &ToWorker::Answer { question, answer });
            }
            Msg::Revoke { job, flush } => desk.revoke(job, flush),
            Msg::Share { workers } => desk.share(workers),
            Msg::Started { worker, process } => desk.started(worker, process),
            Msg::Heard { worker, message } => desk.heard(worker, *message),
            Msg::Gone { worker, reason } => desk.gone(worker, &reason),
            Msg::Refill => desk.fill(),
            Msg::Look => desk.look(),
        }
        Ok(())
    }
}

impl Desk {
    fn offer(&mut self, assignment: Box<Assignment>) {
        if self.is_broken {
            let reason = "no worker can be started".to_owned();
            (self.setup.listener)(FabricEvent::Lost { job: assignment.job, reason });
            return;
        }
        self.waiting.push_back(assignment);
        self.fill();
        self.hand_out();
    }

    /// Starts processes until there are as many as there should be, or as there are jobs.
    fn fill(&mut self) {
        if self.rests_until.is_some_and(|until| Instant::now() < until) {
            return;
        }
        let wanted = (self.waiting.len() + self.places.len()).min(self.setup.workers).max(1);
        while self.fit().count() < wanted && !self.is_broken {
            let worker = WorkerId(self.next);
            self.next += 1;
            // The first gets the top of the target at last.
            let looks_ahead = self.fit().next().is_none();
            let blank = Worker {
                process: None,
                is_ready: false,
                is_spent: false,
                jobs: HashSet::new(),
                heard: Instant::now(),
            };
            self.workers.insert(worker, blank);
            let start = process::start(worker, &self.setup, HEARTBEAT, self.reader(), looks_ahead);
            let myself = self.myself.clone();
            tokio::spawn(async move {
                let process = start.await;
                let _ = myself.cast(Msg::Started { worker, process });
            });
        }
    }

    /// The processes that can be given something to do.
    fn fit(&self) -> impl Iterator<Item = (&WorkerId, &Worker)> {
        self.workers.iter().filter(|(_, worker)| !worker.is_spent)
    }

    fn share(&mut self, workers: usize) {
        self.setup.workers = workers.max(1);
        self.dismiss();
        self.fill();
    }

    /// Lets processes go that have nothing to do, while there are more than there should be.
    fn dismiss(&mut self) {
        while self.setup.workers < self.fit().count() {
            let idle = self.fit().find(|(_, worker)| worker.is_ready && worker.jobs.is_empty());
            let Some(id) = idle.map(|(id, _)| *id) else { return };
            // Its pipe ends with it.
            self.workers.remove(&id);
        }
    }

    /// What the reading task of a process does with what it hears.
    fn reader(&self) -> process::Ears {
        let (heard, gone) = (self.myself.clone(), self.myself.clone());
        process::Ears {
            heard: Box::new(move |worker, message| {
                let _ = heard.cast(Msg::Heard { worker, message: Box::new(message) });
            }),
            gone: Box::new(move |worker, reason| {
                let _ = gone.cast(Msg::Gone { worker, reason });
            }),
        }
    }

    fn started(&mut self, id: WorkerId, process: io::Result<Process>) {
        let Some(worker) = self.workers.get_mut(&id) else { return };
        match process {
            Ok(process) => {
                worker.process = Some(process);
                worker.heard = Instant::now();
                // It may have said that it is ready before anybody could tell it something.
                self.hand_out();
            }
            Err(error) if is_shortage(&error) => self.short(id, &error),
            Err(error) => self.gone(id, &error.to_string()),
        }
    }

    /// There is no room for another process just now.
    fn short(&mut self, id: WorkerId, error: &io::Error) {
        tracing::warn!(%error, others = self.workers.len() - 1, "no room for a worker");
        self.workers.remove(&id);
        self.shortages += 1;
        if self.workers.is_empty() && MOST_SHORTAGES <= self.shortages {
            return self.break_down(&error.to_string());
        }
        let pause = pause_after(self.shortages);
        self.rests_until = Some(Instant::now() + pause);
        self.myself.send_after(pause, || Msg::Refill);
    }

    fn hand_out(&mut self) {
        while let Some(next) = self.waiting.front() {
            // The top of the target is for the first, which has prepared for it.
            let is_top = next.job.dir.is_root();
            // Of more processes than there should be, the youngest get nothing more to do.
            let fit = self.workers.iter_mut().filter(|(_, worker)| !worker.is_spent);
            let own = fit.take(self.setup.workers);
            let ready = own.filter(|(_, worker)| worker.is_ready && worker.process.is_some());
            let Some((&id, worker)) =
                ready.min_by_key(|(_, worker)| if is_top { 0 } else { worker.jobs.len() })
            else {
                return;
            };
            let Some(assignment) = self.waiting.pop_front() else { return };
            let job = assignment.job.clone();
            worker.jobs.insert(job.clone());
            self.places.insert(job.clone(), id);
            self.tell(&job, &ToWorker::Assign(assignment));
        }
    }

    fn tell(&mut self, job: &JobId, message: &ToWorker) {
        let Some(process) = self
            .places
            .get(job)
            .and_then(|id| self.workers.get(id))
            .and_then(|worker| worker.process.as_ref())
        else {
            return;
        };
        if let Err(too_long) = process.send(message) {
            // The run keeps what it sends far below this; what cannot be sent at all ends the job.
            tracing::error!(%job, %too_long, "a message to a worker is too long");
            let reason = too_long.to_string();
            self.forget(job);
            (self.setup.listener)(FabricEvent::Lost { job: job.clone(), reason });
        }
    }

    fn revoke(&mut self, job: JobId, flush: bool) {
        if let Some(place) = self.waiting.iter().position(|waiting| waiting.job == job) {
            self.waiting.remove(place);
            (self.setup.listener)(FabricEvent::Over { job, is_returned: true });
            return;
        }
        let message = ToWorker::Stop { job: job.clone(), flush };
        self.tell(&job, &message);
    }

    fn heard(&mut self, id: WorkerId, message: FromWorker) {
        let Some(worker) = self.workers.get_mut(&id) else { return };
        worker.heard = Instant::now();
        let event = match message {
            FromWorker::Beat => return,
            FromWorker::Ready { confinement, .. } => {
                worker.is_ready = true;
                (self.failures, self.shortages, self.rests_until) = (0, 0, None);
                self.hand_out();
                if std::mem::replace(&mut self.has_announced, true) {
                    return;
                }
                FabricEvent::Ready(confinement)
            }
            FromWorker::Unable { reason } => return self.gone(id, &reason),
            FromWorker::Question { question, job, ask } => FabricEvent::Question { job, question, ask },
            FromWorker::News { job, number, news } => FabricEvent::News { job, number, news },
            FromWorker::Over { job, is_returned } => {
                self.forget(&job);
                FabricEvent::Over { job, is_returned }
            }
            FromWorker::Failed { job, reason } => return self.failed(id, job, reason),
        };
        (self.setup.listener)(event);
    }

    fn forget(&mut self, job: &JobId) {
        let Some(id) = self.places.remove(job) else { return };
        let Some(worker) = self.workers.get_mut(&id) else { return };
        worker.jobs.remove(job);
        if worker.is_spent && worker.jobs.is_empty() {
            // Dropping it kills it, with whatever is stuck in it.
            self.workers.remove(&id);
        }
        self.dismiss();
    }

    /// A loop will not come to an end. Whatever it holds in its process, nobody else shall wait for it.
    fn failed(&mut self, id: WorkerId, job: JobId, reason: String) {
        tracing::warn!(worker = id.0, %job, reason, "loop failed");
        if self.places.get(&job) != Some(&id) {
            return;
        }
        if let Some(worker) = self.workers.get_mut(&id) {
            worker.is_spent = true;
        }
        self.forget(&job);
        (self.setup.listener)(FabricEvent::Lost { job, reason });
        self.fill();
        self.hand_out();
    }

    /// A process is gone, or must go.
    fn gone(&mut self, id: WorkerId, reason: &str) {
        let Some(worker) = self.workers.remove(&id) else { return };
        tracing::warn!(worker = id.0, reason, jobs = worker.jobs.len(), "worker gone");
        if !worker.is_ready {
            self.failures += 1;
        }
        // Dropping it kills it, should it still live.
        drop(worker.process);
        for job in worker.jobs {
            self.places.remove(&job);
            (self.setup.listener)(FabricEvent::Lost { job, reason: reason.to_owned() });
        }
        if MOST_FAILURES <= self.failures {
            self.break_down(reason);
            return;
        }
        self.myself.send_after(pause_after(self.failures), || Msg::Refill);
    }

    fn break_down(&mut self, reason: &str) {
        if std::mem::replace(&mut self.is_broken, true) {
            return;
        }
        (self.setup.listener)(FabricEvent::Broken { reason: reason.to_owned() });
        for assignment in std::mem::take(&mut self.waiting) {
            let reason = "no worker can be started".to_owned();
            (self.setup.listener)(FabricEvent::Lost { job: assignment.job, reason });
        }
    }

    fn look(&mut self) {
        let now = Instant::now();
        let gap = now.duration_since(std::mem::replace(&mut self.looked, now));
        if HEARTBEAT * 3 < gap {
            // This process itself was asleep: what the workers said meanwhile may still be on its way.
            self.workers.values_mut().for_each(|worker| worker.heard = now);
            return;
        }
        let silent = self.workers.iter().filter(|(_, worker)| SILENCE < now.duration_since(worker.heard));
        let silent: Vec<WorkerId> = silent.map(|(id, _)| *id).collect();
        for id in silent {
            self.gone(id, "the worker gave no sign of life");
        }
    }
}

/// The pause after so many tries in vain.
fn pause_after(tries: u32) -> Duration {
    let (first, longest) = PAUSE;
    first.saturating_mul(1 << tries.min(16)).min(longest)
}

/// Whether the system was short of something that may come back: processes, memory, descriptors.
fn is_shortage(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let short = [Errno::AGAIN, Errno::NOMEM, Errno::MFILE, Errno::NFILE];
    short.iter().any(|errno| Some(errno.raw_os_error()) == error.raw_os_error())
}
