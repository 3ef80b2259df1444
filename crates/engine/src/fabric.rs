//! The seam between a run and whoever does its work.
//!
//! A run offers jobs and answers questions; it does not know whether they are worked on by processes of this machine
//! (`pool`), by tasks in a test, or one day elsewhere. Whoever implements this redelivers nothing: a job whose worker is
//! gone is reported as lost, and the run decides.

use luminos_core::job::{Assignment, JobId, News};
use luminos_wire::worker::{Answer, Confinement, Question};

/// Whoever does the work of a run.
pub(crate) trait Fabric: Send + Sync + 'static {
    /// Has a job done. What comes of it is told as events.
    fn offer(&self, assignment: Box<Assignment>);

    /// Answers a question of a job.
    fn answer(&self, job: &JobId, question: u64, answer: Answer);

    /// Stops a job. With `flush` it still hands in what it knows.
    fn revoke(&self, job: &JobId, flush: bool);

    /// Works with no more processes than this from now on, where it works with processes.
    fn share(&self, workers: usize);

    /// Ends everything that is under way, without a word.
    fn shut_down(&self);
}

/// What happens where the work is done.
#[derive(Debug)]
pub(crate) enum FabricEvent {
    /// Work can begin, and this is how well it is confined.
    Ready(Confinement),
    /// A job wants to know something.
    Question {
        /// The job.
        job: JobId,
        /// What the answer refers to.
        question: u64,
        /// What it wants to know.
        ask: Question,
    },
    /// News of a job.
    News {
        /// The job.
        job: JobId,
        /// The number of the first of these news within the attempt.
        number: u32,
        /// The news, in their order.
        news: Vec<News>,
    },
    /// A job is over.
    Over {
        /// The job.
        job: JobId,
        /// Whether it was stopped before it had handed in a result.
        is_returned: bool,
    },
    /// A job has died with its worker.
    Lost {
        /// The job.
        job: JobId,
        /// What is known about it.
        reason: String,
    },
    /// No work can be done at all.
    Broken {
        /// Why.
        reason: String,
    },
}

/// Who hears of it. It must not block.
pub(crate) type Listener = Box<dyn Fn(FabricEvent) + Send + Sync>;
