//! What model calls use up, and the limits that hold it.
//!
//! `Usage` is what one call used, `Money` what it cost, `book` what is booked for it, `Ledger` who may still spend how much.
//!
//! Not here: prices (`luminos-models`), waiting (`rate` says how long, the engine waits), turns.

mod booking;
mod ledger;
mod money;
mod posting;
mod usage;

pub use booking::{Booking, CallEnd, book};
pub use ledger::{Charge, Ledger, Limits, Passed, Refusal, ReservationId, Spending, Totals, Wait};
pub use money::{Money, NotMoney};
pub use posting::{Books, PassSpend, SpendPosting};
pub use usage::{Tokens, Usage};
