//! What earlier investigations of a store have shown.

use std::path::Path;

use luminos_core::evaluation::Evaluation;
use luminos_core::experience::{Experience, Whose};
use luminos_core::job::Mind;
use luminos_store::{Investigation, InvestigationId, Store, Target};

/// Of so many other investigations the newest are asked.
const MOST_INVESTIGATIONS: usize = 50;

/// What the investigations of a store tell about directories that such a mind looks into: the last run of this one most of
/// all.
pub(crate) fn experience(store: &Store, own: &Investigation, mind: Mind) -> Experience {
    let mut experience = of(store, |id| id != own.id(), mind);
    if let Some(evaluation) = own.evaluation::<Evaluation>().ok().flatten() {
        experience.remember(&evaluation);
    }
    experience
}

/// What the state directory tells about models, for an estimate of a target; nothing if there is none.
pub fn experience_of(home: &Path, target: &Path) -> Experience {
    let Ok(Some(store)) = Store::existing(home) else { return Experience::of(Whose::Model) };
    let known = store.investigations();
    match known.current(&Target::new(target)) {
        Some(meta) => experience(&store, &store.investigation(meta.id), Mind::Remote),
        None => of(&store, |_| true, Mind::Remote),
    }
}

/// What was known when an investigation began, as far as the older ones have not been run again since: the plan of a run that
/// is repeated rests on that, too.
pub(crate) fn experience_before(store: &Store, first: InvestigationId, mind: Mind) -> Experience {
    of(store, |id| id < first, mind)
}

fn of(store: &Store, counts: impl Fn(InvestigationId) -> bool, mind: Mind) -> Experience {
    let whose = match mind {
        Mind::Offline => Whose::Analyst,
        Mind::Remote => Whose::Model,
    };
    let mut experience = Experience::of(whose);
    let known = store.investigations();
    let others = known.all().iter().map(|known| known.id).filter(|id| counts(*id));
    let mut others: Vec<_> = others.collect();
    others.sort();
    for id in others.into_iter().rev().take(MOST_INVESTIGATIONS) {
        // One that cannot be read teaches nothing.
        if let Ok(Some(evaluation)) = store.investigation(id).evaluation::<Evaluation>() {
            experience.learn(&evaluation);
        }
    }
    experience
}
