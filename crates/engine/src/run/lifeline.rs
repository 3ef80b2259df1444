//! What happens when a part or a task of a run dies.
//!
//! Its budget, its gateways and its pool are actors that the run watches over; passes, verdicts and turns are tasks that
//! hold a lifeline. Whichever of them dies, something that the run waits for will never come: the run ends then, at once
//! and without another word to the store. What is on disk says that it is under way, so the next run goes on where it was,
//! as after a kill.

use luminos_core::run::RunEnd;
use ractor::{ActorId, ActorRef};

use super::Msg;
use super::desk::Desk;

/// Held by a task for as long as it works: if the task panics, the run hears of it.
pub(super) struct Lifeline {
    run: ActorRef<Msg>,
    what: &'static str,
}

impl Drop for Lifeline {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // A run that is gone needs nobody.
            let _ = self.run.cast(Msg::Died { what: self.what });
        }
    }
}

impl Desk {
    /// For a task that the run waits for.
    pub(super) fn lifeline(&self, what: &'static str) -> Lifeline {
        Lifeline { run: self.myself.clone(), what }
    }

    /// An actor that the run watches over is gone.
    pub(super) fn part_died(&mut self, part: ActorId, why: &str) {
        let what = if part == self.budget.id() {
            "the budget"
        } else if self.minds.has_gateway(part) {
            "the gateway to the models"
        } else {
            "the pool of workers"
        };
        self.died(what, why);
    }

    pub(super) fn died(&mut self, what: &str, why: &str) {
        // Whoever ends with the run has not died.
        if self.on_end.is_some() {
            tracing::error!(what, why, "a part of a run died");
            let reason = format!("{what} died; `run/daemon.log` in the state directory says more");
            let _ = self.myself.cast(Msg::Closed(RunEnd::Failed { reason }));
        }
    }
}
