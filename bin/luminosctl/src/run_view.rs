//! A run that is under way, as people and programs see it.

use luminos_report::progress::{ActiveView, ProgressView, WaitView};
use luminos_wire::control::{ActiveDir, Snapshot};

/// Where a run is.
pub(crate) fn progress(run: Snapshot) -> ProgressView {
    let active = |ActiveDir { dir, turn, turns, state }| ActiveView { dir, turn, turns, state };
    let eta_seconds = eta(&run);
    ProgressView {
        investigation: run.investigation,
        target: run.target,
        phase: run.phase,
        dirs_done: run.dirs_done,
        dirs_reused: run.dirs_reused,
        dirs_total: run.dirs_total,
        turns_used: run.turns_used,
        turns_total: run.turns_total,
        active: run.active.into_iter().map(active).collect(),
        parked: run.parked,
        tokens: run.tokens,
        cost: run.cost,
        reserved: run.reserved,
        lost_in_flight: run.lost,
        flags: run.flags,
        seconds: run.seconds,
        eta_seconds,
        paused: run.paused,
        waiting: run.waiting.map(|wait| WaitView {
            reason: wait.reason,
            seconds: wait.seconds,
            gives_up_seconds: wait.gives_up,
        }),
    }
}

/// The rest, if it goes on as before. What was only looked up says nothing about that.
fn eta(run: &Snapshot) -> Option<u64> {
    let worked = run.dirs_done.saturating_sub(run.dirs_reused);
    let left = run.dirs_total.saturating_sub(run.dirs_done);
    (0 < worked && 0 < left && run.paused.is_none()).then(|| run.seconds.saturating_mul(left) / worked)
}
