//! Work shared between threads: last in, first out, so that a walk goes deep before it goes wide and holds few
//! directories at a time.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// What is left to do, and who still works.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<T> {
    tasks: Vec<T>,
    working: usize,
    waiting: usize,
}

impl<T> Queue<T> {
    pub(crate) fn new(first: T) -> Self {
        Self {
            state: Mutex::new(State { tasks: vec![first], working: 0, waiting: 0 }),
            changed: Condvar::new(),
        }
    }

    /// Adds work; wakes others only when some wait.
    pub(crate) fn push_all(&self, tasks: &mut Vec<T>) {
        if tasks.is_empty() {
            return;
        }
        let mut state = self.lock();
        let added = tasks.len();
        state.tasks.append(tasks);
        let wake = state.waiting.min(added);
        drop(state);
        for _ in 0..wake {
            self.changed.notify_one();
        }
    }

    /// Takes work, waiting while others may still bring some; `None` when all is done. `was_working` says
    /// whether the caller comes back from a task.
    pub(crate) fn take(&self, was_working: bool) -> Option<T> {
        let mut state = self.lock();
        if was_working {
            state.working -= 1;
        }
        loop {
            if let Some(task) = state.tasks.pop() {
                state.working += 1;
                return Some(task);
            }
            if state.working == 0 {
                drop(state);
                self.changed.notify_all();
                return None;
            }
            state.waiting += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // A thread that panics while it holds the lock leaves the list whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
