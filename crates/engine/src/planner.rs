//! The planner: one at a time for a store, across processes.
//!
//! Work that plans is handed to this actor, which takes the planner's lock, does the work on a thread of its own with
//! the fencing number it got, and lets go. What waits, waits in order. A plan that carries an older number than the
//! store's is refused there, so a planner that slept cannot undo what another one planned since.
//!
//! The daemon has one for all its runs. Commands that plan in their own process (`evolve plan`, `tasks plan`) have one of
//! their own for as long as they plan: the lock is the kernel's and the number the store's, so it makes no difference who asks.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use luminos_store::{Error, Fence, Holder, PlannerLock, Store};
use ractor::{Actor, ActorCell, ActorProcessingErr, ActorRef};
use tokio::sync::oneshot;

/// How long the planner's lock may be somebody else's before that is told.
const PATIENCE: Duration = Duration::from_millis(500);

/// The pause before the lock is tried again when there is no space for its number.
const PAUSE: Duration = Duration::from_millis(200);

/// Something that plans. It gets the fencing number, or why there is none.
pub(crate) type PlanWork = Box<dyn FnOnce(Result<Fence, Error>) + Send>;

/// The way to the planner. Clones lead to the same one.
#[derive(Debug, Clone)]
pub(crate) struct PlannerHandle {
    actor: ActorRef<Msg>,
    store: Store,
}

impl PlannerHandle {
    /// Starts the planner of a store.
    pub(crate) async fn start(store: Store, holder: Holder) -> Result<Self, ractor::SpawnErr> {
        let (actor, _) = Actor::spawn(None, Planner, (store.clone(), holder)).await?;
        Ok(Self { actor, store })
    }

    /// The same, watched over: if it dies, the supervisor is told.
    #[must_use]
    pub(crate) fn supervised_by(self, supervisor: ActorCell) -> Self {
        self.actor.link(supervisor);
        self
    }

    /// Has something planned, after everything that waits already.
    pub(crate) fn plan(&self, work: PlanWork) {
        // A planner that is gone has taken the daemon with it.
        let _ = self.actor.cast(Msg::Plan(work));
    }

    /// The same; `told` hears who plans if it takes a while until this one's turn comes.
    pub(crate) fn plan_telling(&self, work: PlanWork, told: impl FnOnce(String) + Send + 'static) {
        let (begin, begun) = oneshot::channel::<()>();
        self.plan(Box::new(move |fence| {
            drop(begin);
            work(fence);
        }));
        let store = self.store.clone();
        tokio::spawn(async move {
            if tokio::time::timeout(PATIENCE, begun).await.is_err() {
                told(PlannerLock::holder(&store));
            }
        });
    }
}

/// The planner's lock, for as long as this value lives. Whatever ends this process ends it as well.
#[derive(Debug)]
pub struct PlannerTurn {
    fence: Fence,
    _release: oneshot::Sender<()>,
}

/// Why this process may not plan.
#[derive(Debug, thiserror::Error)]
pub enum NoTurn {
    /// The store says why.
    #[error(transparent)]
    Store(#[from] Error),
    /// The planner itself is gone.
    #[error("the planner has ended")]
    Gone,
}

impl PlannerTurn {
    /// Waits until nobody else plans in a store. `told` hears who does if that takes a while.
    pub async fn take(store: &Store, what: &str, told: impl FnOnce(&str)) -> Result<Self, NoTurn> {
        let holder = Holder::this_process(crate::registry::now(), what);
        let planner = PlannerHandle::start(store.clone(), holder).await.map_err(|_| NoTurn::Gone)?;
        // The planner holds the lock for as long as this side works, and lets go when this side is gone.
        let (grant, mut granted) = oneshot::channel();
        let (release, released) = oneshot::channel::<()>();
        planner.plan(Box::new(move |fence| {
            let is_wanted = grant.send(fence).is_ok();
            if is_wanted {
                let _ = released.blocking_recv();
            }
        }));
        let granted = match tokio::time::timeout(PATIENCE, &mut granted).await {
            Ok(granted) => granted,
            Err(_) => {
                told(&PlannerLock::holder(store));
                granted.await
            }
        };
        let fence = granted.map_err(|_| NoTurn::Gone)??;
        Ok(Self { fence, _release: release })
    }

    /// The number for plans made in this turn.
    pub fn fence(&self) -> Fence {
        self.fence
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
            tokio::spawn(async move {
                let lock = acquire(store, holder).await;
                let _ = tokio::task::spawn_blocking(move || match lock {
                    Ok(lock) => work(Ok(lock.fence())),
                    Err(error) => work(Err(error)),
                })
                .await;
                let _ = myself.cast(Msg::Free);
            });
        }
        Ok(())
    }
}

/// Takes the planner's lock, however long others have it, and however long there is no space for its number.
async fn acquire(store: Store, holder: Holder) -> Result<PlannerLock, Error> {
    loop {
        let (store, holder) = (store.clone(), holder.clone());
        let acquired = tokio::task::spawn_blocking(move || {
            let told = |holder: &str| tracing::info!(holder, "waiting for the planner's lock");
            PlannerLock::acquire(&store, &holder, told)
        });
        match acquired.await {
            Ok(Err(error)) if error.may_pass() => tokio::time::sleep(PAUSE).await,
            Ok(acquired) => return acquired,
            Err(_) => return Err(Error::Closed),
        }
    }
}

#[cfg(test)]
mod tests {
    use luminos_core::entry::Stamp;

    use super::*;

    #[tokio::test]
    async fn whoever_waits_to_plan_hears_for_whom_and_has_its_turn() {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        let other = Holder::this_process(Stamp::default(), "another program that plans");
        let lock = PlannerLock::try_acquire(&store, &other).unwrap();
        let own = Holder::this_process(Stamp::default(), "this one");
        let planner = PlannerHandle::start(store, own).await.unwrap();
        let (plan, planned) = oneshot::channel();
        let (tell, told) = oneshot::channel();
        let work = Box::new(move |fence: Result<Fence, Error>| plan.send(fence.unwrap()).unwrap());
        planner.plan_telling(work, move |holder| drop(tell.send(holder)));
        let told = told.await.unwrap();
        assert!(told.contains("another program that plans"), "{told}");
        let before = lock.fence();
        drop(lock);
        assert!(before < planned.await.unwrap());
    }

    #[tokio::test]
    async fn nobody_is_told_who_need_not_wait() {
        let dir = tempfile::tempdir().unwrap();
        let own = Holder::this_process(Stamp::default(), "this one");
        let planner = PlannerHandle::start(Store::open(dir.path()).unwrap(), own).await.unwrap();
        let (tell, told) = oneshot::channel::<String>();
        planner.plan_telling(Box::new(|fence| assert!(fence.is_ok())), move |holder| drop(tell.send(holder)));
        assert!(told.await.is_err(), "the sender was dropped unused");
    }
}
