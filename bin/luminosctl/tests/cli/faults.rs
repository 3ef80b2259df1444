//! What can go wrong, done to the real programs on purpose: deaths at every step, disks that are full, lost or slow,
//! processes that stop, lie or come twice. `docs/faults.md` says which test stands for which fault.
//!
//! Whatever was done, in the end the report, the plan and the ledger are those of a run that nobody disturbed, the model
//! was asked nothing twice but what was on its way, the state directory is sound, and nothing is left behind.

mod changes;
mod clock;
mod damage;
mod deaths;
mod disk;
pub(crate) mod house;
mod kills;
mod power;
mod processes;
mod signals;
mod starts;
pub(crate) mod stuck;
mod users;

pub(crate) use house::not_tested;
