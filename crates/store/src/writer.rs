//! The one thread that writes.
//!
//! Whoever wants something written hands it over and gets a [`Receipt`]. The thread takes all that is waiting and
//! makes it last together (`scribe`), so that many writes cost little more than one.
//!
//! What can be relied on:
//! - A receipt that says yes means that a crash, and with [`Durability::PowerLoss`] a power cut, does not undo it.
//! - Lines of a journal stand in the order in which they were handed over; of several versions of a document the
//!   last one stays.
//! - In whatever is handed over at one time, lines last before a document can be seen, and a document is not
//!   written if a line of its investigation before it could not be. Whoever needs a document before a line waits for its receipt.
//! - When the disk fails to keep something, nothing is written from then on.
//! - When there is no space, what was handed over is refused and untouched; or it waits, with all that comes later,
//!   until there is ([`WhenFull`]).
//!
//! The writer holds the daemon's lock, and lets go of it after its last write.

mod batch;
mod journals;
mod patience;
mod receipt;
mod reserve;
mod scribe;
mod standing;
mod sweep;
mod syncing;
#[cfg(test)]
mod tests;
mod upkeep;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use nix::sys::signal::{SigSet, Signal};

use batch::Batch;
pub(crate) use journals::{Addition, Journal, Journals};
pub use journals::{Lost, Mended};
pub use receipt::Receipt;
use receipt::{Promise, pair};
use scribe::Commit;
use standing::Board;
pub use standing::Standing;
pub use syncing::Durability;
use syncing::Syncing;

use crate::error::Problem;
use crate::layout::Layout;
use crate::lock::{DaemonLock, Fence};
use crate::{Error, Investigation, InvestigationId, Store, Target};

/// How many writes may wait. Whoever comes then waits with them: every caller has few at a time on the way, so
/// this is met only by a flood.
const MOST_WAITING: usize = 8192;
/// More is not made to last at a time, so that nobody waits long for an answer.
const MOST_AT_A_TIME: usize = 4096;
/// Nor more bytes.
const MOST_BYTES_AT_A_TIME: usize = 64 << 20;

/// How a writer works.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// What must survive.
    pub durability: Durability,
    /// A log longer than this is put aside and starts anew.
    pub longest_log: u64,
    /// What happens when there is no space.
    pub when_full: WhenFull,
    /// So long it is waited for more where nobody waits for what there is.
    pub linger: Duration,
}

/// What a writer does when there is no space, or something else is short that comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WhenFull {
    /// It refuses what it cannot write.
    #[default]
    Refuse,
    /// It waits until it can write it, and [`Writer::standing`] says so.
    Wait,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            durability: Durability::PowerLoss,
            longest_log: 64 << 20,
            when_full: WhenFull::Refuse,
            linger: Duration::from_millis(200),
        }
    }
}

/// What a writer found when it started.
#[derive(Debug, Default)]
pub struct FoundAtStart {
    /// Half-written files and half-removed investigations that the dead had left.
    pub swept: u64,
    /// What could not be used.
    pub problems: Vec<Problem>,
    /// Whether there is space set aside for the last words of an investigation.
    pub has_reserve: bool,
}

/// How badly a document must be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// Like everything else.
    Usual,
    /// Even if the disk is full: the space that was set aside is used. For saying why an investigation pauses.
    LastWords,
}

#[derive(Debug)]
enum Command {
    Put { path: PathBuf, bytes: Vec<u8>, urgency: Urgency, fence: Option<Fence> },
    Append { journal: Journal, additions: Vec<Addition> },
    Rewrite { journal: Journal, additions: Vec<Addition> },
    SetCurrent { target: Target, id: InvestigationId },
    Remove { id: InvestigationId },
    Quarantine { path: PathBuf },
    Look,
    Close,
}

#[derive(Debug)]
struct Order {
    command: Command,
    promise: Promise,
    pace: Pace,
}

/// How soon something must last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pace {
    /// Somebody waits for it.
    AtOnce,
    /// With what follows, or in a moment.
    Leisurely,
}

/// Hands writes over to the thread. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Writer {
    sender: SyncSender<Order>,
    epoch: u64,
    board: Board,
    pace: Pace,
}

impl Writer {
    /// Starts the thread. What the dead have left is swept away first.
    pub fn start(store: &Store, lock: DaemonLock, settings: Settings) -> Result<(Self, FoundAtStart), Error> {
        Self::start_with(store, lock, settings, settings.durability.syncing())
    }

    fn start_with(
        store: &Store,
        lock: DaemonLock,
        settings: Settings,
        syncing: Box<dyn Syncing>,
    ) -> Result<(Self, FoundAtStart), Error> {
        let epoch = lock.epoch();
        let (scribe, found) = scribe::Scribe::new(Layout::new(store.home()), lock, settings, syncing)?;
        let (sender, receiver) = sync_channel(MOST_WAITING);
        let thread = std::thread::Builder::new().name("store".to_owned());
        let board = scribe.board.clone();
        let started = thread.spawn(move || work(scribe, &receiver, settings.linger));
        started.map_err(|error| Error::home(store.home(), error))?;
        Ok((Self { sender, epoch, board, pace: Pace::AtOnce }, found))
    }

    /// The daemon's life that this writer belongs to.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The same writer, for what nobody waits for: it is made to last with what others hand over, or in a moment, so
    /// that many small things cost as little as one. Everything stays in its order.
    #[must_use]
    pub fn leisurely(&self) -> Self {
        Self { pace: Pace::Leisurely, ..self.clone() }
    }

    /// How it stands: whether it writes, waits until it can, or does not write any more.
    pub fn standing(&self) -> Standing {
        self.board.read()
    }

    /// The journals of an investigation that were damaged and have been mended since this was asked last.
    pub fn take_mended(&self, investigation: &Investigation) -> Vec<Mended> {
        self.board.take_mended(investigation.dir())
    }

    /// Makes an investigation the current one of its target.
    pub fn set_current(&self, target: &Target, id: InvestigationId) -> Receipt {
        self.hand_over(Command::SetCurrent { target: target.clone(), id })
    }

    /// Removes an investigation with all it knows. Whoever asks has made sure that it is not running.
    pub fn remove(&self, id: InvestigationId) -> Receipt {
        self.hand_over(Command::Remove { id })
    }

    /// Moves something that cannot be used out of the way, where it can be looked at.
    pub fn quarantine(&self, problem: &Problem) -> Receipt {
        self.hand_over(Command::Quarantine { path: problem.path.clone() })
    }

    /// Looks whether it may still write: whether the state directory is there, and no newer daemon owns it.
    pub fn look(&self) -> Receipt {
        self.hand_over(Command::Look)
    }

    /// Writes what was handed over, lets go of the lock and ends, whoever else still holds this writer.
    pub fn close(&self) -> Receipt {
        self.hand_over(Command::Close)
    }

    pub(crate) fn put(&self, path: &Path, bytes: Vec<u8>, urgency: Urgency) -> Receipt {
        self.hand_over(Command::Put { path: path.to_owned(), bytes, urgency, fence: None })
    }

    /// Writes a document unless a newer fencing number has been given out.
    pub(crate) fn put_fenced(&self, path: &Path, bytes: Vec<u8>, fence: Fence) -> Receipt {
        let (path, urgency) = (path.to_owned(), Urgency::Usual);
        self.hand_over(Command::Put { path, bytes, urgency, fence: Some(fence) })
    }

    pub(crate) fn append(&self, journal: Journal, additions: Vec<Addition>) -> Receipt {
        self.hand_over(Command::Append { journal, additions })
    }

    /// Replaces a journal by one that has these lines and no others.
    pub(crate) fn rewrite(&self, journal: Journal, additions: Vec<Addition>) -> Receipt {
        self.hand_over(Command::Rewrite { journal, additions })
    }

    fn hand_over(&self, command: Command) -> Receipt {
        let (promise, receipt) = pair();
        // If the thread is gone, the promise is dropped, and that is an answer.
        let _ = self.sender.send(Order { command, promise, pace: self.pace });
        receipt
    }
}

/// The thread's life.
fn work(mut scribe: scribe::Scribe, orders: &Receiver<Order>, linger: Duration) {
    ignore_file_size_signal();
    // What came while it waited for space.
    let mut queue = VecDeque::new();
    while let Some(first) = queue.pop_front().or_else(|| next_order(&mut scribe, orders)) {
        let mut batch = Batch::default();
        let mut next = Some(first);
        let mut alone = None;
        let mut until = Some(Instant::now() + linger);
        while let Some(order) = next.take() {
            match order.command {
                Command::Put { .. } | Command::Append { .. } | Command::SetCurrent { .. } => {
                    until = until.filter(|_| order.pace == Pace::Leisurely);
                    batch.push(order);
                    if batch.len() < MOST_AT_A_TIME && batch.bytes() < MOST_BYTES_AT_A_TIME {
                        next = queue.pop_front().or_else(|| following(orders, until));
                    }
                }
                // These change what the others rest on: what came before is finished first.
                Command::Rewrite { .. }
                | Command::Remove { .. }
                | Command::Quarantine { .. }
                | Command::Look
                | Command::Close => {
                    alone = Some(order);
                }
            }
        }
        match scribe.commit(batch) {
            Commit::Done => {}
            Commit::Held(held) => {
                if let Some(order) = alone.take() {
                    queue.push_front(order);
                }
                match patience::wait(&mut scribe, held, orders, &mut queue) {
                    patience::Ended::GoOn => continue,
                    patience::Ended::Close(promise) => return close(scribe, promise),
                    patience::Ended::Alone => return,
                }
            }
        }
        let Some(Order { command, promise, .. }) = alone else { continue };
        match command {
            Command::Rewrite { journal, additions } => promise.keep(scribe.rewrite(&journal, &additions)),
            Command::Remove { id } => promise.keep(scribe.remove(id)),
            Command::Quarantine { path } => promise.keep(scribe.quarantine(&path)),
            Command::Look => promise.keep(scribe.look()),
            Command::Close => return close(scribe, promise),
            Command::Put { .. } | Command::Append { .. } | Command::SetCurrent { .. } => {}
        }
    }
}

/// The next order, if there is one; one that may come until then is waited for.
fn following(orders: &Receiver<Order>, until: Option<Instant>) -> Option<Order> {
    match until {
        Some(until) => orders.recv_timeout(until.saturating_duration_since(Instant::now())).ok(),
        None => orders.try_recv().ok(),
    }
}

/// Whoever lets a file grow beyond the allowed size is killed. With the signal blocked, on this thread and on those that
/// it starts, that is an error like a full disk.
pub fn ignore_file_size_signal() {
    let mut signals = SigSet::empty();
    signals.add(Signal::SIGXFSZ);
    let _ = signals.thread_block();
}

/// The last thing the thread does: it lets go of the lock, and says so.
fn close(mut scribe: scribe::Scribe, promise: Promise) {
    while scribe.tidy_up() {}
    drop(scribe);
    promise.keep(Ok(()));
}

/// Waits for an order. While there is none, the time is used to tidy up.
fn next_order(scribe: &mut scribe::Scribe, orders: &Receiver<Order>) -> Option<Order> {
    loop {
        match orders.try_recv() {
            Ok(order) => return Some(order),
            Err(_) if scribe.tidy_up() => {}
            Err(_) => return orders.recv().ok(),
        }
    }
}
