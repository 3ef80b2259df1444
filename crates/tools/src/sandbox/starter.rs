//! A thread that starts children which are to outlive the call that needs them.
//!
//! A child is told to die with the thread that started it, and threads of a runtime come and go. This one stays until
//! its owner is dropped; whatever it started then ends.

use std::io;
use std::sync::mpsc::{Sender, channel, sync_channel};
use std::thread;

use super::cage::CannotStart;

type Job = Box<dyn FnOnce() + Send>;

/// A thread that starts children.
#[derive(Debug)]
pub(super) struct Starter {
    jobs: Sender<Job>,
}

impl Starter {
    pub(super) fn new() -> Result<Self, CannotStart> {
        let (jobs, queue) = channel::<Job>();
        thread::Builder::new()
            .name("starter".to_owned())
            .spawn(move || queue.into_iter().for_each(|job| job()))
            .map_err(|source| CannotStart::Step { step: "start a thread", source })?;
        Ok(Self { jobs })
    }

    /// Has the thread do something and waits for what comes of it.
    pub(super) fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> Result<T, CannotStart> + Send + 'static,
    ) -> Result<T, CannotStart> {
        let ended = || CannotStart::Step {
            step: "start a program",
            source: io::Error::other("the starting thread has ended"),
        };
        let (done, answer) = sync_channel(1);
        // If nobody waits any more, what was started is dropped with the answer, and ends.
        self.jobs.send(Box::new(move || drop(done.send(job())))).map_err(|_| ended())?;
        answer.recv().map_err(|_| ended())?
    }
}
