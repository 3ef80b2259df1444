//! Numbers that only grow: which life of the daemon, which planner.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::document::{self, Kind};
use crate::error::{Problem, Why};
use crate::index::{ids, read_meta};
use crate::layout::{EPOCH, FENCE, Layout, PLAN};
use crate::{Error, StoredPlan, atomic};

/// The number of a planner. A plan that carries a smaller one than the latest is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Fence(pub u64);

#[derive(Serialize, Deserialize)]
struct Number {
    number: u64,
}

/// The latest life of the daemon; 0 when nothing tells.
pub(crate) fn latest_epoch(layout: &Layout) -> u64 {
    read(&layout.epoch(), EPOCH).ok().flatten().unwrap_or_default()
}

/// The latest number of a planner; 0 when nothing tells.
pub(crate) fn latest_fence(layout: &Layout) -> Fence {
    Fence(read(&layout.fence(), FENCE).ok().flatten().unwrap_or_default())
}

/// Begins a life. Whoever asks holds the daemon's lock.
pub(super) fn raise_epoch(layout: &Layout) -> Result<u64, Error> {
    raise(&layout.epoch(), EPOCH, || {
        let metas = ids(layout).into_iter().filter_map(|id| read_meta(layout, id).ok().flatten());
        metas.map(|meta| meta.epoch).max()
    })
}

/// Takes the next number. Whoever asks holds the planner's lock.
pub(super) fn raise_fence(layout: &Layout) -> Result<Fence, Error> {
    let number = raise(&layout.fence(), FENCE, || {
        let plans =
            ids(layout).into_iter().filter_map(|id| document::read(&layout.plan(id), PLAN).ok().flatten());
        let fences = plans.filter_map(|plan| serde_json::from_value::<StoredPlan>(plan).ok());
        fences.map(|plan| plan.fence.0).max()
    });
    number.map(Fence)
}

/// Raises a number by one and keeps it. One that is lost is found again from what carries it, so that it never
/// goes back.
fn raise(path: &Path, kind: Kind, carried: impl FnOnce() -> Option<u64>) -> Result<u64, Error> {
    let latest = match read(path, kind) {
        Ok(Some(number)) => number,
        Err(problem @ Problem { why: Why::TooNew { .. }, .. }) => return Err(Error::Newer(problem)),
        Ok(None) | Err(_) => carried().unwrap_or_default(),
    };
    let number = latest.saturating_add(1);
    let bytes = document::seal(kind, &Number { number });
    let bytes = bytes.map_err(|reason| Error::Malformed { path: path.to_owned(), reason })?;
    atomic::replace_durably(path, &bytes).map_err(|error| Error::writing(path, error))?;
    Ok(number)
}

fn read(path: &Path, kind: Kind) -> Result<Option<u64>, Problem> {
    let Some(found) = document::read(path, kind)? else { return Ok(None) };
    let number: Result<Number, _> = serde_json::from_value(found);
    let number = number.map_err(|error| Problem::new(path, Why::Shape(error.to_string())))?;
    Ok(Some(number.number))
}
