//! The planner: one at a time for a store, across processes.
//!
//! Work that plans is handed to this actor, which takes the planner's lock, does the work on a thread of its own with
//! the fencing number it got, and lets go. What waits, waits in order. A plan that carries an older number than the
//! store's is refused there, so a planner that slept cannot undo what another one planned since.

use std::collections::VecDeque;
use std::fmt;

use luminos_store::{Error, Fence, Holder, PlannerLock, Store};
use ractor::{Actor, ActorProcessingErr, ActorRef};

/// Something that plans. It gets the fencing number, or why there is none.
pub(crate) type PlanWork = Box<dyn FnOnce(Result<Fence, Error>) + Send>;

/// The way to the planner. Clones lead to the same one.
#[derive(Debug, Clone)]
pub(crate) struct PlannerHandle {
    actor: ActorRef<Msg>,
}

impl PlannerHandle {
    /// Starts the planner of a store.
    pub(crate) async fn start(store: Store, holder: Holder) -> Result<Self, ractor::SpawnErr> {
        let (actor, _) = Actor::spawn(None, Planner, (store, holder)).await?;
        Ok(Self { actor })
    }

    /// Has something planned, after everything that waits already.
    pub(crate) fn plan(&self, work: PlanWork) {
        // A planner that is gone has taken the daemon with it.
        let _ = self.actor.cast(Msg::Plan(work));
    }
}

enum Msg {
    /// From a run.
    Plan(PlanWork),
    /// The lock is free again. From the thread that planned.
    Free,
}

impl fmt::Debug for Msg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plan(_) => "Plan",
            Self::Free => "Free",
        })
    }
}

struct Planner;

struct Desk {
    store: Store,
    holder: Holder,
    waiting: VecDeque<PlanWork>,
    is_busy: bool,
}

impl Actor for Planner {
    type Msg = Msg;
    type State = Desk;
    type Arguments = (Store, Holder);

    async fn pre_start(
        &self,
        _: ActorRef<Msg>,
        (store, holder): (Store, Holder),
    ) -> Result<Desk, ActorProcessingErr> {
        Ok(Desk { store, holder, waiting: VecDeque::new(), is_busy: false })
    }

    async fn handle(
        &self,
        myself: ActorRef<Msg>,
        msg: Msg,
        desk: &mut Desk,
    ) -> Result<(), ActorProcessingErr> {
        match msg {
            Msg::Plan(work) => desk.waiting.push_back(work),
            Msg::Free => desk.is_busy = false,
        }
        if desk.is_busy {
            return Ok(());
        }
        if let Some(work) = desk.waiting.pop_front() {
            desk.is_busy = true;
            let (store, holder) = (desk.store.clone(), desk.holder.clone());
            tokio::task::spawn_blocking(move || {
                let told = |holder: &str| tracing::info!(holder, "waiting for the planner's lock");
                match PlannerLock::acquire(&store, &holder, told) {
                    Ok(lock) => work(Ok(lock.fence())),
                    Err(error) => work(Err(error)),
                }
                let _ = myself.cast(Msg::Free);
            });
        }
        Ok(())
    }
}
