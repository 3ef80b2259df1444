//! What model calls use up, and the limits that hold it.
//!
//! `Usage` is what one call used, `Money` what it cost, `Ledger` who may still spend how much.
//!
//! Not here: prices (`luminos-models`), waiting (`rate` says how long, the engine waits), turns.

mod ledger;
mod money;
mod posting;
mod usage;

pub use ledger::{Charge, Ledger, Limits, Outcome, Refusal, ReservationId, Settled, Totals, Wait};
pub use money::{Money, NotMoney};
pub use posting::{Books, PassSpend, SpendPosting, spent_by};
pub use usage::{Tokens, Usage};
