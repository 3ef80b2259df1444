//! Threads that loops of the embedded analyst run on, one each.
//!
//! A thread whose loop is over waits for the next one: its parser and its memory are warm, and a new one would cost more than
//! a small directory does. There are as many as there were ever loops at the same time.

use std::io;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use super::spawn;

/// What a thread is given to do. It catches its own panics.
pub(super) type Work = Box<dyn FnOnce() + Send>;

/// The threads that have nothing to do, each by the way to give it something.
#[derive(Default)]
pub(super) struct Crew {
    idle: Arc<Mutex<Vec<Sender<Work>>>>,
}

impl Crew {
    /// Has something done by a thread that has nothing to do, or by a new one.
    pub(super) fn run(&self, mut work: Work) -> io::Result<()> {
        while let Some(thread) = pop(&self.idle) {
            match thread.send(work) {
                Ok(()) => return Ok(()),
                // A thread that is gone gives back what it cannot do.
                Err(error) => work = error.0,
            }
        }
        let idle = Arc::clone(&self.idle);
        let (sender, orders) = channel::<Work>();
        spawn("loop", move || {
            work();
            loop {
                idle.lock().unwrap_or_else(PoisonError::into_inner).push(sender.clone());
                match orders.recv() {
                    Ok(work) => work(),
                    Err(_) => return,
                }
            }
        })
    }
}

fn pop(idle: &Mutex<Vec<Sender<Work>>>) -> Option<Sender<Work>> {
    idle.lock().unwrap_or_else(PoisonError::into_inner).pop()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::sync_channel;
    use std::thread::{self, ThreadId};

    use super::*;

    /// Has the crew tell which thread does something, once it is let go.
    fn thread_of(
        crew: &Crew,
        hold: Option<std::sync::mpsc::Receiver<()>>,
    ) -> std::sync::mpsc::Receiver<ThreadId> {
        let (tell, told) = sync_channel(1);
        crew.run(Box::new(move || {
            tell.send(thread::current().id()).unwrap();
            if let Some(hold) = hold {
                let _ = hold.recv();
            }
        }))
        .unwrap();
        told
    }

    fn wait_until_idle(crew: &Crew, threads: usize) {
        while crew.idle.lock().unwrap().len() < threads {
            thread::yield_now();
        }
    }

    #[test]
    fn a_thread_is_used_again_and_nobody_waits_for_one() {
        let crew = Crew::default();
        let (release, held) = sync_channel(1);
        let first = thread_of(&crew, Some(held)).recv().unwrap();
        let second = thread_of(&crew, None).recv().unwrap();
        assert_ne!(first, second, "the first one was busy");
        wait_until_idle(&crew, 1);
        assert_eq!(thread_of(&crew, None).recv().unwrap(), second);
        release.send(()).unwrap();
        wait_until_idle(&crew, 2);
        let again = [thread_of(&crew, None).recv().unwrap(), thread_of(&crew, None).recv().unwrap()];
        assert!(again.iter().all(|thread| [first, second].contains(thread)));
    }
}
