//! All investigations that a daemon has under way.
//!
//! An actor that starts runs, knows them by id and by target, and forgets them when they are over. A target has at most
//! one run: whoever asks for a second one joins the first. Room for loops and worker processes are shared: each run gets
//! its part of what there is, at least one of each, and a larger one when another run ends.

mod again;
pub(crate) mod begin;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use luminos_core::run::Event;
use luminos_store::{Store, Writer};
use luminos_wire::control::{Refused, Reply, RunRequest, Snapshot};
use ractor::rpc::CallResult;
use ractor::{Actor, ActorCell, ActorId, ActorProcessingErr, ActorRef, RpcReplyPort, SupervisionEvent};

use crate::gateway::Lanes;
use crate::planner::PlannerHandle;
use crate::pool::{Program, Spawner};
use crate::run::RunHandle;
use begin::begin;
pub(crate) use begin::now;

/// What runs are started with.
#[derive(Debug, Clone)]
pub(crate) struct RegistrySetup {
    /// The store.
    pub store: Store,
    /// Its writer.
    pub writer: Writer,
    /// Who plans.
    pub planner: PlannerHandle,
    /// What the providers of models let through.
    pub lanes: Lanes,
    /// Who starts workers.
    pub spawner: Spawner,
    /// What a worker is.
    pub program: Program,
    /// After so long without a sign of life a loop counts as stuck.
    pub patience: Duration,
}

/// The way to the registry. Clones lead to the same one.
#[derive(Debug, Clone)]
pub(crate) struct RegistryHandle {
    actor: ActorRef<Msg>,
}

impl RegistryHandle {
    /// Starts a registry.
    pub(crate) async fn start(setup: RegistrySetup) -> Result<Self, ractor::SpawnErr> {
        let (actor, _) = Actor::spawn(None, Registry, setup).await?;
        Ok(Self { actor })
    }

    /// The same, watched over: if it dies, the supervisor is told.
    #[must_use]
    pub(crate) fn supervised_by(self, supervisor: ActorCell) -> Self {
        self.actor.link(supervisor);
        self
    }

    /// Starts a run, or joins the one of the same target.
    pub(crate) async fn begin(&self, request: RunRequest) -> Reply {
        self.ask(|reply| Msg::Begin { request: Box::new(request), reply }).await.unwrap_or_else(gone)
    }

    /// The run of an investigation, if it is under way.
    pub(crate) async fn run(&self, investigation: String) -> Option<RunHandle> {
        self.ask(|reply| Msg::Find { investigation, reply }).await.flatten()
    }

    /// All runs.
    pub(crate) async fn snapshots(&self) -> Vec<Snapshot> {
        let runs = self.ask(|reply| Msg::All { reply }).await.unwrap_or_default();
        let mut snapshots = Vec::new();
        for run in runs {
            snapshots.extend(run.snapshot().await);
        }
        snapshots
    }

    /// How many runs are under way, or about to be.
    pub(crate) async fn count(&self) -> usize {
        self.ask(|reply| Msg::Count { reply }).await.unwrap_or(0)
    }

    /// Stops all runs; they can be resumed.
    pub(crate) async fn cancel_all(&self) {
        for run in self.ask(|reply| Msg::All { reply }).await.unwrap_or_default() {
            run.tell(Event::Cancel);
        }
    }

    async fn ask<T: Send + 'static>(&self, question: impl FnOnce(RpcReplyPort<T>) -> Msg) -> Option<T> {
        match self.actor.call(question, None).await {
            Ok(CallResult::Success(answer)) => Some(answer),
            Ok(CallResult::Timeout | CallResult::SenderError) | Err(_) => None,
        }
    }
}

fn gone() -> Reply {
    Reply::Refused(Refused {
        message: "the daemon is shutting down".to_owned(),
        causes: Vec::new(),
        hint: Some("try again".to_owned()),
        is_usage: false,
    })
}

/// A run that is about to begin, or has.
#[derive(Debug)]
enum Place {
    /// Somebody is starting it; these wait for it. A run that finds nothing to do may be over before they hear of it.
    Beginning { waiting: Vec<RpcReplyPort<Reply>>, is_over: bool },
    /// It is under way.
    Running { investigation: String, run: RunHandle, room: Room },
}

/// What a registry understands.
#[derive(Debug)]
enum Msg {
    /// From a client.
    Begin { request: Box<RunRequest>, reply: RpcReplyPort<Reply> },
    /// From the task that started a run.
    Began { target: PathBuf, begun: Result<Begun, Refused> },
    /// From a run.
    Ended { target: PathBuf },
    /// From a client.
    Find { investigation: String, reply: RpcReplyPort<Option<RunHandle>> },
    /// From a client.
    All { reply: RpcReplyPort<Vec<RunHandle>> },
    /// From the daemon.
    Count { reply: RpcReplyPort<usize> },
}

/// A run that has begun.
#[derive(Debug)]
struct Begun {
    investigation: String,
    run: RunHandle,
    room: Room,
}

/// The room that a run would have alone.
#[derive(Debug, Clone, Copy)]
struct Room {
    /// Loops under way.
    loops: u32,
    /// Worker processes.
    workers: usize,
}

struct Registry;

struct Desk {
    myself: ActorRef<Msg>,
    setup: Arc<RegistrySetup>,
    places: BTreeMap<PathBuf, Place>,
}

impl Actor for Registry {
    type Msg = Msg;
    type State = Desk;
    type Arguments = RegistrySetup;

    async fn pre_start(
        &self,
        myself: ActorRef<Msg>,
        setup: RegistrySetup,
    ) -> Result<Desk, ActorProcessingErr> {
        Ok(Desk { myself, setup: Arc::new(setup), places: BTreeMap::new() })
    }

    async fn handle(&self, _: ActorRef<Msg>, msg: Msg, desk: &mut Desk) -> Result<(), ActorProcessingErr> {
        match msg {
            Msg::Begin { request, reply } => desk.begin(*request, reply),
            Msg::Began { target, begun } => desk.began(target, begun),
            Msg::Ended { target } => desk.ended(&target),
            Msg::Find { investigation, reply } => {
                let found = desk.runs().find(|(id, _)| **id == investigation).map(|(_, run)| run.clone());
                let _ = reply.send(found);
            }
            Msg::All { reply } => {
                let _ = reply.send(desk.runs().map(|(_, run)| run.clone()).collect());
            }
            Msg::Count { reply } => {
                let _ = reply.send(desk.places.len());
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
            SupervisionEvent::ActorFailed(run, error) => {
                tracing::error!(%error, "a run died");
                desk.died(run.get_id());
            }
            SupervisionEvent::ActorTerminated(run, ..) => desk.died(run.get_id()),
            SupervisionEvent::ActorStarted(_) | SupervisionEvent::ProcessGroupChanged(_) => {}
        }
        Ok(())
    }
}

impl Desk {
    fn runs(&self) -> impl Iterator<Item = (&String, &RunHandle)> {
        self.places.values().filter_map(|place| match place {
            Place::Running { investigation, run, .. } => Some((investigation, run)),
            Place::Beginning { .. } => None,
        })
    }

    fn begin(&mut self, request: RunRequest, reply: RpcReplyPort<Reply>) {
        let target = begin::path(&request.target);
        match self.places.get_mut(&target) {
            Some(Place::Running { investigation, .. }) => {
                let _ = reply.send(Reply::Started { investigation: investigation.clone(), is_joined: true });
            }
            Some(Place::Beginning { waiting, .. }) => waiting.push(reply),
            None => {
                let beginning = Place::Beginning { waiting: vec![reply], is_over: false };
                self.places.insert(target.clone(), beginning);
                let (setup, myself) = (Arc::clone(&self.setup), self.myself.clone());
                tokio::spawn(async move {
                    let (over, place) = (myself.clone(), target.clone());
                    let on_end = Box::new(move || drop(over.cast(Msg::Ended { target: place })));
                    let begun = begin(&setup, request, on_end, myself.get_cell()).await;
                    let _ = myself.cast(Msg::Began { target, begun });
                });
            }
        }
    }

    fn began(&mut self, target: PathBuf, begun: Result<Begun, Refused>) {
        let Some(Place::Beginning { waiting, is_over }) = self.places.remove(&target) else { return };
        match begun {
            Err(refused) => {
                for reply in waiting {
                    let _ = reply.send(Reply::Refused(refused.clone()));
                }
            }
            Ok(Begun { investigation, run, room }) => {
                for (number, reply) in waiting.into_iter().enumerate() {
                    let started =
                        Reply::Started { investigation: investigation.clone(), is_joined: 0 < number };
                    let _ = reply.send(started);
                }
                // One that has died already will not be heard of again.
                if !is_over && run.is_alive() {
                    self.places.insert(target, Place::Running { investigation, run, room });
                    self.share();
                }
            }
        }
    }

    fn ended(&mut self, target: &Path) {
        if let Some(Place::Beginning { is_over, .. }) = self.places.get_mut(target) {
            *is_over = true;
            return;
        }
        self.places.remove(target);
        self.share();
    }

    /// A run is gone, and has perhaps not said so: its target is free for the next one.
    fn died(&mut self, run: ActorId) {
        let is_it = |place: &Place| matches!(place, Place::Running { run: known, .. } if known.id() == run);
        if let Some(target) =
            self.places.iter().find(|(_, place)| is_it(place)).map(|(target, _)| target.clone())
        {
            self.ended(&target);
        }
    }

    /// Gives each run its part of the room that it would have alone.
    fn share(&self) {
        let count = self.runs().count().max(1);
        let runs = u32::try_from(count).unwrap_or(u32::MAX);
        for place in self.places.values() {
            if let Place::Running { run, room, .. } = place {
                run.share(room.loops.div_ceil(runs).max(1), room.workers.div_ceil(count).max(1));
            }
        }
    }
}
