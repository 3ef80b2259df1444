//! What can be written in the ledger.

use serde::{Deserialize, Serialize};

use super::{Band, LoanId};
use crate::RelPath;
use crate::plan::Turns;

/// A line of the ledger's journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "post", rename_all = "snake_case")]
pub enum Posting {
    /// A run begins with so many turns. What stood in the ledger before belongs to an earlier run.
    Open {
        /// All turns.
        total: Turns,
    },
    /// A run that goes on has another number of turns: not fewer than are out.
    Limit {
        /// All turns.
        total: Turns,
    },
    /// A directory is going to get turns. Said again before it starts, it changes how many; said after its end, the
    /// directory is looked at again.
    Promise {
        /// The directory.
        dir: RelPath,
        /// How many.
        turns: Turns,
    },
    /// A directory on which nobody works needs its turns no longer.
    Release {
        /// The directory.
        dir: RelPath,
    },
    /// An attempt at a directory begins. What earlier attempts left is its own.
    Start {
        /// The directory.
        dir: RelPath,
        /// Which attempt.
        attempt: u32,
    },
    /// A turn is used.
    Spend {
        /// The directory.
        dir: RelPath,
        /// Which attempt.
        attempt: u32,
        /// Which turn of the directory, from 1.
        turn: u32,
    },
    /// A directory begins anew, and what it used had cost nothing.
    Refund {
        /// The directory.
        dir: RelPath,
        /// Which attempt.
        attempt: u32,
    },
    /// A directory is finished: what is left goes back.
    End {
        /// The directory.
        dir: RelPath,
        /// Which attempt.
        attempt: u32,
    },
    /// A directory wants more turns.
    Borrow {
        /// The directory.
        dir: RelPath,
        /// Which attempt.
        attempt: u32,
        /// What the answer refers to.
        loan: LoanId,
        /// How many more.
        turns: Turns,
        /// How important the directory is.
        band: Band,
    },
    /// Nobody waits for the answer any more.
    Withdraw {
        /// The wish.
        loan: LoanId,
    },
    /// Everything that is out waits: the least important wish is refused, so that something moves.
    RefuseOne,
    /// No turn may be used any more: a limit was reached.
    Close,
}

/// Why a posting cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Odd {
    /// More turns are out than there would be.
    #[error("{} turns are out already", .out.0)]
    LessThanOut {
        /// How many.
        out: Turns,
    },
    /// There are not so many turns.
    #[error("only {} turns are free", .free.0)]
    NotEnough {
        /// How many are free.
        free: Turns,
    },
    /// Nothing was promised to the directory.
    #[error("nothing was promised to the directory")]
    Unknown,
    /// The directory has started.
    #[error("the directory has started")]
    HasStarted,
    /// The directory has ended.
    #[error("the directory has ended")]
    HasEnded,
    /// Another attempt is under way.
    #[error("attempt {current} is under way")]
    Stale {
        /// Which one.
        current: u32,
    },
    /// That turn is booked.
    #[error("that turn is booked already")]
    SpentAlready,
    /// A turn was left out.
    #[error("turn {next} comes next")]
    OutOfOrder {
        /// Which one comes next.
        next: u32,
    },
    /// The directory has no turn left.
    #[error("the directory has used all its turns")]
    NothingLeft,
    /// That wish is known.
    #[error("that was asked already")]
    AskedAlready,
    /// No turn may be used any more.
    #[error("a limit was reached")]
    Closed,
}
