//! What comes of survey and plan: the run hears of it, and the ledger of turns is opened as the plan says.

use luminos_core::RelPath;
use luminos_core::job::Mind;
use luminos_core::plan::{Plan, Revision, Turns};
use luminos_core::run::Event;
use luminos_core::scan::DirId;
use luminos_core::survey::Survey;
use luminos_core::talk::Pass;
use luminos_core::turns::Posting;
use luminos_store::StoredPlan;
use luminos_wire::control::RunEvent;

use super::Desk;

impl Desk {
    pub(in crate::run) fn surveyed(&mut self, survey: Option<Survey>, note: Option<String>) {
        self.failed_passes.extend(note);
        if survey.is_none() {
            self.model_failed(Pass::Survey);
        }
        self.feed(Event::Surveyed { survey });
    }

    pub(in crate::run) fn planned(
        &mut self,
        plan: Option<Plan>,
        stored: Option<Box<StoredPlan>>,
        note: Option<String>,
    ) {
        self.failed_passes.extend(note);
        if plan.is_none() {
            self.model_failed(Pass::Plan);
        }
        self.stored_plan = stored;
        self.feed(Event::Planned { plan });
    }

    pub(in crate::run) fn revised(
        &mut self,
        mut revision: Option<Revision>,
        stored: Option<Box<StoredPlan>>,
    ) {
        // A rule does not mind that others were faster, and what was faster differs from run to run: nobody is told.
        if let (Mind::Offline, Some(revision)) = (self.minds.mind(Pass::Plan), &mut revision) {
            let is_under_way =
                |path: &RelPath| self.loops.contains_key(path) || self.entries.contains_key(path);
            revision.moves.retain(|change| !is_under_way(&RelPath::from(change.path.as_str())));
        }
        if stored.is_some() {
            self.stored_plan = stored;
        }
        self.feed(Event::Revised { revision });
    }

    pub(super) fn open_ledger(&mut self, total: Turns, promises: Vec<(DirId, Turns)>) -> Option<Event> {
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
        // What was lent when it was recorded must be there to be lent again.
        let lent = self.minds.recordings().map_or(Turns(0), |recordings| recordings.lent_in_all());
        let promised: u32 = promises.iter().map(|(_, turns)| turns.0).sum();
        let total = if lent == Turns(0) { total } else { Turns(total.0.max(promised) + lent.0) };
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
}
