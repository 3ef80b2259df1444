//! The worker process: what runs on the other end of a pipe from the daemon.
//!
//! Its standard input is the connection, in both directions. It reads its greeting, locks itself in on the target it is
//! told about, says that it is ready, and from then on has one thread for reading, one for signs of life and one for
//! each loop under way. A loop that asks something blocks until the answer comes. When the connection ends, so does the process.
//! A loop that panics, or gives no sign of life for too long, is reported as failed; the others go on.
//!
//! Nothing here is async: a worker must lock itself in before it has a second thread.

mod by_hand;
mod crew;
mod life;

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{self, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::net::UnixStream;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use luminos_agent::{ParserStart, Workplace};
use luminos_core::job::{Ask, Assignment, DirResult, JobId, Loan, Mind, News, NoTurn, Reception, Said};
use luminos_core::plan::Turns;
use luminos_core::services::{Answers, Services};
use luminos_wire::worker::{Answer, Confinement, FromWorker, Greeting, NOBODY_WAITS, Question, ToWorker};
use luminos_wire::{Frames, MOST_BYTES, VERSION, decode, encode};

use crate::boxed_program::{self, BOXED_PROGRAM};

pub use by_hand::call_by_hand;
use crew::{Crew, Work};
use life::{Life, Lives};

/// The argument that makes this program a worker; its parent's process id follows.
pub const WORKER: &str = "worker";
/// The argument that makes this program a parser.
const PARSER: &str = "parser";
/// The argument that makes this program call one tool; its parent's process id follows.
const BY_HAND: &str = "tool-by-hand";

/// So many news go together.
const MOST_NOTED: usize = 256;

/// How much a loop's thread may put on its stack.
const STACK: usize = 2 << 20;

/// Plays the role that the arguments ask for, if it is one of those that only this program starts. Must be the first
/// thing in `main`.
pub fn play_role(arguments: &[OsString]) -> Option<ExitCode> {
    let role = arguments.get(1)?.to_str()?;
    match role {
        WORKER => {
            let parent = arguments.get(2).and_then(|pid| pid.to_str()).and_then(|pid| pid.parse().ok());
            Some(if work(parent).is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        BY_HAND => {
            let parent = arguments.get(2).and_then(|pid| pid.to_str()).and_then(|pid| pid.parse().ok());
            Some(if by_hand::call(parent).is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
        }
        BOXED_PROGRAM => Some(boxed_program::start(&arguments[2..])),
        PARSER => Some(if luminos_agent::parse().is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }),
        _ => None,
    }
}

/// The life of a worker.
fn work(parent: Option<u32>) -> io::Result<()> {
    let connection = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    // Until it is locked in, this is the only descriptor besides the standard three: others would be closed.
    let mut reader = Reader { connection, frames: Frames::new(MOST_BYTES) };
    let Some(greeting) = reader.next::<Greeting>()? else { return Ok(()) };
    let unable = |reader: &Reader, reason: String| send(&reader.connection, &FromWorker::Unable { reason });
    if greeting.version != VERSION {
        return unable(
            &reader,
            format!("the worker speaks version {VERSION}, the daemon {}", greeting.version),
        );
    }
    let workplace = match lock_in(&reader, greeting.target, greeting.own_state, parent)? {
        Ok(workplace) if greeting.looks_ahead => workplace.looking_ahead(),
        Ok(workplace) => workplace,
        Err(reason) => return unable(&reader, reason),
    };
    let sender = Sender { connection: Mutex::new(Outbox::new(reader.connection.try_clone()?)) };
    let confinement = confinement(&workplace);
    sender.send(&FromWorker::Ready { version: VERSION, confinement })?;
    let shared = Arc::new(Shared {
        sender,
        questions: Mutex::default(),
        stops: Mutex::default(),
        lives: Lives::default(),
        next: AtomicU64::new(1),
    });
    let pulse = Arc::clone(&shared);
    let interval = Duration::from_secs(u64::from(greeting.heartbeat_seconds.max(1)));
    let patience = Duration::from_secs(u64::from(greeting.patience_seconds));
    spawn("pulse", move || {
        while pulse.sender.send(&FromWorker::Beat).is_ok() {
            std::thread::sleep(interval);
            for job in pulse.lives.stuck(interval, patience) {
                let reason = format!("it gave no sign of life for {} s", patience.as_secs());
                let _ = pulse.sender.send(&FromWorker::Failed { job, reason });
            }
        }
    })?;
    let crew = Crew::default();
    while let Some(message) = reader.next::<ToWorker>()? {
        match message {
            ToWorker::Assign(assignment) => {
                let (shared, workplace) = (Arc::clone(&shared), workplace.clone());
                let life = shared.lives.begin(&assignment.job);
                let mind = assignment.mind;
                let work: Work = Box::new(move || {
                    // The panic itself has said on standard error what and where.
                    let whole = catch_unwind(AssertUnwindSafe(|| {
                        investigate(&workplace, &assignment, &shared, &life);
                    }));
                    if shared.lives.end(&assignment.job) && whole.is_err() {
                        let reason =
                            "it broke off: a fault of the program, told in the daemon's log".to_owned();
                        let failed = FromWorker::Failed { job: assignment.job.clone(), reason };
                        let _ = shared.sender.send(&failed);
                    }
                });
                match mind {
                    Mind::Offline => crew.run(work)?,
                    // A conversation takes so long that a thread of its own costs nothing.
                    Mind::Remote => spawn("loop", work)?,
                }
            }
            ToWorker::Answer { question, answer } => shared.answer(question, answer),
            ToWorker::Stop { job, flush } => shared.stop(job, flush),
        }
    }
    Ok(())
}

/// Locks this process in on a target, for good; or says why that cannot be.
fn lock_in(
    reader: &Reader,
    target: Vec<u8>,
    own_state: Vec<u8>,
    parent: Option<u32>,
) -> io::Result<Result<Workplace, String>> {
    let parser = ParserStart { program: std::env::current_exe()?, arguments: vec![PARSER.into()] };
    let target = PathBuf::from(OsString::from_vec(target));
    let own_state = PathBuf::from(OsString::from_vec(own_state));
    let locked = Workplace::lock_in(&target, Some(&own_state), &[reader.connection.as_fd()], parent, &parser);
    Ok(locked.map_err(|error| words(&error)))
}

/// How well a process is locked in.
fn confinement(workplace: &Workplace) -> Confinement {
    let support = workplace.support();
    Confinement {
        level: support.level.name().to_owned(),
        commands: workplace.offers_commands(),
        lacks: workplace.lacks(),
    }
}

fn words(error: &dyn std::error::Error) -> String {
    let mut words = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        words = format!("{words}: {cause}");
        source = cause.source();
    }
    words
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    std::thread::Builder::new().name(name.to_owned()).stack_size(STACK).spawn(work).map(drop)
}

/// Does an assignment to its end.
fn investigate(workplace: &Workplace, assignment: &Assignment, shared: &Shared, life: &Life) {
    let line = Line {
        job: assignment.job.clone(),
        shared,
        life,
        number: AtomicU32::new(0),
        is_handed_in: Mutex::new(false),
    };
    let result = workplace.work(assignment, &line);
    // A loop that was told to keep what it has says nothing: somebody will go on where it was.
    let is_kept = shared.stops().get(&line.job) == Some(&Halt::Keep);
    let is_handed_in = *lock(&line.is_handed_in);
    let is_returned = is_kept && !is_handed_in;
    if !is_returned && !is_handed_in {
        line.done(result);
    }
    shared.stops().remove(&line.job);
    // When the daemon is gone, so is this process in a moment.
    let _ = shared.sender.send(&FromWorker::Over { job: line.job.clone(), is_returned });
}

/// Reads messages of the daemon.
struct Reader {
    connection: UnixStream,
    frames: Frames,
}

impl Reader {
    /// The next message; `None` when the daemon has hung up.
    fn next<T: serde::de::DeserializeOwned>(&mut self) -> io::Result<Option<T>> {
        let mut buffer = vec![0; 64 << 10];
        loop {
            if let Some(body) = self.frames.take().map_err(io::Error::other)? {
                return decode(body).map(Some).map_err(io::Error::other);
            }
            match self.connection.read(&mut buffer) {
                Ok(0) => return Ok(None),
                Ok(count) => self.frames.feed(&buffer[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Sends messages to the daemon, one at a time.
struct Sender {
    connection: Mutex<Outbox>,
}

impl Sender {
    /// Sends a message at once, behind all that was said before it.
    fn send(&self, message: &FromWorker) -> io::Result<()> {
        let mut outbox = lock(&self.connection);
        outbox.put(message)?;
        outbox.flush()
    }

    /// Says something that another message follows at once, behind all that was said before it.
    fn begin(&self, message: &FromWorker) -> io::Result<()> {
        lock(&self.connection).put(message)
    }

    /// Tells news, which nobody waits for: they go with what follows, at the latest with the next sign of life.
    fn mention(&self, job: &JobId, number: u32, news: News) -> io::Result<()> {
        let mut outbox = lock(&self.connection);
        outbox.note(job, number, news);
        if outbox.noted < MOST_NOTED { Ok(()) } else { outbox.flush() }
    }
}

/// What is on its way: many small things cost a system call, and wake the daemon, only once. News of one loop go as one
/// message.
struct Outbox {
    connection: UnixStream,
    waiting: Vec<u8>,
    /// News of each loop, with the number of the first.
    news: Vec<(JobId, u32, Vec<News>)>,
    noted: usize,
}

impl Outbox {
    fn new(connection: UnixStream) -> Self {
        Self { connection, waiting: Vec::new(), news: Vec::new(), noted: 0 }
    }

    fn note(&mut self, job: &JobId, number: u32, news: News) {
        self.noted += 1;
        match self.news.iter_mut().find(|(noted, ..)| noted == job) {
            Some((_, _, known)) => known.push(news),
            None => self.news.push((job.clone(), number, vec![news])),
        }
    }

    /// Puts a message behind all that was said before it.
    fn put(&mut self, message: &FromWorker) -> io::Result<()> {
        self.put_news();
        self.add(message)
    }

    fn put_news(&mut self) {
        self.noted = 0;
        for (job, first, news) in std::mem::take(&mut self.news) {
            let together = FromWorker::News { job, number: first, news };
            if self.add(&together).is_ok() {
                continue;
            }
            // Too much for one message. What is too much alone is lost, which costs one line of a log or one entry.
            let FromWorker::News { job, news: each, .. } = together else { continue };
            for (number, one) in (first..).zip(each) {
                let _ = self.add(&FromWorker::News { job: job.clone(), number, news: vec![one] });
            }
        }
    }

    fn add(&mut self, message: &FromWorker) -> io::Result<()> {
        self.waiting.extend_from_slice(&encode(message).map_err(io::Error::other)?);
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.put_news();
        let written = self.connection.write_all(&self.waiting);
        self.waiting.clear();
        written
    }
}

fn send<T: serde::Serialize>(mut connection: &UnixStream, message: &T) -> io::Result<()> {
    let frame = encode(message).map_err(io::Error::other)?;
    connection.write_all(&frame)
}

/// How a loop was told to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Halt {
    Flush,
    Keep,
}

/// What all threads of a worker have in common.
struct Shared {
    sender: Sender,
    questions: Mutex<HashMap<u64, SyncSender<Answer>>>,
    stops: Mutex<HashMap<JobId, Halt>>,
    lives: Lives,
    next: AtomicU64,
}

impl Shared {
    fn answer(&self, question: u64, answer: Answer) {
        if let Some(waiting) = lock(&self.questions).remove(&question) {
            // Each question has one answer, so there is room for it.
            let _ = waiting.try_send(answer);
        }
    }

    fn stop(&self, job: JobId, flush: bool) {
        self.stops().insert(job, if flush { Halt::Flush } else { Halt::Keep });
    }

    fn stops(&self) -> MutexGuard<'_, HashMap<JobId, Halt>> {
        lock(&self.stops)
    }

    fn ask(&self, job: &JobId, ask: Question) -> Option<Answer> {
        let question = self.next.fetch_add(1, Ordering::Relaxed);
        let (waiting, answer) = sync_channel(1);
        lock(&self.questions).insert(question, waiting);
        self.sender.send(&FromWorker::Question { question, job: job.clone(), ask }).ok()?;
        answer.recv().ok()
    }
}

/// One loop's line to the daemon.
struct Line<'a> {
    job: JobId,
    shared: &'a Shared,
    life: &'a Life,
    number: AtomicU32,
    is_handed_in: Mutex<bool>,
}

impl Line<'_> {
    fn ask(&self, ask: Question) -> Option<Answer> {
        self.life.waiting(|| self.shared.ask(&self.job, ask))
    }
}

impl Answers for Line<'_> {
    fn turn(&self, ask: Ask) -> Result<Said, NoTurn> {
        match self.ask(Question::Turn(Box::new(ask))) {
            Some(Answer::Turn(said)) => said.map(|said| *said),
            Some(Answer::Loan(_) | Answer::Reception(_)) | None => Err(NoTurn::Stopped),
        }
    }

    fn is_kept(&self) -> bool {
        self.shared.stops().get(&self.job) == Some(&Halt::Keep)
    }

    fn is_stopped(&self) -> bool {
        self.life.sign();
        self.shared.stops().contains_key(&self.job)
    }
}

impl Services for Line<'_> {
    fn borrow(&self, turns: Turns, reason: &str) -> Loan {
        match self.ask(Question::Borrow { turns, reason: reason.to_owned() }) {
            Some(Answer::Loan(loan)) => loan,
            Some(Answer::Turn(_) | Answer::Reception(_)) | None => {
                Loan::Refused("the daemon is gone".to_owned())
            }
        }
    }

    fn news(&self, news: News) {
        self.life.sign();
        let number = self.number.fetch_add(1, Ordering::Relaxed);
        // When the daemon is gone, so is this process in a moment.
        let _ = self.shared.sender.mention(&self.job, number, news);
    }

    fn done(&self, result: DirResult) -> Reception {
        // Whoever goes on where this loop was starts from its turns, not from what it would hand in half-way.
        let is_kept = self.is_kept();
        if is_kept && matches!(result, DirResult::Partial(_)) {
            return Reception::Stale;
        }
        // What was judged here can only be taken, or come too late; either way there is nothing left to do.
        if matches!(result, DirResult::Judged(_)) {
            let ask = Question::Done(Box::new(result));
            let handed_in = FromWorker::Question { question: NOBODY_WAITS, job: self.job.clone(), ask };
            // When the daemon is gone, so is this process in a moment.
            let _ = self.shared.sender.begin(&handed_in);
            *lock(&self.is_handed_in) = true;
            return Reception::Accepted;
        }
        let reception = match self.ask(Question::Done(Box::new(result))) {
            Some(Answer::Reception(reception)) => reception,
            Some(Answer::Turn(_) | Answer::Loan(_)) | None => Reception::Stale,
        };
        *lock(&self.is_handed_in) = !matches!(reception, Reception::Revise { .. });
        reception
    }
}

/// Nothing that can panic happens under these locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
