//! The top of the tree of actors: registry and planner hang on it, runs on the registry, and on a run its budget, its
//! gateways and its pool.
//!
//! Whoever dies takes everything below along. A run that dies is the registry's business; if registry or planner die
//! there is nothing left that could go on, and the daemon ends.

use ractor::{Actor, ActorCell, ActorProcessingErr, ActorRef, SpawnErr, SupervisionEvent};
use tokio::sync::watch;

/// The top of the tree.
pub(super) struct Top {
    actor: ActorRef<()>,
    died: watch::Receiver<Option<String>>,
}

impl Top {
    /// A tree without branches.
    pub(super) async fn start() -> Result<Self, SpawnErr> {
        let (tell, died) = watch::channel(None);
        let (actor, _) = Actor::spawn(None, Trunk, tell).await?;
        Ok(Self { actor, died })
    }

    /// What others hang on.
    pub(super) fn cell(&self) -> ActorCell {
        self.actor.get_cell()
    }

    /// Waits until somebody who hangs on it has died; says why.
    pub(super) async fn broken(&self) -> String {
        match self.died.clone().wait_for(Option::is_some).await {
            Ok(why) => why.clone().unwrap_or_default(),
            Err(_) => "the top of the tree of actors".to_owned(),
        }
    }
}

struct Trunk;

impl Actor for Trunk {
    type Msg = ();
    type State = watch::Sender<Option<String>>;
    type Arguments = watch::Sender<Option<String>>;

    async fn pre_start(
        &self,
        _: ActorRef<()>,
        tell: Self::Arguments,
    ) -> Result<Self::State, ActorProcessingErr> {
        Ok(tell)
    }

    async fn handle_supervisor_evt(
        &self,
        _: ActorRef<()>,
        event: SupervisionEvent,
        tell: &mut Self::State,
    ) -> Result<(), ActorProcessingErr> {
        let why = match event {
            SupervisionEvent::ActorFailed(_, error) => error.to_string(),
            SupervisionEvent::ActorTerminated(_, _, reason) => {
                reason.unwrap_or_else(|| "it ended".to_owned())
            }
            SupervisionEvent::ActorStarted(_) | SupervisionEvent::ProcessGroupChanged(_) => return Ok(()),
        };
        tracing::error!(why, "a part of the daemon died");
        tell.send_replace(Some(why));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Branch;

    impl Actor for Branch {
        type Msg = ();
        type State = ();
        type Arguments = ();

        async fn pre_start(&self, _: ActorRef<()>, (): ()) -> Result<(), ActorProcessingErr> {
            Ok(())
        }

        async fn handle(&self, _: ActorRef<()>, (): (), (): &mut ()) -> Result<(), ActorProcessingErr> {
            Err("it was made to".into())
        }
    }

    #[tokio::test]
    async fn whoever_hangs_on_it_and_dies_is_heard_of() {
        let top = Top::start().await.unwrap();
        let (branch, _) = Actor::spawn_linked(None, Branch, (), top.cell()).await.unwrap();
        branch.cast(()).unwrap();
        assert_eq!(top.broken().await, "it was made to");
    }
}
