//! The answer to a write, which comes later.
//!
//! Waiting takes no thread: a receipt is a future for any runtime. Whoever has a thread to spare can block on it.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::Error;

#[derive(Debug, Default)]
struct Answer {
    result: Option<Result<(), Error>>,
    waker: Option<Waker>,
}

#[derive(Debug, Default)]
struct Shared {
    answer: Mutex<Answer>,
    answered: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Answer> {
        // Nothing that can panic happens under this lock.
        self.answer.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells when something is on disk, or why it is not. Not waiting for it changes nothing.
#[derive(Debug)]
#[must_use = "a write that nobody waits for may have failed"]
pub struct Receipt(Arc<Shared>);

/// The duty to answer. One that is dropped unanswered says that the writer has ended.
#[derive(Debug)]
pub(crate) struct Promise(Option<Arc<Shared>>);

/// A promise and its receipt.
pub(crate) fn pair() -> (Promise, Receipt) {
    let shared = Arc::new(Shared::default());
    (Promise(Some(Arc::clone(&shared))), Receipt(shared))
}

impl Receipt {
    /// The receipt of a write that was not even tried.
    pub(crate) fn failed(error: Error) -> Self {
        let (promise, receipt) = pair();
        promise.keep(Err(error));
        receipt
    }

    /// Why the store refuses what it was given, if it does: that is known at once.
    pub fn refusal(&self) -> Option<Error> {
        let answer = self.0.lock();
        answer
            .result
            .as_ref()
            .and_then(|result| result.as_ref().err())
            .filter(|error| error.is_refusal())
            .cloned()
    }

    /// Waits, on this thread.
    pub fn wait(self) -> Result<(), Error> {
        let mut answer = self.0.lock();
        loop {
            if let Some(result) = answer.result.take() {
                return result;
            }
            answer = self.0.answered.wait(answer).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Future for Receipt {
    type Output = Result<(), Error>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let mut answer = self.0.lock();
        match answer.result.take() {
            Some(result) => Poll::Ready(result),
            None => {
                answer.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }
}

impl Promise {
    /// Answers.
    pub(crate) fn keep(mut self, result: Result<(), Error>) {
        self.answer(result);
    }

    fn answer(&mut self, result: Result<(), Error>) {
        let Some(shared) = self.0.take() else { return };
        let mut answer = shared.lock();
        answer.result = Some(result);
        let waker = answer.waker.take();
        drop(answer);
        shared.answered.notify_all();
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        self.answer(Err(Error::Closed));
    }
}
