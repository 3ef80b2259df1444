//! Who else has a say in a call: before it is paid, and before its answer is acted upon.
//!
//! Each try passes here twice, in a task of its own, so that an overseer may wait: for a budget to authorise it,
//! for a journal to reach the disk. An objection ends the call; nothing is tried again then.

use std::error::Error as StdError;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use luminos_core::spend::{CallEnd, Charge, Usage};
use luminos_models::{Error, Exchange, Reply, Request, Sink};

use super::CallId;

/// One try of a call.
#[derive(Debug, Clone, Copy)]
pub struct Attempt<'a> {
    /// What the call is recognised by.
    pub id: Option<&'a CallId>,
    /// The model's id, as prices and recordings know it.
    pub model: &'a str,
    /// What it is asked, without secrets.
    pub request: &'a Request,
    /// The most that it can cost.
    pub worst: Charge,
    /// How many tries failed before.
    pub retries: u32,
}

/// Why a call must not go on.
pub type Objection = Arc<dyn StdError + Send + Sync>;

/// What an overseer says, perhaps after a while.
pub type Verdict<'a> = Pin<Box<dyn Future<Output = Result<(), Objection>> + Send + 'a>>;

/// Somebody who has a say in every try. What it does not care about, it lets pass.
///
/// A caller that leaves ends its call, and with it whatever an overseer is doing about it.
pub trait Overseer: Send + Sync {
    /// Before anything is sent. An objection costs nothing.
    fn before_paying<'a>(&'a self, _attempt: Attempt<'a>) -> Verdict<'a> {
        Box::pin(async { Ok(()) })
    }

    /// How a try has ended, as soon as that is known, also one whose caller left, and the tokens that are booked for it if
    /// it cost something. Nobody waits for it.
    fn settled(&self, _attempt: Attempt<'_>, _end: CallEnd, _usage: Option<Usage>) {}

    /// When a try has ended, before anybody hears how: the caller, the ledger, the next try. With an objection
    /// the answer is withheld; what it cost is booked all the same.
    fn before_answering<'a>(
        &'a self,
        _attempt: Attempt<'a>,
        _result: &'a Result<Reply, Error>,
    ) -> Verdict<'a> {
        Box::pin(async { Ok(()) })
    }
}

/// Gives every exchange to a sink, without secrets. A call that was cancelled is none.
pub struct Recording(pub Sink);

impl fmt::Debug for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Recording(…)")
    }
}

impl Overseer for Recording {
    fn before_answering<'a>(&'a self, attempt: Attempt<'a>, result: &'a Result<Reply, Error>) -> Verdict<'a> {
        (self.0)(Exchange::new(attempt.model, attempt.request, result));
        Box::pin(async { Ok(()) })
    }
}
