//! What a loop needs from the world around it.
//!
//! Three questions and one-way news, as the design has it. In a worker each of these is a message to the daemon; in
//! a test it is a script. Everything may block: a loop has a thread of its own.

use crate::job::{Ask, DirResult, Loan, News, NoTurn, Reception, Said};
use crate::plan::Turns;

/// Whoever answers the questions of a conversation.
pub trait Answers {
    /// Asks the model. The same turn asked twice must give the same answer and be paid once.
    fn turn(&self, ask: Ask) -> Result<Said, NoTurn>;

    /// Whether the investigation is being stopped, so that no further question is worth asking.
    fn is_stopped(&self) -> bool {
        false
    }

    /// Whether it was told to leave everything as it is: somebody will go on where it was.
    fn is_kept(&self) -> bool {
        false
    }

    /// Tells what of a submission could not be read and is lost, half a sentence each.
    fn tell_lost(&self, _: &[String]) {}
}

/// What the loop over a directory needs besides answers. Which job it is about is bound inside.
pub trait Services: Answers {
    /// Asks for more turns, and waits for the answer.
    fn borrow(&self, turns: Turns, reason: &str) -> Loan;

    /// Tells something. It is on its way before the next question is asked, so that whoever has seen a question has
    /// seen the news before it. Entries come without `path` and `cached_at`: a loop knows neither the machine nor
    /// the time.
    fn news(&self, news: News);

    /// Hands in the result. After `Revise` the loop goes on and hands in once more: the better report, or the same
    /// one where the turns did not suffice. After three rounds it takes no more corrections.
    fn done(&self, result: DirResult) -> Reception;
}
